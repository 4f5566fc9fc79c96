"""What can be checked at all: questions, greetings, opinions, instructions and hedges get a kind, not a verdict.

Selection first, as in Claimify (Metropolitansky & Larson 2025): what nobody could look up is no claim.
"""

from __future__ import annotations

import re
from dataclasses import replace

from guardrail.types import BlockKind, Claim, Kind, Sentence

__all__ = ["as_rule", "believed", "disowned", "hedged", "introduced", "kind_of", "supposed", "told_to"]

_GREETING = re.compile(
    r"(?i)\W*(?:(?:hi|hello|hey|greetings|good (?:morning|afternoon|evening)|welcome|thanks|thank you|sure|certainly|of course|absolutely|"
    r"great question|good question|okay|ok|yes|no|no problem|sorry|got it|understood|i see|great|perfect)\b(?: there| everyone| again| so much| for asking)?\W*)+$"
    r"|\W*(?:(?:sure|certainly|of course|absolutely|yes|great|thanks|thank you|sorry|okay|ok|hello|hi)\b[^\w]*(?:there\W*)?)*"
    r"(?:i'?d be (?:happy|glad) to|i'?m (?:happy|glad) to|happy to help|i hope (?:this|that)|let me know|feel free|please let me|you'?re welcome|"
    r"as an ai|i'?m an ai|i am an ai|i'?m sorry|i apologi[sz]e|unfortunately,? i\b|how can i|what can i)\b"
    r"|\W*(?:sure\W+|certainly\W+|of course\W+)?here(?:'s| is| are)\b[^.!?]{0,120}[:.!]\W*$"
)
_OPINION = re.compile(
    r"(?i)\W*(?:i (?:think|believe|feel|guess|suppose|love|like|prefer|would say|would|can|could|cannot|can't|don'?t|do not|am not|have no|"
    r"was unable|am unable|recommend|suggest|hope|want|need)\b|in my (?:opinion|view)|personally\b|we (?:think|believe|feel|should|must|can|need)\b"
    r"|my (?:favorite|favourite|opinion)|it (?:is|'s) (?:important|worth|essential|crucial|best|advisable|recommended|good|great|nice|fun|interesting|always) (?:to|noting|that)?)"
)
_SUBJECTIVE = re.compile(
    r"(?i)\b(?:is|are|was|were)\s+(?:(?:truly|really|very|so|simply|just|quite|absolutely)\s+)*(?:an? |the )?"
    r"(?:best|worst|beautiful|amazing|wonderful|great|awesome|fantastic|delicious|boring|ugly|lovely|incredible|must-see|masterpiece|fun|"
    r"charming|breathtaking|stunning)\W*$"
)
_INSTRUCTION = re.compile(
    r"(?:Please|Note|Remember|Make sure|Be sure|Keep|Try|Use|Click|Open|Add|Mix|Stir|Consider|Check|Visit|See|Let's|Let us|Don't|Do not|Avoid|"
    r"Start|Begin|Go|Take|Choose|Select|Ensure|Follow|Read|Write|Run|Install|Cook|Heat|Place|Put|Pour|Bake|Preheat|Combine|Serve|Enjoy|Repeat|"
    r"Create|Find|Learn|Ask|Look|Get|Call|Contact|Buy|Save|Set|Turn|Press|Enter|Type|Wait|Remove|Cut|Wash|Drink|Eat|Store)\b(?=\s+\w)(?!\s+(?:is|was|are|were)\b)(?!(?:\s+[A-Z]\w*)+\s+(?:is|was|are|were|has|had)\b)"
)
_LINK = re.compile(
    r"(?i)(?:however|additionally|also|finally|overall|remember|therefore|in addition|moreover|lastly|firstly|secondly|so|but|and),?\s+"
)
# Words that only hold up what is told behind them.
_LEAD_IN = re.compile(
    r"(?i)\W*(?:(?:please|also|just|but|and|so|always),? )*(?:(?:do )?(?:note|remember|recall|keep in mind|bear in mind|be aware)(?: that\b|:)"
    r"|it(?:['’]s| is) (?:also )?(?:worth|important|interesting|good|useful|nice|fun)(?: to)? (?:not(?:e|ing)|mention(?:ing)?|know(?:ing)?|remember(?:ing)?) that\b"
    r"|(?:did|do) you know(?: that\b|,))\s*"
)
# Whose view it is, before what may be looked up nonetheless: "I believe its capital is Vaduz".
_BELIEF = re.compile(
    r"(?i)\W*(?:(?:personally|yes|no|well|and|but|so),? )?(?:i (?:(?:do|also|still|firmly|strongly) )?believe(?: that\b)?"
    r"|i(?: a|['’])m (?:fairly |pretty |quite )?(?:sure|certain|confident)(?: that\b)?"
    r"|(?:as far as i know|to (?:the best of )?my knowledge|in my (?:opinion|view)|if i (?:remember|recall) (?:correctly|rightly))),?\s+"
)
_HEDGE = re.compile(
    r"(?i)\b(?:may|might|could|perhaps|possibly|probably|presumably|likely|apparently|allegedly|supposedly|reportedly|arguably|maybe|it seems|"
    r"seems to|appears to|is believed to|are believed to|was believed to|is thought to|are thought to|was thought to|is said to|are said to|"
    r"(?:myth|misconception|hoax|fallacy|falsehood|false|untrue|incorrect)(?: is| was)? that|"
    r"(?:claim|idea|notion|belief|theory|allegation|assertion|hypothesis|rumou?r|story|legend) that|"
    r"is rumou?red|is considered|it is possible|it is believed|it is thought|it is said|some (?:say|believe|argue)|i'?m not (?:sure|certain))\b"
)
# What stands right before a claim that the text does not make its own: a source without a name, or a word for what is untrue.
_DISOWNED = re.compile(
    r"(?i)\b(?:(?:some|many|most|few|several|certain|other|various)(?: (?:people|others|sources|critics|experts|scholars|historians|fans))?"
    r"|people|others|critics|sceptics|skeptics|fans|conspiracy theorists|rumou?rs?|(?:popular |urban )?legends?|tradition|folklore)"
    r" (?:(?:have|has|often|still|wrongly|falsely|mistakenly|once|also|even) )*"
    r"(?:say|says|said|claim|claims|claimed|believe|believed|argue|argued|think|thought|suggest|suggests|suggested|maintain|allege|alleged|assume"
    r"|assumed|speculate|speculated|assert|hold|holds|has it)(?: that)?\W*$"
    r"|\baccording to (?:some|many|others|critics|(?:popular |urban )?legend|tradition|folklore|rumou?rs?|one (?:theory|story|legend))(?: \w+)?\W*$"
    r"|\b(?:myth|misconception|rumou?r|hoax|lie|fallacy|falsehood|legend|urban legend|false (?:claim|belief|idea|notion|statement)|untrue|false"
    r"|not true|incorrect|wrong)(?: is| was| to (?:say|claim|think|believe))?,? that\W*$"
)
_SUPPOSED = re.compile(
    r"(?i)\W*(?:(?:now|so|okay|but|and),? )?(?:imagin(?:e(?! is\b| was\b| by\b| Dragons\b)|ing)|suppos(?:e|ing)|pretend(?:ing)?|assum(?:e|ing)|what if|hypothetically"
    r"|for the sake of argument|in (?:an? |the )?(?:alternate|parallel|imaginary|fictional|hypothetical))\b"
)
_MAY = re.compile(r"\bMay\b(?! (?:be|have)\b)")  # a month or a name


