"""What narrows a claim and was compared with nothing: "costs £5 in winter" says more than that it costs £5.

A sentence is a tree. What stands on the way from its verb to the names and values that were compared says how they belong
together, and is what a property was found for. What hangs beside that way says when, how, for whom or how often, and is
told by a statement or by none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from guardrail.check.kg.aligned.fit import affirmed
from guardrail.check.kg.aligned.words import akin, content, framing, words_of
from guardrail.check.kg.compare.names import fold
from guardrail.check.kg.confidence import UNDECIDED
from guardrail.check.kg.rationale import statement
from guardrail.check.kg.symbolic import SymbolicChecker
from guardrail.language import Doc, Parser, Token, parser
from guardrail.language.lists import word_list
from guardrail.rules import rule
from guardrail.types import (
    Checker,
    Claim,
    Embedder,
    Evidence,
    Label,
    Node,
    Profile,
    Reason,
    Slot,
    Span,
    Triplet,
    Value,
    Verdict,
)
from guardrail.values import find_values

__all__ = ["UnaccountedWordsChecker"]

_SHOWN = 4
_NEAR = 3  # tokens behind a subject among which its verb is
_THE = frozenset({"the", "a", "an"})
_LIKELY_MEANT = 0.52  # how like the name of a property a verb is that may mean it
_TELLING = ("NN", "JJ", "RB", "VB", "CD")
"""How the Penn tags of words begin that can narrow a claim."""
_ADJUNCTS = frozenset(
    "obl advmod advcl amod nmod acl appos nummod conj parataxis discourse dislocated orphan list dep vocative".split()
)
"""Relations of Universal Dependencies by which a word hangs on another as something more."""
_OPENING = ("IN", "TO", "CC", "JJ", "RB", "VBG", "WRB", "PDT")
_DEGREES = ("JJR", "JJS", "RBR", "RBS")
_BOUNDS = frozenset({"only", "almost", "nearly"})
_AMOUNTS = frozenset({"many", "much"})
_MARKS = (",", ";", "(", "–", "—", "-")
_ADDING = frozenset({"another", "only", "hardly", "scarcely", "barely", "rarely", "seldom"})
_NEUTRAL = word_list("neutral")
_JOINED = re.compile(r"(?<=[a-z])(?=[A-Z])|[_-]+")
_STATES = frozenset({"become", "remain", "stay"})


class UnaccountedWordsChecker:
    """Implements `Checker`: what another one supports by statements is open where a word of the claim narrows it that no statement
    tells. Passages are read word by word, and their support stands.
    """

    def __init__(
        self, checker: Checker, reader: Parser | None = None, embedder: Embedder | None = None
    ) -> None:
        """`reader` reads the claims; by default the one that ships. `embedder` tells whether a verb may mean a property, for a checker
        that reads statements as a whole: its support stands whatever words narrow the claim.
        """
        self._checker, self._reader, self._embedder = checker, reader or parser(), embedder
        self.name = checker.name

    def check(self, claim: Claim, evidence: Evidence) -> Verdict | None:
        """The verdict of the other one, never supporting more than was compared."""
        verdict = self._checker.check(claim, evidence)
        if verdict is None or verdict.label is Label.EXTRAPOLATORY or verdict.evidence.passages:
            return verdict
        word = self._untold(claim, verdict, self._reader.read(claim.text), evidence.profiles)
        return verdict if word is None else _open(verdict, word)

    def _untold(self, claim: Claim, verdict: Verdict, doc: Doc, profiles: Sequence[Profile]) -> Token | None:
        """The first word by which the claim says more, or speaks of another thing, than what decided."""
        supported = verdict.label is Label.ATTRIBUTABLE
        if part := _untold_part(claim, verdict, doc, profiles):
            return part
        if supported and self._embedder is None and (narrowing := _untold(claim, verdict, doc)):
            return narrowing
        if supported and (kind := _untold_kind(claim, verdict, doc, profiles)):
            return kind
        return _of_another_event(claim, verdict, doc, self._embedder) if self._embedder else None


def _open(verdict: Verdict, word: Token) -> Verdict:
    claim = verdict.claim
    left = Slot(
        property="",
        claimed=word.text,
        known="",
        cardinality="unknown",
        state="unknown",
        span=Span(word.start, word.end).shift(claim.span.start),
    )
    facts = "; ".join(dict.fromkeys(statement(one) for one in verdict.evidence.triplets[:_SHOWN]))
    return replace(
        verdict,
        label=Label.EXTRAPOLATORY,
        reason=Reason.INSUFFICIENT,
        confidence=UNDECIDED,
        rationale=f'The knowledge graph says that {facts}, but nothing about "{word.text}".',
        slot=left,
        slots=(*verdict.slots, left),
    )


@rule("untold-words")
def _untold(claim: Claim, verdict: Verdict, doc: Doc) -> Token | None:
    """The first word that narrows the claim and that no statement of the verdict tells."""
    told, words = _told(claim, verdict), _words(claim, verdict)
    anchors = {t.at for t in doc.tokens if _within(t, told) or (_narrows(t) and _known(t, words))}
    led, trailed = _led(doc, min(anchors, default=0)), _trailed(doc, anchors)
    exact = verdict.checker == SymbolicChecker.name
    spare = (
        t
        for t in doc.tokens
        if t.at not in anchors and _narrows(t) and not _looked_at(t, told, claim.text, exact=exact)
    )
    return next((t for t in spare if not led <= t.at < trailed or _beside(t, anchors, doc)), None)


@rule("untold-kind")
def _untold_kind(claim: Claim, verdict: Verdict, doc: Doc, profiles: Sequence[Profile]) -> Token | None:
    """The noun that says what a thing is, where nothing that is known of it does: "is a chef from Bath" beside where she lives.

    Its class, the file that tells of it and its name do: "a ward with 18 beds" of wards.csv. "A resident of Bath" is no kind of
    thing, but what Bath is to her.
    """
    if verdict.checker == SymbolicChecker.name:
        return None  # it looks at these itself
    told = _told(claim, verdict)
    names = _names(claim, told)
    kinds = [one for one in doc.tokens if _says_kind(one, names, doc) and _narrows(one)]
    spare = [one for one in kinds if not _within(one, told) and not _related(one, names, doc)]
    words = _words(claim, verdict) | _words_of_subjects(verdict, profiles) if spare else frozenset()
    return next((one for one in spare if not _known(one, words)), None)


def _says_kind(token: Token, names: Sequence[Span], doc: Doc) -> bool:
    """Whether it is a noun with "a" that says what a named thing is or becomes."""
    kids = list(doc.kids(token.at))
    if not _is_one_of_many(token, kids):
        return False
    verb = doc.tokens[token.head]
    if not any(kid.dep == "cop" for kid in kids):
        kids = list(doc.kids(verb.at)) if verb.lemma in _STATES and token.dep in ("xcomp", "obj") else []
    of = (kid for kid in kids if kid.dep.startswith("nsubj"))
    return any(kid.tag == "PRP" or _within(kid, names) for kid in of)


def _is_one_of_many(token: Token, kids: Sequence[Token]) -> bool:
    """Whether it is a common noun with "a", or a plural."""
    if not content(token.low):
        return False
    return token.tag == "NNS" or (token.tag == "NN" and any(kid.low in ("a", "an") for kid in kids))


def _related(token: Token, names: Sequence[Span], doc: Doc) -> bool:
    """Whether a noun says what a thing is to another one that is named: "a subsidiary of Elm"."""
    return any(
        _within(kid, names) and any(one.low == "of" for one in doc.kids(kid.at)) for kid in doc.kids(token.at)
    )


def _words_of_subjects(verdict: Verdict, profiles: Sequence[Profile]) -> frozenset[str]:
    """The words of all that is known of the things whose statements decided, and of the files that say it."""
    subjects = {one.subject.id for one in verdict.evidence.triplets}
    known = [one for one in profiles if one.entity.id in subjects]
    texts = [name for one in known for name in (*one.names, *one.object_of, *one.kinds)]
    texts += [text for one in known for triplet in one.statements for text in _texts(triplet)]
    texts += [one.source for one in verdict.evidence.triplets]
    spaced = (_JOINED.sub(" ", text) for text in texts)
    return frozenset(part for text in spaced for word in words_of(text) for part in word.key.split())


@rule("part-of-the-subject")
def _untold_part(claim: Claim, verdict: Verdict, doc: Doc, profiles: Sequence[Profile]) -> Token | None:
    """The noun of a part or an edition of what is named, of which the claim tells something and the graph nothing: "the paperback of
    Saltmarsh Blue costs". Where something is or is not, such a noun may stand for the property: "the cost of it is".
    """
    told = _told(claim, verdict)
    parts = [part for name in _names(claim, told) if (part := _part_of(name, doc)) and _narrows(part)]
    words = _words(claim, verdict) | _words_of_subjects(verdict, profiles) if parts else frozenset()
    return next((one for one in parts if not _within(one, told) and not _known(one, words)), None)


def _part_of(name: Span, doc: Doc) -> Token | None:
    """The noun before "of" and a name, where that one thing is said to do something. By the order of the words, which is surer here
    than how they hang together.
    """
    before = [one for one in doc.tokens if one.end <= name.start and one.low not in _THE]
    if len(before) < 2 or before[-1].low != "of" or not _acts(name, doc):
        return None
    noun = before[-2]
    opens = all(one.tag.startswith(("JJ", "NN", "RB", "CD")) for one in before[:-2])
    return noun if opens and noun.text.islower() and noun.tag in ("NN", "NNP") else None


def _acts(name: Span, doc: Doc) -> bool:
    """Whether a verb that says more than "is" stands behind a name."""
    behind = [one for one in doc.tokens if one.start >= name.end][:_NEAR]
    verb = next((one for one in behind if one.tag.startswith("VB") and one.lemma != "be"), None)
    return verb is not None and behind[0].tag.startswith(("VB", "MD"))


@rule("date-of-another-verb")
def _of_another_event(claim: Claim, verdict: Verdict, doc: Doc, embedder: Embedder) -> Token | None:
    """The verb of a date that is compared with that of another event: "was reviewed on 9 April" beside the date of publication."""
    known = [one for one in verdict.evidence.triplets if _is_date(one.object)]
    verb = _verb(doc, _words(claim, verdict)) if known else None
    if verb is None or not any(
        one.value is not None and _is_date(one.value) for one in find_values(claim.text)
    ):
        return None
    passive = any(kid.dep == "aux:pass" for kid in doc.kids(verb.at))
    said = f"it {'was ' if passive else ''}{verb.low}"
    alike = max(embedder.similarity(said, one.predicate.label) for one in known)
    return verb if alike < _LIKELY_MEANT else None


def _is_date(known: Node | Value) -> bool:
    return isinstance(known, Value) and known.datatype == "date"


def _names(claim: Claim, told: Sequence[Span]) -> list[Span]:
    """The places of names among those of names and values."""
    values = list(_values(claim.text))
    return [one for one in told if not any(one.overlaps(value) for value in values)]


def _verb(doc: Doc, words: frozenset[str]) -> Token | None:
    """The sentence's verb where it says more than that something is so and no statement tells it."""
    root = next((one for one in doc.tokens if one.head == one.at), None)
    if root is None or not root.tag.startswith("VB") or root.lemma in _STATES or not _narrows(root):
        return None
    return None if _known(root, words) else root


