"""Clauses to facts: flat triples, and extended ones where a verb has several complements (FLEEK §2.1.1).

A fact's predicate is in the words of the text; `relations` are the Wikidata properties that the lexicon knows for them,
those whose types fit best first. Arguments are exact places of the text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from guardrail.claims.arguments.arguments import Arguments
from guardrail.claims.arguments.conditions import at_usual_conditions
from guardrail.claims.facts.copular import Copular
from guardrail.claims.facts.degrees import studied
from guardrail.claims.facts.events import distinct, extended, fact_of, implied, related, tense
from guardrail.claims.facts.questions import question
from guardrail.claims.lexicon.relations import Frame, Lexicon, noun_key
from guardrail.claims.nouns.brackets import Brackets
from guardrail.claims.nouns.epithets import Epithets
from guardrail.claims.nouns.families import Families
from guardrail.claims.nouns.naming import Naming
from guardrail.claims.nouns.nominalizations import Nominalizations
from guardrail.claims.nouns.nominals import Nominals
from guardrail.claims.nouns.possession import KEEPING, Possession
from guardrail.claims.reading.chunks import NP, VG
from guardrail.claims.reading.clauses import Clause, Complement
from guardrail.claims.reading.clauses.state import LEADERS
from guardrail.claims.reading.degrees import is_degree
from guardrail.ontology import ids
from guardrail.rules import rule
from guardrail.types import Argument, Fact

__all__ = ["Facts"]

_NAMING = frozenset({"as", ""})
_APPOINTING = frozenset({"elect", "appoint", "nam", "crown", "mak", "becom", "call", "proclaim", "declar"})
_COLLECTIVE = frozenset(
    "partner friend sibling brother sister twin spouse colleague neighbor neighbour rival enemy ally cousin couple lover classmate teammate".split()
)
_LOCATIVE = frozenset(ids("locative"))
_FOUNDED = ids("founder")
# "Died 1960" is no passive.
_INTRANSITIVE = frozenset({"di", "emigrat", "graduat", "retir", "settl", "originat", "resid", "liv"})
# Who is in these is in the body that they are of.
_BODY_PARTS = frozenset("faculty staff board team management leadership administration payroll".split())
_HAVING = KEEPING | {"hav"}
_RECIPROCAL = frozenset({"marri", "divorc", "meet", "border", "wed", "collaborat", "merg", "separat"})


@dataclass(slots=True)
class Facts:
    """Facts of one sentence. `arguments` knows the places, `lexicon` the relations."""

    arguments: Arguments
    lexicon: Lexicon
    nominals: Nominals
    naming: Naming
    possession: Possession
    copular: Copular
    brackets: Brackets
    nominalizations: Nominalizations

    @classmethod
    def of_sentence(cls, arguments: Arguments, lexicon: Lexicon) -> Facts:
        nominals = Nominals(arguments, lexicon)
        naming = Naming(arguments, lexicon, nominals)
        possession = Possession(arguments, lexicon, nominals)
        nominalizations = Nominalizations(arguments, lexicon, nominals)
        copular = Copular(arguments, lexicon, nominals, naming, possession, nominalizations)
        brackets = Brackets(arguments)
        return cls(arguments, lexicon, nominals, naming, possession, copular, brackets, nominalizations)

    def beside_clauses(self) -> Iterator[Fact]:
        """The facts of phrases, whatever clause they are in."""
        yield from self.brackets.facts()
        yield from Families(self.arguments, self.lexicon, self.nominals).facts()
        yield from self.nominalizations.facts()
        yield from Epithets(self.arguments, self.lexicon).facts()

    def of(self, clause: Clause) -> list[Fact]:
        """The facts that a clause states, the main one first."""
        found = list(self._stated(clause))
        named = [fact for fact in found if fact.subject.value is None]
        return [self._asked(fact) for fact in distinct(named)]

    def _asked(self, fact: Fact) -> Fact:
        """With the type of its object, by its words or else by its relation, and the question that asks for it."""
        if not fact.object_type and fact.relations and not fact.relations[0].startswith("^"):
            fact = replace(fact, object_type=self.lexicon.ranges.get(fact.relations[0], ""))
        return replace(fact, question=question(fact, self.lexicon))

    def _stated(self, clause: Clause) -> Iterator[Fact]:
        subjects = self._subjects(clause)
        if clause.antecedent is not None or clause.role == "participle":
            yield from self.brackets.at(self.arguments.reading.tokens[clause.start].start)
        if clause.vg is None:
            yield from self._verbless(clause, subjects)
        else:
            yield from self._counted(clause, clause.vg)
            for subject in subjects:
                yield from self._of_subject(clause, clause.vg, subject, subjects)
        yield from self._inside(clause)

    @rule("verbless-clauses")
    def _verbless(self, clause: Clause, subjects: Sequence[NP]) -> Iterator[Fact]:
        """What stands beside a noun phrase says what it is: "Anna, a painter"."""
        named = [clause.antecedent] if clause.role == "aside" and clause.antecedent is not None else []
        for subject in subjects or named:
            for comp in clause.comps:
                for np in comp.np.each() if comp.np is not None and not comp.prep else ():
                    if self._says_what(np):
                        yield from self.nominals.facts(subject, np, self._rest(clause, comp), tense="present")

    @rule("there-are")
    def _counted(self, clause: Clause, vg: VG) -> Iterator[Fact]:
        """The number of things that there are somewhere: "there are four lakes in the park"."""
        for comp in clause.comps[:1] if clause.link == "there" else ():
            for np in comp.np.each() if comp.np is not None else ():
                yield from self.possession.numbered(np, vg, clause.comps[1:])

    def _of_subject(self, clause: Clause, vg: VG, subject: NP, subjects: Sequence[NP]) -> Iterator[Fact]:
        """What the verb says of one subject, or of another one that it may be about."""
        stated = list(self._verbal(clause, vg, subject, subjects))
        other = self._other_subject(clause)
        if other is not None and (self._doubtful(clause, subject, other) or not related(stated)):
            second = list(self._verbal(clause, vg, other, [other]))
            stated = second if related(second) else stated
        yield from stated

    def _says_what(self, np: NP) -> bool:
        return np.kind == "common" and self.arguments.reading.tokens[np.head].tag.startswith("NN")

    @rule("other-subject")
    def _other_subject(self, clause: Clause) -> NP | None:
        """Whom "…, founded by Jobs" may be about when not the noun phrase before it: the subject of the clause around it."""
        if clause.role not in ("participle", "relative") or clause.parent is None:
            return None
        if clause.role == "relative" and clause.subject is not clause.antecedent:
            return None  # "which she founded": she is no antecedent
        other = clause.parent.subject
        if clause.link == "which" and clause.subject is not None and clause.subject.of:
            other = clause.subject.of[-1]  # "director of the bank, which …"
        return other if other is not clause.subject else None

    def _doubtful(self, clause: Clause, subject: NP, other: NP) -> bool:
        """Nothing is known of the noun phrase before, or it is a person and the clause begins with "which"."""
        if any(said.kind == "common" for said in subject.said):
            return False  # "at Tommy Boy, a label founded in 1981": it was just said what it is
        known = self.arguments.kinds_of(self.arguments.of(subject)) - {"class"}
        if "place" in known and _in_copular_clause(clause):
            return True  # "is a band from Ulm formed in 1990"
        near, far = self.arguments.of(subject), self.arguments.of(other)
        person = "person" in known or (not known and self.arguments.discourse.like_person(near.text))
        return (clause.link == "which" and person) or (not known and bool(self.arguments.kinds_of(far)))

    def _subjects(self, clause: Clause) -> list[NP]:
        subject = clause.subject
        if subject is None:
            return []
        if clause.link == "whose" and subject.owner is None and clause.antecedent is not None:
            subject.owner = clause.antecedent
        return list(subject.each())

    def _rest(self, clause: Clause, comp: Complement) -> list[Complement]:
        """The complements behind this one."""
        return clause.comps[clause.comps.index(comp) + 1 :]

    # ── verbs ─────────────────────────────────────────────────────────────────────────────────────────

    def _verbal(self, clause: Clause, vg: VG, subject: NP, subjects: Sequence[NP]) -> Iterator[Fact]:
        if len(subjects) > 1 and (pair := self._collective(clause, vg, subjects)) is not None:
            if subject is subjects[0]:
                yield pair
            return
        who = self.arguments.of(subject)
        if vg.voice == "copula":
            comps = self._comps(clause, vg)
            yield from (counted := list(self.possession.numbered(subject, vg, comps)))
            if counted and self.arguments.reading.tokens[subject.head].low == "number":
                return
            yield from at_usual_conditions(list(self.copular.facts(vg, subject, comps)))
            return
        comps = list(self._by_whom(self._comps(clause, vg)))
        yield from self._done(vg, subject, who, comps)

    def _done(self, vg: VG, subject: NP, who: Argument, comps: Sequence[Complement]) -> Iterator[Fact]:
        """What somebody or something does, or has done to it: a fact for each complement."""
        made: list[Fact] = []
        wider: list[Fact] = []
        for at, comp in enumerate(comps):
            if comp.np is None:
                continue
            had = list(self.possession.facts(who, comp, comps[at + 1 :], vg))
            yield from had
            if had and not comp.prep and vg.stem in _HAVING:
                continue
            for np in comp.np.each():
                if comp.prep and self._taken(np):
                    continue
                fact = self._complement(vg, who, comps, at, np)
                made.extend(self._conjoined(fact, np))
                wider.extend(self._wider(fact, np))
            yield from self.nominalizations.befalling(comp.np, comps[at + 1 :])
            yield from self._posts(vg, subject, comp, comps[at + 1 :])
        made.extend(self._together(made, comps, vg))
        events = list(extended(at_usual_conditions(made)))
        yield from events
        yield from wider
        for fact in events:
            yield from implied(fact)

    def _conjoined(self, fact: Fact, np: NP) -> Iterator[Fact]:
        """The fact, and where its object is the first behind "of", as in "on the coasts of A and B", those of the others."""
        yield fact
        if np.of and fact.relations and fact.object is self.arguments.of(np.of[0]):
            for other in (*np.of[0].also, *np.of[1:]):
                yield replace(fact, object=self.arguments.of(other))

    def _posts(self, vg: VG, subject: NP, comp: Complement, rest: Sequence[Complement]) -> Iterator[Fact]:
        for post in comp.np.each() if comp.np is not None and self._names_a_post(vg, comp) else ():
            yield from self.nominals.facts(subject, post, rest, tense=tense(vg), negated=vg.negated)

    @rule("posts-named", silent=False)
    def _names_a_post(self, vg: VG, comp: Complement) -> bool:
        """Whether the complement is the post that somebody is appointed to or serves as: "was elected president of France"."""
        np = comp.np
        if np is None or np.kind != "common":
            return False
        led = self.arguments.reading.tokens[np.head].low in LEADERS
        if np.det in ("his", "her") or (np.det in ("its", "their") and not led):
            return False
        appointed = vg.stem in _APPOINTING and vg.voice == "passive"
        return comp.prep in _NAMING and (appointed or comp.prep == "as")

    @rule("degrees-taken", silent=False)
    def _taken(self, np: NP) -> bool:
        """Whether the phrase is an academic degree, and no measure: "graduated with a degree in law"."""
        measured = self.arguments.of(np).value is not None
        return not measured and is_degree(np, self.arguments.reading.tokens)

    def _by_whom(self, comps: Sequence[Complement]) -> Iterator[Complement]:
        """Without a second "by": in "directed by Anna, from a screenplay by Berta" it goes with the screenplay."""
        by = False
        for before, comp in zip([None, *comps], comps, strict=False):
            if (
                comp.prep == "by"
                and by
                and before is not None
                and before.np is not None
                and before.np.kind == "common"
            ):
                continue
            by = by or comp.prep == "by"
            yield comp

    @rule("founded-together")
    def _together(self, made: Sequence[Fact], comps: Sequence[Complement], vg: VG) -> Iterator[Fact]:
        """Who founds something with somebody founds it, too: "founded the party with Donald Tusk"."""
        founded = next(
            (fact for fact in made if fact.relations[:1] == tuple(f"^{id_}" for id_ in _FOUNDED)), None
        )
        for comp in comps if founded is not None else ():
            if comp.prep == "with" and comp.np is not None and comp.np.kind == "name":
                for np in comp.np.each():
                    who = self.arguments.of(np)
                    if founded is not None and "org" not in self.arguments.kinds_of(who):
                        yield fact_of(self.arguments, (founded.object, who), "founded with", _FOUNDED, vg)

    @rule("wider-places")
    def _wider(self, fact: Fact, np: NP) -> Iterator[Fact]:
        """What is placed in a town is placed in what the town is said to lie in: "born in Ulm, Germany"."""
        if _LOCATIVE & set(fact.relations):
            for said in np.said:
                if said.kind == "name":
                    what = self.arguments.of(said)
                    if what.mention is not None and what.mention.candidates:
                        yield replace(fact, object=what)
                    yield from self._wider(fact, said)

    def _comps(self, clause: Clause, vg: VG) -> list[Complement]:
        """The complements of a verb, with the antecedent where the relative word is its object or place."""
        comps = list(clause.comps)
        if clause.role != "relative" or clause.antecedent is None or clause.link == "whose":
            return comps
        if clause.subject is clause.antecedent or (clause.link == "where" and vg.voice == "copula"):
            return comps  # also in "where he was responsible for the sales"
        return [Complement(self._link_prep(clause, vg), clause.antecedent, clause.antecedent.first), *comps]

    def _link_prep(self, clause: Clause, vg: VG) -> str:
        """The preposition of the relative word, or the one that it stands for: "at" in "where" if the verb takes no "in"."""
        if clause.link == "where" and ("active", vg.stem, "at") in self.lexicon.verbs:
            return "in" if ("active", vg.stem, "in") in self.lexicon.verbs else "at"
        return clause.link_prep or {"where": "in", "when": "in"}.get(clause.link, "")

    def _complement(self, vg: VG, who: Argument, comps: Sequence[Complement], at: int, np: NP) -> Fact:
        relations, what, path = self._known_path(vg, who, comps, at, np)
        if not relations and self.arguments.aged(np):
            path += " age of"
        words = " ".join(part for part in (self.arguments.predicate(vg), path) if part)
        negated = comps[at].negated or self._leads_through_denied(comps, at, path)
        return fact_of(self.arguments, (who, what), words, relations, vg, negated=negated)

    def _leads_through_denied(self, comps: Sequence[Complement], at: int, path: str) -> bool:
        """Whether a path has the noun before in it, and that is denied: "has no border with Spain"."""
        before, prep = comps[at - 1].np if at else None, comps[at].prep
        through = path != prep and path.endswith(f" {prep}")
        return through and before is not None and self.arguments.denied(self.arguments.of(before))

    def _known_path(
        self, vg: VG, who: Argument, comps: Sequence[Complement], at: int, np: NP
    ) -> tuple[tuple[str, ...], Argument, str]:
        """The relations of the longest known path to an object, with the object and the path; else the phrase itself."""
        for path, target in self._paths(comps, at, np):
            what = self.arguments.of(target)
            if relations := self.arguments.compatible(self._frames(vg, path), who, what):
                return relations, what, path
        taught = studied(vg, comps, at, self.arguments.reading.tokens, self.lexicon)
        what = self.arguments.of(np)
        return self.arguments.compatible(taught, who, what), what, comps[at].prep

    def _frames(self, vg: VG, path: str) -> tuple[Frame, ...]:
        frames = self.lexicon.verbs.get((vg.voice, vg.stem, path), ())
        if vg.form == "participle" and (vg.voice == "active" or vg.stem in _INTRANSITIVE):
            other = "passive" if vg.voice == "active" else "active"
            frames += self.lexicon.verbs.get((other, vg.stem, path), ())
        return frames

    def _paths(self, comps: Sequence[Complement], at: int, np: NP) -> Iterator[tuple[str, NP]]:
        """The ways to an object: "in" → Ulm; "border with" → Spain; "in honor of" → Newton. The longest first."""
        comp = comps[at]
        yield from self._paths_within(comp.prep, np)
        before = comps[at - 1] if at else None
        if before is not None and before.np is not None and comp.prep and np.kind != "value":
            inner = self.arguments.bare(before.np)
            for start in range(len(inner)):
                yield f"{before.prep} {noun_key(inner[start:])} {comp.prep}".strip(), np
        if not _second_place(comps, at, np):
            yield comp.prep, np

    def _paths_within(self, prep: str, np: NP) -> Iterator[tuple[str, NP]]:
        """Those to whose the noun of the phrase is."""
        words = self.arguments.bare(np)
        of_body = bool(words) and words[-1] in _BODY_PARTS
        if np.of and words:
            yield f"{prep} {noun_key(words)} of".strip(), np.of[0]
        if np.of and of_body and prep:
            yield prep, np.of[0]  # "serves on the faculty of Ulm University"
        if np.owner is not None and of_body:
            yield prep, np.owner  # "joined Apple's board"

    @rule("collective")
    def _collective(self, clause: Clause, vg: VG, subjects: Sequence[NP]) -> Fact | None:
        """The fact between two subjects that a verb states of both together: "A and B are partners"."""
        object_ = next((comp.np for comp in clause.comps if comp.np is not None and not comp.prep), None)
        first, second = self.arguments.of(subjects[0]), self.arguments.of(subjects[1])
        frames: tuple[Frame, ...] = ()
        if vg.voice == "copula" and object_ is not None and object_.kind == "common":
            words = self.arguments.bare(object_)
            noun = noun_key(words[-1:])
            if noun not in _COLLECTIVE:
                return None
            frames = self.lexicon.nouns.get((noun,), ())
            label = " ".join([self.arguments.predicate(vg), *words])
        elif vg.stem in _RECIPROCAL and (object_ is None or object_.kind == "pronoun"):
            frames = self.lexicon.verbs.get(("active", vg.stem, ""), ()) + self.lexicon.verbs.get(
                ("passive", vg.stem, "to"), ()
            )
            label = self.arguments.predicate(vg)
        else:
            return None
        return fact_of(
            self.arguments, (first, second), label, self.arguments.compatible(frames, first, second), vg
        )

    def _inside(self, clause: Clause) -> Iterator[Fact]:
        """What the noun phrases of a clause say by themselves: "his wife Anna", "Apple CEO Tim Cook", "Blagnac, France"."""
        seen: list[NP] = []
        if clause.subject is not None and not clause.inherited:
            seen.extend(clause.subject.each())
        for comp in clause.comps:
            if comp.np is not None and comp.np is not clause.antecedent:
                seen.extend(comp.np.each())
        for np in seen:
            yield from self.naming.inside(np)


def _in_copular_clause(clause: Clause) -> bool:
    """Whether a participle stands in a clause that says what something is."""
    around = clause.parent.vg if clause.parent is not None else None
    return clause.role == "participle" and around is not None and around.voice == "copula"


def _second_place(comps: Sequence[Complement], at: int, np: NP) -> bool:
    """Whether a complement goes with a "with" before it, as its like already stands there: "based in Ulm with offices in Rome"."""
    if not at or comps[at - 1].prep != "with" or np.kind == "value":
        return False
    earlier = comps[: at - 1][-4:]
    return any(one.prep == comps[at].prep and one.np and one.np.kind != "value" for one in earlier)
