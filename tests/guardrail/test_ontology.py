"""What the file of properties says holds together, and what a record leaves open is found there."""

import ast
import re
from pathlib import Path

import pytest
import yaml

from guardrail import ontology
from guardrail.evidence.store.graph import Graph
from guardrail.types import Label, Node, Property, Qualifier, Triplet, Value
from guardrail.verifier import Verifier

ROOT = Path(__file__).parent.parent.parent
DATA = yaml.safe_load((ROOT / "guardrail" / "data" / "properties.yaml").read_text("utf-8"))
# An id, alone or at the end of an IRI, as a word of a string.
LITERAL = re.compile(r"(?:^|[\s|,;])(?:\S*/)?\^?[PQ][1-9]\d*(?=$|[\s|,;])")


def literals(path: Path) -> list[str]:
    """The strings of a module that hold ids, but for docstrings, in which they are examples."""
    tree = ast.parse(path.read_text("utf-8"))
    told = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    strings = (n for n in ast.walk(tree) if isinstance(n, ast.Constant) and id(n) not in told)
    return [n.value for n in strings if isinstance(n.value, str) and LITERAL.search(n.value)]


def test_no_code_knows_an_id() -> None:
    """Ids stand in data files; only the importers, which read a source as it writes them, may name some."""
    paths = [path for room in ("guardrail", "proxy", "policies") for path in (ROOT / room).rglob("*.py")]
    found = {str(path.relative_to(ROOT)): literals(path) for path in paths if "importers" not in path.parts}
    assert {path: ids for path, ids in found.items() if ids} == {}


def test_no_property_is_single_and_a_list() -> None:
    """One value and several exclude each other."""
    assert [
        i for i, entry in DATA.items() if {"single", "list"} <= set(str(entry.get("is", "")).split())
    ] == []


def test_inverses_are_mutual_where_both_are_known() -> None:
    """Part of and has part, parent and subsidiary; a father's child may be a mother's, too."""
    pairs = {i: entry["inverse"] for i, entry in DATA.items() if "inverse" in entry}
    assert {q: pairs[q] for p, q in pairs.items() if pairs.get(q, p) != p} == {}


def test_no_two_properties_are_known_by_one_name() -> None:
    """A name and a datatype lead to one property."""
    found: dict[tuple[str, str], set[str]] = {}
    for i, entry in DATA.items():
        names = {entry["label"], *(a.strip() for a in str(entry.get("aliases", "")).split("|") if a.strip())}
        for name in names if "same_as" not in entry else ():
            found.setdefault((name.casefold(), entry.get("datatype", "entity")), set()).add(i)
    assert {name: ids for name, ids in found.items() if len(ids) > 1} == {}


@pytest.mark.parametrize(
    ("label", "datatype", "part"),
    [
        ("Birthplace", "entity", "place of birth"),
        ("born", "date", "date of birth"),
        ("date_of_birth", "date", "date of birth"),
        ("CEO", "entity", "chief executive officer"),
        ("year of foundation", "date", "inception"),
        ("head office", "entity", "headquarters location"),
    ],
)
def test_a_property_plays_the_part_that_its_name_says(label: str, datatype: str, part: str) -> None:
    """A property of a graph of one's own is known by its name and by what its values are."""
    known = Property("urn:own", label, datatype=datatype)  # type: ignore[arg-type]
    assert part in ontology.completed(known).roles


def test_a_name_with_values_of_another_kind_says_nothing() -> None:
    """A place named "born" is none of the dates."""
    assert "date of birth" not in ontology.completed(Property("urn:own", "birthday")).roles


def test_what_a_record_says_is_kept() -> None:
    """The file fills in what is left open, and does not overrule."""
    given = Property(
        "urn:own", "founded", datatype="date", cardinality="list", roles=("mine",), domain=("boat",)
    )
    found = ontology.completed(given)
    assert (found.cardinality, found.domain, found.roles[0]) == ("list", ("boat",), "mine")
    assert found.same_as == ontology.ids("inception")


def test_a_property_that_is_declared_the_same_plays_its_parts() -> None:
    """What `same_as` names needs no name of its own."""
    (capital,) = ontology.ids("capital")
    found = ontology.completed(Property("urn:own", "Hauptstadt", same_as=(capital,)))
    assert (found.temporal, found.inverse) == (True, *ontology.ids("capital of"))
    assert "one at a time" in found.roles


def test_a_part_that_nobody_plays_is_refused() -> None:
    """A misspelt part is found when the code is loaded."""
    with pytest.raises(KeyError):
        ontology.roles("date of brith")
    with pytest.raises(KeyError):
        ontology.ids("date of brith")
    with pytest.raises(KeyError):
        ontology.classes("humann")


@pytest.fixture(scope="module")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> Verifier:
    """A small graph with ids of its own, of which only names and records say what they are."""
    path = tmp_path_factory.mktemp("own") / "k.db"
    born, chair = Node("urn:born", "born"), Node("urn:chair", "chair")
    ada, ben, quay = (
        Node("urn:ada", "Ada Quill"),
        Node("urn:ben", "Ben Marlow"),
        Node("urn:quay", "Stone Quay"),
    )
    until = Qualifier(Node("urn:till", "until"), Value("2018", "2018", "date", 9))
    since = Qualifier(Node("urn:since", "since"), Value("2018", "2018", "date", 9))
    with Graph.create(path) as graph, graph.write() as batch:
        batch.add_properties(
            [
                Property("urn:born", "born", datatype="date"),
                Property("urn:chair", "chair", cardinality="single", temporal=True),
            ]
        )
        batch.add_statements(
            [
                Triplet(ada, born, Value("3 May 1961", "1961-05-03", "date", 11)),
                Triplet(quay, chair, ada, (until,)),
                Triplet(quay, chair, ben, (since,)),
            ]
        )
    return Verifier.open(path)


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Ada Quill was born in 1961.", Label.ATTRIBUTABLE),
        ("Ada Quill was born in 1963.", Label.CONTRADICTORY),
        ("The chairperson of Stone Quay is Ben Marlow.", Label.ATTRIBUTABLE),
        ("The chairperson of Stone Quay is Ada Quill.", Label.CONTRADICTORY),
        ("The former chairperson of Stone Quay is Ada Quill.", Label.ATTRIBUTABLE),
        ("Ada Quill was the chairperson of Stone Quay.", Label.ATTRIBUTABLE),
        ("The former chairperson of Stone Quay is Ben Marlow.", Label.CONTRADICTORY),
        ("The current chairperson of Stone Quay is Ada Quill.", Label.CONTRADICTORY),
        ("Ada Quill was the chairperson of Stone Quay until 2018.", Label.ATTRIBUTABLE),
        ("Until 2016, Ada Quill was the chairperson of Stone Quay.", Label.CONTRADICTORY),
        ("In 2020, Ada Quill was the chairperson of Stone Quay.", Label.CONTRADICTORY),
        ("In 2021, Ben Marlow was the chairperson of Stone Quay.", Label.ATTRIBUTABLE),
        ("Ben Marlow has been the chairperson of Stone Quay since 2015.", Label.CONTRADICTORY),
    ],
)
def test_a_property_of_ones_own_behaves_as_the_one_that_it_is(
    harbour: Verifier, text: str, label: Label
) -> None:
    """Words for a known property ask for the own one; one value at a time is so in any graph."""
    assert [verdict.label for verdict in harbour.check(text).verdicts] == [label]
