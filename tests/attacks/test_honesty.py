"""Real answers, bent in every way: no statement of theirs is dropped without a word, and none is clean that was not read."""

from __future__ import annotations

import itertools
import json
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from guardrail.claims.checkable.coverage import filler
from guardrail.segment import segment
from guardrail.types import NotChecked, Outcome, Report
from guardrail.verifier import Verifier
from policies.policy import load
from policies.terms import Mode, Request
from proxy.judging.judge import Judge
from proxy.stream.draft import Draft
from proxy.stream.events import Summarise, Verify
from proxy.stream.exchange import Exchange
from proxy.wire.calls import ToolCall
from tests.told import untold

ROOT = Path(__file__).parents[2]
ANSWERS = [
    json.loads(line)["answer"]
    for line in (ROOT / "eval/answers/open.jsonl").read_text(encoding="utf-8").splitlines()
    if '"answer"' in line
]
PAGES = [
    page
    for path in sorted((ROOT / "docs").glob("*.md"))
    for page in re.split(r"\n(?=#)", path.read_text(encoding="utf-8"))
]
FOREIGN = (
    "Die Hauptstadt von Australien ist Sydney.",
    "Столица Австралии — Сидней.",
    "澳大利亚的首都是悉尼。",
    "عاصمة أستراليا هي سيدني.",
)
_VERIFIER = Verifier.open()
_ESCAPE = re.compile(r"\\u[0-9a-f]{4}|\\.")  # of a JSON string


def _words(put: Callable[[list[str], random.Random], list[str]]) -> Callable[[str, random.Random], str]:
    return lambda text, dice: " ".join(put(text.split(" "), dice))


def _put(text: str, dice: random.Random, piece: str) -> str:
    at = dice.randint(0, len(text))
    return text[:at] + piece + text[at:]


# What is done to an answer; each may be done to what another one made.
BENDS: dict[str, Callable[[str, random.Random], str]] = {
    "as it is": lambda text, _: text,
    "cut": lambda text, dice: text[dice.randint(0, len(text)) :],
    "broken off": lambda text, dice: text[: dice.randint(0, len(text))],
    "no full stops": lambda text, _: text.replace(". ", " "),
    "commas for full stops": lambda text, _: text.replace(". ", ", "),
    "one line": lambda text, _: " ".join(text.split()),
    "a line for each word": lambda text, _: "\n".join(text.split()),
    "wrapped": _words(lambda words, dice: [f"{word}\n" if dice.random() < 0.1 else word for word in words]),
    "shuffled": _words(lambda words, dice: dice.sample(words, len(words))),
    "words lost": _words(lambda words, dice: [word for word in words if dice.random() < 0.9]),
    "small": lambda text, _: text.lower(),
    "CAPITALS": lambda text, _: text.upper(),
    "blanks lost": lambda text, dice: re.sub(r" ", lambda one: "" if dice.random() < 0.1 else " ", text),
    "letters from elsewhere": lambda text, _: text.translate(str.maketrans("aeopc", "аеорс")),
    "full width": lambda text, _: re.sub(r"[!-~]", lambda one: chr(ord(one[0]) + 0xFEE0), text),
    "hidden characters": lambda text, dice: re.sub(
        r"(?<=\w)", lambda _: "\u200b" * (dice.random() < 0.2), text
    ),
    "right to left": lambda text, dice: _put(text, dice, "\u202e"),
    "marks": lambda text, dice: re.sub(r"(?<=[a-z])", lambda _: "\u0301" * (dice.random() < 0.1), text),
    "another language": lambda text, dice: _put(text, dice, f" {dice.choice(FOREIGN)} "),
    "a fence": lambda text, dice: f"```{dice.choice(('', 'json', 'python', 'text'))}\n{text}\n```",
    "a fence that does not close": lambda text, dice: _put(text, dice, "\n```\n"),
    "a table": lambda text, _: "| a | b |\n|---|---|\n" + re.sub(r"\. ?", " |\n| ", f"| {text} |"),
    "LaTeX": lambda text, _: re.sub(r"\w+,", lambda one: f"$\\text{{{one[0]}}}$", text),
    "a formula": lambda text, dice: _put(text, dice, "\n\\[ x = \\frac{1}{2} \\]\n"),
    "JSON": lambda text, _: json.dumps({"answer": text, "done": True}),
    "JSON strings": lambda text, _: json.dumps(text.split(". "), indent=1),
    "YAML": lambda text, _: "answer: " + text.replace(". ", ".\nmore: "),
    "XML": lambda text, _: f"<answer>{text}</answer>",
    "a quotation": lambda text, _: "> " + text.replace("\n", "\n> "),
    "a list": lambda text, _: "- " + text.replace(". ", ".\n- "),
    "a heading": lambda text, _: f"# {text}",
    "bold": lambda text, _: re.sub(r"\b([A-Z]\w+)", r"**\1**", text),
    "brackets": lambda text, dice: _put(_put(text, dice, "("), dice, "["),
    "a comment": lambda text, _: f"<!-- {text} -->",
    "a link": lambda text, _: re.sub(r"\b([A-Z]\w+)", r"[\1](http://a.b/\1)", text),
}


