"""Claims of lists and tables: "Capital: Paris" below the heading "France", and the cells of a row.

What a line is about stands elsewhere: in the heading, in the lead-in, in the first cell, or it is the topic of the answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from guardrail.claims.arguments.arguments import Arguments
from guardrail.claims.facts.questions import question
from guardrail.claims.lexicon.relations import Frame, Lexicon, noun_key
from guardrail.claims.lexicon.words import verb_stem
from guardrail.language.lists import word_list
from guardrail.segment.tables import parts
from guardrail.types import Argument, Fact, Mention, Sentence, Span

__all__ = ["Cell", "Listings", "cells_of"]

_KEY = re.compile(r"[\s*_`]*([^\W\d_][\w '’/&.()-]{0,50}?)[\s*_`]*:[\s*_`]*(?=\S)(?!//)")
_SAYS = re.compile(r"\w")
_RANK = re.compile(r"#?\d{1,3}[.)]?")
_GENERIC = word_list("keys")
_VALUES = word_list("values")
_NO_NAME = re.compile(r"^(?:[\s*_`]|<[^<>]{0,400}>)+|(?:[\s*_`.]|<[^<>]{0,400}>)+$")


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell of a table row, or the value behind a colon. `head`: its column's head, or the key."""

    head: str
    text: str
    span: Span


def cells_of(sentence: Sentence) -> list[Cell]:
    """The cells of a row with their places; what is between the bars, without blanks and emphasis."""
    out = []
    at = sentence.span.start
    for number, part in enumerate(parts(_inner(sentence.text))):
        start = sentence.text.index(part, at - sentence.span.start) + sentence.span.start
        bare = _NO_NAME.sub("", part)
        bare = part.strip() if bare.count("**") % 2 else bare  # "**68** million" is emphasised in part
        inset = part.find(bare) if bare else 0
        head = sentence.header[number] if number < len(sentence.header) else ""
        out.append(Cell(head, bare, Span(start + inset, start + inset + len(bare))))
        at = start + len(part)
    return out


def _inner(row: str) -> str:
    return row.strip().removeprefix("|").removesuffix("|")


def _sets_out_properties(first: Cell, second: Cell) -> bool:
    """Whether a table of two columns has properties of one thing in the first: "Feature | Value", " | Details"."""
    return bool(second.head) and (
        not first.head or first.head.lower() in _GENERIC or second.head.lower() in _VALUES
    )


def _numbered(cells: Sequence[Cell]) -> bool:
    """Whether the first cell of a row is its number: "| 1 | Mount Everest | 8,849 m |"."""
    return len(cells) > 2 and _RANK.fullmatch(cells[0].text) is not None and not cells[1].text[:1].isdigit()


@dataclass(slots=True)
class Listings:
    """Facts of keys and values about one thing."""

    arguments: Arguments
    lexicon: Lexicon
    topic: Mention | None  # what the text was about before this line

    def pair(self) -> Cell | None:
        """The value of a line "Key: value" whose key is a known relation; None for any other line."""
        sentence = self.arguments.reading.sentence
        match = _KEY.match(sentence.text)
        if match is None or not self._frames(match.group(1)) or self._sentence_behind(match.end()):
            return None
        text = sentence.text[match.end() :]
        value = _NO_NAME.sub("", text)
        start = sentence.span.start + match.end() + text.find(value)
        return Cell(match.group(1), value, Span(start, start + len(value))) if value else None

    def _sentence_behind(self, at: int) -> bool:
        """Whether a whole sentence stands behind the colon: "Death: She died in Ulm" says more than a value would."""
        reading = self.arguments.reading
        for clause in reading.clauses:
            if clause.vg is not None and clause.vg.form == "finite" and clause.subject is not None:
                return reading.tokens[clause.subject.first].start >= at
        return False

    def about(self) -> Argument | None:
        """What the line is about: the name in the heading, else the topic of the text."""
        sentence = self.arguments.reading.sentence
        heading, entries = sentence.heading, self.arguments.discourse.entries.values()
        names = [one.mention for one in entries if not sentence.span.contains(one.mention.span)]
        named = [mention for mention in names if mention.text in heading]
        mention = max(named, key=lambda one: len(one.text)) if named else self.topic
        if mention is not None:
            return Argument(mention.text, None, (mention,))
        return Argument(heading) if heading else None

    def row(self, cells: list[Cell]) -> Iterator[tuple[Cell, Fact]]:
        """A fact for each further cell of a row about the first one; in a table of properties, about the topic."""
        if _numbered(cells):
            cells = cells[1:]
        if len(cells) < 2:
            return
        first, subject = cells[0], self._argument(cells[0])
        if len(cells) == 2 and (_sets_out_properties(*cells) or self._keyed(*cells)):
            subject = self.about() or Argument(first.text, first.span)
            cells = [first, Cell(first.text, cells[1].text, cells[1].span)]
        for cell in cells[1:]:
            if cell.head and _SAYS.search(cell.text):
                yield cell, self.fact(subject, cell)

    def _keyed(self, first: Cell, second: Cell) -> bool:
        """Whether a row without a head has a known property in its first cell."""
        headless = not first.head and not second.head
        return headless and self.about() is not None and bool(self._frames(first.text))

    def fact(self, subject: Argument, cell: Cell) -> Fact:
        """(subject; key; value) with the relations that the key names."""
        what = self._argument(cell)
        relations = self.arguments.compatible(self._frames(cell.head), subject, what)
        kind = self.arguments.type_of(what) or (
            self.lexicon.ranges.get(relations[0], "") if relations else ""
        )
        fact = Fact(subject, cell.head.lower(), what, relations=relations, object_type=kind)
        return Fact(subject, fact.predicate, what, (), relations, kind, question(fact, self.lexicon))

    def _argument(self, cell: Cell) -> Argument:
        reading = self.arguments.reading
        value = next((v for v in reading.values if v.span is not None and cell.span.contains(v.span)), None)
        if value is not None and value.span is not None and len(value.span) >= 0.5 * len(cell.span):
            return value
        inside = reading.mentions_in(cell.span)
        return Argument(cell.text, cell.span, inside or (Mention(cell.span, cell.text),))

    def _frames(self, key: str) -> tuple[Frame, ...]:
        words = [word for word in re.findall(r"[\w'-]+", key.lower()) if word not in ("the", "of")]
        if not words:
            return ()
        frames = self.lexicon.nouns.get((noun_key(words),), ())
        verb = words[0]
        for voice in ("passive", "active"):
            for path in (" ".join(words[1:]), *(("in", "on", "by", "at") if len(words) == 1 else ())):
                frames += self.lexicon.verbs.get((voice, verb_stem(verb), path), ()) if len(verb) > 3 else ()
        return frames
