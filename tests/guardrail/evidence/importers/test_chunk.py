"""A chunk counts what it holds."""

from guardrail.evidence.importers.chunk import Chunk
from guardrail.evidence.store.packed import Columns, Name
from guardrail.types import Property


def test_a_chunk_counts_statements_names_and_properties() -> None:
    """Doubles are one."""
    columns = Columns()
    columns.names.append(Name(columns.entity("a"), "A", "en", "label", "a"))
    for item in ("b", "c", "b"):
        columns.add("a", "p", item)
    assert Chunk(packed=columns.pack(), properties=[Property("p", "p")]).good == 4
