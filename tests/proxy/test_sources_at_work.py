"""Several sources of evidence in a running server: precedence, conflicts, settings, the web."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from guardrail.evidence.corpus.corpus import Corpus
from guardrail.evidence.corpus.documents import Document
from guardrail.evidence.corpus.indexing import index_documents
from guardrail.evidence.corpus.retrieve import CorpusRetriever
from guardrail.types import Source
from guardrail.verifier import Verifier
from tests.proxy.servers import serving
from tests.search_server import searching

BORN = "Taylor Swift was born in 1989."  # as the starter knowledge says
OTHER = {
    "text": "Taylor Swift, born 13 December 1990, is a singer.",
    "title": "A page",
    "as_of": "2024-05-01",
}
HEADED = "name: p\nextends: annotate\n"

Json = dict[str, Any]


async def post(url: str, body: Json, *, status: int = 200) -> Json:
    async with aiohttp.ClientSession() as http, http.post(url, json=body) as response:
        found: Json = await response.json()
        assert response.status == status, found
        return found


async def chat(root: str, messages: list[Json], **ours: object) -> Json:
    """The report on an answer of the demo model."""
    body = {"model": "demo", "messages": messages} | ({"guardrail": ours} if ours else {})
    found = await post(f"{root}/v1/chat/completions", body)
    report: Json = found["choices"][0]["message"]["guardrail"]
    return report


def policy(folder: Path, text: str) -> str:
    path = folder / "p.yaml"
    path.write_text(HEADED + text)
    return str(path)


async def test_a_conflict_is_shown_from_both_sides(tmp_path: Path, verifier: Verifier) -> None:
    """The graph supports what a reference contradicts: each stands with its evidence, place and date; the first decides."""
    with serving(tmp_path, verifier=verifier) as (root, _):
        report = await post(f"{root}/guardrail/verify", {"text": BORN, "references": [OTHER]})
    (claim,) = report["claims"]
    assert (claim["label"], claim["conflict"], report["setting"]) == ("contradictory", True, "accurate")
    request, graph = claim["by_source"]
    assert (request["source"], request["label"]) == ("request", "contradictory")
    assert (graph["source"], graph["label"]) == ("kg", "attributable")
    (passage,) = request["evidence"]["passages"]
    assert (passage["id"], passage["title"], passage["as_of"]) == ("ref-0", "A page", "2024-05-01")
    (triplet,) = graph["evidence"]["triplets"]
    assert triplet["object"]["value"] == "1989-12-13"
    assert triplet["source"]
    assert "The sources disagree" in claim["rationale"]


async def test_the_policy_says_which_source_decides(tmp_path: Path, verifier: Verifier) -> None:
    """With the graph first the same claim is attributable; a rule may act on the conflict all the same."""
    rules = "sources: [kg, request]\nclaims:\n- {name: disputed, when: {conflict: true}, then: attach}\n"
    with serving(tmp_path, verifier=verifier, policy=policy(tmp_path, rules)) as (root, _):
        report = await post(f"{root}/guardrail/verify", {"text": BORN, "references": [OTHER]})
    (claim,) = report["claims"]
    assert (claim["label"], claim["conflict"], report["action"]) == ("attributable", True, "attach")
    assert [one["source"] for one in claim["by_source"]] == ["kg", "request"]


async def test_a_request_may_narrow_the_sources_of_the_policy_and_not_widen_them(
    tmp_path: Path, verifier: Verifier
) -> None:
    """The order is the policy's; a source that the policy leaves out gives no evidence."""
    with serving(tmp_path, verifier=verifier, policy=policy(tmp_path, "sources: [kg, request]\n")) as (
        root,
        _,
    ):
        url = f"{root}/guardrail/verify"
        asked = {"text": BORN, "references": [OTHER]}
        both = await post(url, asked | {"sources": ["request", "kg", "corpus"]})
        narrowed = await post(url, asked | {"sources": ["request"]})
        refused = await post(url, asked | {"sources": ["books"]}, status=400)
    assert [one["source"] for one in both["claims"][0]["by_source"]] == ["kg", "request"]
    assert (narrowed["claims"][0]["label"], narrowed["claims"][0]["by_source"]) == ("contradictory", [])
    assert refused["error"]["param"] == "sources"


