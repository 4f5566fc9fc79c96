"""What nouns say: "is the capital of France", "the capital is Paris", "his wife Anna", "a French physicist", "50 states"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from guardrail.claims.arguments.arguments import Arguments
from guardrail.claims.lexicon.posts import HOLDING, POSITIONS, field_of, post_at
from guardrail.claims.lexicon.relations import Frame, Lexicon, noun_key
from guardrail.claims.lexicon.type_constraints import compatible
from guardrail.claims.reading.chunks import NP, VG
from guardrail.claims.reading.clauses import Complement
from guardrail.ontology import ids
from guardrail.rules import rule
from guardrail.types import Argument, Fact, Span
from guardrail.values.dates import ordinal_number
from guardrail.values.demonyms import DEMONYMS

__all__ = ["HYPHENATED", "SKIP", "Nominals"]

_PARTIES = frozenset(
    {
        "democratic",
        "republican",
        "labour",
        "conservative",
        "liberal",
        "whig",
        "tory",
        "federalist",
        "democrat",
    }
)
(_FIELD,), (_EMPLOYER,) = ids("field of work"), ids("employer")
_FORMER = frozenset({"former", "onetime", "erstwhile", "previous", "late"})
_ROLE_NOUNS = frozenset({"son", "daughter", "member", "part", "native", "child", "graduate"})
# The posts of people who report from abroad or are sent there: "China correspondent" is no Chinese.
_ABROAD = frozenset(
    "correspondent expert specialist analyst coach manager editor scholar ambassador envoy reporter".split()
)
HYPHENATED = {
    "based": ids("headquarters location", "residence", "located in"),
    "born": ids("place of birth"),
    "headquartered": ids("headquarters location"),
    "owned": ids("owned by"),
    "language": ids("language of work", "original language"),
    "speaking": ids("languages spoken", "official language"),
}
"""What an adjective with a hyphen says of a thing, by its second part: "Vienna-born"."""
_COUNTRIES = frozenset(label for _, label in DEMONYMS.values())
_DOERS = ("er", "or", "ist", "ian", "man", "woman", "ess")
_PLACES, _PEOPLE = frozenset({"place", "country", "language"}), frozenset({"person", "man", "woman"})
SKIP = ("DT", "PDT", "PRP$", "POS", "WP$")


@dataclass(slots=True)
class Nominals:
    """Facts of noun phrases. Text order decides subject and object; `^` in a relation says that the graph's order is the other."""

    arguments: Arguments
    lexicon: Lexicon

    def facts(
        self, subject: NP, np: NP, rest: Sequence[Complement], *, tense: str = "", negated: bool = False
    ) -> Iterator[Fact]:
        """The facts of "subject is np": the role towards others, the class, the nationality, the year."""
        who = self.arguments.of(subject)
        flags = (self.former(np) or tense, negated)
        if np.of and np.of[0].kind == "common" and self.arguments.bare(np)[-1:] == ["one"]:
            yield from self.facts(subject, np.of[0], rest, tense=tense, negated=negated)
            return  # "one of the founders of Y"
        related = list(self._roles(who, np, rest, flags)) or list(self._unknown_role(who, np, flags))
        yield from related
        yield from self._classes(who, np, flags, related=bool(related))
        yield from self._adjectives(who, np, flags)

    def former(self, np: NP) -> str:
        """Whether the words of the noun phrase say that it is over: "former" for a fact's tense, else ""."""
        low = self.arguments.reading.low(np.first, np.last)
        return "former" if _FORMER & set(low) or any(word.startswith("ex-") for word in low) else ""

    # ── roles ─────────────────────────────────────────────────────────────────────────────────────────

    def _roles(
        self, who: Argument, np: NP, rest: Sequence[Complement], flags: tuple[str, bool]
    ) -> Iterator[Fact]:
        """What a relational noun says of what it belongs to: "capital of France", "France's capital", "novel by Orwell"."""
        words = self.arguments.bare(np)
        targets = list(self._targets(np, rest)) or [("of", one) for one in self._topic(np, words, who)]
        taken: set[object] = set()
        for prep, target in targets:
            if target.span in taken:
                continue
            relations, key = self._role(words, prep, who, target)
            if relations:
                taken.add(target.span)
                yield self.fact(who, f"is {key} {prep}", target, relations, flags)

    def _targets(self, np: NP, rest: Sequence[Complement]) -> Iterator[tuple[str, Argument]]:
        """What a role may belong to, each with the preposition that says so."""
        for inner in np.of:
            yield from (("of", self.arguments.of(one)) for one in inner.each())
        if (owner := self.arguments.owner(np)) is not None:
            yield "of", owner
        for comp in rest:
            if comp.np is None or not comp.prep:
                break
            yield from ((comp.prep, self.arguments.of(one)) for one in comp.np.each())
        yield from (("of", self.arguments.of(one)) for inner in np.of for one in inner.of)
        for mention in self._before_head(np):
            if not self._country(mention):
                yield from ((prep, mention) for prep in ("of", "for", "at", "from"))

    @rule("roles-of-the-topic")
    def _topic(self, np: NP, words: list[str], who: Argument) -> Iterator[Argument]:
        """What the text is about, where a role is told without whose it is: "Thimphu is the capital"."""
        told = np.det == "the" and self._relational(noun_key(words[-1:]))
        for start in range(len(words) if told else 0):
            topic = self.arguments.only(self.lexicon.nouns.get((noun_key(words[start:]),), ()))
            if topic is not None and topic.mention != who.mention:
                yield topic
                return

    @rule("unknown-roles")
    def _unknown_role(self, who: Argument, np: NP, flags: tuple[str, bool]) -> Iterator[Fact]:
        """A role of which the lexicon knows no relation between two such things: "the inventor of the flumph"."""
        words = self.arguments.bare(np)
        if np.of and words and self._relational(noun_key(words[-1:])):
            yield self.fact(who, f"is {' '.join(words)} of", self.arguments.of(np.of[0]), (), flags)

    @rule("names-before-nouns")
    def _before_head(self, np: NP) -> Iterator[Argument]:
        """Names before a noun: "Conservative Party politician", "Harvard professor"."""
        reading = self.arguments.reading
        for index in dict.fromkeys(reading.tokens[at].mention for at in range(np.start, np.head)):
            name = reading.mentions[index].text if index >= 0 else ""
            if name[:1].isupper() and name.lower() not in DEMONYMS:
                mention = reading.mentions[index]
                yield Argument(mention.text, mention.span, (mention,))

    def _role(
        self, words: list[str], prep: str, who: Argument, target: Argument
    ) -> tuple[tuple[str, ...], str]:
        for start in range(len(words)):
            key = noun_key(words[start:])
            frames = self.lexicon.nominals.get((key, prep), ())
            if prep in ("of", "at", "for", "in"):
                owned = self.lexicon.nouns.get((key,), ())
                frames += tuple(_turn(frame) for frame in owned if prep != "in" or _may_be_in(frame))
            if relations := self.arguments.compatible(frames, who, target):
                return self._worked(relations, key, prep, target), key
        noun = noun_key(words[-1:])
        if post_at(noun, prep, self.arguments.kinds_of(target)):
            return self.arguments.compatible(HOLDING, who, target), noun  # "a zoologist at Ulm University"
        return (), ""

    @rule("posts-at-bodies", passes=1)
    def _worked(self, relations: tuple[str, ...], key: str, prep: str, target: Argument) -> tuple[str, ...]:
        """The relations of a role, with the employer where the role is a post there, or with the field where that is taught."""
        around, noun = self.arguments.kinds_of(target), key.rsplit(" ", 1)[-1]
        if field_of(noun, prep, target.text, self.arguments.kinds.mention(target.mention)):
            return tuple(dict.fromkeys(_FIELD if one == _EMPLOYER else one for one in relations))
        if post_at(noun, prep, around) and _EMPLOYER not in relations and len(relations) < 6:
            return (*relations, _EMPLOYER)
        return relations

    def turned(
        self, subject: NP, whats: Sequence[tuple[Argument, bool]], vg: VG, whose: Argument | None = None
    ) -> Iterator[Fact]:
        """The subject's noun is the relation: "The capital of France is Paris", "its population is 5 million".

        `whats`: what the noun is said to be, and whether that is a common noun; `whose`: the owner where the words before the
        noun name none. Without an owner ("The capital is Paris")
        the noun is the text's topic's, where one fits.
        """
        if subject.kind != "common":
            return
        owner, words = self._owned(subject)
        owner = owner or self._before(subject) or whose
        flags = ("past" if vg.past else "present", vg.negated)
        for what, common in whats:
            if common and what.value is None and not what.mentions and not self._classy(words):
                continue
            yield from self._said_to_be(words, owner, what, flags, topical=subject.det == "the")

    def _said_to_be(
        self,
        words: list[str],
        owner: Argument | None,
        what: Argument,
        flags: tuple[str, bool],
        *,
        topical: bool,
    ) -> Iterator[Fact]:
        """What the owner's noun, or else the topic's, is said to be, by as many of its words as name a relation of such two."""
        for start in range(len(words)):
            key = noun_key(words[start:])
            frames = self.lexicon.nouns.get((key,), ())
            who = owner or (self.arguments.topic(frames) if topical else None)
            if who is not None and (
                relations := self.arguments.compatible(frames, who, what) or self._misfit(frames, who, what)
            ):
                yield self.fact(who, key, what, relations, flags)
                return

    def related(
        self, owner: Argument, words: list[str], what: Argument, flags: tuple[str, bool] = ("", False)
    ) -> Iterator[Fact]:
        """What something is to its owner, by as many words of a noun as name a relation of such two."""
        for start in range(len(words)):
            key = noun_key(words[start:])
            if relations := self.arguments.compatible(self.lexicon.nouns.get((key,), ()), owner, what):
                yield self.fact(owner, key, what, relations, flags)
                return

    def _before(self, np: NP) -> Argument | None:
        """Whose a noun is by the name or the nationality before it: "the Apple founder", "the Swiss capital"."""
        nations = self.arguments.nations(np.head - 1) if np.det == "the" else []
        return next(self._before_head(np), None) or (nations[0] if nations else None)

    @rule("misfits", silent=())
    def _misfit(self, frames: Sequence[Frame], who: Argument, what: Argument) -> tuple[str, ...]:
        """A noun of places said of a person whom the graph knows: "The capital of France is Albert Einstein".

        Whoever says so says it of the relation, which can never hold.
        """
        places = all(frame.object and frame.object <= _PLACES for frame in frames)
        if not frames or not places or what.mention is None:
            return ()
        kinds = self.arguments.kinds.mention(what.mention)
        full = " " in what.text and kinds <= _PEOPLE and "person" in kinds
        return compatible(frames, self.arguments.kinds_of(who), frozenset()) if full else ()

    def _owned(self, subject: NP) -> tuple[Argument | None, list[str]]:
        """Whose the noun is, and its words: "France" and "capital", "Anna" and "date of birth"."""
        words = self.arguments.bare(subject)
        owner = self.arguments.owner(subject)
        inner = subject.of[0] if subject.of else None
        if inner is not None and inner.kind == "common" and (inner.of or owner is not None):
            long = [*words, "of", *self.arguments.bare(inner)]
            if (noun_key(long),) in self.lexicon.nouns:
                return owner or self.arguments.of(inner.of[0]), long
        return owner or (self.arguments.of(inner) if inner is not None else None), words

    def _classy(self, words: list[str]) -> bool:
        """A noun whose value is itself a common noun: "his occupation is farmer"."""
        frames = self.lexicon.nouns.get((noun_key(words[-1:]),), ()) if words else ()
        return any("class" in frame.object for frame in frames)

    # ── what it is ────────────────────────────────────────────────────────────────────────────────────

    @rule("classes")
    def _classes(self, who: Argument, np: NP, flags: tuple[str, bool], *, related: bool) -> Iterator[Fact]:
        """What a class noun says without its modifiers: a French physicist is a physicist. The caller gives conjoined nouns one by one."""
        reading = self.arguments.reading
        first = self._content(np)
        noun = noun_key([reading.tokens[np.head].low])
        if first > np.head or self._is_national(np) or self._is_no_class(np, noun, who):
            return
        kind = self.arguments.kinds.noun(noun)
        whole = noun in POSITIONS and bool(np.of)
        last = np.end if whole else np.head
        if related and not whole and (self._relational(noun) or not kind):
            return
        span = reading.span(first, last)
        what = Argument(reading.words(first, last), span, reading.mentions_in(span))
        yield self.fact(
            who,
            "is",
            what,
            self.class_relations(who, kind, noun, whole=whole),
            flags,
            universal="only" in reading.low(np.first, np.head),
        )

    def _is_no_class(self, np: NP, noun: str, who: Argument) -> bool:
        """A value, an address, a noun for where somebody is from, or for what a country belongs to: "is a member of the EU"."""
        head = self.arguments.reading.tokens[np.head]
        if head.tag == "CD" or "://" in head.low or noun in ("citizen", "national", "native", "resident"):
            return True
        member = noun == "member" and bool(self.arguments.kinds_of(who) & {"place", "country", "org"})
        return member or self.arguments.of(np).value is not None

    def _relational(self, noun: str) -> bool:
        """A noun that says only the role ("capital", "son", "member"), not what something is."""
        return (noun,) in self.lexicon.nouns or noun in _ROLE_NOUNS

    def class_relations(self, who: Argument, kind: str, noun: str, *, whole: bool) -> tuple[str, ...]:
        kinds = self.arguments.kinds_of(who)
        if whole or noun in POSITIONS:
            return ids("position held", "occupation", "instance of")
        if (
            kind == "person"
            or ("person" in kinds and kind != "character")
            or (not kind and not kinds and noun.endswith(_DOERS))
        ):
            return ids("occupation", "position held", "instance of")
        genre = ("genre",) if kinds & {"work", "org"} else ()
        return ids("instance of", *genre, "subclass of")

    def _content(self, np: NP) -> int:
        """The first word of a noun phrase that says what it is: behind article, number, nationality and "former"."""
        tokens = self.arguments.reading.tokens
        at = np.start
        homes = self._homes(np, at)
        while at < np.head and (
            tokens[at].tag in (*SKIP, "CD", "RB", "RBS", ",", "CC", "JJS")
            or any(span.overlaps(self.arguments.reading.span(at, at)) for span in homes)
            or ordinal_number(tokens[at].low)
            or tokens[at].low
            in (
                "former",
                "late",
                "famous",
                "only",
                "first",
                "well-known",
                "renowned",
                "retired",
                "prominent",
                "current",
                "main",
                "notable",
                "major",
                "popular",
                "influential",
            )
        ):
            at += 1
        return at

    @rule("nationalities")
    def _adjectives(self, who: Argument, np: NP, flags: tuple[str, bool]) -> Iterator[Fact]:
        """Where somebody is from, and the year of something: "a French physicist", "a 1997 film"."""
        for at in range(np.start, np.head + self._is_national(np)):
            yield from self._adjective(who, np, at, flags)
        yield from self._years(who, self.arguments.reading.span(np.start, np.head), flags)

    def _is_national(self, np: NP) -> bool:
        """Whether a noun phrase says where somebody is from, and no more: "a Dane", "a German"."""
        return np.det in ("a", "an") and bool(self.arguments.nations(np.head))

    def _adjective(self, who: Argument, np: NP, at: int, flags: tuple[str, bool]) -> Iterator[Fact]:
        """What the word at token `at` before a noun's head says: a nation, a country, a party, a compound."""
        reading = self.arguments.reading
        token = reading.tokens[at]
        if nations := self.arguments.nations(at):
            for nation in nations:
                yield self._of_nation(who, np, at, nation, flags)
        elif (home := self._home(np, at)) is not None:
            yield self.fact(who, "is from", home, ids("country of citizenship"), flags)
        elif token.low in _PARTIES and token.text[:1].isupper():
            span = reading.span(at, at)
            party = Argument(token.text, span, reading.mentions_in(span))
            yield self.fact(who, "is of the party", party, ids("member of political party"), flags)
        elif "-" in token.text:
            yield from self._compound(who, at, flags)

    def _of_nation(self, who: Argument, np: NP, at: int, nation: Argument, flags: tuple[str, bool]) -> Fact:
        """The office or the role a noun gives in a nation, else that somebody is from there.

        "The 44th U.S. president" leads the country; "the French capital" is its, "the French capital of jazz" is not.
        """
        noun = noun_key([self.arguments.reading.tokens[np.head].low])
        of_country = noun in POSITIONS or (np.det == "the" and at == np.head - 1 and not np.of)
        led, _ = self._role([noun], "of", who, nation) if of_country else ((), "")
        words = f"is {noun} of" if led else "is from"
        return self.fact(who, words, nation, led or self.arguments.homes(who), flags)

    def _years(self, who: Argument, before: Span, flags: tuple[str, bool]) -> Iterator[Fact]:
        """The dates that stand in a noun phrase before its head: "a 1997 film"."""
        for value in self.arguments.reading.values:
            inside = value.span is not None and before.contains(value.span)
            if inside and value.value is not None and value.value.datatype == "date":
                kinds = self.arguments.kinds_of(who)
                of_works = ("publication date", "inception", "point in time")
                relations = ids(
                    *(("inception", "publication date") if kinds & {"org", "place"} else of_works)
                )
                yield self.fact(who, "is from", value, relations, flags)

    def _homes(self, np: NP, start: int) -> list[Span]:
        """The places before a noun's head that say which country it is of: "South Korean", "United States"."""
        found = [
            one for at in range(start, np.head) for one in (*self.arguments.nations(at), self._home(np, at))
        ]
        return [one.span for one in found if one is not None and one.span is not None]

    def _home(self, np: NP, at: int) -> Argument | None:
        """The country whose name ends at token `at` before a noun for people: "a France striker", "a United States senator"."""
        reading = self.arguments.reading
        noun = noun_key([reading.tokens[np.head].low])
        if noun in _ABROAD or noun in POSITIONS or self.arguments.kinds.noun(noun) != "person":
            return None
        found = [
            one
            for one in self._before_head(np)
            if one.span is not None and one.span.end == reading.span(at, at).end
        ]
        return next((one for one in found if self._country(one)), None)

    def _country(self, name: Argument) -> bool:
        """Whether a name is that of a country, by the graph or by its words."""
        return name.text in _COUNTRIES or "country" in self.arguments.kinds.mention(name.mention)

    @rule("hyphenated-places")
    def _compound(self, who: Argument, at: int, flags: tuple[str, bool]) -> Iterator[Fact]:
        """The place and the participle of a hyphenated adjective: "Dubai-based", "Vienna-born"."""
        reading = self.arguments.reading
        name, _, verb = reading.tokens[at].text.rpartition("-")
        if verb in HYPHENATED and name[:1].isupper():
            start = reading.span(at, at).start
            span = Span(start, start + len(name))
            named = tuple(m for m in reading.mentions if m.span.overlaps(span))
            home = self.arguments.country(name, span) if verb in ("based", "born") else None
            what = home or Argument(name, span, named)
            yield self.fact(who, f"is {verb}", what, HYPHENATED[verb], flags)

    def fact(
        self,
        who: Argument,
        words: str,
        what: Argument,
        relations: tuple[str, ...],
        flags: tuple[str, bool],
        *,
        universal: bool = False,
    ) -> Fact:
        tense, negated = flags
        return Fact(
            who,
            words,
            what,
            relations=relations,
            object_type=self.arguments.type_of(what),
            negated=negated or self.arguments.denied(what) or self.arguments.denied(who),
            universal=universal or self.arguments.universal(what) or self.arguments.universal(who),
            tense=tense,  # type: ignore[arg-type]
        )


def _may_be_in(frame: Frame) -> bool:
    """Whether what has such is something to be in: "the mayor in Ulm", "the lead in Titanic", but no "subsidiary in Macao"."""
    owner = frame.object if frame.inverse else frame.subject
    return not owner or bool(owner & {"place", "country", "work", "event"})


def _turn(frame: Frame) -> Frame:
    return Frame(frame.property_id, not frame.inverse, frame.subject, frame.object, frame.rank)
