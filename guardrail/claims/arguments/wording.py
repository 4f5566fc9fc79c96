"""The wording of a claim that stands alone: pronouns and relative words replaced, a missing subject supplied."""

from __future__ import annotations

import re
from collections.abc import Sequence

from guardrail.claims.arguments.arguments import Arguments
from guardrail.claims.reading.chunks import NP
from guardrail.claims.reading.clauses import Clause
from guardrail.types import Span

__all__ = ["resolved"]

_LEADING = re.compile(
    r"^(?:[\s,;:()–—-]|\b(?:and|but|or|nor|although|though|while|whereas|that)\b\s)+", re.IGNORECASE
)
_MARKS = re.compile(r"\*{1,3}|`+|\[\^?\d[\d,\s–-]*\]|【[^】\n]{1,30}】")


def resolved(span: Span, clauses: Sequence[Clause], arguments: Arguments, first: int, last: int) -> str:
    """`span` with names for what only points at them. `first`…`last`: its tokens; `clauses`: those that begin in it."""
    reading = arguments.reading
    offset = reading.sentence.span.start
    edits = _pronouns(arguments, first, last)
    lead = clauses[0] if clauses else None
    prefix = ""
    if lead is not None and lead.subject is not None and not first <= lead.subject.first <= last:
        prefix = _name(arguments, lead.subject)
        if lead.link in ("who", "which", "that") and lead.role == "relative":
            edits.append((reading.tokens[lead.start].start, reading.tokens[lead.start].end, ""))
        elif lead.vg is not None and lead.vg.form == "participle":
            prefix += " was" if lead.vg.past else " is"
    elif (
        lead is not None and lead.role == "relative" and lead.antecedent is not None and lead.link == "whose"
    ):
        token = reading.tokens[lead.start]
        edits.append((token.start, token.end, _possessive(_name(arguments, lead.antecedent))))
    text, at = "", span.start - offset
    for start, end, words in sorted(edits):
        if start >= at and end <= span.end - offset:
            text += reading.sentence.text[at:start] + words
            at = end
    text += reading.sentence.text[at : span.end - offset]
    text = _MARKS.sub("", text)
    if prefix or (lead is not None and lead.role != "main"):
        text = _LEADING.sub("", text)
    return re.sub(r"\s+", " ", f"{prefix} {text}").strip()


def _pronouns(arguments: Arguments, first: int, last: int) -> list[tuple[int, int, str]]:
    edits = []
    tokens = arguments.reading.tokens
    for chunk in arguments.reading.chunks:
        if not isinstance(chunk, NP) or not first <= chunk.first <= last:
            continue
        for np in (chunk, *chunk.of, *chunk.also):
            found = arguments.referents.get(id(np))
            if np.kind in ("pronoun", "common") and found is not None:
                name = found.text
                if np.kind == "pronoun" and tokens[np.head].tag == "PRP$":
                    name = _possessive(name)
                edits.append((tokens[np.first].start, tokens[np.last].end, name))
            elif (owner := arguments.owners.get(id(np))) is not None:
                at = next((i for i in range(np.first, np.last + 1) if tokens[i].low == np.det), np.first)
                edits.append((tokens[at].start, tokens[at].end, _possessive(owner.text)))
    return edits


def _name(arguments: Arguments, np: NP) -> str:
    argument = arguments.of(np)
    if np.kind != "name" and argument.mention is not None and arguments.referents.get(id(np)) is not None:
        return argument.mention.text
    first = np.first
    while (
        first < np.last
        and np.kind == "name"
        and arguments.reading.tokens[first].tag == "DT"
        and arguments.reading.tokens[first].text.islower()
    ):
        first += 1
    names = [arguments.reading.words(first, np.end)]
    names += [arguments.of(other).text for other in np.also]
    return " and ".join(names)


def _possessive(name: str) -> str:
    return name + ("'" if name.endswith("s") else "'s")
