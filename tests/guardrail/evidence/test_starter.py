"""The starter knowledge: enough of it, true where it can be checked, and built in one step."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from guardrail.errors import ImportFailed, KnowledgeError
from guardrail.evidence import blocks, starter
from guardrail.evidence.store.graph import Graph
from guardrail.types import Node, Triplet, Value


@pytest.fixture(scope="module")
def graph(tmp_path_factory):
    path = starter.ensure(tmp_path_factory.mktemp("home") / "knowledge.db")
    with Graph.open(path) as opened:
        yield opened


@pytest.fixture(scope="module")
def content():
    return blocks.read(starter.files())


def objects(graph: Graph, subject: str, prop: str) -> list[str]:
    return [
        t.object.label if isinstance(t.object, Node) else t.object.value
        for t in graph.statements(subject, prop)
    ]


def one(graph: Graph, name: str) -> str:
    return graph.search(name, 1)[0].id


def test_there_are_at_least_two_thousand_facts_about_five_hundred_entities(graph):
    """The starter knowledge is worth starting with, classes not counted."""
    stats = graph.stats()
    subjects = {t.subject.id for t in blocks.read(starter.files()).statements if t.predicate.id != "P31"}
    assert stats.statements >= 2_000
    assert len(subjects) >= 500


def test_every_entity_has_a_description_or_a_class(content):
    """Whoever reads a name in a report can tell what it is."""
    bare = [
        b.entity.label
        for b in content.entities
        if not b.entity.description and not b.entity.types and b.entity.id not in _classes(content)
    ]
    assert len(bare) <= 60, bare


def _classes(content: blocks.Blocks) -> set[str]:
    return {t.object.id for t in content.statements if isinstance(t.object, Node)}


def test_people_die_after_they_were_born(content):
    """No life is shorter than nothing or longer than 105 years."""
    born, died = _years(content, "P569"), _years(content, "P570")
    wrong = {s: (born[s], died[s]) for s in born.keys() & died.keys() if not 0 < died[s] - born[s] < 105}
    assert not wrong
    assert len(born) >= 200


def _years(content: blocks.Blocks, prop: str) -> dict[str, int]:
    return {
        t.subject.label: int(t.object.value[: 5 if t.object.value.startswith("-") else 4])
        for t in content.statements
        if t.predicate.id == prop and isinstance(t.object, Value)
    }


def test_terms_of_office_begin_before_they_end(content):
    """Of every statement that has both, the start lies before the end."""
    for statement in content.statements:
        start, end = _qualifier(statement, "P580"), _qualifier(statement, "P582")
        assert not (start and end) or start <= end, statement


def _qualifier(statement: Triplet, prop: str) -> str:
    found = [q.object for q in statement.qualifiers if q.predicate.id == prop]
    return found[0].value if found and isinstance(found[0], Value) else ""


def test_borders_are_mutual(content):
    """If one country borders another, the other borders it."""
    pairs = {(t.subject.id, t.object.id) for t in content.statements if t.predicate.id == "P47"}  # type: ignore[union-attr]
    assert pairs == {(b, a) for a, b in pairs}
    assert len(pairs) > 500


@pytest.mark.parametrize("prop", ["P21", "P569", "P570", "P19", "P20", "P571", "P246", "P1086", "P2044"])
def test_what_can_have_one_value_has_one(content, prop):
    """Birth, death, symbol and the like are stated once per subject."""
    subjects = [t.subject.label for t in content.statements if t.predicate.id == prop]
    assert len(subjects) == len(set(subjects)) or len(subjects) == len(
        {t.subject.id for t in content.statements if t.predicate.id == prop}
    )


def test_every_country_has_a_continent_and_nearly_every_one_a_capital(content):
    """The countries are complete as far as their capital is undisputed."""
    countries = {t.subject.id for t in content.statements if t.predicate.id == "P297"}
    with_continent = {t.subject.id for t in content.statements if t.predicate.id == "P30"}
    with_capital = {t.subject.id for t in content.statements if t.predicate.id == "P36"}
    assert len(countries) == 195
    assert countries <= with_continent
    assert len(countries & with_capital) >= 186


def test_all_elements_have_symbol_and_number(content):
    """118 elements, each number once."""
    numbers = sorted(
        int(t.object.value)
        for t in content.statements
        if t.predicate.id == "P1086" and isinstance(t.object, Value)
    )
    assert numbers == list(range(1, 119))


def test_facts_of_claimvers_table_2(graph):
    """The triplets that ClaimVer's Table 2 cites are there."""
    grey = one(graph, "Grey's Anatomy")
    assert "George O'Malley" in objects(graph, grey, "P674")
    assert objects(graph, grey, "P449") == ["American Broadcasting Company"]
    assert "United States" in objects(graph, one(graph, "American Broadcasting Company"), "P17")
    film = one(graph, "Batman & Robin")
    assert "Robert Swenson" in objects(graph, film, "P161")
    assert objects(graph, film, "P57") == ["Joel Schumacher"]
    assert objects(graph, one(graph, "Crater Lake"), "P3018") == ["Crater Lake National Park"]
    assert objects(graph, one(graph, "Airbus Operations S.A.S."), "P17") == ["France"]
    assert objects(graph, one(graph, "Airbus Corporate Jets"), "P159") == ["Toulouse"]
    assert objects(graph, one(graph, "Blagnac"), "P17") == ["France"]
    bishop = one(graph, "Rutilio del Riego Jáñez")
    assert objects(graph, bishop, "P748") == ["Benedict XVI"]
    assert objects(graph, bishop, "P140") == ["Catholic Church"]
    assert objects(graph, one(graph, "God"), "P460") == ["love"]
    for aircraft in ("Boeing 737 MAX", "Boeing 737 #1491"):
        assert objects(graph, one(graph, aircraft), "P137") == ["Southwest Airlines"]


