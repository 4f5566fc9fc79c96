"""Names that the graph does not know (NIL), and what they take back.

A run of capitalised words is one name until something speaks against it: "Paris Zorbax" is no Paris, and in the sentence
after "Ada Zorbax" was named, "Zorbax" is she, not the company of that name.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from guardrail.evidence import names
from guardrail.evidence.linking.disambiguate import HUMAN, Option
from guardrail.evidence.linking.spans import (
    Case,
    Scanned,
    capitalised_runs,
    common_names,
    is_feature,
    is_title,
)
from guardrail.language.lists import word_list
from guardrail.types import Candidate, Context, Mention
from guardrail.values.demonyms import DEMONYMS, PEOPLE

_WELL_KNOWN = 3.0
"""The score of what may have been meant although an unknown name ends with the same word: "Air Paris", then "Paris"."""
_KIN_OF_MANY = frozenset("parents sons daughters children brothers sisters".split())
_KIN = word_list("kin") | _KIN_OF_MANY
_ROMAN = frozenset("ivxlc")
_ADVERBIAL = ("ly", "ing", "ed")


@dataclass(slots=True)
class DraftMention:
    """A mention in the making: words `first..last`, and what they may stand for.

    `recognized`: a recognizer holds it for a name, however it is written.
    """

    first: int
    last: int
    options: list[Option] = field(default_factory=list)
    recognized: bool = False


class Introduced:
    """Whom a text has named in full so far: one of their names alone means them, also where the graph does not know them."""

    def __init__(self, context: Context) -> None:
        self._by_first_name: dict[str, tuple[Candidate, ...]] = {}
        self._by_last_name: dict[str, tuple[Candidate, ...]] = {}
        for mention in (
            *context.question_mentions,
            *(m for claim in context.earlier for m in claim.mentions),
        ):
            self.read(mention, words_of(mention.text))

    def read(self, mention: Mention, words: Sequence[str]) -> Mention:
        """`mention`, read as what its one word was introduced as; or, where it is a full name, remembered."""
        if len(words) > 1:
            if _full_name(mention):
                self._by_first_name[words[0]] = mention.candidates
                self._by_last_name[words[-1]] = mention.candidates
            return mention
        if not words or not mention.text[:1].isupper():
            return mention
        meant = self._meant(words[0], mention.candidates[:1])
        return mention if meant is None else replace(mention, candidates=meant)

    def _meant(self, word: str, best: Sequence[Candidate]) -> tuple[Candidate, ...] | None:
        """Who is meant by one of their names, none for somebody unknown; None where it may be the `best` thing of that name."""
        meant = self._by_last_name.get(word)
        well_known = any(c.score >= _WELL_KNOWN for c in best)
        if meant is None and not well_known:  # "Paris" alone is the city, also after "Paris Hilton"
            meant = self._by_first_name.get(word)
            if not meant and all(HUMAN.isdisjoint(c.entity.types) for c in best):
                return None  # "Lotus" after "Lotus Seven": the name may have been of anything
        return None if not meant and well_known else meant


@lru_cache(maxsize=4096)
def words_of(name: str) -> tuple[str, ...]:
    """The words of its key: those of a conversation are asked for sentence after sentence."""
    return tuple(names.key(name).split())


def _full_name(mention: Mention) -> bool:
    if mention.entity is not None:
        return not HUMAN.isdisjoint(mention.entity.types) or bool(mention.entity.gender)
    return len(parts := mention.text.split()) < 5 and all(part[:1].isupper() for part in parts)


def with_unknown(scanned: Scanned, found: Sequence[DraftMention]) -> list[DraftMention]:
    """Adds the capitalised names that the graph does not know, and takes back matches that are part of one.

    "Paris Hilton" is no mention of Paris where the graph has no Paris Hilton.
    """
    at_word = {i: f for f in found for i in range(f.first, f.last + 1)}
    for begin, last in _runs(scanned, at_word):
        first = _after_titles(scanned, begin, last)
        known = at_word.get(first)
        if known is not None and known.first <= first and known.last >= last:
            continue
        inside = list({id(f): f for i in range(first, last + 1) if (f := at_word.get(i))}.values())
        if not inside:
            if first != last or _names(scanned, first):
                at_word[first] = DraftMention(first, last)
        elif _one_name(scanned, first, last, inside):
            _put(at_word, DraftMention(min(first, inside[0].first), max(last, inside[-1].last)))
    _lengthen(scanned, found, at_word)
    return sorted({id(f): f for f in at_word.values()}.values(), key=lambda f: f.first)


def _names(scanned: Scanned, at: int) -> bool:
    """Whether a single word may be a name, and does not say where somebody is from: "a Dane"."""
    national = scanned.words[at] in PEOPLE and at > 0 and scanned.words[at - 1] in ("a", "an", "the")
    return not national and not scanned.blocked(at)


def _put(at_word: dict[int, DraftMention], mention: DraftMention) -> None:
    at_word.update(dict.fromkeys(range(mention.first, mention.last + 1), mention))


def _lengthen(scanned: Scanned, found: Sequence[DraftMention], at_word: dict[int, DraftMention]) -> None:
    """Takes back the known names that what stands behind makes unknown ones."""
    for each in found:
        behind = _behind(scanned, each) if at_word.get(each.last) is each else 0
        if behind:
            _put(at_word, DraftMention(each.first, each.last + behind))


def _runs(scanned: Scanned, known: Collection[int]) -> list[tuple[int, int]]:
    """Capitalised runs, cut where a title follows a known word: "Berg County Commissioner Ada N. Zorbax" is a place and a person."""
    found: list[tuple[int, int]] = []
    for first, last in capitalised_runs(scanned):
        for i in range(first + 1, last):
            word = scanned.words[i]
            if is_title(word) and not is_feature(word) and i - 1 in known and i not in known:
                found.append((first, i - 1))
                first = i
        found.append((first, last))
    return found


def with_recognized(
    scanned: Scanned,
    found: Sequence[DraftMention],
    spans: Iterable[tuple[int, int]],
    options: Callable[[int, int], list[Option]],
) -> list[DraftMention]:
    """Adds the names that a recognizer sees at `spans` (characters), with the readings that `options` gives their words.

    What has a reading stays as it is, as the graph knows its names better; but not a common word that begins a sentence and was
    read as one: the recognizer says that it is a name. An unknown name grows to the span around it.
    """
    at_word = {i: f for f in found for i in range(f.first, f.last + 1)}
    for start, end in spans:
        place = _words_at(scanned, start, end)
        if place is None:
            continue
        first, last = place
        inside = [f for i in range(first, last + 1) if (f := at_word.get(i))]
        if all(_yields(scanned, f) and first <= f.first and f.last <= last for f in inside):
            _put(at_word, DraftMention(first, last, options(first, last), recognized=True))
    return sorted({id(f): f for f in at_word.values()}.values(), key=lambda f: f.first)


def _yields(scanned: Scanned, found: DraftMention) -> bool:
    """Whether it has no reading, or only that of a common word."""
    alone = found.first == found.last and scanned.initial[found.first]
    return not found.options or (alone and scanned.blocked(found.first))


def _words_at(scanned: Scanned, start: int, end: int) -> tuple[int, int] | None:
    """The first and the last word between two characters, without an article before them; None where one is cut."""
    inside = [i for i, (begin, stop) in enumerate(scanned.places) if begin < end and stop > start]
    if not inside or scanned.places[inside[0]][0] < start or scanned.places[inside[-1]][1] > end:
        return None
    first, last = inside[0], inside[-1]
    while first < last and scanned.traits[first].small:
        first += 1
    return first, last


def _after_titles(scanned: Scanned, first: int, last: int) -> int:
    """Where the name itself begins: behind "President", "the Governor of"."""
    at = first
    while at < last and (is_title(scanned.words[at]) or (at > first and scanned.cases[at] is Case.LOWER)):
        following = scanned.words[at + 1]
        if is_feature(scanned.words[at]) and scanned.traits[at + 1].capital and not is_title(following):
            break
        at += 1
    return at


def _one_name(scanned: Scanned, first: int, last: int, inside: Sequence[DraftMention]) -> bool:
    """Whether the run `first..last` is one name that the graph does not know, though it knows words of it.

    Single words are trusted neither beside unknown ones nor side by side ("Air Mauritius", "Lamar Jackson"); of several words,
    neither is one that goes on in unknown words ("University of Chicago Press Club"), nor before which one stands, nor that of a
    person that goes on in any; where two known ones stand in the run, or a title between single words ("Texas Governor Abbott"),
    it is no single name.
    """
    longer = [f for f in inside if _words(scanned, f) > 1]
    if last == first or len(longer) > 1:
        return False
    taken = {i for f in inside for i in range(f.first, f.last + 1)}
    names = [i for i in range(first, last + 1) if scanned.traits[i].capital]
    unknown = [i for i in names if i not in taken]
    if longer:
        return _goes_beyond(scanned, longer[0], last, names, unknown)
    if unknown:
        return not (unknown == [first] and scanned.initial[first] and _plain(scanned, first))
    return _side_by_side(scanned, first, names, inside[0])


def _side_by_side(scanned: Scanned, first: int, names: Sequence[int], known: DraftMention) -> bool:
    """Whether single words that are all known are one name together; the first may only begin the sentence."""
    if any(is_title(scanned.words[i]) for i in names[1:-1]):
        return False
    if scanned.initial[first] and (_plain(scanned, first) or _concept(known)):
        names = names[1:]
    return sum(not scanned.traits[i].function for i in names) > 1


def _goes_beyond(
    scanned: Scanned, known: DraftMention, last: int, names: Sequence[int], unknown: Sequence[int]
) -> bool:
    """Whether a known name of several words is part of a longer one, by the words beside it."""
    before, at = known.first - 1, known.last + 1
    if _person(known):
        return at in names and not scanned.traits[at].function and not _apart(scanned, at, last)
    return (at in unknown and not _apart(scanned, at, last)) or (
        before in unknown and not _said_before(scanned, before)
    )


def _apart(scanned: Scanned, i: int, last: int) -> bool:
    """Whether a word behind a name is none of it: letters ("Ada Berg FRS", but not "Ada Berg III"), a weekday."""
    letters = i == last and scanned.cases[i] is Case.UPPER and 1 < len(scanned.words[i]) <= 5
    return (letters and not set(scanned.words[i]) <= _ROMAN) or scanned.traits[i].time


def _said_before(scanned: Scanned, i: int) -> bool:
    """Whether a word before a name says something of it: a title, a nationality, what begins the sentence or a question."""
    word = scanned.words[i]
    said = scanned.initial[i] or scanned.traits[i].function or is_title(word)
    return said or word in DEMONYMS


def _person(found: DraftMention) -> bool:
    entity = found.options[0].reading.entity if found.options else None
    return entity is not None and not HUMAN.isdisjoint(entity.types)


def relatives(scanned: Scanned) -> frozenset[int]:
    """The words that are first names of relatives: "his wife Ada", "sons Max, Tom and Ben"."""
    words = scanned.words
    if _KIN.isdisjoint(words):
        return frozenset()
    found: list[int] = []
    for i, word in enumerate(words):
        at, between = i + 1, {" "}
        while word in _KIN and at < len(words) and _gap(scanned, at) in between and _alone(scanned, at):
            found.append(at)
            at += 2 if words[at + 1 : at + 2] == ["and"] else 1
            between = {" ", ", "} if word in _KIN_OF_MANY else set()
    return frozenset(found)


def _gap(scanned: Scanned, i: int) -> str:
    """What stands before a word."""
    return scanned.text[scanned.places[i - 1][1] : scanned.places[i][0]]


def _alone(scanned: Scanned, i: int) -> bool:
    """Whether a word with a capital has no other behind it: no part of a longer name."""
    if not scanned.traits[i].capital or i + 1 == len(scanned.words):
        return scanned.traits[i].capital
    return _gap(scanned, i + 1) != " " or not scanned.traits[i + 1].capital


def relative(ranked: tuple[Candidate, ...]) -> tuple[Candidate, ...]:
    """The readings of a relative's first name: of the many who bear it only one that the text or the graph speaks for."""
    return tuple([c for c in ranked if not HUMAN.isdisjoint(c.entity.types) and c.score >= _WELL_KNOWN])