def _led(doc: Doc, first: int) -> int:
    """Where the phrase ends that a comma cuts off before the first word that was compared."""
    return next((t.at for t in reversed(doc.tokens[:first]) if t.text == ","), 0)


def _trailed(doc: Doc, anchors: set[int]) -> int:
    """Where a phrase begins behind the last word that was compared: the noun that a number counts is none."""
    behind = doc.tokens[max(anchors, default=len(doc)) + 1 :]
    opening = (
        t for t in behind if t.text in _MARKS or (t.tag.startswith(_OPENING) and t.low not in _NEUTRAL)
    )
    apart = (t for t in opening if not _of_a_term(doc.tokens[t.head], doc))
    return next((t.at for t in apart if not _holds(t, anchors, doc)), len(doc))


def _holds(token: Token, anchors: set[int], doc: Doc) -> bool:
    """Whether something that was compared hangs on a word, or it is that itself."""
    return not anchors.isdisjoint(range(doc.first[token.at], doc.last[token.at] + 1))


def _beside(token: Token, anchors: set[int], doc: Doc) -> bool:
    """Whether a word hangs beside the way between the verb and what was compared, and not as the verb's own object."""
    if token.dep == "compound" and token.head in anchors:
        return True  # "deputy captain" of a property that is "captain"
    while token.head != token.at:
        if _holds(token, anchors, doc) or _of_a_term(token, doc):
            return False
        if token.low in _ADDING or token.dep.partition(":")[0] in _ADJUNCTS:
            return True
        token = doc.tokens[token.head]
    return False


