"""Reads documents for a corpus: txt, md, html and pdf files of a directory; the rows of a JSONL or CSV file.

What cannot be read is a `Skipped` with its cause, never an exception: the rest is indexed.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import astuple, dataclass
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path

__all__ = ["Document", "Skipped", "other_files", "read_file", "source_files", "storable"]

ENDINGS = frozenset(
    (".txt", ".md", ".markdown", ".rst", ".html", ".htm", ".pdf", ".jsonl", ".ndjson", ".csv", ".tsv")
)
LONGEST_LINE = 10_000_000  # characters; a longer line is no line of text
LARGEST = (
    200_000_000  # bytes of one file that is read whole; JSONL files are read line by line and may be larger
)
_BUFFER = 1 << 20  # bytes; a line of a gigabyte is passed over four times as fast as with the default
_NO_TEXT = re.compile("[\0\ud800-\udfff]")
_TEXT_KEYS = ("text", "content", "body", "passage", "paragraph_text", "document", "abstract")
_TITLE_KEYS = ("title", "name", "heading")
_ID_KEYS = ("id", "_id", "doc_id", "key", "pageid")
_URL_KEYS = ("url", "link", "source_url")


@dataclass(frozen=True, slots=True)
class Document:
    """`id` is unique in the corpus: the path of its file, with `#` and the row's id for a row. `digest` is of its content."""

    id: str
    text: str
    title: str = ""
    url: str = ""
    as_of: str = ""

    @property
    def digest(self) -> bytes:
        whole = "\0".join((self.title, self.url, self.as_of, self.text))
        return hashlib.blake2b(whole.encode("utf-8", "surrogatepass"), digest_size=16).digest()


@dataclass(frozen=True, slots=True)
class Skipped:
    """What was not read, and why. `outside`: the cause lies outside the file, which may be read another time as it is."""

    id: str
    cause: str
    outside: bool = False


def storable(document: Document) -> Document:
    """The document without what no database takes: zero characters and halves of characters become U+FFFD, one for one."""
    found = astuple(document)
    kept = tuple(_NO_TEXT.sub("\ufffd", part) if _NO_TEXT.search(part) else part for part in found)
    return document if kept == found else Document(*kept)


def source_files(path: Path) -> list[Path]:
    """The files to read at `path`: itself, or every file below it that has one of the known endings, sorted."""
    if path.is_file():
        return [path]
    return [file for file in _below(path) if file.suffix.lower() in ENDINGS and file.is_file()]


def other_files(path: Path) -> list[Skipped]:
    """What else lies in a directory, apart from what is hidden: files of other endings, links to nothing, pipes."""
    if path.is_file():
        return []
    return [
        Skipped(str(file), cause, outside=True)
        for file in _below(path)
        if (cause := _not_read(file)) and not file.is_dir()
    ]


def _below(path: Path) -> list[Path]:
    return sorted(
        file
        for file in path.rglob("*")
        if not any(part.startswith(".") for part in file.relative_to(path).parts)
    )


def _not_read(file: Path) -> str:
    """Why a file is not read at all; "" where it is."""
    if not file.exists():
        return "a link to a file that does not exist"
    if file.suffix.lower() not in ENDINGS:
        return (
            f"files ending in {file.suffix} are not read"
            if file.suffix
            else "files without an ending are not read"
        )
    return "" if file.is_file() else "not a file"


def read_file(path: Path, name: str) -> Iterator[Document | Skipped]:
    """The documents of one file; `name` is what their ids begin with."""
    try:
        yield from _by_ending(path, name)
    except OSError as error:
        yield Skipped(name, error.strerror or str(error), outside=True)
    except _NoReader as error:
        yield Skipped(name, str(error), outside=True)
    except _NoText as error:
        yield Skipped(name, str(error))


def _by_ending(path: Path, name: str) -> Iterator[Document | Skipped]:
    ending, size = path.suffix.lower(), path.stat().st_size
    if ending in (".jsonl", ".ndjson"):
        yield from _json_lines(path, name)
    elif size > LARGEST:
        yield Skipped(name, f"larger than {LARGEST // 1_000_000} MB")
    elif ending == ".pdf":
        yield _pdf(path, name)
    elif ending in (".csv", ".tsv"):
        yield from _table(_decoded(path.read_bytes()), name, "\t" if ending == ".tsv" else ",")
    else:
        yield _text(path, name)


class _NoText(Exception):
    """The file holds no text; the message says why."""


class _NoReader(Exception):
    """The package that reads such files is not installed."""


def _decoded(raw: bytes) -> str:
    """UTF-8, UTF-16 with a mark, else Windows-1252; bytes that mean nothing there become U+FFFD."""
    if raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return raw.decode("utf-16", "replace")
    if b"\0" in raw[:8192]:
        raise _NoText("a binary file")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if sum(byte < 9 or 13 < byte < 32 for byte in raw[:8192]) > len(raw[:8192]) // 20:
            raise _NoText("a binary file") from error
        return _mixed(raw)