def bent(text: str, ways: list[str], seed: int) -> str:
    """A stretch of a text, bent in these ways, one after the other."""
    dice = random.Random(seed)
    start = dice.randint(0, max(0, len(text) - 600))
    text = text[start : start + 600]
    for way in ways:
        text = BENDS[way](text, dice)
    return text


def bends(texts: list[str], *, but: tuple[str, ...] = ()) -> st.SearchStrategy[str]:
    ways = st.lists(st.sampled_from(sorted(BENDS.keys() - set(but))), min_size=1, max_size=3)
    return st.builds(bent, st.sampled_from(texts), ways, st.integers(0, 10**6))


@pytest.mark.parametrize("way", BENDS)
def test_every_way_to_bend_an_answer_leaves_no_word_untold(way: str) -> None:
    """Each word is in a claim, in a named non-claim, or told of as not checked."""
    assert untold(_VERIFIER.check(bent(ANSWERS[len(way) % len(ANSWERS)], [way], 1))) == []


@settings(max_examples=60, deadline=None)
@given(bends(ANSWERS) | bends(PAGES))
def test_no_word_is_untold_however_answers_are_bent(text: str) -> None:
    """The same for several ways at once, and for pages of a manual with code and tables."""
    assert untold(_VERIFIER.check(text)) == []


@settings(max_examples=20, deadline=None)
@given(bends(ANSWERS), st.integers(0, 10**6), st.sampled_from([NotChecked.OVERLOAD, NotChecked.DEADLINE]))
def test_what_comes_too_late_or_is_too_much_is_told(text: str, seed: int, reason: NotChecked) -> None:
    """Sentences that are passed over, or whose time is over, are not checked; with them nothing is clean."""
    dice, session = random.Random(seed), _VERIFIER.session()
    passed = 0
    for sentence in segment(text):
        if dice.random() < 0.5:
            session.check(sentence)
        elif reason is NotChecked.OVERLOAD:
            session.skip(sentence, reason)
            passed += 1
        else:
            session.check(sentence, deadline=0.0)
    report = session.report(text)
    assert untold(report) == []
    assert passed <= len(report.unchecked)
    assert not report.unchecked or report.outcome in (Outcome.NOT_CHECKED, Outcome.FLAGGED)


# How words stand in a call's arguments; keys are numbers, as what a key says is where a value stands.
CALLS: dict[str, Callable[[str], str]] = {
    "a value": lambda text: json.dumps({"1": text}),
    "as it is written": lambda text: json.dumps({"1": text}, ensure_ascii=False),
    "values": lambda text: json.dumps({"1": text.split(". "), "2": {"3": text[:50]}}, indent=2),
    "a text of JSON": lambda text: json.dumps({"1": json.dumps({"2": text})}),
    "broken off": lambda text: json.dumps({"1": text})[: len(text) // 2],
    "more behind it": lambda text: json.dumps({"1": 2}) + text,
    "no JSON": lambda text: text,
}


def told_of_call(arguments: str, size: int) -> Report:
    """The proxy's report on a call whose arguments come in pieces of this size."""
    exchange = Exchange(policy=load("block"), request=Request(), mode=Mode.BUFFER)
    judge, draft, found = Judge(exchange, lambda _: _VERIFIER.session()), Draft(json=True), []
    for at in range(0, len(arguments), size):
        found += draft.add(arguments[at : at + size])
    found += draft.end()
    while draft.pending:
        found += draft.read()
    for sentence in found:
        judge.judge(Verify(0, sentence), float("inf"))
    return judge.report(Summarise(0, draft.text, call=ToolCall(0, 0, 0))).report


@settings(max_examples=40, deadline=None)
@given(
    bends(ANSWERS, but=("JSON",)) | bends(PAGES, but=("JSON",)),
    st.sampled_from(sorted(CALLS)),
    st.integers(1, 300),
)
def test_no_word_in_the_arguments_of_a_call_is_untold(text: str, form: str, size: int) -> None:
    """As the proxy reads them, in pieces: what is JSON by its values, what is none as prose."""
    report = told_of_call(CALLS[form](text), size)
    assert report.text == CALLS[form](text)
    assert [gap for gap in untold(report) if not filler(_ESCAPE.sub(" ", gap))] == []


@settings(max_examples=20, deadline=None)
@given(bends(ANSWERS), st.integers(1, 200))
def test_sentences_leave_no_word_out(text: str, size: int) -> None:
    """Between the sentences of a stream nothing stands but blanks and markup."""
    at = [
        0,
        *itertools.chain.from_iterable((one.span.start, one.span.end) for one in segment(text)),
        len(text),
    ]
    between = [text[start:end] for start, end in itertools.pairwise(at)][::2]
    assert [piece for piece in between if re.search(r"[^\W\d_]{2}", piece)] == []
