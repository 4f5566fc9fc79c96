"""`guardrail corpus`: what a user sees."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from guardrail.cli.corpus import corpus
from guardrail.errors import KnowledgeMissing
from guardrail.verifier import Verifier


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.setenv("GUARDRAIL_HOME", str(tmp_path / "home"))
    (tmp_path / "documents").mkdir()
    (tmp_path / "documents" / "tower.txt").write_text("The tower opened in 1889. It is 330 m high.")
    (tmp_path / "documents" / "noise.txt").write_bytes(bytes(range(256)) * 4)

    def invoke(*arguments: str):
        return CliRunner().invoke(corpus, list(arguments))

    return invoke


def test_index_search_and_stats(run, tmp_path):
    """Index a directory, be told what was skipped, find a passage, see how much there is."""
    indexed = run("index", str(tmp_path / "documents"))
    assert indexed.exit_code == 0
    assert "1 documents read, 2 passages added" in indexed.output
    assert "noise.txt: a binary file" in indexed.output
    assert (tmp_path / "home" / "corpus.db").exists()
    found = run("search", "When was the tower opened?")
    assert "The tower opened in 1889." in found.output
    assert (
        found.output.index("tower opened") < found.output.index("330 m") if "330 m" in found.output else True
    )
    assert "passages  2 (sentence)" in run("stats").output


def test_a_second_run_says_that_nothing_changed(run, tmp_path):
    """Unchanged files are counted as such."""
    run("index", str(tmp_path / "documents"))
    again = run("index", str(tmp_path / "documents"))
    assert "2 files (2 unchanged): 0 documents read" in again.output


def test_the_size_of_frames_is_chosen_once(run, tmp_path):
    """A corpus of documents cannot be filled with sentences."""
    assert run("index", str(tmp_path / "documents"), "--frame", "document").exit_code == 0
    assert "(document)" in run("stats").output
    refused = run("index", str(tmp_path / "documents"), "--frame", "sentence")
    assert refused.exit_code == 2
    assert "passages of the size document" in refused.output


def test_searching_without_a_corpus_is_an_error(run):
    """There is nothing to search before something was indexed."""
    error = run("search", "anything").exception
    assert isinstance(error, KnowledgeMissing)
    assert str(error).startswith("no corpus at ")


def test_a_source_that_is_not_there_is_a_usage_error(run, tmp_path):
    """click says which path does not exist."""
    refused = run("index", str(tmp_path / "nowhere"))
    assert refused.exit_code == 2
    assert "nowhere" in refused.output


def test_an_empty_corpus_is_said(run, tmp_path):
    """A directory without documents makes a corpus that says that it is empty, and a verdict that says that nothing was found."""
    (tmp_path / "nothing").mkdir()
    indexed = run("index", str(tmp_path / "nothing"))
    assert indexed.exit_code == 0
    assert "nothing to index" in indexed.output
    assert "the corpus is empty" in run("search", "anything").output
    (verdict,) = Verifier.open().check("Zorblax Quux painted the bridge.", sources=["corpus"]).verdicts
    assert (verdict.label, bool(verdict.evidence)) == ("extrapolatory", False)


def _page(pypdf):
    """A PDF of one line of text."""
    from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

    writer = pypdf.PdfWriter()
    font = DictionaryObject(
        {
            NameObject(f"/{key}"): NameObject(f"/{value}")
            for key, value in (("Type", "Font"), ("Subtype", "Type1"), ("BaseFont", "Helvetica"))
        }
    )
    words = DecodedStreamObject()
    words.set_data(b"BT /F1 12 Tf 10 40 Td (Quux wrote this page.) Tj ET")
    page = writer.add_blank_page(width=200, height=80)
    page[NameObject("/Contents")] = words
    page[NameObject("/Resources")] = DictionaryObject(
        {NameObject("/Font"): DictionaryObject({NameObject("/F1"): font})}
    )
    return writer


def test_bad_input_is_named_with_its_cause_and_the_rest_is_indexed(run, tmp_path):
    """A binary file, a line of a gigabyte, encodings that change in the middle, a PDF without text, beside good ones."""
    pypdf = pytest.importorskip("pypdf", reason="the extra `pdf` is not installed")
    folder = tmp_path / "documents"
    scan = pypdf.PdfWriter()
    scan.add_blank_page(width=72, height=72)
    scan.write(folder / "scan.pdf")
    (folder / "mixed.txt").write_bytes(
        "Zürich lies on a lake.\n\n".encode() + "The café is closed.\n".encode("cp1252")
    )
    _page(pypdf).write(folder / "page.pdf")
    with (folder / "huge.jsonl").open("wb") as file:  # sparse: it takes no room on the disk
        file.write(b'{"id": "first", "text": "The mill was built in 1702."}\n')
        file.seek(1_000_000_000, 1)
        file.write(b'\n{"id": "last", "text": "The mill burnt down in 1802."}\n')
    with (folder / "huge.txt").open("wb") as file:
        file.truncate(1_000_000_000)
    indexed = run("index", str(folder))
    assert indexed.exit_code == 0
    for name, cause in (
        ("noise.txt", "a binary file"),
        ("scan.pdf", "a PDF without text"),
        ("huge.jsonl#2", "a line of more than 10,000,000 bytes"),
        ("huge.txt", "larger than 200 MB"),
    ):
        assert f"{name}: {cause}" in indexed.output
    for question, answer in (
        ("Where does Zürich lie?", "Zürich lies on a lake."),
        ("Is the café closed?", "The café is closed."),
        ("When was the mill built?", "The mill was built in 1702."),
        ("When did the mill burn?", "The mill burnt down in 1802."),
        ("Who wrote the page?", "Quux wrote this page."),
    ):
        assert answer in run("search", question).output


def test_nothing_found_is_said(run, tmp_path):
    """A search without a hit is no silence."""
    run("index", str(tmp_path / "documents"))
    assert "no passage of the corpus" in run("search", "zzyx").output


def test_names_may_be_linked_to_a_knowledge_file(run, tmp_path):
    """With `--knowledge` the entities of the graph are nodes of the corpus."""
    from guardrail.evidence.corpus.corpus import Corpus
    from guardrail.evidence.store.graph import Graph, NewEntity
    from guardrail.types import Entity

    with Graph.create(tmp_path / "k.db") as graph, graph.write() as batch:
        batch.add_entities([NewEntity(Entity("Q243", "Eiffel Tower", popularity=3.0))])
    (tmp_path / "documents" / "e.txt").write_text("We saw the Eiffel Tower in Paris.")
    linked = run("index", str(tmp_path / "documents"), "--knowledge", str(tmp_path / "k.db"))
    assert linked.exit_code == 0
    with Corpus.open(tmp_path / "home" / "corpus.db") as opened:
        assert "=Q243" in opened.nodes(["=Q243"])


def test_files_that_are_of_no_known_kind_are_named(run, tmp_path):
    """And links to nothing; hidden files are not."""
    folder = tmp_path / "documents"
    (folder / "report.docx").write_text("x")
    (folder / ".hidden.docx").write_text("x")
    (folder / "gone.txt").symlink_to(tmp_path / "nowhere")
    indexed = run("index", str(folder))
    assert indexed.exit_code == 0
    assert "report.docx: files ending in .docx are not read" in indexed.output
    assert "gone.txt: a link to a file that does not exist" in indexed.output
    assert "hidden" not in indexed.output
    assert "3 skipped" in indexed.output
