"""Relation phrases: the patterns of ParaRel with its facts filled in, and casts and years in the first lines about films."""

from __future__ import annotations

import gzip
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from eval.datasets.files import data_dir
from eval.suites.claims import disjoint, extract, overlaps, readings
from guardrail.types import Candidate, Entity, Mention, Span

CLASSES = {
    "person": "Q5",
    "place": "Q515",
    "country": "Q6256",
    "org": "Q43229",
    "work": "Q11424",
    "language": "Q34770",
    "team": "Q476028",
}
RELATIONS = Path(__file__).parents[2] / "guardrail" / "data" / "relations.yaml"


def _mention(text: str, at: int, kind: str) -> Mention:
    types = (CLASSES[kind],) if kind in CLASSES else ()
    return Mention(Span(at, at + len(text)), text, (Candidate(Entity(f"K:{text}", text, types=types), 0.0),))


# ── ParaRel ──────────────────────────────────────────────────────────────────────────────────────────


def pararel() -> tuple[int, int]:
    """(patterns read with their own property for two of three facts, patterns)."""
    relations = yaml.safe_load(RELATIONS.read_text(encoding="utf-8"))
    right = total = 0
    for path in sorted((data_dir() / "pararel" / "pattern_data" / "graphs_json").glob("*.jsonl")):
        facts = _facts(data_dir() / "pararel" / "trex_lms_vocab" / path.name)
        if not facts:
            continue
        kinds = [str(relations.get(path.stem, {}).get(side, "")).split() for side in ("subject", "object")]
        for line in path.read_text(encoding="utf-8").splitlines():
            pattern = json.loads(line)["pattern"]
            hits = sum(
                _reads(pattern, fact, path.stem, [(kind or [""])[0] for kind in kinds]) for fact in facts
            )
            right, total = right + (2 * hits > len(facts)), total + 1
    return right, total


def _facts(path: Path) -> list[tuple[str, str]]:
    if not path.exists():
        return []
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [(row["sub_label"], row["obj_label"]) for row in random.Random(1).sample(rows, min(3, len(rows)))]


def _reads(pattern: str, fact: tuple[str, str], name: str, kinds: list[str]) -> bool:
    subject, object_ = fact
    text = pattern.replace("[X]", subject).replace("[Y]", object_)
    first = pattern.index("[X]") < pattern.index("[Y]")
    left = pattern.index("[X]") + (0 if first else len(object_) - 3)
    right = pattern.index("[Y]") + (len(subject) - 3 if first else 0)
    mentions = [_mention(subject, left, kinds[0])]
    if object_[:1].isupper():
        mentions.append(_mention(object_, right, kinds[1]))
    places = (Span(left, left + len(subject)), Span(right, right + len(object_)))
    return any(
        property_ == name and overlaps(one, places[0]) and overlaps(other, places[1])
        for claim in extract(text, sorted(mentions, key=lambda mention: mention.span))
        for found in claim.facts
        for property_, one, other in readings(found, top=6)
    )


# ── films ────────────────────────────────────────────────────────────────────────────────────────────


def films(count: int = 500) -> dict[str, tuple[int, int]]:
    """(found, stated) for the actors named as the film's cast, and for its year."""
    found = {"cast": [0, 0], "year": [0, 0]}
    for film in random.Random(4).sample(list(_films()), count):
        text, title = film["extract"], film["title"]
        names = [(title, "work"), *((name, "person") for name in film["cast"])]
        mentions = disjoint(
            _mention(name, match.start(), kind)
            for name, kind in names
            for match in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text)
        )
        facts = [fact for claim in extract(text, mentions) for fact in claim.facts]
        cast = {f.object.text for f in facts if "P161" in f.relations[:1]}
        cast |= {f.subject.mention.text for f in facts if "^P161" in f.relations[:1] and f.subject.mention}
        stated = {mention.text for mention in mentions} - {title}
        found["cast"] = [found["cast"][0] + len(stated & cast), found["cast"][1] + len(stated)]
        if str(film["year"]) in text:
            hit = any("P577" in f.relations and f.object.text.endswith(str(film["year"])) for f in facts)
            found["year"] = [found["year"][0] + hit, found["year"][1] + 1]
    return {name: (hits, total) for name, (hits, total) in found.items()}


def _films() -> Iterator[dict[str, Any]]:
    for decade in ("1950s", "1960s", "1980s"):
        with gzip.open(data_dir() / "movies" / f"movies-{decade}.json.gz", "rt", encoding="utf-8") as file:
            yield from (film for film in json.load(file) if film.get("extract", "").startswith(film["title"]))


def run() -> int:
    if not data_dir().is_dir():
        print("no development data: set GUARDRAIL_DATA")
        return 0
    right, total = pararel()
    print(f"ParaRel patterns read with their own property  {right / total:6.1%} of {total}")
    for name, (hits, stated) in films().items():
        print(f"films: {name:39} {hits / stated:6.1%} of {stated}")
    return 0
