"""What a stretch of a sentence lacks when it stands alone: its subject, the auxiliary that it shares, what "which" means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from guardrail.claims.splitting.heads import PREDICATES, SUBJECTS, clausal, finite, subject
from guardrail.language import Doc, Token
from guardrail.language.lists import word_list
from guardrail.rules import rule

__all__ = ["Lack", "bare", "lacking"]

_RELATIVE = frozenset({"who", "which", "that", "whose"})
_ASKING = frozenset({"WDT", "WP", "WP$", "WRB", "EX"})
_CONTRASTING = word_list("contrasting") - {"while"}
_JOINING = frozenset("and but that while".split())  # within a sentence; at its start "while" tells when
_ADDED = frozenset({"acl", "acl:relcl", "appos", "parataxis", "advcl", "advcl:relcl"})
_AROUND = frozenset(
    "nsubj nsubj:pass csubj expl cop aux advcl obl obl:unmarked case cc mark punct parataxis".split()
)  # what goes with a noun as a predicate and not with it as a name
_MARKS = frozenset({",", "–", "—", "(", "-", ";", ":"})
_AUXILIARIES = frozenset({"aux", "aux:pass", "cop"})
_OPENING = ("obl", "advcl")
_LIMITING = frozenset(
    "if when whenever unless once before after until till".split()
)  # not "although", "because"
_UNCHANGED = frozenset(
    "set put cut let hit cost shut spread split beat bet bid cast hurt quit read shed".split()
)
_MANY = frozenset("you we they these those i".split())
_ONE = frozenset("it he she this that".split())


@dataclass(frozen=True, slots=True)
class Lack:
    """`subject`: the places of its first and its last token. `relative`: of the relative word in whose place it belongs. `auxiliary`:
    the words that the verb lacks. `opening`: the places of what stands before the subject and holds for this verb, too.
    """

    subject: tuple[int, int]
    relative: int | None = None
    auxiliary: tuple[str, ...] = ()
    opening: tuple[int, int] | None = None


def bare(doc: Doc, head: int, first: int) -> int:
    """Where the stretch of a head begins without the words that only join it to what stands before it."""
    at = first
    while at < head and _joins(doc, doc.tokens[at], head):
        at += 1
    return at


def _joins(doc: Doc, token: Token, head: int) -> bool:
    if token.text in _MARKS or (token.dep == "cc" and token.at > 0):
        return token.low not in ("or", "nor")
    if token.head != head or token.dep not in ("mark", "advmod"):
        return False
    after_comma = token.at > 0 and (token.low != "while" or doc.tokens[token.at - 1].text == ",")
    return token.low in _CONTRASTING or (token.low in _JOINING and after_comma)


def lacking(doc: Doc, head: int, first: int, last: int) -> Lack | None:
    """What the stretch from `first` to `last` lacks; None where it lacks nothing, or it is not sure what."""
    token = doc.tokens[head]
    if (relative := _relative_word(doc, token, first)) is not None:
        return _replaced(doc, token, relative)
    who = None if _says_who(doc, token, first, last) else _said_of(doc, token)
    if who is None or first <= who.at <= last or who.tag in _ASKING or not _agree(doc, token, who):
        return None
    auxiliary = _auxiliary(doc, token, who)
    if auxiliary is None:
        return None
    return Lack(_phrase(doc, who, first), None, auxiliary, _opening(doc, token, who))


@rule("openings-shared")
def _opening(doc: Doc, token: Token, who: Token) -> tuple[int, int] | None:
    """What stands before a subject, up to its comma, holds for all its verbs: "In 2019, the festival was opened by Ann and drew 900 people".
    A verb that has a phrase with the same preposition has its own: "In 1999, he moved away and came back in 2003".
    """
    first = doc.tokens[who.head]
    if token.dep != "conj" or first == token:
        return None
    for kid in doc.kids(first.at):
        comma = next((one.at for one in doc.tokens[doc.last[kid.at] : who.at] if one.text == ","), None)
        if comma is not None and _limits(doc, kid):
            own = _prepositions(doc, kid) & _prepositions_of(doc, token)
            return None if own else (doc.first[kid.at], comma)
    return None


def _limits(doc: Doc, opening: Token) -> bool:
    """Whether it says when, where or in which case something holds."""
    if opening.dep.startswith("obl"):
        return True
    return opening.dep == "advcl" and bool(_prepositions(doc, opening) & _LIMITING)


def _prepositions(doc: Doc, word: Token) -> frozenset[str]:
    return frozenset(kid.low for kid in doc.kids(word.at) if kid.dep in ("case", "mark"))


def _prepositions_of(doc: Doc, verb: Token) -> frozenset[str]:
    phrases = (kid for kid in doc.kids(verb.at) if kid.dep.startswith(_OPENING))
    return frozenset().union(*(_prepositions(doc, one) for one in phrases))


def _replaced(doc: Doc, token: Token, relative: int) -> Lack | None:
    """What the relative word that begins a stretch means; None where that is a clause."""
    who = _antecedent(doc, token, doc.tokens[relative])
    first, last = _phrase(doc, who, relative) if who is not None else (relative, relative)
    told = any(one.tag in PREDICATES for one in doc.tokens[first : last + 1])
    return None if who is None or told else Lack((first, last), relative)


def _relative_word(doc: Doc, token: Token, first: int) -> int | None:
    """The place of the relative word that begins a stretch as its subject, or says whose its subject is."""
    word = doc.tokens[first]
    if first == 0 or word.low not in _RELATIVE or word.tag not in _ASKING:
        return None
    return first if word.low == "whose" or subject(doc, token) == word else None


def _says_who(doc: Doc, token: Token, first: int, last: int) -> bool:
    """Whether a subject stands in a stretch before its verb, or what was read as its predicate is one."""
    if any(kid.dep in _AUXILIARIES and kid.at > token.at for kid in doc.kids(token.at)):
        return True  # "wear of drill bits is not"
    for one in doc.tokens[first : last + 1]:
        if one.dep.startswith(SUBJECTS):
            return True
        if one.tag in PREDICATES or (one == token and one.tag.startswith("VB")):
            return False
    return False


def _said_of(doc: Doc, token: Token) -> Token | None:
    """The word for what a predicate is said of: its subject, or that of the verb that it goes with."""
    if (who := subject(doc, token)) is not None:
        if who.low in _RELATIVE and who.tag in _ASKING:
            return _antecedent(doc, token, who)
        return None if _inverted(doc, token, who) else who
    if token.head == token.at:
        return None
    governor = doc.tokens[token.head]
    if token.dep == "conj":
        return _said_of_both(doc, governor)
    if token.dep == "acl":
        return _made(doc, governor)
    return _said_of(doc, governor) if _fronted(doc, token) else None


def _said_of_both(doc: Doc, first: Token) -> Token | None:
    """What the first of two predicates is said of; what was joined to an adverb goes with its verb: "occurs now and then and disappears"."""
    while not clausal(doc, first) and first.head != first.at:
        first = doc.tokens[first.head]
    return _said_of(doc, first)


def _made(doc: Doc, noun: Token) -> Token:
    """What a participle is said of, and not who made it: "a painting by Anna, finished in 1634"."""
    while _behind(doc, noun, "by") and noun.dep.startswith("nmod"):
        noun = doc.tokens[noun.head]
    return _meant(doc, noun)


@rule("fronted-participles", silent=False)
def _fronted(doc: Doc, token: Token) -> bool:
    """Whether a participle that begins a sentence is said of the subject: "Founded in 1998, Acme grew". At its end that is not sure: "the
    lamp has a warranty, counted from the day of purchase".
    """
    return token.dep == "advcl" and token.tag == "VBN" and token.at == 0


def _antecedent(doc: Doc, verb: Token, word: Token) -> Token | None:
    """What a relative clause is said of: what it hangs on, or else the noun right before the relative word."""
    nouns = [doc.tokens[verb.head]] if verb.dep == "acl:relcl" else []
    nouns += [one for one in reversed(doc.tokens[: word.at]) if one.tag.startswith("NN")][:1]
    found = (_fitting(doc, verb, noun, word.low) for noun in nouns if noun.at < word.at)
    return next((one for one in found if one is not None), None)


@rule("relative-antecedents")
def _fitting(doc: Doc, verb: Token, noun: Token, word: str) -> Token | None:
    """The noun, or the one that it belongs to, which agrees with the verb: in "a payment of 9 crowns per metre, which is made in May" the
    payment. None where no noun is meant: "it sails six times a day, which is enough", "…, which is why it is full".
    """
    if noun.dep.endswith(":unmarked") or verb.low == "why":
        return None
    while word == "which" and (_behind(doc, noun, "per") or not _agree(doc, verb, noun)):
        if not noun.dep.startswith(("nmod", "conj")):
            return None
        noun = doc.tokens[noun.head]
    meant = _meant(doc, noun)
    return None if word == "which" and meant.low in ("he", "she") else meant


def _behind(doc: Doc, noun: Token, preposition: str) -> bool:
    return any(kid.dep == "case" and kid.low == preposition for kid in doc.kids(noun.at))


def _inverted(doc: Doc, verb: Token, who: Token) -> bool:
    """A condition: "should you fall ill and need a doctor"."""
    return any(kid.dep in _AUXILIARIES and kid.at < who.at for kid in doc.kids(verb.at))


def _meant(doc: Doc, noun: Token) -> Token:
    """In "Anna is a painter, who …" and "Anna, a painter, who …" the painter is Anna."""
    while (
        noun.dep == "appos" and noun.tag not in ("NNP", "NNPS") and doc.tokens[noun.head].tag.startswith("NN")
    ):
        noun = doc.tokens[noun.head]
    copula = any(kid.dep == "cop" for kid in doc.kids(noun.at))
    who = [kid for kid in doc.kids(noun.at) if kid.dep.startswith("nsubj") and kid.tag not in _ASKING]
    return who[-1] if copula and who else noun


def _agree(doc: Doc, verb: Token, noun: Token) -> bool:
    return {_number_of_verb(doc, verb), _number(doc, noun)} != {"one", "many"}


def _number_of_verb(doc: Doc, verb: Token) -> str:
    """What the form of a verb shows: "one", "many", or nothing."""
    for one in (verb, *(kid for kid in doc.kids(verb.at) if kid.dep in _AUXILIARIES)):
        if one.tag == "VBZ" or one.low == "was":
            return "one"
        if one.tag == "VBP" or one.low == "were":
            return "many"
    return ""


def _number(doc: Doc, noun: Token) -> str:
    """Nothing where it may be either: "the rest of", "Halvorsen Foods"."""
    if noun.low in _MANY or noun.tag == "NNS" or any(kid.dep == "conj" for kid in doc.kids(noun.at)):
        return "many"
    return "one" if noun.low in _ONE or noun.tag == "NN" else ""


def _phrase(doc: Doc, noun: Token, end: int) -> tuple[int, int]:
    """The noun with all that specifies it, without what is only added behind a mark; before `end`, where it stands before it."""
    first, last = doc.first[noun.at], doc.last[noun.at]
    if not noun.tag.startswith("VB"):
        around = (kid.at for kid in doc.kids(noun.at) if kid.at < noun.at and kid.dep in _AROUND)
        first = max((doc.last[at] + 1 for at in around), default=first)
    if noun.at < end:
        last = min(last, end - 1)
    added = (doc.first[one.at] for one in doc.tokens[noun.at + 1 : last + 1] if one.dep in _ADDED)
    last = min((at - 1 for at in added if at > noun.at and _marked(doc, at)), default=last)
    while last > noun.at and doc.tokens[last].text in _MARKS:
        last -= 1
    return first, _beside(doc, noun, last)


def _beside(doc: Doc, noun: Token, last: int) -> int:
    """Where a subject ends of which the parser made two, one right behind the other: "court 5", "the river Irsel"."""
    while last + 1 < len(doc) and noun.dep.startswith("nsubj"):
        more = doc.tokens[last + 1]
        if more.dep != noun.dep or more.head != noun.head or doc.first[more.at] <= last:
            break
        last = doc.last[more.at]
    return last


def _marked(doc: Doc, at: int) -> bool:
    """Whether a mark stands where something begins, or before it."""
    return bool(_MARKS & {doc.tokens[at].text, doc.tokens[at - 1].text})


def _auxiliary(doc: Doc, token: Token, who: Token) -> tuple[str, ...] | None:
    """The words that a verb without a tense needs; None where it is not sure which."""
    if finite(doc, token) or token.tag == "VBG":
        return ()
    if token.dep == "conj":
        return _like_the_first(doc, token, who)
    return ("were" if _number(doc, who) == "many" else "was",) if token.tag == "VBN" else None


def _like_the_first(doc: Doc, token: Token, who: Token) -> tuple[str, ...] | None:
    """The words that a verb shares with the one before it: "may be" in "… may be opened and closed"."""
    shared = _shared(doc, token)
    if own := {kid.low for kid in doc.kids(token.at) if kid.dep in _AUXILIARIES or kid.low == "to"}:
        return None if own & {"to", "do"} else _modal(shared)
    if not shared:
        return () if _present(doc, token, who) else None
    if token.tag != "VB":
        return tuple(kid.text for kid in shared)
    return _modal(shared) or (() if _past(doc, token) else None)


def _past(doc: Doc, token: Token) -> bool:
    """Whether what was read as a base form is a past one that looks like it: "was signed and set a limit"."""
    return token.low in _UNCHANGED and any(kid.dep == "obj" for kid in doc.kids(token.at))


def _modal(shared: Sequence[Token]) -> tuple[str, ...] | None:
    """What may stand before a base form."""
    return tuple(kid.text for kid in shared if kid.tag == "MD" or kid.lemma == "do") or None


def _present(doc: Doc, token: Token, who: Token) -> bool:
    """Whether a base form is one of the present tense: "you come and bring it"."""
    first = doc.tokens[token.head]
    return token.tag == "VB" and first.tag in ("VB", "VBP") and _number(doc, who) != "one"


def _shared(doc: Doc, token: Token) -> list[Token]:
    """The auxiliaries of the verb that another one is joined to."""
    while token.dep == "conj":
        token = doc.tokens[token.head]
        found = [kid for kid in doc.kids(token.at) if kid.dep in _AUXILIARIES and kid.at < token.at]
        if found:
            return found
    return []
