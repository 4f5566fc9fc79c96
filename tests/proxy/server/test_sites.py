"""Pages of other sites cannot use the server, under whatever name they reach it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import aiohttp
import pytest

from proxy.server.sites import Sites
from tests.fakes import FakeModel, Script, completion
from tests.proxy.servers import serving

ASK = b'{"model":"demo","messages":[],"text":"It is true."}'
PATHS = ("/v1/chat/completions", "/v1/chat/completions/", "/v1/embeddings", "/guardrail/verify", "/ui/login")
PLAIN = {"content-type": "text/plain"}


async def got(http: aiohttp.ClientSession, method: str, url: str, **given: Any) -> aiohttp.ClientResponse:
    """A response with its body read and its connection given back."""
    async with http.request(method, url, **given) as response:
        await response.read()
    return response


@pytest.mark.parametrize("path", PATHS)
async def test_a_foreign_page_is_refused_without_fetch_metadata(tmp_path: Path, path: str) -> None:
    """Browsers send none to http addresses of a local network: the origin alone tells."""
    with serving(tmp_path) as (root, services):
        async with aiohttp.ClientSession() as http:
            port = root.rsplit(":", 1)[1]
            for origin in (
                "http://evil",
                "null",
                "https://evil.example",
                f"http://localhost.evil:{port}",
                f"{root}1",
            ):
                refused = await got(http, "post", root + path, data=ASK, headers={"origin": origin, **PLAIN})
                assert (refused.status, (await refused.json())["error"]["code"]) == (403, "cross_site")
            own = await got(http, "post", root + path, data=ASK, headers={"origin": root, **PLAIN})
            assert own.status != 403
            assert services.log.list(limit=1) == [] or path in (
                "/v1/chat/completions",
                "/v1/chat/completions/",
                "/guardrail/verify",
            )


async def test_a_foreign_page_may_not_fetch_answers_either(tmp_path: Path) -> None:
    """Reading is doing where answers are kept: responses by their id, reports, models."""
    with serving(tmp_path) as (root, _):
        async with aiohttp.ClientSession() as http:
            for path in ("/v1/responses/r_1", "/guardrail/reports/grd_1", "/v1/models"):
                assert (await got(http, "get", root + path, headers={"origin": "http://evil"})).status == 403
            assert (
                await got(http, "get", f"{root}/healthz", headers={"origin": "http://evil"})
            ).status == 200


async def test_a_name_that_leads_here_does_not_open_the_server(tmp_path: Path) -> None:
    """A site may have its own name lead to 127.0.0.1; on a loopback address only names that no site has are answered."""
    with serving(tmp_path) as (root, _):
        async with aiohttp.ClientSession() as http:
            port = root.rsplit(":", 1)[1]
            for host in ("rebind.evil", f"rebind.evil:{port}", f"127.0.0.1.nip.io:{port}", f"0.0.0.0:{port}"):
                for path in ("/v1/models", "/", "/ui/session", "/healthz"):
                    refused = await got(
                        http, "get", root + path, headers={"host": host, "sec-fetch-site": "same-origin"}
                    )
                    assert (refused.status, (await refused.json())["error"]["code"]) == (403, "unknown_host")
            for host in (
                f"localhost:{port}",
                f"127.0.0.1:{port}",
                "guard.localhost",
                "proxy",
                f"[::1]:{port}",
            ):
                assert (await got(http, "get", f"{root}/v1/models", headers={"host": host})).status == 200


@pytest.mark.parametrize(
    ("sites", "host", "known"),
    [
        (Sites("127.0.0.1"), "LOCALHOST.:80", True),
        (Sites("127.0.0.1"), "192.0.2.1", False),
        (Sites("127.0.0.1"), "evil.example", False),
        (Sites("127.0.0.1"), "localhost@evil.example", False),
        (Sites("127.0.0.1"), "evil.example#.localhost", False),
        (Sites("127.0.0.1", ("guard.example",)), "Guard.Example:443", True),
        (Sites("127.0.0.1", ("guard.example",)), "guard", False),
        (Sites("127.0.0.1", ("guard.example",)), "127.0.0.1:8080", True),
        (Sites("0.0.0.0"), "any.example", True),
        (Sites("0.0.0.0", ("*.example",)), "a.example", True),
        (Sites("0.0.0.0", ("*.example",)), "evil.org", False),
        (Sites("0.0.0.0", ("*.example",)), "10.1.2.3:8080", True),
        (Sites("::1"), "[::1]:8080", True),
        (Sites("::1"), "[2001:db8::1]:8080", False),
    ],
)
def test_which_names_are_answered(sites: Sites, host: str, known: bool) -> None:
    """The operator's names, this machine's own, and where it is bound to the network every address."""
    assert sites.known(host) is known


async def test_an_origin_that_is_allowed_may_ask_and_read(tmp_path: Path) -> None:
    """The browser is told so before and with the answer; another origin is not."""
    script = Script([completion("It is true.")], headers=(("content-type", "application/json"),))
    async with FakeModel(script).running() as model, aiohttp.ClientSession() as http:
        with serving(tmp_path, upstream=model.url, origins=("https://app.example",)) as (root, _):
            url = f"{root}/v1/chat/completions"
            mine = {"origin": "https://app.example", "sec-fetch-site": "cross-site"}
            asked = {
                "access-control-request-method": "POST",
                "access-control-request-headers": "authorization",
            }
            before = await got(http, "options", url, headers={**mine, **asked})
            assert (before.status, before.headers["access-control-allow-origin"]) == (204, mine["origin"])
            assert before.headers["access-control-allow-headers"] == "authorization"
            answer = await got(http, "post", url, data=ASK, headers=mine)
            assert (answer.status, answer.headers["access-control-allow-origin"]) == (200, mine["origin"])
            assert "access-control-allow-credentials" not in answer.headers
            other = {"origin": "https://other.example"}
            assert (await got(http, "post", url, data=ASK, headers=other)).status == 403
            assert (await got(http, "options", url, headers={**other, **asked})).status == 403


async def test_the_models_server_opens_no_answer_to_pages(tmp_path: Path) -> None:
    """What it says of other origins ends here, on checked and on passed paths."""
    headers = (("content-type", "application/json"), ("access-control-allow-origin", "*"), ("x-kept", "1"))
    async with FakeModel(Script([completion("It is true.")], headers=headers)).running() as model:
        with serving(tmp_path, upstream=model.url) as (root, _):
            async with aiohttp.ClientSession() as http:
                for path in ("chat/completions", "embeddings"):
                    answer = await got(http, "post", f"{root}/v1/{path}", data=ASK)
                    assert answer.headers["x-kept"] == "1"
                    assert "access-control-allow-origin" not in answer.headers
