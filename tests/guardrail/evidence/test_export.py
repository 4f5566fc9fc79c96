"""What is exported can be read back."""

from pathlib import Path

from guardrail.evidence.export import jsonl, ntriples
from guardrail.evidence.graph import Graph
from guardrail.evidence.importers.formats import reader_for
from guardrail.evidence.importers.load import Loader, load
from guardrail.types import Triplet, Value
from tests.world import triplet


def essence(statement: Triplet) -> object:
    item = statement.object
    qualifiers = sorted((q.predicate.id, getattr(q.object, "value", "")) for q in statement.qualifiers)
    known = (item.value, item.datatype, item.precision) if isinstance(item, Value) else item.label
    return (
        statement.subject.label,
        statement.predicate.id,
        known,
        qualifiers,
        statement.rank,
        statement.source,
    )


def test_jsonl_keeps_everything(graph: Graph, tmp_path: Path) -> None:
    """Qualifiers, ranks, sources, precision, texts with quotes."""
    with graph.write() as batch:
        texts = [
            Value('say "hi"\\', 'say "hi"\\', "string"),
            Value("l'été", "l'été", "string", language="fr"),
        ]
        batch.add_statements([triplet("Q90", "P1", text, rank="preferred") for text in texts])
        batch.add_statements([triplet("Q90", "P625", Value("48.85,2.35", "48.85,2.35", "coordinate"))])
    path = tmp_path / "out.jsonl"
    path.write_text("".join(jsonl(graph)))
    with Graph.create(tmp_path / "back.db") as back:
        load([(path, reader_for(path))], Loader(back))
        for entity, statements in graph.subjects():
            assert sorted(map(str, map(essence, back.statements(entity.id)))) == sorted(
                map(str, map(essence, statements))
            )
            assert back.entity(entity.id) == entity
            assert back.aliases(entity.id) == graph.aliases(entity.id)
        assert back.properties() == graph.properties()


def test_ntriples_are_ntriples(graph: Graph, tmp_path: Path) -> None:
    """An RDF library reads them, and the facts are the same but for qualifiers and ranks."""
    path = tmp_path / "out.nt"
    path.write_text("".join(ntriples(graph)))
    with Graph.create(tmp_path / "back.db") as back:
        [outcome] = load([(path, reader_for(path))], Loader(back))
        assert outcome.bad == 0
        assert back.stats().statements == graph.stats().statements
        assert back.statements("Q76", "P569")[0].object == graph.statements("Q76", "P569")[
            0
        ].object.__class__("4 August 1961", "1961-08-04", "date", 11)
