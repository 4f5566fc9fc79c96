"""A question as a statement with its answer in it: "The hotel has 42 rooms" of "How many rooms does the hotel have?" and "42"."""

from __future__ import annotations

import re

from guardrail.claims.answers.question import Question, asked_last, question_of
from guardrail.claims.answers.yes_no import YesOrNo, yes_or_no
from guardrail.claims.splitting import stated
from guardrail.language.doc import Doc, Parse, Token
from guardrail.language.lists import pairs
from guardrail.language.vocabulary import listed_word
from guardrail.types import Span, Statement
from guardrail.values import find_values
from guardrail.values.clock import find_clocks
from guardrail.values.dates import month_number, ordinal_number
from guardrail.values.find_dates import find_days
from guardrail.values.numbers import read_number
from guardrail.values.weekdays import weekdays

__all__ = ["answered"]

_PERSONS = dict(pairs("persons"))
_AGREEING = {("you", "am"): "are", ("you", "was"): "were", ("we", "was"): "were"}
_WHOLE = {"'s": "is", "’s": "is", "'re": "are", "’re": "are", "ca": "can", "wo": "will"}
_THIRD = {"have": "has", "be": "is"}
_HISSING = re.compile(r"(?:s|sh|ch|x|z|o)$")
_MARKS = ' \t.,;:!*_"“”'
_NOT = ("not", "n't", "n’t")
_BE = frozenset("am is are was were 's ’s 're ’re".split())
_FIGURE = re.compile(r"(?i)(?:[a-z]+ ){0,2}\d[\d.,]*")
_AMOUNT = re.compile(
    r"(?i)(?:about|around|at least|at most|up to|over|under|more than|less than|fewer than|nearly|roughly) ?[£$€]?\d"
)
_DAY = 11  # the precision of a date, as Wikidata has it
_SEASONS = ("spring", "summer", "autumn", "winter")
_NAME = re.compile(r"(?:the |an? )?[A-Z]|the |an? ")
_LENGTHS = frozenset("tall long wide deep high old thick".split())
_TIMES = frozenset("time year day date month week century decade".split())
_FINITE = ("VBD", "VBP", "VBZ")
_SPEAKING = frozenset("know think recommend suggest mean say want tell advise prefer feel believe".split())
_OFTEN = ("once", "twice", "thrice")
_MEASURED = frozenset("be take takes took last lasts lasted".split())
_LASTING = _MEASURED | _BE | {"have", "wait"}
_OBJECTS = frozenset({"who", "whom", "what", "which"})
_LONGEST = 9  # words of an answer that leaves the rest to its question


def answered(question: str, answer: str, parse: Parse) -> Statement | None:
    """The statement that a short answer makes of its question, with a capital at its start; None where it is no short answer to it.

    Its places are those in `answer`.
    """
    asked = asked_last(question)
    if not asked or len(answer.split()) > _LONGEST:
        return None
    order = question_of(parse(asked))
    if order is None or _requests(order):
        return None
    draft = _polar(order, answer, parse) if not order.asked else _filled(order, answer, parse)
    return draft.done() if draft is not None else None


def _polar(question: Question, answer: str, parse: Parse) -> _Draft | None:
    said = yes_or_no(answer)
    words = [question.doc.tokens[at].low for at in question.rest]
    unclear = not {"not", "never"}.isdisjoint(words)  # "Is it not open?": a yes may mean either
    if said is None or unclear or (said.more and _tells(parse(said.more))):
        return None
    return _affirmed(question, said, Span(said.at, said.at + len(said.more)))


def _requests(question: Question) -> bool:
    """Whether it asks somebody to do something or for what they know, and for no fact: "Can you help me?", "What do you think of it?"."""
    tokens = question.doc.tokens
    you = [tokens[at].low for at in question.subject] == ["you"] and question.auxiliary >= 0
    asked_to = [tokens[at].low for at in question.rest[:1]]
    polar = not question.asked and you and tokens[question.auxiliary].tag == "MD"
    return polar or (you and not _SPEAKING.isdisjoint(asked_to))


def _tells(doc: Doc) -> bool:
    """Whether an answer has a subject and a verb of its own."""
    subjects = {token.head for token in doc.tokens if token.dep.startswith("nsubj")}
    finite = [token for token in doc.tokens if token.tag in _FINITE]
    helping = ("aux", "cop")
    told = any(one.at in subjects or (one.dep.startswith(helping) and one.head in subjects) for one in finite)
    return told or stated(doc)


