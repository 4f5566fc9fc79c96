"""Reading files for a corpus: what is read, and what is skipped with its cause."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from guardrail.evidence.corpus import documents
from guardrail.evidence.corpus.documents import Document, Skipped, read_file, source_files


def one(tmp_path: Path, name: str, raw: bytes | str) -> Document | Skipped:
    path = tmp_path / name
    path.write_bytes(raw.encode() if isinstance(raw, str) else raw)
    (found,) = read_file(path, name)
    return found


def test_plain_text_is_one_document(tmp_path):
    """The name of the file is id and title."""
    assert one(tmp_path, "tower.txt", "It is high.") == Document("tower.txt", "It is high.", "tower")


def test_markdown_is_titled_by_its_heading(tmp_path):
    """The first heading is the title."""
    assert one(tmp_path, "a.md", "# The Tower\n\nHigh.").title == "The Tower"


def test_html_gives_its_words_and_its_title(tmp_path):
    """Scripts and styles are left out, blocks become paragraphs, entities characters."""
    page = (
        "<html><head><title>A &amp; B</title><style>p{}</style></head><body><script>x()</script>"
        "<h1>Head</h1><p>One <b>bold</b> word.</p><ul><li>item</li></ul></body></html>"
    )
    found = one(tmp_path, "a.html", page)
    assert (found.title, found.text) == ("A & B", "Head\n\nOne bold word.\n\nitem")


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("é".encode(), "é"),
        (b"\xef\xbb\xbf" + "é".encode(), "é"),
        ("é".encode("utf-16"), "é"),
        (b"caf\xe9", "café"),
        ("Ünï\n".encode() + b"caf\xe9\n", "Ünï\ncafé\n"),
    ],
    ids=["utf-8", "mark", "utf-16", "windows", "mixed"],
)
def test_encodings_are_told_apart(tmp_path, raw, text):
    """UTF-8, UTF-16, Windows-1252, and lines of both in one file."""
    assert one(tmp_path, "a.txt", raw).text == text


@pytest.mark.parametrize(
    ("name", "raw", "cause"),
    [
        ("empty.txt", b"", "no text"),
        ("blank.md", b" \n\t\n", "no text"),
        ("binary.txt", bytes(range(256)) * 20, "binary"),
        ("noise.txt", bytes(b for b in range(1, 256)) * 20, "binary"),
        ("blank.html", b"<html><body><script>1</script></body></html>", "no text"),
        ("bad.pdf", b"%PDF-1.4 nothing", "PDF"),
        ("columns.csv", b"a,b\n1,2\n", "no column named"),
    ],
)
def test_what_holds_no_text_is_skipped_with_its_cause(tmp_path, name, raw, cause):
    """Nothing is read from it, and the reader is told why."""
    found = one(tmp_path, name, raw)
    assert isinstance(found, Skipped)
    assert cause in found.cause


def test_a_line_without_an_end_is_skipped(tmp_path, monkeypatch):
    """A "text" in one enormous line is no text; in a JSONL file the lines around it are read."""
    monkeypatch.setattr(documents, "LONGEST_LINE", 1000)
    found = one(tmp_path, "line.txt", "x" * 2000)
    assert isinstance(found, Skipped)
    assert "a line of more than 1,000 characters" in found.cause
    rows = [json.dumps({"id": 1, "text": "one"}), "x" * 5000, json.dumps({"id": 3, "text": "three"})]
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(rows) + "\n")
    first, second, third = read_file(path, "rows.jsonl")
    assert (first.id, third.id) == ("rows.jsonl#1", "rows.jsonl#3")
    assert second == Skipped("rows.jsonl#2", "a line of more than 1,000 bytes")


def test_rows_of_jsonl(tmp_path):
    """Objects by their usual names, strings; and rows that are no documents are named by line."""
    path = tmp_path / "a.jsonl"
    rows = [
        '{"id": "x", "title": "T", "text": "one", "url": "https://a", "date": "2024-05"}',
        "",
        '"two"',
        "{broken",
        "[1]",
        '{"text": ""}',
    ]
    path.write_text("\n".join(rows))
    found = list(read_file(path, "a.jsonl"))
    assert found[0] == Document("a.jsonl#x", "one", "T", "https://a", "2024-05")
    assert found[1] == Document("a.jsonl#3", "two")
    assert [s.id for s in found[2:]] == ["a.jsonl#4", "a.jsonl#5", "a.jsonl#6"]
    assert [s.cause.split(" (")[0] for s in found[2:]] == [
        "not JSON",
        "neither an object nor a string",
        "no text in it",
    ]


def test_rows_of_csv_and_tsv(tmp_path):
    """Columns by name, in any case; quoted line breaks stay in their cell."""
    path = tmp_path / "a.csv"
    path.write_text('ID,Title,Text\n7,T,"one\ntwo"\n8,U,\n')
    first, second = read_file(path, "a.csv")
    assert first == Document("a.csv#7", "one\ntwo", "T")
    assert isinstance(second, Skipped)
    table = tmp_path / "a.tsv"
    table.write_text("text\tname\nthree\tV\n")
    assert list(read_file(table, "a.tsv")) == [Document("a.tsv#2", "three", "V")]


def test_a_file_that_is_gone_is_skipped(tmp_path):
    """A file that disappears while it is being read is no error."""
    (found,) = read_file(tmp_path / "gone.txt", "gone.txt")
    assert found == Skipped("gone.txt", "No such file or directory", outside=True)


def test_known_endings_below_a_directory(tmp_path):
    """Hidden files and files of other kinds are left alone."""
    for name in ("b.txt", "a/c.md", ".git/d.txt", "e.png", ".f.txt"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("x")
    assert [p.relative_to(tmp_path).as_posix() for p in source_files(tmp_path)] == ["a/c.md", "b.txt"]


def test_the_digest_is_of_everything_that_is_shown():
    """Another title or link makes another document."""
    plain = Document("1", "text", "T")
    assert plain.digest == Document("2", "text", "T").digest
    assert len({d.digest for d in (plain, Document("1", "text", "U"), Document("1", "text", "T", "u"))}) == 3
