"""One verdict from several sources, with nothing hidden."""

from __future__ import annotations

from dataclasses import fields

from guardrail.check.sources import check_by_source, joined
from guardrail.types import (
    Answer,
    Claim,
    Evidence,
    Label,
    Node,
    Passage,
    Path,
    Profile,
    Property,
    Ranking,
    Reason,
    Slot,
    Source,
    SourceVerdict,
    Span,
    Triplet,
    Verdict,
)

ATT, EXT, CON = Label.ATTRIBUTABLE, Label.EXTRAPOLATORY, Label.CONTRADICTORY
CLAIM = Claim(0, Span(0, 1), "x", "x")
STATEMENT = Triplet(Node("", "a"), Node("", "b"), Node("", "c"), source="graph", as_of="2026-01-01")
GRAPH = Evidence(triplets=(STATEMENT,))
SLOT = Slot("b", "d", "c", "single", "conflict")


def passages(word: str, source: Source = Source.REQUEST, **options: tuple[str, ...]) -> Evidence:
    return Evidence(passages=(Passage(word, word, source, as_of="2025"),), **options)


class Reads:
    """Judges by the word that stands in the first passage; statements as it was told, open ones for `reason`."""

    name = "reads"

    def __init__(
        self, graph: Label = EXT, slot: Slot | None = None, *, reason: Reason = Reason.INSUFFICIENT
    ) -> None:
        self._graph, self._slot, self._reason = graph, slot, reason
        self.seen: list[Evidence] = []

    def check(self, claim: Claim, evidence: Evidence) -> Verdict | None:
        self.seen.append(evidence)
        if evidence.passages:
            if evidence.passages[0].text == "both":
                return self._torn(claim, evidence)
            label, slot = {"yes": ATT, "no": CON}.get(evidence.passages[0].text, EXT), None
        else:
            label, slot = self._graph, self._slot
        reason = None if label is not EXT else Reason.INSUFFICIENT if evidence.passages else self._reason
        return Verdict(claim, label, 0.9, evidence, f"It is {label}.", self.name, slot=slot, reason=reason)

    def _torn(self, claim: Claim, evidence: Evidence) -> Verdict:
        sides = tuple(SourceVerdict(Source.WEB, one, 0.8, evidence, "", self.name) for one in (ATT, CON))
        return Verdict(claim, EXT, 0.1, evidence, "They disagree.", self.name, by_source=sides)


def test_the_source_of_highest_precedence_decides() -> None:
    """The same evidence gives the other label when the order is turned round; both sides are shown each time."""
    sides = [(Source.REQUEST, passages("no")), (Source.KG, GRAPH)]
    first, second = check_by_source(Reads(ATT), CLAIM, sides), check_by_source(Reads(ATT), CLAIM, sides[::-1])
    assert first is not None
    assert second is not None
    assert (first.label, second.label) == (CON, ATT)
    assert first.conflict
    assert [(one.source, one.label) for one in first.by_source] == [(Source.REQUEST, CON), (Source.KG, ATT)]
    assert [one.source for one in second.by_source] == [Source.KG, Source.REQUEST]
    assert (first.evidence.passages, first.evidence.triplets) == (passages("no").passages, ())
    assert first.by_source[1].evidence.triplets == (STATEMENT,)


def test_the_rationale_names_both_sides() -> None:
    """A reader of nothing but the rationale learns of the conflict, and why the first is believed."""
    verdict = check_by_source(Reads(ATT), CLAIM, [(Source.REQUEST, passages("no")), (Source.KG, GRAPH)])
    assert verdict is not None
    assert verdict.rationale == (
        "It is contradictory. The sources disagree: the references of the request contradict the claim and come first;"
        " the knowledge graph supports the claim: It is attributable."
    )


def test_sources_that_agree_stand_together_and_a_proof_speaks() -> None:
    """The evidence of both is cited; the slot of the graph's proof is kept for revisions."""
    verdict = check_by_source(Reads(CON, SLOT), CLAIM, [(Source.CORPUS, passages("no")), (Source.KG, GRAPH)])
    assert verdict is not None
    assert (verdict.label, verdict.slot, verdict.conflict) == (CON, SLOT, False)
    assert verdict.evidence.triplets == (STATEMENT,)
    assert [passage.text for passage in verdict.evidence.passages] == ["no"]
    assert [one.source for one in verdict.by_source] == [Source.CORPUS, Source.KG]


