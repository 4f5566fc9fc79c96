"""What is known of a made-up thing, as statements, and sentences about it: pairs for checking claims against a user's own graph.

The sentences were written for the properties (`property_sentences/`); things and values are drawn. A sentence with the known value is
supported; with another value it is contradicted; about a property that is not on the card nothing is known, nor where something is
added ("in winter"), nor with the two ends of a relation exchanged.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import yaml

from eval.train.example import ATTRIBUTABLE, CONTRADICTORY, EXTRAPOLATORY, UNSUPPORTED, Example
from eval.train.properties import SENTENCES, Group, Said, groups_of
from guardrail.check.text.premises import lines

__all__ = ["card_pairs"]

Values = Callable[[random.Random], tuple[str, str]]
"""Draws a value: as a table has it, and as a sentence says it."""

_WORDS: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("cards.yaml").read_text("utf-8"))
_MONTHS = "January February March April May June July August September October November December".split()
_MOST_ROWS = 10


def card_pairs(rng: random.Random, *, times: int = 1) -> Iterator[Example]:
    """Every sentence of the properties `times`, about things that are drawn from `rng`; two pairs or three of each."""
    groups = [(values, group) for name, group in _groups() if (values := _values_of(name))]
    for _ in range(times):
        for values, group in groups:
            for at, said in enumerate(group):
                for sentence in said.sentences:
                    yield from _pairs(sentence, at, group, values, groups, rng)


def _groups() -> Iterator[tuple[str, Group]]:
    """The groups with what they are called."""
    for file in sorted(SENTENCES.glob("*.txt")):
        text = file.read_text("utf-8")
        names = re.findall(r"^# group:\s*(.+)$", text, re.MULTILINE)
        yield from zip(names, groups_of(text.splitlines()), strict=True)


def _pairs(
    sentence: str,
    at: int,
    group: Group,
    values: Values,
    groups: Sequence[tuple[Values, Group]],
    rng: random.Random,
) -> Iterator[Example]:
    subject = _thing(rng)
    known, said = values(rng)
    others = [one for one in group if one is not group[at]]
    rows = [(one, values(rng)) for one in rng.sample(others, min(len(others), rng.randint(1, 4)))]
    for _ in range(rng.randint(0, _MOST_ROWS - len(rows))):
        draw, other = rng.choice(groups)
        rows.append((rng.choice(other), draw(rng)))
    card = [*((_name(one, rng), written) for one, (written, _) in rows), (_name(group[at], rng), known)]
    rng.shuffle(card)
    name = group[0].names[0]

    def pair(text: str, labels: int, *, left_out: str = "") -> Example:
        kept = [(subject, key, value) for key, value in card if value != left_out]
        return Example(lines(kept), text, labels, "cards", name)

    yield pair(_filled(sentence, subject, said), ATTRIBUTABLE)
    wrong = rows[0][1] if rows and rng.random() < 0.4 else values(rng)
    if wrong[0] != known:
        yield pair(_filled(sentence, subject, wrong[1]), CONTRADICTORY)
    drawn = rng.random()
    if drawn < 0.35:
        yield pair(_filled(sentence, subject, said), EXTRAPOLATORY, left_out=known)
    elif drawn < 0.55:
        yield pair(_filled(_added(sentence, rng), subject, said), EXTRAPOLATORY)
    elif drawn < 0.7 and values in (_person, _company, _place):
        yield pair(_filled(sentence, said, subject), UNSUPPORTED)
    elif drawn < 0.85 and rows and wrong[0] != known:
        # what another property has: supported of that one alone
        yield pair(_filled(sentence, subject, rows[0][1][1]), UNSUPPORTED)


def _name(said: Said, rng: random.Random) -> str:
    return said.names[0] if rng.random() < 0.5 else rng.choice(said.names)


def _filled(sentence: str, subject: str, value: str) -> str:
    text = sentence.replace("{s}", subject).replace("{v}", value)
    return text[:1].upper() + text[1:]


def _added(sentence: str, rng: random.Random) -> str:
    return f"{sentence.rstrip('.')} {rng.choice(_WORDS['added'])}."


def _thing(rng: random.Random) -> str:
    return rng.choice((_person, _company, _place, _place))(rng)[0]


def _person(rng: random.Random) -> tuple[str, str]:
    name = f"{rng.choice(_WORDS['given'])} {rng.choice(_WORDS['family'])}"
    return name, name


def _place(rng: random.Random) -> tuple[str, str]:
    name = f"{rng.choice(_WORDS['family'] + _WORDS['stems'])} {rng.choice(_WORDS['places'])}"
    return name, name if rng.random() < 0.8 else f"the {name}"


def _company(rng: random.Random) -> tuple[str, str]:
    name = f"{rng.choice(_WORDS['family'] + _WORDS['stems'])} {rng.choice(_WORDS['firms'])}"
    return name, name


def _date(rng: random.Random) -> tuple[str, str]:
    year, month, day = rng.randint(1900, 2025), rng.randint(1, 12), rng.randint(1, 28)
    written = f"{year}-{month:02}-{day:02}"
    spoken = (f"{day} {_MONTHS[month - 1]} {year}", f"{_MONTHS[month - 1]} {day}, {year}")
    said = rng.choice((*spoken, *spoken, f"{_MONTHS[month - 1]} {year}", str(year)))
    return (str(year), str(year)) if rng.random() < 0.3 else (written, said)


def _clock(rng: random.Random) -> tuple[str, str]:
    hour, minute = rng.randint(5, 22), rng.choice((0, 0, 0, 15, 30, 45))
    half = f"{(hour - 1) % 12 + 1}{f':{minute:02}' if minute else ''} {'am' if hour < 12 else 'pm'}"
    written = f"{hour:02}:{minute:02}"
    return written, rng.choice((written, half, half))


def _money(rng: random.Random) -> tuple[str, str]:
    sign = rng.choice("£€$")
    amount = rng.choice(
        (rng.randint(2, 400), rng.randint(1, 90) + rng.choice((0.5, 0.2, 0.75)), rng.randint(1, 90) * 1000)
    )
    written = f"{sign}{amount:,.2f}" if isinstance(amount, float) else f"{sign}{amount}"
    return written, written if isinstance(amount, float) else f"{sign}{amount:,}"


def _period(rng: random.Random) -> tuple[str, str]:
    count, unit = rng.choice(((rng.randint(2, 60), "days"), (rng.randint(2, 26), "weeks"), (rng.randint(2, 36), "months"), (rng.randint(2, 12), "years"), (rng.randint(5, 90), "minutes"), (rng.randint(2, 72), "hours")))  # fmt: skip
    spelt = dict(enumerate(_WORDS["numbers"]))
    written = f"{count} {unit}"
    return written, f"{spelt[count]} {unit}" if count in spelt and rng.random() < 0.5 else written


def _count(rng: random.Random) -> tuple[str, str]:
    count = rng.choice((rng.randint(2, 20), rng.randint(20, 400), rng.randint(400, 90_000)))
    spelt = dict(enumerate(_WORDS["numbers"]))
    return str(count), spelt[count] if count in spelt and rng.random() < 0.6 else f"{count:,}"


def _measure(units: Sequence[tuple[str, str]]) -> Values:
    def drawn(rng: random.Random) -> tuple[str, str]:
        short, long = rng.choice(units)
        amount = rng.choice((rng.randint(2, 900), round(rng.uniform(0.5, 90), 1)))
        return f"{amount} {short}", f"{amount} {rng.choice((short, long))}"

    return drawn


_KINDS: tuple[tuple[str, Values], ...] = (
    (r"dimension|body measures", _measure((("m", "metres"), ("cm", "centimetres"), ("km", "kilometres")))),
    (r"weights|food: what", _measure((("kg", "kilograms"), ("g", "grams"), ("t", "tonnes")))),
    (r"temperature", _measure((("°C", "degrees Celsius"),))),
    (r"\bdates?\b", _date),
    (r"times? of (?:the )?(?:working )?day|hours of|hours at|timetable", _clock),
    (r"money|pay|fees?\b|costs?\b|price|charges|sums|amounts (?:of a grant|in an)", _money),
    (r"periods|durations?|time limits|intervals|working time|battery|animal: times|time off", _period),
    (r"compan|organisations|part(?:y|ies)|providers|firms|business", _company),
    (r"people|\bwho\b|whom|family|around an employee|leadership", _person),
    (r"places|where", _place),
    (r"numbers?|figures|counts?\b|heads|quotas|capacity", _count),
)


def _values_of(group: str) -> Values | None:
    """How the values of a group are drawn; None where its name does not tell."""
    return next((values for pattern, values in _KINDS if re.search(pattern, group)), None)
