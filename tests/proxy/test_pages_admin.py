"""The admin's pages in a real browser: knowledge, policies, audit log, review."""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from guardrail.audit.events import Review
from guardrail.audit.reviews import review
from guardrail.audit.store import Query
from guardrail.verifier import Verifier
from proxy.services import Services
from tests.proxy.browsing import browsing, check, log_in, needs_chromium, saved

if TYPE_CHECKING:
    from playwright.async_api import Page

pytestmark = needs_chromium


@pytest.fixture
def own_verifier(tmp_path: Path, knowledge: Path) -> Verifier:
    """A checker over a graph of its own, which may be changed."""
    shutil.copy(knowledge, tmp_path / "knowledge.db")
    verifier = Verifier.open(tmp_path / "knowledge.db")
    verifier.warm()
    return verifier


def reviews(services: Services) -> list[Review]:
    entries = services.log.scan(query=Query(kind="review"))
    return [stored.item for stored in entries if isinstance(stored.item, Review)]


async def rows(page: Page, number: int) -> None:
    """Wait until the table of records has so many."""
    await page.wait_for_selector(f".records tbody:not(:has(tr:nth-child({number + 1})))", state="attached")
    if number:
        await page.wait_for_selector(f".records tbody tr:nth-child({number})")


# ── login ─────────────────────────────────────────────────────────────────────────────────────────────


async def test_a_wrong_token_opens_nothing_and_the_right_one_until_logout(
    tmp_path: Path, verifier: Verifier
) -> None:
    """The views fill at the login, survive a reload, and close at the logout; no script can read the cookie."""
    async with browsing(tmp_path, verifier) as (page, _):
        await page.click("nav a[data-view=audit]")
        await page.fill("#audit .door input", "wrong")
        await page.click("#audit .door button")
        await page.wait_for_selector("#audit .door [role=alert]:has-text('wrong')")
        await log_in(page, "audit")
        assert await page.evaluate("document.cookie") == ""
        await page.reload()
        await page.wait_for_selector("#review")
        await page.click("#leave")
        await page.wait_for_selector("#audit .door")
        assert await page.locator("#review").count() == 0


async def test_an_expired_session_leads_back_to_the_door(tmp_path: Path, verifier: Verifier) -> None:
    """When the server no longer knows it, the page says so instead of showing what it still holds."""
    async with browsing(tmp_path, verifier) as (page, _):
        await log_in(page, "policies")
        await page.click("nav a[data-view=audit]")
        await page.wait_for_selector("#review")
        await page.context.clear_cookies()
        await page.get_by_label("Outcome").select_option("flagged")
        await page.wait_for_selector("#audit .door")
        assert await page.locator("#review, .editor").count() == 0
        await log_in(page, "audit")
        await page.wait_for_selector("#review")


# ── knowledge ─────────────────────────────────────────────────────────────────────────────────────────


async def test_adding_a_fact_flips_a_verdict(tmp_path: Path, own_verifier: Verifier) -> None:
    """The sentence beside the form is checked again at once, and again when the fact is retracted."""
    async with browsing(tmp_path, own_verifier) as (page, _):
        await log_in(page, "audit")
        await page.click("nav a[data-view=knowledge]")
        await page.fill("#entity", "Marie Curie")
        await page.click("#search button")
        await page.wait_for_selector("#add-fact")
        await page.fill("#probe input", "Marie Curie was a member of the Explorers Club.")
        await page.click("#probe button")
        await page.wait_for_selector("#probe-verdicts .extrapolatory-count")
        for name, value in (("Property", "member of"), ("Value", "Explorers Club"), ("Source", "the roll")):
            await page.locator("#add-fact").get_by_label(name, exact=True).fill(value)
        await page.get_by_label("Qualifiers (optional)").fill("start time = 1910")
        await page.check("#add-fact input[type=checkbox]")
        await page.click("#add-fact button.primary")
        await page.wait_for_selector("#probe-verdicts .attributable-count")
        assert "before:" in await page.inner_text("#probe-verdicts")
        row = page.locator(".facts tr:has-text('the roll')")
        assert "1910" in await row.inner_text()
        await row.get_by_role("button").click()
        await page.get_by_label("Why it is removed").fill("misread")
        await page.click(".retract button")
        await page.wait_for_selector("#probe-verdicts p:last-child .extrapolatory-count")
        assert await page.locator(".facts tr:has-text('the roll')").count() == 0


async def test_a_fact_in_conflict_is_only_added_on_a_second_word(
    tmp_path: Path, own_verifier: Verifier
) -> None:
    """First the page shows what the graph has."""
    async with browsing(tmp_path, own_verifier) as (page, _):
        await log_in(page, "audit")
        await page.goto(page.url.partition("#")[0] + "#knowledge=Q7186")
        await page.wait_for_selector("#add-fact")
        for name, value in (("Property", "date of birth"), ("Value", "1870"), ("Source", "a rumour")):
            await page.locator("#add-fact").get_by_label(name, exact=True).fill(value)
        await page.click("#add-fact button.primary")
        await page.wait_for_selector("#add-fact [role=alert]")
        assert "7 November 1867" in await page.inner_text("#add-fact")
        await page.click("text=Add it anyway")
        await page.wait_for_selector(".facts tr:has-text('a rumour')")


