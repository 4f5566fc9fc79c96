"""Judges a claim by passages: a model reads windows of them whole, and exact comparison stands beside it.

The model says whether a window supports the claim, contradicts it, or is silent. It misses values and names that differ in
one word; those are compared exactly (`exact`). A sentence that says all the claim says with another value in its place
refutes the claim, whatever the model makes of it; a value that no sentence holds withdraws the model's support. Windows that
disagree are both shown, and none wins.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from guardrail.check.kg.compare.containment import names_wider_place
from guardrail.check.kg.compare.identifiers import fabricated
from guardrail.check.text.exact import Difference, Parse, coverage, differences, lacking, missing
from guardrail.check.text.propositions import mixed, usurped
from guardrail.check.text.signals import Beside, of_model, of_words
from guardrail.check.text.weighing import Shares, Weighing, weighing_for
from guardrail.check.text.windows import Window, windows
from guardrail.language import parser
from guardrail.models.nli import Classifier, Thresholds
from guardrail.rules import rule
from guardrail.types import (
    Claim,
    Evidence,
    Kind,
    Label,
    Object,
    Passage,
    Reason,
    Slot,
    SourceVerdict,
    Span,
    Value,
    Verdict,
)
from guardrail.values.demonyms import DEMONYMS

__all__ = ["TextChecker"]

_ROOM = 300  # tokens of a window: what the model was trained on, with the claim beside them
_LEAST = 32  # tokens of evidence that must fit beside a claim
_SLACK = 8  # joined parts may have a few tokens more than their sum
_READ = 3  # windows per claim, the nearest ones
_CLOSE = 80  # tokens of a sentence with its neighbours …
_CLOSER = 2  # … and how many of these are read beside the windows
_PROOF = 0.85  # of the claim's other words: a sentence with so many and another value refutes it alone
_BACKED = 0.6  # with so many it does …
_SPEAKS = 0.6  # … where the model finds so surely that the window speaks of the claim
_LEAST_SHARED = 2  # other words: what shares one may speak of anything
_LIKE = 0.8  # of its words, and all its values: a sentence with so many supports it …
_LIKELY = 0.6  # … from this probability on
_UNLIKE = 0.8  # the probability from which on one with fewer does
_NEAR = 0.5  # a value that no sentence holds speaks against support where a sentence has so much of the rest
_ABOUT = 2  # sentences before and behind that may name what a sentence speaks of
_UNSURE = 0.5  # where words of the claim are missing, whatever the model makes of it
_SURE = 0.92  # of a difference in one place alone
_VERBATIM = 0.97
_SHORT = 128  # tokens of evidence and claim up to which the thresholds of short texts hold
_QUOTED = 160  # characters of evidence that a rationale repeats
_ADDED = re.compile(r"\d\D{0,20}\b(?:more|less|extra|additional|on top|off)\b", re.IGNORECASE)
_DIGIT = re.compile(r"\d")
_PRONOUN = re.compile(r"\b(?:he|she|it|they|him|them|his|her|its|their|this|these)\b", re.IGNORECASE)
_ORDER = (Label.ATTRIBUTABLE, Label.EXTRAPOLATORY, Label.CONTRADICTORY)
# The share from which on all signals lean the way in which the model's thresholds decide.
_LEANING = {Label.ATTRIBUTABLE: 0.4, Label.CONTRADICTORY: 0.7}
_DOUBT = re.compile(
    r"\b(?:perhaps|maybe|possibly|probably|presumably|apparently|allegedly|supposedly|reportedly|arguably|rumou?red|rumou?rs?"
    r"|(?:may|might|could) (?:\w+ )?have (?:\w+ly )?(?:been|become|come|done|gone|had|held|led|made|met|won|\w+e[dn])"
    r"|might|seems?|appears? to|likely|believed|thought|(?:it is|is it) (?:said|possible)"
    r"|considered|claims?|idea|notion|theory|myth|misconception|story|legend|not (?:sure|certain))\b",
    re.IGNORECASE,
)


class TextChecker:
    """Implements `Checker`. None for claims without passages and for what the speaker doubts."""

    def __init__(self, model: Classifier, *, exact: bool = True, parse: Parse | None = None) -> None:
        """Without `exact` the model's word alone counts. `parse` reads sentences (the shipped pipeline unless given)."""
        self._exact = exact
        self._parse = parse or parser().read
        self._model = model

    @property
    def _weighing(self) -> Weighing | None:
        """The weights that were found for this model; with any other its own thresholds decide."""
        return weighing_for(self._model.name) if self._exact else None

    @property
    def name(self) -> str:
        """With the model's, which a server may tell late."""
        return f"text:{self._model.name}"

    def check(self, claim: Claim, evidence: Evidence) -> Verdict | None:
        if not evidence.passages or _doubted(claim):
            return None
        room = self._room(claim)
        if room < _LEAST:
            return self._unread(claim, evidence, "the passages beside so long a claim")
        found = windows(evidence.passages, room=room, measure=self._model.lengths)
        if not found:
            return None
        read = self._reading(claim.resolved, found, whole=self._weighing is not None)
        verdict = self._verdict(claim, read, evidence)
        if verdict.label is Label.ATTRIBUTABLE and evidence.unread:
            verdict = self._unread(claim, verdict.evidence, evidence.unread[0])
        return _marked(verdict, evidence.passages)

    def signals(self, claim: Claim, evidence: Evidence) -> dict[str, float]:
        """What speaks for and against the claim, as `Weighing` takes it; empty where nothing can be read."""
        room = self._room(claim)
        found = windows(evidence.passages, room=room, measure=self._model.lengths) if room >= _LEAST else []
        if not found:
            return {}
        read = self._reading(claim.resolved, found, whole=True)
        return self._signals(claim, read, _differences(claim, read.judged, self._parse))

    def _room(self, claim: Claim) -> int:
        """Tokens of evidence that fit beside the claim."""
        taken = self._model.specials + self._model.lengths([claim.resolved])[0] + _SLACK
        return min(_ROOM, self._model.window - taken)

    def _reading(self, claim: str, found: Sequence[Window], *, whole: bool) -> _Read:
        """What the model makes of the windows; if `whole`, of the nearest sentence alone, too, which only signals need."""
        near = _nearest(claim, found)
        chosen, nearest = self._chosen(near), near[0].text
        pairs = [(one.text, claim) for one in chosen]
        alone = [(nearest, claim), (claim, nearest)] if whole else []
        rows = self._model.probabilities([*pairs, *alone]).tolist()
        judged = [_Judged(window, *row) for window, row in zip(chosen, rows, strict=False)]
        return _Read(judged, near, rows[len(chosen) :])

    def _chosen(self, near: Sequence[_Near]) -> list[Window]:
        """The nearest windows, and the sentences in them that are nearest, each among its neighbours alone."""
        closer = [
            one.window.around(one.place, self._model.lengths(one.window.said), _CLOSE)
            for one in near[:_CLOSER]
        ]
        whole = sorted({one.number: one.window for one in near}.items())
        return list({window.text: window for window in (*closer, *(window for _, window in whole))}.values())

    def _verdict(self, claim: Claim, read: _Read, evidence: Evidence) -> Verdict:
        for one in read.judged:
            if (place := _repeating(one.window, claim.resolved)) is not None:
                return self._decided(claim, Label.ATTRIBUTABLE, one, (place,), _VERBATIM)
        found = _differences(claim, read.judged, self._parse) if self._exact else []
        if (proof := _proof(claim, read.judged, found)) is not None:
            return self._refuted(claim, *proof)
        lacking = self._lacking(claim, evidence) if self._exact and read.near[0].share >= _NEAR else ""
        if self._weighing is None:
            return self._by_thresholds(claim, read, lacking)
        if (sides := self._opposed(claim, read.judged)) is not None:
            return self._disagreement(claim, *sides)
        return self._by_weight(claim, read, self._weighing.shares(self._signals(claim, read, found)), lacking)

    def _by_weight(self, claim: Claim, read: _Read, shares: Shares, lacking: str) -> Verdict:
        """What all signals together speak for; where they only lean towards support, what supports the claim by the thresholds."""
        label = self._weighing.label(shares) if self._weighing else Label.EXTRAPOLATORY
        if label is Label.EXTRAPOLATORY:
            other = self._by_thresholds(claim, read, lacking)
            needed = _LEANING.get(other.label, 1.0)
            return (
                other if shares[_ORDER.index(other.label)] >= needed else self._undecided(claim, read.judged)
            )
        one, near = read.nearest, read.near[0]
        if label is Label.ATTRIBUTABLE and (absent := lacking or near.lacks(claim)):
            return self._unheld(claim, one, absent)
        doubtful = read.support < _LIKELY if label is Label.ATTRIBUTABLE else _of_another(claim, near.window)
        if doubtful:
            return self._undecided(claim, read.judged)
        return self._decided(claim, label, one, one.near(claim), max(shares))

    def _by_thresholds(self, claim: Claim, read: _Read, lacking: str) -> Verdict:
        """What the model says of the windows, each by itself, and the words do not withdraw."""
        supports = self._supports(claim, read.judged, like=read.near[0].share >= _LIKE and not lacking)
        support = max(supports, key=lambda one: one.attributable, default=None)
        if support and self._exact and (withdrawn := self._withdrawn(claim, support, lacking)):
            return withdrawn
        return self._weighed(claim, read.judged, support, self._refutal(claim, read.judged))

    def _signals(self, claim: Claim, read: _Read, found: Sequence[_Differing]) -> dict[str, float]:
        difference = max((one.difference for one in found), key=lambda one: one.share, default=None)
        sentences = tuple(dict.fromkeys(one.text for one in read.near))
        given = Beside(claim.resolved, sentences, read.near[0].window.head, self._parse)
        windows = [one.row for one in read.judged]
        return {**of_model(read.alone, windows), **of_words(given, difference)}

    def _refutal(self, claim: Claim, judged: Sequence[_Judged]) -> _Judged | None:
        refutals = [
            one
            for one in judged
            if one.contradictory >= self._limits(one, claim).contradictory
            and not _of_another(claim, one.window)
        ]
        return max(refutals, key=lambda one: one.contradictory, default=None)

    def _opposed(self, claim: Claim, judged: Sequence[_Judged]) -> tuple[_Judged, _Judged] | None:
        """A passage that supports the claim and another one that refutes it, by what the model makes of either."""
        support = max(
            self._supports(claim, judged, like=False), key=lambda one: one.attributable, default=None
        )
        refutal = self._refutal(claim, judged)
        if not support or not refutal or support.window.passage is refutal.window.passage:
            return None
        return support, refutal

    def _supports(self, claim: Claim, judged: Sequence[_Judged], *, like: bool) -> list[_Judged]:
        """The windows that support the claim and have a sentence with half of its words.

        Less is asked where a sentence has nearly all its words and all its values.
        """
        near = [one for one in judged if one.near(claim)]
        found = [one for one in near if one.attributable >= self._needed(one, claim)]
        return found or [one for one in near if like and one.attributable >= _LIKELY]

    def _withdrawn(self, claim: Claim, support: _Judged, lacking: str) -> Verdict | None:
        """What is said of a claim that the model supports and the words do not."""
        if absent := lacking or support.lacks(claim):
            return self._unheld(claim, support, absent)
        foreign = support.mixed(claim, self._parse)
        return self._set_apart(claim, support, foreign) if foreign else None

    def _needed(self, one: _Judged, claim: Claim) -> float:
        """What the model's support must reach: more where no sentence of the window has nearly all of the claim's words."""
        limit = self._limits(one, claim).attributable
        share = max(coverage(claim.resolved, said, one.window.head) for said in one.window.said)
        return limit if share >= _LIKE else max(limit, _UNLIKE)

    def _weighed(
        self, claim: Claim, judged: Sequence[_Judged], support: _Judged | None, refutal: _Judged | None
    ) -> Verdict:
        """Two readings of one passage are settled by the surer one; two passages disagree."""
        if support and refutal and support.window.passage is not refutal.window.passage:
            return self._disagreement(claim, support, refutal)
        if support and (not refutal or support.attributable >= refutal.contradictory):
            return self._decided(
                claim, Label.ATTRIBUTABLE, support, support.near(claim), support.attributable
            )
        if refutal:
            return self._decided(
                claim, Label.CONTRADICTORY, refutal, refutal.near(claim), refutal.contradictory
            )
        return self._undecided(claim, judged)

    def _limits(self, one: _Judged, claim: Claim) -> Thresholds:
        """What a short text must reach, or a longer one."""
        lengths = self._model.lengths([one.window.text, claim.resolved])
        return self._model.thresholds(
            "passages" if sum(lengths) + self._model.specials <= _SHORT else "windows"
        )

    def _lacking(self, claim: Claim, evidence: Evidence) -> str:
        """The first identifier, value or name of the claim that the evidence does not hold."""
        held, heads = _held(evidence), _heads(evidence)
        made_up = fabricated(claim.resolved, f"{heads} {held}")
        return made_up[0] if made_up else missing(claim.text, held, heads)

    def _decided(
        self, claim: Claim, label: Label, one: _Judged, places: Sequence[int], sure: float
    ) -> Verdict:
        does = "supports" if label is Label.ATTRIBUTABLE else "contradicts"
        why = f"The passage “{_quote(one.window, places)}” {does} the claim."
        return Verdict(claim, label, sure, one.window.evidence(*places), why, checker=self.name)

    def _refuted(self, claim: Claim, one: _Judged, found: Difference) -> Verdict:
        """Contradictory by what stands in the place of the claimed words, which a correction may put there."""
        slot = Slot(
            property=found.slot,
            claimed=found.claimed,
            known=found.known,
            cardinality="single",
            state="conflict",
            span=_place(claim, found.claimed),
            fact=-1,
            values=() if found.value is None else (_shown(found.value, found.known),),
            answers=1,
        )
        why = (
            f"The passage “{_quote(one.window, (found.sentence,))}” says “{found.known}” where the claim says"
            f" “{found.claimed}”."
        )
        evidence = one.window.evidence(found.sentence)
        return Verdict(
            claim,
            Label.CONTRADICTORY,
            _SURE,
            evidence,
            why,
            checker=self.name,
            slot=slot,
            slots=(slot,),
        )

    def _unheld(self, claim: Claim, one: _Judged, lacking: str) -> Verdict:
        places = one.near(claim)
        why = (
            f"The passage “{_quote(one.window, places)}” is near the claim, but no passage holds “{lacking}”."
        )
        return self._open(claim, one.window.evidence(*places), why)

    def _set_apart(self, claim: Claim, one: _Judged, foreign: str) -> Verdict:
        """The sentence has all the words, but not in one statement."""
        places = one.near(claim)
        why = f"The passage “{_quote(one.window, places)}” does not say “{foreign}” together with the rest of the claim."
        return self._open(claim, one.window.evidence(*places), why)

    def _undecided(self, claim: Claim, judged: Sequence[_Judged]) -> Verdict:
        one = max(judged, key=lambda one: one.attributable + one.contradictory)
        why = "The passages that were found neither confirm nor refute the claim with enough certainty."
        return self._open(claim, one.window.evidence(*one.near(claim)), why, one.extrapolatory)

    def _open(self, claim: Claim, evidence: Evidence, why: str, sure: float = _UNSURE) -> Verdict:
        return Verdict(
            claim,
            Label.EXTRAPOLATORY,
            sure,
            evidence,
            why,
            checker=self.name,
            reason=Reason.INSUFFICIENT,
        )

    def _unread(self, claim: Claim, evidence: Evidence, what: str) -> Verdict:
        """Open, for what was left out may say otherwise: a flood of like sentences must not hide the one that refutes."""
        why = f"Not read: {what}. So the claim is not taken as confirmed."
        return Verdict(
            claim, Label.EXTRAPOLATORY, 0.5, evidence, why, checker=self.name, reason=Reason.NOT_READ
        )

    def _disagreement(self, claim: Claim, support: _Judged, refutal: _Judged) -> Verdict:
        sides = (
            self._decided(claim, Label.ATTRIBUTABLE, support, support.near(claim), support.attributable),
            self._decided(claim, Label.CONTRADICTORY, refutal, refutal.near(claim), refutal.contradictory),
        )
        pro, con = (_quote(one.window, one.near(claim)) for one in (support, refutal))
        passages = tuple(dict.fromkeys(p for side in sides for p in side.evidence.passages))
        return Verdict(
            claim,
            Label.EXTRAPOLATORY,
            1 - support.attributable,
            Evidence(passages=passages),
            f"The sources disagree: “{pro}” supports the claim, and “{con}” contradicts it.",
            checker=self.name,
            reason=Reason.INSUFFICIENT,
            by_source=tuple(
                SourceVerdict(
                    v.evidence.passages[0].source, v.label, v.confidence, v.evidence, v.rationale, v.checker
                )
                for v in sides
            ),
        )


