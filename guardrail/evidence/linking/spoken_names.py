"""Names as people say them: "the gym" of "Gym", "books" of "Book", "Ferry Lane" of "Ferry Lane Office", "Orla" of "Orla Fenwick",
"Jones and Co." of "Jones & Co.".

In a graph of the world such a form could mean anything. A small graph is somebody's own, and who asks about it means what is in it.
So for a small graph the forms are names, too, each where no other name of the graph has it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from guardrail.evidence import names
from guardrail.evidence.knowledge import NameRow
from guardrail.evidence.linking.spans import function_words
from guardrail.language.vocabulary import common_word

__all__ = ["MOST_NAMES", "SpokenNames"]

MOST_NAMES = 10_000
"""Names of a graph that is small enough."""
_LONGEST = 5
"""Words of a name that people shorten; more are a description."""
_INITIALS = 5
_LATER = 1
"""The kind of a name that is no label."""


class SpokenNames:
    """The forms that people use of the names that are `written`: all names of a graph of somebody's own."""

    def __init__(self, written: Sequence[NameRow] = ()) -> None:
        self._rows = _spoken(written)
        self._beginnings = frozenset(" ".join(key.split()[:2]) for key in self._rows)

    def named(self, keys: Iterable[str]) -> Iterator[NameRow]:
        """Those that have one of these keys."""
        return (row for key in keys for row in self._rows.get(key, ()))

    def begun(self, keys: Collection[str]) -> Collection[str]:
        """The pairs of words with which one begins."""
        return self._beginnings.intersection(keys)


def _spoken(written: Sequence[NameRow]) -> dict[str, list[NameRow]]:
    """By key, each where no other name of the graph has it."""
    owners: dict[str, set[int]] = {}
    for row in written:
        for key in _stretches(row.key):
            owners.setdefault(key, set()).add(row.entity)
    found: dict[str, list[NameRow]] = {}
    taken = {row.key for row in written}
    for row in written:
        for text in dict.fromkeys(_forms(row, owners)):
            key = names.key(text)
            if key == row.key or (key not in taken and owners.get(key, {row.entity}) == {row.entity}):
                found.setdefault(key, []).append(row._replace(key=key, text=text, kind=_LATER))
    return {key: rows for key, rows in found.items() if len({row.entity for row in rows}) == 1}


def _forms(row: NameRow, owners: dict[str, set[int]]) -> Iterator[str]:
    """Other ways to say a name."""
    shorter = [row.text, *_shorter(row, owners)]
    for text in (*shorter, *filter(None, map(_joined_otherwise, shorter))):
        yield text
        yield from _other_number(text)
    if not (row.text.isupper() and len(row.text) <= _INITIALS) and row.key not in function_words():
        yield row.text.lower()
        yield from _other_number(row.text.lower())


def _joined_otherwise(text: str) -> str:
    """A name with "and" for "&", or the other way round, as far as a text names it: to its last word; "" where it has neither."""
    text = text.rstrip(".")
    if "&" in text:
        return " ".join(text.replace("&", " and ").split())
    return text.replace(" and ", " & ") if " and " in text else ""


def _shorter(row: NameRow, owners: dict[str, set[int]]) -> Iterator[str]:
    """The first or the last words of a proper name, where no other thing has them in its name."""
    written, places, _ = names.cut(row.text)
    if not 1 < len(written) <= _LONGEST or not all(map(_proper, written)):
        return
    for size in range(1, len(written)):
        for first in (0, len(written) - size):
            part = written[first : first + size]
            if _telling(part) and len(owners.get(names.key(" ".join(part)), ())) == 1:
                yield row.text[places[first][0] : places[first + size - 1][1]]


def _telling(part: Sequence[str]) -> bool:
    """Whether some words of a name tell which name it is: more than one, or one that is no ordinary word."""
    if {names.fold(part[0]), names.fold(part[-1])} & function_words():
        return False
    return len(part) > 1 or (len(part[0]) > 2 and not common_word(part[0].lower()))


def _proper(word: str) -> bool:
    return word[:1].isupper() or word in function_words()


def _stretches(key: str) -> Iterable[str]:
    """All runs of words in a key."""
    words = key.split()[: 2 * _LONGEST]
    return {" ".join(words[a:b]) for a in range(len(words)) for b in range(a + 1, len(words) + 1)}


def _other_number(text: str) -> Iterator[str]:
    """The plural of a singular and the singular of a plural, by their endings."""
    if text.endswith("ies"):
        yield f"{text[:-3]}y"
    elif text.endswith(("ches", "shes", "sses", "xes")):
        yield text[:-2]
    elif text.endswith("s") and not text.endswith(("ss", "us", "is")):
        yield text[:-1]
    elif text.endswith("y") and text[-2:-1] not in "aeiou":
        yield f"{text[:-1]}ies"
    elif text[-1:].isalpha():
        yield f"{text}es" if text.endswith(("ch", "sh", "ss", "x")) else f"{text}s"
