"""What of a sentence was not read: the one place that looks at a sentence before and after its claims were made.

`divided` cuts off what no rule for English may judge. `unread` goes over what came of the rest: each stretch is a claim, a
named non-claim (`Kind`), words that only join (`filler`), or it is told of as not read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from guardrail.claims.answers.yes_no import says_yes_or_no
from guardrail.claims.checkable.language import UNKNOWN, foreign_parts, known_word
from guardrail.claims.checkable.legibility import illegible, spelled
from guardrail.claims.checkable.selection import believed, framed, introduced
from guardrail.claims.lexicon.kinds import load_kinds
from guardrail.claims.lexicon.relations import load_lexicon, noun_key
from guardrail.config import language_pipeline
from guardrail.language import parser
from guardrail.rules import rule
from guardrail.types import (
    BlockKind,
    Claim,
    Kind,
    Link,
    NotChecked,
    Sentence,
    Span,
    Unchecked,
    tile,
)

__all__ = ["Stretch", "bounded", "data", "divided", "filler", "hidden_in_code", "unread"]

_WORD = re.compile(r"[^\W_]+")
_MARKUP = re.compile(r"</?[A-Za-z][^<>\n]{0,400}>|&#?\w{1,10};|\[\^?\d[\d,\s–-]*\]")
_PAIRING = re.compile(
    r"[:=|→⇒➔➜←↦»\t]+|[-=]+>+|\s[-–—~]+\s|\s/\s|\.{4,}|…{2,}|(?:\. ){3,}|(?<=\w),(?=\w)|;|[\u2190-\u22ff\u2300-\u27bf\U0001f000-\U0001faff]+|[()\[\]{}]"
)
_ARROWS = re.compile(r"[→⇒➔➜↦\t]|[-=]{1,3}>")  # between a key and its value, whatever verb stands beside them
_DATA = re.compile(
    r"(?i)\A\s*(?:[`~]{3,}[ \t]*(?:json|xml|ya?ml|toml|ini|csv|tsv|sql|turtle|ttl|n3|rdf|sparql|cypher|graphql|html|prolog|datalog)\b|[\[{<])"
    r"|\binsert\s+into\b"
)
_LETTER = re.compile(r"\W*[^\W\d_](?:\s+[^\W\d_])*\W*")
_JSON = re.compile(r"[\[{]\s*[\"'][^\n\"']{0,80}[\"']\s*:")
_FENCE = re.compile(r"^[ \t>]*(?:`{3,}|~{3,})[^\n]*", re.MULTILINE)
_CASED = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_JOINING = frozenset(
    "and or but nor so yet that which who while as then thus also a an the of in on to by for with if this it is yes no i ii iii iv v".split()
)
_CLAUSE_END = re.compile(r"[;.!?](?=\s)|\s[—–]\s")
_NAMES = frozenset({"person", "place", "country", "org", "team", "work", "event", "character", "continent"})
_PLACES = frozenset({"person", "place", "country", "continent"})  # firms are called "Total", works "Home"
_FINITE = frozenset({"VBD", "VBP", "VBZ", "MD"})
_ASKING = frozenset("how why what when where who which whose whether to".split())
_PAIR = NotChecked.UNREAD, "a key and its value"
_NEAR = 40  # characters, of tags and blanks, between a line and the one that it is the value of
_LABEL = 2  # words that state nothing by themselves
_LONG_KEY = 4  # words of a key that names a property
_SENTENCE = 4  # words of the shortest line that is taken for a sentence


@dataclass(frozen=True, slots=True)
class Stretch:
    """A stretch of a sentence, itself a sentence. `reason`: why it is not to be judged; None: it is."""

    sentence: Sentence
    reason: NotChecked | None = None
    detail: str = ""


def divided(sentence: Sentence, *, english_only: bool = True) -> list[Stretch]:
    """The sentence in what is to be judged and what cannot be: hidden, or (with `english_only`) in another language.

    Mostly it is one stretch.
    """
    if sentence.kind in (BlockKind.CODE, BlockKind.MATH):
        hidden = illegible(sentence.text) if sentence.kind is BlockKind.CODE else ""
        return [Stretch(sentence, NotChecked.UNREAD if hidden else None, hidden)]
    if how := illegible(sentence.text):
        return [Stretch(sentence, NotChecked.UNREAD, how)]
    parts = foreign_parts(sentence.text) if english_only else []
    if not parts:
        return [Stretch(sentence)]
    out = [Stretch(_cut(sentence, span), NotChecked.LANGUAGE, language) for span, language in parts]
    rest = (_cut(sentence, span) for span in tile(sentence.text, [span for span, _ in parts]))
    out += [Stretch(one) for one in rest if not filler(one.text)]
    return sorted(out, key=lambda one: one.sentence.span)


@rule("unread-stretches", silent=list)
def unread(
    sentence: Sentence, claims: Sequence[Claim], link: Link, *, before: Sequence[Claim] = ()
) -> list[Unchecked]:
    """What the claims of a sentence leave unread: those that hold data or a statement under the name of a non-claim, and
    words that no claim covers. In the order of the text, disjoint; the first sort have the spans of their claims.

    `link`: the entities that a text names. `before`: the claims before this sentence, of which the last may be a question that
    it answers, or a line that it is the value of.
    """

    def above() -> str:
        return sentence.heading or " ".join(one.text for one in before[-1:] if _leads(one, sentence))

    if _by_letters(sentence, before):
        return [Unchecked(sentence.span, sentence.text, NotChecked.UNREAD, "spelled letters")]
    found = [
        Unchecked(claim.span, claim.text, *reason)
        for claim in claims
        if (reason := _answer(claim) or _hidden_in(claim, sentence, link, above))
    ]
    arguments = [
        place.span
        for claim in claims
        for fact in claim.facts
        for place in (fact.subject, fact.object)
        if place.span is not None and sentence.span.contains(place.span)
    ]
    for gap in tile(sentence.text, _joined(sentence, [*(claim.span for claim in claims), *arguments])):
        words = gap.of(sentence.text)
        if not filler(words) and not _label(words, link):
            place = _cut(sentence, gap)
            found.append(Unchecked(place.span, place.text, NotChecked.UNREAD, "no claim was made of it"))
    return sorted(found, key=lambda one: one.span)


@rule("trailing-pairs", passes=0)
def bounded(claims: Sequence[Claim], link: Link) -> list[Claim]:
    """The claims, without what stands behind a mark that ends a clause when it names two known things, or one and a property,
    and no argument: nothing was read of that.
    """
    return [_bounded(claim, link) for claim in claims]


def _bounded(claim: Claim, link: Link) -> Claim:
    ends = [
        place.span.end - claim.span.start
        for fact in claim.facts
        if fact.relations
        for place in (fact.subject, fact.object)
        if place.span is not None and claim.span.contains(place.span)
    ]
    mark = _CLAUSE_END.search(claim.text, max(ends)) if ends else None
    if mark is None or hidden_in_code(claim.text[mark.end() :], link, data=True) is None:
        return claim
    end = mark.start()
    return replace(claim, span=Span(claim.span.start, claim.span.start + end), text=claim.text[:end])


def filler(text: str) -> bool:
    """Whether a stretch between claims only joins them: marks, markup, numbers of items, "and", or "Note that"."""
    plain = f"{_MARKUP.sub(' ', text).lstrip()} "
    words = _WORD.findall(plain[max(introduced(plain), believed(plain), framed(plain)) :])
    return (
        all(word.lower() in _JOINING or (word.isdigit() and len(word) < 4) for word in words)
        and len(words) < 4
    )


def _leads(claim: Claim, sentence: Sentence) -> bool:
    """Whether a claim is a question, or a line that states nothing alone and stands right above the sentence."""
    if claim.kind is Kind.QUESTION:
        return True
    lone = sentence.kind is BlockKind.PROSE or (
        sentence.kind is BlockKind.ROW and not _PAIRING.search(_MARKUP.sub("|", sentence.text).strip(" |"))
    )
    near = 0 <= sentence.span.start - claim.span.end <= _NEAR
    return (
        near and lone and (claim.kind is Kind.HEADING or (claim.kind is Kind.FACT and not _verb(claim.text)))
    )


def _by_letters(sentence: Sentence, before: Sequence[Claim]) -> bool:
    """Whether a line is one of some that hold a letter each."""
    lines = [one.text for one in before if 0 <= sentence.span.start - one.span.end <= _NEAR]
    return _LETTER.fullmatch(sentence.text) is not None and spelled(
        " - ".join(
            [letter for line in lines if _LETTER.fullmatch(line) for letter in line.split()]
            + sentence.text.split()
        )
    )


def _label(text: str, link: Link) -> bool:
    """Whether a stretch is a word or two that name nothing known: the value of a label, as in "positive"."""
    words = _WORD.findall(text)
    known = all(len(word) < _SENTENCE or word.isdigit() or known_word(word.lower()) for word in words)
    return (
        len(words) <= _LABEL and known and not _named(text, link) and not _named(_spread(text), link, _PLACES)
    )


def _cut(sentence: Sentence, span: Span) -> Sentence:
    """A stretch of the sentence without the blanks and marks at its borders, but for those that end it."""
    words = span.of(sentence.text)
    start = span.start + len(words) - len(words.lstrip(" \t\n,;:–—-"))
    end = span.start + len(words.rstrip(" \t\n,;:–—-("))
    at = sentence.span.start
    place = Span(min(start, end), end)
    return replace(sentence, span=place.shift(at), text=place.of(sentence.text))


def _joined(sentence: Sentence, spans: Sequence[Span]) -> list[Span]:
    """The places within the sentence's text that `spans` cover, disjoint and in order."""
    out: list[Span] = []
    for span in sorted(spans):
        start, end = span.start - sentence.span.start, span.end - sentence.span.start
        if out and start < out[-1].end:
            out[-1] = Span(out[-1].start, max(end, out[-1].end))
        else:
            out.append(Span(start, end))
    return out