def test_facts_of_fleeks_examples(graph):
    """What FLEEK's examples ask for is there, with its qualifiers."""
    swift = one(graph, "Taylor Swift")
    assert objects(graph, swift, "P569") == ["1989-12-13"]
    moved = graph.statements(swift, "P551")[0]
    assert isinstance(moved.object, Node)
    assert moved.object.label == "Nashville"
    assert _qualifier(moved, "P3629") == "14"
    united = one(graph, "United States")
    states = graph.statements(united, "P2670")[0]
    assert _qualifier(states, "P1114") == "50"
    assert len(graph.statements(united, "P150")) == 50
    assert graph.search("Hogwarts", 1)
    assert graph.search("Marilyn Monroe", 1)


@pytest.mark.parametrize(
    ("subject", "prop", "expected"),
    [
        ("Eiffel Tower", "P1619", "1889-03-31"),
        ("Eiffel Tower", "P2048", "330"),
        ("Apollo 11", "P619", "1969-07-16"),
        ("Apollo 11", "P1029", "Neil Armstrong"),
        ("Marie Curie", "P19", "Warsaw"),
        ("Barack Obama", "P19", "Honolulu"),
        ("Albert Einstein", "P569", "1879-03-14"),
        ("Mount Everest", "P2044", "8849"),
        ("RMS Titanic", "P1427", "Southampton"),
        ("Apple Inc.", "P112", "Steve Jobs"),
        ("Google", "P112", "Sergey Brin"),
        ("Amazon River", "P403", "Atlantic Ocean"),
        ("Great Wall of China", "P17", "China"),
        ("Mona Lisa", "P170", "Leonardo da Vinci"),
        ("double helix", "P61", "Francis Crick"),
        ("penicillin", "P61", "Alexander Fleming"),
        ("2016 Summer Olympics", "P276", "Rio de Janeiro"),
        ("2022 FIFA World Cup", "P1346", "Argentina national football team"),
        ("Python", "P287", "Guido van Rossum"),
        ("Hamlet", "P50", "William Shakespeare"),
        ("Nikola Tesla", "P20", "New York City"),
        ("Tesla, Inc.", "P169", "Elon Musk"),
    ],
)
def test_demo_questions_can_be_answered(graph, subject, prop, expected):
    """Each question that the demo model is asked has its answer in the graph."""
    assert expected in objects(graph, one(graph, subject), prop)


