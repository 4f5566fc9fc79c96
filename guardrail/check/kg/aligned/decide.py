"""What the values of a sentence say of its subject, each beside the property that the sentence speaks of.

Support needs that everything the sentence names is found again; a value is wrong only where the property is sure and has one
value. Who is said of whom is taken from the order of the words where it might be either.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from guardrail import ontology
from guardrail.check.kg.aligned.alignment import (
    Aligned,
    Alignment,
    Asked,
    accounted_for,
    covers_all,
    restricted,
)
from guardrail.check.kg.aligned.direction import backwards, exchanged
from guardrail.check.kg.aligned.fillers import ClaimSentence, Filler, Named
from guardrail.check.kg.aligned.fit import (
    Match,
    family,
    match,
    match_days,
    scheduled,
)
from guardrail.check.kg.aligned.meant import REFUTE, Fitting, chosen, is_surely_told, is_told, same
from guardrail.check.kg.aligned.offices import of_office
from guardrail.check.kg.aligned.options import Option, asked, wording
from guardrail.check.kg.aligned.orders import Compared, compared
from guardrail.check.kg.aligned.parts import of_a_part, released_elsewhere
from guardrail.check.kg.aligned.texts import comparable, fillers_of
from guardrail.check.kg.aligned.words import (
    akin,
    charged_otherwise,
    content,
    denied_by_name,
    former,
    negations,
    open_not_opened,
    ordered,
    words_of,
)
from guardrail.check.kg.aligned.yes_no import yes_or_no
from guardrail.check.kg.compare.beginnings import at_date, beginning
from guardrail.check.kg.compare.disputes import rivals
from guardrail.check.kg.compare.names import fold
from guardrail.check.kg.compare.timeline import best_of, current, ended, qualifier_values
from guardrail.language.lists import any_of
from guardrail.rules import rule
from guardrail.types import Answer, Embedder, Span, Triplet, Value
from guardrail.values import State
from guardrail.values.comparisons import in_difference
from guardrail.values.continents import reaches
from guardrail.values.numbers import WORDS
from guardrail.values.weekdays import weekdays

__all__ = ["align"]

SURE, LIKELY, WRONG, WRONG_LIKELY = 0.93, 0.86, 0.92, 0.82
_PAST = re.compile(
    r"\b(?:was|were|had|did|used to|formerly|former|previous|previously|until|became|began|left)\b"
    r"|(?<!is )(?<!are )(?<!be )(?<!been )\b(?!hundred|united|indeed|speed|exceed|proceed|succeed|kindred|sacred)[a-z]{3,}ed\b",
    re.IGNORECASE,
)
_LASTING = re.compile(r"\b(?:has|have) been\b", re.IGNORECASE)
_CONTRAST = re.compile(
    r"\b(?:rather than|instead of|unlike|but not|as opposed to|other than|except|neither|(?:every|any|no)(?:thing|one|body) but|times as|(?<!no more )(?<!no less )(?<!no later )(?<!no fewer )(?<!not more )than)\b",
    re.IGNORECASE,
)
# "Exceeds 50 million" is a bound; what else is exceeded is another thing: "exceeds that of Italy by 9 million".
_SURPASSED = re.compile(
    rf"\b(?:{any_of('surpassing')}|{any_of('falling short')})(?! (?:(?:an?|the) )?(?:[^\w\s]|[A-Z]{{0,3}}\$|EUR |USD |GBP )?(?:\d|{WORDS}\b))\b",
    re.IGNORECASE,
)
_BEHIND = re.compile(r"\b(?:before|after)\s+(?:the\s+)?$", re.IGNORECASE)
_BRACKETS = re.compile(r"\([^()]*\)")
_ARTICLE = re.compile(r"\b(?:an?|the)\s+(?:\w+\s+){1,3}$", re.IGNORECASE)
_LISTED = re.compile(r",?\s*(?:(?:and|or|&|as well as)\s+)?(?:both\s+)?(?:the\s+)?", re.IGNORECASE)
_FOR_SOME = re.compile(r"(?:\(|\bfor |\b(?=without ))([^)]+)")


def align(sentence: ClaimSentence, embedder: Embedder, today: date) -> Alignment:
    """Each value of the sentence beside the graph."""
    if (between := _between(sentence, embedder, today)) is not None:
        return between
    subjects = [one for one in sentence.named if one.profile.statements]
    among = fillers_of(sentence, subjects)
    if not comparable(sentence, subjects, among):
        return Alignment()
    asked_of = {one: asked(one, wording(sentence, one), embedder) for one in subjects}
    found, left = _each_filler(sentence, among, asked_of, today)
    kept = _one_of_each(found)
    left = [one for one in left if not accounted_for(one, kept, sentence, asked_of)]
    if not found and all(one.named in subjects for one in left):
        return _answered(sentence, asked_of)
    if _denied(sentence, kept):
        return Alignment()
    sure = [one for one in kept if not _explained(one, left, sentence)]
    return Alignment(tuple(sure), _is_whole(found, sure, left, sentence, asked_of))


def _answered(sentence: ClaimSentence, asked_of: Asked) -> Alignment:
    """What a sentence without values says as a yes or a no."""
    yes_no = yes_or_no(sentence, asked_of)
    if yes_no is None:
        return Alignment()
    return Alignment((yes_no,), len(asked_of) == 1 and not restricted(sentence))


def _denied(sentence: ClaimSentence, found: Sequence[Aligned]) -> bool:
    """Whether the sentence denies something and that was not looked at when its values were compared."""
    return negations(sentence.text) > 0 and not all(map(_reads_denials, found))


def _reads_denials(one: Aligned) -> bool:
    denies = negations(one.claimed.text) > 0
    return denies or bool(weekdays(one.claimed.text)) or denied_by_name(one.option.record.label)


def _between(sentence: ClaimSentence, embedder: Embedder, today: date) -> Alignment | None:
    """What a sentence says of two things beside each other, or of the time of one; None where it tells the values of one thing."""
    ordered = compared(sentence, embedder, today)
    if ordered is not None:
        return _ordered(ordered)
    offices = of_office(sentence, today)
    return Alignment() if offices is None and _contrasts(sentence) else offices


def _contrasts(sentence: ClaimSentence) -> bool:
    """Whether a value may be that of another thing, which is named only to be told apart: "before Ann", "rather than Bo"."""
    text = sentence.text
    if _CONTRAST.search(text) or _SURPASSED.search(text):
        return True
    if any(one.counted and in_difference(text, one.span.end) for one in sentence.values):
        return True
    return any(_BEHIND.search(text[: one.span.start]) for one in sentence.named)


def _explained(one: Aligned, left: Sequence[Filler], sentence: ClaimSentence) -> bool:
    """Whether another value may hold for what else the sentence names, or because it stands beside one in brackets."""
    return one.state == "conflict" and (bool(left) or _aside(sentence, one))


def _is_whole(
    found: Sequence[Aligned],
    kept: Sequence[Aligned],
    left: Sequence[Filler],
    sentence: ClaimSentence,
    asked_of: Asked,
) -> bool:
    """Whether nothing that the sentence says was left over or set aside."""
    if left or len(kept) != len(found) or any(_of_another_verb(one, kept, sentence) for one in kept):
        return False
    return covers_all(kept, sentence, asked_of)


@rule("value-of-another-verb", silent=False)
def _of_another_verb(one: Aligned, found: Sequence[Aligned], sentence: ClaimSentence) -> bool:
    """Whether the verb of a value names the property of another one, and nothing its own: "built in 2011 in Varrey", its home port."""
    if one.option.place is not None or one.claimed.span is None:
        return False
    verb = _verb_of(one.claimed.span, sentence)
    return verb is not None and any(
        other.option.place is not None
        and other.option.place.overlaps(verb)
        and other.option.subject == one.option.subject
        for other in found
    )


def _verb_of(value: Span, sentence: ClaimSentence) -> Span | None:
    """The nearest verb above a value."""
    tokens = sentence.doc.tokens
    within = [token for token in tokens if token.start < value.end and value.start < token.end]
    if not within:
        return None
    token = within[-1]
    while token.head != token.at and not token.tag.startswith("VB"):
        token = tokens[token.head]
    return Span(token.start, token.end) if token.tag.startswith("VB") else None


def _each_filler(
    sentence: ClaimSentence, among: Sequence[Filler], asked_of: Asked, today: date
) -> tuple[list[Aligned], list[Filler]]:
    """What was found of the names, texts and values of the sentence, and those of which nothing was."""
    found: list[Aligned] = []
    left: list[Filler] = []
    for filler in among:
        if filler in sentence.values and _part_of_a_name(filler, asked_of):
            continue
        at_that_time = _dated(filler, found, sentence.text)
        several = [at_that_time] if at_that_time else _aligned(filler, sentence, asked_of, today)
        found.extend(several)
        left.extend([] if several else [filler])
    return found, left


@rule("value-aside", silent=False)
def _aside(sentence: ClaimSentence, one: Aligned) -> bool:
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


def _ordered(one: Compared) -> Alignment:
    known = tuple(triplet.object for triplet in one.triplets)
    confidence = LIKELY if one.state == "agree" else WRONG_LIKELY
    aligned = Aligned(one.state, one.option, one.words, known, one.triplets, confidence, instead=one.instead)
    return Alignment((aligned,), one.state != "unknown")


@rule("value-in-a-property-name", silent=False)
def _part_of_a_name(filler: Filler, asked_of: Asked) -> bool:
    """Whether the words of a value belong to the name of a property: "open on Sundays"."""
    words = content(filler.argument.text)
    likeliest = [option for options in asked_of.values() for option in options[:1]]
    if filler.days and any(filler.days <= weekdays(option.record.label) for option in likeliest):
        return True
    return bool(words) and any(one.whole and words <= content(one.record.label) for one in likeliest)


@rule("qualified-value", silent=False)
def _qualified(filler: Filler, option: Option, sentence: ClaimSentence) -> bool:
    """Whether a name or phrase is said with more: a "very beautiful city" is more than a city, a house in it less."""
    if not filler.says_no_value:
        return False
    if option.conditional and (not option.whole or option.spare > 1):
        return True
    before = sentence.text[: filler.span.start]
    words = words_of(before)
    if not words or not _ARTICLE.search(before) or before[words[-1].span.end :].strip():
        return False
    told = any(akin(words[-1].key, one.key) for one in words_of(option.record.label))
    return bool(content(words[-1].key)) and not told


def _aligned(filler: Filler, sentence: ClaimSentence, asked_of: Asked, today: date) -> list[Aligned]:
    """The filler beside the likeliest property of each subject that has it; none where two of them disagree."""
    found: list[Aligned] = []
    for subject, options in asked_of.items():
        if _is_no_value_of(subject, filler, sentence):
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


@rule("members-of-a-list", silent=False)
def _side_by_side(filler: Filler, subject: Named, sentence: ClaimSentence) -> bool:
    """Whether a name and the subject are members of one list: "the Amber Room and the Print Cabinet"."""
    if filler.named is None:
        return False
    first, second = sorted((filler.span, subject.span))
    return _LISTED.fullmatch(sentence.text[first.end : second.start]) is not None


def _is_no_value_of(subject: Named, filler: Filler, sentence: ClaimSentence) -> bool:
    """Whether it is the subject, one beside it, or how many of it there are: "20 countries" tells nothing of a country."""
    counted = bool(filler.counted) and akin(fold(filler.counted), fold(subject.text))
    return filler.named is subject or counted or _side_by_side(filler, subject, sentence)


def _matches(filler: Filler, option: Option, sentence: ClaimSentence) -> list[tuple[Match, Triplet]]:
    if filler.days:
        return match_days(filler.days, option.statements, option.record, sentence.text)
    return [(match(filler, one, option.record, sentence.text), one) for one in option.statements]


def _judged(
    filler: Filler, fitting: Sequence[Fitting], sentence: ClaimSentence, today: date
) -> Aligned | None:
    """The filler beside the properties of one subject that it may be a value of, the likeliest first."""
    meant = chosen(filler, fitting)
    if meant is None:
        return None
    option, matches = meant
    if (turned := _turned_round(filler, option, same(matches), sentence)) is not None:
        return turned
    if _said_of_another(filler, option, sentence):
        return None
    if known := same(matches):
        if _narrower(option, sentence) or not is_told(filler, option, fitting):
            return None
        return _agreeing(filler, option, known, sentence, today)
    sure = all(m == "other" for m, _ in matches) and is_surely_told(filler, option, fitting)
    return _refuting(filler, option, sentence, today) if sure else None


@rule("ends-exchanged")
def _turned_round(
    filler: Filler, option: Option, known: Sequence[Triplet], sentence: ClaimSentence
) -> Aligned | None:
    """The statement whose two ends the sentence exchanges, where its property holds one way only: "Bob reports to Ann"."""
    place = option.place
    if not known or filler.named is None or place is None or not _says_just(option, sentence):
        return None
    if backwards(sentence, option.subject.span, filler.span, option.record.label, place) is not True:
        return None
    return Aligned("conflict", option, filler.argument, (), tuple(known), WRONG, exchanged=True)


def _says_just(option: Option, sentence: ClaimSentence) -> bool:
    """Whether the sentence says a property that holds one way only by its name, as it is today, and nothing else."""
    text, label = sentence.text, option.record.label
    if not option.whole or option.spare or not (option.record.hierarchical or ordered(label)):
        return False
    past = (
        _PAST.search(text) is not None and _PAST.search(label) is None
    )  # who reported to whom before is not known
    return not past and not negations(text) and not former(text)


def _narrower(option: Option, sentence: ClaimSentence) -> bool:
    """Whether the property is of some only, and the sentence does not say so: "price for non-members"."""
    restriction = _FOR_SOME.search(option.record.label)
    if restriction is None:
        return False
    words = words_of(sentence.text)
    wanted = [one.key for one in words_of(restriction[1]) if one.key == "without" or content(one.key)]
    return not all(any(akin(part, one.key) for one in words) for part in wanted)


def _said_of_another(filler: Filler, option: Option, sentence: ClaimSentence) -> bool:
    """Whether the words tell it of another property, or of the other of two things."""
    label, text = option.record.label, sentence.text
    if open_not_opened(text, label) or (filler.argument.value is not None and charged_otherwise(label, text)):
        return True
    if family(filler) == "date" and released_elsewhere(text, label, [option.subject.span], option.statements):
        return True
    if filler.counted and of_a_part(text, filler.span, option.subject.span, label):
        return True
    return option.narrowed or exchanged(filler, option, sentence) or _qualified(filler, option, sentence)


def _refuting(filler: Filler, option: Option, sentence: ClaimSentence, today: date) -> Aligned | None:
    """The known values, where the sentence can only mean one of them."""
    now = current(option.statements, today)
    if not _closed(option, now) or _on_two(filler, option) or not _plausible(filler, option, sentence):
        return None
    if option.conditional or former(sentence.text) != former(option.record.label):
        return None  # "under high pressure", "in winter": of another case; who was it is not who is
    if _changes(filler, option) and _over(sentence.replaced([filler.span], {})):
        return None  # it had other values before, and the graph need not know them
    confidence = WRONG if option.whole else WRONG_LIKELY
    known = tuple(one.object for one in now)
    return Aligned("conflict", option, filler.argument, known, tuple(now), confidence)


def _changes(filler: Filler, option: Option) -> bool:
    """Whether there may have been another value before: of names, properties count that are only called like one which changes."""
    named = filler.named is not None and ontology.may_change(option.record)
    return named or option.record.temporal or bool(filler.phrase or filler.code)


def _on_two(filler: Filler, option: Option) -> bool:
    """Whether a continent is named that the subject reaches with a part."""
    named = filler.named.profile.entity.id if filler.named is not None else ""
    return reaches(option.subject.profile.entity.id, (named,))


def _over(text: str) -> bool:
    """Whether it is told of what was, and not of what has been since."""
    return _PAST.search(text) is not None and _LASTING.search(text) is None


def _closed(option: Option, now: Sequence[Triplet]) -> bool:
    """Whether there is no other value now: there can be one only, or all are known."""
    record = option.record
    if not now or denied_by_name(record.label):
        return False  # what one thing is not leaves open what else it is not
    if record.cardinality == "single" or record.complete or record.id in option.subject.profile.closed:
        return True
    if all(scheduled(one.object) for one in now):
        return True  # a week has no days that a timetable forgets
    # How many there are changes, and a graph that has the figures of several years says which is of which.
    return record.temporal and len(now) == 1 and _figure(now[0]) and not now[0].qualifiers


def _figure(statement: Triplet) -> bool:
    return isinstance(statement.object, Value) and statement.object.datatype == "quantity"


def _agreeing(
    filler: Filler, option: Option, same: Sequence[Triplet], sentence: ClaimSentence, today: date
) -> Aligned | None:
    """The known value, where it holds at the time that the sentence speaks of."""
    known = tuple(one.object for one in same)
    confidence = SURE if option.whole else LIKELY
    agrees = Aligned(
        _told_as_named(option, sentence),
        option,
        filler.argument,
        known,
        tuple(same),
        confidence,
        rivals=_rivals(option, same, sentence, today),
    )
    dated = any(family(one) == "date" for one in sentence.values)
    if all(ended(one, today) for one in same) and not dated:
        return agrees if _over(sentence.text) else _succeeded(agrees, today)
    if former(option.record.label):
        return agrees if _PAST.search(sentence.text) else None
    return agrees if not former(sentence.text) or any(ended(one, today) for one in same) else None


def _succeeded(over: Aligned, today: date) -> Aligned | None:
    """What is now in the place of a value that is over, where that excludes it."""
    option = over.option
    now = [one for one in current(option.statements, today) if one not in over.triplets]
    if not now or not (_closed(option, now) or option.record.temporal):
        return None
    known, triplets = tuple(one.object for one in now), (*now, *over.triplets)
    return replace(over, state="conflict", known=known, triplets=triplets, confidence=WRONG)


def _told_as_named(option: Option, sentence: ClaimSentence) -> State:
    """That a value is known agrees, unless the property's name denies and the sentence does not: "does not cover", "is covered"."""
    denied = denied_by_name(option.record.label) and negations(sentence.text) % 2 == 0
    return "conflict" if denied else "agree"


