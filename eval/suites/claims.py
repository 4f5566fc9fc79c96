"""Claims and facts on real text: relation mapping (KnowledgeNet, Re-DocRED), decomposition (FActScore), triplets (RefChecker)."""

from __future__ import annotations

import gzip
import json
import random
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

from eval.datasets.files import data_dir
from guardrail.claims.rules import RuleExtractor
from guardrail.segment import segment
from guardrail.types import Candidate, Claim, Context, Entity, Fact, Mention, Span

# KnowledgeNet's properties in Wikidata's terms; a predicted relation counts for any of them.
KNOWLEDGENET = {
    "CEO": {"P169"},
    "CHILD_OF": {"P22", "P25", "^P40"},
    "DATE_FOUNDED": {"P571"},
    "DATE_OF_BIRTH": {"P569"},
    "DATE_OF_DEATH": {"P570"},
    "EDUCATED_AT": {"P69"},
    "EMPLOYEE_OR_MEMBER_OF": {"P108", "P463", "P54", "P39", "^P488", "^P1037", "^P169"},
    "FOUNDED_BY": {"P112"},
    "HEADQUARTERS": {"P159"},
    "NATIONALITY": {"P27"},
    "PLACE_OF_BIRTH": {"P19"},
    "PLACE_OF_RESIDENCE": {"P551", "P937"},
    "POLITICAL_AFFILIATION": {"P102"},
    "SPOUSE": {"P26", "^P26"},
    "SUBSIDIARY_OF": {"P749", "P127", "^P355"},
}
Pair = tuple[Span, Span]
Reading = tuple[str, Span | None, Span | None]  # property, graph subject, graph object
NER = {"PER": "Q5", "LOC": "Q515", "ORG": "Q43229"}


@dataclass
class Score:
    """Counts of one relation or set."""

    gold: int = 0
    found: int = 0
    said: int = 0
    right: int = 0
    missed: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def line(self, name: str) -> str:
        recall = self.found / self.gold if self.gold else 0.0
        precision = self.right / self.said if self.said else 0.0
        return (
            f"{name:26} recall {recall:6.1%} of {self.gold:5}   precision {precision:6.1%} of {self.said:5}"
        )


def extract(text: str, mentions: Sequence[Mention], *, question: str = "") -> list[Claim]:
    """The claims of a whole text."""
    extractor, context = RuleExtractor(), Context(question=question)
    claims: list[Claim] = []
    for sentence in segment(text):
        inside = [mention for mention in mentions if sentence.span.contains(mention.span)]
        found = extractor.extract(sentence, inside, context, first_id=len(claims))
        claims += found
        context = Context(question=question, earlier=(*context.earlier, *found)[-40:])
    return claims


def readings(fact: Fact, *, top: int) -> Iterator[Reading]:
    """(property, graph subject, graph object) for the best `top` relations of a fact."""
    for relation in fact.relations[:top]:
        if relation.startswith("^"):
            yield relation[1:], fact.object.span, fact.subject.span
        else:
            yield relation, fact.subject.span, fact.object.span


def overlaps(one: Span | None, other: Span) -> bool:
    return one is not None and one.overlaps(other)


# ── KnowledgeNet ─────────────────────────────────────────────────────────────────────────────────────


