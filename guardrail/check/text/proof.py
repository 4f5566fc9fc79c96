"""What exact comparison finds: a difference that would refute the claim by itself, a value that no passage holds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from guardrail.check.kg.compare.identifiers import fabricated
from guardrail.check.text.compare.exact import Difference, coverage, differences, lacking, missing
from guardrail.check.text.reading import NEAR, JudgedWindow, PassageReading, antecedent
from guardrail.check.text.relevance import within
from guardrail.check.text.subjects import elsewhere, held, of_another, spoken_of
from guardrail.language import Parse
from guardrail.types import Claim, Evidence

__all__ = ["Comparison", "Differing", "compared"]

_PROOF = 0.85  # of the claim's other words: a sentence with so many and another value is a proof by itself
_BACKED = 0.6  # with so many it does where the model finds that the window speaks of the claim
_LEAST_SHARED = 2  # other words: what shares one may speak of anything
_ADDED = re.compile(r"\d\D{0,20}\b(?:more|less|extra|additional|on top|off)\b", re.IGNORECASE)
_DIGIT = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Differing:
    """A window, and what one of its sentences has otherwise than the claim."""

    judged: JudgedWindow
    difference: Difference

    @property
    def proves(self) -> bool:
        """Whether the sentence says so much of what else the claim says that only the one thing differs."""
        difference = self.difference
        needed = _BACKED if difference.telling and not self.judged.silent else _PROOF
        return difference.share >= needed and difference.shared >= _LEAST_SHARED and self.of_one_case

    @property
    def of_one_case(self) -> bool:
        """Whether the sentence speaks of the claim's case: it neither allows the value nor adds to it, and lacks no other value of the
        claim.
        """
        window = self.judged.window
        sentence = window.said[self.difference.sentence]
        if self.difference.allowed or (self.difference.value is not None and _ADDED.search(sentence)):
            return False
        claimed = self.difference.claimed
        absent = [one for one in self._lacking(sentence) if _DIGIT.search(one)]
        return all(claimed in one for one in (*absent, *self._lacking(window.whole)))

    def _lacking(self, text: str) -> Sequence[str]:
        """The values and names of the claim that the text does not hold."""
        return list(lacking(self.judged.claim.resolved, text, self.judged.window.head))


@dataclass(frozen=True, slots=True)
class Comparison:
    """What words alone tell of a claim beside its evidence. `differing`: what sentences have otherwise; `proof`: the one of these that
    would refute the claim by itself; `another`: a word that makes the claim's thing another one than what the passages speak of;
    `lacking`: a value or name of the claim that no passage holds, or not the one that speaks of it; "" for none.
    """

    differing: Sequence[Differing] = ()
    proof: Differing | None = None
    another: str = ""
    lacking: str = ""

    def signals(self) -> dict[str, float]:
        """The difference in a sentence that says most of what else the claim says, for `weighing`."""
        found = (one.difference for one in self.differing if one.of_one_case)
        largest = max(found, key=lambda one: one.share, default=None)
        return {
            "difference": largest.share if largest else 0.0,
            "difference_telling": float(largest is not None and largest.telling),
        }


def compared(reading: PassageReading, evidence: Evidence, parse: Parse) -> Comparison:
    """The claim's words beside what was read for it, and beside all of `evidence`."""
    found = _differing(reading, parse)
    unnamed = elsewhere(reading, evidence, parse)
    another = unnamed or of_another(reading, evidence, parse)
    proof = None if another else _refuting(reading, found)
    lacking = _unheld(reading.claim, evidence) if reading.covered >= NEAR else ""
    return Comparison(found, proof, another, lacking or unnamed)


def _differing(reading: PassageReading, parse: Parse) -> list[Differing]:
    """What the sentences that were read have otherwise than the claim."""
    among = list(dict.fromkeys(sentence for one in reading.windows for sentence in one.window.said))
    return [
        Differing(one, difference)
        for one in reading.windows
        if not within(reading.claim, one.window)
        for difference in differences(
            reading.claim.resolved,
            one.window.said,
            one.window.head,
            among=among,
            behind=[
                spoken_of(antecedent(one.window.said, place), parse) for place in range(len(one.window.said))
            ],
        )
    ]


def _refuting(reading: PassageReading, found: Sequence[Differing]) -> Differing | None:
    """The difference in the sentence that is nearest to the claim; None where one as near has none.

    Only the claim's own words can be at fault: what stands for a pronoun is a reading of them.
    """
    own = [one for one in found if one.difference.claimed in reading.claim.text]
    proving = [one for one in own if one.proves and not _cancelled(one, found)]
    best = max(proving, key=lambda one: one.difference.share, default=None)
    return None if best is None or _agreeing(reading, found) >= best.difference.share else best


def _cancelled(one: Differing, found: Sequence[Differing]) -> bool:
    """Whether a denial stands beside another difference, so that both may say the same: "not offered a full plot", "a half plot"."""
    denials = [other for other in found if other.difference.known.startswith("not ")]
    beside = [o for o in found if o.judged is one.judged and o.difference.sentence == one.difference.sentence]
    return any(other in beside for other in denials) and len({o.difference.span for o in beside}) > 1


def _agreeing(reading: PassageReading, found: Sequence[Differing]) -> float:
    """How much of the claim is covered by a sentence that has nothing otherwise and lacks none of its values."""
    claim = reading.claim.resolved
    other = {(id(one.judged), one.difference.sentence) for one in found}
    return max(
        (
            coverage(claim, sentence, one.window.head)
            for one in reading.windows
            for at, sentence in enumerate(one.window.said)
            if (id(one), at) not in other and not missing(claim, sentence, one.window.head)
        ),
        default=0.0,
    )


def _unheld(claim: Claim, evidence: Evidence) -> str:
    """The first identifier, value or name of the claim that no passage holds; "" where they hold all."""
    said, heads = held(evidence)
    made_up = fabricated(claim.resolved, f"{heads} {said}")
    return made_up[0] if made_up else missing(claim.text, said, heads)
