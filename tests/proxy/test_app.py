"""The pages, the state of the server, and errors at its edge."""

from __future__ import annotations

import re
from pathlib import Path

import aiohttp
import pytest

from guardrail.errors import GuardrailError
from proxy.app import create_app
from proxy.services import Services
from proxy.settings import Settings
from tests.fakes import FakeVerifier
from tests.proxy.servers import serving


async def get(url: str, method: str = "GET") -> tuple[int, str, aiohttp.typedefs.LooseHeaders]:
    async with aiohttp.ClientSession() as http:
        response = await http.request(method, url)
        return response.status, await response.text(), response.headers


async def test_health_and_readiness(tmp_path: Path) -> None:
    """/healthz says that the process lives, /readyz what it works with."""
    with serving(tmp_path) as (root, _):
        assert (await get(f"{root}/healthz"))[:2] == (200, '{"status":"ok"}')
        status, text, _ = await get(f"{root}/readyz")
        assert status == 200
        assert '"policies":["annotate"]' in text


async def test_the_page_needs_nothing_from_elsewhere(tmp_path: Path) -> None:
    """The page and its assets come from the proxy, under a policy that forbids anything else."""
    with serving(tmp_path) as (root, _):
        for path in ("/", "/ui"):
            status, text, headers = await get(root + path)
            assert status == 200
            assert headers["content-security-policy"].startswith("default-src 'none'")
            assert "unsafe" not in headers["content-security-policy"]
            assert "http" not in text
        for asset in re.findall(r'"(/ui/[^"]+)"', text):
            assert (await get(root + asset))[0] == 200
        assert "When was Taylor Swift born?" in (await get(f"{root}/ui/start"))[1]
        assert (await get(f"{root}/ui/nothing.js"))[0] == 404
        assert (await get(f"{root}/ui/..%2fapp.py"))[0] == 404


@pytest.mark.parametrize(
    ("path", "method", "status"),
    [("/nowhere", "GET", 404), ("/guardrail/verify", "GET", 405)],
)
async def test_unknown_paths_and_methods_are_told_in_shape(
    tmp_path: Path, path: str, method: str, status: int
) -> None:
    """What there is not is an error in OpenAI's shape."""
    with serving(tmp_path) as (root, _):
        found, text, _ = await get(root + path, method)
    assert found == status
    assert '"error":{"message"' in text


async def test_a_base_url_without_its_version_is_told(tmp_path: Path) -> None:
    """Who asks for an API's path at the root hears where the API is."""
    with serving(tmp_path) as (root, _):
        status, text, _ = await get(f"{root}/chat/completions", "POST")
        assert (status, "The API is below /v1." in text) == (404, True)
        status, text, _ = await get(f"{root}/nowhere")
        assert (status, "/v1" in text) == (404, False)


async def test_an_internal_error_shows_no_trace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Something unforeseen is a 500 with an id for the log, and nothing of its text."""
    with serving(tmp_path) as (root, services):
        monkeypatch.setattr(type(services.choice), "policy", lambda *_: 1 / 0)
        async with aiohttp.ClientSession() as http:
            response = await http.post(f"{root}/v1/chat/completions", json={"model": "demo", "messages": []})
            text = await response.text()
    assert response.status == 500
    assert "internal_error" in text
    assert "division" not in text


def test_settings_that_cannot_be_used_raise_at_once(tmp_path: Path) -> None:
    """A missing knowledge file stops the start with an error of ours."""
    with pytest.raises(GuardrailError, match="nothing-here"):
        create_app(Settings(knowledge=tmp_path / "nothing-here.db", audit=str(tmp_path / "a.db")))


def test_services_can_be_brought(tmp_path: Path) -> None:
    """An application can be built over services that are open already."""
    settings = Settings(audit=str(tmp_path / "a.db"))
    services = Services.open(settings, verifier=FakeVerifier())  # type: ignore[arg-type]
    assert create_app(settings, services=services).state.services is services
    services.close()


@pytest.mark.parametrize("path", ["/v1/chat/completions", "/guardrail/verify", "/v1/embeddings"])
async def test_pages_of_other_sites_cannot_use_the_server(tmp_path: Path, path: str) -> None:
    """A browser's request for a foreign page is refused before anything is done; our own page and other clients are not."""
    body = b'{"model":"demo","messages":[],"text":"It is true."}'
    foreign = {"origin": "https://evil.example", "sec-fetch-site": "cross-site", "content-type": "text/plain"}
    with serving(tmp_path) as (root, services):
        async with aiohttp.ClientSession() as http:
            refused = await http.post(root + path, data=body, headers=foreign)
            assert (refused.status, (await refused.json())["error"]["code"]) == (403, "cross_site")
            assert services.log.list() == []
            for own in (
                {"origin": root, "sec-fetch-site": "same-origin"},
                {"origin": "app://obsidian.md"},
                {},
            ):
                assert (await http.post(root + path, data=body, headers=own)).status != 403