def test_a_source_that_says_nothing_hides_no_other() -> None:
    """References beside the point leave the word to the graph."""
    verdict = check_by_source(Reads(ATT), CLAIM, [(Source.REQUEST, passages("perhaps")), (Source.KG, GRAPH)])
    assert verdict is not None
    assert (verdict.label, verdict.by_source, verdict.evidence) == (ATT, (), GRAPH)


def test_a_source_that_disagrees_with_itself_is_shown_with_both_sides() -> None:
    """It decides nothing, and what in it supports the claim is not lost beside a graph that contradicts it."""
    verdict = check_by_source(Reads(CON), CLAIM, [(Source.REQUEST, passages("both")), (Source.KG, GRAPH)])
    assert verdict is not None
    assert (verdict.label, verdict.conflict) == (CON, True)
    assert [(one.source, one.label) for one in verdict.by_source] == [
        (Source.REQUEST, ATT),
        (Source.REQUEST, CON),
        (Source.KG, CON),
    ]
    assert verdict.rationale == "It is contradictory. They disagree."


def test_statements_that_none_decides_alone_are_judged_as_one() -> None:
    """The checker sees the triplets of the request and of the graph together, and what was not read in either."""
    checker = Reads()
    given = Evidence(triplets=(Triplet(Node("", "d"), Node("", "e"), Node("", "f")),), unread=("the rest",))
    verdict = check_by_source(checker, CLAIM, [(Source.REQUEST, given), (Source.KG, GRAPH)])
    assert verdict is not None
    assert checker.seen == [given, GRAPH, joined([given, GRAPH])]


def test_passages_that_decide_nothing_are_not_read_twice() -> None:
    """The open verdict shows the evidence of all sources, for the reason that says most."""
    checker = Reads(reason=Reason.OPEN_LIST)
    unread = passages("perhaps", unread=("the rest",))
    verdict = check_by_source(checker, CLAIM, [(Source.REQUEST, unread), (Source.KG, GRAPH)])
    assert verdict is not None
    assert (verdict.label, verdict.reason) == (EXT, Reason.OPEN_LIST)
    assert verdict.evidence == joined([GRAPH, unread])
    assert len(checker.seen) == 2


def test_one_source_is_judged_once_with_what_others_could_not_read() -> None:
    """A web search that failed is said; it costs no second judgement."""
    checker = Reads(ATT)
    verdict = check_by_source(
        checker, CLAIM, [(Source.KG, GRAPH), (Source.WEB, Evidence(unread=("the web: late",)))]
    )
    assert verdict is not None
    assert verdict.evidence.unread == ("the web: late",)
    assert len(checker.seen) == 1


def test_unread_evidence_is_named_beside_a_decision() -> None:
    """Whoever decided, the verdict says what nobody looked at."""
    unread = passages("yes", unread=("3 sentences",))
    verdict = check_by_source(Reads(ATT), CLAIM, [(Source.KG, GRAPH), (Source.REQUEST, unread)])
    assert verdict is not None
    assert verdict.evidence.unread == ("3 sentences",)


def test_joining_keeps_the_order_and_drops_doubles() -> None:
    """A statement that two sources hold is one; the first source's stands first."""
    other = Triplet(Node("", "d"), Node("", "e"), Node("", "f"))
    whole = joined([Evidence((other, STATEMENT), unread=("a",)), Evidence((STATEMENT,), unread=("a", "b"))])
    assert (whole.triplets, whole.unread) == ((other, STATEMENT), ("a", "b"))


def test_joining_loses_nothing_of_what_was_found() -> None:
    """Every field of the one evidence there is stands in the joined one."""
    known = Property("b", "b")
    full = Evidence(
        triplets=(STATEMENT,),
        passages=(Passage("p", "p", Source.CORPUS),),
        answers=(Answer(0, Node("", "a"), known),),
        paths=(Path((STATEMENT,)),),
        unread=("2 more",),
        rankings=(Ranking(0, STATEMENT),),
        properties=(known,),
        profiles=(Profile(Node("a", "a")),),
        nearest=(STATEMENT,),
        peers=(STATEMENT,),
    )
    assert all(getattr(full, field.name) for field in fields(full)), "the test names every field"
    assert joined([full]) == full