@rule("doubted", silent=False)
def _doubted(claim: Claim) -> bool:
    """Whether the speaker himself leaves the claim open. What may or might be done is a rule and no doubt."""
    return claim.kind is Kind.HEDGED and _DOUBT.search(claim.text) is not None


@dataclass(frozen=True, slots=True)
class _Near:
    """A sentence of the window with this number, with the one before it where it leans on that. `share`: how much of the claim
    it covers.
    """

    number: int
    window: Window
    place: int
    text: str
    share: float

    def lacks(self, claim: Claim) -> str:
        """The first value or name of the claim that neither it nor the sentences about it hold."""
        about = self.window.said[max(0, self.place - _ABOUT) : self.place + _ABOUT + 1]
        return missing(claim.text, " . ".join(about), self.window.head)


def _nearest(claim: str, found: Sequence[Window]) -> list[_Near]:
    """The sentences of the nearest windows, the nearest sentence first."""
    near = [
        _Near(
            number, window, place, text := _standing(window.said, place), coverage(claim, text, window.head)
        )
        for number, window in enumerate(found)
        for place in range(len(window.said))
    ]
    near.sort(key=lambda one: -one.share)
    kept = list(dict.fromkeys(one.number for one in near))[:_READ]
    return [one for one in near if one.number in kept]


