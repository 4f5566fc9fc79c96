"""References in a chat request: where documents are found, and that their places are exact."""

from __future__ import annotations

import json

import pytest

from guardrail.evidence.request.prompt import References, message_text, read
from guardrail.types import Setting, Source

FACT = "The Eiffel Tower is 330 m tall 🗼."
MORE = "Paris is the capital of France."


def chat(content, role="system", **body):
    return {
        "messages": [{"role": role, "content": content}, {"role": "user", "content": "How tall is it?"}],
        **body,
    }


def places(body, found: References) -> list[str]:
    """What stands at each passage's place in its message."""
    return [p.span.of(message_text(body["messages"][p.message]["content"])) for p in found.passages]


@pytest.mark.parametrize(
    "content",
    [
        f'Use:\n<document title="Tower">\n{FACT}\n</document>\n<document title="Paris">{MORE}</document>',
        f"<documents><document index='1'><document_content>\n{FACT}\n</document_content></document>"
        f"<document index='2'><document_content>{MORE}</document_content></document></documents>",
        f"Context:\n[1] Tower: {FACT}\n[2] Paris: {MORE}\n\nAnswer from the context only.",
        f"Source 1: {FACT}\nSource 2: {MORE}",
        f"Document 1 (Title: Tower): {FACT}\nDocument 2 (Title: Paris): {MORE}\n",
        f"Facts:\n```\n{FACT}\n```\nand\n```text\n{MORE}\n```\nbut not\n```python\nprint(1)\n```",
        "Passages:\n" + json.dumps([{"title": "T", "text": FACT}, {"content": MORE}], ensure_ascii=False),
        json.dumps(
            {"results": [{"snippet": FACT, "link": "https://a"}, {"snippet": MORE}]}, ensure_ascii=False
        ),
        json.dumps([FACT, MORE], ensure_ascii=False),
    ],
    ids=["tags", "nested", "numbered", "sources", "documents", "fences", "json", "results", "strings"],
)
def test_documents_in_a_system_message_are_passages_with_exact_places(content):
    """Tags, numbers, fences and JSON: both documents are found, in order, where they stand."""
    body = chat(content)
    found = read(body)
    assert [p.text for p in found.passages] == [FACT, MORE]
    assert places(body, found) == [FACT, MORE]
    assert {p.message for p in found.passages} == {0}
    assert {p.source for p in found.passages} == {Source.REQUEST}
    assert found.setting is Setting.NOISY
    assert found.question == "How tall is it?"


def test_titles_and_links_are_kept():
    """Attributes and fields give the passage its title and its link."""
    found = read(chat(f'<source title="Tower" url="https://a.example/t">{FACT}</source>')).passages[0]
    assert (found.title, found.url) == ("Tower", "https://a.example/t")
    found = read(chat(json.dumps([{"name": "Tower", "text": FACT, "source": "https://b"}]))).passages[0]
    assert (found.title, found.url) == ("Tower", "https://b")


def test_escaped_json_points_at_its_literal():
    """Where JSON escapes the text, the place is that of the escaped words."""
    body = chat(json.dumps([{"text": "He said “no”.\nThen left."}]), "tool")
    (passage,) = read(body).passages
    assert passage.text == "He said “no”.\nThen left."
    assert places(body, read(body)) == ["He said \\u201cno\\u201d.\\nThen left."]


@pytest.mark.parametrize("role", ["tool", "function"])
def test_a_tool_result_is_a_reference_as_it_is(role):
    """Plain text that a tool returned is one passage."""
    body = chat(f"\n {FACT}\n", role)
    found = read(body)
    assert [p.text for p in found.passages] == [FACT]
    assert places(body, found) == [FACT]
    assert found.setting is Setting.ACCURATE