def _behind(scanned: Scanned, found: DraftMention) -> int:
    """How many words behind the name make it another: a number, or "the Elder"; 0 where none do."""
    if _is_numbered(scanned, found):
        return 1
    the, at = found.last + 1, found.last + 2
    if not _person(found) or at >= len(scanned.words) or scanned.words[the] != "the":
        return 0
    called = (
        scanned.traits[at].capital and scanned.cases[the] is Case.LOWER and not is_title(scanned.words[at])
    )
    return 2 if called and _gap(scanned, the) == _gap(scanned, at) == " " and _alone(scanned, at) else 0


def _is_numbered(scanned: Scanned, found: DraftMention) -> bool:
    """Whether a number behind the name makes it another: "Toy Story 3" is not its first part. A count, a year, a score do not."""
    at = found.last + 1
    if at >= len(scanned.words) or not scanned.traits[found.last].capital:
        return False
    number, end = scanned.words[at], scanned.places[at][1]
    behind = scanned.text[end : end + 1]
    if not (number.isdigit() and len(number) < 4 and _gap(scanned, at) == " "):
        return False
    if behind != " " or at + 1 == len(scanned.words):
        return behind in ("", ".", "?", "!", ")", "'", "’") and not scanned.text[end + 1 : end + 2].isdigit()
    following = scanned.traits[at + 1]
    return following.function or following.folded.endswith("ed")


def _concept(found: DraftMention) -> bool:
    """Whether the word may only be a common noun, capitalised for where it stands: "Physicist"."""
    return all(option.reading.text.islower() for option in found.options)


def _words(scanned: Scanned, found: DraftMention) -> int:
    """Words of a name without the article before it."""
    return found.last - found.first + (scanned.words[found.first] != "the")


def _plain(scanned: Scanned, i: int) -> bool:
    """Whether the first word of a sentence may be capitalised for that alone."""
    word = scanned.words[i]
    return word in common_names() or word.endswith(_ADVERBIAL)