def _standing(said: Sequence[str], place: int) -> str:
    """The sentence; where a pronoun in it may speak of one before, behind the nearest of these that has none."""
    if _PRONOUN.search(said[place]) is None:
        return said[place]
    before = said[max(0, place - _ABOUT) : place]
    named = next((one for one in reversed(before) if _PRONOUN.search(one) is None), "")
    return f"{named} {said[place]}".strip()


@dataclass(frozen=True, slots=True)
class _Judged:
    window: Window
    attributable: float
    extrapolatory: float
    contradictory: float

    @property
    def row(self) -> tuple[float, float, float]:
        return self.attributable, self.extrapolatory, self.contradictory

    @property
    def silent(self) -> bool:
        """Whether the model does not find for certain that the window speaks of the claim."""
        return max(self.attributable, self.contradictory) < _SPEAKS

    def near(self, claim: Claim) -> tuple[int, ...]:
        """The place of the sentence that has most of the claim's words; none where no sentence stands out."""
        shares = [coverage(claim.resolved, said) for said in self.window.said]
        best = max(range(len(shares)), key=shares.__getitem__)
        return (best,) if shares[best] >= _NEAR else ()

    def lacks(self, claim: Claim) -> str:
        """The first value or name of the claim that neither the nearest sentence nor those about it hold; "" where none stands out."""
        said = self.window.said
        return next(
            (
                missing(claim.text, " . ".join(said[max(0, at - _ABOUT) : at + _ABOUT + 1]), self.window.head)
                for at in self.near(claim)
            ),
            "",
        )

    def mixed(self, claim: Claim, parse: Parse) -> str:
        """A word of the claim that the nearest sentence has in another statement than the rest; "" where there is none."""
        (place,) = self.near(claim)
        said, known = parse(claim.resolved), parse(self.window.said[place])
        return mixed(said, known) or usurped(said, known)


