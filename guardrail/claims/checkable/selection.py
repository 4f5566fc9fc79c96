"""What can be checked at all: questions, greetings, opinions, instructions and hedges get a kind, not a verdict.

Selection first, as in Claimify (Metropolitansky & Larson 2025): what nobody could look up is no claim.
"""

from __future__ import annotations

import re
from dataclasses import replace

from guardrail.language.lists import any_of
from guardrail.rules import rule
from guardrail.types import BlockKind, Claim, Kind, Sentence

__all__ = [
    "as_item",
    "as_rule",
    "believed",
    "framed",
    "hedged",
    "introduced",
    "kind_of",
    "states_rule",
    "supposed",
]

_GREETING = re.compile(
    rf"(?i)\W*(?:(?:{any_of('greeting')})\b(?: (?:{any_of('greeted')}))?\W*)+$"
    rf"|\W*(?:(?:{any_of('agreeing')})\b[^\w]*(?:there\W*)?)*(?:{any_of('offering')}|unfortunately,? i\b)"
    r"|\W*(?:sure\W+|certainly\W+|of course\W+)?here(?:'s| is| are)\b[^.!?]{0,120}[:.!]\W*$"
)
_OPINION = re.compile(
    rf"(?i)\W*(?:i (?:{any_of('opining')})\b|in my (?:opinion|view)|personally\b|we (?:think|believe|feel|should)\b"
    rf"|my (?:favorite|favourite|opinion)|it (?:is|'s) (?:{any_of('advising')}) (?:to|noting|that)?)"
)
_SUBJECTIVE = re.compile(
    r"(?i)\b(?:is|are|was|were)\s+(?:(?:truly|really|very|so|simply|just|quite|absolutely)\s+)*(?:an? |the )?"
    rf"(?:{any_of('praise')})\W*$"
)
_LINK = re.compile(rf"(?i)(?:{any_of('linking')}),?\s+")
# Words that only hold up what is told behind them.
_LEAD_IN = re.compile(
    r"(?i)\W*(?:(?:please|also|just|but|and|so|always),? )*(?:(?:do )?(?:note|remember|recall|keep in mind|bear in mind|be aware)(?: that\b|:)"
    r"|it(?:['’]s| is) (?:also )?(?:worth|important|interesting|good|useful|nice|fun)(?: to)? (?:not(?:e|ing)|mention(?:ing)?|know(?:ing)?|remember(?:ing)?) that\b"
    r"|(?:did|do) you know(?: that\b|,))\s*"
)
# Words that only offer to tell what is told behind them, with or without "that".
_FRAME = re.compile(
    rf"(?i)\W*(?:(?:{any_of('agreeing')}|unfortunately|please|also|but|as an ai(?: \w+){{0,2}})\b\W*)*"
    rf"(?:(?:{any_of('volunteering')}) (?:{any_of('telling')})|{any_of('minding')})(?: that\b|:)?\s+"
    r"(?!(?:to|that|whether|if|how|why|what|when|where|who|which)\b)"
)
# Whose view it is, before what may be looked up nonetheless: "I believe its capital is Vaduz".
_BELIEF = re.compile(
    r"(?i)\W*(?:(?:personally|yes|no|well|and|but|so),? )?(?:i (?:(?:do|also|still|firmly|strongly) )?believe(?: that\b)?"
    r"|i(?: a|['’])m (?:fairly |pretty |quite )?(?:sure|certain|confident)(?: that\b)?"
    r"|(?:as far as i know|to (?:the best of )?my knowledge|in my (?:opinion|view)|if i (?:remember|recall) (?:correctly|rightly))),?\s+"
)
_HEDGE = re.compile(
    rf"(?i)\b(?:{any_of('hedging')}|(?:{any_of('falsehood')})(?: is| was)? that|(?:{any_of('belief')}) that)\b"
)
_SUPPOSED = re.compile(
    r"(?i)\W*(?:(?:now|so|okay|but|and),? )?(?:imagin(?:e(?! is\b| was\b| by\b| Dragons\b)|ing)|suppos(?:e|ing)|pretend(?:ing)?|assum(?:e|ing)|what if|hypothetically"
    r"|for the sake of argument|in (?:an? |the )?(?:alternate|parallel|imaginary|fictional|hypothetical))\b"
)
_CONDITION = re.compile(
    r"\b(?:if|unless|provided|as long as|in case) (?:that )?(?:you(?:['’](?:re|ve))?|your \w+|an?(?: \w+){1,2}|no ?body|no one|someone|somebody|anyone|the weather)\b",
    re.IGNORECASE,
)
_ALLOWED = re.compile(
    r"\b(?:you|guests|members|visitors|customers|passengers|patients|students|children|dogs|pets|your \w+) (?:also |only |still )?may(?: not)?\b",
    re.IGNORECASE,
)
_UNREAL = re.compile(
    r"\b(?:if|unless) (?:\w+ ){1,3}(?:were|had|was)\b|\bwould have\b|\b(?:might|could|should) have\b|\bmay have (?:been|had)\b",
    re.IGNORECASE,
)
_CROSSES = frozenset("❌✗✘✖")
_ITEM = 3  # words of a bullet that may state something
_MAY = re.compile(r"\bMay\b(?! (?:be|have)\b)")  # a month or a name