def kind_of(sentence: Sentence, question: str = "") -> Kind:
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


def told_to(text: str) -> bool:
    """Whether a sentence begins with a word that tells the reader to do something."""
    return _INSTRUCTION.match(text.strip().strip("*_ \"'“”")) is not None


def introduced(text: str) -> int:
    """Where what is told begins behind "Note that", "It is worth noting that", "Did you know that"; 0 without such words."""
    match = _LEAD_IN.match(text)
    return match.end() if match else 0


def believed(text: str) -> int:
    """Where what is told begins behind "I believe that", "As far as I know"; 0 without such words."""
    match = _BELIEF.match(text)
    return match.end() if match else 0


def hedged(text: str) -> bool:
    """Whether a claim is only said to be possible."""
    return _HEDGE.search(_MAY.sub("", text)) is not None


def disowned(before: str) -> bool:
    """Whether what stands right `before` a claim in its sentence leaves it to nobody in particular, or calls it untrue."""
    return _DISOWNED.search(before) is not None


def supposed(text: str) -> bool:
    """Whether a sentence only asks what if: "Imagine Paris is the capital of Germany, and …"."""
    return _SUPPOSED.match(text) is not None


def as_rule(claim: Claim) -> Claim:
    """What somebody is told to do, as the fact that it is to be done, where documents are there to confirm or refute it."""
    return replace(claim, kind=Kind.FACT) if claim.kind is Kind.INSTRUCTION else claim
