"""FLEEK's BenchText made again: P/R/F1 per class and total, and revisions (bars: total and Questionable F1 above 85)."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from eval.datasets.benchtext import (
    Gold,
    Item,
    Set,
    knowledgenet,
    movies,
    perturbed,
    redocred,
    write_graph,
)
from guardrail.scoring import FleekClass, fleek_class
from guardrail.types import Label, Node, Report, Revision, Slot, Span, Triplet, Value, Verdict
from guardrail.values import compare, find_values
from guardrail.verifier import Verifier

CLASSES = (FleekClass.STRONGLY_SUPPORTED, FleekClass.LIKELY_SUPPORTED, FleekClass.QUESTIONABLE)
PUBLISHED = "FLEEK GPT-3 on BenchText: Strongly 100.0, Likely 86.6, Questionable 77.5, Total 84.5; revision 72.7 (87.5 given a right verdict)"
BAR, REVISION_BAR, COUNT = 0.85, 0.88, 400


@dataclass(slots=True)
class Tally:
    """Counts of one set: system spans, gold spans and their overlap by class, and revisions.

    `right` counts gold spans that were found. `besides` counts system spans that are no gold and yet right: facts of the set
    that the sentence names both ends of, though the set gives another sentence as evidence. They count for precision alone.
    """

    system: Counter[FleekClass] = field(default_factory=Counter)
    gold: Counter[FleekClass] = field(default_factory=Counter)
    right: Counter[FleekClass] = field(default_factory=Counter)
    besides: Counter[FleekClass] = field(default_factory=Counter)
    swapped: int = 0
    contradicted: int = 0
    offered: int = 0
    restored: int = 0
    false_alarms: int = 0

    def add(self, other: Tally) -> None:
        self.system += other.system
        self.gold += other.gold
        self.right += other.right
        self.besides += other.besides
        for name in ("swapped", "contradicted", "offered", "restored", "false_alarms"):
            setattr(self, name, getattr(self, name) + getattr(other, name))


def run() -> int:
    """One table per set and one for all of them."""
    total = Tally()
    for made in (redocred(), knowledgenet(), movies()):
        tally = evaluate(made)
        _show(made.name, tally)
        total.add(tally)
    _show("all", total)
    print(PUBLISHED)
    met = _f1(total, CLASSES) > BAR and _f1(total, [FleekClass.QUESTIONABLE]) > BAR
    revised = total.restored / total.contradicted if total.contradicted else 0.0
    return 0 if met and revised > REVISION_BAR else 1


def evaluate(made: Set, *, count: int = COUNT) -> Tally:
    """Runs the verifier over the perturbed sentences of a set, with the graph of the set's own facts."""
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "set.db"
        write_graph(made, path)
        verifier = Verifier.open(path)
        answers = answers_of(made)
        for item in perturbed(made, count=count):
            score(item, verifier.check(item.text), answers, tally, made.names)
    return tally


def answers_of(made: Set) -> Counter[tuple[str, str]]:
    """How many values the graph has for each subject and property."""
    return Counter(
        (s, p) for s, p, _ in {(t.subject.id, t.predicate.id, t.object.label) for t in made.triplets}
    )


def score(
    item: Item,
    report: Report,
    answers: Counter[tuple[str, str]],
    tally: Tally,
    names: Mapping[str, Collection[str]],
) -> None:
    """Adds one item. A system span is right when it overlaps a gold span of its class and cites the gold's evidence."""
    system = list(_system(report))
    gold = [(g, _gold_class(g, answers)) for g in item.facts]
    tally.gold.update(kind for _, kind in gold)
    tally.system.update(kind for _, _, kind in system)
    used = _matched(gold, system)
    for at in used:
        tally.right[system[at][2]] += 1
    _besides(item, system, used, tally, names)
    _revisions(item, report, tally, names)


def _matched(
    gold: Sequence[tuple[Gold, FleekClass]], system: Sequence[tuple[Slot, Verdict, FleekClass]]
) -> set[int]:
    """The numbers of the system spans that are right, each for one gold span."""
    used: set[int] = set()
    for fact, kind in gold:
        for i, (slot, verdict, said) in enumerate(system):
            if i not in used and said is kind and _same_fact(fact, slot, verdict):
                used.add(i)
                break
    return used


def _besides(
    item: Item,
    system: Sequence[tuple[Slot, Verdict, FleekClass]],
    used: Collection[int],
    tally: Tally,
    names: Mapping[str, Collection[str]],
) -> None:
    """Counts further spans that are right although no gold span is theirs."""
    wrong = [fact.span for fact in item.facts if fact.swapped]
    for i, (slot, verdict, said) in enumerate(system):
        touches = _touches(slot, verdict, wrong)
        if i not in used and touches and said is FleekClass.QUESTIONABLE:
            tally.besides[said] += 1  # what was swapped in is wrong for every fact that it stands in
        if i in used or slot.state != "agree" or touches:
            continue
        if any(_named(triplet, item.text, names) for triplet in verdict.evidence.triplets):
            tally.besides[said] += 1