def _filled(question: Question, answer: str, parse: Parse) -> _Draft | None:
    words = answer.strip(_MARKS)
    if not words or yes_or_no(answer) is not None or _tells(parse(answer)):
        return None
    start = answer.index(words)
    return _declarative(question, parse(words), Span(start, start + len(words)))


def _affirmed(question: Question, said: YesOrNo, place: Span) -> _Draft:
    """What a yes or no says to a question: the question as a statement, denied by a no. `place`: of what follows the yes or no."""
    statement = _Draft()
    _lead(statement, question)
    _subject_and_verb(statement, question, denied=not said.yes)
    if said.more:
        statement.add("," if not said.yes else "")
        statement.add(said.more, place)
    return statement


def _declarative(question: Question, answer: Doc, place: Span) -> _Draft | None:
    """The statement of a question with its answer, which stands at `place`; None where the question word is of another kind."""
    asked = [token.low for token in question.doc.tokens[question.asked.start : question.asked.stop]]
    happens = any(token.low == "happens" for token in question.doc.tokens)
    if not asked or "whose" in asked or happens or not answer.tokens:
        return None
    filled = _Answer(answer, place, asked)
    statement = _Draft()
    _lead(statement, question)
    if not question.subject:
        return _subject_asked(statement, question, filled)
    if _named_first(question, asked):
        filled.add(statement)
        statement.add(_verb_words(question, ""))
        _copy(statement, question, question.subject)
        _copy(statement, question, question.rest)
        return statement
    cut = _gap(question, filled)
    _subject_and_verb(statement, question, denied=False, until=cut)
    filled.add(statement, _preposition(question, filled), is_it=_is_it(question))
    _copy(statement, question, range(cut, question.rest.stop))
    return statement


class _Answer:
    """The words of an answer, beside what was asked for."""

    def __init__(self, answer: Doc, place: Span, asked: list[str]) -> None:
        self.words, self.place, self.asked = answer.text, place, asked
        first = answer.tokens[0]
        amount = _AMOUNT.match(answer.text) is not None or first.low in _OFTEN
        self.prepositional = first.tag in ("IN", "TO", "RB") and not amount
        self.is_name = first.tag in ("NNP", "NNPS", "PRP") or not (
            listed_word(first.low) or len(first.text) == 1
        )

    @property
    def is_object(self) -> bool:
        """Whether a noun phrase was asked for, and not a time, a place or a manner."""
        plain = self.asked[0] in _OBJECTS and self.asked[-1] not in _TIMES
        counted = self.asked[0] == "how" and self.amount is not None
        return (plain or counted) and not self.prepositional

    @property
    def amount(self) -> list[str] | None:
        """What "how many" or "how much" asks for, "rooms", "times a day"; None where neither does."""
        for at, word in enumerate(self.asked[1:], 1):
            if word in ("many", "much") and self.asked[at - 1] == "how":
                return [_PERSONS.get(one, one) for one in self.asked[at + 1 :]]
        return None

    @property
    def is_none(self) -> bool:
        """Whether there is none of what was counted."""
        return self.words.lower() == "none" and bool(self.amount)

    def add(self, statement: _Draft, preposition: str = "", *, is_it: bool = False) -> None:
        """The answer with the noun or adjective that it leaves to the question: "42 rooms", "3 m tall" where something is it."""
        statement.add(preposition)
        if self.is_none:
            statement.add(f"no {self._left_out(is_it=is_it)}")
            return
        inside = bool(statement.text) and not self.is_name
        words = self.words[:1].lower() + self.words[1:] if inside else self.words
        statement.add(words, self.place)
        left = self._left_out(is_it=is_it)
        statement.add("" if left and self.words.endswith(left.split()[-1]) else left)

    def _left_out(self, *, is_it: bool) -> str:
        if self.amount:
            return self._counted()
        old = self.asked[:2] == ["how", "old"]
        if old and self._is_bare:
            return "years old"
        measures = old or (is_it and self.asked[-1] in _LENGTHS)
        return self.asked[-1] if measures and self._has_number else ""

    def _counted(self) -> str:
        """The noun behind a bare number, "42 rooms", or what "twice" is counted in, "a day"."""
        often = self.words.lower() in _OFTEN
        counted = (self.amount or [])[often:]
        return " ".join(counted) if often or self._is_bare or self.is_none else ""

    @property
    def _is_bare(self) -> bool:
        return _FIGURE.fullmatch(self.words) is not None or read_number(self.words) is not None

    @property
    def _has_number(self) -> bool:
        first = self.words.split()[0]
        return any(letter.isdigit() for letter in self.words) or read_number(first) is not None