async def test_anybody_may_look_and_nobody_without_the_token_may_change(
    tmp_path: Path, verifier: Verifier
) -> None:
    """Facts are shown without buttons; values lead on to what is known of them."""
    async with browsing(tmp_path, verifier) as (page, _):
        await page.click("nav a[data-view=knowledge]")
        await page.fill("#entity", "Marie Curie")
        await page.click("#search button")
        await page.wait_for_selector(".facts")
        assert await page.locator("#add-fact, .facts button").count() == 0
        await page.click(".facts a:has-text('Warsaw')")
        await page.wait_for_selector("#knowledge article[aria-label=Warsaw]")
        await page.fill("#entity", "nobody of this name")
        await page.click("#search button")
        await page.wait_for_selector("text=Nothing is called")


# ── policies ──────────────────────────────────────────────────────────────────────────────────────────


async def test_a_policy_is_explained_linted_and_tried_out(tmp_path: Path, verifier: Verifier) -> None:
    """From what runs in words over problems at their lines to the answers that would have been withheld."""
    async with browsing(tmp_path, verifier) as (page, services):
        await check(page, "Lyon is the capital of France.")
        await log_in(page, "policies")
        assert "Text passes at once" in await page.inner_text("#policies article >> nth=0")
        await page.fill("#policy-text", "mode: hold\nclaims:\n- name: c\n  when: {label: contradictry}\n")
        await page.wait_for_selector(".gutter .wrong")
        assert await page.inner_text(".gutter .wrong") == "4"
        assert "did you mean `contradictory`?" in await page.inner_text(".problems")
        assert await page.is_disabled("text=Try it on the log")
        await page.click(".problems button")
        assert await page.evaluate("getSelection().toString() || document.activeElement.id") in (
            "policy-text",
            "  when: {label: contradictry}",
        )
        await page.get_by_label("Begin with").select_option("block")
        await page.wait_for_selector("#policies article[aria-label=block]")
        await page.click("text=Try it on the log")
        await page.wait_for_selector("article.example")
        told = await page.inner_text("article.example")
        assert "annotate → block" in told
        assert "Lyon is the capital of France." in told
        assert [policy.name for policy in services.choice.policies] == ["annotate"]


# ── audit ─────────────────────────────────────────────────────────────────────────────────────────────

FIVE = (
    "Lyon is the capital of France. Kyoto is the capital of Japan. Sydney is the capital of Australia. "
    "Milan is the capital of Italy. Gold has the atomic number 97."
)


async def test_five_claims_are_reviewed_by_keyboard(tmp_path: Path, verifier: Verifier) -> None:
    """One key for each, a comment on one; what was said is in the log, and the queue is empty."""
    async with browsing(tmp_path, verifier) as (page, services):
        await check(page, FIVE)
        await log_in(page, "audit")
        await page.wait_for_selector("#review .judged")
        await page.keyboard.press("a")
        await page.wait_for_selector("#review-said:has-text('name first')")
        await page.fill("#reviewer", "Ada")
        await page.locator("#reviewer").blur()
        await page.keyboard.press("c")
        await page.keyboard.type("see page 3")
        await page.keyboard.press("Escape")
        for number, (key, said) in enumerate(
            [
                ("a", "agree"),
                ("2", "should be not known"),
                ("s", "wrong span"),
                ("1", "should be confirmed"),
                ("u", "unclear"),
            ]
        ):
            await page.wait_for_selector(f"#review:has-text('{number + 1} of 5')")
            await page.keyboard.press(key)
            await page.wait_for_selector(f"#review-said:has-text('{said}')")
        await page.wait_for_selector("text=Nothing left to review.")
        made = [(one.judgement, one.label, one.comment, one.reviewer) for one in reviews(services)]
    assert made == [
        ("agree", "contradictory", "see page 3", "Ada"),
        ("wrong_label", "extrapolatory", "", "Ada"),
        ("wrong_span", "", "", "Ada"),
        ("wrong_label", "attributable", "", "Ada"),
        ("unclear", "", "", "Ada"),
    ]


async def test_records_are_filtered_and_opened(tmp_path: Path, verifier: Verifier) -> None:
    """By what was found in them; one shows its whole chain of reasoning."""
    async with browsing(tmp_path, verifier) as (page, _):
        await check(page, "Lyon is the capital of France.")
        await check(page, "Paris is the capital of France.")
        await log_in(page, "audit")
        await page.wait_for_selector(".records tbody tr >> nth=1")
        await page.get_by_label("A claim is").select_option("contradictory")
        await rows(page, 1)
        await page.click(".records tbody button")
        await page.wait_for_selector(".record")
        told = await page.inner_text(".record")
        for part in ("Lyon is the capital of France.", "Paris", "“contradicted” asks to annotate", "Entry"):
            assert part in told
        await page.get_by_label("Reviewed").select_option("yes")
        await rows(page, 0)


