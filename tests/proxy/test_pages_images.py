"""The screenshots of docs/pages.md: taken by this run, kept in the docs where GUARDRAIL_SCREENSHOTS names a folder.

GUARDRAIL_SCREENSHOTS=docs/images python -m pytest tests/proxy/test_pages_images.py
"""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from guardrail.verifier import Verifier
from proxy.services import Services
from tests.proxy.browsing import browsing, check, log_in, needs_chromium

if TYPE_CHECKING:
    from playwright.async_api import Page

pytestmark = needs_chromium

LARGEST = 150_000  # bytes: the docs stay light
FOLDER = os.environ.get("GUARDRAIL_SCREENSHOTS")
TEXTS = (
    "The capital of Australia is Sydney. Its currency is the Australian dollar.",
    "Marie Curie was born in Warsaw on 7 November 1867. She died in 1944.",
    "Gold has the symbol Au. Its atomic number is 97.",
    "Jupiter is the largest planet in the Solar System.",
    "Lyon is the capital of France. Kyoto is the capital of Japan.",
)


async def chat(page: Page, _: Services) -> None:
    await page.click("#samples button:has-text('When was Taylor Swift born?')")
    await page.wait_for_selector("#chat-view .headline")
    await page.mouse.move(0, 0)


async def playground(page: Page, _: Services) -> None:
    reference = "Marie Curie was born in Warsaw in 1870."
    text = "Marie Curie was born in Warsaw in 1867. She was married to Pierre Curie. Her house has 12 rooms."
    await check(page, text, references=reference)
    await page.wait_for_selector("#playground-view .graph")
    await page.evaluate("document.querySelector('#playground-view').scrollIntoView()")


async def knowledge(page: Page, _: Services) -> None:
    await log_in(page, "audit")
    await page.click("nav a[data-view=knowledge]")
    await page.fill("#entity", "Marie Curie")
    await page.click("#search button")
    await page.wait_for_selector("#add-fact")
    await page.fill("#probe input", "Marie Curie was born in Warsaw in 1870.")
    await page.click("#probe button")
    await page.wait_for_selector("#probe-verdicts p")


async def policies(page: Page, _: Services) -> None:
    await check(page, TEXTS[0])
    await log_in(page, "policies")
    broken = "extends: block\nname: strict\nclaims:\n- name: dates\n  when: {label: contradictry, slot: date}\non_error: explode\n"
    await page.fill("#policy-text", broken)
    await page.wait_for_selector(".problems")
    await page.evaluate("document.querySelector('.editor').closest('.columns').scrollIntoView()")


async def audit(page: Page, _: Services) -> None:
    for text in TEXTS:
        await check(page, text)
    await log_in(page, "audit")
    await page.wait_for_selector(".records tbody tr")
    await page.evaluate("scrollTo(0, 0)")


VIEWS = {"chat": chat, "playground": playground, "knowledge": knowledge, "policies": policies, "audit": audit}


@pytest.mark.parametrize(
    ("view", "name", "options"),
    [
        *((view, view, {"width": 920, "height": 680}) for view in VIEWS),
        ("chat", "chat-dark", {"width": 920, "height": 680, "color_scheme": "dark"}),
        ("chat", "chat-phone", {"width": 360, "height": 780}),
    ],
)
async def test_a_view_can_be_shown(
    tmp_path: Path, verifier: Verifier, view: str, name: str, options: dict[str, object]
) -> None:
    """As a picture that is small enough for the docs and not a blank page."""
    async with browsing(tmp_path, verifier, **options) as (page, services):  # type: ignore[arg-type]
        await VIEWS[view](page, services)
        picture = await page.screenshot(animations="disabled")
    assert 10_000 < len(picture) < LARGEST
    if FOLDER:
        await asyncio.to_thread(Path(FOLDER, f"{name}.png").write_bytes, picture)
