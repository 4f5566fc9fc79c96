"""What speaks against support that a model sees: exact comparison of the claim with what the evidence says.

An objection withdraws support and refutes nothing, so that what is missed here costs an answer "not known", and never a wrong
contradiction. Objected to are names and values that the evidence does not hold, phrases in another part (`roles`), opposites,
what the evidence denies, and quantifiers and negations that it does not have.
"""

from __future__ import annotations

from collections.abc import Sequence

from guardrail.check.opposites import exclusive
from guardrail.check.phrases import EMPTY, read, sentences_of
from guardrail.check.roles import misplaced
from guardrail.check.unheld import unheld
from guardrail.check.wording import Item
from guardrail.types import Claim, Passage

__all__ = ["objection"]

_HELD = 20_000  # characters of each passage in which names and values are looked for
_DENIERS = frozenset("not never no neither nor without none".split())
# A word of the claim → words of the evidence one of which it needs.
_NEEDED = {
    word: frozenset(needed.split())
    for word, needed in {
        "all": "all every each both entire whole full fully",
        "every": "all every each",
        "always": "always all every each",
        "most": "most majority mostly mainly more",
        "majority": "majority most more",
        "half": "half 50 50%",
        "only": "only sole solely just exclusively alone merely unique",
        "entire": "entire whole all full",
        "never": "never not no none nor neither without cannot",
        "not": "not no never none nor neither without cannot fail failed fails refused denied unable lack lacks",
        "no": "not no never none nor neither without cannot zero lack lacks lacked",
        "none": "not no never none nor neither zero",
        "without": "without no not never lack lacks lacked",
    }.items()
}


def objection(claim: Claim, text: str, passages: Sequence[Passage]) -> str:
    """Why `text`, a part of a passage, does not support `claim`, as a clause about it; "" where nothing speaks against it.

    `passages`: all that were found, in which names and values may stand, too.
    """
    whole = " . ".join([text, *(f"{p.title} . {p.about} . {p.text[:_HELD]}" for p in passages)])
    if missing := unheld(claim, whole):
        return f"it does not hold “{missing}”"
    said = sentences_of(text)
    ours = read(claim.resolved)
    theirs = [read(sentence) for sentence in said]
    if (word := _unsaid(ours, theirs)) is not None:
        return (
            f"it says “{word[1]}” where the claim says “{word[0]}”"
            if word[1]
            else f"it does not say “{word[0]}”"
        )
    if (found := misplaced(claim.resolved, said)) is not None:
        return f"it says “{found.known}” where the claim says “{found.claimed}”"
    return ""


def _unsaid(ours: Sequence[Item], theirs: Sequence[Sequence[Item]]) -> tuple[str, str] | None:
    """A word of the claim that the evidence has the opposite of, or needs another word for; and that opposite."""
    held = {item.key for text in theirs for item in text}
    for item, following in zip(ours, (*ours[1:], None), strict=True):
        if following is not None and (item.key, following.key) == ("all", "about"):
            continue
        if item.key in _NEEDED and not _NEEDED[item.key] & held:
            return item.text, ""
        if item.key not in held:
            opposite = next((key for key in sorted(held) if exclusive(item.key, key)), "")
            if opposite:
                return item.text, opposite
    if not _DENIERS.intersection(item.key for item in ours):
        for text in theirs:
            if (word := _denied(ours, text)) is not None:
                return word, f"not {word}"
    return None


def _denied(ours: Sequence[Item], text: Sequence[Item]) -> str | None:
    """A word of the claim that the sentence sets aside, and has nowhere else: "real tennis, not lawn tennis"."""
    said = {item.key: item.text for item in ours}
    for at, item in enumerate(text):
        if item.key != "not" or not at or text[at - 1].after[:1] != ",":
            continue
        following = next((one for one in text[at + 1 : at + 3] if one.key not in EMPTY), None)
        if following is None or following.key not in said:
            continue
        if not any(one.key == following.key for one in text[:at]):
            return said[following.key]
    return None