def test_it_is_built_with_little_work(tmp_path):
    """A first start does not keep anybody waiting: two seconds of one processor at most, however busy the machine is."""
    began = time.process_time()
    starter.ensure(tmp_path / "knowledge.db")
    assert time.process_time() - began < 2


def small(directory: Path, label: str) -> Path:
    directory.mkdir(exist_ok=True)
    (directory / "all.txt").write_text(f"P31 instance of :: entity list\nQ1 {label}\n", "utf-8")
    return directory


def test_it_is_rebuilt_when_the_texts_change(tmp_path):
    """The knowledge file follows its texts, and stays as it is while they do."""
    texts, target = tmp_path / "texts", tmp_path / "knowledge.db"
    starter.ensure(target, texts=small(texts, "old"))
    with Graph.open(target) as before:
        version = before.version
    starter.ensure(target, texts=texts)
    with Graph.open(target) as same:
        assert same.version == version
    starter.ensure(target, texts=small(texts, "new"))
    with Graph.open(target) as after:
        assert [e.label for e in after.search("new")] == ["new"]
        assert after.search("old") == []


def test_processes_that_start_at_once_share_one_file(tmp_path):
    """A file that one of them has opened is not taken away by another that found none either."""
    texts, target = small(tmp_path / "texts", "old"), tmp_path / "knowledge.db"
    start = (
        "import sys; from pathlib import Path; from guardrail.evidence import starter;"
        "print(starter.ensure(Path(sys.argv[1]), texts=Path(sys.argv[2])).stat().st_ino)"
    )
    running = [
        subprocess.Popen([sys.executable, "-c", start, target, texts], stdout=subprocess.PIPE, text=True)
        for _ in range(4)
    ]
    assert len({process.communicate()[0] for process in running}) == 1
    assert all(process.returncode == 0 for process in running)


def test_knowledge_of_ones_own_is_never_overwritten(tmp_path):
    """A file that was not built from the texts, or was written to since, is left alone."""
    texts, target = tmp_path / "texts", tmp_path / "knowledge.db"
    Graph.create(target).close()
    before = target.read_bytes()
    starter.ensure(target, texts=small(texts, "old"))
    assert target.read_bytes() == before

    ours = tmp_path / "ours.db"
    starter.ensure(ours, texts=texts)
    with Graph.open(ours, read_only=False) as graph, graph.write() as batch:
        batch.add_statements([Triplet(Node("Q1", "old"), Node("P31", "instance of"), Node("Q2", "mine"))])
    starter.ensure(ours, texts=small(texts, "new"))
    with Graph.open(ours) as graph:
        assert [e.label for e in graph.search("mine")] == ["mine"]


def test_a_mistake_in_the_texts_leaves_the_old_file_in_place(tmp_path):
    """The new file takes the place of the old one only when it is whole."""
    texts, target = tmp_path / "texts", tmp_path / "knowledge.db"
    starter.ensure(target, texts=small(texts, "old"))
    (texts / "broken.txt").write_text("nonsense\n", "utf-8")
    with pytest.raises(ImportFailed, match=r"broken\.txt:1"):
        starter.ensure(target, texts=texts)
    with Graph.open(target) as graph:
        assert [e.label for e in graph.search("old")] == ["old"]
    assert sorted(p.name for p in tmp_path.iterdir() if p.name.startswith(".starter")) == []


def test_no_texts_are_an_error(tmp_path):
    """An empty directory is refused."""
    with pytest.raises(KnowledgeError, match="no starter knowledge"):
        starter.ensure(tmp_path / "knowledge.db", texts=tmp_path)


def test_a_place_that_cannot_be_written_is_an_error(tmp_path):
    """Where the directory cannot be made, the error says so."""
    (tmp_path / "file").write_text("")
    with pytest.raises(KnowledgeError, match="cannot write"):
        starter.ensure(tmp_path / "file" / "knowledge.db")


def test_some_lists_name_all_and_others_do_not(graph):
    """Mars has two moons; of Jupiter's only the large ones are written down."""
    assert graph.complete(one(graph, "Mars"), "P398")
    assert not graph.complete(one(graph, "Jupiter"), "P398")
    contains = objects(graph, one(graph, "United States"), "P150")
    assert len(contains) == 50
