"""The classifier that ships: the same rows in any batch, its window, its thresholds."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from guardrail.models.nli import Embedded

A, E, C = 0, 1, 2


@pytest.fixture(scope="module")
def shipped() -> Iterator[Embedded]:
    model = Embedded()
    yield model
    model.close()


EVIDENCE = (
    "Marie Curie: place of birth: Warsaw; date of birth: 7 November 1867; field of work: physics, chemistry."
)


@pytest.mark.parametrize(
    ("premise", "hypothesis", "label"),
    [
        (EVIDENCE, "Marie Curie was born in Warsaw.", A),
        (EVIDENCE, "Marie Curie was born in Paris.", C),
        (EVIDENCE, "Marie Curie was born in 1867.", A),
        (EVIDENCE, "Marie Curie was born in 1903.", C),
        (EVIDENCE, "Marie Curie was married to Pierre Curie.", E),
        (EVIDENCE, "Marie Curie was not born in Warsaw.", C),
        ("The museum opened in 1932 and was closed in 1987.", "The museum opened in 1932.", A),
        ("The museum opened in 1932 and was closed in 1987.", "The museum opened in 1945.", C),
        ("The museum opened in 1932 and was closed in 1987.", "The museum is visited by many tourists.", E),
    ],
)
def test_the_shipped_model_reads_triplets_and_passages(
    shipped: Embedded, premise: str, hypothesis: str, label: int
) -> None:
    """Plain cases come out right: the same fact in other words, another value, and what is not said."""
    assert int(shipped.probabilities([(premise, hypothesis)])[0].argmax()) == label


def test_the_shipped_model_gives_the_same_row_in_any_batch(shipped: Embedded) -> None:
    """A verdict does not depend on which other requests came at the same moment."""
    pairs = [(EVIDENCE, f"Marie Curie was born in {year}.") for year in range(1850, 1880)]
    pairs += [("Rome.", "It is."), ("Long ago. " * 60, "Long ago.")]
    together = shipped.probabilities(pairs)
    alone = np.concatenate([shipped.probabilities([pair]) for pair in pairs])
    assert float(np.abs(together - alone).max()) < 1e-6
    assert np.allclose(together.sum(axis=1), 1, atol=1e-5)


LEAVE = (
    "Employees who have completed six months of service are entitled to 18 weeks of paid parental leave per child. "
    "The first 12 weeks are paid at full salary and the remaining 6 weeks at 70 percent of salary. Leave may be taken in up to "
    "three separate blocks and must be used before the child's second birthday. Requests are submitted in the portal at "
    "least eight weeks before the intended start date. The line manager confirms the request within ten working days. "
    "Changes to dates that have been confirmed need the agreement of the manager and of the service centre. "
)


@pytest.mark.parametrize(
    ("hypothesis", "label"),
    [
        ("The line manager confirms the request within ten working days.", A),
        ("Leave may be taken in up to three separate blocks.", A),
        ("Employees may bring a dog to the office on Fridays.", E),
        ("Requests are never submitted in the portal.", C),
    ],
)
def test_the_shipped_model_reads_windows_of_many_sentences(
    shipped: Embedded, hypothesis: str, label: int
) -> None:
    """One sentence among the many of a long premise decides; the premise has more tokens than the former window of 256."""
    premise = LEAVE + "The canteen serves lunch from noon until two and is closed at weekends. " * 11
    assert 256 < shipped.lengths([premise])[0] <= 300
    assert int(shipped.probabilities([(premise, hypothesis)])[0].argmax()) == label


def test_short_and_long_pairs_of_one_batch_keep_their_places(shipped: Embedded) -> None:
    """The two bodies answer in the order of the pairs, whichever read which."""
    short, long = (EVIDENCE, "Marie Curie was born in Warsaw."), (LEAVE * 2, "The leave is unpaid.")
    mixed = shipped.probabilities([long, short, long, short])
    assert np.allclose(mixed[1], shipped.probabilities([short])[0], atol=1e-6)
    assert np.allclose(mixed[2], shipped.probabilities([long])[0], atol=1e-6)
    assert not np.allclose(mixed[0], mixed[1], atol=1e-3)


def test_the_shipped_model_serves_many_threads(shipped: Embedded) -> None:
    """Threads that ask at once each get the row of their own pair."""
    pairs = [(EVIDENCE, f"Marie Curie won prize number {n}.") for n in range(24)]
    alone = [shipped.probabilities([pair])[0] for pair in pairs]
    with ThreadPoolExecutor(8) as pool:
        rows = list(pool.map(lambda pair: shipped.probabilities([pair])[0], pairs))
    assert all(np.allclose(row, own, atol=1e-6) for row, own in zip(rows, alone, strict=True))


def test_the_shipped_model_refuses_what_does_not_fit(shipped: Embedded) -> None:
    """Nothing is cut: a pair longer than the window is an error, and no pairs give no rows."""
    with pytest.raises(ValueError, match=f"does not fit a window of {shipped.window}"):
        shipped.probabilities([("word " * 400, "Rome is old.")])
    assert shipped.probabilities([]).shape == (0, 3)
    assert shipped.lengths(["Rome is old.", ""]) == [4, 0]


def test_the_shipped_model_states_its_thresholds(shipped: Embedded) -> None:
    """Each kind of evidence has an abstain band: no label below one half."""
    for kind in ("triplets", "passages"):
        limits = shipped.thresholds(kind)
        assert 0.5 <= limits.attributable < 1
        assert 0.5 <= limits.contradictory < 1


FERRY = "The Tollgate crew repaired the Marlin ferry after the Heron ferry had towed it in."
CANCELLED = "Guests who cancel less than two days before they arrive pay for one night."
REJECTED = "The council rejected the plan for the bridge, although most residents wanted it."


@pytest.mark.parametrize(
    ("premise", "hypothesis", "row"),
    [
        (FERRY, "The Marlin ferry was towed in and repaired.", (0.343, 0.044, 0.613)),
        (CANCELLED, "Guests who cancel the day before arriving pay for one night.", (0.159, 0.072, 0.769)),
        (EVIDENCE, "Marie Curie was a physicist.", (0.472, 0.366, 0.162)),
        (REJECTED, "The council approved the plan.", (0.053, 0.038, 0.909)),
        (REJECTED, "Most residents were in favour of the bridge.", (0.745, 0.064, 0.191)),
    ],
)
def test_a_row_is_the_same_on_every_processor(
    shipped: Embedded, premise: str, hypothesis: str, row: tuple[float, float, float]
) -> None:
    """Where int8 products overflow, as on processors without VNNI unless that is prevented, rows are off; with the weights of an earlier version these were by .04 to .09.

    The rows are those of the shipped weights, and change with them.
    """
    assert shipped.probabilities([(premise, hypothesis)])[0] == pytest.approx(row, abs=0.01)