@dataclass(frozen=True, slots=True)
class _Read:
    """What was read of a claim. `alone`: what the model makes of the nearest sentence, and of the claim as evidence for it."""

    judged: Sequence[_Judged]
    near: Sequence[_Near]
    alone: Sequence[Sequence[float]]

    @property
    def support(self) -> float:
        """The most that the model finds the claim supported by what was read."""
        return max(row[0] for row in (*self.alone[:1], *(one.row for one in self.judged)))

    @property
    def nearest(self) -> _Judged:
        """The first of the windows: the nearest sentence among its neighbours."""
        return self.judged[0]


@dataclass(frozen=True, slots=True)
class _Differing:
    judged: _Judged
    difference: Difference

    def proves(self, claim: str) -> bool:
        """Whether the sentence says so much of what else the claim says that only the one thing differs."""
        said, difference = self.judged.window.said, self.difference
        needed = _BACKED if difference.telling and not self.judged.silent else _PROOF
        if difference.share < needed or difference.shared < _LEAST_SHARED or self._of_another_case(claim):
            return False
        absent = lacking(claim, " . ".join(said), self.judged.window.head)
        return all(difference.claimed in one for one in absent)

    def _of_another_case(self, claim: str) -> bool:
        """Whether the sentence may speak of another case: it allows the value, adds to it, or lacks another value of the claim."""
        sentence = self.judged.window.said[self.difference.sentence]
        if self.difference.allowed or (self.difference.value is not None and _ADDED.search(sentence)):
            return True
        absent = lacking(claim, sentence, self.judged.window.head)
        return any(_DIGIT.search(one) and self.difference.claimed not in one for one in absent)


