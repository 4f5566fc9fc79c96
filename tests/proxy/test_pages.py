"""The web pages: how they are served, and chat and playground as a person sees, clicks and types them."""

from __future__ import annotations

import json
import re
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from guardrail.report import WORDS, to_dict
from guardrail.verifier import Verifier
from tests.proxy.browsing import browsing, check, needs_chromium, saved
from tests.proxy.servers import serving


def files(folder: Traversable) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    for file in folder.iterdir():
        found |= files(file) if file.is_dir() else {file.name: file.read_bytes()}
    return found


async def got(http: aiohttp.ClientSession, url: str, **given: Any) -> aiohttp.ClientResponse:
    """A response with its body read and its connection given back."""
    async with http.get(url, **given) as response:
        await response.read()
    return response


UI = files(resources.files("proxy").joinpath("ui"))
SYDNEY, CURIE = "The capital of Australia is Sydney.", "Marie Curie was born in Warsaw."


def test_the_pages_are_light() -> None:
    """All files together stay under 250 kB, vendored ones included."""
    assert sum(map(len, UI.values())) < 250_000


def test_the_pages_name_no_address_elsewhere() -> None:
    """But the namespace of SVG, which is never fetched, and the licence's own words."""
    for name, content in UI.items():
        text = content.decode().replace("http://www.w3.org/2000/svg", "").replace(r"/^https?:\/\//i", "")
        assert not re.search(r"[a-z]://", text), name


