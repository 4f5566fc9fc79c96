"""Whether something is so, and whether it must, may or need not be: a sentence denied, its modal verb changed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from eval.train.edits.base import (
    DENIED,
    Change,
    Place,
    child,
    denies,
    is_plural,
    made_false,
    made_same,
    root_of,
)
from guardrail.language import Token

__all__ = ["is_guess", "modality", "negation"]


def negation(place: Place) -> Iterator[Change]:
    """What is so is not, and the other way round, in the main clause: "does not apply" → "applies"."""
    doc, root = place.doc, root_of(place.doc)
    if not root or doc.text.rstrip().endswith("?"):
        return
    denied = next((kid for kid in doc.kids(root.at) if kid.low in ("not", "n't", "never")), None)
    if denied:
        yield from _affirmed(place, root, denied)
    elif not denies(doc):
        yield from _denied(place, root)


def _affirmed(place: Place, root: Token, word: Token) -> Iterator[Change]:
    doc, helper = place.doc, child(place.doc, root.at, "aux", "aux:pass", "cop")
    if not helper or helper.low in ("need", "ca", "wo") or any(t.low == "only" for t in doc.tokens):
        return
    if helper.lemma == "do" and helper.end < root.start:
        form = place.senses.form(root.lemma, {"does": "VBZ", "did": "VBD"}.get(helper.low, "VBP"))
        if form and helper.at > 0:
            yield made_false("negation", (helper.start, root.end, form))
        elif form:
            yield made_false("negation", (helper.start, root.start, ""))
    elif word.at == helper.at + 1:
        yield made_false("negation", (helper.end, word.end, ""))


def _denied(place: Place, root: Token) -> Iterator[Change]:
    helper = child(place.doc, root.at, "aux", "aux:pass", "cop")
    if not helper:
        yield from _helped(place, root)
    elif helper.at < root.at and not is_guess(place, root, helper):
        word = "never" if helper.tag != "MD" and place.rng.random() < 0.15 else "not"
        yield made_false("negation", (helper.end, helper.end, f" {word}"))


def _helped(place: Place, root: Token) -> Iterator[Change]:
    doc = place.doc
    subject = child(doc, root.at, "nsubj", "nsubj:pass")
    helper = {"VBZ": "does not", "VBP": "do not", "VBD": "did not"}.get(root.tag)
    if subject and helper and root.lemma not in ("be", "have", "do") and subject.at < root.at:
        yield made_false("negation", (root.start, root.end, f"{helper} {root.lemma}"))
    elif root.tag == "VB" and root.at == 0 and not subject:
        yield made_false("negation", (0, root.end, f"Do not {root.low}"))


def is_guess(place: Place, root: Token, helper: Token) -> bool:
    """Whether "may" and the like tell what is possible rather than allowed: the denial would not contradict it."""
    if helper.low not in ("may", "might", "could"):
        return False
    subject = child(place.doc, root.at, "nsubj", "nsubj:pass")
    if helper.low == "may" and subject:
        people = subject.low in ("you", "they", "he", "she", "we", "anyone", "who") or place.senses.person(
            subject.lemma.lower()
        )
        return not (people or subject.dep == "nsubj:pass")
    return True


_FORCE: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    # modal: what says the same, what is false beside it; "is" and "has" follow the subject
    "must": (("{has} to", "{is} required to"), ("need not", "must not", "{does} not have to", "may", "{is} not allowed to")),
    "must not": (("may not", "{is} not allowed to", "cannot", "{is} forbidden to"), ("may", "must", "{is} allowed to", "need not", "can")),
    "may": (("{is} allowed to", "can", "{is} permitted to"), ("must not", "may not", "{is} not allowed to", "cannot", "{has} to")),
    "may not": (("must not", "{is} not allowed to", "cannot"), ("may", "{is} allowed to", "can", "must")),
    "need not": (("{does} not have to", "{does} not need to", "{is} not required to"), ("must", "{has} to", "{is} required to", "needs to")),
    "can": (("{is} able to",), ("cannot", "{is} unable to", "{is} not able to")),
    "cannot": (("can not", "{is} unable to", "{is} not able to"), ("can", "{is} able to")),
    "should": (("ought to",), ("should not", "need not")),
    "should not": (("ought not to",), ("should", "must")),
    "has to": (("must", "{is} required to", "needs to"), ("need not", "{does} not have to", "must not")),
    "have to": (("must", "{is} required to"), ("need not", "{does} not have to", "must not")),
    "is required to": (("must", "{has} to"), ("{is} not required to", "need not")),
    "are required to": (("must", "{has} to"), ("{is} not required to", "need not")),
    "is allowed to": (("may", "can"), ("{is} not allowed to", "must not")),
    "are allowed to": (("may", "can"), ("{is} not allowed to", "must not")),
    "does not have to": (("need not", "{is} not required to"), ("must", "{has} to")),
    "do not have to": (("need not", "{is} not required to"), ("must", "{has} to")),
    "is not allowed to": (("must not", "may not"), ("may", "{is} allowed to")),
    "are not allowed to": (("must not", "may not"), ("may", "{is} allowed to")),
    "will": ((), ("will not", "will never")),
}  # fmt: skip


_MODAL = re.compile(r"\b(?:" + "|".join(sorted(_FORCE, key=len, reverse=True)) + r")\b(?! not)")


def modality(place: Place) -> Iterator[Change]:
    """A modal verb with another: "must" → "need not" (false) or "has to" (the same)."""
    doc = place.doc
    starts = {token.start: token for token in doc.tokens}
    for match in _MODAL.finditer(doc.text):
        token = starts.get(match.start())
        subject = _subject_of(place, token) if token else None
        if not token or not subject:
            continue
        same, false = (_agreeing(words, is_plural(doc, subject)) for words in _FORCE[match[0]])
        yield from (made_same("modality", (*match.span(), word)) for word in same)
        if not any(t.low in DENIED for t in doc.tokens[: token.at]):
            yield from (made_false("modality", (*match.span(), word)) for word in false)


def _subject_of(place: Place, modal: Token) -> Token | None:
    """Who must or may, before the modal verb; None where it tells what is possible."""
    doc, head = place.doc, place.doc.tokens[modal.head]
    subject = child(doc, head.at, "nsubj", "nsubj:pass") or child(doc, modal.at, "nsubj")
    if not subject or subject.at > modal.at or subject.low == "i" or modal.tag[0] == "N":
        return None
    return None if is_guess(place, head, modal) else subject


def _agreeing(words: Sequence[str], plural: bool) -> list[str]:
    forms = (
        {"has": "have", "is": "are", "does": "do"} if plural else {"has": "has", "is": "is", "does": "does"}
    )
    found = [word.format(**forms) for word in words]
    return ["need to" if plural and word == "needs to" else word for word in found]
