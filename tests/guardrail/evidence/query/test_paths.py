"""Paths between the entities of a claim: short ones first, in both directions, without cycles, always the same."""

from collections.abc import Callable, Sequence

import pytest

from guardrail.evidence.query.paths import paths
from guardrail.evidence.store.graph import Edge, Graph
from guardrail.types import Node, Path, Triplet
from tests.world import triplet

Make = Callable[[Sequence[Triplet]], Graph]


def shape(path: Path) -> list[str]:
    """The path as "s p o" strings."""
    return [
        f"{t.subject.id} {t.predicate.id} {t.object.id}" for t in path.triplets if isinstance(t.object, Node)
    ]


def test_one_two_and_three_hops(graph: Graph) -> None:
    """Obama to Honolulu, to Hawaii, to the United States."""
    assert shape(paths(graph, ["Q76", "Q18094"])[0]) == ["Q76 P19 Q18094"]
    two = [shape(p) for p in paths(graph, ["Q76", "Q782"]) if p.hops == 2]
    assert two == [["Q30 P35 Q76", "Q782 P17 Q30"], ["Q76 P19 Q18094", "Q18094 P131 Q782"]]
    [far, *_] = [p for p in paths(graph, ["Q76", "Q30"]) if p.hops == 3]
    assert shape(far) == ["Q76 P19 Q18094", "Q18094 P131 Q782", "Q782 P17 Q30"]


def test_statements_are_walked_against_their_direction(graph: Graph) -> None:
    """Director and actor meet in the film that points at both."""
    [path] = [p for p in paths(graph, ["Q25191", "Q38111"]) if p.hops == 2]
    assert shape(path) == ["Q25188 P57 Q25191", "Q25188 P161 Q38111"]


def test_fewer_hops_allowed_find_less(graph: Graph) -> None:
    """`max_hops` is obeyed."""
    assert paths(graph, ["Q76", "Q782"], max_hops=1) == ()
    assert {p.hops for p in paths(graph, ["Q76", "Q782"], max_hops=2)} == {2}


@pytest.mark.parametrize("hops", [0, 4, -1])
def test_other_lengths_are_refused(graph: Graph, hops: int) -> None:
    """One, two or three."""
    with pytest.raises(ValueError, match="max_hops"):
        paths(graph, ["Q76", "Q30"], max_hops=hops)


def test_unknown_and_repeated_ids_are_left_out(graph: Graph) -> None:
    """Nothing is found from nowhere, nor from an entity to itself."""
    assert paths(graph, []) == paths(graph, ["Q76"]) == paths(graph, ["Q76", "Q76"]) == ()
    assert paths(graph, ["Q76", "Q404"]) == ()
    assert paths(graph, ["Q404", "Q76", "Q18094"]) == paths(graph, ["Q76", "Q18094"])


def test_no_more_than_asked_for_each_pair(make_graph: Make) -> None:
    """Many ways from a to b: the best four."""
    graph = make_graph(
        [t for i in range(30) for t in (triplet("a", "p", f"m{i}"), triplet(f"m{i}", "p", "b"))]
    )
    assert len(paths(graph, ["a", "b"])) == 4
    assert len(paths(graph, ["a", "b"], max_paths=1)) == 1


def test_paths_have_no_cycles(make_graph: Make) -> None:
    """No node twice on a path, whatever loops the graph has."""
    ring = [triplet(x, "p", y) for x in "abcd" for y in "abcd"]
    for path in paths(make_graph(ring), ["a", "b", "c"], max_paths=50):
        nodes = [path.triplets[0].subject.id]
        seen = {t.subject.id for t in path.triplets} | {
            t.object.id for t in path.triplets if isinstance(t.object, Node)
        }
        assert len(seen) == path.hops + 1
        assert nodes


def test_the_claims_words_choose_the_path(make_graph: Make) -> None:
    """Of two ways of one length the one whose relations the claim names comes first."""
    graph = make_graph(
        [
            triplet("a", "employer", "m"),
            triplet("m", "owner", "b"),
            triplet("a", "birth place", "n"),
            triplet("n", "country", "b"),
        ]
    )
    assert (
        shape(paths(graph, ["a", "b"], words=["was born in a country", "birth"])[0])[0] == "a birth place n"
    )
    assert shape(paths(graph, ["a", "b"], words=["owner"])[0])[0] == "a employer m"


def test_hubs_come_last(make_graph: Make) -> None:
    """That both are human says little: a way through an entity of a thousand edges stands behind."""
    graph = make_graph(
        [
            *(triplet(f"x{i}", "instance", "human") for i in range(1100)),
            triplet("a", "instance", "human"),
            triplet("b", "instance", "human"),
            triplet("a", "school", "s"),
            triplet("s", "school", "t"),
            triplet("b", "school", "t"),
        ]
    )
    found = [shape(p) for p in paths(graph, ["a", "b"])]
    assert found[0] == ["a school s", "s school t", "b school t"]
    assert found[-1] == ["a instance human", "b instance human"]


def test_a_hub_as_an_origin_is_found_from_the_other_end(make_graph: Make) -> None:
    """Though not all of its edges are followed, the path to it is found."""
    graph = make_graph(
        [
            *(triplet(f"x{i:04}", "country", "hub") for i in range(2000)),
            triplet("zz", "city", "x1999"),
            triplet("zy", "city", "zz"),
        ]
    )
    assert shape(paths(graph, ["zz", "hub"])[0]) == ["zz city x1999", "x1999 country hub"]
    assert shape(paths(graph, ["x1999", "hub"])[0]) == ["x1999 country hub"]


def test_neighbours_that_are_all_joined_do_not_hide_the_quiet_ones(
    make_graph: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of eighty neighbours that are all joined with each other not every edge is read; the way beside them is found."""
    crowd = [f"c{i:02}" for i in range(80)]
    graph = make_graph(
        [
            *(triplet(x, "relation", y) for x in crowd for y in crowd if x != y),
            *(triplet("a", "member", x) for x in crowd[:60]),
            *(triplet("b", "member", x) for x in crowd[60:]),
            *(triplet("b", "member", f"d{i:02}") for i in range(40)),
            triplet("a", "school", "s"),
            triplet("s", "school", "t"),
            triplet("b", "school", "t"),
        ]
    )
    read: list[int] = []

    def counted(numbers: Sequence[int], others: Sequence[int]) -> list[Edge]:
        found = Graph.edges_between(graph, numbers, others)
        read.append(len(found))
        return found

    monkeypatch.setattr(graph, "edges_between", counted)
    assert ["a school s", "s school t", "b school t"] in map(
        shape, paths(graph, ["a", "b"], words=["school"])
    )
    assert 0 < sum(read) < 80 * 79


def test_the_same_question_has_the_same_answer(graph: Graph) -> None:
    """Twice, and after closing and opening."""
    first = paths(graph, ["Q76", "Q30", "Q937"], words=["president"])
    assert first == paths(graph, ["Q76", "Q30", "Q937"], words=["president"])
    with Graph.open(graph.name) as again:
        assert first == paths(again, ["Q76", "Q30", "Q937"], words=["president"])


def test_a_path_between_many_entities_covers_every_pair(graph: Graph) -> None:
    """Three entities, each joined with each."""
    ends = {
        frozenset((p.triplets[0].subject.id, p.triplets[-1].object.id))  # type: ignore[union-attr]
        for p in paths(graph, ["Q76", "Q18094", "Q782"])
        if p.hops < 3
    }
    assert {frozenset(("Q76", "Q18094")), frozenset(("Q76", "Q782")), frozenset(("Q18094", "Q782"))} <= ends
