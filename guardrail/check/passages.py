"""Compares a claim with sentences of passages before any model reads them: word by word, and fact by fact.

What a sentence says is read by the same reader as the claim (`Reader`, handed in). A sentence that is the claim, or whose
facts are the claim's, supports it; one that differs in a single date, number, opposite or single-valued object refutes it.
All else, and whatever is told as possible or as somebody's word, is left to the next checker.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from guardrail import ontology
from guardrail.check.covering import EMPTY, alike, dates, in_arguments, limited, within
from guardrail.check.relations import negates
from guardrail.check.told import ONE_NAME, told
from guardrail.check.wording import Item, compared, doubtful, items, repeatable, value_keys
from guardrail.segment import segment
from guardrail.types import (
    Argument,
    Claim,
    Evidence,
    Fact,
    Kind,
    Label,
    Node,
    Object,
    Passage,
    Sentence,
    Slot,
    Span,
    Verdict,
)
from guardrail.values import compare

__all__ = ["PassageChecker", "Read", "Reader", "marked", "plain", "quoted"]

SAME, TOLD, DIFFERS, OTHER = 0.97, 0.93, 0.92, 0.9
_NEAR = 0.5  # of the claim's words: a sentence with fewer of them is not read
_READ = 6  # sentences per claim, the nearest first
_LONG = 1_500  # characters: a longer passage is read sentence by sentence
_HELD = 20_000  # characters of a passage that are searched for the claimed value
_WORD = re.compile(r"[^\W_]+")
_QUOTED = 160
_LIMITABLE = frozenset(ontology.ids("limitable"))


@dataclass(frozen=True, slots=True)
class Read:
    """A sentence of a passage as it was read; all spans are places of the passage's text."""

    sentence: Sentence
    claims: tuple[Claim, ...] = ()


Reader = Callable[[Passage], Sequence[Read]]


@dataclass(frozen=True, slots=True)
class _Found:
    """What one sentence says of the claim."""

    label: Label
    confidence: float
    passage: Passage
    sentence: Sentence
    claimed: str = ""
    known: str = ""
    relation: str = ""
    value: Object | None = None  # what is known, to be put in the place of what is claimed
    fact: int = 0
    one: bool = False  # the relation has one name at a time, and the sentence gives it


class PassageChecker:
    """Implements `Checker`. None for what the sentences do not plainly say."""

    name = "symbolic:passages"

    def __init__(self, read: Reader) -> None:
        self._read = read

    def check(self, claim: Claim, evidence: Evidence) -> Verdict | None:
        if claim.kind is not Kind.FACT or claim.reason is not None or not evidence.passages:
            return None
        near = self._near(claim, evidence)
        found = [one for passage, read in near for one in _by_wording(claim, passage, read)]
        found += _by_facts(claim, near)
        supports = [one for one in found if one.label is Label.ATTRIBUTABLE]
        refutals = [one for one in found if one.label is Label.CONTRADICTORY]
        if supports and not refutals and not evidence.unread:
            return _verdict(claim, max(supports, key=lambda one: one.confidence))
        refutals = [one for one in refutals if not _held_elsewhere(one, evidence)]
        if refutals and not supports and (_named(claim) or _one_document([passage for passage, _ in near])):
            return _verdict(claim, max(refutals, key=lambda one: one.confidence))
        return None

    def _near(self, claim: Claim, evidence: Evidence) -> list[tuple[Passage, Read]]:
        """The sentences that share most words with the claim, each with its passage."""
        wanted = _content(claim.resolved)
        ranked: list[tuple[float, Passage, Read]] = []
        for passage in evidence.passages:
            if _share(wanted, f"{passage.title} {passage.about} {passage.text}") < _NEAR:
                continue
            for read in self._sentences(passage, wanted):
                said = " ".join([read.sentence.text, *(one.resolved for one in read.claims)])
                if (share := _share(wanted, said)) >= _NEAR:
                    ranked.append((share, passage, read))
        ranked.sort(key=lambda one: -one[0])
        return [(passage, read) for _, passage, read in ranked[:_READ]]

    def _sentences(self, passage: Passage, wanted: frozenset[str]) -> Iterator[Read]:
        """The passage as it is read; of a long one only the nearest sentences, each by itself."""
        if len(passage.text) <= _LONG:
            yield from self._read(passage)
            return
        ranked = sorted(segment(passage.text), key=lambda one: -_share(wanted, one.text))
        for sentence in ranked[:_READ]:
            for read in self._read(replace(passage, text=sentence.text)):
                yield replace(
                    read, sentence=replace(read.sentence, span=read.sentence.span.shift(sentence.span.start))
                )