def _differences(claim: Claim, judged: Sequence[_Judged], parse: Parse) -> list[_Differing]:
    """What the sentences that were read have otherwise than the claim."""
    among = list(dict.fromkeys(sentence for one in judged for sentence in one.window.said))
    return [
        _Differing(one, difference)
        for one in judged
        if not _within(claim, one.window)
        for difference in differences(
            claim.resolved, one.window.said, one.window.head, among=among, parse=parse
        )
    ]


def _proof(
    claim: Claim, judged: Sequence[_Judged], found: Sequence[_Differing]
) -> tuple[_Judged, Difference] | None:
    """The difference in the sentence that is nearest to the claim; None where one as near has none.

    Only the claim's own words can be at fault: what stands for a pronoun is a reading of them.
    """
    proving = [
        one
        for one in found
        if one.difference.claimed in claim.text and one.proves(claim.resolved) and not _cancelled(one, found)
    ]
    best = max(proving, key=lambda one: one.difference.share, default=None)
    if best is None or _agreeing(claim.resolved, judged, found) >= best.difference.share:
        return None
    return best.judged, best.difference


def _cancelled(one: _Differing, found: Sequence[_Differing]) -> bool:
    """Whether a denial stands beside another difference, so that both may say the same: "not offered a full plot", "a half plot"."""
    denials = [other for other in found if other.difference.known.startswith("not ")]
    beside = [o for o in found if o.judged is one.judged and o.difference.sentence == one.difference.sentence]
    return any(other in beside for other in denials) and len({o.difference.span for o in beside}) > 1