@rule("rivals-of-own-statements", silent=())
def _rivals(
    option: Option, same: Sequence[Triplet], sentence: ClaimSentence, today: date
) -> tuple[Triplet, ...]:
    """The statements that cannot be true beside those that agree."""
    subject = option.subject.profile.entity
    answer = Answer(0, subject, option.record, option.statements)
    return rivals(same, answer, lambda one: one.object, today=today, now=not _PAST.search(sentence.text))


@rule("date-of-a-statement")
def _dated(filler: Filler, found: Sequence[Aligned], text: str) -> Aligned | None:
    """A date beside the time of a statement that the sentence tells."""
    value = filler.argument.value
    if value is None or value.datatype != "date":
        return None
    for one in found:
        if one.state != "agree" or not any(t.qualifiers for t in one.triplets):
            continue
        if len({triplet.object for triplet in one.triplets}) > 1:
            continue  # of a change from one value to another it tells the day, and not a time at which it holds
        state = _at_date(one, filler, text)
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


def _at_date(one: Aligned, filler: Filler, text: str) -> State:
    """Whether what is told held at a date. A bound ("more than 60 million") may hold at other times than the known value."""
    states = {at_date(t, filler.argument, beginning(text, filler.span)) for t in one.triplets}
    state = best_of(states)
    return "unknown" if state == "conflict" and one.claimed.modifier else state


def _plausible(filler: Filler, option: Option, sentence: ClaimSentence) -> bool:
    """Whether a name may be a value of the property: it is one of another subject, or the words put it there."""
    named = filler.named
    if named is None or option.record.id in named.profile.object_of:
        return True
    if named.text[:1].islower() and any(one.object.label[:1].isupper() for one in option.statements):
        return False
    if option.record.id in named.profile.properties:
        return False  # it has the property itself
    if (by_kind := _plausible_by_kind(named, option)) is not None:
        return by_kind
    told = backwards(sentence, option.subject.span, filler.span, option.record.label, option.place)
    return option.whole and told is False


def _plausible_by_kind(named: Named, option: Option) -> bool | None:
    """Likewise, by the kinds of things that the property has for values elsewhere; None where they do not tell."""
    theirs = named.profile.kinds
    wanted = option.subject.profile.ranges.get(option.record.id, frozenset())
    if theirs and wanted:
        return not theirs.isdisjoint(wanted) and (option.likeness >= REFUTE or option.whole)
    # A list may be whole for things of one kind alone: a country borders a sea, too.
    return False if (theirs or wanted) and option.record.cardinality != "single" else None
