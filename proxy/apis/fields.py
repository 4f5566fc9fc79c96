"""The fields of an answer: those that are known go on, the others are left out or named."""

from __future__ import annotations

from proxy.wire.shapes import cannot_read, holds_words, without_words
from proxy.wire.surface import Json

__all__ = ["FieldReader", "kind_of"]


class FieldReader:
    """`strict`: what cannot be read raises UpstreamBroken, or is left out; else `unread` names it."""

    def __init__(self, *, strict: bool) -> None:
        self._strict = strict
        self.unread: list[str] = []

    def _known(self, told: Json, known: frozenset[str], where: str, *, prose: bool = False) -> Json:
        """An object without the fields that are not known and hold words; with `prose`, more than an identifier or an address."""
        kept, strange = without_words(told, known, prose=prose)
        if strange and not self._strict:
            self.unread += [f"{where}.{name}"[:80] for name in strange]
            return told
        return kept

    def _strange(self, what: str) -> None:
        if self._strict:
            raise cannot_read(what)
        self.unread.append(what)

    def _string(self, told: object, what: str = "text") -> str:
        """What is told, if it is a string; anything else but nothing is strange."""
        if told is not None and not isinstance(told, str):
            self._strange(f"{what} that is not a string")
        return told if isinstance(told, str) else ""

    def _other(self, told: object, what: str) -> None:
        """What is of no known type is strange where it holds words."""
        if holds_words(told):
            self._strange(what)


def kind_of(part: object) -> str:
    """The type that a part says it has."""
    return str(part.get("type")) if isinstance(part, dict) else ""