def _content(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold())) - EMPTY


def _share(wanted: frozenset[str], text: str) -> float:
    return len(wanted & _content(text)) / max(len(wanted), 1)


# ── by its words ──────────────────────────────────────────────────────────────────────────────────────


def _by_wording(claim: Claim, passage: Passage, read: Read) -> Iterator[_Found]:
    for text in _wordings(read):
        difference = compared(claim.resolved, text)
        if difference is None:
            continue
        if difference.state == "agree":
            yield _Found(Label.ATTRIBUTABLE, SAME, passage, read.sentence)
            return
        ours, theirs = difference.claimed, difference.known
        yield _Found(
            Label.CONTRADICTORY,
            DIFFERS,
            passage,
            read.sentence,
            ours.text if ours else "",
            theirs.text if theirs else "",
            value=None if difference.denied else _object(theirs),
        )


def _wordings(read: Read) -> Iterator[str]:
    """The sentence, and each claim that it makes, standing alone; none of them where it only reports."""
    yield read.sentence.text
    if not doubtful(read.sentence.text) and all(claim.kind is Kind.FACT for claim in read.claims):
        yield from (claim.resolved for claim in read.claims if claim.reason is None)


def _object(known: Item | None) -> Object | None:
    """What the sentence has in the place of the claimed word."""
    if known is None:
        return None
    return known.value.value if known.value is not None else Node("", known.text)


# ── by its facts ──────────────────────────────────────────────────────────────────────────────────────


def _by_facts(claim: Claim, near: Sequence[tuple[Passage, Read]]) -> list[_Found]:
    """Support where every fact is told and no word of the claim is left over; a refutal where one is told otherwise."""
    states: list[tuple[str, _Found]] = []
    agreed: set[int] = set()
    for passage, read in near:
        if doubtful(read.sentence.text):
            continue
        for other in (fact for one in read.claims if plain(one) for fact in one.facts):
            for index, fact in enumerate(claim.facts):
                state = told(fact, other)
                if state == "agree":
                    agreed.add(index)
                if state != "unknown":
                    states.append((state, _compared(claim, index, other, passage, read, state)))
    refutals = [
        one
        for state, one in states
        if state == "conflict" and not _settled(one.fact, agreed, claim) and _comparable(one, claim)
    ]
    if refutals:
        return refutals[:1]
    supports = [one for state, one in states if state == "agree"]
    if supports and _all_told(claim, agreed) and _nothing_left(claim, supports, near):
        return supports[:1]
    return []


def plain(one: Claim) -> bool:
    """Whether a claim is told without doubt and denies nothing: "neither a town nor a village" is read as two facts."""
    return one.kind is Kind.FACT and one.reason is None and not negates(f"{one.text} {one.resolved}")


def _compared(claim: Claim, index: int, other: Fact, passage: Passage, read: Read, state: str) -> _Found:
    fact = claim.facts[index]
    claimed, known = _value_end(fact), _value_end(other)
    return _Found(
        Label.ATTRIBUTABLE if state == "agree" else Label.CONTRADICTORY,
        TOLD if state == "agree" else OTHER,
        passage,
        read.sentence,
        claimed.text,
        known.text,
        fact.predicate,
        known.value or Node("", known.text),
        index,
        one=any(relation.removeprefix("^") in ONE_NAME for relation in fact.relations[:1]),
    )


def _backwards(fact: Fact) -> bool:
    return bool(fact.relations) and fact.relations[0].startswith("^")


def _value_end(fact: Fact) -> Argument:
    """The end that may differ: of "Holm directed Blue Sky" it is Holm, as the film has one director."""
    return fact.subject if _backwards(fact) else fact.object


def _comparable(found: _Found, claim: Claim) -> bool:
    """A number is refuted only by a sentence that has every other word of the claim, no other date and no other such number.

    What limits it makes it another: "$25 for adults"; so it does with a release, "in Germany".
    """
    fact = claim.facts[found.fact]
    value = fact.object.value
    ours, said = items(claim.resolved), items(found.sentence.text)
    if value is None or value.datatype != "quantity":
        return not _LIMITABLE.intersection(fact.relations) or not limited(ours, said)
    wanted = [item for item in ours if item.key not in EMPTY and item.text != found.claimed]
    if (repeatable(claim.resolved) and not dates(ours)) or limited(ours, said):
        return False
    numbers = [i for i in said if i.value and i.value.value and compare(value, i.value.value) != "unknown"]
    same_words = all(any(alike(one, other) for other in said) for one in wanted)
    return same_words and len(numbers) == 1 and dates(ours) == dates(said)


