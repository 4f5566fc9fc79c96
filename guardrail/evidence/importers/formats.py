"""Which reader is for which file: by the ending of its name, or as the user says."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from guardrail.errors import ConfigError, ImportFailed
from guardrail.evidence.importers.chunk import FileReader
from guardrail.evidence.importers.mapping import PLAIN, TableMapping, read_mapping
from guardrail.evidence.importers.rdf import FORMATS as RDF
from guardrail.evidence.importers.rdf import RdfReader
from guardrail.evidence.importers.table import TableReader
from guardrail.evidence.importers.wikidata import WikidataReader

TABLES = (".csv", ".tsv", ".xlsx", ".jsonl", ".ndjson")
COMPRESSED = (".gz", ".bz2", ".zst")
NAMES = (*(suffix[1:] for suffix in RDF), "wikidata", *(suffix[1:] for suffix in TABLES))
"""What `--format` may say."""


def reader_for(
    path: Path,
    *,
    format_name: str = "",
    languages: Sequence[str] = ("en",),
    properties: Sequence[str] = (),
    mapping: Path | TableMapping | None = None,
) -> FileReader:
    """The reader for a file. Raises ImportFailed where neither name nor `format_name` says what it is."""
    suffix = f".{format_name}" if format_name else suffix_of(path)
    if suffix in RDF:
        return RdfReader(suffix, tuple(languages), frozenset(properties))
    if suffix in (".json", ".wikidata"):
        return WikidataReader(tuple(languages) or ("en",), frozenset(properties))
    if suffix in TABLES:
        if isinstance(mapping, Path):
            mapping = read_mapping(mapping, path.name)
        return TableReader(mapping or PLAIN)
    if format_name:
        raise ConfigError(f"unknown format {format_name!r}; known are {', '.join(NAMES)}")
    known = ", ".join((*RDF, ".json (Wikidata)", *TABLES))
    raise ImportFailed(
        path, f"unknown kind of file; known endings are {known}, each also with .gz, .bz2 or .zst"
    )


def suffix_of(path: Path) -> str:
    """The ending that says what a file is, in small letters: ".csv" of "facts.CSV.gz"."""
    endings = [suffix.lower() for suffix in path.suffixes if suffix.lower() not in COMPRESSED]
    return endings[-1] if endings else ""
