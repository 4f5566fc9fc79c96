"""The ending of a file's name says which reader is for it."""

from pathlib import Path

import pytest

from guardrail.errors import ConfigError, ImportFailed
from guardrail.evidence.importers.formats import reader_for
from guardrail.evidence.importers.rdf import RdfReader
from guardrail.evidence.importers.table import TableReader
from guardrail.evidence.importers.wikidata import WikidataReader


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("truthy.nt.bz2", RdfReader),
        ("a.TTL", RdfReader),
        ("a.owl", RdfReader),
        ("a.jsonld.gz", RdfReader),
        ("latest-all.json.zst", WikidataReader),
        ("a.csv", TableReader),
        ("a.b.tsv.gz", TableReader),
        ("a.jsonl", TableReader),
    ],
)
def test_endings(name: str, kind: type) -> None:
    """Case and compression do not matter."""
    assert isinstance(reader_for(Path(name)), kind)


def test_the_user_may_say_it() -> None:
    """For files with other names."""
    reader = reader_for(Path("export"), format_name="ttl", languages=("de",), properties=("P31",))
    assert isinstance(reader, RdfReader)
    assert (reader.suffix, reader.languages, reader.properties) == (".ttl", ("de",), frozenset({"P31"}))


def test_unknown_files_and_formats() -> None:
    """With what is known."""
    with pytest.raises(ImportFailed, match=r"a\.pdf: unknown kind of file; known endings are .*\.nt"):
        reader_for(Path("a.pdf"))
    with pytest.raises(ConfigError, match=r"unknown format 'pdf'; known are .*csv"):
        reader_for(Path("a"), format_name="pdf")
