"""The pages under strain: hostile text, narrow screens, keyboards, screen readers, no network."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from guardrail.evidence.store.graph import Graph, NewEntity
from guardrail.types import Entity, Node, Property, Qualifier, Triplet, Value
from guardrail.verifier import Verifier
from proxy.services import Services
from tests.proxy.browsing import TOKEN, VIEWS, browsing, check, log_in, needs_chromium, saved
from tests.records import CLAIM, WORDS, record

if TYPE_CHECKING:
    from playwright.async_api import Page

pytestmark = needs_chromium

AXE = Path(os.environ.get("GUARDRAIL_AXE", "node_modules/axe-core/axe.min.js"))

# After OWASP's XSS filter evasion cheat sheet: one of each kind of context.
CORPUS = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    '"><svg onload=alert(1)>',
    "' autofocus onfocus=alert(1) x='",
    "</textarea></title></style><script>alert(1)</script>",
    "javascript:alert(1)",
    '<a href="javascript:alert(1)">x</a>',
    "<iframe srcdoc='<script>parent.alert(1)</script>'></iframe>",
    "{{constructor.constructor('alert(1)')()}}${alert(1)}",
    '<math><mi xlink:href="data:x,<script>alert(1)</script>">',
    "\u202e<b>reversed</b>\u2066",
    "&lt;script&gt;alert(1)&lt;/script&gt;",
)


@asynccontextmanager
async def filled(home: Path, verifier: Verifier, **options: Any) -> AsyncIterator[tuple[Page, Services]]:
    """A page whose views all have something to show: an answer, a report, an entity, a policy, records with an open one."""
    async with browsing(home, verifier, **options) as (page, services):
        await page.click("#samples button >> nth=0")
        await page.wait_for_selector("#chat-view .headline")
        await check(page, "Marie Curie was born in Warsaw in 1870. She was a quiet person.")
        await page.wait_for_selector("#playground-view .graph")
        await log_in(page, "audit")
        await page.click(".records button >> nth=0")
        await page.wait_for_selector(".record")
        await page.click("nav a[data-view=policies]")
        await page.wait_for_selector(".gutter li")
        await page.click("nav a[data-view=knowledge]")
        await page.fill("#entity", "Marie Curie")
        await page.click("#search button")
        await page.wait_for_selector("#add-fact")
        yield page, services


# ── text is never markup ──────────────────────────────────────────────────────────────────────────────


async def elements(page: Page) -> int:
    """How many elements there are that only markup in a text could have made."""
    return await page.locator(
        "main :is(script, iframe, math, style, object, embed, base, form[action], img, b:text-is('reversed'))"
    ).count()


async def test_hostile_texts_references_and_questions_change_nothing(
    tmp_path: Path, verifier: Verifier
) -> None:
    """They are shown as they stand, spans behind them are exact, and what is exported is as harmless."""
    async with browsing(tmp_path, verifier) as (page, _):
        text = " ".join(CORPUS) + " 🎵 Lyon is the capital of France."
        await page.click("nav a[data-view=playground]")
        await page.fill("#about", CORPUS[0])
        await check(page, text, references="\n\n".join(CORPUS))
        assert await page.locator("#playground-view .answer").text_content() == text
        assert await page.inner_text("#playground-view .contradictory") == "Lyon is the capital of France."
        for mark in await page.locator("#playground-view .claim").all():
            await mark.click()
            await page.keyboard.press("Escape")
        assert await elements(page) == 0
        exported = await saved(page, "Save as HTML")
        assert "<script" not in exported
        assert "<img" not in exported


def hostile(path: Path, knowledge: Path) -> Verifier:
    """A checker whose graph has hostile labels, aliases, descriptions, addresses, values, qualifiers and sources."""
    path.write_bytes(knowledge.read_bytes())
    with Graph.open(path, read_only=False) as graph, graph.write() as batch:
        batch.add_properties([Property("PX", CORPUS[1], datatype="string")])
        for number, words in enumerate(CORPUS):
            entity = Entity(f"X{number}{CORPUS[2]}", f"Evil {words}", words, url="javascript:alert(1)")
            batch.add_entities([NewEntity(entity, (words,))])
            value = Value(words, words, "string")
            qualifier = Qualifier(Node("PX", CORPUS[1]), value)
            subject = Node("Q142", "France")
            batch.add_statements(
                [
                    Triplet(subject, Node("PX", CORPUS[1]), value, (qualifier,), source=words, as_of=words),
                    Triplet(subject, Node("P1", words), Node(entity.id, entity.label), source=words),
                ]
            )
    verifier = Verifier.open(path)
    verifier.warm()
    return verifier


async def test_hostile_knowledge_changes_nothing(tmp_path: Path, knowledge: Path) -> None:
    """Labels, aliases, descriptions, addresses, fact values, qualifiers and sources are text."""
    verifier = hostile(tmp_path / "evil.db", knowledge)
    async with browsing(tmp_path, verifier) as (page, _):
        await page.goto(page.url.partition("#")[0] + "#knowledge=Q142")
        await page.wait_for_selector(".facts")
        told = await page.locator(".facts").text_content() or ""
        assert [words for words in CORPUS if words not in told] == []
        await page.fill("#entity", "Evil")
        await page.click("#search button")
        await page.wait_for_selector(".found")
        await page.click(".found a >> nth=1")
        await page.wait_for_selector("#knowledge article:has-text('Evil')")
        await check(page, f"France is Evil {CORPUS[0]}. Lyon is the capital of France.")
        await page.wait_for_selector("#playground-view .graph")
        assert await elements(page) == 0
        assert await page.locator("a[href^='javascript']").count() == 0


async def test_hostile_records_change_nothing(tmp_path: Path, verifier: Verifier) -> None:
    """Models, policy names, properties, rules, reviewers and kept words are text in every part of the audit page."""
    async with browsing(tmp_path, verifier) as (page, services):
        for number, words in enumerate(CORPUS):
            evidence = tuple(replace(one, source=words, property_label=words) for one in CLAIM.evidence)
            claim = replace(CLAIM, property=words, checker=words, evidence=evidence)
            kept = replace(WORDS.claims["0"], text=words, rationale=words, claimed=words, known=words)
            services.log.append_now(
                record(
                    number,
                    model=words,
                    policy=words,
                    route=words,
                    error=words,
                    claims=(claim,),
                    words=replace(WORDS, text=words, claims={"0": kept}, before=(words,), after=(words,)),
                )
            )
        await log_in(page, "audit")
        await page.wait_for_selector(".records tbody tr")
        for button in await page.locator(".records tbody button").all():
            await button.click()
            await page.wait_for_selector(".record")
        await page.fill("#reviewer", CORPUS[1])
        await page.click("#review button:has-text('Agree')")
        await page.wait_for_selector("#review-said:has-text('Recorded')")
        await page.click("nav a[data-view=policies]")
        await page.fill(
            "#policy-text", "name: '<img src=x onerror=alert(1)>'\n'<script>alert(2)</script>': 1\n"
        )
        await page.wait_for_selector(".problems")
        await page.get_by_label("Begin with").select_option("block")
        await page.wait_for_selector("#policies article[aria-label=block]")
        await page.click("text=Try it on the log")
        await page.wait_for_selector("article.example")
        assert await elements(page) == 0


# ── for everybody ─────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.skipif(
    not AXE.exists(), reason="axe-core is not here: npm install --no-save axe-core, or set GUARDRAIL_AXE"
)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1200, 360])
async def test_axe_finds_nothing_serious(tmp_path: Path, verifier: Verifier, scheme: str, width: int) -> None:
    """WCAG A and AA by axe-core, on every view with its content, in both schemes, wide and narrow."""
    script = await asyncio.to_thread(AXE.read_text)
    async with filled(tmp_path, verifier, width=width, color_scheme=scheme) as (page, _):
        await page.evaluate(script)
        found = []
        for view in VIEWS:
            await page.click(f"nav a[data-view={view}]")
            await page.wait_for_selector(f"#{view}:visible")
            result = await page.evaluate("axe.run(document, {resultTypes: ['violations']})")
            found += [
                (view, one["id"], [node["html"][:120] for node in one["nodes"][:3]])
                for one in result["violations"]
                if one["impact"] in ("serious", "critical")
            ]
        assert found == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_every_view_fits_a_phone(tmp_path: Path, verifier: Verifier, scheme: str) -> None:
    """At 360 pixels nothing sticks out of any view or button, with its content, and every button can be hit."""
    async with filled(tmp_path, verifier, width=360, height=780, color_scheme=scheme) as (page, _):
        for view in VIEWS:
            await page.click(f"nav a[data-view={view}]")
            await page.wait_for_selector(f"#{view}:visible")
            assert await page.evaluate("document.documentElement.scrollWidth") <= 360, view
            small = await page.evaluate(
                "[...document.querySelectorAll('button, select, nav a')].filter(e => e.offsetParent && e.offsetHeight < 24).map(e => e.textContent)"
            )
            assert small == [], view
            out = await page.evaluate(
                "[...document.querySelectorAll('button, .choice, nav a')].filter(e => e.offsetParent && e.scrollWidth > e.clientWidth + 1).map(e => e.textContent)"
            )
            assert out == [], view


async def test_everything_can_be_done_without_a_mouse(tmp_path: Path, verifier: Verifier) -> None:
    """Ask, walk through the claims, have one explained, accept its correction, log in: by keys alone."""
    async with browsing(tmp_path, verifier) as (page, _):
        await page.keyboard.press("Tab")
        assert await page.evaluate("document.activeElement.textContent") == "Skip to content"
        await page.focus("#question")
        await page.keyboard.press("Control+a")
        await page.keyboard.type("When was Taylor Swift born?")
        await page.keyboard.press("Enter")
        await page.wait_for_selector("#chat-view .headline")
        while not await page.evaluate("document.activeElement.matches('.claim')"):
            await page.keyboard.press("Tab")
        assert await page.evaluate("document.activeElement.matches('.contradictory')")
        await page.keyboard.press("ArrowRight")
        await page.keyboard.press("Enter")
        assert await page.inner_text("#chat .verdict") != ""
        assert "supports" in await page.inner_text("#chat .verdict")
        await page.keyboard.press("ArrowLeft")
        await page.keyboard.press(" ")
        while not await page.evaluate("document.activeElement.matches('.revision')"):
            await page.keyboard.press("Tab")
        await page.keyboard.press("Enter")
        await page.wait_for_selector("#chat .diff")
        await page.focus("nav a[data-view=audit]")
        await page.keyboard.press("Enter")
        await page.wait_for_selector("#audit .door")
        await page.focus("#audit .door input")
        await page.keyboard.type(TOKEN)
        await page.keyboard.press("Enter")
        await page.wait_for_selector("#review")


async def test_what_is_in_focus_can_be_seen(tmp_path: Path, verifier: Verifier) -> None:
    """Every stop of the Tab key on the first view has an outline."""
    async with browsing(tmp_path, verifier) as (page, _):
        await page.wait_for_selector("#samples button")
        for _ in range(14):
            await page.keyboard.press("Tab")
            outline = await page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
            assert outline != "none", await page.evaluate("document.activeElement.outerHTML")


async def test_the_pages_work_offline(tmp_path: Path, verifier: Verifier) -> None:
    """Every request of every view goes to the server itself; with all others cut off nothing is missing."""
    async with filled(tmp_path, verifier) as (page, _):
        root = page.url.partition("#")[0]
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        await page.context.route(lambda url: not url.startswith(root), lambda route: route.abort())
        for view in VIEWS:
            await page.goto(f"{root}#{view}")
            await page.reload()
            await page.wait_for_selector(f"#{view}:visible")
        assert asked
        assert [url for url in asked if not url.startswith(root)] == []


async def test_a_long_text_is_drawn_whole(tmp_path: Path, verifier: Verifier) -> None:
    """Every claim of five hundred words stands at its place, and the last can be reached with one key."""
    text = "Paris is the capital of France. Lyon is the capital of France. " * 40
    async with browsing(tmp_path, verifier) as (page, _):
        await check(page, text.strip())
        assert await page.locator("#playground-view .answer").text_content() == text.strip()
        assert await page.locator("#playground-view .claim").count() == 80
        await page.focus("#playground-view .claim[tabindex='0']")
        await page.keyboard.press("End")
        last = await page.evaluate(
            "document.activeElement === [...document.querySelectorAll('#playground-view .claim')].at(-1)"
        )
        assert last is True
