"""Kin and the names behind them: "had two sons, Anton and Bert", "his daughters Anna and Berta", "their son Carl".

The words are read in order, whatever clause they are in: whose kin it is, the noun, and the names up to the next verb.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

from guardrail.claims.arguments.arguments import Arguments
from guardrail.claims.lexicon.relations import Lexicon, noun_key
from guardrail.claims.nouns.nominals import Nominals
from guardrail.claims.reading.chunks import NP, VG, Chunk, Mark
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
                for who in islice(self._names(at), None if self._plural(chunk) else 1):
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
        if np.of or np.kind in ("pronoun", "value") or (np.kind == "name" and np.title is None):
            return ""
        tokens = self.arguments.reading.tokens[np.first : np.noun + 1]
        words = [token.low for token in tokens if token.tag.startswith(("NN", "JJ"))]
        words[-1:] = [_SAME_CHILDREN.get(noun_key([word]), word) for word in words[-1:]]
        for start in range(len(words)):
            key = noun_key(words[start:])
            frames = self.lexicon.nouns.get((key,), ())
            if frames and frames[0].subject == frames[0].object == {"person"}:
                return key
        return ""

    def _plural(self, np: NP) -> bool:
        token = self.arguments.reading.tokens[np.noun]
        return token.tag == "NNS" or token.low in ("children", "sons", "daughters")

    def _names(self, at: int) -> Iterator[Argument]:
        """The names that go with the noun at chunk `at`: the one that it stands before, and those behind."""
        first, *behind = self.arguments.reading.chunks[at : at + 24]
        if isinstance(first, NP) and first.kind == "name":
            yield self.arguments.of(first)
        for chunk in behind:
            if isinstance(chunk, NP) and self._somebody(chunk):
                yield self.arguments.of(chunk)
            elif not _between(chunk):
                return

    def _somebody(self, np: NP) -> bool:
        kinds = self.arguments.kinds_of(self.arguments.of(np))
        person = (
            not kinds
            or bool(kinds & {"person", "character"})
            or self.arguments.seeming(self.arguments.of(np))
        )
        return np.kind == "name" and np.owner is None and np.title is None and person


def _between(chunk: Chunk) -> bool:
    """What may stand between the noun and its names, and between these: "Anton (1901–1970)"."""
    if not isinstance(chunk, Mark):
        return isinstance(chunk, NP) and chunk.kind == "value"
    return chunk.kind in ("comma", "cc", "open", "close") or (chunk.kind == "break" and chunk.low in ":–—-")
