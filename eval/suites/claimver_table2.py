"""ClaimVer's Table 2: the KAS of its six examples from the printed TMS (bar: within .008), and our own labels for them.

The sentences are retold; the triplets are the table's. Our TMS uses another embedding than the paper's, which names none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from guardrail import scoring
from guardrail.types import Claim, Evidence, Label, Node, Report, Span, Triplet, Verdict
from guardrail.verifier import Verifier

ATT, EXT, CON = Label.ATTRIBUTABLE, Label.EXTRAPOLATORY, Label.CONTRADICTORY
BAR = 0.008


@dataclass(frozen=True, slots=True)
class Row:
    """One example: text, given triplets, the printed claims as (words that only this claim has, label, TMS), and the KAS."""

    text: str
    triplets: tuple[tuple[str, str, str], ...]
    claims: tuple[tuple[str, Label, float], ...]
    kas: float


ROWS = (
    Row(
        "George O'Malley is a fictional character from the television series Grey's Anatomy, which airs on the American "
        "Broadcasting Company (ABC) in the United States.",
        (
            ("Grey's Anatomy", "characters", "George O'Malley"),
            ("Grey's Anatomy", "original broadcaster", "American Broadcasting Company"),
            ("American Broadcasting Company", "country", "United States of America"),
        ),
        (("character", ATT, 0.852), ("airs", ATT, 0.637)),
        0.818,
    ),
    Row(
        "Bane was portrayed by Robert Swenson in Batman & Robin, directed by Joel Schumacher, and broke Batman's back.",
        (
            ("Batman & Robin", "cast member", "Robert Swenson"),
            ("Batman & Robin", "director", "Joel Schumacher"),
        ),
        (("portrayed", ATT, 0.788), ("directed", ATT, 0.882), ("back", EXT, 0.0)),
        0.752,
    ),
    Row(
        "Crater Lake is the main feature of Crater Lake National Park and is famous for its blue colour and clear water.",
        (("Crater Lake", "located in protected area", "Crater Lake National Park"),),
        (("main feature", ATT, 0.942), ("famous", EXT, 0.0)),
        0.719,
    ),
    Row(
        "Airbus is based in Blagnac, France, a suburb of Toulouse, is active across Europe, and produces about half of the "
        "world's jet airliners.",
        (
            ("Airbus Operations S.A.S.", "country", "France"),
            ("Airbus Corporate Jets", "headquarters location", "Toulouse"),
            ("Blagnac", "country", "France"),
        ),
        (("based", ATT, 0.505), ("active", EXT, 0.0), ("produces", EXT, 0.0)),
        0.583,
    ),
    Row(
        "Pope Benedict XVI never appointed anyone significant within the Catholic Church, nor did he ever teach that one "
        "should understand the love of God.",
        (
            ("Rutilio del Riego Jáñez", "appointed by", "Benedict XVI"),
            ("Rutilio del Riego Jáñez", "religion or worldview", "Catholic Church"),
            ("God", "said to be the same as", "love"),
        ),
        (("appointed", CON, 0.781), ("teach", EXT, 0.065)),
        0.248,
    ),
    Row(
        "Southwest Airlines has never operated any Boeing 737 models.",
        (
            ("Boeing 737 MAX", "operator", "Southwest Airlines"),
            ("Boeing 737 #1491", "operator", "Southwest Airlines"),
        ),
        (("operated", CON, 0.933),),
        0.057,
    ),
)


def run() -> int:
    """One line per example and claim; fails where a KAS from the printed TMS is off by more than the bar."""
    verifier = Verifier.open()
    worst, right, claims = 0.0, 0, 0
    for number, row in enumerate(ROWS, start=1):
        mean, total = printed_kas(row), printed_kas(row, mode="sum")
        worst = max(worst, abs(mean - row.kas))
        given = verifier.check(row.text, triplets=row.triplets, sources=["request"])
        starter = verifier.check(row.text)
        print(f"{number}. KAS printed {row.kas:.3f}, mean of the printed TMS {mean:.3f}, sum {total:.3f}; ours, given triplets "
              f"{given.kas:.3f}, starter knowledge {starter.kas:.3f}")  # fmt: skip
        for words, label, tms in row.claims:
            ours, alone = _verdict_on(given, words), _verdict_on(starter, words)
            claims += 1
            right += ours is not None and ours.label is label
            print(
                f"   {words:<13} printed {label:<14} {tms:.3f}   given {_shown(ours)}   starter {_shown(alone)}"
            )
    print(
        f"largest difference of KAS {worst:.4f} (bar {BAR}); labels with the given triplets {right} of {claims}"
    )
    return 0 if worst <= BAR else 1


def printed_kas(row: Row, *, mode: str = "mean") -> float:
    """KAS from the TMS and labels that the paper prints."""
    verdicts = [_printed(label, tms) for _, label, tms in row.claims]
    return scoring.kas(verdicts, mode="sum" if mode == "sum" else "mean")


def _printed(label: Label, tms: float) -> Verdict:
    some = (Triplet(Node("", "s"), Node("", "p"), Node("", "o")),)
    evidence = Evidence(triplets=some if tms else ())
    claim = Claim(0, Span(0, 0), "", "")
    return Verdict(
        claim, label, 1.0, evidence, "", "printed", tms=tms, score=scoring.claim_score(label, evidence)
    )


def _verdict_on(report: Report, words: str) -> Verdict | None:
    found: Sequence[Verdict] = [verdict for verdict in report.verdicts if words in verdict.claim.text]
    return found[0] if found else None


def _shown(verdict: Verdict | None) -> str:
    return f"{verdict.label:<14} {verdict.tms:.3f}" if verdict else f"{'none':<14} 0.000"
