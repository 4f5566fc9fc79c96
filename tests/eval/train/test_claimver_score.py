"""The figures of Tables 3 and 4 on replies whose figures are known."""

from __future__ import annotations

import pytest

from eval.train.claimver_data import Record
from eval.train.claimver_score import rouge_1, rouge_l, score

TEXT = "Paris is in France and it is large."


def reply(*claims: tuple[str, str, str]) -> str:
    return ",\n".join(
        f'"text_span{n}": "{span}",\n"prediction{n}": "{label}",\n"triplets{n}": "{triplets}",\n"rationale{n}": "r"'
        for n, (span, label, triplets) in enumerate(claims, 1)
    )


CITED = "[('Paris', 'country', 'France')]"
GOLD = Record(
    TEXT,
    (("Paris", "country", "France"),),
    reply(("Paris is in France", "Attributable", CITED), ("it is large", "Extrapolatory", "NA")),
)


def test_a_perfect_reply() -> None:
    """Everything is 1, every claim matches."""
    found = score([GOLD], [GOLD.reply])
    assert (found.rouge_1, found.rouge_l, found.matching, found.claims) == (1.0, 1.0, 2, 2)
    assert (found.accuracy, found.precision, found.recall, found.f1, found.exact) == (1.0, 1.0, 1.0, 1.0, 1.0)


def test_only_matching_spans_count_for_the_labels() -> None:
    """One span differs, the other has a wrong label: #MC is 1 and the accuracy 0."""
    other = reply(("Paris is in France", "Contradictory", CITED), ("it is", "Extrapolatory", "NA"))
    found = score([GOLD], [other])
    assert (found.matching, found.accuracy, found.f1) == (1, 0.0, 0.0)


def test_a_right_label_on_other_triplets_is_not_exact() -> None:
    """§5's strict strategy wants the triplets, too."""
    found = score([GOLD], [GOLD.reply.replace(CITED, "NA")])
    assert (found.accuracy, found.exact) == (1.0, 0.5)


def test_weighted_figures() -> None:
    """Two of three right, weighted by class size, as scikit-learn's weighted average has them."""
    records = [GOLD, GOLD]
    wrong = GOLD.reply.replace("Extrapolatory", "Attributable")
    found = score(records, [GOLD.reply, wrong])
    assert found.matching == 4
    assert found.accuracy == 0.75
    assert found.precision == pytest.approx(0.5 * (2 / 3) + 0.5 * 1.0)
    assert found.recall == pytest.approx(0.75)
    assert found.f1 == pytest.approx(0.5 * 0.8 + 0.5 * (2 / 3))


def test_an_unreadable_reply_is_counted() -> None:
    """It matches nothing and is said."""
    found = score([GOLD], ["I cannot say."])
    assert (found.unreadable, found.matching, found.claims) == (1, 0, 2)


@pytest.mark.parametrize(
    ("reference", "candidate", "one", "longest"),
    [
        ("the cat sat", "the cat sat", 1.0, 1.0),
        ("the cat sat", "sat cat the", 1.0, 1 / 3),
        ("a b c d", "a x c", 4 / 7, 4 / 7),
        ("a a a", "a", 0.5, 0.5),
        ("", "", 0.0, 0.0),
        ("a", "", 0.0, 0.0),
    ],
)
def test_rouge(reference: str, candidate: str, one: float, longest: float) -> None:
    """Single words with repeats, and the longest common subsequence."""
    assert rouge_1(reference, candidate) == pytest.approx(one)
    assert rouge_l(reference, candidate) == pytest.approx(longest)


def test_a_record_that_cannot_be_read_is_an_error() -> None:
    """Broken test data must not look like a bad model."""
    with pytest.raises(ValueError, match="record's own reply"):
        score([Record(TEXT, (), "nothing")], [GOLD.reply])