def test_tool_results_of_the_other_apis_count_too():
    """`tool_result` parts (Messages API) and `function_call_output` items (Responses API) are references."""
    parts = [{"type": "tool_result", "tool_use_id": "1", "content": [{"type": "text", "text": FACT}]}]
    assert [p.text for p in read(chat(parts, "user")).passages] == [FACT]
    items = [{"type": "function_call_output", "call_id": "1", "output": FACT}]
    assert [p.text for p in read({"input": items}).passages] == [FACT]
    assert [p.text for p in read({"system": f"<context>{FACT}</context>", "messages": []}).passages] == [FACT]


def test_grounding_parts_and_the_query_part():
    """`grounding_source` parts are references and `query` is the question, in both dialects."""
    parts = [
        {
            "type": "grounding_source",
            "grounding_source": {"text": FACT, "title": "Tower", "url": "https://a"},
        },
        {"type": "text", "text": MORE, "qualifiers": ["grounding_source"]},
        {"guardContent": {"text": {"text": "How tall?", "qualifiers": ["query"]}}},
        {"type": "text", "text": "Be brief."},
    ]
    body = chat(parts, "user")
    found = read(body)
    assert [p.text for p in found.passages] == [FACT, MORE]
    assert places(body, found) == [FACT, MORE]
    assert found.passages[0].title == "Tower"
    assert found.question == "How tall?"


def test_the_explicit_field_comes_first():
    """`guardrail.references` and `guardrail.question` are read from the body."""
    found = read(chat(f"<doc>{MORE}</doc>", guardrail={"references": [FACT], "question": "Really?"}))
    assert [p.text for p in found.passages] == [FACT, MORE]
    assert found.passages[0].message is None
    assert found.question == "Really?"


@pytest.mark.parametrize("references", ["one text", 3, [3], [{"title": "no text"}]])
def test_malformed_explicit_references_are_an_error(references):
    """The client is told when it hands in something that is no list of references."""
    with pytest.raises(ValueError, match="references"):
        read(chat("", guardrail={"references": references}))


def test_the_same_text_counts_once():
    """A document that is in two messages is one passage."""
    body = {"messages": [{"role": "tool", "content": FACT}, {"role": "tool", "content": FACT}]}
    assert len(read(body).passages) == 1


def test_settings_are_detected_or_forced():
    """None, one, several; and a policy's word overrules."""
    assert read(chat("Be kind.")).setting is Setting.ZERO
    assert read(chat(f"<doc>{FACT}</doc>")).setting is Setting.ACCURATE
    forced = read(chat(f"<doc>{FACT}</doc>"), setting=Setting.ZERO)
    assert (forced.setting, forced.passages) == (Setting.ZERO, ())
    assert read(chat(f"<doc>{FACT}</doc>"), setting=Setting.NOISY).setting is Setting.NOISY


@pytest.mark.parametrize(
    "content",
    [
        "You are a helpful assistant.",
        "1. Be brief.\n2. Be kind.",
        "```python\nprint('hello world')\n```",
        '{"role": "expert", "tone": "dry"}',
        "Answer in the form [1], [2].",
        "<b>Bold</b> and <thinking>thoughts</thinking>",
        "<document>unclosed",
        "",
        None,
        [],
        [None, 3, {"type": "image_url"}],
        {"odd": "shape"},
    ],
)
def test_instructions_are_no_references(content):
    """What only looks a little like a document, or like nothing known, is left alone."""
    assert read(chat(content)).passages == ()


def test_a_users_fenced_code_is_no_reference():
    """In a user's message a fence is code; tags still make a document."""
    assert read(chat(f"Fix this:\n```\n{FACT}\n```", "user")).passages == ()
    assert len(read(chat(f"Summarise:\n<article>{FACT}</article>", "user")).passages) == 1


def test_the_answers_before_are_no_references():
    """What the model said earlier is never evidence for what it says now."""
    assert read(chat(f"<document>{FACT}</document>", "assistant")).passages == ()


@pytest.mark.parametrize(
    "body", [{}, {"messages": None}, {"messages": "x"}, {"messages": [1, None]}, {"guardrail": 3}]
)
def test_odd_bodies_have_no_references(body):
    """Requests of any shape are read without an error."""
    assert read(body) == References()
