"""A chunk counts what it holds, packed or not."""

from guardrail.evidence.importers.chunk import Chunk, Name


def test_packing_changes_nothing_but_the_form() -> None:
    """Doubles are one."""
    chunk = Chunk(
        plain=[("a", "p", "b"), ("a", "p", "c"), ("a", "p", "b")], names=[Name("a", "A", "en", "label")]
    )
    assert chunk.good == 4
    chunk.pack()
    assert chunk.good == 3
    assert chunk.plain == []
