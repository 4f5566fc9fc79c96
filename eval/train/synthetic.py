"""Minimal pairs made from a knowledge graph: one claim or one evidence apart, one label apart.

The recipe of MiniCheck and FactCG: a negative lacks exactly one support, or differs in exactly one slot.

    Attributable    said in other words, two statements joined, coarser date or place, true comparison, true negation
    Contradictory   another value of a single-valued relation, number or date moved, negation, roles swapped,
                    the words of a confusable relation
    Extrapolatory   support dropped, another value of an open list, an addition nobody states, another subject

Evidence is in the wire form that `guardrail.check.nli.premises` gives to the model.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from eval.train.example import ATTRIBUTABLE, CONTRADICTORY, EXTRAPOLATORY, Example
from eval.train.world import Relation, Statement, World, date_words, number_words
from guardrail.check.nli.premises import lines

__all__ = ["Generator", "negate"]

_PLACES = frozenset({"P19", "P20", "P131", "P159", "P119"})
_DATED = frozenset(
    {"P39", "P54", "P108", "P26", "P102", "P551", "P69", "P166", "P1411", "P463", "P6", "P169"}
)


_DENIED = {" has been ": " has not been ", " had ": " did not have "}


def negate(sentence: str, rng: random.Random) -> str:
    """`sentence` denied, or "" where no safe way is known."""
    if " has existed " in sentence:
        return sentence.replace(" has existed ", " has not existed ", 1)
    for verb in (" was ", " is ", " were ", " are ", " has been ", " had "):
        if verb in sentence:
            denied = _DENIED.get(verb) or f"{verb}{'never' if rng.random() < 0.12 else 'not'} "
            return sentence.replace(verb, denied, 1)
    if " has " in sentence:
        return sentence.replace(" has ", " does not have ", 1)
    found = re.search(
        r" (won|received|played|directed|wrote|produced|composed|married|died|studied|attended|worked|joined"
        r"|served|fought|held|founded|developed|starred|passed|graduated|opened|competed) ",
        sentence,
    )
    return sentence.replace(found[0], f" never{found[0]}", 1) if found else ""


@dataclass(slots=True)
class Generator:
    """Draws examples from `world`. `allowed` are the relations claims may use, `template` picks the way to say one."""

    world: World
    rng: random.Random
    allowed: frozenset[str]
    template: Callable[[Relation, random.Random], str]
    holders: dict[tuple[str, str], list[str]] = field(default_factory=dict)  # (property, object) → subjects

    def __post_init__(self) -> None:
        for id_, statements in self.world.by_subject.items():
            for one in statements:
                self.holders.setdefault((one.property, one.object), []).append(id_)

    def examples(self, count: int) -> Iterator[Example]:
        """`count` examples or a few more: the variants of one statement come together."""
        subjects = [id_ for id_, statements in self.world.by_subject.items() if self._targets(statements)]
        made = 0
        while made < count:
            subject = self.rng.choice(subjects)
            for example in self._variants(subject):
                made += 1
                yield example

    def _targets(self, statements: list[Statement]) -> list[Statement]:
        return [s for s in statements if s.property in self.allowed]

    def _variants(self, subject: str) -> Iterator[Example]:
        statements = self.world.by_subject[subject]
        # One draw per relation: a subject with forty populations is no more about its population than another.
        property_ = self.rng.choice(sorted({s.property for s in self._targets(statements)}))
        target = self.rng.choice([s for s in statements if s.property == property_])
        others = [s for s in statements if s.property != property_ and s.property in self.world.relations]
        near = self.rng.sample(others, min(len(others), self.rng.choice((0, 1, 2, 3, 4, 6))))
        same = [s for s in statements if s.property == property_ and s != target]
        near += self.rng.sample(same, min(len(same), self.rng.choice((0, 0, 1, 2))))
        for label, premise, claim in (
            self._attributable(target, near),
            self._contradictory(target, near, same),
            self._extrapolatory(target, near, same),
        ):
            if premise and claim:
                yield Example(premise, f"{claim[0].upper()}{claim[1:].rstrip('.')}.", label, "graph", subject)

    # ── words ──

    def _object(self, statement: Statement) -> str:
        if statement.kind == "date":
            return date_words(statement.object, self.rng)
        if statement.kind == "quantity":
            return number_words(statement.object, self.rng)
        return statement.object

    def _say(self, statement: Statement, words: str = "", *, subject: str = "") -> str:
        relation = self.world.relations[statement.property]
        way = self.template(relation, self.rng)
        said = words or self._object(statement)
        if statement.kind == "date" and re.search(r"\d (January|\w+ \d{4})|^\d{4}-\d\d-|\w+ \d+, ", said):
            way = re.sub(r"\bin \{o\}", "on {o}", way)
        elif statement.kind == "date":
            way = re.sub(
                r"\bon \{o\}|born \{o\}",
                lambda m: m[0].replace("on {o}", "in {o}").replace("born {o}", "born in {o}"),
                way,
            )
        return way.format(s=subject or statement.subject, o=said, p=relation.label)

    def _known(self, statement: Statement) -> str:
        if not statement.when:
            return self._object(statement)
        start, end = statement.when
        when = f"point in time: {start}" if start == end else f"start time: {start}, end time: {end}"
        return f"{statement.object} ({when})"

    def _evidence(self, statements: list[Statement], *, about: str, claimed: Statement | None = None) -> str:
        """Shuffled rows in wire form. Half of the time others come in who have the `claimed` value too."""
        rows = list(statements)
        if claimed is not None and self.rng.random() < 0.5:
            rows += self._echoes(claimed, statements, about=about)
        if self.rng.random() < 0.15:
            stranger = self.rng.choice(list(self.world.by_subject.values()))
            rows += [s for s in stranger if s.property in self.world.relations and s.subject != about][:3]
        self.rng.shuffle(rows)
        return lines((s.subject, self.world.relations[s.property].label, self._known(s)) for s in rows)

    def _echoes(self, claimed: Statement, near: list[Statement], *, about: str) -> list[Statement]:
        """Others who have the value, with what they share with the subject: the paths that a graph search brings in."""
        holders = self.holders.get((claimed.property, claimed.object), [])
        shared = {(s.property, s.object) for s in near}
        found: list[Statement] = []
        for id_ in self.rng.sample(holders, min(len(holders), self.rng.choice((1, 1, 2, 3, 4)))):
            theirs = [s for s in self.world.by_subject[id_] if s.property in self.world.relations]
            if theirs[0].subject == about:
                continue
            same = [s for s in theirs if (s.property, s.object) == (claimed.property, claimed.object)]
            linked = [s for s in theirs if (s.property, s.object) in shared] or self.rng.sample(theirs, 1)
            found += [*same[:1], *linked[:1]]
        return found

    def _other_value(self, statement: Statement, same: list[Statement]) -> str:
        """A value of the same relation that the subject does not have."""
        taken = {statement.object, *(s.object for s in same)}
        if statement.kind == "date":
            return self._moved_date(statement.object)
        if statement.kind == "quantity":
            return self._moved_number(statement.object)
        pool = self.world.values[statement.property]
        for _ in range(8):
            other = self.rng.choice(pool).object
            related = other in self.world.around(statement.object) or statement.object in self.world.around(
                other
            )
            if other not in taken and not related and not _contained(other, statement.object):
                return other
        return ""

    def _moved_date(self, date: str) -> str:
        parts = date.split("-")
        if len(parts) == 3 and self.rng.random() < 0.3:
            if self.rng.random() < 0.5:
                parts[2] = f"{(int(parts[2]) + self.rng.randint(1, 26)) % 28 + 1:02}"
            else:
                parts[1] = f"{(int(parts[1]) + self.rng.randint(0, 10)) % 12 + 1:02}"
        else:
            shift = self.rng.choice((1, 1, 2, 3, 5, 8, 10, 20, 30, 100)) * self.rng.choice((-1, 1))
            year = int(parts[0])
            parts[0] = f"{year + shift if year + shift > 0 else year + abs(shift):04}"
            parts = parts[:1] if self.rng.random() < 0.4 else parts
        moved = "-".join(parts)
        return "" if date.startswith(moved) else date_words(moved, self.rng)

    def _moved_number(self, amount: str) -> str:
        number, _, unit = amount.partition("|")
        value = float(number)
        moved = (
            value * self.rng.choice((0.1, 0.5, 0.7, 1.3, 2, 10))
            if value > 9
            else value + self.rng.choice((1, 2, 3))
        )
        if float(value).is_integer():
            moved = round(moved)
        return "" if moved == value else number_words(f"{moved}|{unit}", self.rng)

    # ── labels ──

    def _attributable(self, target: Statement, near: list[Statement]) -> tuple[int, str, str]:
        target = self._timed(target)
        rival = self.rng.choice(self.world.values[target.property])
        premise = self._evidence([target, *near], about=target.subject, claimed=rival)
        draw = self.rng.random()
        claim = self._say(target)
        joinable = self._targets(near)
        if target.when and draw < 0.6:
            claim = self._at_time(claim, target.when, true=True)
        elif draw > 0.85 and (denied := self._true_denial(target)):
            claim = denied
        elif vague := self._vaguer(target, draw):
            claim = self._say(target, vague)
        elif joinable and draw < 0.3:
            claim = _join(claim, self._say(self.rng.choice(joinable)), target.subject)
        elif draw < 0.6 and (country := self._country(target)):
            premise = f"{premise} {lines([(target.object, 'country', country)])}"
            claim = self._say(target, country)
        return ATTRIBUTABLE, premise, claim

    def _vaguer(self, target: Statement, draw: float) -> str:
        """A coarser date, or a bound of a quantity, in some draws."""
        if target.kind == "date" and draw < 0.35:
            return self._coarser_date(target.object)
        return self._bound(target.object, true=True) if target.kind == "quantity" and draw < 0.4 else ""

    def _country(self, target: Statement) -> str:
        """The country of the place that is stated."""
        return self.world.country.get(target.object, "") if target.property in _PLACES else ""

    def _true_denial(self, target: Statement) -> str:
        """A negated claim that the statement makes true: another single value, or the roles changed round."""
        relation = self.world.relations[target.property]
        if relation.asymmetric and target.kind == "item":
            return negate(
                self._say(Statement(target.object, target.property, target.subject, "item")), self.rng
            )
        other = self._other_value(target, []) if relation.single else ""
        return negate(self._say(target, other), self.rng) if other else ""

    def _contradictory(
        self, target: Statement, near: list[Statement], same: list[Statement]
    ) -> tuple[int, str, str]:
        relation = self.world.relations[target.property]
        target = self._timed(target)
        premise = self._evidence([target, *near], about=target.subject)
        draw = self.rng.random()
        if target.when and draw < 0.5:
            return CONTRADICTORY, premise, self._at_time(self._say(target), target.when, true=False)
        if target.kind == "quantity" and relation.single and draw < 0.3:
            return CONTRADICTORY, premise, self._say(target, self._bound(target.object, true=False))
        if relation.single and not same and draw < 0.7:
            return CONTRADICTORY, *self._revalued(target, near)
        return CONTRADICTORY, *self._misrelated(target, near, premise, draw)

    def _revalued(self, target: Statement, near: list[Statement]) -> tuple[str, str]:
        """Evidence, and a claim of another value than its own; perhaps behind a true one."""
        other = self._other_value(target, [])
        claim = self._say(target, other) if other else ""
        premise = self._evidence([target, *near], about=target.subject, claimed=replace(target, object=other))
        return premise, self._perhaps_joined(near, claim, target.subject, 0.3)

    def _misrelated(
        self, target: Statement, near: list[Statement], premise: str, draw: float
    ) -> tuple[str, str]:
        """Evidence, and a claim with the roles swapped, with the words of another relation, or denied."""
        relation = self.world.relations[target.property]
        if relation.asymmetric and target.kind == "item" and draw < 0.85:
            return premise, self._say(Statement(target.object, target.property, target.subject, "item"))
        if (mixed := self._confused(target, near)) and draw < 0.9:
            return premise, self._say(self.rng.choice(mixed), self._object(target))
        if not relation.single and draw < 0.5:  # else nearly every claim with a "not" would be this label
            return "", ""
        return premise, negate(self._say(target), self.rng)

    def _perhaps_joined(self, near: list[Statement], claim: str, subject: str, share: float) -> str:
        """A claim behind what is true of the same subject, in a share of the draws."""
        supported = self._targets(near)
        if claim and supported and self.rng.random() < share:
            return _join(self._say(self.rng.choice(supported)), claim, subject)
        return claim

    def _confused(self, target: Statement, near: list[Statement]) -> list[Statement]:
        """Statements beside `target` whose relation is easily taken for its own."""
        relations = self.world.relations
        return [
            s
            for s in near
            if s.property in relations[target.property].confusable
            and relations[s.property].single
            and s.property in self.allowed
            and s.kind == target.kind
            and s.object != target.object
        ]

    def _extrapolatory(
        self, target: Statement, near: list[Statement], same: list[Statement]
    ) -> tuple[int, str, str]:
        relation = self.world.relations[target.property]
        draw = self.rng.random()
        others = [s for s in near if s.property != target.property]
        if target.property in _DATED and target.kind == "item" and draw < 0.12:
            claim = self._at_time(self._say(target), _years(self.rng), true=True)
            return EXTRAPOLATORY, self._evidence([target, *near], about=target.subject), claim
        if not relation.single and target.kind == "item" and draw < 0.45:
            return EXTRAPOLATORY, *self._of_open_list(target, near, same)
        if others and draw < 0.8:
            return EXTRAPOLATORY, *self._unsupported(target, others, draw)
        return EXTRAPOLATORY, *self._of_a_stranger(target, others)

    def _of_open_list(
        self, target: Statement, near: list[Statement], same: list[Statement]
    ) -> tuple[str, str]:
        """Evidence, and a claim of a further value where there may be several."""
        other = self._other_value(target, same)
        claim = self._maybe_denied(self._say(target, other)) if other else ""
        claimed = replace(target, object=other)
        return self._evidence([target, *near], about=target.subject, claimed=claimed), claim

    def _unsupported(self, target: Statement, others: list[Statement], draw: float) -> tuple[str, str]:
        """Evidence of other relations, and a claim whose support was dropped."""
        value = self._bound(target.object, true=True) if target.kind == "quantity" and draw < 0.6 else ""
        claim = self._maybe_denied(self._say(target, value))
        claim = self._perhaps_joined(others, claim, target.subject, 0.2)
        return self._evidence(others, about=target.subject, claimed=target), claim

    def _of_a_stranger(self, target: Statement, others: list[Statement]) -> tuple[str, str]:
        """Evidence in which another subject has the value, or one of its own."""
        stranger = self.rng.choice(self.world.values[target.property])
        known = self.world.by_subject.get(stranger.subject)
        if not known or known[0].subject == target.subject:
            return "", ""
        claim = self._maybe_denied(self._say(target))
        carried = stranger if self.rng.random() < 0.4 else target
        moved = Statement(known[0].subject, target.property, carried.object, carried.kind)
        return self._evidence([moved, *others[:2]], about=target.subject), claim

    def _maybe_denied(self, claim: str) -> str:
        return (negate(claim, self.rng) or claim) if self.rng.random() < 0.25 else claim

    # ── time and size ──

    def _timed(self, statement: Statement) -> Statement:
        """Half of the statements that hold for a time get a made-up one."""
        if statement.property not in _DATED or statement.kind != "item" or self.rng.random() < 0.5:
            return statement
        return replace(statement, when=_years(self.rng))

    def _at_time(self, claim: str, when: tuple[int, int], *, true: bool) -> str:
        start, end = when
        if end == start:
            year = start if true else start + self.rng.choice((-9, -4, -2, -1, 1, 2, 5))
            return f"{claim.rstrip('.')} in {year}."
        shift = self.rng.choice((-12, -7, -3, 3, 7, 12))
        inside, outside = (
            self.rng.randint(start, end),
            self.rng.choice((start - abs(shift), end + abs(shift))),
        )
        ways = (
            (f"in {inside}", f"from {start} to {end}", f"until {end}", f"from {start}")
            if true
            else (f"in {outside}", f"from {start + shift} to {end + shift}", f"until {end + shift}")
        )
        return f"{claim.rstrip('.')} {self.rng.choice(ways)}."

    def _coarser_date(self, date: str) -> str:
        parts = date.split("-")
        if len(parts) > 1:
            return date_words("-".join(parts[: self.rng.randint(1, len(parts) - 1)]), self.rng)
        return f"the {parts[0][:3].lstrip('0')}0s" if parts[0] > "1000" else date_words(date, self.rng)

    def _bound(self, amount: str, *, true: bool) -> str:
        number, _, unit = amount.partition("|")
        value = float(number)
        below, above = (
            round(value * self.rng.uniform(0.5, 0.95)),
            round(value * self.rng.uniform(1.05, 2)) + 1,
        )
        more = f"{self.rng.choice(('more than', 'over', 'at least'))} {number_words(f'{below if true else above}|{unit}', self.rng)}"
        less = f"{self.rng.choice(('less than', 'under', 'fewer than'))} {number_words(f'{above if true else below}|{unit}', self.rng)}"
        near = f"about {number_words(f'{_rounded(value)}|{unit}', self.rng)}"
        return self.rng.choice((more, less, near) if true else (more, less))


def _contained(left: str, right: str) -> bool:
    return left.lower() in right.lower() or right.lower() in left.lower()


def _rounded(value: float) -> float:
    digits = len(str(int(value)))
    return float(round(value, 2 - digits)) if digits > 2 else value


def _join(first: str, second: str, subject: str) -> str:
    """Two sentences about one subject as one, with "and" where both begin with it."""
    if first.startswith(subject + " ") and second.startswith(subject + " "):
        return f"{first.rstrip('.')} and{second[len(subject) :]}"
    return f"{first.rstrip('.')}, and {second}"


def _years(rng: random.Random) -> tuple[int, int]:
    start = rng.randint(1850, 2018)
    return start, start + rng.choice((0, 1, 2, 3, 4, 5, 8, 12))
