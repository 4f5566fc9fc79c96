"""The web pages, in a real browser: what a person sees, clicks and types."""

from __future__ import annotations

import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from guardrail.verifier import Verifier
from tests.proxy.servers import serving

playwright = pytest.importorskip(
    "playwright.async_api", reason="playwright is not installed (extra: browser)"
)
if TYPE_CHECKING:
    from playwright.async_api import Page

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")


@asynccontextmanager
async def browsing(home: Path, verifier: Verifier) -> AsyncIterator[Page]:
    """A page of a running proxy; any script error or refused resource fails the test."""
    with serving(home, verifier=verifier, admin_token="secret") as (root, _):  # type: ignore[arg-type]
        async with playwright.async_playwright() as driver:
            browser = await driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            page = await browser.new_page(viewport={"width": 1200, "height": 900})
            wrong: list[str] = []
            page.on("pageerror", lambda error: wrong.append(str(error)))
            page.on(
                "console", lambda message: wrong.append(message.text) if message.type == "error" else None
            )
            await page.goto(root)
            yield page
            await browser.close()
            assert wrong == []


async def test_a_planted_error_is_seen_explained_and_corrected(tmp_path: Path, verifier: Verifier) -> None:
    """From the question over the red span and its proof to the accepted, verified correction."""
    async with browsing(tmp_path, verifier) as page:
        await page.click("#samples button:has-text('When was Taylor Swift born?')")
        await page.wait_for_selector("#kas")
        assert (
            await page.inner_text(".contradictory")
            == "Taylor Swift was born on 13 December 1990 in West Reading."
        )
        assert "13 December 1989" in await page.inner_text(".details .slot")
        await page.click("button.revision")
        await page.wait_for_selector(".diff")
        assert await page.locator(".contradictory").count() == 0
        assert "13 December 1989" in await page.inner_text(".attributable >> nth=0")


async def test_hold_shows_nothing_wrong_and_revises(tmp_path: Path, verifier: Verifier) -> None:
    """Under the policy that revises, the answer arrives corrected and shows what was replaced."""
    async with browsing(tmp_path, verifier) as page:
        await page.select_option("#policy", "revise")
        await page.fill("#question", "What is the capital of Australia?")
        await page.click("#ask button")
        await page.wait_for_selector("#kas")
        assert await page.inner_text("del") == "Sydney"
        assert await page.inner_text("ins") == "Canberra"


HOSTILE = "<img src=x onerror=alert(1)> Paris is the capital of <script>alert(2)</script> Spain. 🎵 Oslo is in Norway."


async def test_text_is_never_markup(tmp_path: Path, verifier: Verifier) -> None:
    """What looks like HTML is shown as it stands, and spans after an emoji are still exact."""
    async with browsing(tmp_path, verifier) as page:
        await page.click("nav a[data-view=playground]")
        await page.fill("#text", HOSTILE)
        await page.fill("#references", "</textarea><b>Oslo</b> is the capital of Norway.")
        await page.click("#check button")
        await page.wait_for_selector("#playground-view #kas")
        assert await page.inner_text("#playground-view .answer") == HOSTILE
        assert (
            await page.locator("#playground-view .answer img, #playground-view .answer script").count() == 0
        )
        assert "Oslo is in Norway." in await page.inner_text("#playground-view .claim >> nth=-1")


async def test_a_report_is_shared_by_its_id(tmp_path: Path, verifier: Verifier) -> None:
    """Who opens the link sees the same report."""
    async with browsing(tmp_path, verifier) as page:
        await page.click("nav a[data-view=playground]")
        await page.fill("#text", "The capital of Australia is Sydney.")
        await page.click("#check button")
        await page.wait_for_selector("#playground-view #kas")
        await page.click("text=Copy link")
        await page.wait_for_url("**/#report=*")
        await page.reload()
        await page.wait_for_selector("#playground-view #kas")
        assert (
            await page.inner_text("#playground-view .contradictory") == "The capital of Australia is Sydney."
        )


async def test_claims_are_reached_by_keyboard(tmp_path: Path, verifier: Verifier) -> None:
    """Tab reaches a claim, Enter explains it, and its state is told to a screen reader."""
    async with browsing(tmp_path, verifier) as page:
        await page.goto(page.url + "#playground")
        await page.fill("#text", "Paris is the capital of France. Lyon is the capital of France.")
        await page.click("#check button")
        await page.wait_for_selector("#playground-view #kas")
        await page.focus("#playground-view .attributable")
        await page.keyboard.press("Enter")
        assert "supports" in await page.inner_text("#playground-view .details h3 >> nth=0")
        assert await page.get_attribute("#playground-view .attributable", "aria-pressed") == "true"


async def test_flagged_claims_are_reviewed_by_keyboard(tmp_path: Path, verifier: Verifier) -> None:
    """Two claims are judged with one key each; the reviews are in the log."""
    async with browsing(tmp_path, verifier) as page:
        await page.goto(page.url + "#playground")
        await page.fill("#text", "Lyon is the capital of France. Kyoto is the capital of Japan.")
        await page.click("#check button")
        await page.wait_for_selector("#playground-view #kas")
        await page.click("nav a[data-view=audit]")
        await page.fill("#token", "secret")
        await page.fill("#reviewer", "Ada")
        await page.click("#audit-login button")
        await page.wait_for_selector("#audit-view table")
        await page.locator("#audit-view h3").first.click()
        for key, said in (("a", "agree"), ("2", "should be extrapolatory")):
            await page.keyboard.press(key)
            await page.wait_for_selector(f"#audit-status:has-text('{said}')")
        assert "Nothing left to review." in await page.inner_text("#audit-view")


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_it_fits_a_phone(tmp_path: Path, verifier: Verifier, scheme: str) -> None:
    """At 360 pixels nothing is cut off, in light and in dark."""
    async with browsing(tmp_path, verifier) as page:
        await page.set_viewport_size({"width": 360, "height": 800})
        await page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        await page.click("#samples button >> nth=0")
        await page.wait_for_selector("#kas")
        assert await page.evaluate("document.documentElement.scrollWidth") <= 360


def test_the_pages_are_light() -> None:
    """All files together stay under 300 kB, and none names an address elsewhere but the SVG namespace."""
    files = [file for file in resources.files("proxy").joinpath("ui").iterdir() if file.is_file()]
    assert sum(len(file.read_bytes()) for file in files) < 300_000
    texts = [file.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "") for file in files]
    assert not [text for text in texts if "://" in text.replace("https?://", "").replace(r"^https?:\/\/", "")]