def _system(report: Report) -> Iterator[tuple[Slot, Verdict, FleekClass]]:
    for verdict in report.verdicts:
        for slot in verdict.slots:
            kind = fleek_class(slot)
            if kind is not None and slot.span is not None:
                yield slot, verdict, kind


def _named(triplet: Triplet, text: str, names: Mapping[str, Collection[str]]) -> bool:
    """Whether the sentence names both ends."""
    ends = [end for end in (triplet.subject, triplet.object) if isinstance(end, Node)]
    return all(any(name in text for name in names.get(end.id, (end.label,))) for end in ends)


def _touches(slot: Slot, verdict: Verdict, spans: list[Span]) -> bool:
    return any(place and place.overlaps(span) for place in _places(slot, verdict) for span in spans)


def _places(slot: Slot, verdict: Verdict) -> list[Span | None]:
    """Where the slot's fact stands; a claim that no fact was read from has the slot alone."""
    facts = verdict.claim.facts[slot.fact : slot.fact + 1]
    return [slot.span, *(span for fact in facts for span in (fact.object.span, fact.subject.span))]


def _gold_class(gold: Gold, answers: Counter[tuple[str, str]]) -> FleekClass:
    if gold.swapped:
        return FleekClass.QUESTIONABLE
    single = answers[gold.triple.subject.id, gold.triple.predicate.id] == 1
    return FleekClass.STRONGLY_SUPPORTED if single else FleekClass.LIKELY_SUPPORTED


def _same_fact(gold: Gold, slot: Slot, verdict: Verdict) -> bool:
    if not any(span and span.overlaps(gold.span) for span in _places(slot, verdict)):
        return False
    if gold.swapped:
        return True
    return any(_same(gold.triple, triplet) for triplet in verdict.evidence.triplets)


def _same(left: Triplet, right: Triplet) -> bool:
    """The same two ends: relations have inverses and near synonyms."""
    ends = {_id(left.subject), _id(left.object)}
    return ends == {_id(right.subject), _id(right.object)}


def _id(end: object) -> str:
    return end.id if isinstance(end, Node) else str(getattr(end, "value", ""))


def _revisions(item: Item, report: Report, tally: Tally, names: Mapping[str, Collection[str]]) -> None:
    flagged = [verdict for verdict in report.verdicts if verdict.label is Label.CONTRADICTORY]
    if not item.original:
        tally.false_alarms += bool(flagged)
        return
    tally.swapped += 1
    if not flagged:
        return
    tally.contradicted += 1
    revisions = [revision for verdict in flagged for revision in verdict.revisions]
    tally.offered += bool(revisions)
    tally.restored += any(_restores(revision, item, names) for revision in revisions)


def _restores(revision: Revision, item: Item, names: Mapping[str, Collection[str]]) -> bool:
    """Whether a revision says again what was true before the swap, in these or other words of it."""
    if revision.text == item.original:
        return True
    for gold in item.facts:
        if not gold.swapped:
            continue
        for true in (gold.triple.object, gold.triple.subject):
            if isinstance(true, Value):
                said = [a.value for a in find_values(revision.replacement) if a.value]
                if any(compare(value, true) == "agree" for value in said):
                    return True
            elif gold.swapped in (true.label, *names.get(true.id, ())):
                return any(name in revision.replacement for name in names.get(true.id, (true.label,)))
    return False


def _show(name: str, tally: Tally) -> None:
    print(f"{name}: {'class':<20} {'P':>6} {'R':>6} {'F1':>6}  system/gold")
    for kind in CLASSES:
        print(f"  {kind:<24} {_row(tally, [kind])}")
    print(f"  {'Total':<24} {_row(tally, CLASSES)}")
    print(
        f"  perturbed {tally.swapped}, contradicted {tally.contradicted}, revision offered {tally.offered}, truth restored "
        f"{tally.restored}; unperturbed sentences contradicted {tally.false_alarms}"
    )


def _row(tally: Tally, kinds: Sequence[FleekClass]) -> str:
    precision, recall, f1 = _measures(tally, kinds)
    counts = [sum(counter[kind] for kind in kinds) for counter in (tally.system, tally.gold)]
    return f"{precision:6.1%} {recall:6.1%} {f1:6.1%}  {counts[0]}/{counts[1]}"


def _f1(tally: Tally, kinds: Sequence[FleekClass]) -> float:
    return _measures(tally, kinds)[2]


def _measures(tally: Tally, kinds: Sequence[FleekClass]) -> tuple[float, float, float]:
    """FLEEK §4.3: precision ov/|S|, recall ov/|G|, and F1."""
    counters = (tally.right, tally.besides, tally.system, tally.gold)
    right, besides, system, gold = (sum(counter[kind] for kind in kinds) for counter in counters)
    precision, recall = (right + besides) / system if system else 0.0, right / gold if gold else 0.0
    f1 = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    return precision, recall, f1
