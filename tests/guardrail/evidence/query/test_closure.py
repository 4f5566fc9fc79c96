"""The hierarchy is climbed at most three steps, and the chain is the proof."""

from collections.abc import Callable, Sequence

from guardrail.evidence.query.closure import chain, chain_either_way
from guardrail.evidence.store.graph import Graph
from guardrail.types import Property, Triplet
from tests.world import triplet


def test_the_chain_leads_from_the_finer_to_the_coarser(graph: Graph) -> None:
    """Honolulu is in Hawaii, Hawaii in the United States; not the other way round."""
    assert [t.object.label for t in chain(graph, ["Q18094"], ["Q30"])] == ["Hawaii", "United States"]
    assert chain(graph, ["Q30"], ["Q18094"]) == ()


def test_either_way_gives_the_chain_on_its_own_side(graph: Graph) -> None:
    """Which of the two is the finer need not be known before."""
    up = chain(graph, ["Q18094"], ["Q30"])
    assert chain_either_way(graph, ["Q18094"], ["Q30"]) == (up, ())
    assert chain_either_way(graph, ["Q30"], ["Q18094"]) == ((), up)
    assert chain_either_way(graph, ["Q18094"], ["Q114"]) == ((), ())


def test_a_physicist_is_a_scientist(graph: Graph) -> None:
    """Subclasses are climbed too."""
    assert [t.predicate.id for t in chain(graph, ["Q169470"], ["Q901"])] == ["P279"]


def test_siblings_and_strangers_have_no_chain(graph: Graph) -> None:
    """Honolulu is not in Kenya."""
    assert chain(graph, ["Q18094"], ["Q114"]) == ()
    assert chain(graph, ["Q404"], ["Q30"]) == chain(graph, ["Q18094"], []) == ()


def test_three_steps_and_no_more(make_graph: Callable[[Sequence[Triplet]], Graph]) -> None:
    """A loop is no trap, and the fourth step is not taken."""
    graph = make_graph(
        [*(triplet(f"n{i}", "P131", f"n{i + 1}") for i in range(5)), triplet("n2", "P131", "n0")]
    )
    assert len(chain(graph, ["n0"], ["n3"])) == 3
    assert chain(graph, ["n0"], ["n4"]) == ()


def test_a_foreign_hierarchy_is_climbed_where_it_says_so(graph: Graph) -> None:
    """An enterprise's own "reports to" counts once its property is marked hierarchical."""
    with graph.write() as batch:
        batch.add_statements([triplet("team", "belongs to", "department")])
    assert chain(graph, ["team"], ["department"]) == ()
    with graph.write() as batch:
        batch.add_properties([Property("belongs to", "belongs to", hierarchical=True)])
    assert len(chain(graph, ["team"], ["department"])) == 1
