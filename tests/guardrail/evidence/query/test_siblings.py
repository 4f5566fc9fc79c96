"""Two places exclude each other only at one level, and only where both are known."""

from collections.abc import Callable, Sequence

import pytest

from guardrail.evidence.query.siblings import apart
from guardrail.evidence.store.graph import Graph
from guardrail.types import Entity, Triplet
from tests.world import day, triplet

CITY, VILLAGE, SETTLEMENT, COUNTRY, COUNTY, CONTINENT, EMPIRE, REGION = (
    "Q515", "Q532", "Q486972", "Q6256", "county", "Q5107", "Q3024240", "Q82794",
)  # fmt: skip
KINDS = {
    "Ulm": CITY, "Munich": CITY, "Woolsthorpe": VILLAGE, "London": CITY, "Mayfair": SETTLEMENT, "Yate": SETTLEMENT,
    "Q183": COUNTRY, "Q145": COUNTRY, "Q142": COUNTRY, "Prussia": COUNTRY, "Lincolnshire": COUNTY, "Gloucestershire": COUNTY,
    "Istanbul": CITY, "Q43": COUNTRY, "Q46": CONTINENT, "Q48": CONTINENT, "Q15": CONTINENT, "Rome": EMPIRE,
    "Midlands": REGION, "Chilterns": REGION, "Republic Records": "Q18127", "Danzig": CITY,
}  # fmt: skip
INSIDE = (
    ("Ulm", "Q183"), ("Munich", "Q183"), ("Woolsthorpe", "Q145"), ("London", "Q145"), ("Mayfair", "Q145"),
    ("Gloucestershire", "Q145"), ("Istanbul", "Q43"), ("Woolsthorpe", "Midlands"), ("Republic Records", "Q142"),
    ("Danzig", "Prussia"), ("Prussia", "Q142"),
)  # fmt: skip


@pytest.fixture
def places(make_graph: Callable[[Sequence[Triplet]], Graph]) -> Graph:
    return make_graph(
        [
            *(triplet(place, "P31", kind) for place, kind in KINDS.items()),
            *(triplet(place, "P17", around) for place, around in INSIDE),
            triplet("Yate", "P131", "Gloucestershire"),
            triplet("Q43", "P30", "Q46"),
            triplet("Q183", "P30", "Q46"),
            triplet("Prussia", "P576", day("1918")),
        ]
    )


@pytest.mark.parametrize(
    ("known", "claimed", "expected"),
    [
        pytest.param("Ulm", "Munich", True, id="another city"),
        pytest.param("Woolsthorpe", "London", True, id="a village is no city"),
        pytest.param("Ulm", "Q142", True, id="another country than the one around it"),
        pytest.param("Yate", "Lincolnshire", True, id="another county than the one around it"),
        pytest.param("Woolsthorpe", "Lincolnshire", False, id="a county, of which nobody says where it is"),
        pytest.param("Mayfair", "London", False, id="a settlement may be a quarter"),
        pytest.param("Yate", "London", True, id="unless it is known what it lies in"),
        pytest.param("Ulm", "Prussia", False, id="a state that is gone"),
        pytest.param("Ulm", "Rome", False, id="an empire"),
        pytest.param("Ulm", "Atlantis", False, id="of no known kind"),
        pytest.param("Atlantis", "Ulm", False, id="known, of no known kind"),
        pytest.param("Woolsthorpe", "Chilterns", False, id="regions overlap"),
        pytest.param("Ulm", "Republic Records", False, id="no place at all, though it has a country"),
        pytest.param("Danzig", "Q183", False, id="what a state that is gone lay in says nothing"),
        pytest.param("Istanbul", "Q48", False, id="a continent that the state reaches"),
        pytest.param("Istanbul", "Q15", True, id="a continent that it does not reach"),
    ],
)
def test_places_are_apart_at_one_level(places: Graph, known: str, claimed: str, expected: bool) -> None:
    """What is another name only may be the region around a place, or a part of it."""
    number = places.numbers([claimed]).get(claimed)
    entity = places.entities([number])[number] if number is not None else Entity(claimed, claimed)
    assert apart(places, [known], entity) is expected