async def test_a_corpus_that_disagrees_with_the_graph_is_shown(tmp_path: Path, verifier: Verifier) -> None:
    """The graph comes before the corpus; the passage is there with its document, its place and its date."""
    corpus = Corpus.create(tmp_path / "corpus.db")
    document = Document("swift.txt", OTHER["text"], "Taylor Swift", as_of="2023")
    index_documents(corpus, [document], origin="test")
    retrievers = {**verifier.retrievers, Source.CORPUS: CorpusRetriever(corpus)}
    with corpus, serving(tmp_path, verifier=replace(verifier, retrievers=retrievers)) as (root, _):
        (claim,) = (await post(f"{root}/guardrail/verify", {"text": BORN}))["claims"]
    assert (claim["label"], claim["conflict"]) == ("attributable", True)
    (passage,) = claim["by_source"][1]["evidence"]["passages"]
    assert (passage["source"], passage["id"], passage["start"], passage["as_of"]) == (
        "corpus",
        "swift.txt@0",
        0,
        "2023",
    )


TOOL = [
    {"role": "tool", "tool_call_id": "c", "content": OTHER["text"]},
    {"role": "user", "content": f"verify: {BORN}"},
]


@pytest.mark.parametrize(
    ("rule", "given", "label", "setting"),
    [
        ("", {}, "contradictory", "accurate"),
        ("", {"setting": "zero"}, "attributable", "zero"),
        ("", {"setting": "noisy"}, "contradictory", "noisy"),
        ("setting: zero\n", {"setting": "accurate"}, "attributable", "zero"),
        ("setting: noisy\n", {"setting": "zero"}, "contradictory", "noisy"),
        ("", {"references": ["The river is long."]}, "contradictory", "noisy"),
    ],
)
async def test_the_setting_is_detected_asked_for_or_forced(
    tmp_path: Path, verifier: Verifier, rule: str, given: Json, label: str, setting: str
) -> None:
    """RefChecker's settings: how many references there are, unless the request says it, unless the policy does."""
    with serving(tmp_path, verifier=verifier, policy=policy(tmp_path, rule)) as (root, _):
        report = await chat(root, TOOL, **given)
    assert (report["claims"][0]["label"], report["setting"]) == (label, setting)


async def test_a_setting_that_is_none_is_refused(tmp_path: Path, verifier: Verifier) -> None:
    """The error names the field and what is allowed, at both doors."""
    with serving(tmp_path, verifier=verifier) as (root, _):
        body = {"model": "demo", "messages": TOOL, "guardrail": {"setting": "loud"}}
        in_chat = await post(f"{root}/v1/chat/completions", body, status=400)
        at_door = await post(f"{root}/guardrail/verify", {"text": BORN, "setting": "loud"}, status=400)
    assert "allowed: detect, zero, noisy, accurate" in in_chat["error"]["message"]
    assert at_door["error"]["param"] == "setting"


async def test_a_query_part_is_the_question(tmp_path: Path, verifier: Verifier) -> None:
    """What the query part asks gives a short answer its subject, whatever else the user wrote."""
    parts = [
        {"type": "query", "query": "What is the capital of Australia?"},
        {"type": "text", "text": "verify: Canberra."},
    ]
    with serving(tmp_path, verifier=verifier) as (root, _):
        report = await chat(root, [{"role": "user", "content": parts}])
        unasked = await chat(root, [{"role": "user", "content": "verify: Canberra."}])
    assert [claim["label"] for claim in report["claims"]] == ["attributable"]
    assert [claim["label"] for claim in unasked["claims"]] != ["attributable"]


async def test_the_words_that_carry_a_verdict_are_marked_in_the_prompt(
    tmp_path: Path, verifier: Verifier
) -> None:
    """The report points from the verdict to the message, the sentence in it, and the words of that sentence."""
    filler = "The valley is wide and green. " * 80
    told = f"{filler}{OTHER['text']} {filler}"
    messages = [{"role": "system", "content": f"<document>{told}</document>"}, TOOL[1]]
    with serving(tmp_path, verifier=verifier) as (root, _):
        (claim,) = (await chat(root, messages))["claims"]
    (passage,) = claim["evidence"]["passages"]
    content = messages[0]["content"]
    assert (claim["label"], passage["message"]) == ("contradictory", 0)
    assert content[passage["start"] : passage["end"]] == passage["text"]
    assert OTHER["text"] in passage["text"]
    carried = " ".join(passage["text"][start:end] for start, end in passage["marks"])
    assert "Taylor Swift" in carried
    assert "1990" in carried
    assert "singer" not in carried


