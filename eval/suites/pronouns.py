"""Whom pronouns mean, against texts that people marked: how many are given the right name, a wrong one, or none.

A pronoun is right if each name that it is given is one of those that the text has for what it means. What has no name in the text
can only be left open or be wrong.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor

from eval.datasets.coreference import PERSONAL, PLURAL, Marked, Pronoun, gap, gum
from guardrail import extraction
from guardrail.claims.arguments.arguments import Arguments
from guardrail.claims.discourse.coreference import Discourse
from guardrail.claims.lexicon.kinds import load_kinds
from guardrail.claims.reading.sentence import read
from guardrail.language import parser
from guardrail.segment import sentences
from guardrail.types import Claim, Context, Mention, Sentence
from guardrail.verifier import Verifier

PARTS = (
    "gum:train",
    "gap:development",
    "gum:dev",
    "gum:test",
    "gap:validation",
)  # nobody looked at the last three
CHOSEN = tuple(filter(None, os.environ.get("PRONOUNS_PARTS", "").split(",")))
TOLD = os.environ.get("PRONOUNS_TOLD", "") == "yes"  # print what is wrong
WORKERS = 2
Counts = Counter[tuple[str, str]]  # the kind of pronoun and what became of it


def run() -> int:
    """Prints a table for each part; no bar is stated."""
    with ProcessPoolExecutor(WORKERS, initializer=_open) as processes:
        for part in CHOSEN or PARTS:
            counted: Counts = Counter()
            for counts, told in processes.map(measured, _texts(part), chunksize=2):
                counted += counts
                if TOLD:
                    print("\n".join(told))
            _show(part, counted)
    return 0


def _texts(part: str) -> Iterator[Marked]:
    source, _, name = part.partition(":")
    return (gum if source == "gum" else gap)(name)


class _Noting(Discourse):
    """Notes whom each pronoun is read as."""

    read: list[tuple[str, Mention | None]]

    def pronoun(
        self,
        low: str,
        *,
        but: Mention | None = None,
        near: Mention | None = None,
        besides: str = "",
        wanted: frozenset[str] = frozenset(),
    ) -> Mention | None:
        found = super().pronoun(low, but=but, near=near, besides=besides, wanted=wanted)
        self.read.append((low, found))
        return found


_opened: Verifier  # of this process


def _open() -> None:
    global _opened
    _opened = Verifier.open(threads=1)


def measured(marked: Marked) -> tuple[Counts, list[str]]:
    """What becomes of the pronouns of a text, and the wrong ones in words."""
    counts: Counts = Counter()
    told: list[str] = []
    given = dict(_read(_opened, marked.text))
    for pronoun in marked.pronouns:
        if pronoun.span.start not in given:
            continue  # it means nothing, or is part of another phrase: "both companies"
        named = given[pronoun.span.start]
        word = pronoun.span.of(marked.text).lower()
        outcome = _outcome(pronoun, named)
        counts[_kind(word), outcome] += 1
        if outcome == "wrong" and named is not None:
            around = marked.text[max(0, pronoun.span.start - 150) : pronoun.span.end + 40].replace("\n", " ")
            told.append(f"{word} = {named.text}, not {[sorted(one) for one in pronoun.meant]}: {around}")
    return counts, told


def _read(verifier: Verifier, text: str) -> Iterator[tuple[int, Mention | None]]:
    """Where each pronoun of a text begins, and whom it is read as."""
    earlier: list[Claim] = []
    for sentence in sentences(text):
        context = Context("", (), tuple(earlier))
        mentions = verifier.linker.link(sentence.text, offset=sentence.span.start, context=context)
        yield from _of_sentence(sentence, mentions, context)
        claims = verifier.extractor.extract(sentence, mentions, context)
        earlier = [*earlier, *claims][-extraction.MAX_EARLIER_CLAIMS :]


def _of_sentence(
    sentence: Sentence, mentions: list[Mention], context: Context
) -> Iterator[tuple[int, Mention | None]]:
    parse = parser().read_long
    reading = read(sentence, mentions, parse(sentence.text))
    discourse = _Noting.before(context, load_kinds(), parse)
    assert isinstance(discourse, _Noting)
    discourse.read = []
    Arguments(reading, load_kinds(), discourse).resolve()
    free = dict(enumerate(reading.tokens))
    for word, named in discourse.read:
        at = next((number for number, token in free.items() if token.low == word), None)
        if at is not None:
            del free[at]
            yield reading.span(at, at).start, named


def _kind(word: str) -> str:
    """Whether a pronoun is for a "person", a "thing", or both and several: "plural"."""
    if word in PLURAL:
        return "plural"
    return "person" if word in PERSONAL else "thing"


def _outcome(pronoun: Pronoun, named: Mention | None) -> str:
    if named is None:
        return "open, nameless" if pronoun.nameless else "open"
    right = len(pronoun.meant) == 1 and any(_alike(named.text, name) for name in pronoun.meant[0])
    return "right" if right else "wrong"


def _alike(given: str, name: str) -> bool:
    """Whether one of two names is a part of the other one."""
    ours, theirs = (set(one.lower().replace("-", " ").split()) for one in (given, name))
    return bool(ours and theirs) and (ours <= theirs or theirs <= ours)


def _show(part: str, counted: Mapping[tuple[str, str], int]) -> None:
    for kind in ("person", "thing", "plural"):
        right, wrong, left = (counted.get((kind, one), 0) for one in ("right", "wrong", "open"))
        nameless = counted.get((kind, "open, nameless"), 0)
        if right + wrong + left + nameless:
            print(
                f"{part:16} {kind:7} right {right:5}  wrong {wrong:4}  open {left:5}  open and nameless {nameless:5}   "
                f"precision {right / max(1, right + wrong):.1%}  recall {right / max(1, right + left):.1%}",
                flush=True,
            )