def _mixed(raw: bytes) -> str:
    """Line by line: files put together from several sources change their encoding in the middle."""
    lines = []
    for line in raw.split(b"\n"):
        try:
            lines.append(line.decode("utf-8"))
        except UnicodeDecodeError:
            lines.append(line.decode("cp1252", "replace"))
    return "\n".join(lines)


def _checked(text: str) -> str:
    if not text.strip():
        raise _NoText("no text in it")
    if len(text) > LONGEST_LINE and max(map(len, text.splitlines())) > LONGEST_LINE:
        raise _NoText(f"a line of more than {LONGEST_LINE:,} characters")
    return text


def _text(path: Path, name: str) -> Document:
    text = _checked(_decoded(path.read_bytes()))
    if path.suffix.lower() in (".html", ".htm"):
        page = _Page()
        page.feed(text)
        page.close()
        return Document(name, _checked(page.text()), page.title.strip() or path.stem)
    heading = re.match(r"\s*#\s+([^\n]+)\n", text) if path.suffix.lower() in (".md", ".markdown") else None
    return Document(name, text, heading[1].strip() if heading else path.stem)


def _pdf(path: Path, name: str) -> Document:
    try:
        pypdf = import_module("pypdf")
    except ImportError as error:
        raise _NoReader("a PDF, and pypdf is not installed") from error
    try:
        reader = pypdf.PdfReader(path)
        text = "\n\n".join(page.extract_text() for page in reader.pages)
    except (pypdf.errors.PyPdfError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise _NoText(f"a damaged PDF ({error})") from error
    if not text.strip():
        raise _NoText("a PDF without text (scanned pages?)")
    title = reader.metadata.title if reader.metadata else None
    return Document(name, text, str(title or path.stem))


def _json_lines(path: Path, name: str) -> Iterator[Document | Skipped]:
    with path.open("rb", buffering=_BUFFER) as file:
        number = 0
        while raw := file.readline(LONGEST_LINE):
            number += 1
            where = f"{name}#{number}"
            if len(raw) == LONGEST_LINE and not raw.endswith(b"\n"):
                while (rest := file.readline(LONGEST_LINE)) and not rest.endswith(b"\n"):
                    pass
                yield Skipped(where, f"a line of more than {LONGEST_LINE:,} bytes")
            elif raw.strip():
                yield _json_line(raw, name, where)


def _json_line(raw: bytes, name: str, where: str) -> Document | Skipped:
    try:
        row = json.loads(_decoded(raw))
    except (ValueError, RecursionError) as error:
        return Skipped(where, f"not JSON ({error})")
    except _NoText as error:
        return Skipped(where, str(error))
    if isinstance(row, str):
        return Document(where, row)
    if not isinstance(row, Mapping):
        return Skipped(where, "neither an object nor a string")
    return _row(row, name, where)


def _table(text: str, name: str, delimiter: str) -> Iterator[Document | Skipped]:
    csv.field_size_limit(LONGEST_LINE)
    rows = csv.DictReader(io.StringIO(_checked(text), newline=""), delimiter=delimiter)
    if not rows.fieldnames or not set(_TEXT_KEYS) & {field.strip().lower() for field in rows.fieldnames}:
        yield Skipped(name, f"no column named {', '.join(_TEXT_KEYS[:3])} …")
        return
    try:
        for number, row in enumerate(rows, start=2):
            yield _row({str(k).strip().lower(): v for k, v in row.items() if k}, name, f"{name}#{number}")
    except csv.Error as error:
        yield Skipped(f"{name}#{rows.line_num}", str(error))


def _row(row: Mapping[str, object], name: str, where: str) -> Document | Skipped:
    def first(keys: tuple[str, ...]) -> str:
        return next((str(row[key]) for key in keys if row.get(key) not in (None, "")), "")

    text = first(_TEXT_KEYS)
    if not text.strip():
        return Skipped(where, "no text in it")
    own = first(_ID_KEYS)
    as_of = str(row.get("as_of") or row.get("date") or "")
    return Document(f"{name}#{own}" if own else where, text, first(_TITLE_KEYS), first(_URL_KEYS), as_of)


class _Page(HTMLParser):
    """The words of a page, a blank line between blocks."""

    _SILENT = frozenset(("script", "style", "noscript", "template", "svg", "head"))
    _BLOCKS = frozenset(
        "p div section article h1 h2 h3 h4 h5 h6 li tr table ul ol br blockquote pre header footer main nav".split()
    )

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.title = ""
        self._parts: list[str] = []
        self._silent = 0
        self._in_title = False

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self._in_title = tag == "title"
        self._silent += tag in self._SILENT
        if tag in self._BLOCKS:
            self._parts.append("\n\n")
        elif tag in ("td", "th"):
            self._parts.append(" ")

    def handle_endtag(self, tag: str) -> None:
        self._in_title = False
        if tag in self._SILENT and self._silent:
            self._silent -= 1
        if tag in self._BLOCKS:
            self._parts.append("\n\n")

    def handle_data(self, data: str) -> None:
        if self._in_title:
            self.title += data
        elif not self._silent:
            self._parts.append(data)

    def text(self) -> str:
        lines = (re.sub(r"\s+", " ", line).strip() for line in "".join(self._parts).split("\n\n"))
        return "\n\n".join(line for line in lines if line)
