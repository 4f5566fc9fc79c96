"""Facts of possession: "has 50 states", "has a population of 5 million", "with the symbol Au", "has Paris as its capital"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from guardrail.claims.arguments.arguments import Arguments
from guardrail.claims.lexicon.relations import Frame, Lexicon, noun_key
from guardrail.claims.nouns.nominals import Nominals
from guardrail.claims.reading.chunks import NP, VG
from guardrail.claims.reading.clauses import Complement
from guardrail.rules import rule
from guardrail.types import Argument, Fact, Value
from guardrail.values.units import ORDINAL, unit_of

__all__ = ["Possession", "KEEPING"]  # noqa: RUF022 - sorted as Python sorts

# "uses the franc as its currency"
_WITHIN = frozenset({"in", "at", "on", "within"})
KEEPING = frozenset({"us", "adopt", "choos", "recogniz", "recognis", "keep"})


@dataclass(slots=True)
class Possession:
    """Facts of nouns that somebody or something has."""

    arguments: Arguments
    lexicon: Lexicon
    nominals: Nominals

    def facts(self, who: Argument, comp: Complement, rest: Sequence[Complement], vg: VG) -> Iterator[Fact]:
        """The facts of a direct object of "have", or of a complement with "with" or the like."""
        if comp.np is None:
            return
        flags = ("past" if vg.past else "present", vg.negated)
        if (lasting := self._lasting(who, comp, vg, flags)) is not None:
            yield lasting
            return
        keeps = vg.stem == "hav" or vg.stem in KEEPING
        named = list(self._named_as(who, comp, rest, flags)) if keeps else []
        yield from named or filter(None, (self._owned(who, np, comp, rest, vg) for np in comp.np.each()))

    def _owned(
        self, who: Argument, np: NP, comp: Complement, rest: Sequence[Complement], vg: VG
    ) -> Fact | None:
        """How many or how much of something, that there is none of it, or which one it is."""
        flags = ("past" if vg.past else "present", vg.negated)
        owning = vg.stem == "hav" or comp.prep == "with"
        found = self._counted(who, np, vg, flags) or self._measured(who, np, flags, owning=owning)
        found = found or (None if rest else self._none(who, np, vg, flags))
        return found or (self._labelled(who, np, flags) if owning else None)

    def _lasting(self, who: Argument, comp: Complement, vg: VG, flags: tuple[str, bool]) -> Fact | None:
        """How long something was so: "was chancellor for sixteen years"."""
        value = self.arguments.of(comp.np) if comp.np is not None and comp.prep == "for" else None
        if value is None or value.value is None:
            return None
        unit = unit_of(value.value.unit)
        if unit is None or unit.dimension != "time":
            return None
        return self.nominals.fact(who, f"{self.arguments.predicate(vg)} for", value, (), flags)

    @rule("counts-owned")
    def _counted(
        self, who: Argument, np: NP, vg: VG, flags: tuple[str, bool], value: Argument | None = None
    ) -> Fact | None:
        """The number of the values of a relation; `value` where it stands elsewhere: "50 states"."""
        value = value or self.arguments.value(np.first, np.head)
        if np.kind != "common" or value is None or not _is_count(value):
            return None
        words = self._nouns(np)
        for start in range(len(words)):
            key = noun_key(words[start:])
            if frames := self._counting(key, vg):
                relations = self._fitting(frames, who)
                if not relations and (key,) in self.lexicon.counts:
                    return None
                return self.nominals.fact(
                    who, f"{self.arguments.predicate(vg)} {key}", value, relations, flags
                )
        return self._unknown_count(who, words, value, flags) if vg.stem in ("hav", "be") else None

    def _counting(self, key: str, vg: VG) -> tuple[Frame, ...]:
        """The relations whose values a noun counts: all of them where it is the relation's own name, as "daughter" is not."""
        nouns = self.lexicon.nouns.get((key,), ()) if vg.stem == "hav" or vg.voice == "copula" else ()
        named = (frame for frame in nouns if self.lexicon.labels.get(frame.relation) == key)
        return self.lexicon.counts.get((key,), ()) or tuple(named)

    def _nouns(self, np: NP) -> list[str]:
        """The words of a noun phrase behind its numbers: "board members" of "two or three board members"."""
        tokens = self.arguments.reading.tokens
        last = max((at for at in range(np.first, np.last + 1) if tokens[at].tag == "CD"), default=-1)
        words = [token.low for token in tokens[last + 1 : np.last + 1]] if last >= 0 else []
        return words or self.arguments.bare(np)

    @rule("unknown-counts")
    def _unknown_count(
        self, who: Argument, words: list[str], value: Argument, flags: tuple[str, bool]
    ) -> Fact | None:
        """Of a noun under which the graph may have a relation of its own: "three board members", "three trustees"."""
        key = noun_key(words)
        return self.nominals.fact(who, f"has {key}", value, (), flags) if key else None

    @rule("numbered")
    def numbered(self, np: NP, vg: VG, comps: Sequence[Complement]) -> Iterator[Fact]:
        """How many values a relation has: "Google's two founders", "there are four members in Queen"."""
        flags, value = ("past" if vg.past else "present", vg.negated), None
        behind = comps[0].np if comps else None
        if self.arguments.reading.tokens[np.head].low == "number" and np.of and behind is not None:
            np, value = np.of[0], self.arguments.of(behind)
        owner = self._whose(np, comps)
        if owner is None or owner.mention is None:
            return
        found = self._counted(owner, np, vg, flags, value)
        if found is not None:
            yield replace(found, predicate=f"has {noun_key(self._nouns(np))}")

    def _whose(self, np: NP, comps: Sequence[Complement]) -> Argument | None:
        """Whose something is by what stands before it, behind its "of", or else where it is."""
        place = comps[0].np if comps and comps[0].prep in _WITHIN else None
        whose = next((one for one in (np.owner, *np.of[:1], place) if one is not None), None)
        return self.arguments.of(whose) if whose is not None else None

    @rule("none-owned")
    def _none(self, who: Argument, np: NP, vg: VG, flags: tuple[str, bool]) -> Fact | None:
        """The denial that a relation has any value: "has no moons", "does not have moons".

        Only of the bare noun that ends its clause: "no large moons" and "no moons of ice" deny some of them.
        """
        tokens, what = self.arguments.reading.tokens, self.arguments.of(np)
        denied = vg.negated or self.arguments.denied(what)
        ends = np.last + 1 >= len(tokens) or not tokens[np.last + 1].text[:1].isalnum()
        words = self.arguments.bare(np)
        key = noun_key([word for word in words if word not in ("no", "any")])
        if vg.stem != "hav" or np.kind != "common" or np.of or not denied or not ends:
            return None
        frames = self.lexicon.counts.get((key,), ())
        relations = self._fitting(frames, who)
        if not relations:
            return None
        fact = self.nominals.fact(who, f"{self.arguments.predicate(vg)} {key}", what, relations, flags)
        return replace(fact, object=replace(what, mentions=()), object_type="quantity", negated=True)

    @rule("measures-owned")
    def _measured(self, who: Argument, np: NP, flags: tuple[str, bool], *, owning: bool) -> Fact | None:
        """A noun with its value behind "of": "a population of 5 million"."""
        if np.kind != "common" or not np.of:
            return None
        what = self.arguments.of(np.of[0])
        found = self._noun(who, self.arguments.bare(np), what, flags)
        return found if what.value is not None or owning else None

    @rule("labels-owned")
    def _labelled(self, who: Argument, np: NP, flags: tuple[str, bool]) -> Fact | None:
        """The noun, and its value behind it: "the symbol Au", "atomic number 79"."""
        reading = self.arguments.reading
        if np.kind == "name" and np.title is not None:
            words = [
                t.low for t in reading.tokens[np.title[0] : np.title[1] + 1] if t.tag.startswith(("NN", "JJ"))
            ]
            return self._noun(who, words, self.arguments.of(np), flags)
        if np.kind == "common" and reading.tokens[np.last].tag == "CD" and np.last > np.first:
            value = self.arguments.value(np.last, np.last) or self._plain(np.last)
            words = [t.low for t in reading.tokens[np.first : np.last] if t.tag.startswith(("NN", "JJ"))]
            return self._noun(who, words, value, flags) if value is not None else None
        return None

    def _plain(self, at: int) -> Argument | None:
        """A number that counts nothing: what a noun like "atomic number" is labelled with."""
        reading = self.arguments.reading
        text = reading.tokens[at].text
        if not text.isdecimal():
            return None
        return Argument(text, reading.span(at, at), value=Value(text, str(int(text)), "quantity"))

    def _noun(self, who: Argument, words: list[str], what: Argument, flags: tuple[str, bool]) -> Fact | None:
        return next(self.nominals.related(who, words, what, flags), None)

    def _fitting(self, frames: Sequence[Frame], who: Argument) -> tuple[str, ...]:
        """The relations of those frames that can be said of somebody or something."""
        kinds = self.arguments.kinds_of(who)
        fits = (frame for frame in frames if not kinds or not frame.subject or kinds & frame.subject)
        return tuple(frame.relation for frame in fits)

    @rule("named-as")
    def _named_as(
        self, who: Argument, comp: Complement, rest: Sequence[Complement], flags: tuple[str, bool]
    ) -> Iterator[Fact]:
        """A value with its relation behind "as" or "for": "has Paris as its capital"."""
        if comp.np is None or not rest or rest[0].prep not in ("as", "for") or rest[0].np is None:
            return
        words = self.arguments.bare(rest[0].np)
        for np in comp.np.each():
            if (found := self._noun(who, words, self.arguments.of(np), flags)) is not None:
                yield found


def _is_count(argument: Argument) -> bool:
    """Whether it says how many: "the first consultation" is one of them."""
    value = argument.value
    return value is not None and value.datatype == "quantity" and value.unit != ORDINAL
