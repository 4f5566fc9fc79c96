"""Mentions of a text and what they stand for."""

import itertools
import time

from hypothesis import given, settings
from hypothesis import strategies as st

from guardrail.evidence.linking.linker import AliasLinker
from guardrail.evidence.store.graph import Graph, NewEntity
from guardrail.types import Claim, Context, Entity, Mention, Span

PIECES = (
    "Barack Obama", "Paris", "the ", "The ", " of ", "WHO", "'s ", "\u2019s", ". ", ", ", "\n", "\U0001f600", "e\u0301", "_", "-",
    "Apple", " released ", "Zorbax ", "von ", "\u6771\u4eac", "1984", "(", ")", "U.S.", "|", "\u0130", "\ufb03",
)  # fmt: skip


def linked(mentions: list[Mention]) -> dict[str, str | None]:
    """Surface to the id of the best reading."""
    return {m.text: m.entity.id if m.entity else None for m in mentions}


def test_unknown_names_come_back_without_a_reading(graph: Graph) -> None:
    """NIL: the name is one, but not in the graph; its parts are not somebody else."""
    mentions = linked(AliasLinker(graph).link("Then Paris Zorbax met Barack Obama and Ada Lovelace."))
    assert mentions == {"Paris Zorbax": None, "Barack Obama": "Q76", "Ada Lovelace": None}


def test_a_known_longer_name_is_preferred(graph: Graph) -> None:
    """Paris Hilton is no Paris."""
    assert linked(AliasLinker(graph).link("She met Paris Hilton.")) == {"Paris Hilton": "Q47899"}


def test_a_town_and_its_state_are_two_names(graph: Graph) -> None:
    """The whole says which town is meant; what has a comma of its own stays whole."""
    with graph.write() as batch:
        batch.add_entities(
            [
                NewEntity(Entity("Q60", "Portland", popularity=5.0)),
                NewEntity(Entity("Q61", "Portland", popularity=2.0), ("Portland, Maine",)),
                NewEntity(Entity("Q724", "Maine", popularity=4.0)),
                NewEntity(Entity("Q62", "Washington", popularity=4.0), ("Washington, D.C.", "D.C.")),
            ]
        )
    linker = AliasLinker(graph)
    assert linked(linker.link("He went to Portland, Maine.")) == {"Portland": "Q61", "Maine": "Q724"}
    assert linked(linker.link("He went to Portland.")) == {"Portland": "Q60"}
    assert linked(linker.link("He went to Washington, D.C. by car.")) == {"Washington, D.C": "Q62"}


def test_spans_point_into_the_text(graph: Graph) -> None:
    """With an offset, behind emoji and over accents."""
    text = "😀 Barack Obamá's Honolulu"
    for mention in AliasLinker(graph).link(text, offset=100):
        assert Span(mention.span.start - 100, mention.span.end - 100).of(text) == mention.text


def test_the_better_known_wins_without_other_signs(graph: Graph) -> None:
    """And a distant second is not kept."""
    [mention] = AliasLinker(graph).link("He went to Paris.")
    assert [c.entity.id for c in mention.candidates] == ["Q90"]


def test_two_readings_within_the_margin_are_both_kept(graph: Graph) -> None:
    """A verdict must hold under both."""
    [mention] = AliasLinker(graph).link("Casablanca was great.")
    assert {c.entity.id for c in mention.candidates} == {"Q132689", "Q7903"}
    assert mention.candidates[0].score >= mention.candidates[1].score


def test_words_around_decide(graph: Graph) -> None:
    """The description's words speak for a reading."""
    [mention, *_] = AliasLinker(graph).link("Casablanca is a 1942 film by Michael Curtiz.")
    assert mention.entity is not None
    assert mention.entity.id == "Q132689"


def test_the_graph_decides(graph: Graph) -> None:
    """A reading that the graph joins to the other mentions is meant."""
    with graph.write() as batch:
        batch.add_entities(
            [
                NewEntity(Entity("Q1", "Springfield", popularity=3.0)),
                NewEntity(Entity("Q2", "Springfield", popularity=3.2)),
            ]
        )
    linker = AliasLinker(graph, margin=0.1)
    assert linked(linker.link("He is from Springfield in Kenya."))["Springfield"] == "Q2"
    from tests.world import triplet

    with graph.write() as batch:
        batch.add_statements([triplet("Q1", "P17", "Q114")])
    assert linked(linker.link("He is from Springfield in Kenya."))["Springfield"] == "Q1"


