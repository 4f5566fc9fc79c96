"""Tokens to chunks: noun phrases with their of-phrases, verb groups, prepositions and the marks between them.

A shallow parse in one pass. Names that the linker has found and dates are atoms: nothing inside them is read as a word.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from guardrail.claims.tokens import Token
from guardrail.claims.words import PARTICLES, base, stem

__all__ = ["MEASURES", "NP", "VG", "Chunk", "Mark", "chunk"]

_NOUN = ("NN", "NNS", "NNP", "NNPS")
_PRE = ("JJ", "JJR", "JJS", "CD", "NN", "NNS", "NNP", "NNPS", "$", "FW", "ADD", "#")
_BEFORE_PARTICIPLE = frozenset({"", "DT", "PRP$", "JJ", "CD", "IN", "RB", "POS", "CC", "VBD", "VBZ", ","})
_OPEN_DET = ("DT", "PDT", "PRP$", "WP$")
_AUX = frozenset({"be", "hav", "do"})
_NEGATIONS = frozenset({"not", "n't", "never", "no", "nor", "neither", "hardly", "barely", "scarcely"})
# "went on to win", "continued to play": the second verb is what is said.
_CATENATIVE = frozenset(
    {"go", "continu", "begin", "start", "com", "help", "manag", "us", "get", "proceed", "serv"}
)
_SEEMING = frozenset(
    {
        "seem",
        "appear",
        "believ",
        "sai",
        "think",
        "alleg",
        "report",
        "rumor",
        "rumour",
        "suppos",
        "assum",
        "consider",
        "claim",
    }
)
_HEDGING_MODALS = frozenset({"may", "might", "could", "would", "should", "must", "can"})
MEASURES = frozenset("tall long wide high deep old thick heavy".split())
_COPULAS = frozenset({"be", "becom", "remain", "seem", "appear"})


@dataclass(slots=True, eq=False)
class NP:
    """A noun phrase. Token indices: `first`…`last` is the phrase without its of-phrase, `end` the last one with it.

    `title`: the common nouns before a name ("actor" in "the actor Tom Hanks"); `owner`: whose, in "France's capital".
    """

    first: int
    last: int
    head: int
    end: int
    kind: Literal["name", "common", "pronoun", "value"]
    det: str = ""
    owner: NP | None = None
    of: list[NP] = field(default_factory=list)
    also: list[NP] = field(default_factory=list)  # coordinated with it
    said: list[NP] = field(default_factory=list)  # in apposition to it
    title: tuple[int, int] | None = None

    def each(self) -> Iterator[NP]:
        """Itself and what is coordinated with it."""
        yield self
        yield from self.also


@dataclass(slots=True, eq=False)
class VG:
    """A verb group: auxiliaries, adverbs and the verb whose `stem` is the key; `particle` as in "set up"."""

    first: int
    last: int
    main: int
    stem: str
    form: Literal["finite", "participle", "gerund", "infinitive", "base"]
    voice: Literal["active", "passive", "copula"] = "active"
    past: bool = False
    negated: bool = False
    never: bool = False
    hedged: bool = False
    former: bool = False
    perfect: bool = False


@dataclass(slots=True, eq=False)
class Mark:
    """Whatever else: "prep", "rel", "sub", "cc", "comma", "open", "close", "break", "adj", "adv", "to", "there", "other"."""

    kind: str
    at: int
    low: str
    end: int = -1


Chunk = NP | VG | Mark

_SUBORDINATORS = frozenset(
    "if unless because since although though while whereas when whenever until once whether that as after before so than lest".split()
)
_PUNCTUATION = {",": "comma", ";": "break", ":": "break", "—": "break", "–": "break", "--": "break", "(": "open", "[": "open", ")": "close", "]": "close"}  # fmt: skip
_QUOTES = frozenset("\"'“”„‘’«»`")


class _Reader:
    def __init__(self, tokens: Sequence[Token], values: Sequence[tuple[int, int]]) -> None:
        self.tokens = tokens
        self.values = dict(values)  # first token → last token of an atomic date
        self.count = len(tokens)

    def tag(self, at: int) -> str:
        return self.tokens[at].tag if at < self.count else ""

    def low(self, at: int) -> str:
        return self.tokens[at].low if at < self.count else ""

    # ── noun phrases ──────────────────────────────────────────────────────────────────────────────────

    def name_end(self, at: int) -> int:
        """The last token of the mention that begins here, or `at` itself."""
        mention = self.tokens[at].mention
        end = at
        while mention >= 0 and end + 1 < self.count and self.tokens[end + 1].mention == mention:
            end += 1
        return end

    def noun_phrase(self, at: int) -> NP | None:
        if at in self.values:
            last = self.values[at]
            return NP(at, last, last, last, "value")
        if self.tag(at) in ("PRP", "EX", "WP") and self.tag(at) == "PRP":
            return NP(at, at, at, at, "pronoun")
        first, det, owner = at, "", None
        while self.tag(at) in _OPEN_DET and self.tokens[at].mention < 0:
            det = self.low(at)
            at += 1
        last = self._core(at)
        if last is None:
            if det in ("this", "that", "these", "those", "both", "all", "some", "many") and at - 1 == first:
                return NP(first, first, first, first, "pronoun", det=det)
            return None
        np = self._phrase(first, at, last, det, owner)
        while self.tag(np.last + 1) == "POS" or (
            self.low(np.last + 1) in ("'", "’")
            and self.low(np.last).endswith("s")
            and self._core(np.last + 2) is not None
        ):
            start = np.last + 2
            last = self._core(start)
            if last is None:
                np.last = np.end = np.last + 1
                break
            owner, np = np, self._phrase(first, start, last, "", np)
            np.owner = owner
        self._of(np)
        return np

    def _phrase(self, first: int, start: int, last: int, det: str, owner: NP | None) -> NP:
        head = last
        kind: Literal["name", "common"] = "name" if self._named(last) else "common"
        if kind == "common" and not self.tag(last).startswith("N"):
            nouns = [i for i in range(start, last + 1) if self.tag(i) in _NOUN]
            head = nouns[-1] if nouns else last
        np = NP(first, last, head, last, kind, det, owner)
        if kind == "name":
            at = last
            while at > start and self._named(at - 1):
                at -= 1
            if at > start:
                np.title = (start, at - 1)
        return np

    def _named(self, at: int) -> bool:
        token = self.tokens[at]
        return token.tag in ("NNP", "NNPS")

    def _core(self, at: int) -> int | None:
        """The last token of the adjectives, numbers and nouns from `at` on; None when there is no head among them."""
        end: int | None = None
        while at < self.count:
            token, tag = self.tokens[at], self.tag(at)
            if at in self.values and end is not None:
                break
            if token.mention >= 0 and token.tag == "NNP":
                end = at = self.name_end(at)
            elif tag in _PRE:
                if end is not None and self._stops(at):
                    break
                end = at
            elif tag in ("VBN", "VBG", "RB", "RBR", "RBS", "HYPH", "CC", ",") or token.low in _QUOTES:
                if not self._goes_on(at, end):
                    break
            elif tag != "SYM" and token.low not in ("&", "/", "-"):
                break
            at += 1
        return end

    def _stops(self, at: int) -> bool:
        """An adjective behind its noun is no part of the phrase: "30 years old", "anyone significant"."""
        if self.low(at) in MEASURES and self.tag(at - 1) in ("NN", "NNS"):
            return True
        return (
            self.tag(at).startswith("JJ")
            and self.tag(at - 1) in ("NN", "NNS", "NNP", "NNPS")
            and self.tag(at + 1) not in _NOUN
        )

    def _goes_on(self, at: int, end: int | None) -> bool:
        """A word that is part of a noun phrase only if a noun follows: "newly elected president", "black and white film"."""
        tag, following = self.tag(at), self.tag(at + 1)
        if tag in ("RB", "RBR", "RBS"):
            return (
                following in ("JJ", "VBN", "CD", "JJR")
                and (end is None or self.low(at) in ("most", "more"))
                and self.tag(at + 2) in (*_PRE, ",")
            )
        if tag in ("VBN", "VBG"):
            before = self.tag(at - 1) if at else ""
            if end is not None and before in (*_NOUN, "CD"):
                return False
            if tag == "VBG":
                return following in ("NN", "NNS") and before in ("DT", "PRP$", "JJ", "POS")
            return following in (*_NOUN, "JJ") and before in _BEFORE_PARTICIPLE
        if self.tokens[at].low in _QUOTES:
            return following in ("NNP", "NNPS", "JJ", "NN") and end is not None
        adjectives = ("JJ", "VBN")
        return (
            self.tag(at - 1) in adjectives
            and end == at - 1
            and following in (*adjectives, "RB")
            and self.tag(at + 2) in ("NN", "NNS", "JJ", "NNP")
        )

    def _of(self, np: NP) -> None:
        """Attaches "of …", with what is coordinated in it."""
        np.end = np.last
        at = np.last + 1
        if self.low(at) != "of" or np.kind == "pronoun":
            return
        inner = self.noun_phrase(at + 1)
        if inner is None:
            return
        np.of, np.end = [inner], inner.end
        while (step := self._conjunction(np.end + 1)) and (other := self.noun_phrase(step)):
            if (
                self.verb_at(other.end + 1)
                or self.tag(other.end + 1) in ("IN", ",")
                and self.low(step - 1) == ","
            ):
                break
            if self.tag(other.head).startswith("JJ") or (inner.kind == "name" and other.kind == "common"):
                break
            np.of.append(other)
            np.end = other.end

    def _conjunction(self, at: int) -> int:
        """Where the next conjunct begins after ", and", "and" or "or"; 0 when there is none."""
        if self.low(at) == "," and self.low(at + 1) in ("and", "or", "&"):
            return at + 2
        return at + 1 if self.low(at) in ("and", "or", "&") else 0

    # ── verb groups ───────────────────────────────────────────────────────────────────────────────────

    def verb_at(self, at: int) -> bool:
        """A finite verb begins here (after adverbs)."""
        while self.tag(at) == "RB":
            at += 1
        return self.tag(at) in ("VBD", "VBZ", "VBP", "MD")

    def verb_group(self, at: int) -> VG | None:
        first, infinitive = at, False
        if self.tag(at) == "TO" and self._verb_after(at + 1):
            infinitive, at = True, at + 1
        chain: list[int] = []
        flags = {"negated": False, "never": False, "former": False}
        while at < self.count:
            tag, low = self.tag(at), self.low(at)
            if tag == "MD" or (tag.startswith("VB") and self._continues(chain, at)):
                chain.append(at)
            elif (
                (tag.startswith("RB") or low in _NEGATIONS) and chain and self._verb_or_adverb(at + 1, chain)
            ):
                pass
            elif low in ("not", "n't", "never"):
                flags["negated"] = True
                flags["never"] |= low == "never"
                if not chain:
                    break
                at += 1
                continue
            else:
                break
            flags["negated"] |= low in _NEGATIONS
            flags["never"] |= low == "never"
            flags["former"] |= low in ("formerly", "previously", "once", "originally")
            at += 1
        if not chain:
            return None
        return self._group(first, chain, infinitive, flags)

    def _continues(self, chain: list[int], at: int) -> bool:
        """Whether the verb at `at` belongs to the group: after a modal or an auxiliary."""
        if not chain:
            return True
        last = stem(self.tokens[chain[-1]].text)
        tag = self.tag(at)
        if self.tag(chain[-1]) == "MD" or last == "do":
            return tag in ("VB", "VBP")
        return last in ("be", "hav", "get") and tag in ("VBN", "VBG", "VBD")

    def _verb_after(self, at: int) -> bool:
        while self.tag(at) in ("RB", "RBR"):
            at += 1
        return self.tag(at) in ("VB", "VBP")

    def _verb_or_adverb(self, at: int, chain: list[int]) -> bool:
        if stem(self.tokens[chain[-1]].text) not in _AUX and self.tag(chain[-1]) != "MD":
            return False
        while self.tag(at).startswith("RB") or self.low(at) in _NEGATIONS:
            at += 1
        return self.tag(at).startswith("VB")

    def _group(self, first: int, chain: list[int], infinitive: bool, flags: dict[str, bool]) -> VG:
        main = chain[-1]
        tags = [self.tag(at) for at in chain]
        stems = [stem(self.tokens[at].text) for at in chain]
        voice: Literal["active", "passive", "copula"] = "active"
        if "be" in stems[:-1] and tags[-1] in ("VBN", "VBD"):
            voice = "passive"
        elif stems[-1] in _COPULAS:
            voice = "copula"
        form: Literal["finite", "participle", "gerund", "infinitive", "base"] = "finite"
        if infinitive:
            form = "infinitive"
        elif tags[0] == "VBN":
            form, voice = "participle", "passive"
        elif tags[0] == "VBG":
            form = "gerund"
        elif tags[0] == "VB":
            form = "base"
        word = self.tokens[main].low
        particle = f"{base(word)} {self.low(main + 1)}" in PARTICLES
        group = VG(
            first,
            main + particle,
            main,
            stem(word) + (f" {self.low(main + 1)}" if particle else ""),
            form,
            voice,
            past=tags[0] == "VBD"
            or form == "participle"
            or (tags[0] in ("VBZ", "VBP") and stems[0] == "hav" and len(chain) > 1),
            hedged=tags[0] == "MD" and self.low(chain[0]) in _HEDGING_MODALS,
            perfect=stems[0] == "hav" and len(chain) > 1,
            **flags,
        )
        return self._catenated(group)

    def _catenated(self, group: VG) -> VG:
        """ "went on to win" is winning; "is said to have won" is winning, hedged; "used to play" is playing, formerly."""
        to = group.last + 1
        if self.low(to) == "on" and group.stem == "go":
            to += 1
        if self.tag(to) != "TO":
            return group
        if not (group.stem.split()[0] in _CATENATIVE or group.stem in _SEEMING):
            return group
        inner = self.verb_group(to)
        if inner is None or inner.form != "infinitive":
            return group
        inner.first = group.first
        inner.form, inner.past = group.form, group.past or group.perfect
        inner.negated |= group.negated
        inner.never |= group.never
        inner.hedged |= group.hedged or group.stem in _SEEMING
        inner.former |= group.stem == "us"
        return inner

    # ── the stream ────────────────────────────────────────────────────────────────────────────────────

    def read(self) -> Iterator[Chunk]:
        at = 0
        while at < self.count:
            item = self._next(at)
            yield item
            at = (
                max(
                    item.end
                    if isinstance(item, NP)
                    else item.last
                    if isinstance(item, VG)
                    else max(item.end, item.at),
                    at,
                )
                + 1
            )

    def _next(self, at: int) -> Chunk:
        token, tag = self.tokens[at], self.tag(at)
        if token.mention < 0 or not token.text[:1].isupper():
            if token.low in _PUNCTUATION:
                return Mark(_PUNCTUATION[token.low], at, token.low)
            if tag == "EX":
                return Mark("there", at, token.low)
            if tag in ("WDT", "WP", "WP$", "WRB") and not (tag == "WRB" and token.low == "when" and not at):
                return Mark("rel", at, token.low)
            if token.low == "that" and tag in ("WDT", "IN"):
                return Mark("rel" if tag == "WDT" else "sub", at, token.low)
            if (
                tag.startswith("VB") or tag in ("MD", "TO") or token.low in ("not", "never")
            ) and not self._adjectival(at):
                if group := self.verb_group(at):
                    return group
        if (np := self.noun_phrase(at)) is not None:
            if (
                self.tag(np.head) in ("JJ", "JJR", "JJS")
                and np.det not in ("the", "a", "an")
                and np.kind == "common"
            ):
                return Mark("adj", np.first, token.low, np.last)
            return np
        if tag == "CC" or token.low in ("nor", "but"):
            return Mark("cc", at, token.low)
        if tag in ("IN", "TO") or token.low == "per":
            multi = self._multiword(at)
            if multi > at:
                return Mark("prep", at, " ".join(self.low(i) for i in range(at, multi + 1)), multi)
            if token.low in _SUBORDINATORS and self._clause_ahead(at + 1):
                return Mark("sub", at, token.low)
            return Mark("prep", at, token.low)
        if tag == "WRB":
            return Mark("sub", at, token.low)
        if tag.startswith(("JJ", "VBN")):
            return Mark("adj", at, token.low)
        return Mark("adv" if tag.startswith("RB") else "other", at, token.low)

    def _adjectival(self, at: int) -> bool:
        """A participle before a noun at the beginning of a noun phrase ("featured guests")."""
        return (
            self.tag(at) in ("VBN", "VBG")
            and self._core(at) is not None
            and self._goes_on(at, None)
            and not (at and self.tag(at - 1) in _NOUN)
        )

    def _multiword(self, at: int) -> int:
        pair = (self.low(at), self.low(at + 1))
        if pair in _PAIRS:
            return at + 2 if (*pair, self.low(at + 2)) in _TRIPLES else at + 1
        return at

    def _clause_ahead(self, at: int) -> bool:
        """A noun phrase and a finite verb follow, so that the word is a subordinator and no preposition."""
        while self.tag(at) in ("RB",):
            at += 1
        np = self.noun_phrase(at)
        return np is not None and self.verb_at(np.end + 1)


_PAIRS = frozenset(
    {("because", "of"), ("due", "to"), ("such", "as"), ("according", "to"), ("as", "of"), ("along", "with"), ("together", "with"),
     ("instead", "of"), ("out", "of"), ("up", "to"), ("prior", "to"), ("next", "to"), ("close", "to"), ("away", "from"),
     ("as", "well"), ("in", "addition")}
)  # fmt: skip
_TRIPLES = frozenset({("as", "well", "as"), ("in", "addition", "to")})


def chunk(tokens: Sequence[Token], values: Sequence[tuple[int, int]] = ()) -> list[Chunk]:
    """The chunks of a tagged sentence in order. `values`: (first, last) token of each date that is a phrase of its own."""
    return list(_Reader(tokens, values).read())