def _of_a_term(token: Token, doc: Doc) -> bool:
    """Whether a bare noun makes one term with the noun before it: "seat of government", "date of birth"."""
    return token.tag == "NN" and [kid.low for kid in doc.kids(token.at)] == ["of"]


def _looked_at(token: Token, told: Sequence[Span], text: str, *, exact: bool) -> bool:
    """Whether the checker looks at such a word itself: a rank, "more", "twice" (`exact`), "only" and "almost" before a value."""
    if token.low in _BOUNDS or token.low in _AMOUNTS:
        return _bounds(token, told, text) and (exact or not _alone(token))
    if exact and (token.tag in _DEGREES or token.tag == "CD" or token.low in ("twice", "thrice")):
        return True
    return token.low == "first" and token.dep == "advmod"


def _alone(token: Token) -> bool:
    """Whether it is said that there is no other: "the only plan with an excess of £100"."""
    return token.low == "only" and token.dep == "amod"


def _bounds(token: Token, told: Sequence[Span], text: str) -> bool:
    """Whether a word belongs to a value: "only" before it, "five times as many"."""
    if token.low in _AMOUNTS:
        return any(place.end + len(" as ") == token.start for place in told)
    near = any(token.end + 1 == place.start for place in told)
    between = any(place.start > token.end for place in _values(text)) and any(
        p.end < token.start for p in told
    )
    return near or (token.low == "only" and between)


