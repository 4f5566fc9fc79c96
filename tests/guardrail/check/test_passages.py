"""Claims against passages by exact comparison: what is decided, with what proof, and what is left to others."""

from pathlib import Path

import pytest

from guardrail.check.passages import PassageChecker
from guardrail.claims.rules import RuleExtractor
from guardrail.evidence.graph import Graph
from guardrail.evidence.link import AliasLinker
from guardrail.reading import PassageReader
from guardrail.segment import segment
from guardrail.types import Claim, Context, Evidence, Label, Passage, Source, Verdict


class Desk:
    """The checker over an empty graph, with the reader of claims beside it."""

    def __init__(self, path: Path) -> None:
        Graph.create(path).close()
        self.linker, self.extractor = AliasLinker(Graph.open(path)), RuleExtractor()
        self.checker = PassageChecker(PassageReader(self.linker, self.extractor))

    def claim(self, text: str) -> Claim:
        (sentence,) = segment(text)
        return self.extractor.extract(sentence, self.linker.link(text), Context())[0]

    def check(
        self, text: str, *references: str, title: str = "", unread: tuple[str, ...] = ()
    ) -> Verdict | None:
        passages = tuple(
            Passage(f"p{n}", reference, Source.REQUEST, title=title) for n, reference in enumerate(references)
        )
        return self.checker.check(self.claim(text), Evidence(passages=passages, unread=unread))

    def label(self, text: str, *references: str, title: str = "") -> Label | None:
        verdict = self.check(text, *references, title=title)
        return verdict.label if verdict else None


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path / "empty.db")


@pytest.mark.parametrize(
    ("claim", "reference"),
    [
        ("Anna Holm was born in 1950.", "Anna Holm was born on 4 May 1950 in Ulm."),
        ("Anna Holm founded Holm AG.", "Anna Holm came to Ulm in 1970. She founded Holm AG in 1980."),
        ("Anna Holm directed Blue Sky.", "The film Blue Sky was directed by Anna Holm in 1990."),
        ("The term was coined by Anna Holm in 2008.", "The term was coined in 2008 by Anna Holm."),
        ("Anna Holm is a baker.", "Anna Holm is a rye baker from Ulm."),
    ],
)
def test_what_a_passage_says_is_supported(desk: Desk, claim: str, reference: str) -> None:
    """The same fact supports, in other words and across sentences."""
    assert desk.label(claim, reference) is Label.ATTRIBUTABLE


@pytest.mark.parametrize(
    ("claim", "reference"),
    [
        ("Anna Holm was born in 1951.", "Anna Holm was born on 4 May 1950 in Ulm."),
        ("The film Blue Sky was directed by Peter Lind.", "The film Blue Sky was directed by Anna Holm."),
        ("Anna Holm founded Holm AG in 1981.", "Anna Holm founded Holm AG in 1980."),
        (
            "Holm AG reported a revenue of $5.2 billion in 2020.",
            "For 2020, Holm AG reported a revenue of $4.8 billion, up 3%.",
        ),
        ("Blue Sky was released in 2006.", "Blue Sky was released on 8 July 2005."),
        ("Holm AG was founded by Peter Lind.", "Holm AG was founded in 1980 by Anna Holm."),
        ("The old bridge is 400 m long.", "The old bridge is 500 m long."),
        (
            "Peter Lind is the chief executive of Holm AG.",
            "Holm AG was founded by Peter Lind and Anna Holm. Its chief executive is Anna Holm.",
        ),
    ],
)
def test_another_value_is_refuted(desk: Desk, claim: str, reference: str) -> None:
    """One different date, number or director in the same fact refutes."""
    assert desk.label(claim, reference) is Label.CONTRADICTORY


