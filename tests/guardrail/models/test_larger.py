"""The larger model that lies in the repository, beside the package."""

from pathlib import Path

import pytest

from guardrail.check.text.weighing import weighing_for
from guardrail.models.nli import Embedded
from guardrail.models.opened import open_model

FOLDER = Path(__file__).parents[3] / "models" / "mpnet-base"
PASSAGE = (
    "Returned shoes are refunded in full within thirty days, provided that they have not been worn outside. "
    "Boots that were made to measure are only exchanged."
)

pytestmark = pytest.mark.skipif(not FOLDER.exists(), reason="models/mpnet-base is not in this checkout")


@pytest.fixture(scope="module")
def larger() -> Embedded:
    model = open_model(str(FOLDER))
    assert isinstance(model, Embedded)
    return model


def test_its_trees_are_its_own(larger: Embedded) -> None:
    """Beside its weights lie the trees that were grown for it."""
    found = weighing_for(larger)
    assert found is not None
    assert found.model == larger.name == "mpnet-base-nli-1"


@pytest.mark.parametrize(
    ("claim", "likelier", "than"),
    [
        ("You get your money back for unworn shoes that you return after two weeks.", 0, 2),
        ("You can get your money back for boots that were made to measure.", 2, 0),
        ("Shoes that were worn in the garden are refunded, too.", 2, 0),
    ],
)
def test_it_tells_support_from_contradiction_in_other_words(
    larger: Embedded, claim: str, likelier: int, than: int
) -> None:
    """The columns are Attributable, Extrapolatory, Contradictory."""
    (row,) = larger.probabilities([(PASSAGE, claim)])
    assert row[likelier] > row[than]