# ── what hides under the name of a non-claim ──────────────────────────────────────────────────────────


def _answer(claim: Claim) -> tuple[NotChecked, str] | None:
    """Why a mere yes or no that states something is to be named: no word of what it states stands in the text."""
    mere = claim.kind is Kind.FACT and claim.resolved == claim.text and says_yes_or_no(claim.text)
    return (NotChecked.UNREAD, "a yes or a no") if mere else None


def _hidden_in(
    claim: Claim, sentence: Sentence, link: Link, above: Callable[[], str]
) -> tuple[NotChecked, str] | None:
    """Why a claim that nothing was read of is no harmless one; None when it is, or was read."""
    if _in_small_letters(claim):
        told = len(_named(_spread(claim.text), link, _PLACES)) > 1
        return (NotChecked.UNREAD, "names in small letters") if told else None
    if sentence.kind is BlockKind.MATH:
        return None
    if _JSON.search(sentence.text) and _paired(claim.text, link):
        return _PAIR
    chained = _ARROWS.search(claim.text) is not None and _paired(claim.text, link)
    if any(fact.relations for fact in claim.facts) and not chained:
        return None
    return _unread(claim, sentence, link, above)


def _in_small_letters(claim: Claim) -> bool:
    """Whether it has no capital, and no name was found in it."""
    linked = any(one.candidates for one in claim.mentions)
    return claim.kind is Kind.FACT and claim.text.islower() and not linked


