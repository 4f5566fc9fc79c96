"""Two sentences of two passages say together what neither says alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from guardrail.check.chained import ChainedChecker
from guardrail.claims.rules import RuleExtractor
from guardrail.evidence.graph import Graph
from guardrail.evidence.link import AliasLinker
from guardrail.reading import PassageReader
from guardrail.segment import segment
from guardrail.types import Context, Evidence, Label, Passage, Source, Verdict
from guardrail.verifier import Verifier


class Desk:
    """The checker over an empty graph: nothing is known but what the passages say."""

    def __init__(self, path: Path) -> None:
        Graph.create(path).close()
        self.linker, self.extractor = AliasLinker(Graph.open(path)), RuleExtractor()
        self.checker = ChainedChecker(PassageReader(self.linker, self.extractor))

    def check(self, text: str, *references: str) -> Verdict | None:
        (sentence,) = segment(text)
        claim = self.extractor.extract(sentence, self.linker.link(text), Context())[0]
        passages = tuple(Passage(f"p{n}", one, Source.REQUEST) for n, one in enumerate(references))
        return self.checker.check(claim, Evidence(passages=passages))


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path / "empty.db")


@pytest.mark.parametrize(
    ("claim", "references"),
    [
        (
            "The Velas were formed in Denmark.",
            ("The Velas were formed in Ribe. They split in 1970.", "Ribe is a town in Denmark."),
        ),
        ("Anna Holm was born in Denmark.", ("Ribe lies in Denmark.", "Anna Holm was born in Ribe in 1950.")),
        (
            "Holm AG is headquartered in Germany.",
            ("Holm AG is headquartered in Ulm.", "Ulm is located in Germany."),
        ),
    ],
)
def test_a_place_within_a_place(desk: Desk, claim: str, references: tuple[str, ...]) -> None:
    """Both passages are the evidence."""
    verdict = desk.check(claim, *references)
    assert verdict is not None
    assert (verdict.label, len(verdict.evidence.passages)) == (Label.ATTRIBUTABLE, 2)
    assert "together" in verdict.rationale


@pytest.mark.parametrize(
    ("claim", "references"),
    [
        ("Anna Holm was born in Denmark.", ("Anna Holm was born in Ribe.", "Ulm is a town in Denmark.")),
        ("Anna Holm was born in Denmark.", ("Anna Holm worked in Ribe.", "Ribe is a town in Denmark.")),
        ("Anna Holm was born in Denmark.", ("Berta Lind was born in Ribe.", "Ribe is a town in Denmark.")),
        ("Anna Holm was born in Denmark.", ("Anna Holm was born in Ribe.", "Ribe is not in Denmark.")),
        ("Anna Holm was born in Denmark.", ("Anna Holm may have been born in Ribe.", "Ribe is in Denmark.")),
        (
            "Anna Holm was born in Denmark.",
            ("Anna Holm was born in Ribe.", "Ribe is neither in Norway nor in Denmark."),
        ),
        ("Anna Holm was not born in Denmark.", ("Anna Holm was born in Ribe.", "Ribe is in Denmark.")),
        ("Anna Holm was born in Denmark in 1951.", ("Anna Holm was born in Ribe.", "Ribe is in Denmark.")),
        ("Anna Holm was born in Denmark.", ("Anna Holm was born in Ribe, which is far from Denmark.",)),
    ],
)
def test_nothing_is_put_together_that_does_not_fit(
    desk: Desk, claim: str, references: tuple[str, ...]
) -> None:
    """Another place, relation or subject, a denial, a doubt, and words that nobody says."""
    assert desk.check(claim, *references) is None


def test_the_whole_verifier_puts_passages_together(verifier: Verifier) -> None:
    """GraphRetrieve's own case: the answer lies in two documents."""
    references = ("Blorbo was formed in Zixtown in 1960.", "Zixtown is a city in Fraland.")
    report = verifier.check("Blorbo was formed in Fraland.", references=references)
    assert [verdict.label for verdict in report.verdicts] == [Label.ATTRIBUTABLE]
