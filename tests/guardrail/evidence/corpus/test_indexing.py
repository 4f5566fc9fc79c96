"""Indexing: only what changed is read, what is gone is removed, bad files do not stop the rest."""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from guardrail.errors import KnowledgeError
from guardrail.evidence.corpus import indexing
from guardrail.evidence.corpus.corpus import Corpus
from guardrail.evidence.corpus.documents import Document
from guardrail.evidence.corpus.indexing import index, index_documents


@pytest.fixture
def corpus(place):
    with Corpus.create(place) as made:
        yield made


@pytest.fixture
def folder(tmp_path) -> Path:
    path = tmp_path / "documents"
    path.mkdir()
    (path / "a.txt").write_text("The tower is high. It opened in 1889.")
    (path / "b.md").write_text("# River\n\nThe river is long.")
    return path


def found(corpus: Corpus, query: str) -> list[str]:
    hits = corpus.search(query)
    passages = corpus.passages(h.passage for h in hits)
    return [passages[h.passage].text for h in hits]


def test_what_a_missing_package_hindered_is_read_once_it_is_there(corpus, folder, monkeypatch):
    """A PDF that nothing could read is tried again, although the file has not changed."""
    (folder / "page.pdf").write_bytes(b"%PDF-1.4")
    monkeypatch.setitem(sys.modules, "pypdf", None)
    for _ in range(2):
        done = index(corpus, folder)
        assert [item.cause for item in done.skipped] == ["a PDF, and pypdf is not installed"]
    page = SimpleNamespace(extract_text=lambda: "The lighthouse is tall.")
    reader = SimpleNamespace(pages=[page], metadata=None)
    errors = SimpleNamespace(PyPdfError=ValueError)
    monkeypatch.setitem(sys.modules, "pypdf", SimpleNamespace(PdfReader=lambda _: reader, errors=errors))
    assert index(corpus, folder).skipped == []
    assert found(corpus, "lighthouse") == ["The lighthouse is tall."]
    assert index(corpus, folder).unchanged == 3


def test_a_second_run_reads_nothing(corpus, folder):
    """Files that are as they were are not opened."""
    first = index(corpus, folder)
    assert (first.files, first.documents, first.passages) == (2, 2, 4)
    again = index(corpus, folder)
    assert (again.unchanged, again.documents, again.passages, again.removed) == (2, 0, 0, 0)


def test_changed_files_are_read_again(corpus, folder):
    """What a file said before is no longer found; what it says now is."""
    index(corpus, folder)
    (folder / "a.txt").write_text("The bridge is new.")
    done = index(corpus, folder)
    assert (done.documents, done.unchanged) == (1, 1)
    assert found(corpus, "bridge") == ["The bridge is new."]
    assert found(corpus, "opened 1889") == []


def test_a_touched_file_stays_as_it_was(corpus, folder):
    """A new time of change with the same content adds nothing."""
    index(corpus, folder)
    os.utime(folder / "a.txt", ns=(1, 1))
    assert index(corpus, folder).documents == 0


def test_files_that_are_gone_are_forgotten(corpus, folder):
    """A deleted file's passages are no evidence any more; other sources stay."""
    index_documents(corpus, [Document("x", "The moon is far.")], origin="elsewhere")
    index(corpus, folder)
    (folder / "b.md").unlink()
    assert index(corpus, folder).removed == 1
    assert found(corpus, "river") == []
    assert found(corpus, "moon") == ["The moon is far."]


def test_rows_of_a_changed_file_that_are_as_before_stay(corpus, tmp_path):
    """In a JSONL file only the rows that changed are read again."""
    path = tmp_path / "rows.jsonl"
    rows = [{"id": i, "text": f"Fact number {i} about valley {i}."} for i in range(5)]
    path.write_text("\n".join(map(json.dumps, rows)))
    assert index(corpus, path).documents == 5
    rows[2]["text"] = "Fact two is about a lake."
    path.write_text("\n".join(map(json.dumps, rows[:4])))
    done = index(corpus, path)
    assert (done.documents, done.removed) == (1, 1)
    assert corpus.stats().documents == 4


