"""The larger model that lies in the repository, beside the package."""

from pathlib import Path

import pytest

from guardrail.check.weighing import weighing_for
from guardrail.evidence.store.graph import Graph
from guardrail.models.nli import Embedded
from guardrail.models.opened import open_model
from guardrail.types import Label, Property
from guardrail.verifier import Verifier
from tests.world import triplet

FOLDER = Path(__file__).parents[3] / "models" / "mpnet-base"
PASSAGE = (
    "The garden is looked after by volunteers of the parish, while the hall is cleaned by a firm from Lund. "
    "The hall may be hired by residents alone; visitors need a resident who signs for them."
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
    assert found.model == larger.name == "mpnet-base-nli-3"


@pytest.mark.parametrize(
    ("claim", "likelier", "than"),
    [
        ("The firm from Lund cleans the hall.", 0, 2),
        ("A visitor can hire the hall without a resident's signature.", 2, 0),
    ],
)
def test_it_reads_evidence_and_claim(larger: Embedded, claim: str, likelier: int, than: int) -> None:
    """The columns are Attributable, Extrapolatory, Contradictory; no claim has both sides alike."""
    (row,) = larger.probabilities([(PASSAGE, claim)])
    assert row[likelier] > row[than] + 0.1


def test_it_reads_a_users_own_graph_by_meaning(tmp_path: Path) -> None:
    """Sentences that name neither a thing nor a property of the graph; what nothing tells stays open."""
    with Graph.create(tmp_path / "hotel.db") as graph, graph.write() as batch:
        rows = [
            ("Garden room", "price per night", "GBP 90"),
            ("Garden room", "breakfast", "included"),
            ("Barrow Hotel", "dogs", "not allowed"),
            ("Barrow Hotel", "manager", "Ann Lee"),
        ]
        batch.add_properties([Property(name, name) for _, name, _ in rows])
        batch.add_statements([triplet(*row) for row in rows])
    verifier = Verifier.open(tmp_path / "hotel.db", model=str(FOLDER))
    (against,) = verifier.check("You may bring your dog.").verdicts
    assert (against.label, against.checker) == (Label.CONTRADICTORY, "records:minilm-l6-statements-2")
    assert [one.object.label for one in against.evidence.triplets] == ["not allowed"]
    (heated,) = verifier.check("The pool is heated.").verdicts
    assert heated.label is Label.EXTRAPOLATORY