def kind_of(sentence: Sentence) -> Kind:
    """The kind of a whole sentence, FACT when it may be looked up."""
    text = sentence.text.strip()
    plain = text.strip("*_ \"'“”")
    link = _LINK.match(plain)
    plain = plain[link.end() :] if link else plain
    if sentence.kind in (BlockKind.CODE, BlockKind.MATH):
        return Kind.CODE
    if sentence.kind is BlockKind.HEADING:
        return Kind.HEADING
    if plain.rstrip("\"'”)*_ ").endswith(("?", "？", "؟")):
        return Kind.QUESTION
    if _GREETING.match(plain) and len(plain) < 160:
        return Kind.GREETING
    if _OPINION.match(plain) or _SUBJECTIVE.search(plain.rstrip(".! ")):
        return Kind.OPINION
    return Kind.FACT


@rule("introductions", silent=0)
def introduced(text: str) -> int:
    """Where what is told begins behind "Note that", "It is worth noting that", "Did you know that"; 0 without such words."""
    match = _LEAD_IN.match(text)
    return match.end() if match else 0


@rule("frames", silent=0)
def framed(text: str) -> int:
    """Where what is told may begin behind "I can confirm that", "I'm happy to tell you", "Keep in mind"; 0 without such words."""
    match = _FRAME.match(text)
    return match.end() if match else 0


@rule("beliefs", silent=0)
def believed(text: str) -> int:
    """Where what is told begins behind "I believe that", "As far as I know"; 0 without such words."""
    match = _BELIEF.match(text)
    return match.end() if match else 0


@rule("hedges", silent=False)
def hedged(text: str) -> bool:
    """Whether a claim is only said to be possible."""
    return _HEDGE.search(_MAY.sub("", text)) is not None


def states_rule(text: str) -> bool:
    """Whether a sentence with a condition, "may" or "would" states a rule: what holds for whoever is spoken to.

    "If you have Gold, the sauna is included" and "You may bring a dog" say how it is. "If you had gone" and "you might like" do not.
    """
    rest = _ALLOWED.sub(" ", _CONDITION.sub(" ", _MAY.sub("", text)))
    return rest != text and _HEDGE.search(rest) is None and _UNREAL.search(text) is None


@rule("supposed", silent=False)
def supposed(text: str) -> bool:
    """Whether a sentence only asks what if: "Imagine Paris is the capital of Germany, and …"."""
    return _SUPPOSED.match(text) is not None


@rule("orders-as-rules", passes=0)
def as_rule(claim: Claim) -> Claim:
    """What somebody is told to do, as the fact that it is to be done, where documents are there to confirm or refute it."""
    return replace(claim, kind=Kind.FACT) if claim.kind is Kind.INSTRUCTION else claim


@rule("items-as-claims", passes=0)
def as_item(claim: Claim, sentence: Sentence) -> Claim:
    """A bullet of a few words without a verb as what it says below its lead-in, where documents are there to confirm or refute it; a
    cross before it denies it, which its words do not.
    """
    listed = claim.kind is Kind.HEADING and sentence.kind is BlockKind.ITEM
    told = not claim.text.rstrip("*_ ").endswith(":") and claim.text[:1] not in _CROSSES
    return replace(claim, kind=Kind.FACT) if listed and told and len(claim.text.split()) >= _ITEM else claim
