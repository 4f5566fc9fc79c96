"""Names asked once."""

from guardrail.evidence.linking.name_memory import NameMemory
from guardrail.evidence.linking.spans import Stretch
from guardrail.evidence.store.graph import Graph, NewEntity
from guardrail.types import Entity


def test_beginnings_are_those_of_names(graph: Graph) -> None:
    """Of longer names, and of those that are just these two words; not of words that only begin like one."""
    memory = NameMemory(graph)
    memory.refresh()
    asked = ["barack obama", "united states", "united kingdomish", "barack oba", "zorbax zorbax"]
    assert set(memory.begun(asked)) == {"barack obama", "united states"}


def test_what_was_asked_is_remembered_until_the_graph_changes(graph: Graph) -> None:
    """Also that there is no such name."""
    memory = NameMemory(graph)
    stretch = Stretch(0, 1, "ada lovelace", "Ada Lovelace")
    memory.refresh()
    assert not memory.begun([stretch.key])
    assert memory.fitting([stretch])["Ada Lovelace"] == ([], [])
    with graph.write() as batch:
        batch.add_entities([NewEntity(Entity("Q7259", "Ada Lovelace", popularity=3.0))])
    assert not memory.begun([stretch.key])
    memory.refresh()
    assert memory.begun([stretch.key])
    assert len(memory.fitting([stretch])["Ada Lovelace"][0]) == 1


def test_a_capital_at_a_sentence_start_may_be_a_common_noun(graph: Graph) -> None:
    """The same form has more readings there."""
    memory = NameMemory(graph)
    memory.refresh()
    inside, initial = memory.fitting([Stretch(0, 0, "physicist", "Physicist")])["Physicist"]
    assert inside == []
    assert [option.reading.text for option in initial] == ["physicist"]


def test_the_best_known_readings_come_first_and_are_few(graph: Graph) -> None:
    """A name of a thousand people costs no more than one of eight."""
    with graph.write() as batch:
        batch.add_entities(NewEntity(Entity(f"X{i}", "Li Wei", popularity=i / 10)) for i in range(60))
    memory = NameMemory(graph)
    memory.refresh()
    options, _ = memory.fitting([Stretch(0, 1, "li wei", "Li Wei")])["Li Wei"]
    assert [option.reading.popularity for option in options] == [5.9, 5.8, 5.7, 5.6, 5.5, 5.4, 5.3, 5.2]


def test_a_name_is_no_name_of_itself(graph: Graph) -> None:
    """What the graph says of the given name "Ada" is not said of who is called so."""
    with graph.write() as batch:
        batch.add_entities([NewEntity(Entity("Q1", "Ada", types=("Q11879590",), popularity=5.0))])
    memory = NameMemory(graph)
    memory.refresh()
    assert memory.fitting([Stretch(0, 0, "ada", "Ada")])["Ada"] == ([], [])
