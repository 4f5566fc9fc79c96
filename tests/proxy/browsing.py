"""A real Chromium on the pages of a running proxy. Whatever goes wrong in a page fails the test that opened it."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from guardrail.verifier import Verifier
from proxy.services import Services
from tests.proxy.servers import serving

if TYPE_CHECKING:
    from playwright.async_api import Page

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
VIEWS = ("chat", "playground", "knowledge", "policies", "audit")
TOKEN = "secret"
needs_chromium = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")


@asynccontextmanager
async def browsing(
    home: Path, verifier: Verifier, *, width: int = 1200, height: int = 900, **context: Any
) -> AsyncIterator[tuple[Page, Services]]:
    """A page of a running proxy and its services; a script error, a refused resource or a request elsewhere fails the test.

    `context`: further options of Playwright's browser context.
    """
    playwright = pytest.importorskip(
        "playwright.async_api", reason="playwright is not installed (extra: browser)"
    )
    with serving(home, verifier=verifier, admin_token=TOKEN) as (root, services):  # type: ignore[arg-type]
        async with playwright.async_playwright() as driver:
            browser = await driver.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            opened = await browser.new_context(viewport={"width": width, "height": height}, **context)
            page = await opened.new_page()
            wrong: list[str] = []
            page.on("pageerror", lambda error: wrong.append(str(error)))
            page.on("console", lambda message: wrong.append(message.text) if faulty(message) else None)
            page.on("dialog", lambda dialog: wrong.append(f"a dialog: {dialog.message}"))
            page.on(
                "request",
                lambda asked: wrong.append(asked.url) if not asked.url.startswith((root, "blob:")) else None,
            )
            await page.goto(root)
            yield page, services
            await browser.close()
            assert wrong == [], wrong


def faulty(message: Any) -> bool:
    """An error of a script or of the content security policy; a status that the page was told is none."""
    return message.type == "error" and "the server responded with a status of 4" not in message.text


async def check(page: Page, text: str, *, references: str = "") -> None:
    """Put a text into the playground and wait for its report."""
    await page.click("nav a[data-view=playground]")
    await page.fill("#text", text)
    await page.fill("#references", references)
    await page.click("#check button.primary")
    await page.wait_for_selector("#playground-view .headline")


async def log_in(page: Page, view: str) -> None:
    """Open one of the admin's views with the token."""
    await page.click(f"nav a[data-view={view}]")
    await page.fill(f"#{view} .door input", TOKEN)
    await page.click(f"#{view} .door button")
    await page.wait_for_selector(f"#{view} .door", state="detached")


async def saved(page: Page, button: str) -> str:
    """What a button offers as a file."""
    async with page.expect_download() as saving:
        await page.click(f"text={button}")
    file = await (await saving.value).path()
    return await asyncio.to_thread(file.read_text)
