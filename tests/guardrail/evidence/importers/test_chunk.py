"""A chunk counts what it holds, packed or not."""

from guardrail.evidence.importers.chunk import Chunk, Name


def test_packing_changes_nothing_but_the_form() -> None:
    """Doubles are one."""
    chunk = Chunk(names=[Name("a", "A", "en", "label")])
    for item in ("b", "c", "b"):
        chunk.columns.add("a", "p", item)
    assert chunk.good == 4
    chunk.pack()
    assert chunk.good == 3
    assert len(chunk.columns) == 0
