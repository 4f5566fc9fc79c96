"""The words of a sentence that head claims of their own."""

from __future__ import annotations

from collections.abc import Iterator

from guardrail.language import Doc, Token
from guardrail.language.lists import word_list
from guardrail.rules import rule

__all__ = [
    "CONTRASTING",
    "PREDICATES",
    "SUBJECTS",
    "clausal",
    "described",
    "finite",
    "heads",
    "opens",
    "subject",
]

PREDICATES = frozenset({"VBD", "VBP", "VBZ", "MD"})
# Both sides of these state facts; what any other of these words opens decides when or whether the rest holds.
CONTRASTING = word_list("contrasting") | {"so"}
_DECIDING = frozenset(
    "if unless until because since as when whenever once before after provided that even than like whether lest except".split()
)
# Before its subject such a word sets a condition, in a sentence that asks nothing.
_SUPPOSING = frozenset("should had were".split())
_DENYING = frozenset({"not", "n't", "n’t", "never"})
_FOCUSING = frozenset("only not even just also especially".split())
_RELATIVE = frozenset("which who whom whose where when".split())
_SAYING = frozenset(
    "say tell write report note add explain announce claim state warn argue believe think find suggest reply ask confirm insist".split()
)
_MODIFYING = frozenset(
    "comparing compared counting including excluding depending given based starting beginning following "
    "provided providing assuming seeing".split()
)
_VERBS = frozenset({"VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "MD"})
SUBJECTS = ("nsubj", "csubj", "expl")
_NOMINAL = frozenset(
    {"obj", "iobj", "obl", "nmod", "conj", "appos", "xcomp", "nsubj", "amod", "acl", "dep", "list"}
)
_BREAKS = frozenset({";", ":", "—", "–"})


def heads(doc: Doc) -> list[int]:
    """The places of the heads, in order; the first root is one of them."""
    found: set[int] = set()
    for root in doc.roots():
        if not found or clausal(doc, root):
            found.add(root.at)
            found.update(_within(doc, root))
    return sorted(found)


def clausal(doc: Doc, token: Token) -> bool:
    """Whether a word is a predicate: a verb, or what a form of "be" or an auxiliary leads to."""
    return token.tag in _VERBS or any(
        kid.dep in ("cop", "aux", "aux:pass") or kid.dep.startswith("nsubj") for kid in doc.kids(token.at)
    )


def subject(doc: Doc, token: Token) -> Token | None:
    """What a predicate is said of, where the clause names it."""
    return next((kid for kid in doc.kids(token.at) if kid.dep.startswith(SUBJECTS)), None)


def finite(doc: Doc, token: Token) -> bool:
    """Whether a predicate has a tense, of its own or by its auxiliary."""
    return token.tag in PREDICATES or any(
        kid.tag in PREDICATES and kid.dep in ("cop", "aux", "aux:pass") for kid in doc.kids(token.at)
    )


def _within(doc: Doc, top: Token) -> Iterator[int]:
    """Below a claim's head the heads of other claims."""
    for kid in doc.kids(top.at):
        if _stands_alone(doc, top, kid) and not _conditional(doc, top, kid):
            yield kid.at
            yield from _within(doc, kid)
        elif not kid.dep.startswith(("advcl", "acl:relcl", "ccomp", "csubj")):
            yield from _nested(doc, kid)
        elif kid.dep == "ccomp":
            yield from _second_content(doc, kid)


@rule("split-nested")
def _nested(doc: Doc, token: Token) -> Iterator[int]:
    """Clauses that hang on a noun phrase: what is added at the end, and predicates that were joined to a noun."""
    for kid in doc.kids(token.at):
        joined = kid.dep == "conj" and kid.tag in PREDICATES and not _decided(doc, kid)
        if joined or _added(doc, kid):
            yield kid.at
            yield from _within(doc, kid)
        elif kid.dep.split(":")[0] in _NOMINAL and kid.dep != "acl:relcl":
            yield from _nested(doc, kid)


@rule("split-second-that")
def _second_content(doc: Doc, content: Token) -> Iterator[int]:
    """What follows the second "that": "says that …, and that …"."""
    for kid in doc.kids(content.at):
        if kid.dep == "conj" and any(one.dep == "mark" and one.low == "that" for one in doc.kids(kid.at)):
            yield kid.at


def _stands_alone(doc: Doc, top: Token, kid: Token) -> bool:
    if _saying(doc, kid):
        return False
    if kid.dep == "conj":
        return _joined(doc, top, kid)
    if kid.dep.startswith("parataxis") and subject(doc, kid) is not None:
        return _tells(doc, kid)
    if kid.dep == "ccomp":
        return subject(doc, kid) is not None and _marked_off(doc, top, kid)
    if kid.dep.startswith("advcl") and subject(doc, kid) is not None:
        return _contrasting(doc, kid)
    return _added(doc, kid)


def _tells(doc: Doc, kid: Token) -> bool:
    """Whether a clause has a tense, and nothing makes it a condition of another."""
    return clausal(doc, kid) and finite(doc, kid) and not _decided(doc, kid)


def _joined(doc: Doc, top: Token, kid: Token) -> bool:
    """Whether what is joined to a claim is one, too."""
    if not clausal(doc, top) or _decided(doc, kid) or _denied_with(doc, top, kid):
        return False
    return described(doc, top, kid) or (clausal(doc, kid) and not _listed(doc, top, kid))


@rule("denied-together", silent=False)
def _denied_with(doc: Doc, top: Token, kid: Token) -> bool:
    """Whether one "not" denies two verbs of one auxiliary: "was not written or directed by Anna"."""
    denied = any(one.low in _DENYING and one.at < top.at for one in doc.kids(top.at))
    own = any(one.dep.startswith(("nsubj", "aux", "cop")) for one in doc.kids(kid.at))
    alternative = any(one.dep == "cc" and one.low == "or" for one in doc.kids(kid.at))
    return denied and not own and (alternative or kid.tag in ("VB", "VBN"))


@rule("saying-clauses", silent=False)
def _saying(doc: Doc, kid: Token) -> bool:
    """Whether a clause only tells who says what is told: "…, police said", "…, she wrote in May"."""
    own = [one for one in doc.kids(kid.at) if one.dep in ("obj", "ccomp", "xcomp")]
    return kid.lemma in _SAYING and subject(doc, kid) is not None and not own and kid.dep != "conj"


@rule("inverted-conditions", silent=False)
def _conditional(doc: Doc, top: Token, kid: Token) -> bool:
    """Whether a clause holds on the condition that the one before it sets by its order: "Should it rain, the concert moves"."""
    first, who = doc.tokens[0], subject(doc, top)
    inverted = first.head == top.at and first.low in _SUPPOSING and who is not None and who.at > first.at
    return inverted and subject(doc, kid) is not None and not doc.text.rstrip().endswith("?")


def _decided(doc: Doc, kid: Token) -> bool:
    """Whether a clause opens with a word that makes it a condition, a reason or a time of the rest."""
    first = doc.first[kid.at]
    while first < kid.at and doc.tokens[first].dep in ("cc", "punct"):
        first += 1
    return opens(doc, first)


def opens(doc: Doc, first: int) -> bool:
    """Whether the word at `first` opens a clause that goes with the one before it."""
    while doc.tokens[first].low in _FOCUSING and first + 1 < len(doc):
        first += 1
    word = doc.tokens[first]
    again = word.low == "that" and first > 0 and doc.tokens[first - 1].low in ("and", "but", "or")
    return word.low in _DECIDING and word.tag in ("IN", "WRB", "VBN", "RB", "WDT", "DT") and not again


@rule("described", silent=False)
def described(doc: Doc, top: Token, kid: Token) -> bool:
    """Whether "is" tells first what something is and then what it is like: "is a lake and famous for its colour"."""
    copula = any(one.dep == "cop" for one in doc.kids(top.at))
    return copula and top.tag.startswith("NN") and kid.tag.startswith("JJ") and bool(doc.children[kid.at])


@rule("verbs-side-by-side", silent=False)
def _listed(doc: Doc, top: Token, kid: Token) -> bool:
    """Whether verbs stand side by side over one object: "read, write and delete files"."""
    between = (doc.tokens[at] for at in range(top.at + 1, kid.at))
    bare = all(one.dep in ("punct", "cc", "conj") for one in between)
    return bare and subject(doc, kid) is None and not any(one.dep == "aux:pass" for one in doc.kids(top.at))


@rule("split-marked-off", silent=False)
def _marked_off(doc: Doc, top: Token, kid: Token) -> bool:
    """Whether a colon, a semicolon or a dash stands between a clause and what it hangs on, and nobody says it."""
    between = doc.tokens[min(top.at, kid.at) : max(top.at, kid.at)]
    return top.lemma not in _SAYING and any(one.text in _BREAKS for one in between)


@rule("split-contrasts", silent=False)
def _contrasting(doc: Doc, kid: Token) -> bool:
    """Whether a clause says the contrary of the other one: "while", "whereas"."""
    marks = [one for one in doc.kids(kid.at) if one.dep in ("mark", "advmod") and one.at == doc.first[kid.at]]
    return any(
        one.low in CONTRASTING
        and doc.tokens[one.at + 1].low not in ("that", "as")
        and not (one.low == "while" and _meanwhile(doc, one))
        for one in marks
    )


def _meanwhile(doc: Doc, mark: Token) -> bool:
    """Whether "while" tells when: without a comma before it, or before a pronoun at the start ("While you are gone, …")."""
    return not _behind_comma(doc, mark.at) if mark.at else doc.tokens[1].tag == "PRP"


@rule("split-added", silent=False)
def _added(doc: Doc, kid: Token) -> bool:
    """Whether a clause at an end of the sentence adds a fact: ", which …", ", founded in 1998", "Founded in 1998, …"."""
    first, last = doc.first[kid.at], doc.last[kid.at]
    at_end = _behind_comma(doc, first) and _ends(doc, last)
    if kid.dep == "acl:relcl":
        return at_end and any(token.low in _RELATIVE for token in doc.tokens[first : first + 3])
    return _bare_participle(doc, kid) and (at_end or (kid.tag == "VBN" and first == 0))


def _bare_participle(doc: Doc, kid: Token) -> bool:
    """Whether a participle has neither a subject nor a word that joins it to the rest."""
    if kid.tag not in ("VBN", "VBG") or kid.dep not in ("acl", "advcl", "parataxis"):
        return False
    marked = kid.low in _MODIFYING or any(one.dep == "mark" for one in doc.kids(kid.at))
    return not marked and subject(doc, kid) is None


def _behind_comma(doc: Doc, first: int) -> bool:
    own, before = doc.tokens[first].text, doc.tokens[first - 1].text if first else ""
    return bool({own, before} & {",", "–", "—", "("})


def _ends(doc: Doc, last: int) -> bool:
    return all(one.dep == "punct" for one in doc.tokens[last + 1 :])