def test_earlier_claims_give_short_names_their_meaning(graph: Graph) -> None:
    """ "Nolan" is the Christopher Nolan of the sentence before, where two are called so."""
    with graph.write() as batch:
        batch.add_entities([NewEntity(Entity("Q1", "Jonathan Nolan"))])
    linker = AliasLinker(graph)
    earlier = linker.link("Christopher Nolan directed Inception.")
    claim = Claim(0, Span(0, 37), "x", "x", mentions=tuple(earlier))
    later = linker.link("Later Nolan rested.", context=Context(earlier=(claim,)))
    assert linked(later) == {"Nolan": "Q25191"}
    assert linked(linker.link("Later Nolan rested.")) == {"Nolan": None}


def test_a_name_that_was_read_before_has_each_reading_once(graph: Graph) -> None:
    """The second reading is another entity, not the first again from the context."""
    linker = AliasLinker(graph)
    [city] = [m for m in linker.link("They met in Casablanca.") if m.text == "Casablanca"]
    claim = Claim(0, Span(0, 1), "x", "x", mentions=(city,))
    [again] = linker.link("Casablanca was great.", context=Context(earlier=(claim,)))
    assert city.entity is not None
    assert [c.entity.id for c in again.candidates] == [city.entity.id]


def test_the_question_decides_too(graph: Graph) -> None:
    """Asked about Texas, Paris is the one there."""
    linker = AliasLinker(graph)
    texas = Mention(
        Span(0, 5), "Paris", tuple(c for c in linker.link("Paris, a city in Texas")[0].candidates)
    )
    assert texas.entity is not None
    asked = Context(question_mentions=(texas,))
    assert linked(linker.link("Paris has a tower.", context=asked))["Paris"] == texas.entity.id


def test_a_change_of_the_graph_is_seen(graph: Graph) -> None:
    """The linker's memory follows the version."""
    linker = AliasLinker(graph)
    assert linked(linker.link("We met Ada Lovelace.")) == {"Ada Lovelace": None}
    with graph.write() as batch:
        batch.add_entities([NewEntity(Entity("Q7259", "Ada Lovelace", popularity=3.0))])
    assert linked(linker.link("We met Ada Lovelace.")) == {"Ada Lovelace": "Q7259"}


def test_mentions_are_disjoint_and_in_order(graph: Graph) -> None:
    """Whatever the text."""
    text = "Barack Obama, Michelle Obama, Paris Hilton and the WHO met in Paris, France in the United States of America."
    mentions = AliasLinker(graph).link(text)
    assert all(a.span.end <= b.span.start for a, b in itertools.pairwise(mentions))
    assert len(mentions) == 7


@settings(max_examples=150)
@given(
    text=st.lists(st.sampled_from([*PIECES]) | st.text(max_size=8), max_size=20).map("".join),
    offset=st.integers(0, 9),
)
def test_spans_are_exact_and_disjoint_in_any_text(graph: Graph, text: str, offset: int) -> None:
    """Names, particles, punctuation, emoji and rubbish in any order."""
    mentions = AliasLinker(graph).link(text, offset=offset)
    at = offset
    for mention in mentions:
        assert at <= mention.span.start < mention.span.end <= offset + len(text)
        assert mention.span.shift(0).of(" " * offset + text) == mention.text
        assert len(mention.candidates) <= 2
        at = mention.span.end


def test_time_grows_with_the_text_only_linearly(graph: Graph) -> None:
    """A text of ten thousand names, or of one endless name, does not hold anybody up."""
    linker = AliasLinker(graph)
    for text in ("Ada Lovelace met Barack Obama, " * 2_500, "Zorbax " * 10_000, "a.B_\n" * 10_000):
        began = time.process_time()
        linker.link(text)
        assert time.process_time() - began < 10
