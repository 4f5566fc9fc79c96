"""RefChecker's checking of claims against references: jointly, with or without the question, passage by passage.

Two things are done otherwise than there, on purpose. Labels that do not line up with the claims are an error and never
padded with Neutral. And passages that disagree are shown as a conflict, where RefChecker lets any Entailment win.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass

from guardrail.llm import Llm, Message, Question, Schema
from guardrail.llm.endpoint import Decider
from guardrail.llm.match import find_span
from guardrail.llm.model import wait
from guardrail.llm.prompts import fill
from guardrail.llm.reply import closed, read_json
from guardrail.types import Checker, Claim, Evidence, Label, Passage, Source, Span

__all__ = ["Checked", "check", "decided", "entailed", "localize", "merge", "question", "segments"]

_LABELS = {
    "Entailment": Label.ATTRIBUTABLE,
    "Neutral": Label.EXTRAPOLATORY,
    "Contradiction": Label.CONTRADICTORY,
}
_WORD = re.compile(r"[^\W_]+")
_NEAR = 0.6  # share of an element's words that a stretch must hold to be its place


@dataclass(frozen=True, slots=True)
class Checked:
    """One claim against all passages. `labels`: one per passage. `conflict`: one entails it and another contradicts it."""

    label: Label
    labels: tuple[Label, ...]

    @property
    def conflict(self) -> bool:
        return Label.ATTRIBUTABLE in self.labels and Label.CONTRADICTORY in self.labels


def check(
    llm: Llm,
    claims: Sequence[str],
    references: Sequence[str],
    *,
    asked: str = "",
    joint: int = 0,
    segment_length: int = 0,
    deadline: float | None = None,
) -> tuple[Checked, ...]:
    """Labels for `claims`, in order. Raises ModelError: there is no label for what was not judged.

    `joint`: claims per call (RefChecker's default is 5; 0: all of them, 1: each alone). `segment_length`: characters after
    which a long reference is cut; 0: never. All calls go out at once; without references every claim is Neutral.
    """
    if not claims or not references:
        return tuple(Checked(Label.EXTRAPOLATORY, ()) for _ in claims)
    size = joint or len(claims)
    groups = [claims[at : at + size] for at in range(0, len(claims), size)]
    passages = [segments(reference, segment_length) for reference in references]
    pending = [
        [[llm.submit(question(group, part, asked=asked)) for group in groups] for part in parts]
        for parts in passages
    ]
    per_passage = []
    for parts in pending:
        read = [[label for future in calls for label in wait(future, deadline).value] for calls in parts]
        # Segments of one passage complete each other: what one of them says, the passage says.
        per_passage.append([merge(labels).label for labels in zip(*read, strict=True)])
    return tuple(merge(labels) for labels in zip(*per_passage, strict=True))


def entailed(checker: Checker, claims: Sequence[str], references: Sequence[str]) -> tuple[Checked, ...]:
    """RefChecker's NLI checker: each claim against each reference on its own, by a checker of ours; no model is asked.

    What a checker has nothing to say about is Neutral: it has read the reference and found no support in it.
    """
    found = []
    for text in claims:
        claim = Claim(0, Span(0, len(text)), text, text)
        verdicts = [
            checker.check(claim, Evidence(passages=(Passage(str(number), reference, Source.REQUEST),)))
            for number, reference in enumerate(references)
        ]
        found.append(merge([verdict.label if verdict else Label.EXTRAPOLATORY for verdict in verdicts]))
    return tuple(found)


def decided(decider: Decider, claims: Sequence[str], references: Sequence[str]) -> tuple[Checked, ...]:
    """The likeliest label by an endpoint that gives probabilities, one call per reference. Raises ModelError."""
    per_passage = [
        [max(Label, key=lambda label: given[label]) for given in decider.decide(reference, claims)]
        for reference in references
    ]
    return tuple(merge([labels[at] for labels in per_passage]) for at in range(len(claims)))


def question(claims: Sequence[str], reference: str, *, asked: str = "") -> Question[tuple[Label, ...]]:
    """One joint question; the reference comes first, so that a prefix cache reads it once."""
    prompt = fill(
        "refcheck",
        reference=json.dumps(reference, ensure_ascii=False),
        question=json.dumps(asked, ensure_ascii=False) if asked else "none",
        claims="\n".join(
            f"{number}. {json.dumps(claim, ensure_ascii=False)}" for number, claim in enumerate(claims, 1)
        ),
    )
    item = {"type": "string", "enum": list(_LABELS)}
    count = len(claims)
    schema = Schema(
        "labels", closed(labels={"type": "array", "items": item, "minItems": count, "maxItems": count})
    )
    return Question(
        (Message("user", prompt),),
        lambda reply: tuple(_LABELS[label] for label in read_json(reply, schema.body)["labels"]),
        schema,
        max_tokens=64 + 16 * count,
    )


def merge(labels: Sequence[Label]) -> Checked:
    """Several passages' labels as one: one that speaks beats those that are silent; disagreement decides nothing."""
    speaking = set(labels) - {Label.EXTRAPOLATORY}
    label = speaking.pop() if len(speaking) == 1 else Label.EXTRAPOLATORY
    return Checked(label, tuple(labels))


def segments(text: str, length: int) -> list[str]:
    """`text` in pieces of about `length` characters, cut at white space; whole when it is short or `length` is 0."""
    if not length or len(text) <= length:
        return [text]
    pieces: list[str] = []
    at = 0
    while at < len(text):
        end = min(at + length, len(text))
        if end < len(text):
            space = text.rfind(" ", at + length // 2, end)
            end = space if space > at else end
        pieces.append(text[at:end])
        at = end
    return pieces


def localize(parts: Sequence[str], text: str) -> tuple[Span | None, ...]:
    """Where head, relation and tail of a claim stand in a response or a reference, each on its own; None where they do not.

    First the words as they are, then the shortest stretch that holds most of them. RefChecker compares static embeddings of
    single tokens; a name that is there is found by its letters.
    """
    return tuple(find_span(text, part) or _stretch(part, text) for part in parts)


def _stretch(part: str, text: str) -> Span | None:
    wanted = {word.casefold() for word in _WORD.findall(part)}
    if not wanted:
        return None
    found = [(match.span(), match[0].casefold()) for match in _WORD.finditer(text)]
    places = [(span, word) for span, word in found if word in wanted]
    best: tuple[int, int, Span] | None = None  # fewest words missing, then shortest
    for first, (start, _) in enumerate(places):
        seen: set[str] = set()
        for span, word in places[first:]:
            seen.add(word)
            stretch = Span(start[0], span[1])
            if len(stretch) > 3 * len(part) + 20:
                break
            rank = (len(wanted) - len(seen), len(stretch), stretch)
            best = rank if best is None or rank < best else best
    if best is None or best[0] > (1 - _NEAR) * len(wanted):
        return None
    return best[2]