async def test_a_record_without_text_says_why(tmp_path: Path, verifier: Verifier) -> None:
    """The policy stores only the words of flagged claims, and nothing was flagged."""
    async with browsing(tmp_path, verifier) as (page, _):
        await check(page, "Paris is the capital of France.")
        await log_in(page, "audit")
        await page.wait_for_selector(".records tbody tr:has-text('Text not stored: nothing was flagged.')")
        await page.click(".records tbody button")
        assert "Text not stored: nothing was flagged." in await page.inner_text(".record")


async def test_records_come_first_and_are_searched_by_their_words(tmp_path: Path, verifier: Verifier) -> None:
    """Above queue and charts; each with its first words and its headline; the focus returns to the opened one."""
    async with browsing(tmp_path, verifier) as (page, _):
        await check(page, "Lyon is the capital of France.")
        await check(page, "Gold has the symbol Au.")
        await log_in(page, "audit")
        await rows(page, 2)
        tops = [
            (await page.locator(f"#audit {one}").bounding_box() or {})["y"]
            for one in (".records", "#review", ".charts")
        ]
        assert tops == sorted(tops)
        charts = [await chart.bounding_box() for chart in await page.locator(".charts > .chart").all()]
        assert len({box["y"] for box in charts if box}) == 1
        await page.get_by_label("Search in answers").fill("LYON france")
        await page.keyboard.press("Enter")
        await rows(page, 1)
        told = await page.inner_text(".records tbody tr")
        assert "Lyon is the capital of France." in told
        assert "1 wrong" in told
        await page.focus(".records tbody button")
        await page.keyboard.press("Enter")
        await page.wait_for_selector(".record")
        await page.click(".record button:has-text('Close')")
        assert await page.evaluate("document.activeElement.matches('.records button')")
        await page.keyboard.press("r")
        assert await page.evaluate("document.activeElement.id") == "review"


async def test_policies_are_cards_with_before_and_after(tmp_path: Path, verifier: Verifier) -> None:
    """What the model says beside what the reader gets, for the policy that runs and for the one that is edited."""
    async with browsing(tmp_path, verifier) as (page, _):
        await log_in(page, "policies")
        card = page.locator("#policies article[aria-label=annotate] .effects").first
        assert "with the findings beside it" in await card.inner_text()
        await page.get_by_label("Begin with").select_option("revise")
        await page.wait_for_selector("#policies article[aria-label=revise]")
        before, after = await page.locator(
            "#policies article[aria-label=revise] .effect blockquote"
        ).all_inner_texts()
        assert "She died in 1944." in before
        assert "She died in 1934." in after


async def test_trends_narrow_to_what_is_clicked(tmp_path: Path, verifier: Verifier) -> None:
    """The property that was most often wrong leads to its answers; each chart has its numbers in words."""
    async with browsing(tmp_path, verifier) as (page, _):
        await check(page, "Lyon is the capital of France.")
        await check(page, "Gold has the atomic number 97.")
        await log_in(page, "audit")
        await page.click(".wrongs button:has-text('capital')")
        await rows(page, 1)
        assert await page.locator(".chart svg[role=img]").count() == 3
        assert "1 answers" in await page.inner_text("#audit-status")
        assert "100 % of answers flagged" in (
            await page.get_attribute(".chart svg >> nth=0", "aria-label") or ""
        )


async def test_the_chain_is_proved_and_tampering_is_shown(tmp_path: Path, verifier: Verifier) -> None:
    """The page says at which entry the log is not what was written."""
    async with browsing(tmp_path, verifier) as (page, services):
        await check(page, "Lyon is the capital of France.")
        await log_in(page, "audit")
        await page.click("text=Prove it")
        await page.wait_for_selector("#chain:has-text('Intact')")
        with sqlite3.connect(str(services.settings.audit)) as database:
            database.execute("UPDATE entries SET outcome = 'clean' WHERE kind = 'answer'")
        database.close()
        await page.click("text=Prove it")
        await page.wait_for_selector("#chain:has-text('was altered')")
        assert "entry 2" in await page.inner_text("#chain")


async def test_agreement_is_shown_and_labels_are_taken_along(tmp_path: Path, verifier: Verifier) -> None:
    """Cohen's kappa of each two reviewers, and a line for each label."""
    async with browsing(tmp_path, verifier) as (page, services):
        await check(page, "Lyon is the capital of France. Paris is the capital of France.")
        [record] = services.log.list()
        first, second = (claim.id for claim in record.claims)
        for name in ("ada", "bo"):
            review(services.log, record.id, first, reviewer=name, judgement="agree")
            review(services.log, record.id, second, reviewer=name, judgement="agree")
        await log_in(page, "audit")
        await page.wait_for_selector("text=κ 1.00")
        assert "ada and bo: κ 1.00 on 2 claims" in await page.inner_text("#audit")
        lines = (await saved(page, "Save all labels")).splitlines()
        assert {json.loads(line)["reviewer"] for line in lines} == {"ada", "bo"}
        assert len(lines) == 4