def _told(claim: Claim, verdict: Verdict) -> list[Span]:
    """The places of names and values: whether these agree has been looked at."""
    exact = verdict.checker == SymbolicChecker.name  # it accounts for every name of a claim
    compared = [one.span for one in claim.mentions if one.candidates or exact]
    compared += [slot.span for slot in verdict.slots if slot.span is not None and _one_value(slot)]
    places = [span.shift(-claim.span.start) for span in compared if claim.span.contains(span)]
    return [*places, *_values(claim.text), *framing(claim.text, places)]


def _values(text: str) -> Iterator[Span]:
    """The values, each with the words before it that bound it and were compared with it: "at least"."""
    for value in find_values(text):
        if value.span is not None:
            start = text.rfind(value.modifier, 0, value.span.start) if value.modifier else -1
            near = start >= 0 and value.span.start - start - len(value.modifier) <= 1
            yield Span(start if near else value.span.start, value.span.end)


def _one_value(slot: Slot) -> bool:
    """Whether the claimed words are all value: those of a property that is yes or no have other words between."""
    return " " not in slot.claimed or all(affirmed(known) is None for known in slot.values)


def _within(token: Token, places: Sequence[Span]) -> bool:
    return any(place.start < token.end and token.start < place.end for place in places)


def _narrows(token: Token) -> bool:
    if token.low in _ADDING:
        return True
    return (
        token.tag.startswith(_TELLING)
        and token.low not in _NEUTRAL
        and token.lemma not in ("be", "have", "do")
    )


def _known(token: Token, words: frozenset[str]) -> bool:
    key = fold(token.text)
    return any(akin(key, word) for word in words)


def _words(claim: Claim, verdict: Verdict) -> frozenset[str]:
    """The words of the statements that were cited, and of what the names in the claim are."""
    texts = [slot.property for slot in verdict.slots]
    texts += [text for triplet in verdict.evidence.triplets for text in _texts(triplet)]
    texts += [c.entity.description for mention in claim.mentions for c in mention.candidates]
    return frozenset(part for text in texts for word in words_of(text) for part in word.key.split())


def _texts(triplet: Triplet) -> Iterator[str]:
    for one in (triplet.subject, triplet.predicate, triplet.object):
        yield one.label
    for qualifier in triplet.qualifiers:
        yield qualifier.predicate.label
        if isinstance(qualifier.object, Node):
            yield qualifier.object.label