def _lead(statement: _Draft, question: Question) -> None:
    """What stands before the question, in the same sentence: "If I cancel,"."""
    if question.start > 2:
        _copy(statement, question, range(question.start))


def _subject_asked(statement: _Draft, question: Question, answer: _Answer) -> _Draft:
    """The answer in the place of the subject: "Liam Fox manages the branch" of "Who manages the branch?"."""
    answer.add(statement)
    if question.auxiliary >= 0:
        statement.add(_verb_words(question, ""))
    _copy(statement, question, question.rest)
    return statement


def _is_it(question: Question) -> bool:
    """Whether the answer is what the subject is: "How long is the warranty?", "how long the warranty is"."""
    tokens = question.doc.tokens
    verbs = [tokens[at].low for at in ((question.auxiliary,) if not question.rest else question.rest)]
    return len(verbs) == 1 and verbs[0] in _BE


def _named_first(question: Question, asked: list[str]) -> bool:
    """Whether the answer comes first: "Dana Holt is the manager" of "Who is the manager?"."""
    tokens = question.doc.tokens
    return (
        asked == ["who"]
        and not question.rest
        and question.auxiliary >= 0
        and tokens[question.auxiliary].low in _BE
    )


def _gap(question: Question, answer: _Answer) -> int:
    """Where the answer stands: behind the verb whose object or measure it is, else at the end."""
    tokens, rest = question.doc.tokens, question.rest
    if not rest or (answer.is_object and tokens[rest.stop - 1].tag in ("IN", "TO", "RP")):
        return rest.stop
    if answer.asked == ["how", "far"]:
        return rest.start
    if answer.asked == ["how", "long"] and [one.low for one in tokens[rest.start : rest.start + 2]] == [
        "have",
        "to",
    ]:
        return rest.start + 1
    verb = _main_verb(question)
    measured = answer.asked[0] == "how" and tokens[verb].low in _MEASURED
    return verb + 1 if answer.is_object or measured else rest.stop


def _main_verb(question: Question) -> int:
    """The last of the verbs that hang together at the start of the rest: "have to pay"; "be" and "take" have a measure of their own."""
    tokens, rest = question.doc.tokens, question.rest
    main = rest.start
    for at in rest[1:]:
        chained = at - main == 1 or (at - main == 2 and tokens[at - 1].low in ("to", "not", "also"))
        if tokens[main].low in _MEASURED or not chained:
            break
        main = at if tokens[at].tag.startswith("VB") else main
    return main


def _preposition(question: Question, answer: _Answer) -> str:
    """The preposition that the answer leaves out."""
    if answer.prepositional or answer.is_object:
        return ""
    if question.doc.tokens[question.asked.start].tag in ("IN", "TO"):
        return answer.asked[0]
    return _LEFT_OUT[answer.asked[0]](question, answer) if answer.asked[0] in _LEFT_OUT else ""


def _of_place(question: Question, answer: _Answer) -> str:
    return "in" if _NAME.match(answer.words) else ""


def _of_duration(question: Question, answer: _Answer) -> str:
    verb = question.doc.tokens[question.rest.start].low if question.rest else ""
    return "for" if answer.asked == ["how", "long"] and verb and verb not in _LASTING else ""


def _of_reason(question: Question, answer: _Answer) -> str:
    return "" if answer.words.lower().startswith(("because", "due", "to ")) else "because"


def _of_time(question: Question, answer: _Answer) -> str:
    """The preposition of an hour, of a day, or of what is longer."""
    clocks = find_clocks(answer.words)
    before = answer.words[: clocks[0].span.start] if clocks else answer.words
    if _is_day(before):
        return "on"
    return "in" if _is_longer(before) else "at" if clocks else ""


def _is_day(words: str) -> bool:
    """Whether a day is told: "Monday", "31 May", "the 5th"."""
    last = words.split()[-1] if words.split() else ""
    numbered = not last.isdigit() and ordinal_number(last) > 0
    return bool(numbered or find_days(words) or weekdays(words)) or _DAY in _precisions(words)


