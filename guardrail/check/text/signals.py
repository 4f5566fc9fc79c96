"""What speaks for a claim and against it in the sentences that are nearest to it: named numbers, which `weighing` weighs.

Words that the claim and a sentence share, their order and how they hang together; values, names and opposites that differ; and
what the model makes of the sentence alone, of the nearest ones together, and of the windows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import pairwise

from guardrail.check.text.compare.amounts import crossed, exchanged_counts, is_value, replaced, stands
from guardrail.check.text.compare.contrasts import bounded, denied, excluded, opposed, renamed, unexcepted
from guardrail.check.text.compare.exact import Difference, coverage
from guardrail.check.text.compare.phrases import EMPTY, read
from guardrail.check.text.compare.propositions import exchanged, mixed, usurped
from guardrail.check.text.compare.stems import (
    in_some_form,
    like_stems,
    says_how,
    says_what,
    stem,
    stem_of,
    stems,
)
from guardrail.language import Doc, Parse, Token

__all__ = ["Beside", "of_model", "of_words"]

Row = Sequence[float]  # probabilities: attributable, extrapolatory, contradictory
Stems = tuple[str, ...]

_DENYING = frozenset(
    "not never no neither nor without none nothing nobody nowhere except unless instead".split()
)
_DIFFERENCES = {
    "replaced": replaced,
    "crossed": crossed,
    "counts_exchanged": exchanged_counts,
    "opposed": opposed,
    "bounded": bounded,
    "excluded": excluded,
    "unexcepted": unexcepted,
    "denied": denied,
}


@dataclass(frozen=True, slots=True)
class Beside:
    """A claim beside the sentences that were read, the nearest one first. `head`: what the nearest one stands under."""

    claim: str
    sentences: tuple[str, ...]
    head: str
    parse: Parse

    @property
    def nearest(self) -> str:
        return self.sentences[0]


def of_model(alone: Sequence[Row], windows: Sequence[Row]) -> dict[str, float]:
    """The model's probabilities as signals. `alone`: of the nearest sentence, and of the few nearest sentences together."""
    nearest, together = alone
    named = ("supports", "is_silent", "contradicts")
    return {
        **{f"sentence_{name}": share for name, share in zip(named, nearest, strict=True)},
        **{f"together_{name}": share for name, share in zip(named, together, strict=True)},
        "window_supports": max(row[0] for row in windows),
        "window_is_silent": min(row[1] for row in windows),
        "window_contradicts": max(row[2] for row in windows),
    }


def of_words(given: Beside, difference: Difference | None) -> dict[str, float]:
    """What the words tell, as signals. `difference`: the one in a sentence that says most of what else the claim says."""
    claim, *near = (given.parse(one) for one in (given.claim, *given.sentences[:2]))
    return {
        **_shared(given),
        **_ordered(_keys(claim), [_keys(one) for one in near]),
        **_linked(claim, near),
        **_differing(given),
        "words": float(len(given.claim.split())),
        "difference": difference.share if difference else 0.0,
        "difference_telling": float(difference is not None and difference.telling),
    }


def _shared(given: Beside) -> dict[str, float]:
    ours, theirs = read(given.claim), read(given.nearest)
    words, held = _said(given.claim), stems(theirs)
    among = frozenset(word for one in given.sentences for word in _said(one))
    absent = [word for word in words if not in_some_form(word, held)]
    nowhere = [word for word in absent if not in_some_form(word, among)]
    many = max(len(words), 1)
    return {
        "covered": coverage(given.claim, given.nearest, given.head),
        "covered_back": coverage(given.nearest, given.claim),
        "nowhere": len(nowhere) / many,
        "elsewhere": (len(absent) - len(nowhere)) / many,
        "values_absent": float(
            sum(is_value(one) and not stands(ours, at, theirs) for at, one in enumerate(ours))
        ),
    }


def _ordered(ours: Stems, near: Sequence[Stems]) -> dict[str, float]:
    """Words that are there in some form, in the same order, and next to each other."""
    there = [pair for one in near for pair in pairwise(one)]
    pairs = list(pairwise(ours))
    shared = sum(in_some_form(word, frozenset(near[0])) for word in ours)
    both = frozenset(word for one in near for word in one)
    common, many = _common(ours, near[0]), max(len(ours), 1)
    return {
        "shared_with_two": sum(in_some_form(word, both) for word in ours) / many,
        "in_order": common / many,
        "in_order_of_shared": common / max(shared, 1),
        "neighbours": sum(any(_alike(pair, other) for other in there) for pair in pairs) / max(len(pairs), 1),
    }


def _common(ours: Stems, theirs: Stems) -> int:
    """The length of the longest sequence of words that both have in this order."""
    best = [0] * (len(theirs) + 1)
    for word in ours:
        before = 0
        for at, other in enumerate(theirs, 1):
            here = best[at]
            best[at] = before + 1 if like_stems(word, other) else max(best[at], best[at - 1])
            before = here
    return best[-1]


def _linked(claim: Doc, near: Sequence[Doc]) -> dict[str, float]:
    """Of the words that hang together in the claim, how many do so in a sentence, stand apart there, or are not both there."""
    links = list(_links(claim))
    there = [link for doc in near for link in _links(doc)]
    words = [frozenset(_keys(doc)) for doc in near]
    held = [any(_alike(link, other) or _alike(link[::-1], other) for other in there) for link in links]
    apart = [
        not found and any(in_some_form(link[0], one) and in_some_form(link[1], one) for one in words)
        for link, found in zip(links, held, strict=True)
    ]
    many = max(len(links), 1)
    return {"links_held": sum(held) / many, "links_apart": sum(apart) / many}


def _links(doc: Doc) -> Iterator[tuple[str, str]]:
    """Each word that says something with the nearest one above it."""
    for token in filter(_says, doc.tokens):
        above = token
        while above.head != above.at:
            above = doc.tokens[above.head]
            if _says(above):
                yield stem_of(token), stem_of(above)
                break


def _differing(given: Beside) -> dict[str, float]:
    ours, theirs = read(given.claim), read(given.nearest)
    claim, sentence = given.parse(given.claim), given.parse(given.nearest)
    find_names = partial(renamed, known=stems(read(given.head)))
    mine, other = (sum(item.key in _DENYING for item in text) for text in (ours, theirs))
    return {
        **{name: float(any(True for _ in find(ours, theirs))) for name, find in _DIFFERENCES.items()},
        "renamed": float(any(True for _ in find_names(ours, theirs))),
        "roles_exchanged": float(any(True for _ in exchanged(claim, sentence))),
        "role_usurped": float(bool(usurped(claim, sentence))),
        "statements_mixed": float(bool(mixed(claim, sentence))),
        "denies_unlike": float(mine % 2 != other % 2),
        "denies_more": float(mine > other),
    }


@lru_cache(maxsize=4096)
def _said(text: str) -> Stems:
    """The stems of the words that say something, values by what they are."""
    return tuple(stem(item.key) for item in read(text) if item.key not in EMPTY)


def _keys(doc: Doc) -> Stems:
    return tuple(map(stem_of, filter(_says, doc.tokens)))


def _says(token: Token) -> bool:
    """Adverbs, too: a word that the evidence may lack; who did what, as propositions compare it, is told without them."""
    return says_what(token) or says_how(token)


def _alike(one: tuple[str, str], other: tuple[str, str]) -> bool:
    return like_stems(one[0], other[0]) and like_stems(one[1], other[1])
