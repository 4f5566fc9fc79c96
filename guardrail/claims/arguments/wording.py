"""The wording of a claim that stands alone: pronouns and relative words replaced, a missing subject supplied."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from guardrail.claims.arguments.arguments import Arguments
from guardrail.claims.reading.chunks import NP
from guardrail.claims.reading.clauses import Clause
from guardrail.types import Span

__all__ = ["resolved"]

_SUBJECTS = ("nsubj", "csubj", "expl")
_LEADING = re.compile(
    r"^(?:[\s,;:()–—-]|\b(?:and|but|or|nor|although|though|while|whereas|that)\b\s)+", re.IGNORECASE
)
_MARKS = re.compile(r"\*{1,3}|`+|\[\^?\d[\d,\s–-]*\]|【[^】\n]{1,30}】")


def resolved(span: Span, clauses: Sequence[Clause], arguments: Arguments, first: int, last: int) -> str:
    """`span` with names for what only points at them. `first`…`last`: its tokens; `clauses`: those that begin in it."""
    lead = clauses[0] if clauses else None
    edits = _pronouns(arguments, first, last)
    prefix = ""
    if lead is not None:
        outside = (
            lead.subject is not None
            and not first <= lead.subject.first <= last
            and not _says_who(lead, arguments, first)
        )
        prefix = _subject(lead, arguments) if outside else ""
        edits.extend(_relative_word(lead, arguments, outside=outside))
    text = _MARKS.sub("", _edited(arguments, span, edits))
    if prefix or (lead is not None and lead.role != "main"):
        text = _LEADING.sub("", text)
    return re.sub(r"\s+", " ", f"{prefix} {text}").strip()


def _subject(lead: Clause, arguments: Arguments) -> str:
    """The name of a subject that stands elsewhere, with the auxiliary that a participle lacks."""
    if lead.subject is None:
        return ""
    name = _name(arguments, lead.subject)
    if _is_relative(lead) or lead.vg is None or lead.vg.form != "participle":
        return name
    return f"{name} was" if lead.vg.past else f"{name} is"


def _says_who(lead: Clause, arguments: Arguments, first: int) -> bool:
    """Whether the words before the verb have a subject, or none is missed: "so there is always reed", "Having paid, …"."""
    if _is_relative(lead) or lead.vg is None:
        return False
    tokens = arguments.reading.tokens[first : lead.vg.first + 1]
    fronted = first == 0 and tokens[-1].tag == "VBG"
    return fronted or any(one.dep.split(":")[0] in _SUBJECTS for one in tokens)


def _is_relative(lead: Clause) -> bool:
    return lead.role == "relative" and lead.link in ("who", "which", "that")


def _relative_word(lead: Clause, arguments: Arguments, *, outside: bool) -> Iterator[tuple[int, int, str]]:
    """What takes the place of the relative word: nothing behind the subject's name, or whose it is."""
    token = arguments.reading.tokens[lead.start]
    if outside:
        if _is_relative(lead):
            yield token.start, token.end, ""
    elif lead.role == "relative" and lead.link == "whose" and lead.antecedent is not None:
        yield token.start, token.end, _possessive(_name(arguments, lead.antecedent))


def _edited(arguments: Arguments, span: Span, edits: Sequence[tuple[int, int, str]]) -> str:
    """The text of a span with other words in the places of the edits that lie in it."""
    sentence = arguments.reading.sentence
    text, at, stop = "", span.start - sentence.span.start, span.end - sentence.span.start
    for start, end, words in sorted(edits):
        if start >= at and end <= stop:
            text += sentence.text[at:start] + words
            at = end
    return text + sentence.text[at:stop]


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
