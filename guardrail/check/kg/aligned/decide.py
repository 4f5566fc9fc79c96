"""What the values of a sentence say of its subject, each beside the property that the sentence speaks of.

Support needs that everything the sentence names is found again; a value is wrong only where the property is sure and has one
value. Who is said of whom is taken from the order of the words where it might be either.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from guardrail.check.kg.aligned.alignment import Aligned, Asked, Found, accounted_for, covers_all
from guardrail.check.kg.aligned.direction import backwards
from guardrail.check.kg.aligned.fillers import Filler, Named, Sentence
from guardrail.check.kg.aligned.fit import Match, affirmed, family, match, said, spoken_as
from guardrail.check.kg.aligned.offices import of_office
from guardrail.check.kg.aligned.options import Option, asked, wording
from guardrail.check.kg.aligned.orders import Compared, compared
from guardrail.check.kg.aligned.words import akin, content, former, negations, words_of
from guardrail.check.kg.aligned.yes_no import yes_or_no
from guardrail.check.kg.compare.disputes import rivals
from guardrail.check.kg.compare.timeline import at_time, current, ended, qualifier_values
from guardrail.types import Answer, Argument, Embedder, Span, Triplet, Value
from guardrail.values import State

__all__ = ["align"]

# Measured on statements about graphs that were made for it, with the property that is meant left in and taken out.
SUPPORT, SUPPORT_COUNT, REFUTE, MARGIN, ALONE = 0.45, 0.5, 0.55, 0.08, 0.3
_PHRASE, _OUTRIGHT = 0.33, 0.75
_SPARE = 0.05  # so much likelier for each word that has nothing to do with it
_TURNED = 0.1  # so much likelier a property is of the other one of two
_YES_NO = frozenset({"yes", "no", "true", "false"})
_MOST_SPARE = 4
_TELLING = 3
"""Digits of a number that no other property of the same thing has by chance."""
SURE, LIKELY, WRONG, WRONG_LIKELY = 0.93, 0.86, 0.92, 0.82
_PAST = re.compile(
    r"\b(?:was|were|had|did|used to|formerly|former|previous|previously|until|became|began|left)\b"
    r"|(?<!is )(?<!are )(?<!be )(?<!been )\b[a-z]{3,}ed\b",
    re.IGNORECASE,
)
_LASTING = re.compile(r"\b(?:has|have) been\b", re.IGNORECASE)
_CONTRAST = re.compile(
    r"\b(?:rather than|instead of|unlike|but not|as opposed to|other than|except|neither|than)\b",
    re.IGNORECASE,
)
_DIGIT = re.compile(r"\d")
_BRACKETS = re.compile(r"\([^()]*\)")
_ARTICLE = re.compile(r"\b(?:an?|the)\s+(?:\w+\s+){1,3}$", re.IGNORECASE)
_LISTED = re.compile(r",?\s*(?:(?:and|or|&|as well as)\s+)?(?:both\s+)?(?:the\s+)?", re.IGNORECASE)
_GENERIC = frozenset({"count", "date", "name", "days", "code"})
"""Kinds of values of which a sentence may tell many that a graph does not have."""
_Fitting = tuple[Option, list[tuple[Match, Triplet]]]
"""A property, and how each of its statements compares with a value."""


def align(sentence: Sentence, embedder: Embedder, today: date) -> Found:
    """Each value of the sentence beside the graph."""
    if (between := _between(sentence, embedder, today)) is not None:
        return between
    subjects = [one for one in sentence.named if one.profile.statements]
    asked_of = {one: asked(one, wording(sentence, one), embedder) for one in subjects}
    found, left = _each_filler(sentence, asked_of, today)
    kept = _one_of_each(found)
    left = [one for one in left if not accounted_for(one, kept, sentence, asked_of)]
    if not found and all(one.named in subjects for one in left):
        yes_no = yes_or_no(sentence, asked_of)
        return Found((yes_no,), len(subjects) == 1) if yes_no is not None else Found()
    if negations(sentence.text):
        return Found()
    sure = [one for one in kept if not _explained(one, left, sentence)]
    return Found(tuple(sure), _is_whole(found, sure, left, sentence, asked_of))


def _between(sentence: Sentence, embedder: Embedder, today: date) -> Found | None:
    """What a sentence says of two things beside each other, or of the time of one; None where it tells the values of one thing."""
    ordered = compared(sentence, embedder)
    if ordered is not None:
        return _ordered(ordered)
    offices = of_office(sentence, today)
    return Found() if offices is None and _CONTRAST.search(sentence.text) else offices


def _explained(one: Aligned, left: Sequence[Filler], sentence: Sentence) -> bool:
    """Whether another value may hold for what else the sentence names, or because it stands beside one in brackets."""
    return one.state == "conflict" and (bool(left) or _aside(sentence, one))


def _is_whole(
    found: Sequence[Aligned],
    kept: Sequence[Aligned],
    left: Sequence[Filler],
    sentence: Sentence,
    asked_of: Asked,
) -> bool:
    """Whether nothing that the sentence says was left over or set aside."""
    return not left and len(kept) == len(found) and covers_all(kept, sentence, asked_of)


def _each_filler(sentence: Sentence, asked_of: Asked, today: date) -> tuple[list[Aligned], list[Filler]]:
    """What was found of the names, texts and values of the sentence, and those of which nothing was."""
    found: list[Aligned] = []
    left: list[Filler] = []
    names = [Filler(one.span, Argument(one.text, one.span), named=one) for one in sentence.named]
    values = [one for one in sentence.values if not _part_of_a_name(one, asked_of)]
    for filler in (*names, *_phrases(sentence, list(asked_of)), *values):
        at_that_time = _dated(filler, found)
        several = [at_that_time] if at_that_time else _aligned(filler, sentence, asked_of, today)
        found.extend(several)
        left.extend([] if several else [filler])
    return found, left


def _aside(sentence: Sentence, one: Aligned) -> bool:
    """Whether a value stands in brackets among other words: "(leader of the movement, 1921-1947)"."""
    return one.claimed.span is not None and any(
        match.start() < one.claimed.span.start and one.claimed.span.end < match.end() and "," in match[0]
        for match in _BRACKETS.finditer(sentence.text)
    )


def _one_of_each(found: Sequence[Aligned]) -> list[Aligned]:
    """Two values of one property are two things that are said of it: the one that is not known refutes nothing."""
    agreed = {
        (one.option.subject, one.option.record.id)
        for one in found
        if one.state == "agree" and not one.relation
    }
    return [
        one
        for one in found
        if one.state != "conflict"
        or one.relation
        or one.claimed.modifier in ("between", "and")  # the two ends of one range
        or (one.option.subject, one.option.record.id) not in agreed
    ]


def _ordered(one: Compared) -> Found:
    known = tuple(triplet.object for triplet in one.triplets)
    confidence = LIKELY if one.state == "agree" else WRONG_LIKELY
    aligned = Aligned(one.state, one.option, one.words, known, one.triplets, confidence)
    return Found((aligned,), one.state != "unknown")


def _part_of_a_name(filler: Filler, asked_of: Asked) -> bool:
    """Whether the words of a value belong to the name of a property: "open on Sundays"."""
    words = content(filler.argument.text)
    return bool(words) and any(
        option.whole and words <= content(option.record.label)
        for options in asked_of.values()
        for option in options[:1]
    )


def _no_value(filler: Filler) -> bool:
    return bool(filler.phrase) or filler.named is not None


def _qualified(filler: Filler, option: Option, sentence: Sentence) -> bool:
    """Whether a name or phrase is said with more: a "very beautiful city" is more than a city, a house in it less."""
    if not _no_value(filler):
        return False
    if option.conditional and (not option.whole or option.spare > 1):
        return True
    before = sentence.text[: filler.span.start]
    words = words_of(before)
    if not words or not _ARTICLE.search(before) or before[words[-1].span.end :].strip():
        return False
    told = any(akin(words[-1].key, one.key) for one in words_of(option.record.label))
    return bool(content(words[-1].key)) and not told


def _phrases(sentence: Sentence, subjects: Sequence[Named]) -> list[Filler]:
    """Texts that the graph has of a subject and the sentence says, but for those that are names or values in it."""
    taken = [one.span for one in sentence.named] + [one.span for one in sentence.values]
    found = {
        span: Filler(span, Argument(span.of(sentence.text), span), phrase=phrase, of=frozenset(of))
        for (span, phrase), of in _spoken(sentence, subjects).items()
        if not any(span.overlaps(one) for one in taken)
    }
    for subject in subjects:
        for triplet in subject.profile.statements:
            known = triplet.object
            if isinstance(known, Value) and (known.datatype != "string" or affirmed(known) is not None):
                continue
            span = said(known, sentence.text)
            if span is not None and not any(span.overlaps(one) for one in taken):
                of = found[span].of if span in found else frozenset()
                found[span] = Filler(span, Argument(span.of(sentence.text), span), phrase=known.label, of=of)
    return [
        one
        for span, one in found.items()
        if not any(other != span and other.contains(span) for other in found)
    ]


def _spoken(sentence: Sentence, subjects: Sequence[Named]) -> dict[tuple[Span, str], set[str]]:
    """The places where the sentence has one of the few texts that a property takes, with the text and the properties."""
    found: dict[tuple[Span, str], set[str]] = {}
    for subject in subjects:
        for record in subject.profile.properties.values():
            for text in record.values:
                span = spoken_as(text, sentence.text) if text.casefold() not in _YES_NO else None
                if span is not None:
                    found.setdefault((span, text), set()).add(record.id)
    return found


def _besides(filler: Filler, option: Option) -> int:
    """How many words of the sentence have nothing to do with the property or the text that it takes."""
    return max(0, option.spare - len(content(filler.argument.text)))


def _aligned(filler: Filler, sentence: Sentence, asked_of: Asked, today: date) -> list[Aligned]:
    """The filler beside the likeliest property of each subject that has it; none where two of them disagree."""
    found: list[Aligned] = []
    for subject, options in asked_of.items():
        if filler.named is subject or _side_by_side(filler, subject, sentence):
            continue
        compared = ((option, _matches(filler, option, sentence)) for option in options)
        fitting = [(option, pairs) for option, pairs in compared if any(m != "unfit" for m, _ in pairs)]
        one = _judged(filler, fitting, sentence, today) if fitting else None
        if one is not None:
            found.append(one)
    if not found:
        return []
    best = max(found, key=lambda one: one.option.likeness)
    same = [one for one in found if one.option.record.id == best.option.record.id]
    return same if len({one.state for one in same}) == 1 else []


def _side_by_side(filler: Filler, subject: Named, sentence: Sentence) -> bool:
    """Whether a name and the subject are members of one list: "the Amber Room and the Print Cabinet"."""
    if filler.named is None:
        return False
    first, second = sorted((filler.span, subject.span))
    return _LISTED.fullmatch(sentence.text[first.end : second.start]) is not None


def _matches(filler: Filler, option: Option, sentence: Sentence) -> list[tuple[Match, Triplet]]:
    return [(match(filler, one, option.record, sentence.text), one) for one in option.statements]


def _judged(filler: Filler, fitting: Sequence[_Fitting], sentence: Sentence, today: date) -> Aligned | None:
    """The filler beside the properties of one subject that it may be a value of, the likeliest first."""
    chosen = _chosen(fitting)
    if chosen is None:
        return None
    option, matches = chosen
    if option.narrowed or _reversed(filler, option, sentence) or _qualified(filler, option, sentence):
        return None
    if same := _same(matches):
        likely = _likelier(fitting, option) or _likely(filler, option, _alone(filler, fitting))
        return _agreeing(filler, option, same, sentence, today) if likely else None
    other = all(m == "other" for m, _ in matches)
    sure = other and _surely(filler, option, _alone(filler, fitting), _margin(fitting))
    return _refuting(filler, option, sentence, today) if sure else None


def _alone(filler: Filler, fitting: Sequence[_Fitting]) -> bool:
    """Whether a value can be told of one property only, by its kind."""
    return len(fitting) == 1 and not _no_value(filler)


def _chosen(fitting: Sequence[_Fitting]) -> _Fitting | None:
    """The likeliest property, or the one close behind it that has the value; None where neither has it and they are as near."""
    if _same(fitting[0][1]) or _margin(fitting) >= MARGIN:
        return fitting[0]
    return next((one for one in fitting[1:2] if _same(one[1])), None)


def _same(matches: Sequence[tuple[Match, Triplet]]) -> list[Triplet]:
    """The statements that have the value."""
    return [triplet for m, triplet in matches if m == "same"]


def _margin(fitting: Sequence[_Fitting]) -> float:
    """How much likelier the first property is than the next."""
    return 1.0 if len(fitting) == 1 else fitting[0][0].likeness - fitting[1][0].likeness


def _refuting(filler: Filler, option: Option, sentence: Sentence, today: date) -> Aligned | None:
    """The known values, where the sentence can only mean one of them."""
    now = current(option.statements, today)
    if not now or not _closed(option, now) or not _plausible(filler, option, sentence):
        return None
    if option.conditional or former(sentence.text) != former(option.record.label):
        return None  # "under high pressure", "in winter": of another case; who was it is not who is
    if (option.record.temporal or filler.phrase) and _over(sentence.replaced([filler.span], {})):
        return None  # it had other values before, and the graph need not know them
    confidence = WRONG if option.whole else WRONG_LIKELY
    known = tuple(one.object for one in now)
    return Aligned("conflict", option, filler.argument, known, tuple(now), confidence)


def _likelier(fitting: Sequence[_Fitting], option: Option) -> bool:
    """Whether a property of which a known value is told is much likelier than the others of which it could be one.

    Of sentences that do not say the name of their property this tells more than how likely it is by itself.
    """
    first = len(fitting) > 1 and option is fitting[0][0]
    return first and _margin(fitting) >= MARGIN and option.likeness >= ALONE


def _likely(filler: Filler, option: Option, alone: bool) -> bool:
    """Whether a value that is known is told of this property."""
    if option.whole:
        return True
    if filler.phrase:
        sole = filler.of == {option.record.id} and not _besides(filler, option)
        return sole or (option.likeness >= _PHRASE and option.spare <= 1)
    if alone and family(filler) not in _GENERIC and (option.likeness >= ALONE or not option.spare):
        return True
    if family(filler) != "count":
        return option.likeness >= SUPPORT + _SPARE * option.spare
    told = alone and option.spare <= 1 and len(_DIGIT.findall(filler.argument.text)) >= _TELLING
    return option.likeness >= (SUPPORT_COUNT if not told else ALONE if option.spare else 0.0)


def _surely(filler: Filler, option: Option, alone: bool, margin: float) -> bool:
    """Whether a value that is not known is told of this property and of nothing else."""
    if filler.phrase:
        return filler.of == {option.record.id} and (option.whole or not _besides(filler, option))
    if option.spare > _MOST_SPARE:
        return False
    if option.whole:
        return True
    if alone and family(filler) not in _GENERIC and option.spare <= 2:
        return not option.spare or option.likeness >= ALONE + 2 * _SPARE * option.spare
    if family(filler) in _GENERIC and option.spare and option.likeness < _OUTRIGHT:
        return False
    return option.likeness >= REFUTE and margin >= MARGIN


def _over(text: str) -> bool:
    """Whether it is told of what was, and not of what has been since."""
    return _PAST.search(text) is not None and _LASTING.search(text) is None


def _closed(option: Option, now: Sequence[Triplet]) -> bool:
    """Whether there is no other value now: there can be one only, or all are known."""
    record = option.record
    if record.cardinality == "single" or record.complete or record.id in option.subject.profile.closed:
        return True
    # How many there are changes, and a graph that has the figures of several years says which is of which.
    return record.temporal and len(now) == 1 and _figure(now[0]) and not now[0].qualifiers


def _figure(statement: Triplet) -> bool:
    return isinstance(statement.object, Value) and statement.object.datatype == "quantity"


def _agreeing(
    filler: Filler, option: Option, same: Sequence[Triplet], sentence: Sentence, today: date
) -> Aligned | None:
    """The known value, where it holds at the time that the sentence speaks of."""
    known = tuple(one.object for one in same)
    confidence = SURE if option.whole else LIKELY
    agrees = Aligned(
        "agree",
        option,
        filler.argument,
        known,
        tuple(same),
        confidence,
        rivals=_rivals(option, same, sentence, today),
    )
    dated = any(family(one) == "date" for one in sentence.values)
    if all(ended(one, today) for one in same) and not dated:
        if _over(sentence.text):
            return agrees
        now = [one for one in current(option.statements, today) if one not in same]
        if not now or not (_closed(option, now) or option.record.temporal):
            return None
        triplets = (*now, *same)
        return replace(
            agrees,
            state="conflict",
            known=tuple(one.object for one in now),
            triplets=triplets,
            confidence=WRONG,
        )
    if former(option.record.label) and not _PAST.search(sentence.text):
        return None
    if former(sentence.text) and not former(option.record.label) and not any(ended(t, today) for t in same):
        return None
    return agrees


def _rivals(option: Option, same: Sequence[Triplet], sentence: Sentence, today: date) -> tuple[Triplet, ...]:
    subject = option.subject.profile.entity
    answer = Answer(0, subject, option.record, option.statements)
    return rivals(same, answer, lambda one: one.object, today=today, now=not _PAST.search(sentence.text))


def _dated(filler: Filler, found: Sequence[Aligned]) -> Aligned | None:
    """A date beside the time of a statement that the sentence tells."""
    value = filler.argument.value
    if value is None or value.datatype != "date":
        return None
    for one in found:
        if one.state != "agree" or not any(t.qualifiers for t in one.triplets):
            continue
        states = {at_time(triplet, filler.argument) for triplet in one.triplets}
        state: State = "agree" if "agree" in states else "conflict" if states == {"conflict"} else "unknown"
        known = tuple(
            value
            for t in one.triplets
            for value in qualifier_values(t, [q.predicate.label for q in t.qualifiers])
        )
        if state != "unknown":
            return replace(
                one, state=state, claimed=filler.argument, known=known, relation="time", confidence=LIKELY
            )
    return None


def _reversed(filler: Filler, option: Option, sentence: Sentence) -> bool:
    """Whether the filler may be the one that has the property, and the words say so, or do not tell."""
    if filler.named is None or option.record.symmetric:
        return False
    words = backwards(sentence, option.subject.span, filler.span, option.record.label, option.place)
    if words is not None:
        return words
    if option.turned >= _TURNED:
        return True
    theirs, ours = filler.named.profile, option.subject.profile
    return option.record.id in theirs.properties or option.record.id in ours.object_of


def _plausible(filler: Filler, option: Option, sentence: Sentence) -> bool:
    """Whether a name may be a value of the property: it is one of another subject, or the words put it there."""
    if filler.named is None:
        return True
    if filler.named.text[:1].islower() and any(one.object.label[:1].isupper() for one in option.statements):
        return False
    if option.record.id in filler.named.profile.object_of:
        return True
    if option.record.id in filler.named.profile.properties:
        return False  # it has the property itself
    theirs, wanted = (
        filler.named.profile.kinds,
        option.subject.profile.ranges.get(option.record.id, frozenset()),
    )
    if theirs and wanted and theirs.isdisjoint(wanted):
        return False
    if theirs & wanted:
        return option.likeness >= REFUTE or option.whole
    if (theirs or wanted) and option.record.cardinality != "single":
        return False  # a list may be whole for things of one kind alone: a country borders a sea, too
    told = backwards(sentence, option.subject.span, filler.span, option.record.label, option.place)
    return option.whole and told is False
