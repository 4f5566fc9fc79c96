"""What a sentence says of what, as its parse has it: predicates with the phrases in their roles.

Three comparisons stand on it. Roles are exchanged where the claim has the same predicate with its subject and another phrase the
other way round ("B takes over from A"). A claim is mixed where its one statement takes words of two statements of the sentence. It is
restated where it says the same in the other voice.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from guardrail.check.text.compare.stems import in_some_form, like_stems, says_what, stem_of
from guardrail.language import Doc, Token
from guardrail.rules import rule
from guardrail.types import Span

__all__ = ["exchanged", "mixed", "restated", "usurped"]

_SUBJECT = "subject"
_OBJECT = "object"
_OF_A_NAME = ("compound", "amod", "nummod", "flat", "nmod:poss", "nmod:desc")
_BY_THEMSELVES = ("conj", "parataxis")  # relations by which one statement follows another
_SUBJECTS = ("nsubj", "csubj")
# What holds of two things holds of them the other way round.
_MUTUAL = frozenset(
    "meet marry border adjoin equal resemble differ talk speak compete play work live".split()
)


@dataclass(frozen=True, slots=True)
class _Role:
    """`name`: subject, object or the preposition; passives are turned round. `head`: its place; `words`: the stems of the phrase."""

    name: str
    head: int
    words: frozenset[str]


@rule("other-voice", silent=False)
def restated(claim: Doc, sentence: Doc) -> bool:
    """The claim is the sentence in the other voice: one predicate, the same phrases in its roles, and no other word more or less."""
    ours, theirs = _predication(claim), _predication(sentence)
    return ours is not None and ours == theirs


def _predication(doc: Doc) -> tuple[str, str, list[tuple[str, list[str]]], list[str]] | None:
    """The only predicate, its tense, its roles with all words of their phrases, and the words that are left."""
    verb = _only_predicate(doc)
    if verb is None:
        return None
    passive = next((kid for kid in doc.kids(verb.at) if kid.dep == "aux:pass"), None)
    own = [role for role in _roles(doc, verb) if doc.tokens[role.head].head == verb.at]
    phrases = {at for role in own for at in range(doc.first[role.head], doc.last[role.head] + 1)}
    left = [
        t.low for t in doc.tokens if t.at not in phrases and t not in (verb, passive) and t.dep != "punct"
    ]
    roles = sorted((role.name, _phrase(doc, role.head)) for role in own)
    return verb.lemma, (passive or verb).tag.replace("VBP", "VBZ"), roles, sorted(left)


def _only_predicate(doc: Doc) -> Token | None:
    """None where there are several, and in a question."""
    predicates = list(_predicates(doc))
    return predicates[0] if len(predicates) == 1 and not doc.text.rstrip().endswith("?") else None


def _predicates(doc: Doc) -> Iterator[Token]:
    return (token for token in doc.tokens if token.tag.startswith("VB") and not token.dep.startswith("aux"))


def _phrase(doc: Doc, at: int) -> list[str]:
    """The words of a phrase in order; its preposition is the role's name."""
    case = _case(doc, at)
    return [token.low for token in doc.tokens[doc.first[at] : doc.last[at] + 1] if token != case]


def _case(doc: Doc, at: int) -> Token | None:
    return next((kid for kid in doc.kids(at) if kid.dep == "case"), None)


@rule("roles-exchanged")
def exchanged(claim: Doc, sentence: Doc) -> Iterator[tuple[Span, Span]]:
    """Places of phrases that fill each other's roles beside the same predicate: in the claim, then in the sentence."""
    said = _by_lemma(sentence)
    for lemma, predications in _by_lemma(claim).items():
        for ours in () if lemma in _MUTUAL else predications:
            for first in ours:
                for theirs in said.get(lemma, ()):
                    if (there := _exchanged(first, ours, theirs)) is not None:
                        yield _place(claim, first.head), _place(sentence, there.head)


def _exchanged(first: _Role, ours: list[_Role], theirs: list[_Role]) -> _Role | None:
    """What has the role of `first` in the sentence, if the claim has it in the role that `first` has there."""
    for second in ours:
        for there in theirs:
            if second.name == first.name or there.name != first.name or not _same(second, there):
                continue
            if any(one.name == second.name and _same(one, first) for one in theirs):
                return there if not _same(first, there) else None
    return None


@rule("role-usurped", silent="")
def usurped(claim: Doc, sentence: Doc) -> str:
    """A name that the claim has in a role in which the sentence has another name, and nowhere this one; "" where there is none."""
    said = _by_lemma(sentence)
    for lemma, predications in _by_lemma(claim).items():
        theirs = [role for roles in said.get(lemma, ()) for role in roles]
        for role in (role for roles in predications for role in roles):
            there = [one for one in theirs if one.name == role.name]
            names = _is_name(claim, role) and all(_is_name(sentence, one) for one in there)
            if there and names and not any(_same(role, one) for one in there):
                return _place(claim, role.head).of(claim.text)
    return ""


@rule("statements-mixed", silent="")
def mixed(claim: Doc, sentence: Doc) -> str:
    """A word that the claim has from another statement of the sentence than its others; "" where one statement has them all.

    Statements are the main clauses, each with a subject of its own. What a pronoun may stand for belongs to both.
    """
    heads = _statements(sentence)
    if len(heads) < 2 or len(_statements(claim)) > 1:
        return ""
    wanted = {stem_of(token): token.text for token in claim.tokens if says_what(token)}
    held = _by_statement(sentence, heads)
    shares = [frozenset(word for word in wanted if in_some_form(word, words)) for words in held]
    best = max(range(len(heads)), key=lambda at: len(shares[at]))
    for at, share in enumerate(shares):
        foreign = share - shares[best]
        if foreign and shares[best] - share and not _linked(sentence, heads[at], heads[best], heads, held):
            return wanted[min(foreign)]
    return ""