def _is_longer(words: str) -> bool:
    """Whether a month, a season, a year or more is told."""
    last = words.split()[-1].lower() if words.split() else ""
    return bool(_precisions(words)) or month_number(last) > 0 or last in _SEASONS


def _precisions(words: str) -> set[int | None]:
    """The precisions of the dates in a text."""
    values = (one.value for one in find_values(words))
    return {one.precision for one in values if one is not None and one.datatype == "date"}


_LEFT_OUT = {
    "when": _of_time,
    "what": _of_time,
    "which": _of_time,
    "where": _of_place,
    "how": _of_duration,
    "why": _of_reason,
}


def _subject_and_verb(
    statement: _Draft, question: Question, *, denied: bool, until: int | None = None
) -> None:
    """The subject, the auxiliary behind it, and the rest up to a token."""
    rest = range(question.rest.start, question.rest.stop if until is None else until)
    _copy(statement, question, question.subject)
    subject = statement.text.rpartition(" ")[2].lower()
    if question.auxiliary >= 0:
        does = question.doc.tokens[question.auxiliary].low == "does" and not denied and len(question.rest) > 0
        statement.add("" if does else _verb_words(question, subject, denied=denied))
        if does:
            tokens = question.doc.tokens
            verb = next((at for at in rest if tokens[at].tag != "RB"), rest.start)
            _copy(statement, question, range(rest.start, verb))
            statement.add(_third_person(tokens[verb]))
            rest = range(verb + 1, max(verb + 1, rest.stop))
    elif denied:
        statement.add("it is not true that")
    _copy(statement, question, rest)


def _verb_words(question: Question, subject: str, *, denied: bool = False) -> str:
    """The auxiliary behind its subject: "are" for "am" once "I" is "you"; left out is a "do" that only asks."""
    tokens, at = question.doc.tokens, question.auxiliary
    word = _WHOLE.get(tokens[at].low, tokens[at].low)
    # A yes to "Isn't it open?" says that it is.
    negated = bool(question.asked) and at + 1 < len(tokens) and tokens[at + 1].low in _NOT
    word = _AGREEING.get((subject, word), word)
    if denied or negated:
        return f"{word} not"
    return "" if word == "do" and question.rest else word


def _third_person(token: Token) -> str:
    word = token.low
    if word in _THIRD:
        return _THIRD[word]
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}es" if _HISSING.search(word) else f"{word}s"


def _copy(statement: _Draft, question: Question, places: range) -> None:
    """Words of the question, in stretches between those that name who speaks, which are exchanged; "you" may be anybody."""
    doc, start = question.doc, places.start
    for at in places:
        word = doc.tokens[at].low
        if (other := _PERSONS.get(word)) is not None and not (word == "you" and _anybody(question)):
            _stretch(statement, question, range(start, at))
            statement.add(other)
            start = at + 1
    _stretch(statement, question, range(start, places.stop))


def _anybody(question: Question) -> bool:
    """Whether "you" means people: "How old do you have to be?", "Where can you park?"."""
    tokens = question.doc.tokens
    words = [token.low for token in tokens[question.rest.start : question.rest.start + 2]]
    modal = question.auxiliary >= 0 and tokens[question.auxiliary].tag == "MD"
    return modal or words in (["have", "to"], ["need", "to"])


def _stretch(statement: _Draft, question: Question, places: range) -> None:
    if places:
        tokens = question.doc.tokens
        span = Span(tokens[places.start].start, tokens[places.stop - 1].end)
        statement.add(span.of(question.doc.text))


class _Draft:
    """A statement that is being put together."""

    def __init__(self) -> None:
        self.text = ""
        self._parts: list[Span | str] = []

    def add(self, words: str, place: Span | None = None) -> None:
        """Words at the end, with a blank before them where one belongs there. `place`: theirs in the answer."""
        if not words:
            return
        if (
            self.text
            and words[0] not in ",.;:'’%)"
            and not self.text.endswith(("-", "$", "£", "€", "(", "/"))
        ):
            self._put(" ", " ")
        self._put(words, words if place is None else place)

    def _put(self, words: str, part: Span | str) -> None:
        self.text += words
        self._parts.append(part)

    def done(self) -> Statement:
        """As a sentence."""
        self.add(".")
        return Statement(self.text[:1].upper() + self.text[1:], tuple(self._parts))