def _agreeing(claim: str, judged: Sequence[_Judged], found: Sequence[_Differing]) -> float:
    """How much of the claim is covered by a sentence that has nothing otherwise and lacks none of its values."""
    differing = {(id(one.judged), one.difference.sentence) for one in found}
    return max(
        (
            coverage(claim, sentence, one.window.head)
            for one in judged
            for at, sentence in enumerate(one.window.said)
            if (id(one), at) not in differing and not missing(claim, sentence, one.window.head)
        ),
        default=0.0,
    )


@rule("more-exact-place", silent=False)
def _within(claim: Claim, window: Window) -> bool:
    """Whether the window may only say more exactly where, for it names no country of its own."""
    said = window.text.casefold()
    return names_wider_place(claim, window.text) and not any(name in said for name in _countries())


@rule("evidence-elsewhere", silent=False)
def _elsewhere(claim: Claim, window: Window) -> bool:
    """Whether the window lacks more than one of the claim's names and values, and so speaks of something else."""
    return len(set(lacking(claim.text, " . ".join(window.said), window.head))) > 1


def _of_another(claim: Claim, window: Window) -> bool:
    """Whether what the window says otherwise refutes nothing."""
    return _within(claim, window) or _elsewhere(claim, window)


@cache
def _countries() -> frozenset[str]:
    return frozenset(label.casefold() for _, label in DEMONYMS.values())


def _place(claim: Claim, words: str) -> Span | None:
    """Where the words stand in the claim, if at one place alone."""
    at = claim.text.find(words)
    if at < 0 or claim.text.find(words, at + 1) >= 0:
        return None
    return Span(claim.span.start + at, claim.span.start + at + len(words))


def _shown(known: Object, words: str) -> Object:
    return replace(known, label=words) if isinstance(known, Value) else known


def _held(evidence: Evidence) -> str:
    return " . ".join(passage.text for passage in evidence.passages)


def _heads(evidence: Evidence) -> str:
    return " . ".join(f"{passage.title} {passage.about} {passage.url or ''}" for passage in evidence.passages)


@rule("verbatim")
def _repeating(window: Window, claim: str) -> int | None:
    """The sentence that is the claim, but for case, spaces and the full stop."""
    said = [_plain(one) for one in window.said]
    return said.index(_plain(claim)) if _plain(claim) in said else None


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(".! ")


def _marked(verdict: Verdict, found: Sequence[Passage]) -> Verdict:
    """The verdict's passages with the words that bear on the claim, as far as these stand in the part that decides."""
    words = {passage.id: passage.marks for passage in found}

    def shown(read: Passage) -> Passage:
        marks = tuple(w for w in words[read.id] if any(part.overlaps(w) for part in read.marks))
        return replace(read, marks=marks or read.marks)

    evidence = replace(verdict.evidence, passages=tuple(map(shown, verdict.evidence.passages)))
    return replace(verdict, evidence=evidence)


def _quote(window: Window, places: Sequence[int]) -> str:
    said = [window.said[at] for at in places] or list(window.said)
    flat = " ".join(" ".join(said).split())
    return flat if len(flat) <= _QUOTED else f"{flat[:_QUOTED].rsplit(' ', 1)[0]} …"
