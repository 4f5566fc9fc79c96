"""Masking of personal data beside Presidio's pattern recognisers: what is found, and what is masked that is none.

Made-up data of nine countries from Faker stand in sentences; the texts without personal data are answers of chat models
(FActScore). Needs the dependency group `redaction` in the environment of the run.
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec

from eval.datasets.files import DataMissing, json_lines
from eval.datasets.files import find as data
from guardrail.audit.redact import find

LOCALES = ("en_US", "en_GB", "de_DE", "fr_FR", "es_ES", "it_IT", "pt_BR", "nl_NL", "pl_PL")
KINDS = ("email", "iban", "card", "ssn", "ip", "phone")
FRAMES = (
    "You can reach them at {}.",
    "Contact: {}",
    "The record lists {} as theirs.",
    "My details are {} , thanks",
    "Reference {} was given on Monday.",
)
Finder = Callable[[str], Sequence[tuple[int, int]]]


@dataclass(frozen=True, slots=True)
class Case:
    """A sentence with one datum at `start`..`end`."""

    kind: str
    text: str
    start: int
    end: int


def cases(per_locale: int) -> Iterator[Case]:
    """The same cases in every run."""
    from faker import Faker

    draw = random.Random(5)
    for locale in LOCALES:
        fake = Faker([locale])
        fake.seed_instance(7)
        american = Faker(["en_US"])
        american.seed_instance(8)
        makers: dict[str, Callable[[], str]] = {
            "email": fake.email,
            "iban": fake.iban,
            "card": fake.credit_card_number,
            "ssn": american.ssn,
            "ip": lambda fake=fake: fake.ipv4_public() if draw.random() < 0.5 else fake.ipv6(),  # type: ignore[misc]
            "phone": fake.phone_number,
        }
        for kind in KINDS:
            for _ in range(per_locale):
                datum = str(makers[kind]())
                if kind in ("iban", "card") and draw.random() < 0.5:
                    datum = " ".join(re.findall(".{1,4}", datum))
                frame = draw.choice(FRAMES)
                start = frame.index("{}")
                # An extension behind the number is no part of it.
                end = start + len(datum.partition("x")[0] if kind == "phone" else datum)
                yield Case(kind, frame.format(datum), start, end)


def ours(text: str) -> list[tuple[int, int]]:
    return [(finding.start, finding.end) for finding in find(text)]


def presidio() -> Finder:
    """Its recognisers for the same kinds, without a language model."""
    import tldextract
    from presidio_analyzer.nlp_engine import NlpArtifacts
    from presidio_analyzer.predefined_recognizers import (
        CreditCardRecognizer,
        EmailRecognizer,
        IbanRecognizer,
        IpRecognizer,
        PhoneRecognizer,
        UsSsnRecognizer,
    )

    # Its check of an address would fetch a list from the network.
    tldextract.extract = tldextract.TLDExtract(suffix_list_urls=())
    regions = ("US", "GB", "DE", "FR", "ES", "IT", "BR", "NL", "PL")
    recognisers = [
        EmailRecognizer(),
        CreditCardRecognizer(),
        IbanRecognizer(),
        IpRecognizer(),
        PhoneRecognizer(supported_regions=regions),
        UsSsnRecognizer(),
    ]
    nothing = NlpArtifacts([], [], [], [], None, "en")

    def found(text: str) -> list[tuple[int, int]]:
        results = [r for each in recognisers for r in each.analyze(text, each.supported_entities, nothing)]
        return [(result.start, result.end) for result in results if result.score >= 0.3]

    return found


def recalled(case: Case, found: Sequence[tuple[int, int]]) -> bool:
    """Whether no letter or digit of the datum is left."""
    covered = {at for start, end in found for at in range(start, end)}
    return all(at in covered for at in range(case.start, case.end) if case.text[at].isalnum())


def run() -> int:
    missing = [name for name in ("faker", "presidio_analyzer") if find_spec(name) is None]
    if missing:
        raise DataMissing(f"not installed: {', '.join(missing)} (pip install --group redaction)")
    made = list(cases(40))
    answers = [str(row["output"]) for row in json_lines(data("factscore_labeled") / "ChatGPT.jsonl.gz")]
    plain = [line for answer in answers for line in answer.splitlines() if line.strip()]
    print(
        f"| finder | {' | '.join(KINDS)} | false in {sum(map(len, plain)):,} characters | CPU, ms a sentence |"
    )
    print("|---|" + "---:|" * (len(KINDS) + 2))
    found: list[int] = []
    for name, finder in (("ours", ours), ("Presidio's recognisers", presidio())):
        began = time.process_time()
        hits = [(case.kind, recalled(case, finder(case.text))) for case in made]
        spent = (time.process_time() - began) / len(made) * 1e3
        shares = [[hit for kind, hit in hits if kind == wanted] for wanted in KINDS]
        wrong = sum(len(finder(line)) for line in plain)
        cells = " | ".join(f"{sum(share) / len(share):.3f}" for share in shares)
        print(f"| {name} | {cells} | {wrong} | {spent:.2f} |")
        found.append(sum(hit for _, hit in hits))
    return 0 if found[0] >= found[1] else 1
