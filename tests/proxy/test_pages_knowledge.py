"""The knowledge page in a real browser: the first look, properties, tables and documents; files as references in the playground."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from guardrail.evidence.store.graph import Graph
from guardrail.types import Property
from guardrail.verifier import Verifier
from tests.proxy.browsing import browsing, log_in, needs_chromium
from tests.world import triplet

if TYPE_CHECKING:
    from playwright.async_api import Page

pytestmark = needs_chromium

SHIPS = """\
Ship,Also called,Built,Length,Home port
Aurora Star,The Star,1998,128 m,Ostmouth
Aurora Moon,,1999,128 m,Ostmouth
Petrel,,2011,74 m,Varrey
"""
WRONG = "The length of the Petrel is 128 m."


@pytest.fixture
def company(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Verifier:
    """A checker over a small graph and without a corpus."""
    monkeypatch.setenv("GUARDRAIL_CORPUS", str(tmp_path / "corpus.db"))
    with Graph.create(tmp_path / "company.db") as graph, graph.write() as batch:
        batch.add_properties([Property("flag", "flag", cardinality="single")])
        batch.add_statements([triplet("Petrel", "flag", "Norway"), triplet("Gull", "flag", "Sweden")])
        batch.settle()
    verifier = Verifier.open(tmp_path / "company.db")
    verifier.warm()
    return verifier


async def administer(page: Page) -> None:
    await log_in(page, "audit")
    await page.click("nav a[data-view=knowledge]")
    await page.wait_for_selector("#import")


async def probe(page: Page, text: str, label: str) -> None:
    """Try a sentence and wait for its verdict."""
    await page.fill("#probe input", text)
    await page.click("#probe button")
    await page.wait_for_selector(f"#probe-verdicts .{label}-count")


async def choose(page: Page, inside: str, name: str, text: str) -> None:
    """Choose a file where one can be dropped."""
    file = {"name": name, "mimeType": "text/plain", "buffer": text.encode()}
    await page.set_input_files(f"{inside} input[type=file]", files=[file])  # type: ignore[list-item]


async def test_the_first_view_has_counts_and_examples_to_try(tmp_path: Path, knowledge: Path) -> None:
    """Nobody needs to log in for them; a word inside a name is found."""
    shutil.copy(knowledge, tmp_path / "knowledge.db")
    verifier = Verifier.open(tmp_path / "knowledge.db")
    verifier.warm()
    async with browsing(tmp_path, verifier) as (page, _):
        await page.click("nav a[data-view=knowledge]")
        await page.wait_for_selector("article[aria-label='knowledge.db'] .counts")
        assert "facts" in await page.inner_text(".counts")
        assert await page.locator(".graphs .found li").count() == 8
        await page.click(".graphs .found li:first-child button")
        await page.wait_for_selector("#probe-verdicts .count")
        await page.click(".schema summary")
        await page.wait_for_selector(".properties tbody tr")
        assert await page.locator(".properties button").count() == 0
        await page.fill("#entity", "curie")
        await page.click("#search button")
        await page.wait_for_selector("#knowledge-view .found a:has-text('Irène Joliot-Curie')")


async def test_what_is_said_of_a_property_is_seen_at_a_sentence(tmp_path: Path, company: Verifier) -> None:
    """The verdict before stands beside the one after; two values of what is said to have one are named."""
    async with browsing(tmp_path, company) as (page, _):
        await administer(page)
        await probe(page, "The flag of the Petrel is Sweden.", "contradictory")
        await page.click(".schema summary")
        row = page.locator(".properties tr:has-text('flag')").first
        assert "a declaration" in await row.inner_text()
        await page.click("button[aria-label='Change flag']")
        await page.get_by_label("Values of one thing").select_option("list")
        await page.click(".declare button")
        await page.wait_for_selector("#probe-verdicts .extrapolatory-count")
        assert "before:" in await page.inner_text("#probe-verdicts")
        await page.wait_for_selector(".properties tr:has-text('a list')")
        await page.click("button[aria-label='Change flag']")
        await page.click(".declare button")
        await page.wait_for_selector(".declare [role=alert]:has-text('nothing to change')")


async def test_a_table_is_understood_corrected_and_imported(tmp_path: Path, company: Verifier) -> None:
    """And the sentence beside it turns from not known to wrong."""
    async with browsing(tmp_path, company) as (page, _):
        await administer(page)
        await probe(page, WRONG, "extrapolatory")
        await choose(page, "#import", "ships.csv", SHIPS)
        await page.wait_for_selector("#import .trial .properties")
        assert "74 m" in await page.inner_text("#import .sample")
        assert "number" in await page.inner_text("#import .properties tr:has-text('length')")
        await page.click("#import .mapping > summary")
        await page.get_by_label("Home port: property").fill("registered at")
        await page.get_by_label("Built: is").select_option("none")
        await page.click("text=Show the result")
        await page.wait_for_selector("#import .trial .properties tr:has-text('registered at')")
        assert await page.locator("#import .trial .properties tr:has-text('built')").count() == 0
        await page.get_by_label("Source (optional)").fill("the register")
        await page.click("#import-decision button.primary")
        await page.wait_for_selector("#import .done:has-text('written')")
        await page.wait_for_selector("#probe-verdicts .contradictory-count")


async def test_what_is_wrong_with_a_table_is_said_before_it_is_imported(
    tmp_path: Path, company: Verifier
) -> None:
    """Bad rows with their lines, values of another unit, circles, several values of one, what the graph says otherwise."""
    sizes = "".join(f"Ship {i},length,{i} m\n" for i in range(1, 40))
    table = f"subject,predicate,object\nPetrel,flag,Sweden\nTern,flag,Norway\nTern,flag,Sweden\nA,part of,B\nB,part of,A\n{sizes}Gull,length,12 kg\nx,y,z,w\n"
    async with browsing(tmp_path, company) as (page, _):
        await administer(page)
        await choose(page, "#import", "flags.csv", table)
        await page.wait_for_selector("#import .trial")
        told = await page.inner_text("#import .trial")
        for words in (
            "flag of Petrel: Sweden in flags.csv, Norway in company.db",
            "line 47: 4 cells in 3 columns",
            "line 46: length: '12 kg' is in another unit",
            "flag is declared to have one value, and Tern has 2",
            "part of goes round in a circle",
        ):
            assert words in told
        await page.click("#import-decision button.primary")
        await page.wait_for_selector("#import-decision [role=alert]:has-text('could not be read')")
        await page.get_by_label("rows cannot be read").check()
        await page.click("#import-decision button.primary")
        await page.wait_for_selector("#import-decision [role=alert]:has-text('contradicts the graph')")
        await page.get_by_label("contradicts company.db").check()
        await page.click("#import-decision button.primary")
        await page.wait_for_selector("#import .done")
        assert "Petrel has 2" in await page.inner_text("#import .faults")


async def test_a_mapping_that_names_a_missing_column_is_said_so(tmp_path: Path, company: Verifier) -> None:
    """The file can be given up; then nothing of it is left."""
    async with browsing(tmp_path, company) as (page, services):
        await administer(page)
        await choose(page, "#import", "ships.csv", SHIPS)
        await page.wait_for_selector("#import .trial")
        await page.click("#import .mapping > summary")
        await page.click("#import .mapping details summary")
        await page.get_by_label("Mapping", exact=True).fill("rows: entities\nid: Vessel\n")
        await page.click("text=Use this text")
        await page.wait_for_selector("#import [role=alert]:has-text('has no column Vessel; it has Ship')")
        assert services.uploads.count == 1
        await page.click("text=Give up")
        await page.wait_for_selector("#import .trial", state="detached")
        await page.wait_for_function("fetch('/ui/session').then(() => true)")
        await choose(page, "#import", "broken.ttl", "<a:a> <a:b> .\n")
        await page.wait_for_selector("#import [role=alert]:has-text('broken.ttl:1:')")
        assert services.uploads.count == 1


async def test_documents_are_dropped_into_the_corpus_and_asked_over(
    tmp_path: Path, company: Verifier
) -> None:
    """Each is told when it is indexed, or why not; what is removed is not known any more."""
    text = "The Nebula gateway listens on port 7443."
    async with browsing(tmp_path, company) as (page, _):
        await administer(page)
        await probe(page, text, "extrapolatory")
        await choose(page, "#documents", "handbook.txt", f"{text}\n\nLogs are kept for ninety days.\n")
        await page.wait_for_selector("#documents-files li:has-text('indexed, 2 passages')")
        await page.wait_for_selector("#probe-verdicts .attributable-count")
        await choose(page, "#documents", "empty.txt", "  ")
        await page.wait_for_selector("#documents-files [role=alert]:has-text('no text in it')")
        await page.click("button[aria-label='Remove handbook.txt']")
        await page.wait_for_selector("#documents:has-text('No documents are in the corpus yet')")


async def test_files_dropped_into_the_playground_are_references_of_one_text(
    tmp_path: Path, company: Verifier
) -> None:
    """Without a login; a page's scripts are no text, and what cannot be read is named."""
    async with browsing(tmp_path, company) as (page, _):
        await page.click("nav a[data-view=playground]")
        html = "<p>The Nebula gateway listens on port 7443.</p><script>alert('secret words')</script>"
        await choose(page, "#check", "handbook.html", html)
        await page.wait_for_selector("#dropped li:has-text('handbook.html')")
        await choose(page, "#check", "setup.exe", "MZ")
        await page.wait_for_selector("#dropped .error:has-text('setup.exe is not read here')")
        await page.fill("#text", "The Nebula gateway listens on port 7443.")
        await page.click("#check button.primary")
        await page.click("#playground-view .claim")
        await page.wait_for_selector("#playground-view .finding :text('handbook.html')")
        assert "secret words" not in await page.inner_text("#playground-view")
        await page.keyboard.press("Escape")
        await page.click("button[aria-label='Remove handbook.html']")
        assert await page.locator("#dropped li:has-text('handbook.html')").count() == 0
