"""The data set builder: two prompts in sequence, and everything that fails a check is dropped."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from eval.train.claimver_data import Record, build, load, save
from guardrail.check.llm import claimver
from guardrail.llm import LlmSettings, open_llm
from guardrail.types import Label, Triplet
from tests.llm_cases import BANE, triplet
from tests.scripted_llm import Reply, Request, Script, ScriptedLlm, refusal

CAST = triplet("Batman & Robin", "cast member", "Robert Swenson")
DIRECTOR = triplet("Batman & Robin", "director", "Joel Schumacher")
FIRST = {
    "text_span1": "directed by Joel Schumacher",
    "prediction1": "Extrapolatory",
    "triplets1": "[('Batman & Robin', 'director', 'Joel Schumacher')]",
    "rationale1": "Not sure.",
    "text_span2": "and Batman's Back",
    "prediction2": "Attributable",
    "triplets2": "NA",
    "rationale2": "Wrong, and to be put right.",
    "text_span3": "Bane is a villain",
    "prediction3": "Attributable",
    "triplets3": "NA",
    "rationale3": "Not a substring.",
}


def teacher(request: Request) -> Reply:
    """A teacher whose first labels are wrong and whose second ones are right."""
    if "Text Span Attribution Verification" not in request.prompt:
        return Reply(json.dumps(FIRST))
    inputs = request.prompt.rsplit("**Inputs**", 1)[1]
    label = "Attributable" if "directed by" in inputs.split("Text span:")[1] else "Extrapolatory"
    return Reply(json.dumps({"prediction": label, "rationale": f"{label}, by the triplets."}))


def made(script: Script, *answers: tuple[str, list[Triplet]]) -> tuple[list[Record], int]:
    with ScriptedLlm(script) as server:
        llm = open_llm(LlmSettings("m", server.url, attempts=1))
        records = list(build(llm, answers))
        llm.close()
        return records, server.calls


def test_the_second_prompt_corrects_the_first() -> None:
    """Spans and triplets come from Fig. 3, labels and rationales from Fig. 12; a paraphrased span is dropped."""
    (record,), calls = made([teacher], (BANE, [CAST, DIRECTOR]))
    found = claimver.read(record.reply, BANE, [CAST, DIRECTOR])
    assert [(piece.words, piece.label, piece.triplets) for piece in found.pieces] == [
        ("directed by Joel Schumacher", Label.ATTRIBUTABLE, (DIRECTOR,)),
        ("and Batman's Back", Label.EXTRAPOLATORY, ()),
    ]
    assert found.pieces[0].rationale == "Attributable, by the triplets."
    assert calls == 3
    assert record.prompt.startswith("Analyze text against provided triplets")


def test_texts_with_fewer_than_two_entities_are_not_asked_about() -> None:
    """§4 keeps entries with two or more."""
    assert made([teacher], (BANE, [])) == ([], 0)


def test_a_teacher_that_fails_makes_no_record() -> None:
    """A refusal is left out, not guessed."""
    assert made([refusal()], (BANE, [CAST]))[0] == []


def test_records_survive_the_file(tmp_path: Path) -> None:
    """What is saved is loaded; a broken line is named."""
    record = Record("Tëxt", (("a", "b", "c"),), "reply\nwith a line break")
    assert save(tmp_path / "data.jsonl", [record, record]) == 2
    assert load(tmp_path / "data.jsonl") == [record, record]
    (tmp_path / "bad.jsonl").write_text(
        '{"text": "x", "triplets": [["a"]], "reply": "y"}\n', encoding="utf-8"
    )
    with pytest.raises(ValueError, match=r"bad.jsonl:1"):
        load(tmp_path / "bad.jsonl")
