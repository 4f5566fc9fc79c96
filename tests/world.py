"""A small world for the tests of the graph: people, places and films that we all know."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from guardrail.evidence.store.database import Parameter, Row
from guardrail.evidence.store.graph import Graph, NewEntity
from guardrail.types import Entity, Node, Object, Property, Qualifier, Triplet, Value

_LABELS = {
    "Q76": "Barack Obama", "Q13133": "Michelle Obama", "Q18094": "Honolulu", "Q782": "Hawaii", "Q30": "United States",
    "Q114": "Kenya", "Q3870": "Nairobi", "Q11696": "President of the United States", "Q22686": "Donald Trump",
    "Q6279": "Joe Biden", "Q25188": "Inception", "Q25191": "Christopher Nolan", "Q38111": "Leonardo DiCaprio",
    "Q312": "Apple Inc.", "Q89": "apple", "Q93346": "The Who", "Q7817": "World Health Organization", "Q71": "Geneva",
    "Q39": "Switzerland", "Q90": "Paris", "Q830149": "Paris", "Q142": "France", "Q47899": "Paris Hilton",
    "Q169470": "physicist", "Q901": "scientist", "Q937": "Albert Einstein", "Q3012": "Ulm", "Q183": "Germany",
    "Q5": "human", "Q11424": "film", "Q11573": "metre", "Q6581097": "male", "Q6581072": "female", "Q132689": "Casablanca",
    "Q7903": "Casablanca",
}  # fmt: skip
_ALIASES = {
    "Q76": ("Obama", "Barack Hussein Obama"), "Q30": ("USA", "US", "U.S.", "United States of America"),
    "Q312": ("Apple",), "Q7817": ("WHO",), "Q90": ("Paris, France", "City of Light"), "Q937": ("Einstein",),
    "Q93346": ("Who",), "Q22686": ("Trump",),
}  # fmt: skip
_DESCRIPTIONS = {
    "Q312": "American technology company", "Q89": "fruit of the apple tree", "Q90": "capital of France",
    "Q830149": "city in Texas", "Q132689": "1942 film by Michael Curtiz", "Q7903": "city in Morocco",
}  # fmt: skip
_POPULARITY = {"Q30": 9.0, "Q5": 9.5, "Q90": 7.0, "Q830149": 2.0, "Q76": 6.0, "Q312": 5.0, "Q89": 3.0, "Q132689": 3.9,
               "Q7903": 4.0}  # fmt: skip
_PROPERTIES = (
    Property("P19", "place of birth", ("born in", "birthplace")),
    Property("P569", "date of birth", ("born on",), datatype="date"),
    Property("P26", "spouse", ("wife", "husband", "married to")),
    Property("P39", "position held"),
    Property("P57", "director", ("directed by",)),
    Property("P161", "cast member", ("starring",)),
    Property("P131", "located in the administrative territorial entity"),
    Property("P17", "country"),
    Property("P36", "capital"),
    Property("P1376", "capital of"),
    Property("P106", "occupation", ("profession",)),
    Property("P279", "subclass of"),
    Property("P31", "instance of"),
    Property("P2048", "height", datatype="quantity"),
    Property("P159", "headquarters location", ("based in",)),
    Property("P35", "head of state", ("president",)),
    Property("P580", "start time", datatype="date"),
    Property("P582", "end time", datatype="date"),
)
_STATEMENTS = (
    ("Q76", "P19", "Q18094"), ("Q76", "P26", "Q13133"), ("Q18094", "P131", "Q782"), ("Q782", "P17", "Q30"),
    ("Q3870", "P17", "Q114"), ("Q25188", "P57", "Q25191"), ("Q25188", "P161", "Q38111"), ("Q7817", "P159", "Q71"),
    ("Q71", "P17", "Q39"), ("Q90", "P17", "Q142"), ("Q90", "P1376", "Q142"), ("Q142", "P36", "Q90"),
    ("Q937", "P106", "Q169470"), ("Q169470", "P279", "Q901"), ("Q937", "P19", "Q3012"), ("Q3012", "P17", "Q183"),
    ("Q76", "P31", "Q5"), ("Q937", "P31", "Q5"), ("Q13133", "P31", "Q5"), ("Q25188", "P31", "Q11424"),
    ("Q76", "P21", "Q6581097"), ("Q13133", "P21", "Q6581072"),
)  # fmt: skip


def node(entity_id: str) -> Node:
    return Node(entity_id, _LABELS.get(entity_id, entity_id))


def triplet(subject: str, predicate: str, item: str | Object, *qualifiers: Qualifier, **more: str) -> Triplet:
    """A statement between entities of the small world, or with a literal."""
    labels = {p.id: p.label for p in _PROPERTIES}
    thing = node(item) if isinstance(item, str) else item
    return Triplet(
        node(subject),
        Node(predicate, labels.get(predicate, predicate)),
        thing,
        qualifiers,
        source="test",
        **more,
    )


def day(text: str) -> Value:
    """A date of the precision that its text has."""
    return Value(text, text, "date", {4: 9, 7: 10, 10: 11}[len(text)])


def term(start: str, end: str = "") -> tuple[Qualifier, ...]:
    """Qualifiers of a statement that held from `start` to `end`."""
    began = Qualifier(Node("P580", "start time"), day(start))
    return (began, Qualifier(Node("P582", "end time"), day(end))) if end else (began,)


def statements() -> list[Triplet]:
    """All statements of the small world."""
    return [
        *(triplet(*row) for row in _STATEMENTS),
        triplet("Q76", "P569", day("1961-08-04")),
        triplet("Q937", "P569", day("1879-03-14")),
        triplet("Q76", "P2048", Value("1.87 Q11573", "1.87", "quantity", unit=Node("Q11573", ""))),
        triplet("Q30", "P35", "Q76", *term("2009-01-20", "2017-01-20")),
        triplet("Q30", "P35", "Q22686", *term("2017-01-20", "2021-01-20")),
        triplet("Q30", "P35", "Q6279", *term("2021-01-20")),
    ]


def fill(graph: Graph) -> Graph:
    """Writes the small world into `graph`."""
    with graph.write() as batch:
        batch.add_properties(_PROPERTIES)
        batch.add_entities(
            NewEntity(
                Entity(i, label, _DESCRIPTIONS.get(i, ""), popularity=_POPULARITY.get(i, 0.0)),
                _ALIASES.get(i, ()),
            )
            for i, label in _LABELS.items()
        )
        batch.add_statements(statements())
    return graph


def watched(graph: Graph, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The questions that the graph asks its database from now on."""
    asked: list[str] = []
    rows = graph.database.rows

    def remembered(sql: str, parameters: Sequence[Parameter] = ()) -> list[Row]:
        asked.append(sql)
        return rows(sql, parameters)

    monkeypatch.setattr(graph.database, "rows", remembered)
    return asked