def _settled(index: int, agreed: set[int], claim: Claim) -> bool:
    """Whether another sentence, or another reading of the same words, says what the fact says."""
    place = claim.facts[index].object.span
    return any(at == index or claim.facts[at].object.span == place for at in agreed)


def _all_told(claim: Claim, agreed: set[int]) -> bool:
    """Whether every fact agrees, or is another reading of words that agree."""
    places = {claim.facts[index].object.span for index in agreed}
    return all(index in agreed or fact.object.span in places for index, fact in enumerate(claim.facts))


def _nothing_left(claim: Claim, supports: Sequence[_Found], near: Sequence[tuple[Passage, Read]]) -> bool:
    """Whether one wording of a sentence that supports it holds all words of the claim: in its order, or argument by argument.

    Facts name heads; "western X and eastern Y" has those of "eastern X and western Y".
    """
    spans = {(id(one.passage), one.sentence.span) for one in supports}
    wanted = [item for item in items(claim.resolved) if item.key not in EMPTY]
    for passage, read in near:
        if (id(passage), read.sentence.span) not in spans:
            continue
        for text in (read.sentence.text, *(one.resolved for one in read.claims)):
            said = [item for item in items(text) if item.key not in EMPTY]
            if within(wanted, said) or in_arguments(wanted, said, claim):
                return True
    return False


# ── what a refutal needs besides ──────────────────────────────────────────────────────────────────────


def _named(claim: Claim) -> bool:
    """Whether the claim names anything: "the company" is another one in each document."""
    inner = claim.resolved.partition(" ")[2]
    return any(mention.text[:1].isupper() for mention in claim.mentions) or any(map(str.isupper, inner))


def _one_document(passages: Sequence[Passage]) -> bool:
    """Whether all passages that speak of it are parts of one."""
    return len({(p.source, p.title, p.url, p.id.partition("#")[0]) for p in passages}) == 1


def _held_elsewhere(found: _Found, evidence: Evidence) -> bool:
    """Whether the claimed words stand in the evidence too: then the sentence may speak of something else.

    Not where it gives the one name that there can be: whoever else is named there is something else.
    """
    keys = {item.key for item in items(found.claimed) if item.value is not None}
    words = {item.key for item in items(found.claimed)}
    if not keys:  # a word: only where it stands in that very sentence; a name: anywhere
        name = found.claimed.split()[-1] if found.claimed[:1].isupper() else ""
        named = bool(name) and not found.one and any(name in passage.text for passage in evidence.passages)
        return named or bool(words & {item.key for item in items(found.sentence.text)})
    return any(keys & value_keys(passage.text[:_HELD]) for passage in evidence.passages)


# ── the verdict ───────────────────────────────────────────────────────────────────────────────────────


def quoted(sentence: Sentence) -> str:
    """A sentence in one line, shortened for a rationale."""
    flat = " ".join(sentence.text.split())
    return flat if len(flat) <= _QUOTED else f"{flat[:_QUOTED].rsplit(' ', 1)[0]} …"


def marked(passage: Passage, sentence: Sentence) -> Passage:
    """The passage with the words of the sentence marked that retrieval found shared, or else the whole sentence."""
    words = tuple(word for word in passage.marks if sentence.span.contains(word))
    return replace(passage, marks=words or (sentence.span,))


def _verdict(claim: Claim, found: _Found) -> Verdict:
    quote = quoted(found.sentence)
    agrees = found.label is Label.ATTRIBUTABLE
    if agrees:
        why = f"The passage “{quote}” says so."
    else:
        why = f"The passage “{quote}” says “{found.known}” where the claim says “{found.claimed}”."
    evidence = Evidence(passages=(marked(found.passage, found.sentence),))
    slot = None if agrees and not found.claimed else _slot(claim, found)
    return Verdict(
        claim,
        found.label,
        found.confidence,
        evidence,
        why,
        PassageChecker.name,
        slot=slot,
        slots=(slot,) if slot else (),
    )


def _slot(claim: Claim, found: _Found) -> Slot:
    conflict = found.label is Label.CONTRADICTORY
    at = claim.text.find(found.claimed)
    once = at >= 0 and claim.text.find(found.claimed, at + 1) < 0
    start = claim.span.start + at
    return Slot(
        property=found.relation or "wording",
        claimed=found.claimed,
        known=found.known,
        cardinality="single",
        state="conflict" if conflict else "agree",
        span=Span(start, start + len(found.claimed)) if once else None,
        fact=found.fact,
        values=(found.value,) if found.value is not None else (),
        answers=1,
    )