def _by_statement(doc: Doc, heads: list[int]) -> list[frozenset[str]]:
    """The words of each statement; what a pronoun may stand for, the subjects and objects before it, is in both.

    What stands before all subjects ("With a card, …") holds for each.
    """
    held: list[frozenset[str]] = []
    begin = min(doc.first[kid.at] for head in heads if (kid := _subject(doc, head)) is not None)
    shared = frozenset(stem_of(token) for token in doc.tokens[:begin] if says_what(token))
    named: frozenset[str] = frozenset()
    for head in heads:
        words = _below(doc, head, heads) | shared
        held.append(words | named if _is_pronoun(_subject(doc, head)) else words)
        for kid in doc.kids(head):
            if kid.dep.split(":")[0] in (*_SUBJECTS, "obj"):
                named |= _below(doc, kid.at, heads)
    return held


def _statements(doc: Doc) -> list[int]:
    """The heads of the main clauses that have subjects of their own."""
    found = [token.at for token in doc.roots() if _subject(doc, token.at) is not None]
    for at in found:  # grows while it is read
        found.extend(kid.at for kid in doc.kids(at) if kid.dep in _BY_THEMSELVES and _subject(doc, kid.at))
    return sorted(found)


def _below(doc: Doc, head: int, heads: list[int]) -> frozenset[str]:
    """The stems of what hangs on a word, without other statements."""
    words: set[str] = set()
    open_ = [head]
    while open_:
        at = open_.pop()
        if says_what(doc.tokens[at]):
            words.add(stem_of(doc.tokens[at]))
        open_ += [kid for kid in doc.children[at] if kid not in heads]
    return frozenset(words)


def _subject(doc: Doc, head: int) -> Token | None:
    return next((kid for kid in doc.kids(head) if kid.dep.split(":")[0] in _SUBJECTS), None)


def _is_pronoun(token: Token | None) -> bool:
    return token is not None and token.tag in ("PRP", "DT", "WP", "WDT")


def _linked(doc: Doc, one: int, other: int, heads: list[int], held: list[frozenset[str]]) -> bool:
    """Whether the later statement speaks on of what the earlier one named, and not as its subject: "has seats; the seats are …"."""
    early, late = sorted((one, other))
    first, second = _subject(doc, early), _subject(doc, late)
    if first is None or second is None or like_stems(stem_of(first), stem_of(second)):
        return False
    return in_some_form(stem_of(second), held[heads.index(early)])


def _by_lemma(doc: Doc) -> dict[str, list[list[_Role]]]:
    """The roles beside each predicate, by its lemma."""
    found: dict[str, list[list[_Role]]] = {}
    for token in _predicates(doc):
        found.setdefault(token.lemma, []).append(list(_roles(doc, token)))
    return found


def _roles(doc: Doc, predicate: Token) -> Iterator[_Role]:
    passive = any(kid.dep in ("aux:pass", "nsubj:pass") for kid in doc.kids(predicate.at))
    for kid in _phrases(doc, predicate.at):
        case = _case(doc, kid.at)
        name = _role(kid.dep, case.low if case else "", passive=passive)
        if name:
            yield _Role(name, kid.at, _words(doc, kid.at))


def _phrases(doc: Doc, at: int) -> Iterator[Token]:
    """What hangs on the predicate, and the prepositional phrases of its objects, which may as well hang on it."""
    for kid in doc.kids(at):
        yield kid
        if kid.dep.split(":")[0] in ("obj", "obl"):
            yield from (one for one in doc.kids(kid.at) if one.dep == "nmod")


def _role(dep: str, case: str, *, passive: bool) -> str:
    kind = dep.split(":")[0]
    if kind in _SUBJECTS:
        return _OBJECT if passive else _SUBJECT
    if dep == "obl:agent" or (passive and case == "by"):
        return _SUBJECT
    if kind == "obj":
        return _OBJECT
    return case if kind in ("obl", "nmod") else ""


def _words(doc: Doc, at: int) -> frozenset[str]:
    """The stems of a phrase without the phrases that hang on it."""
    found = {stem_of(doc.tokens[at])} if says_what(doc.tokens[at]) else set()
    for kid in doc.kids(at):
        if kid.dep.startswith(_OF_A_NAME):
            found |= _words(doc, kid.at)
    return frozenset(found)


def _place(doc: Doc, at: int) -> Span:
    """Where a phrase stands, without the phrases that hang on it."""
    parts = [at, *(kid.at for kid in doc.kids(at) if kid.dep.startswith(_OF_A_NAME))]
    return Span(doc.tokens[min(parts)].start, doc.tokens[max(parts)].end)


def _is_name(doc: Doc, role: _Role) -> bool:
    return doc.tokens[role.head].tag.startswith("NNP")


def _same(one: _Role, other: _Role) -> bool:
    """Whether two phrases are of one thing: the shorter one's words are all in the longer one."""
    short, long = sorted((one.words, other.words), key=len)
    return bool(short) and all(in_some_form(word, long) for word in short)
