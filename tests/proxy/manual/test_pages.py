"""The manual of a running server: its pages, links and search, as a person and as a browser see them."""

from __future__ import annotations

import asyncio
import os
import tomllib
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import aiohttp
import pytest

from guardrail.verifier import Verifier
from proxy.manual.pages import Manual, address
from tests.proxy.browsing import browsing, needs_chromium
from tests.proxy.servers import serving

ROOT = Path(__file__).parents[3]
AXE = Path(os.environ.get("GUARDRAIL_AXE", "node_modules/axe-core/axe.min.js"))
SAMPLE = ("/docs", "/docs/wire", "/docs/pages", "/docs/reference/cli", "/docs/search?q=claim")


class Found(HTMLParser):
    """The ids of a page, and where its links and pictures lead."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id":
                self.ids.append(value or "")
            elif name in ("href", "src", "action"):
                self.links.append(value or "")


@pytest.fixture(scope="module")
def manual() -> Manual:
    return Manual.open()


def pages(manual: Manual) -> Iterator[tuple[str, Found]]:
    for where in manual.addresses:
        file = manual.file(where)
        assert file is not None
        if file.media_type == "text/html":
            yield where, Found(file.content.decode())


def test_every_link_leads_somewhere(manual: Manual) -> None:
    """To a page or file that is served, to an anchor that its page has, or to another site."""
    ids = {where: set(found.ids) for where, found in pages(manual)}
    lost = []
    for where, found in pages(manual):
        for link in found.links:
            target, _, anchor = link.partition("#")
            target = target or where
            if target.startswith(("https://", "http://", "mailto:", "/ui/")) or target in (
                "/",
                "/docs/search",
            ):
                continue
            if target not in manual.addresses or (anchor and anchor not in ids.get(target, ())):
                lost.append((where, link))
    assert lost == []


def test_no_anchor_is_there_twice(manual: Manual) -> None:
    """Each id of a page names one place."""
    assert [
        (where, one) for where, found in pages(manual) for one in found.ids if found.ids.count(one) > 1
    ] == []


def test_only_what_the_manual_shows_is_served(manual: Manual) -> None:
    """Files outside docs/ are served where a page links to them, no others."""
    outside = {where for where in manual.addresses if where.startswith("/docs/source/")}
    assert address("deploy/alerts.yaml") in outside
    assert address("pyproject.toml") not in manual.addresses
    assert address("docs/hooks.py") not in manual.addresses


def test_the_wheel_brings_what_the_manual_shows(manual: Manual) -> None:
    """Every file outside the packages that the manual serves is put into the wheel, and into the sdist that it is built from."""
    targets = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]
    brought = targets["wheel"]["force-include"]
    assert all(place == f"proxy/source/{path}" for path, place in brought.items())
    assert {"docs", "mkdocs.yml"} <= brought.keys() <= set(targets["sdist"]["include"])
    files = [path for path in ROOT.rglob("*") if address(str(path.relative_to(ROOT))) in manual.addresses]
    inside = tuple(f"{one}/" for one in (*brought, *targets["wheel"]["packages"]))
    lost = {
        one for path in files if not (one := str(path.relative_to(ROOT))).startswith(inside)
    } - brought.keys()
    assert lost == set()


async def test_pages_pictures_and_files_come_as_what_they_are(tmp_path: Path) -> None:
    """HTML with a strict policy, PNG, plain text; an address that is not there is a 404 in OpenAI's shape."""
    with serving(tmp_path) as (root, _):
        async with aiohttp.ClientSession() as http:
            for path, kind in (
                ("/docs", "text/html"),
                ("/docs/", "text/html"),
                ("/docs/reference/cli", "text/html"),
                ("/docs/images/chat.png", "image/png"),
                ("/docs/examples/openai/ask.py", "text/plain"),
            ):
                async with http.get(root + path) as response:
                    assert (response.status, response.content_type) == (200, kind), path
                    assert "script-src 'self'" in response.headers["content-security-policy"]
            for path in (
                "/docs/none",
                "/docs/../pyproject.toml",
                "/docs/source/pyproject.toml",
                "/docs/hooks.py",
            ):
                async with http.get(f"{root}{path}") as response:
                    assert (response.status, (await response.json())["error"]["code"]) == (404, "not_found")


async def test_the_search_finds_sections_by_all_words(tmp_path: Path) -> None:
    """The best first, the query escaped; nothing found and nothing asked are said."""
    with serving(tmp_path) as (root, _):
        async with aiohttp.ClientSession() as http:

            async def asked(query: str) -> str:
                async with http.get(f"{root}/docs/search", params={"q": query}) as response:
                    assert response.status == 200
                    return await response.text()

            found = Found(await asked("environment variables"))
            assert next(link for link in found.links if link == "/docs/reference/environment")
            nothing = await asked("<b>zzxxyy</b>")
            assert "No page has all of these words." in nothing
            assert "<b>" not in nothing
            assert "Type what you are looking for." in await asked("")


@needs_chromium
async def test_a_reader_goes_from_the_pages_through_the_manual(tmp_path: Path, verifier: Verifier) -> None:
    """By the link in the header, the navigation, the search and the neighbours; nothing is refused by the policy."""
    async with browsing(tmp_path, verifier) as (page, _):
        await page.click("text=Manual")
        await page.wait_for_selector("h1:has-text('guardrail')")
        await page.click("nav.pages a:has-text('Glossary')")
        assert await page.text_content("nav.pages a[aria-current=page]") == "Glossary"
        await page.fill("#q", "two in a row")
        await page.keyboard.press("Enter")
        await page.click("ol.found a >> nth=0")
        assert "/docs/" in page.url
        await page.goto(page.url.split("/docs")[0] + "/docs")
        await page.click("a[rel=next]")
        assert await page.text_content("h1") == "Your model in five minutes"


@needs_chromium
async def test_the_manual_fits_a_phone(tmp_path: Path, verifier: Verifier) -> None:
    """At 360 pixels no page sticks out: tables and code scroll by themselves."""
    async with browsing(tmp_path, verifier, width=360, height=780) as (page, _):
        root = page.url.rstrip("/")
        for path in SAMPLE:
            await page.goto(root + path)
            assert await page.evaluate("document.documentElement.scrollWidth") <= 360, path


@needs_chromium
@pytest.mark.skipif(
    not AXE.exists(), reason="axe-core is not here: npm install --no-save axe-core, or set GUARDRAIL_AXE"
)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1200, 360])
async def test_axe_finds_nothing_in_the_manual(
    tmp_path: Path, verifier: Verifier, scheme: str, width: int
) -> None:
    """WCAG A and AA by axe-core, in both schemes, wide and narrow."""
    script = await asyncio.to_thread(AXE.read_text)
    async with browsing(tmp_path, verifier, width=width, color_scheme=scheme) as (page, _):
        root = page.url.rstrip("/")
        found = []
        for path in SAMPLE:
            await page.goto(root + path)
            await page.evaluate(script)
            result = await page.evaluate("axe.run(document, {resultTypes: ['violations']})")
            found += [
                (path, one["id"], [node["html"][:120] for node in one["nodes"][:3]])
                for one in result["violations"]
            ]
        assert found == []
