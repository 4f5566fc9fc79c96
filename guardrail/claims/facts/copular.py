"""Facts of copular clauses: "is a city in Germany", "is 381 m tall", "is known for", "is French", "the capital is Paris"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from guardrail.claims.arguments.arguments import Arguments
from guardrail.claims.facts.events import fact_of, tense
from guardrail.claims.lexicon.relations import Lexicon
from guardrail.claims.lexicon.words import verb_stem
from guardrail.claims.nouns.naming import Naming
from guardrail.claims.nouns.nominalizations import Nominalizations
from guardrail.claims.nouns.nominals import Nominals
from guardrail.claims.nouns.possession import Possession
from guardrail.claims.reading.chunks import NP, VG
from guardrail.claims.reading.clauses import Complement
from guardrail.ontology import ids
from guardrail.rules import rule
from guardrail.types import Argument, Fact

__all__ = ["Copular"]

_IS = ids("position held", "occupation", "instance of", "subclass of")
_BOUNDS = {"more": "more than", "greater": "more than", "less": "less than", "fewer": "less than"}
# A comparative, the adjectives whose measures it may bound, and from which side.
_COMPARATIVES = {
    "longer": (("long",), "more than"),
    "taller": (("tall",), "more than"),
    "higher": (("high",), "more than"),
    "wider": (("wide",), "more than"),
    "broader": (("wide",), "more than"),
    "deeper": (("deep",), "more than"),
    "shorter": (("long", "tall"), "less than"),
    "lower": (("high",), "less than"),
    "narrower": (("wide",), "less than"),
    "shallower": (("deep",), "less than"),
}


@dataclass(slots=True)
class Copular:
    """Facts of "to be" and of the verbs like it."""

    arguments: Arguments
    lexicon: Lexicon
    nominals: Nominals
    naming: Naming
    possession: Possession
    nominalizations: Nominalizations

    def facts(self, vg: VG, subject: NP, comps: Sequence[Complement]) -> Iterator[Fact]:
        """What `subject` is said to be; `comps` are the complements of "to be"."""
        who = self.arguments.of(subject)
        whose = self._whose(subject, comps, vg)
        if whose is not None:
            comps = comps[1:]
        for at, comp in enumerate(comps):
            rest = comps[at + 1 :]
            if comp.np is not None:
                yield from self.nominalizations.befalling(comp.np, rest)
            if (bounded := self._bounded(vg, who, comps, at)) is not None:
                yield bounded
                return
            if comp.adj is not None:
                yield from self._adjective(vg, subject, who, comps, at)
            elif comp.np is None:
                continue
            elif comp.prep:
                yield from self._prepositional(vg, subject, who, comps, at)
            elif _next_to_verb(vg, comps, at):
                nouns = list(comp.np.each())
                for np, following in zip(nouns, [*nouns[1:], None], strict=True):
                    yield from self._predicated(vg, subject, who, np, _behind(np, following, rest), whose)

    def _prepositional(
        self, vg: VG, subject: NP, who: Argument, comps: Sequence[Complement], at: int
    ) -> Iterator[Fact]:
        """What a copula with a preposition says: "is from Ulm", "is larger than Spain", "its headquarters are in Ulm"."""
        comp = comps[at]
        if comp.np is None or self._when(vg, comps, at):
            return
        turned = list(self._turned(subject, comp.np, vg)) if not at and comp.at > vg.last else []
        yield from turned
        frames = self.lexicon.verbs.get(("copula", vg.stem, comp.prep), ())
        if not turned and not _of_noun_before(vg, comps, at) and (not at or frames):
            for np in comp.np.each():
                what = self.arguments.of(np)
                words = f"{self.arguments.predicate(vg)} {self._than(comp)}"
                yield fact_of(
                    self.arguments, (who, what), words, self.arguments.compatible(frames, who, what), vg
                )
        yield from self.possession.facts(who, comp, comps[at + 1 :], vg)

    def _when(self, vg: VG, comps: Sequence[Complement], at: int) -> bool:
        """The time of what follows, and nothing that X was in: "In 2020, X was the head of Y"."""
        comp = comps[at]
        before = at == 0 and comp.at < vg.first and any(one.np is not None for one in comps[1:])
        value = self.arguments.of(comp.np).value if before and comp.np is not None else None
        return value is not None and value.datatype == "date"

    @rule("bounds-of-measures")
    def _bounded(self, vg: VG, who: Argument, comps: Sequence[Complement], at: int) -> Fact | None:
        """A bound of a measure, whose words are its modifier: "is longer than 2,000 km", "is less than 500 m tall"."""
        than = next(
            (comp for comp in comps[at : at + 2] if comp.prep == "than" and comp.np is not None), None
        )
        if than is None or than.np is None or (comps[at] is not than and comps[at].adj is None):
            return None
        what, low = self.arguments.of(than.np), self.arguments.reading.tokens[than.at - 1].low
        measures, modifier = self._bound(low, comps[comps.index(than) + 1 :])
        frames = tuple(frame for one in measures for frame in self.lexicon.measures.get((one,), ()))
        bound = replace(what, modifier=modifier)
        if what.value is None or not (relations := self.arguments.compatible(frames, who, bound)):
            return None
        said = f"{low} than" if low in _COMPARATIVES else measures[0]
        return fact_of(self.arguments, (who, bound), f"{self.arguments.predicate(vg)} {said}", relations, vg)

    def _bound(self, low: str, behind: Sequence[Complement]) -> tuple[tuple[str, ...], str]:
        """The adjectives whose measures a comparative may bound, and from which side: "longer", and "less" before "tall"."""
        if low in _BOUNDS and behind and behind[0].adj is not None:
            return (self.arguments.reading.tokens[behind[0].adj[0]].low,), _BOUNDS[low]
        return _COMPARATIVES.get(low, ((), _BOUNDS.get(low, "")))

    def _than(self, comp: Complement) -> str:
        """The preposition, with the comparative that a "than" belongs to."""
        before = self.arguments.reading.tokens[comp.at - 1]
        return f"{before.low} than" if comp.prep == "than" and before.tag in ("JJR", "RBR") else comp.prep

    @rule("whose-noun")
    def _whose(self, subject: NP, comps: Sequence[Complement], vg: VG) -> Argument | None:
        """Whose the subject's noun is: "The symbol for gold is Au", "the largest city in Brazil is …"."""
        first = comps[0] if comps else None
        if first is None or first.np is None or first.at > vg.first or subject.kind != "common":
            return None
        return self.arguments.of(first.np) if first.prep in ("for", "in") and not subject.of else None

    @rule("whose-place")
    def _turned(self, subject: NP, np: NP, vg: VG) -> Iterator[Fact]:
        """Where something that belongs to the subject is: "Its headquarters are in Ulm, Germany"."""
        places = [np, *np.also, *np.said]
        yield from self.nominals.turned(
            subject, [(self.arguments.of(one), one.kind == "common") for one in places], vg
        )

    def _predicated(
        self,
        vg: VG,
        subject: NP,
        who: Argument,
        np: NP,
        rest: Sequence[Complement],
        whose: Argument | None = None,
    ) -> Iterator[Fact]:
        """What a noun phrase behind a copula is: a role, a value, another name, or what the subject's noun asks for."""
        what = self.arguments.of(np)
        if turned := list(self.nominals.turned(subject, [(what, np.kind == "common")], vg, whose)):
            yield from (self._over(subject, fact) for fact in turned)
        elif called := self._called(vg, subject, np, rest):
            yield from called
        else:
            yield self._equalled(vg, who, np, rest)

    def _called(self, vg: VG, subject: NP, np: NP, rest: Sequence[Complement]) -> list[Fact]:
        """What a common noun, and those that stand in apposition to it or within it, call the subject."""
        if np.kind != "common" or self.arguments.measured(np, rest):
            return []
        within = (said for inner in np.of for said in inner.said if said.kind == "common")
        # "the founder of Apple, a Californian": not of Apple
        apart = [said for said in within if not self.naming.may_be(np.of[-1], said)]
        nouns = (np, *apart, *(said for said in np.said if said.kind == "common"))
        return [
            fact
            for noun in nouns
            for fact in self.nominals.facts(subject, noun, rest, tense=tense(vg), negated=vg.negated)
        ]

    def _equalled(self, vg: VG, who: Argument, np: NP, rest: Sequence[Complement]) -> Fact:
        """A measure, an age or another name of the subject."""
        what = self.arguments.of(np)
        adj = rest[0].adj if rest else None
        low = self.arguments.reading.tokens[adj[0]].low if adj is not None else ""
        if low == "old" and what.value is not None:
            aged = fact_of(self.arguments, (who, what), "age", self._begun(who), vg)
            return replace(aged, object_type="age")
        relations = self.arguments.compatible(self.lexicon.measures.get((low,), ()), who, what)
        if not relations and what.mention is not None and what.mention.entity is not None:
            relations = _IS  # "is President of France": the name of an office or a class
        words = self.arguments.predicate(vg)
        return self._over(np, fact_of(self.arguments, (who, what), words, relations, vg))

    def _over(self, np: NP, fact: Fact) -> Fact:
        """The fact, over where its noun says so: "the former CEO is X", "is a former President of France"."""
        return replace(fact, tense="former") if self.nominals.former(np) else fact

    def _begun(self, who: Argument) -> tuple[str, ...]:
        """The date that an age is reckoned from: of birth, or of foundation."""
        return ids("inception") if self.arguments.kinds_of(who) & {"org", "place"} else ids("date of birth")

    @rule("related-adjectives")
    def _related(self, vg: VG, who: Argument, low: str, rest: Sequence[Complement]) -> Iterator[Fact]:
        """What an adjective says of what is behind it: "is famous for its canals", "was active from 1997 to 2004"."""
        for number, comp in enumerate(rest):
            if comp.np is None or not comp.prep or (number and comp.np.kind != "value"):
                return
            frames = self.lexicon.adjectives.get((low, comp.prep), ())
            frames += self.lexicon.verbs.get(("passive", verb_stem(low), comp.prep), ())
            for np in comp.np.each():
                what = self.arguments.of(np)
                words = f"{self.arguments.predicate(vg)} {low} {comp.prep}"
                if number == 0 or frames:
                    yield fact_of(
                        self.arguments, (who, what), words, self.arguments.compatible(frames, who, what), vg
                    )

    def _adjective(
        self, vg: VG, subject: NP, who: Argument, comps: Sequence[Complement], at: int
    ) -> Iterator[Fact]:
        adj = comps[at].adj
        assert adj is not None
        tokens = self.arguments.reading.tokens
        low = tokens[adj[1]].low
        if at and comps[at - 1].np is not None:
            return  # the adjective of a measure
        named = Argument(
            self.arguments.reading.words(*adj),
            self.arguments.reading.span(*adj),
            self.arguments.reading.mentions_in(self.arguments.reading.span(*adj)),
        )
        if turned := list(self.nominals.turned(subject, [(named, False)], vg)):
            yield from turned  # "The official language is Portuguese"
            return
        if found := list(self._related(vg, who, low, comps[at + 1 :])):
            yield from found
            return
        if (nation := self.arguments.nation(adj[1])) is not None:
            yield fact_of(self.arguments, (who, nation), "is from", self.arguments.homes(who), vg)
            return
        what = Argument(self.arguments.reading.words(*adj), self.arguments.reading.span(*adj))
        yield fact_of(self.arguments, (who, what), self.arguments.predicate(vg), (), vg)


def _next_to_verb(vg: VG, comps: Sequence[Complement], at: int) -> bool:
    """Whether no noun phrase stands between the verb and a complement: "In 1997, X became head"."""
    return at == 0 or comps[at - 1].np is None or comps[at - 1].at < vg.first


def _of_noun_before(vg: VG, comps: Sequence[Complement], at: int) -> bool:
    """Whether a complement goes with the noun before it: "is a city in Germany"."""
    return at > 0 and comps[at - 1].np is not None and vg.stem == "be"


def _behind(np: NP, following: NP | None, rest: Sequence[Complement]) -> list[Complement]:
    """What goes with the first of two nouns stands before the second, or else goes with both.

    As in "a zoologist at X and the founder of Y", and in "the founder and head at X".
    """
    later = [comp for comp in rest if comp.at > np.last]
    between = [comp for comp in later if following is not None and comp.at < following.first]
    return between or later