def test_bad_files_do_not_stop_the_rest(corpus, folder):
    """Binary, empty and broken files are skipped by name; the others are indexed."""
    (folder / "bin.txt").write_bytes(bytes(range(256)) * 10)
    (folder / "empty.txt").write_text("")
    (folder / "bad.pdf").write_bytes(b"%PDF-")
    (folder / "twice.jsonl").write_text('{"id": 1, "text": "one"}\n{"id": 1, "text": "two"}\n')
    done = index(corpus, folder)
    assert sorted(Path(s.id.partition("#")[0]).name for s in done.skipped) == [
        "bad.pdf",
        "bin.txt",
        "empty.txt",
        "twice.jsonl",
    ]
    assert done.documents == 3


def test_an_empty_directory_is_no_error(corpus, tmp_path):
    """Nothing to index is nothing done."""
    (tmp_path / "empty").mkdir()
    done = index(corpus, tmp_path / "empty")
    assert (done.files, done.passages) == (0, 0)
    with pytest.raises(KnowledgeError, match="nothing to index"):
        index(corpus, tmp_path / "none")


def test_progress_is_told(corpus, folder):
    """Each file done is reported with the number of all."""
    seen: list[tuple[int, int]] = []
    index(corpus, folder, progress=lambda at, total: seen.append((at, total)))
    assert seen == [(1, 2), (2, 2)]


def test_a_run_that_breaks_off_leaves_a_whole_corpus(corpus, folder, monkeypatch):
    """What breaks in the middle of a batch undoes the batch, and the next run reads it."""

    def broken(*args: object) -> None:
        raise RuntimeError("power cut")

    with monkeypatch.context() as patched:
        patched.setattr(indexing.postings, "add", broken)
        with pytest.raises(RuntimeError):
            index(corpus, folder)
    assert corpus.stats().passages == 0
    assert index(corpus, folder).documents == 2
    assert found(corpus, "river")


def test_names_may_be_found_by_a_linker(corpus, folder):
    """With the knowledge graph's linker nodes are its entities."""
    index(corpus, folder, names=lambda text: ["=Q243"] if "tower" in text else [])
    node = corpus.nodes(["=Q243"])["=Q243"]
    assert len(corpus.mentions(node)) == 1


def test_the_index_is_packed_when_much_was_removed(corpus, tmp_path):
    """After many removals nothing stale is left, and search finds the same."""
    rows = [Document(str(i), f"Fact {i} tells of valley {i}.") for i in range(60)]
    index_documents(corpus, rows, origin="rows")
    index_documents(corpus, rows[:20], origin="rows")
    assert corpus.meta()["dead"] == "0"
    assert corpus.rows("SELECT MAX(segment) FROM posting") == [(1,)]
    assert found(corpus, "valley 7")[:1] == ["Fact 7 tells of valley 7."]
    assert found(corpus, "valley 55 fact 55 tells")[0] != "Fact 55 tells of valley 55."
    assert corpus.stats().passages == int(corpus.meta()["passages"]) == 20


def test_an_unchanged_corpus_is_passed_over_quickly(corpus, tmp_path):
    """A thousand unchanged files cost a fraction of what reading them cost."""
    folder = tmp_path / "many"
    folder.mkdir()
    for i in range(1000):
        (folder / f"{i}.txt").write_text(f"Document {i}.")
    began = time.perf_counter()
    index(corpus, folder)
    first = time.perf_counter() - began
    began = time.perf_counter()
    assert index(corpus, folder).unchanged == 1000
    assert time.perf_counter() - began < first


def test_characters_that_no_database_takes_are_replaced(corpus):
    """A zero character and half of a character, as JSON may hold them, cost neither the row nor its neighbours."""
    rows = [Document("a", "The mill\0 stands \ud800 still.", "Mill\0"), Document("b", "The river is long.")]
    done = index_documents(corpus, rows, origin="rows")
    assert (done.documents, done.skipped) == (2, [])
    assert found(corpus, "mill stands") == ["The mill\ufffd stands \ufffd still."]
    assert index_documents(corpus, rows, origin="rows").documents == 0


def test_a_passage_is_as_of_the_day_of_its_file(corpus, folder):
    """A document without a date of its own has that of its file; a row's own date stands."""
    (folder / "rows.jsonl").write_text('{"id": 1, "text": "The quarry is deep.", "date": "2020-05-06"}\n')
    for file in folder.iterdir():
        os.utime(file, (1_700_000_000, 1_700_000_000))
    index(corpus, folder)
    days = {p.text: p.as_of for p in corpus.passages(range(1, 100)).values()}
    assert days.pop("The quarry is deep.") == "2020-05-06"
    assert set(days.values()) == {"2023-11-14"}
