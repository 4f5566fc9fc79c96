"""Kin and the names behind them: "had two sons, Anton and Bert", "his daughters Anna and Berta", "their son Carl".

The words are read in order, whatever clause they are in: whose kin it is, the noun, and the names up to the next verb.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from guardrail.claims.arguments.arguments import Arguments
from guardrail.claims.lexicon.relations import Lexicon, noun_key
from guardrail.claims.nouns.nominals import Nominals
from guardrail.claims.reading.chunks import NP, VG, Mark
from guardrail.rules import rule
from guardrail.types import Argument, Fact

__all__ = ["Families"]

_CHILDREN = frozenset({"son", "daughter", "child", "kid", "twin", "boy", "girl"})
_MATES = frozenset({"wife", "husband", "spouse", "partner"})
_FRESH = frozenset({"", "a", "an", "one", "another"})
_SAME_CHILDREN = {"boy": "son", "girl": "daughter", "kid": "child", "twin": "child"}


@dataclass(slots=True)
class Families:
    """Facts of kin in one sentence. `couple`: who "their" may mean, as far as it was read."""

    arguments: Arguments
    lexicon: Lexicon
    nominals: Nominals
    couple: list[Argument] = field(default_factory=list)

    @rule("families")
    def facts(self) -> Iterator[Fact]:
        """One for each owner and each name, in the order of the words."""
        chunks = self.arguments.reading.chunks
        owners: list[Argument] = []
        for at, chunk in enumerate(chunks):
            if isinstance(chunk, VG):
                owners = self._having(chunk)
            elif isinstance(chunk, NP):
                key = self._kin(chunk)
                if not key:
                    owners = owners if chunk.kind in ("name", "value") else []
                    continue
                owners = self._owners(chunk, key, owners)
                for who in self._names(at, plural=self._plural(chunk)):
                    yield from self._told(owners, key, who)

    def _told(self, owners: list[Argument], key: str, who: Argument) -> Iterator[Fact]:
        noun = key.rsplit(" ", 1)[-1]
        for owner in owners:
            frames = self.lexicon.nouns.get((key,), ()) or self.lexicon.nouns.get((noun,), ())
            relations = self.arguments.compatible(frames, owner, who)
            if relations and owner.span != who.span:
                yield self.nominals.fact(owner, key, who, relations, ("", False))
        if noun in _MATES and owners:
            self.couple = [owners[0], who]

    # ── whose ─────────────────────────────────────────────────────────────────────────────────────────

    def _having(self, vg: VG) -> list[Argument]:
        """Who has what stands behind the verb; what goes before "had" alone is a subject of it."""
        clause = next((one for one in self.arguments.reading.clauses if one.vg is vg), None)
        if clause is None or clause.subject is None or vg.negated:
            return []
        people = [self.arguments.of(np) for np in clause.subject.each() if np.kind != "common"]
        if len(people) > 1:
            self.couple = people
        return people if vg.stem == "hav" and vg.voice == "active" else []

    def _owners(self, np: NP, key: str, before: list[Argument]) -> list[Argument]:
        if np.owner is not None or np.det in ("his", "her"):
            owner = self.arguments.owner(np)
            return [owner] if owner is not None else []
        if np.det == "their" and key.rsplit(" ", 1)[-1] in _CHILDREN:
            return self.couple
        counted = self.arguments.reading.tokens[np.first].tag == "CD"
        return before if np.det in _FRESH or counted else []

    # ── who ───────────────────────────────────────────────────────────────────────────────────────────

    def _kin(self, np: NP) -> str:
        """The noun for kin that a phrase is ("two younger sons"), or that stands before its name ("his sons Anton"); "" for none."""
        reading = self.arguments.reading
        if np.kind == "name" and np.title is None:
            return ""
        if np.of or np.kind in ("pronoun", "value"):
            return ""
        last = np.head if np.title is None else np.title[1]
        words = [
            token.low for token in reading.tokens[np.first : last + 1] if token.tag.startswith(("NN", "JJ"))
        ]
        words = [
            _SAME_CHILDREN.get(noun_key([word]), word) if i == len(words) - 1 else word
            for i, word in enumerate(words)
        ]
        for start in range(len(words)):
            key = noun_key(words[start:])
            frames = self.lexicon.nouns.get((key,), ())
            if frames and all(frame.subject == frame.object == {"person"} for frame in frames[:1]):
                return key
        return ""

    def _plural(self, np: NP) -> bool:
        last = np.head if np.title is None else np.title[1]
        token = self.arguments.reading.tokens[last]
        return token.tag == "NNS" or token.low in ("children", "sons", "daughters")

    def _names(self, at: int, *, plural: bool) -> Iterator[Argument]:
        """The names behind the noun at chunk `at`, one of them where the noun is singular."""
        chunks = self.arguments.reading.chunks
        first = chunks[at]
        titled = isinstance(first, NP) and first.kind == "name"
        if titled and isinstance(first, NP):
            yield self.arguments.of(first)
        if titled and not plural:
            return
        for chunk in chunks[at + 1 : at + 24]:
            if isinstance(chunk, NP) and self._somebody(chunk):
                yield self.arguments.of(chunk)
                if not plural:
                    return
            elif isinstance(chunk, NP) and chunk.kind == "value":
                continue  # "Anton (1901–1970)"
            elif not isinstance(chunk, Mark) or not _between(chunk):
                return

    def _somebody(self, np: NP) -> bool:
        kinds = self.arguments.kinds_of(self.arguments.of(np))
        person = (
            not kinds
            or bool(kinds & {"person", "character"})
            or self.arguments.seeming(self.arguments.of(np))
        )
        return np.kind == "name" and np.owner is None and np.title is None and person


def _between(mark: Mark) -> bool:
    """What may stand between the noun and its names, and between these."""
    return mark.kind in ("comma", "cc", "open", "close") or (mark.kind == "break" and mark.low in ":–—-")