@pytest.mark.parametrize(
    ("claim", "reference"),
    [
        ("Holm AG had 500 workers in 2010.", "Holm AG had 600 workers in 2020."),
        ("Anna Holm was born in 1951.", "Anna Holm may have been born in 1950."),
        ("Anna Holm was born in 1951.", "Peter Lind said that Anna Holm was born in 1950."),
        ("Anna Holm was born in 1951.", "Berta Holm was born in 1950."),
        ("Anna Holm won the cup in 1990.", "Anna Holm won the cup in 1990 and 1992."),
        (
            "Holm AG reported a revenue of $5.2 billion.",
            "Holm AG reported a revenue of $4.8 billion, after $4.1 billion in 2019.",
        ),
        ("Blue Sky was released in 1990.", "Blue Sky was released in Germany in 1991."),
        ("Blue Sky was written by Anna Holm.", "Blue Sky was written by Peter Lind. Anna Holm helped."),
        ("Peter Lind was the chief executive of Holm AG.", "The chief executive of Holm AG is Anna Holm."),
        ("The price is $20.", "The price is $25 for adults."),
        ("Anna Holm has two sons.", "Anna Holm has three sons and two daughters."),
        ("Peter Lind founded Holm AG.", "Anna Holm founded Holm AG."),
        ("Anna Holm won the cup in 1990.", "Anna Holm won the cup in 1992."),
        ("Anna Holm met Peter Lind in Ulm.", "Anna Holm met Berta Lind in Ulm."),
        ("Anna Holm has two sons.", "Anna Holm has neither two sons nor a daughter."),
        ("Holm AG sells bread in the eastern part and cake in the western part.",
         "Holm AG sells bread in the western part and cake in the eastern part."),
    ],
)  # fmt: skip
def test_no_label_where_the_passage_may_mean_something_else(desk: Desk, claim: str, reference: str) -> None:
    """Another year, a doubt, a report, another person, a list, a negation, swapped parts: not refuted, not supported."""
    label = desk.label(claim, reference)
    assert label is not Label.CONTRADICTORY
    if "1990 and" not in reference:
        assert label is None


def test_passages_that_disagree_are_left_to_the_next_checker(desk: Desk) -> None:
    """Where one passage supports and one refutes, exact comparison takes no side."""
    references = ("Anna Holm was born in 1950.", "Anna Holm was born in 1951.")
    assert desk.check("Anna Holm was born in 1951.", *references) is None


def test_a_value_that_stands_elsewhere_is_not_refuted(desk: Desk) -> None:
    """The claimed number may belong to what another sentence tells."""
    reference = "The old bridge is 500 m long. The new one measures 400 m."
    assert desk.check("The old bridge is 400 m long.", reference) is None


def test_the_verdict_shows_its_sentence_and_both_values(desk: Desk) -> None:
    """The proof is the sentence's place in the passage, and the slot with what is claimed and what is known."""
    reference = "Ulm is old. Anna Holm was born on 4 May 1950."
    claim = "Anna Holm was born on 4 May 1951."
    verdict = desk.check(claim, reference)
    assert verdict is not None
    assert verdict.slot is not None
    (passage,) = verdict.evidence.passages
    assert [mark.of(reference) for mark in passage.marks] == ["Anna Holm was born on 4 May 1950."]
    assert (verdict.slot.claimed, verdict.slot.known) == ("4 May 1951", "4 May 1950")
    assert verdict.slot.span is not None
    assert verdict.slot.span.of(claim) == "4 May 1951"
    assert "4 May 1950" in verdict.rationale


def test_support_is_not_given_while_evidence_is_unread(desk: Desk) -> None:
    """Nothing unread is confirmed; a refutal stands."""
    reference = "Anna Holm was born in 1950."
    assert desk.check("Anna Holm was born in 1950.", reference, unread=("3 sentences",)) is None
    refuted = desk.check("Anna Holm was born in 1951.", reference, unread=("3 sentences",))
    assert refuted is not None
    assert refuted.label is Label.CONTRADICTORY


def test_nothing_is_said_without_passages_or_of_what_is_hedged(desk: Desk) -> None:
    """Without a passage there is nothing to compare; a possibility is neither true nor false."""
    assert desk.check("Anna Holm was born in 1950.") is None
    assert desk.check("Anna Holm may have been born in 1951.", "Anna Holm was born in 1950.") is None


def test_the_title_says_whom_a_passage_is_about(desk: Desk) -> None:
    """A passage that only says "she" speaks of its title."""
    assert (
        desk.label("Anna Holm was born in 1950.", "She was born in 1950 in Ulm.", title="Anna Holm")
        is Label.ATTRIBUTABLE
    )


def test_what_is_not_named_is_refuted_within_one_document_only(desk: Desk) -> None:
    """Each of two documents that speak of one has its own bridge."""
    claim, reference = "The old bridge is 400 m long.", "The old bridge is 500 m long."
    assert desk.label(claim, reference) is Label.CONTRADICTORY
    assert desk.label(claim, reference, "A mill burnt down in the old town.") is Label.CONTRADICTORY
    assert desk.label(claim, reference, "The old bridge was closed for a long time.") is None


def test_a_long_passage_is_read_where_it_is_near(desk: Desk) -> None:
    """Of a long passage the nearest sentences are read, and the mark is a place of the whole passage."""
    before = "The mill ground rye and wheat for the whole valley. " * 60
    reference = f"{before}Anna Holm was born on 4 May 1950."
    verdict = desk.check("Anna Holm was born on 4 May 1951.", reference)
    assert verdict is not None
    (passage,) = verdict.evidence.passages
    assert [mark.of(reference) for mark in passage.marks] == ["Anna Holm was born on 4 May 1950."]
