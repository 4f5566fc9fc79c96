"""Minimal pairs over real prose: one-fact claims about passages of KnowledgeNet (folds 1 and 2) and about films.

Positive claims come from people's annotations (KnowledgeNet) or from the film's own record, found word for word in
its extract. A negative differs in one slot, or its support is cut out of the passage.
"""

from __future__ import annotations

import json
import random
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from eval.train.example import ATTRIBUTABLE, CONTRADICTORY, EXTRAPOLATORY, Example
from eval.train.sets import text_file
from eval.train.synthetic import negate

__all__ = ["film_pairs", "fold_pairs"]

_PRONOUNS = {"he", "she", "it", "they", "his", "her", "its", "their", "him", "who", "i", "we"}
# relation of KnowledgeNet → (ways to say it, a second value contradicts)
_SAY: dict[str, tuple[tuple[str, ...], bool]] = {
    "DATE_OF_BIRTH": (("{s} was born on {o}.", "{s}'s date of birth is {o}.", "{s} was born {o}."), True),
    "DATE_OF_DEATH": (("{s} died on {o}.", "{s} passed away on {o}."), True),
    "PLACE_OF_BIRTH": (("{s} was born in {o}.", "{o} is the birthplace of {s}."), True),
    "DATE_FOUNDED": (("{s} was founded in {o}.", "{s} was established in {o}."), True),
    "HEADQUARTERS": (("{s} is based in {o}.", "The headquarters of {s} are in {o}."), True),
    "FOUNDED_BY": (("{s} was founded by {o}.", "{o} founded {s}."), False),
    "CEO": (("{o} is the chief executive of {s}.", "{s} is led by {o}."), False),
    "SUBSIDIARY_OF": (("{s} is a subsidiary of {o}.", "{o} owns {s}."), False),
    "PLACE_OF_RESIDENCE": (("{s} lives in {o}.", "{s} has lived in {o}."), False),
    "NATIONALITY": (("{s} is {o}.", "{s} is of {o} nationality."), False),
    "EDUCATED_AT": (("{s} studied at {o}.", "{s} attended {o}."), False),
    "EMPLOYEE_OR_MEMBER_OF": (("{s} works for {o}.", "{s} belongs to {o}."), False),
    "POLITICAL_AFFILIATION": (("{s} is a member of {o}.", "{s} belongs to {o}."), False),
    "SPOUSE": (("{s} is married to {o}.", "{s} married {o}."), False),
    "CHILD_OF": (("{s} is a child of {o}.", "{o} is a parent of {s}."), False),
}
_SENTENCE = re.compile(r"(?<=[.!?]) (?=[A-Z])")


def fold_pairs(root: Path, rng: random.Random) -> Iterator[Example]:
    """KnowledgeNet, folds 1 and 2 (fold 3 is for evaluation)."""
    facts, pools = [], defaultdict(set)
    with text_file(root / "knowledgenet/facts_folds1-3.jsonl.gz") as file:
        for line in file:
            fact = json.loads(line)
            words = {str(fact.get(key) or "").lower() for key in ("subj", "obj")}
            if fact["fold"] < 3 and not words & {"", *_PRONOUNS} and fact["property"] in _SAY:
                facts.append(fact)
                pools[fact["property"]].add(fact["obj"])
    ordered = {name: sorted(pool) for name, pool in pools.items()}
    for fact in facts:
        for label, premise, claim in _fold_variants(fact, ordered[fact["property"]], rng):
            yield Example(premise, claim, label, "knowledgenet", fact["doc"])


def _fold_variants(
    fact: dict[str, str], pool: list[str], rng: random.Random
) -> Iterator[tuple[int, str, str]]:
    ways, single = _SAY[fact["property"]]
    text, subject, object_ = fact["text"], fact["subj"], fact["obj"]

    def say(value: str) -> str:
        way = rng.choice(ways)
        if re.fullmatch(r"\d{4}|[A-Z][a-z]+ \d{4}", value):
            way = way.replace("on {o}", "in {o}")
        return way.format(s=subject, o=value)

    yield ATTRIBUTABLE, text, say(object_)
    other = next((v for v in rng.sample(pool, min(6, len(pool))) if v.lower() not in text.lower()), "")
    if other and object_.lower() not in other.lower():
        yield (CONTRADICTORY if single else EXTRAPOLATORY), text, say(other)
    denied = negate(say(object_), rng)
    if denied and rng.random() < 0.4:
        yield CONTRADICTORY, text, denied
    rest = " ".join(sentence for sentence in _SENTENCE.split(text) if object_ not in sentence)
    if rest and subject.split()[-1] in rest:
        yield EXTRAPOLATORY, rest, say(object_)


def film_pairs(root: Path, rng: random.Random) -> Iterator[Example]:
    """Films of the 1990s (older ones are for evaluation)."""
    with text_file(root / "movies/movies-1990s.json.gz") as file:
        films = [film for film in json.load(file) if film.get("extract")]
    for film in films:
        other = rng.choice(films)
        for label, claim in _film_variants(film, other, rng):
            premise = " ".join(_SENTENCE.split(film["extract"])[:3])
            yield Example(premise, claim, label, "films", film["title"])


def _film_variants(
    film: dict[str, object], other: dict[str, object], rng: random.Random
) -> Iterator[tuple[int, str]]:
    title, text = str(film["title"]), " ".join(_SENTENCE.split(str(film["extract"]))[:3])
    if str(film["year"]) in text:
        way = rng.choice(("{s} is a film from {o}.", "{s} was released in {o}.", "{s} is a {o} film."))
        moved = int(str(film["year"])) + rng.choice((-10, -5, -3, -2, -1, 1, 2, 3, 5, 10))
        yield ATTRIBUTABLE, way.format(s=title, o=film["year"])
        yield CONTRADICTORY, way.format(s=title, o=moved)
    cast = [name for name in film["cast"] if name in text]  # type: ignore[attr-defined]
    if cast:
        way = rng.choice(("{o} stars in {s}.", "{s} features {o}.", "{o} acted in {s}."))
        name = rng.choice(cast)
        yield ATTRIBUTABLE, way.format(s=title, o=name)
        strangers = [n for n in other["cast"] if n not in text]  # type: ignore[attr-defined]
        if strangers:
            yield EXTRAPOLATORY, way.format(s=title, o=rng.choice(strangers))
        yield CONTRADICTORY, f"{name} does not appear in {title}."
    director = re.compile(r"directed by ([A-Z][\w.'-]+(?: [A-Z][\w'-]+)+)")
    found, wrong = director.search(text), director.search(str(other["extract"]))
    if found and wrong and wrong[1] not in text:
        way = rng.choice(("{s} was directed by {o}.", "{o} directed {s}.", "The director of {s} is {o}."))
        yield ATTRIBUTABLE, way.format(s=title, o=found[1])
        yield CONTRADICTORY, way.format(s=title, o=wrong[1])
