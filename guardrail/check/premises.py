"""Evidence in the form a cross-encoder reads: premises that fit its window, each with what it was made of.

Triplets: `Subject: predicate: object, object; predicate: object (qualifier: value).`, paths kept whole. Passages: runs of
sentences as they are, with the title before them where they do not name it. Nothing is cut off silently: what a limit
leaves out is counted, unless it shares no content word with the claim.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from guardrail.types import Evidence, Passage, Span, Triplet

__all__ = ["Premise", "Premises", "bearing", "joining", "lines", "naming", "premises", "sentences"]

Measure = Callable[[Sequence[str]], list[int]]  # texts → their lengths in tokens

_TRIPLETS = 24  # ranked; the retriever gives far fewer
_RUN = 100  # tokens of a part of a long passage; some development sets like 48 better, some 240
_WINDOWS = 24  # premises made from passages, the nearest to the claim first
_SINGLE = 3  # sentences that are read alone, too
_NEAR = 0.5  # of the claim's content words: a sentence with fewer of them is not
_CONTAINMENT = re.compile(
    r"\b(country|continent|located|location|part of|subclass|instance|belongs|parent)\b", re.I
)
_SENTENCE = re.compile(r"[^\n]*?(?:[.!?][\"'”’)\]]*(?=\s)|\n|$)", re.DOTALL)
_WORD = re.compile(r"\w+")
# The share of a claim's content words, and how many of them may be missing whatever their share.
_HALF, _FEW = 0.5, 4
_EMPTY = frozenset(
    "a an and are as at be by for from had has have he her his in is it its of on or she that the their they this to was"
    " were which who with".split()
)


@dataclass(frozen=True, slots=True)
class Premise:
    """`evidence` holds what the text was made of, a passage with the part that was read as its mark."""

    text: str
    kind: str  # "triplets" or "passages"
    evidence: Evidence
    overlap: float  # share of the claim's content words that it holds
    alone: bool = False  # a sentence out of another premise


@dataclass(frozen=True, slots=True)
class Premises:
    """`unread`: how many pieces of evidence were left out though they share words with the claim."""

    read: tuple[Premise, ...]
    unread: int = 0


def premises(claim: str, evidence: Evidence, *, room: int, measure: Measure) -> Premises:
    """All that `claim` is to be checked against, each premise at most `room` tokens long.

    A single statement or sentence longer than `room` is divided between words.
    """
    wanted = _words(claim)
    packed, left = _triplets(evidence, wanted, room=room, measure=measure)
    windows = [
        w for passage in evidence.passages for w in _windows(passage, wanted, room=room, measure=measure)
    ]
    windows.sort(key=lambda premise: -premise.overlap)
    related = sum(premise.overlap > 0 for premise in windows[_WINDOWS:])
    kept = windows[:_WINDOWS]
    return Premises((*packed, *kept, *_nearest(kept, wanted)), unread=left + related)


def _nearest(windows: Sequence[Premise], wanted: frozenset[str]) -> list[Premise]:
    """The single sentences that hold most of the claim: those around them lead a small model astray.

    They may support it and not refute it, for what refutes a claim must not be taken out of its context.
    """
    single = [
        replace(one, overlap=_overlap(wanted, one.text), alone=True)
        for window in windows
        for one in sentences(window)
        if one.text != window.text
    ]
    single = [one for one in single if one.overlap >= _NEAR]
    single.sort(key=lambda premise: -premise.overlap)
    return list({one.text: one for one in single[:_SINGLE]}.values())


def sentences(premise: Premise) -> tuple[Premise, ...]:
    """The sentences of a premise made from a passage, each as a premise of its own; of any other the premise itself."""
    if not premise.evidence.passages:
        return (premise,)
    (passage,) = premise.evidence.passages
    (run,) = passage.marks
    head = premise.text.removesuffix(run.of(passage.text).strip())
    found = []
    for span in _sentences(run.of(passage.text)):
        mark = span.shift(run.start)
        text = f"{head}{mark.of(passage.text)}"
        found.append(
            Premise(
                text, premise.kind, Evidence(passages=(replace(passage, marks=(mark,)),)), premise.overlap
            )
        )
    return tuple(found)


def joining(premise: Premise, claim: str) -> tuple[Triplet, ...]:
    """The statements of the premise that join two things which the claim names, the object in full.

    A small model takes what others have, or what the subject is near to, for what the subject has; without such a statement
    nothing can support a claim. What follows over several statements is for the graph to say.
    """
    wanted = _words(claim)
    return tuple(
        triplet
        for triplet in premise.evidence.triplets
        if _named(triplet.subject.label, wanted, share=0.5)
        and _named(triplet.object.label, wanted, share=1.0)
    )


def naming(premise: Premise, names: Sequence[str]) -> bool:
    """Whether the premise is about anything that bears one of these names; True where there is no name to look for."""
    wanted = frozenset(word for name in names for word in _words(name))
    (passage,) = premise.evidence.passages or (None,)
    where = premise.text if passage is None else f"{passage.title} {passage.about} {passage.text}"
    return not wanted or bool(wanted & _words(where))


def bearing(text: str, claim: str) -> bool:
    """Whether the text of a premise holds half of the claim's content words, or all but a few.

    What refutes a claim differs from it in one slot. Of contradictions seen where less is shared under half are right
    (development sets of `make eval SUITE=nli-natural`), of the others four in five.
    """
    wanted, held = _words(claim), _words(text)
    return len(wanted & held) >= _HALF * len(wanted) or len(wanted - held) <= _FEW


def lines(rows: Iterable[tuple[str, str, str]]) -> str:
    """Rows of (subject, predicate, object) in wire form, grouped by subject and predicate in order of appearance."""
    grouped: dict[str, dict[str, list[str]]] = {}
    for subject, predicate, object_ in rows:
        objects = grouped.setdefault(subject, {}).setdefault(predicate, [])
        if object_ not in objects:
            objects.append(object_)
    return " ".join(
        f"{subject}: "
        + "; ".join(f"{predicate}: {', '.join(objects)}" for predicate, objects in rest.items())
        + "."
        for subject, rest in grouped.items()
    )


def _row(triplet: Triplet) -> tuple[str, str, str]:
    more = ", ".join(f"{q.predicate.label}: {q.object.label}" for q in triplet.qualifiers)
    object_ = f"{triplet.object.label} ({more})" if more else triplet.object.label
    return triplet.subject.label, triplet.predicate.label, object_


def _triplets(
    evidence: Evidence, wanted: frozenset[str], *, room: int, measure: Measure
) -> tuple[list[Premise], int]:
    """Statements packed in their rank order; the statements of one path stay together."""
    groups = _groups(evidence)
    kept, left = groups[:_TRIPLETS], groups[_TRIPLETS:]
    packed: list[Premise] = []
    waiting: list[Triplet] = []
    for group in kept:
        together = [*waiting, *(t for t in group if t not in waiting)]
        if waiting and measure([lines(map(_row, together))])[0] > room:
            packed += _statements(waiting, wanted, room=room, measure=measure)
            together = list(group)
        waiting = together
    if waiting:
        packed += _statements(waiting, wanted, room=room, measure=measure)
    unread = sum(bool(wanted & _words(lines(map(_row, group)))) for group in left)
    return packed, unread


def _groups(evidence: Evidence) -> list[tuple[Triplet, ...]]:
    """Each triplet in rank order, with the rest of its path where that says more than its parts.

    Other chains are left to the graph: that two entities share something with a third party says nothing that a claim
    about them would state, and reads as if it did.
    """
    told = [path.triplets for path in evidence.paths if path.hops == 1 or _climbs(path.triplets)]
    direct = {
        t for answer in evidence.answers for t in (*answer.statements, *answer.broader, *answer.narrower)
    }
    direct |= {triplet for path in told for triplet in path}
    distant = {triplet for path in evidence.paths for triplet in path.triplets} - direct
    groups: list[tuple[Triplet, ...]] = []
    placed: set[Triplet] = set()
    for triplet in evidence.triplets:
        if triplet in placed or triplet in distant:
            continue
        group = next((path for path in told if len(path) > 1 and triplet in path), (triplet,))
        placed |= {triplet, *group}
        groups.append(group)
    return groups


def _climbs(path: Sequence[Triplet]) -> bool:
    """Two statements of which one goes on where the other ends, to what that lies in or belongs to."""
    return len(path) == 2 and (_within(path[0], path[1]) or _within(path[1], path[0]))


def _within(first: Triplet, second: Triplet) -> bool:
    return first.object.label == second.subject.label and bool(_CONTAINMENT.search(second.predicate.label))


def _statements(
    triplets: Sequence[Triplet], wanted: frozenset[str], *, room: int, measure: Measure
) -> Iterator[Premise]:
    text = lines(map(_row, triplets))
    for part in _divided(text, room=room, measure=measure):
        yield Premise(part, "triplets", Evidence(triplets=tuple(triplets)), _overlap(wanted, part))


def _windows(passage: Passage, wanted: frozenset[str], *, room: int, measure: Measure) -> Iterator[Premise]:
    """Runs of whole sentences that fit, each beginning with the last sentence of the run before."""
    name = passage.title or passage.about
    head = "" if not name or name in passage.text else f"{name}: "
    left = room - (measure([head])[0] if head else 0)
    if left < room // 2:  # a title that long is no title
        head, left = "", room
    # A long passage is read in shorter runs than would fit: a small model loses one sentence among twenty.
    if measure([passage.text])[0] > left:
        left = min(left, _RUN)
    for span in _runs(passage.text, room=left, measure=measure):
        text = f"{head}{span.of(passage.text).strip()}"
        marked = replace(passage, marks=(span,))
        yield Premise(text, "passages", Evidence(passages=(marked,)), _overlap(wanted, text))


def _runs(text: str, *, room: int, measure: Measure) -> list[Span]:
    parts = _parts(text, room=room, measure=measure)
    starts = [span.start for span in parts] + [len(text)]
    lengths = measure([text[starts[at] : starts[at + 1]] for at in range(len(parts))]) if parts else []
    runs: list[Span] = []
    at = 0
    while at < len(parts):
        end, spent = at + 1, lengths[at]
        while end < len(parts) and spent + lengths[end] <= room:
            spent += lengths[end]
            end += 1
        runs.append(Span(parts[at].start, parts[end - 1].end))
        if end == len(parts):
            break
        overlap = end - at > 1 and lengths[end - 1] + lengths[end] <= room
        at = end - 1 if overlap else end
    return runs


def _sentences(text: str) -> list[Span]:
    """Spans that cover all but white space."""
    found: list[Span] = []
    for match in _SENTENCE.finditer(text):
        start = match.end() - len(match[0].lstrip())
        if start < match.end():
            found.append(Span(start, start + len(match[0].strip())))
    return found


def _parts(text: str, *, room: int, measure: Measure) -> list[Span]:
    """Sentences, one that is longer than `room` divided."""
    found: list[Span] = []
    for span in _sentences(text):
        at = span.start
        for part in _divided(span.of(text), room=room, measure=measure):
            begin = text.index(part, at)
            found.append(Span(begin, begin + len(part)))
            at = begin + len(part)
    return found


def _divided(text: str, *, room: int, measure: Measure) -> list[str]:
    """`text` in parts that fit, cut between words where there are any."""
    if measure([text])[0] <= room:
        return [text]
    middle = len(text) // 2
    gaps = [match.start() for match in re.finditer(r"\s", text)]
    cut = min(gaps, key=lambda gap: abs(gap - middle)) if gaps else middle
    halves = [half for half in (text[:cut].strip(), text[cut:].strip()) if half]
    return [part for half in halves for part in _divided(half, room=room, measure=measure)]


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.lower())) - _EMPTY


def _overlap(wanted: frozenset[str], text: str) -> float:
    return len(wanted & _words(text)) / len(wanted) if wanted else 0.0


def _named(label: str, wanted: frozenset[str], *, share: float) -> bool:
    """At least this share of its words are the claim's, or one of its numbers is."""
    words = _words(label)
    shared = words & wanted
    return bool(shared) and (len(shared) >= share * len(words) or any(word.isdigit() for word in shared))