def _unread(
    claim: Claim, sentence: Sentence, link: Link, above: Callable[[], str]
) -> tuple[NotChecked, str] | None:
    """What a claim without a known relation may state, by its kind."""
    if claim.kind is Kind.CODE:
        return hidden_in_code(claim.text, link, data=data(sentence.text))
    if claim.kind is Kind.HEADING and (_asserts(claim.text) or _ended(claim.text, link)):
        return NotChecked.UNREAD, "a statement"
    if claim.kind not in (Kind.HEADING, Kind.FACT, Kind.GREETING):
        return None
    bare = claim.kind is Kind.GREETING or _ARROWS.search(claim.text)
    if _paired(claim.text, link) and (bare or not _verb(claim.text)):
        return _PAIR
    return _fragment(claim, link, above)


def _fragment(claim: Claim, link: Link, above: Callable[[], str]) -> tuple[NotChecked, str] | None:
    """What a line without a verb states all the same: in one long word, in strange words, or as the value of what stands above."""
    if not any(one.isspace() for one in claim.text) and len(_named(_spread(claim.text), link, _PLACES)) > 1:
        return NotChecked.UNREAD, "words run together"
    named = _named(claim.text, link)
    if named and _strange(claim.text):
        return NotChecked.LANGUAGE, UNKNOWN
    told = bool(named) and _answers(named, above(), link)
    bare = told and (claim.kind is Kind.HEADING or not _verb(claim.text))
    return (NotChecked.UNREAD, "the value of what stands above") if bare else None


