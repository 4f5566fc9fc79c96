"""FLEEK from text to decisions over a real graph."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from guardrail.evidence.linking.linker import AliasLinker
from guardrail.evidence.retrieve import GraphRetriever
from guardrail.evidence.store.graph import Graph
from guardrail.fleek import Fleek, rows
from guardrail.llm import LlmSettings, open_llm
from guardrail.scoring import FleekClass
from guardrail.types import Argument, Attribute, Claim, Evidence, Fact, Passage, Source, Span
from tests import world
from tests.scripted_llm import Reply, Request, ScriptedLlm


def fact(subject: str, predicate: str, object_: str, kind: str, question: str) -> dict[str, Any]:
    return {
        "subject": subject, "predicate": predicate, "object": object_, "attributes": [],
        "object_type": kind, "question": question, "negated": False,
    }  # fmt: skip


EXTRACTED = {
    "Barack Obama was born in Kenya.": fact(
        "Barack Obama", "born in", "Kenya", "country", "In which country was he born?"
    ),
    "Barack Obama was born in Honolulu.": fact(
        "Barack Obama", "born in", "Honolulu", "city", "In which city?"
    ),
    "Inception was directed by Christopher Nolan.": fact(
        "Inception", "directed by", "Christopher Nolan", "person", "By whom?"
    ),
}


def play(request: Request) -> Reply:
    """A model that extracts from a table, compares triples and rewrites."""
    if "Split a sentence" in request.prompt:
        sentence = json.loads(request.prompt.rsplit("Sentence:\n", 1)[1].strip())
        if sentence not in EXTRACTED:
            return Reply(json.dumps({"claims": []}))
        facts = [EXTRACTED[sentence]]
        return Reply(json.dumps({"claims": [{"text_span": sentence, "resolved": sentence, "facts": facts}]}))
    if "Rewrite a sentence" in request.prompt:
        right = json.loads(request.prompt.rsplit("Right:\n", 1)[1].strip())
        return Reply(json.dumps({"sentence": f"Barack Obama was born in {right.rsplit('; ', 1)[1][:-1]}."}))
    pairs = [
        line
        for line in request.prompt.splitlines()
        if ", evidence: " in line and line[:1].isdigit() and 'claim: "' in line
    ]
    same = [line.split("claim: ")[1].split(", evidence: ") for line in pairs]
    return Reply(json.dumps({"entailed": ["yes" if a == b else "no" for a, b in same]}))


class Web:
    """A search engine that highlights a short answer."""

    def retrieve(self, claim: Claim) -> Evidence:
        text = "The film was made by Christopher Nolan."
        start = text.index("Christopher")
        marked = Passage("w1", text, Source.WEB, marks=(Span(start, start + len("Christopher Nolan")),))
        return Evidence(passages=(marked,))


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    path: Path = tmp_path_factory.mktemp("fleek") / "world.db"
    opened = world.fill(Graph.create(path))
    yield opened
    opened.close()


@contextmanager
def fleek(graph: Graph, *, web: bool = False) -> Iterator[tuple[ScriptedLlm, Fleek]]:
    with ScriptedLlm([play]) as server:
        llm = open_llm(LlmSettings("m", server.url))
        yield server, Fleek(llm, AliasLinker(graph), GraphRetriever(graph), Web() if web else None)
        llm.close()


def test_a_wrong_and_a_right_fact_of_the_graph(graph: Graph) -> None:
    """A single birthplace decides: Kenya is Questionable, Honolulu Strongly Supported; two calls per sentence."""
    with fleek(graph) as (server, checker):
        wrong, right = checker.check("Barack Obama was born in Kenya. Barack Obama was born in Honolulu.")
        assert wrong.decision.label is FleekClass.QUESTIONABLE
        assert wrong.answers.graph == ("Honolulu",)
        assert wrong.question == "In which country was he born?"
        assert right.decision.label is FleekClass.STRONGLY_SUPPORTED
        assert server.calls == 4
        assert checker.revisions(wrong) == ["Barack Obama was born in Honolulu."]
        assert checker.revisions(right) == []


def test_the_web_fills_in_with_its_highlighted_words(graph: Graph) -> None:
    """Where the graph alone does not decide, a passage's marked words are a short answer."""
    with fleek(graph, web=True) as (_, checker):
        (found,) = checker.check("Inception was directed by Christopher Nolan.")
        assert "Christopher Nolan" in found.answers.web
        assert found.decision.label in (FleekClass.STRONGLY_SUPPORTED, FleekClass.LIKELY_SUPPORTED)


def test_a_text_without_facts_costs_no_call(graph: Graph) -> None:
    """Greetings and questions are not sent to the model."""
    with fleek(graph) as (server, checker):
        assert checker.check("Hello there! How are you?") == []
        assert server.calls == 0


def test_an_event_with_several_objects_is_an_extended_triple() -> None:
    """§2.1.1: (Taylor Swift; moved; move_ID; place; Nashville) and (…; age; 14)."""
    move = Fact(
        Argument("Taylor Swift"), "moved to", Argument("Nashville"),
        attributes=(Attribute("age", Argument("14")),), object_type="place",
    )  # fmt: skip
    assert [str(row) for row in rows(move)] == [
        "(Taylor Swift; moved to; moved_1; place; Nashville)",
        "(Taylor Swift; moved to; moved_1; age; 14)",
    ]