def knowledgenet(folds: Iterable[int]) -> dict[str, Score]:
    passages: dict[str, list[dict[str, Any]]] = defaultdict(list)
    with gzip.open(data_dir() / "knowledgenet" / "facts_folds1-3.jsonl.gz", "rt", encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            if row["fold"] in set(folds):
                passages[row["text"]].append(row)
    scores: dict[str, Score] = defaultdict(Score)
    for text, rows in passages.items():
        _passage(text, rows, scores)
    return scores


def _passage(text: str, rows: Sequence[dict[str, Any]], scores: dict[str, Score]) -> None:
    gold = [row for row in rows if row.get("subj_start") is not None and row.get("span_ok", True)]
    spans = {Span(row[f"{side}_start"], row[f"{side}_end"]) for row in gold for side in ("subj", "obj")}
    mentions = disjoint(_known(span, text) for span in spans if span.of(text)[:1].isupper())
    facts = [fact for claim in extract(text, mentions) for fact in claim.facts]
    said = [reading for fact in facts for reading in readings(fact, top=6)]
    first = [reading for fact in facts for reading in readings(fact, top=1)]
    for name in {row["property"] for row in rows}:
        score = scores[name]
        wanted = KNOWLEDGENET[name]
        pairs = [
            (Span(r["subj_start"], r["subj_end"]), Span(r["obj_start"], r["obj_end"]))
            for r in gold
            if r["property"] == name
        ]
        _recall(score, text, pairs, said, wanted)
        _precision(score, text, pairs, first, wanted)


def _recall(
    score: Score, text: str, pairs: Sequence[Pair], said: Sequence[Reading], wanted: Set[str]
) -> None:
    for group in _merged(pairs):
        score.gold += 1
        hit = any(_matches(one, wanted, subject, object_) for one in said for subject, object_ in group)
        score.found += hit
        if not hit:
            score.missed.append(f"{[(s.of(text), o.of(text)) for s, o in group]} | {text}")


def _precision(
    score: Score, text: str, pairs: Sequence[Pair], first: Sequence[Reading], wanted: Set[str]
) -> None:
    for reading in dict.fromkeys(first):
        property_, left, right = reading
        if left is None or right is None or not {property_, "^" + property_} & wanted:
            continue
        score.said += 1
        hit = any(_matches(reading, wanted, subject, object_) for subject, object_ in pairs)
        score.right += hit
        if not hit:
            score.wrong.append(f"{left.of(text)} {property_} {right.of(text)} | {text}")


def _merged(pairs: Sequence[Pair]) -> list[list[Pair]]:
    """One fact per object: names and pronouns of one subject are annotated one by one."""
    groups: dict[Span, list[Pair]] = defaultdict(list)
    for subject, object_ in pairs:
        groups[object_].append((subject, object_))
    return list(groups.values())


def _known(span: Span, text: str) -> Mention:
    """A name as a linker gives it: the graph knows it, but its types are not known here."""
    return Mention(span, span.of(text), (Candidate(Entity(f"K:{span.of(text)}", span.of(text)), 0.0),))


def _matches(reading: Reading, wanted: Set[str], subject: Span, object_: Span) -> bool:
    property_, left, right = reading
    if property_ in wanted and overlaps(left, subject) and overlaps(right, object_):
        return True
    return "^" + property_ in wanted and overlaps(right, subject) and overlaps(left, object_)


def disjoint(mentions: Iterable[Mention]) -> list[Mention]:
    out: list[Mention] = []
    for mention in sorted(mentions, key=lambda one: (-len(one.span), one.span)):
        if not any(mention.span.overlaps(other.span) for other in out):
            out.append(mention)
    return sorted(out, key=lambda one: one.span)


# ── Re-DocRED ────────────────────────────────────────────────────────────────────────────────────────


def redocred(limit: int = 500) -> Score:
    """Pairs whose relation one sentence states; the types of the entities are those of the annotation."""
    with gzip.open(data_dir() / "redocred" / "dev_revised.json.gz", "rt", encoding="utf-8") as file:
        documents = json.load(file)[:limit]
    score = Score()
    for document in documents:
        _document(document, score)
    return score


def _document(document: dict[str, Any], score: Score) -> None:
    text, places = _joined(document["sents"])
    owner, kinds = _vertices(document, places)
    mentions = disjoint(
        Mention(span, span.of(text), (_candidate(index, span.of(text), kinds[index]),))
        for span, index in owner.items()
        if kinds[index] not in ("TIME", "NUM")
    )
    gold = {(label["h"], label["r"], label["t"]) for label in document["labels"]}
    stated = {
        (label["h"], label["r"], label["t"])
        for label in document["labels"]
        if all(any(_in_sentence(document, label[end], n) for n in label["evidence"][:1]) for end in "ht")
    }
    said: set[tuple[int, str, int]] = set()
    for claim in extract(text, mentions):
        for fact in claim.facts:
            _predicted(fact, owner, gold, said, score, text)
    hits = stated & said
    score.gold += len(stated)
    score.found += len(hits)
    score.missed += [
        f"{_name(document, h)} {r} {_name(document, t)} | {document['title']}" for h, r, t in stated - said
    ]


def _vertices(
    document: dict[str, Any], places: Sequence[Sequence[tuple[int, int]]]
) -> tuple[dict[Span, int], dict[int, str]]:
    """Whose mention stands where, and the type of each entity."""
    owner: dict[Span, int] = {}
    kinds: dict[int, str] = {}
    for index, vertex in enumerate(document["vertexSet"]):
        for one in vertex:
            first, last = one["pos"][0], one["pos"][1] - 1
            span = Span(places[one["sent_id"]][first][0], places[one["sent_id"]][last][1])
            owner[span] = index
            kinds[index] = one["type"]
    return owner, kinds


def _candidate(index: int, name: str, kind: str) -> Candidate:
    return Candidate(Entity(f"E{index}", name, types=(NER[kind],) if kind in NER else ()), 0.0)


def _predicted(
    fact: Fact,
    owner: dict[Span, int],
    gold: set[tuple[int, str, int]],
    said: set[tuple[int, str, int]],
    score: Score,
    text: str,
) -> None:
    top = True
    for property_, left, right in readings(fact, top=6):
        h, t = _vertex(left, fact, owner), _vertex(right, fact, owner)
        if h is None or t is None or h == t:
            continue
        said.add((h, property_, t))
        if top:
            known = {r for a, r, b in gold if (a, b) == (h, t)} | {r for a, r, b in gold if (b, a) == (h, t)}
            score.said += 1
            hit = bool(known & {relation.lstrip("^") for relation in fact.relations})
            score.right += hit
            if not hit:
                sentence = text[max(0, fact.object.span.start - 150) if fact.object.span else 0 :][:240]
                score.wrong.append(
                    f"{fact.subject.text} {fact.relations} {fact.object.text} (gold {known}) | {sentence}"
                )
        top = False


def _vertex(span: Span | None, fact: Fact, owner: dict[Span, int]) -> int | None:
    for argument in (fact.subject, fact.object):
        if (
            argument.span == span
            and argument.mention is not None
            and argument.mention.entity is not None
            and argument.mention.entity.id.startswith("E")
        ):
            return int(argument.mention.entity.id[1:])
    return next((index for place, index in owner.items() if overlaps(span, place)), None)


def _joined(sentences: Sequence[Sequence[str]]) -> tuple[str, list[list[tuple[int, int]]]]:
    """The text of tokenized sentences with the blanks before punctuation taken out."""
    text, places = "", []
    for sentence in sentences:
        row = []
        for word in sentence:
            if text and not (
                word in {",", ".", ";", ":", ")", "'s", "?", "!", "%", "'"} or text.endswith(("(", "$"))
            ):
                text += " "
            row.append((len(text), len(text) + len(word)))
            text += word
        places.append(row)
    return text, places


def _in_sentence(document: dict[str, Any], vertex: int, sentence: int) -> bool:
    return any(one["sent_id"] == sentence for one in document["vertexSet"][vertex])


def _name(document: dict[str, Any], vertex: int) -> str:
    return str(document["vertexSet"][vertex][0]["name"])


# ── FActScore, RefChecker ────────────────────────────────────────────────────────────────────────────


def factscore() -> dict[str, float]:
    """Share of human atomic facts whose content words one of our claims' resolved wordings covers; claims per sentence."""
    covered = total = claims = sentences = 0
    for row in _factscore_rows():
        found = extract(row["output"], ())
        claims += len(found)
        sentences += len(segment(row["output"]))
        wordings = [_content(claim.resolved) | _content(claim.text) for claim in found]
        for annotation in row["annotations"] or ():
            for fact in annotation["human-atomic-facts"] or ():
                wanted = _content(fact["text"]) - _content(row["topic"])
                total += 1
                covered += any(len(wanted & wording) >= 0.8 * len(wanted) for wording in wordings)
    return {"facts": total, "covered": covered / total, "claims/sentence": claims / sentences}


def _factscore_rows() -> Iterator[dict[str, Any]]:
    for name in ("ChatGPT", "InstructGPT"):
        with gzip.open(data_dir() / "factscore_labeled" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
            yield from (json.loads(line) for line in file)


_STOP = frozenset(
    "a an the is are was were be been has have had he she it his her its they their of in on at to for by with and as that this who which from".split()
)


def _content(text: str) -> set[str]:
    words = (word.strip(".,;:()\"'“”").lower().removesuffix("'s") for word in text.split())
    return {word for word in words if word and word not in _STOP}


def refchecker() -> dict[str, float]:
    """Share of annotated triplets whose head and tail are the arguments of one of our facts (attributes included)."""
    total = both = tails = 0
    for path in sorted((data_dir() / "refchecker").rglob("*_answers.json*")):
        opener = gzip.open if path.suffix == ".gz" else open
        with opener(path, "rt", encoding="utf-8") as file:
            rows = json.load(file)
        for row in random.Random(7).sample(rows, min(40, len(rows))):
            facts = [fact for claim in extract(row["response"], ()) for fact in claim.facts]
            for item in row.get("claude2_response_kg") or ():
                head, _, tail = item["triplet"]
                total += 1
                heads = [
                    fact
                    for fact in facts
                    if _alike(head, fact.subject.text)
                    or (fact.subject.mention and _alike(head, fact.subject.mention.text))
                ]
                both += any(_alike(tail, fact.object.text) for fact in heads)
                tails += any(_alike(tail, fact.object.text) for fact in facts)
    return {"triplets": total, "head and tail": both / total, "tail": tails / total}


def _alike(one: str, other: str) -> bool:
    left, right = _content(one), _content(other)
    return bool(left & right) and len(left & right) >= 0.5 * min(len(left), len(right))


def speed() -> tuple[float, float]:
    """Milliseconds per sentence: median and 99th percentile."""
    extractor = RuleExtractor()
    sentences = [s for row in _factscore_rows() for s in segment(row["output"])][:1500]
    times = []
    for sentence in sentences:
        start = time.perf_counter()
        extractor.extract(sentence, (), Context())
        times.append((time.perf_counter() - start) * 1e3)
    times.sort()
    return times[len(times) // 2], times[int(len(times) * 0.99)]


def run() -> int:
    if not data_dir().is_dir():
        print("no development data: set GUARDRAIL_DATA")
        return 0
    for folds in ((1, 2), (3,)):
        scores = knowledgenet(folds)
        total = Score()
        print(f"KnowledgeNet, folds {folds}: relation mapping with given names")
        for name, score in sorted(scores.items()):
            print("  " + score.line(name))
            total.gold, total.found = total.gold + score.gold, total.found + score.found
            total.said, total.right = total.said + score.said, total.right + score.right
        print("  " + total.line("all"))
    print("Re-DocRED dev, pairs stated in one sentence\n  " + redocred().line("all"))
    print("FActScore  ", {name: round(value, 3) for name, value in factscore().items()})
    print("RefChecker ", {name: round(value, 3) for name, value in refchecker().items()})
    median, tail = speed()
    print(f"speed       median {median:.2f} ms, p99 {tail:.2f} ms per sentence")
    return 0