def _strange(text: str) -> bool:
    """Whether a text has long words in small letters, and no word in small letters is known."""
    small = [word for word in _WORD.findall(text) if word.islower() and word.isalpha()]
    return any(len(word) > _SENTENCE for word in small) and not any(known_word(word) for word in small)


def _answers(named: set[str], above: str, link: Link) -> bool:
    """Whether what is named is the value of the property that the text above names, or one of the answers it offers."""
    if not any(_property([word]) for word in _WORD.findall(above)):
        return False
    key = _named(above, link) | _named(_spread(above), link, _PLACES)
    chosen = above.rstrip().endswith("?") and len(key) > 1
    return bool(key) and bool(named if chosen else named - key)


def data(text: str) -> bool:
    """Whether a block is data and no program."""
    return _DATA.search(text) is not None


def hidden_in_code(text: str, link: Link, *, data: bool) -> tuple[NotChecked, str] | None:
    """Why code, or `data`, that nothing was read of is to be named: it names two known things, or one and a property.
    Identifiers count by the words in them.
    """
    text = _FENCE.sub("", text)  # the name of a language says nothing
    named = _named(text, link) | _named(_spread(text), link, _PLACES)
    words = [word.lower() for word in _CASED.findall(text)]
    if not named or (len(named) == 1 and not any(_property([word]) for word in words)):
        return None
    return _PAIR if data else (NotChecked.CODE, "names in code")


def _paired(text: str, link: Link) -> bool:
    """Whether marks set two known things side by side, or a property and a known thing: "Australia → Sydney"."""
    sides = [side for side in _PAIRING.split(text) if _WORD.search(side)]
    if len(sides) < 2:
        return False
    keys = [_property(_WORD.findall(side)) for side in sides]
    named = [
        set() if key else _named(side, link) or _named(_spread(side), link, _PLACES)
        for side, key in zip(sides, keys, strict=True)
    ]
    if any(keys):
        return any(named)
    return any(left and right and left != right for left, right in pairwise([one for one in named if one]))


def _named(text: str, link: Link, kinds: frozenset[str] = _NAMES) -> set[str]:
    """The ids of the known things of these kinds that a text names: persons, places, bodies, works; not flour or football."""
    table = load_kinds()
    return {one.entity.id for one in link(text) if one.entity is not None and table.mention(one) & kinds}


def _spread(text: str) -> str:
    """The words of a text, also those within identifiers, each with a capital and by itself."""
    return " . ".join(word.capitalize() for word in _CASED.findall(text) if word.lower() not in _JOINING)


def _property(words: Sequence[str]) -> bool:
    """Whether words name a property: "Capital", "date of birth"."""
    words = [word.lower() for word in words if word.lower() != "the"]
    return bool(words) and len(words) <= _LONG_KEY and (noun_key(words),) in load_lexicon().nouns


def _asserts(text: str) -> bool:
    """Whether a line that passed as a heading has a subject and a finite verb: a title in capitals, too; no lead-in."""
    words = [token for token in _tagged(text) if token[0].isalpha()]
    if len(words) < _SENTENCE or words[0][0] in _ASKING or text.rstrip("*_ ").endswith(":"):
        return False
    return any(tag in _FINITE for _, tag in words[1:])


def _ended(text: str, link: Link) -> bool:
    """Whether a line that passed as a heading ends as a sentence does, or with a name and a colon, and names two known things."""
    words, end = _WORD.findall(text), text.rstrip('*_"”) ')[-1:]
    whole = end == "." or (end == ":" and words[-1:] != [] and words[-1][0].isupper())
    return whole and len(words) >= _SENTENCE and len(_named(text, link)) > 1


def _verb(text: str) -> bool:
    return any(tag in _FINITE for _, tag in _tagged(text))


def _tagged(text: str) -> Iterator[tuple[str, str]]:
    """The words in small letters with their tags; a line in capitals is read as if it were not."""
    doc = parser(language_pipeline()).read_long(text.lower() if text.isupper() else text)
    return ((token.low, token.tag) for token in doc.tokens)
