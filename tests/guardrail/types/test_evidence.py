"""What was found for a claim."""

from __future__ import annotations

from guardrail.types import Evidence, Node, Path, Triplet


def test_evidence_without_content_is_false() -> None:
    """`if evidence:` asks whether anything was found; what was not read is nothing found."""
    assert not Evidence(unread=("p1",))
    assert Evidence(triplets=(Triplet(Node("a", "a"), Node("p", "p"), Node("b", "b")),))


def test_a_path_has_a_hop_for_each_statement() -> None:
    """ClaimVer counts hops in statements."""
    step = Triplet(Node("a", "a"), Node("p", "p"), Node("b", "b"))
    assert Path((step, step)).hops == 2