async def test_the_web_is_asked_and_shown_and_never_a_private_address(
    tmp_path: Path, knowledge: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A configured endpoint gives passages with title and link; without leave for private addresses nothing is sent."""
    found = {
        "title": "On swifts",
        "url": "https://example.org/s",
        "content": OTHER["text"],
        "publishedDate": "2022",
    }
    with searching() as endpoint:
        endpoint.results = [found]
        monkeypatch.setenv("GUARDRAIL_WEB_URL", endpoint.url)
        with serving(tmp_path, verifier=Verifier.open(knowledge)) as (root, _):
            (refused,) = (await post(f"{root}/guardrail/verify", {"text": BORN}))["claims"]
        assert endpoint.seen == []
        monkeypatch.setenv("GUARDRAIL_WEB_PRIVATE", "1")
        with serving(tmp_path, verifier=Verifier.open(knowledge)) as (root, _):
            (claim,) = (await post(f"{root}/guardrail/verify", {"text": BORN}))["claims"]
        assert len(endpoint.seen) == 1
    assert refused["label"] == "attributable"
    assert "not a public address" in refused["evidence"]["unread"][0]
    assert (claim["label"], claim["conflict"]) == ("attributable", True)
    (passage,) = claim["by_source"][1]["evidence"]["passages"]
    assert (passage["source"], passage["title"], passage["url"], passage["as_of"]) == (
        "web",
        "On swifts",
        "https://example.org/s",
        "2022",
    )


FALSE = "The capital of Australia is Sydney."
CLAIMED = [
    ([], {"references": [FALSE]}),
    ([], {"references": [{"text": FALSE, "title": "Australia"}], "setting": "accurate"}),
    ([], {"triplets": [["Australia", "capital", "Sydney"]]}),
    (
        [],
        {
            "triplets": [
                [
                    {"id": "Q408", "label": "Australia"},
                    {"id": "P36", "label": "capital"},
                    {"id": "Q3130", "label": "Sydney"},
                ]
            ]
        },
    ),
    ([{"role": "tool", "tool_call_id": "c", "content": FALSE}], {}),
    ([{"role": "system", "content": f"<document>{FALSE}</document>"}], {}),
    ([{"role": "user", "content": f"<document>{FALSE}</document>"}], {}),
    ([{"role": "user", "content": [{"type": "grounding_source", "text": FALSE}]}], {}),
    (
        [{"role": "tool", "tool_call_id": "c", "content": FALSE}],
        {"references": [FALSE, "Sydney is the capital."]},
    ),
]


@pytest.mark.parametrize(("before", "given"), CLAIMED)
async def test_what_a_request_says_lifts_no_block(
    tmp_path: Path, verifier: Verifier, before: list[Json], given: Json
) -> None:
    """The graph contradicts the answer: the sender's own word for it, in whatever form, does not make it be shown."""
    with serving(tmp_path, verifier=verifier, policy="block") as (root, _):
        asked = [*before, {"role": "user", "content": f"verify: {FALSE}"}]
        body = {"model": "demo", "messages": asked} | ({"guardrail": given} if given else {})
        found = await post(f"{root}/v1/chat/completions", body)
    message = found["choices"][0]["message"]
    assert "Sydney" not in message["content"]
    assert (message["guardrail"]["action"], message["guardrail"]["outcome"]) == ("block", "flagged")
    assert [claim["label"] for claim in message["guardrail"]["claims"]] == ["contradictory"]


async def test_the_operator_may_let_references_decide(tmp_path: Path, verifier: Verifier) -> None:
    """Where his policy says that the request comes first, its references are believed; the conflict stays on record."""
    rules = "extends: block\nsources: [request, kg]\n"
    path = tmp_path / "own.yaml"
    path.write_text(f"name: own\n{rules}")
    with serving(tmp_path, verifier=verifier, policy=str(path)) as (root, _):
        report = await chat(root, [{"role": "user", "content": f"verify: {FALSE}"}], references=[FALSE])
    assert (report["claims"][0]["label"], report["outcome"]) == ("attributable", "flagged")


@pytest.mark.parametrize("policy_name", ["block", "revise", "attach"])
@pytest.mark.parametrize(
    "given", [{"sources": []}, {"sources": ["corpus"]}, {"sources": ["request"]}, {"setting": "zero"}]
)
async def test_a_request_may_not_have_less_looked_at_where_the_policy_guards(
    tmp_path: Path, policy_name: str, given: Json
) -> None:
    """It is a 400 that says what may not be left out; the whole list, in any order, is none."""
    body = {"model": "demo", "messages": [{"role": "user", "content": "verify: This is wrong."}]}
    with serving(tmp_path, policy=policy_name) as (root, _):
        url = f"{root}/v1/chat/completions"
        refused = await post(url, body | {"guardrail": given}, status=400)
        assert f"under the policy '{policy_name}' a request may not leave" in refused["error"]["message"]
        everything = {"sources": ["web", "request", "kg", "corpus"], "setting": "noisy"}
        await post(url, body | {"guardrail": everything})