def test_no_page_makes_markup_of_text() -> None:
    """No script writes HTML, evaluates a string or sets an inline handler."""
    forbidden = ("innerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "javascript:")
    for name, content in UI.items():
        if name.endswith(".js"):
            text = "".join(
                line for line in content.decode().splitlines() if not line.lstrip().startswith(("//", "/**"))
            )
            assert [word for word in forbidden if word in text] == [], name


async def test_a_file_is_sent_again_only_when_it_changed(tmp_path: Path) -> None:
    """By its entity tag; one that is not there is a 404."""
    with serving(tmp_path) as (root, _):
        async with aiohttp.ClientSession() as http:
            first = await got(http, f"{root}/ui/main.js")
            assert first.content_type == "text/javascript"
            again = await got(http, f"{root}/ui/main.js", headers={"if-none-match": first.headers["etag"]})
            assert (again.status, again.headers.get("content-length", "0")) == (304, "0")
            for path in ("/ui/none.js", "/ui/vendor", "/ui/vendor/none"):
                assert (await got(http, root + path)).status == 404


async def test_the_pages_are_told_what_they_begin_with(tmp_path: Path) -> None:
    """Sample questions, the policies that may be asked for from mild to strict, whose model answers."""
    with serving(tmp_path) as (root, _):
        async with aiohttp.ClientSession() as http:
            told = await (await got(http, f"{root}/ui/start")).json()
    assert told["demo"] is True
    assert [policy["name"] for policy in told["policies"]] == [
        "shadow",
        "annotate",
        "attach",
        "revise",
        "block",
    ]
    assert told["running"] == ["annotate"]
    with serving(tmp_path / "b", upstream="http://127.0.0.1:9/v1") as (root, _):
        async with aiohttp.ClientSession() as http:
            told = await (await got(http, f"{root}/ui/start")).json()
    assert (told["demo"], told["needs_key"]) == (False, True)


# ── chat ──────────────────────────────────────────────────────────────────────────────────────────────


@needs_chromium
async def test_a_planted_error_is_seen_explained_and_corrected(tmp_path: Path, verifier: Verifier) -> None:
    """From the question over the red span and its proof to the accepted, verified correction, and back."""
    async with browsing(tmp_path, verifier) as (page, _):
        await page.click("#samples button:has-text('When was Taylor Swift born?')")
        await page.wait_for_selector("#chat-view .headline")
        wrong = "Taylor Swift was born on 13 December 1990 in West Reading."
        assert await page.inner_text("#chat .contradictory") == wrong
        await page.click("#chat .contradictory")
        told = await page.inner_text("#chat .slot .state-conflict")
        assert "13 December 1990" in told
        assert "13 December 1989" in told
        assert await page.inner_text("#chat .claimed mark >> nth=0") == "13 December 1990"
        assert "Q26876" in await page.inner_text("#chat .statement >> nth=0")
        await page.click("button.revision")
        await page.wait_for_selector(".diff")
        assert await page.locator("#chat .contradictory").count() == 0
        assert "13 December 1989" in await page.inner_text("#chat .attributable >> nth=0")
        await page.keyboard.press("Escape")
        await page.click("text=Undo the last")
        assert await page.inner_text("#chat .contradictory") == wrong


@needs_chromium
async def test_the_finding_opens_at_the_words_and_is_done_by_keys(tmp_path: Path, verifier: Verifier) -> None:
    """Enter opens it beside the words, Tab walks inside, a correction is accepted and undone in it, Escape leads back."""
    async with browsing(tmp_path, verifier) as (page, _):
        await check(page, f"{CURIE} {SYDNEY}")
        focused = "document.activeElement"
        await page.focus("#playground-view .claim[tabindex='0']")
        assert await page.inner_text("#playground-view .claim:focus") == SYDNEY
        assert not await page.is_visible("#playground-view .finding")
        await page.keyboard.press("Enter")
        words = await page.locator("#playground-view .contradictory").bounding_box()
        opened = await page.locator("#playground-view .finding").bounding_box()
        assert words is not None
        assert opened is not None
        below, above = opened["y"] - words["y"] - words["height"], words["y"] - opened["y"] - opened["height"]
        assert 0 <= max(below, above) < 20
        while not await page.evaluate(f"{focused}.matches('.revision')"):
            await page.keyboard.press("Tab")
        await page.keyboard.press("Enter")
        await page.wait_for_selector("#playground-view .finding .undo")
        assert await page.inner_text("#playground-view .finding del") == "Sydney"
        assert await page.inner_text("#playground-view .finding .verdict >> nth=0") != ""
        assert await page.inner_text("#playground-view .headline") == "2 confirmed"
        while not await page.evaluate(f"{focused}.matches('.undo')"):
            await page.keyboard.press("Tab")
        await page.keyboard.press("Enter")
        await page.wait_for_selector("#playground-view .contradictory[aria-expanded=true]")
        await page.keyboard.press("ArrowLeft")
        assert await page.inner_text("#playground-view [aria-expanded=true]") == CURIE
        await page.keyboard.press("Escape")
        assert not await page.is_visible("#playground-view .finding")
        assert await page.evaluate(f"{focused}.textContent") == CURIE


@needs_chromium
async def test_on_a_phone_the_finding_is_a_sheet_at_the_bottom(tmp_path: Path, verifier: Verifier) -> None:
    """As wide as the screen, at its lower edge, with the words it is about still in sight above it."""
    async with browsing(tmp_path, verifier, width=360, height=700) as (page, _):
        await check(page, SYDNEY)
        await page.click("#playground-view .contradictory")
        sheet = await page.locator("#playground-view .finding").bounding_box()
        words = await page.locator("#playground-view .contradictory").bounding_box()
        assert sheet is not None
        assert words is not None
        assert (sheet["x"], sheet["width"], round(sheet["y"] + sheet["height"])) == (0, 360, 700)
        assert words["y"] + words["height"] <= sheet["y"]


@needs_chromium
async def test_what_is_not_known_says_what_to_do(tmp_path: Path, verifier: Verifier) -> None:
    """A fact about the thing that it names, a document, a language model: each with its place or its command."""
    async with browsing(tmp_path, verifier) as (page, _):
        await check(page, f"Marie Curie kept a garden in Sceaux. {CURIE}")
        await page.click("#playground-view .headline button:has-text('not known')")
        told = page.locator("#playground-view .advice")
        assert await told.locator("a").first.inner_text() == "Add a fact about Marie Curie"
        codes = await told.locator("code").all_inner_texts()
        assert [code.split()[:2] for code in codes] == [["guardrail", "corpus"], ["guardrail", "serve"]]
        await told.locator("a").first.click()
        await page.wait_for_selector("#knowledge article[aria-label='Marie Curie']")
        await page.go_back()
        await page.click("#playground-view .attributable")
        assert await page.locator("#playground-view .advice").count() == 0


@needs_chromium
async def test_a_conversation_goes_on_with_what_was_said_before(tmp_path: Path, verifier: Verifier) -> None:
    """A follow-up carries the questions and answers before it, as they stand in the bubbles, to the chosen model."""
    async with browsing(tmp_path, verifier) as (page, _):
        sent: list[dict[str, Any]] = []
        page.on("request", lambda asked: sent.append(asked.post_data_json) if "/chat/" in asked.url else None)
        await page.wait_for_selector("#model option", state="attached")
        models = await page.locator("#model option").all_inner_texts()
        assert models == ["demo", "demo-fast"]
        await page.select_option("#model", "demo-fast")
        await page.click("#samples button:has-text('What is the capital of Australia?')")
        await page.wait_for_selector(".turn:nth-child(1) .headline")
        await page.click("#chat .contradictory")
        await page.click("button.revision")
        await page.wait_for_selector(".undo")
        await page.keyboard.press("Escape")
        await page.fill("#question", "When was Taylor Swift born?")
        await page.keyboard.press("Enter")
        await page.wait_for_selector(".turn:nth-child(2) .headline")
        assert await page.locator(".said.you").all_inner_texts() == [
            "What is the capital of Australia?",
            "When was Taylor Swift born?",
        ]
        first, second = sent
        assert (first["model"], len(first["messages"])) == ("demo-fast", 1)
        assert [one["role"] for one in second["messages"]] == ["user", "assistant", "user"]
        assert "The capital of Australia is Canberra." in second["messages"][1]["content"]
        await page.click("text=New conversation")
        assert await page.locator(".turn").count() == 0
        await page.fill("#question", "Who discovered oxygen?")
        await page.keyboard.press("Enter")
        await page.wait_for_selector(".turn .headline")
        assert len(sent[2]["messages"]) == 1


@needs_chromium
async def test_the_first_view_plays_an_example_with_the_legend(tmp_path: Path, verifier: Verifier) -> None:
    """All three labels are seen before anything is asked; nothing is asked of the model or written to the log for it."""
    async with browsing(tmp_path, verifier) as (page, services):
        await page.wait_for_selector("#chat-view .headline")
        assert await page.inner_text("#chat-view .headline") == "1 wrong · 1 confirmed · 1 not known"
        signs = await page.locator("#chat .key .sign").all_inner_texts()
        assert signs == ["Confirmed", "Not known", "Wrong", "Not checked"]
        await page.click("#chat-view .contradictory")
        assert "4 July 1934" in await page.inner_text("#chat-view .finding .slot")
        assert list(services.log.list()) == []


def test_the_example_says_what_the_checker_says(verifier: Verifier) -> None:
    """The same labels, reasons and known values as a check of its text today."""
    example = json.loads(UI["example.json"])
    told = to_dict(verifier.check(example["text"]))
    for name in ("label", "reason", "rationale", "slot"):
        assert [one[name] for one in example["claims"]] == [one[name] for one in told["claims"]]


@needs_chromium
async def test_text_that_is_not_judged_yet_looks_pending(tmp_path: Path, verifier: Verifier) -> None:
    """What lies behind the check offset is told apart, and nothing is pending at the end."""
    async with browsing(tmp_path, verifier) as (page, _):
        await page.evaluate(
            """() => {
                window.seen = [];
                const look = () => {
                    const pending = document.querySelector("#chat .pending")?.textContent ?? "";
                    const claims = document.querySelectorAll("#chat .claim").length;
                    if (pending || claims) window.seen.push([claims, pending.length]);
                };
                new MutationObserver(look).observe(document.querySelector("#chat-view"), {subtree: true, childList: true, characterData: true});
            }"""
        )
        await page.click("#samples button:has-text('Tell me about Marie Curie.')")
        await page.wait_for_selector("#chat-view .headline")
        seen = await page.evaluate("window.seen")
        assert any(pending for _, pending in seen)
        assert seen[-1][0] == 3
        assert await page.inner_text("#chat .pending") == ""


@needs_chromium
@pytest.mark.parametrize(
    ("policy", "selector", "said"),
    [
        ("annotate", "#chat .contradictory", "The capital of Australia is Sydney."),
        ("attach", "#chat .delivered p", "Canberra"),
        ("revise", "#chat ins", "Canberra"),
        ("block", "#chat .withheld", "withheld"),
    ],
)
async def test_the_policies_feel_different(
    tmp_path: Path, verifier: Verifier, policy: str, selector: str, said: str
) -> None:
    """Shown, noted, corrected or withheld: the same wrong answer under each."""
    async with browsing(tmp_path, verifier) as (page, _):
        await page.check(f"[name=policy][value={policy}]")
        await page.fill("#question", "What is the capital of Australia?")
        await page.click("#ask button")
        await page.wait_for_selector("#chat-view .headline")
        assert said in (await page.text_content(selector) or "")
        if policy == "block":
            assert "Sydney" not in (await page.text_content("#chat-view") or "")


@needs_chromium
async def test_an_error_of_the_model_is_told(tmp_path: Path, verifier: Verifier) -> None:
    """In the server's words, and the page can be used again."""
    async with browsing(tmp_path, verifier) as (page, _):
        await page.wait_for_selector("#model option", state="attached")
        await page.evaluate(
            "const model = document.getElementById('model'); model.append(new Option('none')); model.value = 'none'"
        )
        await page.click("#ask button")
        await page.wait_for_selector("#chat-view [role=alert]")
        assert "demo" in await page.inner_text("#chat-view [role=alert]")
        assert await page.is_enabled("#ask button")


# ── playground ────────────────────────────────────────────────────────────────────────────────────────


@needs_chromium
async def test_a_report_is_shared_by_its_id(tmp_path: Path, verifier: Verifier) -> None:
    """Who opens the link sees the same report."""
    async with browsing(tmp_path, verifier) as (page, _):
        await check(page, "The capital of Australia is Sydney.")
        await page.click("text=Copy link")
        await page.wait_for_url("**/#report=*")
        await page.reload()
        await page.wait_for_selector("#playground-view .headline")
        assert (
            await page.inner_text("#playground-view .contradictory") == "The capital of Australia is Sydney."
        )


@needs_chromium
async def test_a_report_can_be_taken_along(tmp_path: Path, verifier: Verifier) -> None:
    """As JSON, which is the report on the wire, and as a page of its own without a script."""
    async with browsing(tmp_path, verifier) as (page, _):
        await check(page, "Lyon <b>is</b> a city. Lyon is the capital of France.")
        report = json.loads(await saved(page, "Save as JSON"))
        assert report["claims"][-1]["label"] == "contradictory"
        page_of_its_own = await saved(page, "Save as HTML")
        assert "the capital of France is Paris" in page_of_its_own
        assert "Lyon &lt;b&gt;is&lt;/b&gt;" in page_of_its_own
        assert "<script" not in page_of_its_own


@needs_chromium
async def test_passages_carry_their_marks_and_where_they_are_from(tmp_path: Path, verifier: Verifier) -> None:
    """The words that decide are marked in the claim and in the passage."""
    async with browsing(tmp_path, verifier) as (page, _):
        await check(
            page,
            "The Blue Lantern Café has 40 seats.",
            references="The Blue Lantern Café opened in 2011. The Blue Lantern Café has 25 seats.",
        )
        await page.click("#playground-view .claim")
        passage = page.locator("#playground .passage").first
        assert "request" in await passage.locator("figcaption").inner_text()
        assert await passage.locator("mark").count() >= 1


@needs_chromium
async def test_sources_that_disagree_stand_side_by_side(tmp_path: Path, verifier: Verifier) -> None:
    """Each with its own verdict and its evidence; the one that decided comes first."""
    async with browsing(tmp_path, verifier) as (page, _):
        reference = "Marie Curie was born in Warsaw in 1870."
        await check(page, "Marie Curie was born in Warsaw in 1867.", references=reference)
        await page.click("#playground-view .claim")
        sides = page.locator("#playground .side")
        assert await sides.count() == 2
        first, second = [await side.inner_text() for side in await sides.all()]
        assert first.startswith("The references given Wrong")
        assert reference in first
        assert second.startswith("The knowledge graph Confirmed")
        assert "7 November 1867" in second


@needs_chromium
@pytest.mark.parametrize(
    ("text", "headline", "line"),
    [
        (f"{SYDNEY} {CURIE}", "1 wrong · 1 confirmed", "contradictory"),
        (f"{CURIE} Zorblatt is the capital of Mirkania.", "1 of 2 confirmed · 1 not known", "extrapolatory"),
        (CURIE, "1 confirmed", "attributable"),
    ],
)
async def test_the_headline_begins_with_what_is_wrong(
    tmp_path: Path, verifier: Verifier, text: str, headline: str, line: str
) -> None:
    """In words; the score lies in the details, green only where every claim is confirmed, however high it is."""
    async with browsing(tmp_path, verifier) as (page, _):
        await check(page, text)
        assert await page.inner_text("#playground-view .headline") == headline
        assert not await page.is_visible("#playground-view .kas")
        await page.click("#playground-view .scores summary")
        assert await page.is_visible("#playground-view .kas")
        reach = await page.locator("#playground-view .kas .reach").get_attribute("class")
        assert reach == f"reach {line}-line"


def test_pages_and_command_line_use_the_same_words() -> None:
    """Confirmed, not known, wrong."""
    told = UI["words.js"].decode()
    assert all(f'{label}: "{word.capitalize()}"' in told for label, word in WORDS.items())


@needs_chromium
async def test_the_evidence_is_drawn_as_a_graph(tmp_path: Path, verifier: Verifier) -> None:
    """With what the text names told apart from what lies between, and in words for who does not see it."""
    async with browsing(tmp_path, verifier) as (page, _):
        await check(page, "Marie Curie was born in Warsaw in 1870.")
        await page.wait_for_selector("#playground .graph")
        named = await page.locator("#playground .graph .named text").all_text_contents()
        assert {"Marie Curie", "Warsaw"} <= set(named)
        assert await page.locator("#playground .graph .value text").all_text_contents() == ["7 November 1867"]
        words = await page.get_attribute("#playground .graph", "aria-label")
        assert "Marie Curie, place of birth, Warsaw" in (words or "")


@needs_chromium
async def test_the_print_view_is_the_report_alone(tmp_path: Path, verifier: Verifier) -> None:
    """Neither forms nor menus are printed."""
    async with browsing(tmp_path, verifier) as (page, _):
        await check(page, "Lyon is the capital of France.")
        await page.emulate_media(media="print")
        assert await page.is_visible("#playground .answer")
        for selector in ("header", "#check", "#playground-view .tools"):
            assert not await page.is_visible(selector), selector
