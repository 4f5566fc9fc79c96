"""Sentences in capitals or in small letters alone, spelled as they would be in print: "THE CAPITAL OF PERU" → "The capital of Peru".

Which words are names is asked of the linker, which knows the graph's. A word that English uses as a common one is no name by
itself: of "the reading took place in nice" nothing is made a town.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from guardrail.evidence.linking.spans import function_words
from guardrail.language.lists import word_list
from guardrail.language.vocabulary import common_word
from guardrail.types import Link, Mention, Span
from guardrail.values.demonyms import DEMONYMS

__all__ = ["printed"]

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_CALENDAR = (word_list("weekdays") | word_list("months")) - {"march", "may"}
_COUNTED = re.compile(
    r"\b(?:an?|my|your|his|her|its|our|their|some|this|these|those|each|every|no)\s+\Z"
)  # "an apple"
_ENDING = re.compile(
    r"(?:ing|ed|ly|ness|tion|able|s|er|ment|ism|ist|al|ic|ous|ity)\Z"
)  # of words that are made of others
_CONTRACTED = re.compile(r"n['’]t\Z|['’](?:re|ve|ll|d|m|s)\Z")
_FEWEST = 3  # words: fewer are a name, an acronym or a label


def printed(text: str, link: Link) -> str:
    """`text` with as many characters; the same text where its letters tell names from other words."""
    letters = [one for one in text if one.isalpha()]
    found = _WORD.findall(text)
    capitals = _in_capitals(letters) or _headline(found)
    if len(found) < _FEWEST or not (capitals or _small_but_first(letters)):
        return text
    spelled = _lowered(text)
    if not capitals and _begins_with_a_name(text, link):
        return text
    spelled = _with_names(spelled, link)
    if capitals or letters[0].islower():  # who begins with a capital writes names with one
        spelled = _with_unknown_names(spelled, link)
    first = next(match.start() for match in _WORD.finditer(text))
    return spelled[:first] + spelled[first].upper() + spelled[first + 1 :]


def _in_capitals(letters: Sequence[str]) -> bool:
    return sum(one.islower() for one in letters[1:]) < 0.1 * len(letters)


def _small_but_first(letters: Sequence[str]) -> bool:
    return all(one.islower() for one in letters[1:])


def _begins_with_a_name(text: str, link: Link) -> bool:
    """Whether the one capital of a sentence is a name's: "Paris is a city." is spelled as it should be."""
    return any(_proper(mention) and mention.text[0].isupper() for mention in link(text))


def _headline(words: Sequence[str]) -> bool:
    """Whether every word has a capital, small words too: "The Capital Of Peru Is Lima"."""
    return all(word[0].isupper() for word in words) and any(
        word.lower() in function_words() for word in words[1:]
    )


def _lowered(text: str) -> str:
    """`text` in small letters but for days, months, nations and "I"; of the same length."""

    def word(match: re.Match[str]) -> str:
        low = "".join(one.lower() if len(one.lower()) == 1 else one for one in match[0])
        capital = low in _CALENDAR or (len(low) > 3 and low in DEMONYMS) or low in ("i", "i'm", "i've")
        return low[0].upper() + low[1:] if capital else low

    return _WORD.sub(word, text)


def _names(text: str, link: Link) -> Iterator[tuple[int, str]]:
    """The names in a text in small letters: where each begins, and how it is written.

    Asked twice: with a capital for each word, which finds names of common words ("Green Day"), and for uncommon ones alone,
    as capitals side by side would be taken for one name.
    """
    taken: list[Span] = []
    for all_words in (True, False):
        titled = _titled(text, all_words=all_words)
        for mention in link(titled):
            words = mention.span.of(text)
            if (
                _proper(mention)
                and _is_name(text, mention.span)
                and not any(map(mention.span.overlaps, taken))
            ):
                taken.append(mention.span)
                yield mention.span.start, _written(words, mention)


def _titled(text: str, *, all_words: bool) -> str:
    return _WORD.sub(
        lambda match: match[0] if _plain(match[0], all_words=all_words) else _title(match[0]), text
    )


def _plain(word: str, *, all_words: bool) -> bool:
    return _CONTRACTED.search(word) is not None or (not all_words and common_word(word))


def _title(word: str) -> str:
    return word if word in function_words() or len(word[0].upper()) > 1 else word[0].upper() + word[1:]


def _proper(mention: Mention) -> bool:
    return mention.entity is not None and mention.entity.label[:1].isupper()


def _written(words: str, mention: Mention) -> str:
    """As the graph writes the name, else with a capital for each word but small ones."""
    label = mention.entity.label if mention.entity else ""
    if label.casefold() == words.casefold() and len(label) == len(words):
        return label
    if len(words) < 4:
        return words.upper()  # "usa", "uk"
    return _WORD.sub(lambda match: _title(match[0]), words)


def _is_name(text: str, span: Span) -> bool:
    """Whether words in small letters are a name: no common word, or several with a meaning."""
    content = [word for word in _WORD.findall(span.of(text)) if word not in function_words()]
    return len(content) > 1 or (
        any(not common_word(word) for word in content) and not _COUNTED.search(text[: span.start])
    )


def _with_names(text: str, link: Link) -> str:
    spelled = text
    for start, words in _names(text, link):
        spelled = spelled[:start] + words + spelled[start + len(words) :]
    return spelled


def _with_unknown_names(text: str, link: Link) -> str:
    things = [mention.span for mention in link(text) if mention.entity is not None]
    return _WORD.sub(lambda match: _unknown(match, things), text)


def _unknown(match: re.Match[str], things: Sequence[Span]) -> str:
    """A word that neither English nor the graph knows is the name of something."""
    word, place = match[0], Span(*match.span())
    known = (
        _CONTRACTED.search(word)
        or not word.islower()
        or word in function_words()
        or len(word) < 4
        or _ENDING.search(word)
    )
    if known or any(thing.contains(place) for thing in things):
        return word
    return word if common_word(word) else _title(word)
