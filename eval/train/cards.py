"""What is known of a made-up thing, as statements, and sentences about it: pairs for checking claims against a user's own graph.

The sentences were written for the properties (`property_sentences/`); things and values are drawn. A sentence with the known value is
supported; with another value it is contradicted; about a property that is not on the card nothing is known, nor where something is
added ("in winter"), nor with the two ends of a relation exchanged.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from eval.train.example import ATTRIBUTABLE, CONTRADICTORY, EXTRAPOLATORY, UNSUPPORTED, Example
from eval.train.properties import SENTENCES, YES_NO, Group, Said, groups_of
from guardrail.check.nli.premises import lines

__all__ = ["card_pairs"]

Values = Callable[[random.Random], tuple[str, str]]
"""Draws a value: as a table has it, and as a sentence says it."""

_WORDS: dict[str, Any] = yaml.safe_load(Path(__file__).with_name("cards.yaml").read_text("utf-8"))
_MONTHS = "January February March April May June July August September October November December".split()
_MOST_ROWS = 10
_OF_ANOTHER = 0.4  # of the wrong values, that another property of the thing has them


def card_pairs(rng: random.Random, *, times: int = 1) -> Iterator[Example]:
    """Every sentence of the properties `times`, about things that are drawn from `rng`; two pairs or three of each."""
    groups = [(values, group) for name, group in _groups() if (values := _values_of(name))]
    for _ in range(times):
        for values, group in groups:
            for at, said in enumerate(group):
                for sentence in said.sentences:
                    yield from _pairs(sentence, at, group, values, groups, rng)


def _groups() -> Iterator[tuple[str, Group]]:
    """The groups of properties with values, with what they are called."""
    for file in sorted(SENTENCES.glob("*.txt")):
        text = file.read_text("utf-8")
        names = re.findall(r"^# group:\s*(.+)$", text, re.MULTILINE)
        found = zip(names, groups_of(text.splitlines()), strict=True)
        yield from ((name, group) for name, group in found if not name.startswith(YES_NO))


@dataclass(frozen=True, slots=True)
class _Card:
    """What is known of `subject`: rows of a property's name and its value. `known`: the row that is meant; `said`: how a sentence
    says its value; `wrong`: another; `other`: the value of another property, if there is one.
    """

    subject: str
    rows: tuple[tuple[str, str], ...]
    known: tuple[str, str]
    said: str
    wrong: str
    other: str

    def pair(self, text: str, labels: int, group: str, *, known: bool = True) -> Example:
        kept = [(self.subject, *row) for row in self.rows if known or row != self.known]
        return Example(lines(kept), text, labels, "cards", group)


def _card(
    at: int, group: Group, values: Values, groups: Sequence[tuple[Values, Group]], rng: random.Random
) -> _Card:
    known, said = values(rng)
    others = [one for one in group if one is not group[at]]
    rows = [(one, values(rng)) for one in rng.sample(others, min(len(others), rng.randint(1, 4)))]
    other = rows[0][1] if rows else ("", "")
    for _ in range(rng.randint(0, _MOST_ROWS - len(rows))):
        draw, properties = rng.choice(groups)
        rows.append((rng.choice(properties), draw(rng)))
    meant = (_name(group[at], rng), known)
    card = [*((_name(one, rng), written) for one, (written, _) in rows if one is not group[at]), meant]
    rng.shuffle(card)
    wrong = other if other[0] and rng.random() < _OF_ANOTHER else values(rng)
    return _Card(
        _thing(rng),
        tuple(card),
        meant,
        said,
        wrong[1] if wrong[0] != known and wrong[1] != said else "",
        other[1],
    )


def _pairs(
    sentence: str,
    at: int,
    group: Group,
    values: Values,
    groups: Sequence[tuple[Values, Group]],
    rng: random.Random,
) -> Iterator[Example]:
    card, name = _card(at, group, values, groups, rng), group[0].names[0]
    yield card.pair(_filled(sentence, card.subject, card.said), ATTRIBUTABLE, name)
    if card.wrong:
        yield card.pair(_filled(sentence, card.subject, card.wrong), CONTRADICTORY, name)
    way = rng.choices(("unknown", "added", "exchanged", "other", ""), (35, 20, 15, 15, 15))[0]
    if way == "unknown":
        yield card.pair(_filled(sentence, card.subject, card.said), EXTRAPOLATORY, name, known=False)
    elif way == "added":
        added = f"{sentence.rstrip('.')} {rng.choice(_WORDS['added'])}."
        yield card.pair(_filled(added, card.subject, card.said), EXTRAPOLATORY, name)
    elif way == "exchanged" and values in (_person, _company, _place):
        yield card.pair(_filled(sentence, card.said, card.subject), UNSUPPORTED, name)
    elif way == "other" and card.other:
        yield card.pair(_filled(sentence, card.subject, card.other), UNSUPPORTED, name)


def _name(said: Said, rng: random.Random) -> str:
    return said.names[0] if rng.random() < 0.5 else rng.choice(said.names)


def _filled(sentence: str, subject: str, value: str) -> str:
    text = sentence.replace("{s}", subject).replace("{v}", value)
    return text[:1].upper() + text[1:]


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
