"""Noun phrases to arguments: exact place, the entities named, the value, and whom a pronoun means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from guardrail.claims.arguments.places import Places
from guardrail.claims.discourse.coreference import PRONOUNS, Discourse, suits
from guardrail.claims.discourse.expected_kinds import expected_kinds, kinds_of_subject
from guardrail.claims.discourse.rivals import Rival
from guardrail.claims.lexicon.kinds import Kinds
from guardrail.claims.lexicon.name_kinds import likely
from guardrail.claims.lexicon.relations import Frame, Lexicon, load_lexicon
from guardrail.claims.lexicon.type_constraints import compatible
from guardrail.claims.reading.chunks import NP, VG
from guardrail.claims.reading.clauses import Complement
from guardrail.claims.reading.nations import Nations
from guardrail.language.lists import word_list
from guardrail.ontology import ids
from guardrail.rules import rule
from guardrail.types import Argument, Mention, Span
from guardrail.values.demonyms import DEMONYMS

__all__ = ["Arguments"]

_UNIVERSAL = frozenset({"any", "all", "every", "each", "no", "only", "both", "none", "neither", "sole"})
_DENYING = frozenset({"no", "neither", "none"})
_POSSESSIVE = frozenset({"his", "her", "its", "their"})
_HERE = frozenset({"the", "this", "that"})
_PLACES = frozenset(
    "suburbs outskirts city town state village island kingdom republic province district county region municipality borough".split()
)
# With these a common noun means one that is not named: "his company" is not the class of companies.
_ONE = frozenset(
    {"a", "an", "his", "her", "its", "their", "whose", "this", "that", "another", "some", "every"}
)
_ORDINAL = ("1st", "2nd", "3rd", "th")
_TITLES = word_list("titles") | word_list("company forms") | {"the"}
_NEUTRAL = word_list("neutral")
_PERSONAL = frozenset({"he", "she", "him", "her", "who", "his"})
_TYPES = ("person", "country", "place", "team", "org", "work", "event", "award", "language", "character")


@dataclass(slots=True)
class Arguments(Nations):
    """The arguments of one sentence. `referents`: whom each noun phrase means, None where that is not safe to say."""

    kinds: Kinds
    discourse: Discourse
    lexicon: Lexicon = field(default_factory=load_lexicon)
    before: Discourse = field(init=False)  # as it was before this sentence
    referents: dict[int, Mention | None] = field(default_factory=dict)
    owners: dict[int, Mention | None] = field(default_factory=dict)  # of "his", "its" before a noun
    made: dict[int, Argument] = field(default_factory=dict)
    phrases: dict[tuple[Span | None, str], NP] = field(default_factory=dict)
    expected_kinds: dict[int, str] = field(
        default_factory=dict
    )  # what a noun phrase must be for what is said of it

    def __post_init__(self) -> None:
        self.before = self.discourse.copy()
        self.expected_kinds = expected_kinds(self.reading, self.lexicon)

    def resolve(self) -> None:
        """Walks the noun phrases in order and settles whom each one means."""
        places = Places.of(self.reading.clauses)
        for chunk in (one for one in self.reading.chunks if isinstance(one, NP)):
            for np in chunk.nested():
                self._settle(np, chunk, places)
                if (beside := places.joined.get(id(chunk))) is not None:
                    self._own_beside(np, beside)

    def _settle(self, np: NP, chunk: NP, places: Places) -> None:
        """Settles whom one noun phrase of a chunk means."""
        host = places.hosts.get(id(chunk))
        leads = id(np) in places.subjects or (np is chunk.owner and id(chunk) in places.subjects)
        self._refer(np, host, copular=id(np) in places.predicates, salience=2.0 if leads else 0.8)

    def _own_beside(self, np: NP, beside: NP) -> None:
        """A possessive behind "and" means the name before it, where the pronoun suits it: "Anna and her husband"."""
        if np.det not in _POSSESSIVE or beside.kind != "name":
            return
        if suits(np.det, self.kinds_of(self.of(beside))):
            self.owners[id(np)] = self.referents.get(id(beside))

    def _refer(self, np: NP, host: NP | None, *, copular: bool, salience: float) -> None:
        """`host`: the subject of its clause."""
        but = self.referents.get(id(host)) if host is not None else None
        if np.det in _POSSESSIVE:
            self.owners[id(np)] = self.discourse.pronoun(
                np.det, but=but if copular else None, near=None if copular else but
            )
        if np.kind == "pronoun" and not self._expletive(np):
            self._refer_pronoun(np, host, but, salience)
        elif np.kind == "name":
            mention = self._name(np)
            self.referents[id(np)] = mention
            self.discourse.add(mention, salience, self.expected_kinds.get(id(np), ""))
        elif np.kind == "common":
            self._refer_common(np, but, 0.0 if copular else salience)

    def _refer_pronoun(self, np: NP, host: NP | None, but: Mention | None, salience: float) -> None:
        tokens = self.reading.tokens
        besides = tokens[host.head].low if host is not None and host.kind == "common" else ""
        wanted = next(
            (kinds_of_subject(one, self.lexicon) for one in self.reading.clauses if one.subject is np),
            frozenset(),
        )
        found = self.discourse.pronoun(tokens[np.head].low, but=but, besides=besides, wanted=wanted)
        self.referents[id(np)] = found
        if found is not None:
            self.discourse.add(found, salience * 0.5)

    def _refer_common(self, np: NP, but: Mention | None, salience: float) -> None:
        """What no name is meant by is a rival to names from here on."""
        head = self.reading.tokens[np.head]
        found = self._meant_by(head.low, but) if np.det in _HERE and self._points_back(np) else None
        self.referents[id(np)] = found
        if found is None and head.tag == "NN":
            self.discourse.rivals.append(Rival(head.low, salience))

    @rule("expletives", silent=False)
    def _expletive(self, np: NP) -> bool:
        """An "it" that means nothing: "it takes a day", "it is up to the office", "it rains", "it is the first time that"."""
        token, words = self.reading.tokens[np.head], self.reading.doc.tokens
        of = next((words[one.head] for one in words if one.start == token.start), None)
        empty = of is not None and (
            of.lemma in word_list("raining") or (of.lemma == "time" and token.start < of.start)
        )
        return token.dep == "expl" or (token.low == "it" and empty)

    def _meant_by(self, noun: str, but: Mention | None) -> Mention | None:
        """Whom "the company" means, but not the subject of its own clause: in "X was opened by the king" the king is not X."""
        found = self.discourse.head(noun)
        return None if found == but else found

    def _points_back(self, np: NP) -> bool:
        """A noun of a known kind that nothing specifies: "the company", "this famous film"; "the eastern bank" is one of several."""
        head, between = self.reading.tokens[np.head], self.reading.tokens[np.first + 1 : np.head]
        plain = not np.of and np.owner is None and np.last == np.head
        specified = any(one.low not in _NEUTRAL for one in between)
        return plain and not specified and head.tag == "NN" and bool(self.kinds.noun(head.low))

    def _name(self, np: NP) -> Mention:
        """The mention that a name is: the linker's, a known fuller name's, or a new one that no graph knows."""
        first, last = self.place(np)
        span, text = self.reading.span(first, last), self.reading.words(first, last)
        mention = next((m for m in self.reading.mentions_in(span) if self._covers(m, first, last)), None)
        fuller = self.discourse.named(text) if first == last else None
        if fuller is not None and self._shortened(fuller, mention):
            return Mention(span, text, fuller.candidates)
        return mention if mention is not None else Mention(span, text)

    def _shortened(self, fuller: Mention, mention: Mention | None) -> bool:
        """Whether a name is short for that of a person named before, whatever person the linker takes it for."""
        if mention is not None and mention.entity == fuller.entity:
            return False
        known = self.kinds.mention(mention)
        return "person" in self.kinds.mention(fuller) and (not known or "person" in known)

    def _covers(self, mention: Mention, first: int, last: int) -> bool:
        """The linker's name is the whole name, but for titles and legal forms: "Wagner" is not "Albert Wagner"."""
        for at in range(first, last + 1):
            token = self.reading.tokens[at]
            inside = mention.span.overlaps(self.reading.span(at, at))
            if (
                not inside
                and token.tag in ("NNP", "NNPS")
                and token.text[0].isalnum()
                and not _TITLES.issuperset(token.low.split("-"))
                and token.low not in DEMONYMS
                and not (at == last and token.text.isupper() and 1 < len(token.text) <= 5)  # "Ada Berg FRS"
            ):
                return False
        return True

    # ── places and words ──────────────────────────────────────────────────────────────────────────────

    def place(self, np: NP) -> tuple[int, int]:
        """First and last token of what is named: without article, without the title before a name, with the of-phrase."""
        tokens = self.reading.tokens
        name = np.kind == "name"
        first = _behind_title(np) if name else np.first
        skipped = ("DT", "PDT", "PRP$") if name else ("DT", "PDT")
        while first < np.last and tokens[first].tag in skipped and tokens[first].mention < 0:
            first += 1
        whole = np.kind == "common" or (
            bool(np.of) and tokens[np.head].mention < 0
        )  # "Kingdom of Württemberg"
        return first, np.end if whole else np.last

    def bare(self, np: NP) -> list[str]:
        """The words of a noun phrase in lower case, without articles, owner and of-phrase."""
        tokens = self.reading.tokens
        return [
            token.low
            for token in tokens[np.start : np.last + 1]
            if token.tag not in ("DT", "PDT", "PRP$", "POS", "WP$")
        ]

    def predicate(self, vg: VG) -> str:
        return self.reading.words(vg.first, vg.last)

    def of(self, np: NP) -> Argument:
        """The argument that a noun phrase is."""
        if id(np) not in self.made:
            argument = self._make(np)
            self.made[id(np)] = argument
            self.phrases.setdefault((argument.span, argument.text), np)
        return self.made[id(np)]

    def _make(self, np: NP) -> Argument:
        if (named := self._named_within(np)) is not None:
            return self.of(named)
        if (value := self._value_of(np)) is not None:
            return value
        first, last = self.place(np)
        span = self.reading.span(first, last)
        return Argument(self.reading.words(first, last), span, self._mentions(np, span))

    def _value_of(self, np: NP) -> Argument | None:
        """The date or the quantity that a noun phrase is."""
        value = self.reading.value_in(np.first, np.last)
        if np.kind == "value" or value is None:
            return value
        unnamed = np.kind == "common" and self.referents.get(id(np)) is None
        return value if unnamed and self._is_quantity(np, value) else None

    def _mentions(self, np: NP, span: Span) -> tuple[Mention, ...]:
        """What a noun phrase means first, then what else it names."""
        referent = self.referents.get(id(np))
        if np.kind == "name":
            mention = referent or self._name(np)
            return (mention, *(m for m in self.reading.mentions_in(span) if m is not mention))
        if referent is not None:
            return (referent,)
        return () if np.kind == "pronoun" else self._classes(np, span)

    def _named_within(self, np: NP) -> NP | None:
        """The name that a common noun only introduces: "the city of Ulm", "his brother, Tom"."""
        if np.kind != "common":
            return None
        if np.of and np.of[0].kind == "name" and self.reading.tokens[np.head].low in _PLACES:
            return np.of[0]
        return next((said for said in np.said if said.kind == "name"), None) if np.det else None

    def _classes(self, np: NP, span: Span) -> tuple[Mention, ...]:
        """What a common noun names; "his company" and "a company" are one of them, and not the class."""
        if np.owner is not None or (np.det in _ONE and not self._of_all(np)):
            return ()
        core = self.reading.span(np.first, np.last)
        return tuple(m for m in self.reading.mentions_in(span) if core.contains(m.span))

    @rule("all-of-a-class", silent=False)
    def _of_all(self, np: NP) -> bool:
        """Whether an indefinite subject means all of its class, in the present tense: "a whale is a mammal"."""
        return np.det in ("a", "an") and any(
            clause.subject is np and clause.copula is not None and not clause.copula.past
            for clause in self.reading.clauses
        )

    def aged(self, np: NP) -> bool:
        """Whether the noun is an age with its number: "at the age of 14"."""
        return (
            bool(np.of)
            and self.reading.tokens[np.head].low == "age"
            and self.reading.value_in(np.last, np.end) is not None
        )

    def _is_quantity(self, np: NP, value: Argument) -> bool:
        """A number that counts the noun ("51 states") makes the phrase a value; a year or a rank in front of it does not."""
        if value.value is None or value.span is None or value.value.datatype != "quantity":
            return False
        if value.text.endswith(_ORDINAL):
            return False
        first = self.reading.span(np.first, np.first).start
        return (
            self.reading.tokens[np.first].tag not in ("DT", "PRP$")
            or value.span.start == first
            or (np.last == np.head and value.span.end == self.reading.span(np.head, np.head).end)
        )

    # ── meaning ───────────────────────────────────────────────────────────────────────────────────────

    def kinds_of(self, argument: Argument) -> frozenset[str]:
        """What an argument can be; empty when nothing is known."""
        if argument.value is not None:
            return frozenset({"date" if argument.value.datatype == "date" else "quantity"})
        if argument.mention is not None and (found := self.kinds.mention(argument.mention)):
            return found
        np = self.phrases.get((argument.span, argument.text))
        if np is None:
            return frozenset()
        if np.kind == "common":
            kind = self.kinds.noun(self.reading.tokens[np.head].low)
            named = argument.mention is not None and argument.mention.text == argument.text
            return frozenset(
                {kind, self.kinds.within.get(kind, kind)} - {""} | (set() if named else {"class"})
            )
        return self._told(np)

    def _told(self, np: NP) -> frozenset[str]:
        """What a pronoun or an unknown name can be, by its words."""
        if np.kind == "pronoun":
            return frozenset({"person"} if self.reading.tokens[np.head].low in _PERSONAL else ())
        if np.title is not None and (kind := self.kinds.noun(self.reading.tokens[np.noun].low)):
            return frozenset({kind})
        return self._guessed(np) if np.kind == "name" else frozenset()

    @rule("kinds-of-unknown-names", silent=frozenset)
    def _guessed(self, np: NP) -> frozenset[str]:
        """What a name of which nothing is known probably is, by its words and the words around it."""
        if hint := self.expected_kinds.get(id(np)):
            return frozenset({hint})
        tokens = self.reading.tokens
        for said in np.said:
            if said.kind == "common" and (kind := self.kinds.noun(tokens[said.head].low)):
                return frozenset({kind})  # "Tommy Boy, a label"
        first, last = self.place(np)
        before = tuple(token.low for token in reversed(tokens[max(0, first - 2) : first])) or ("^",)
        after = tuple(token.low for token in tokens[last + 1 : last + 3]) or ("$",)
        kind = likely(self.reading.words(first, last), before, after)
        return frozenset({kind}) if kind else frozenset()

    def type_of(self, argument: Argument) -> str:
        """FLEEK's type of an object, for the question."""
        if argument.value is not None:
            if argument.value.datatype != "date":
                return "quantity"
            return "year" if argument.value.precision == 9 else "date"
        kinds = self.kinds_of(argument)
        return next((kind for kind in _TYPES if kind in kinds and "class" not in kinds), "")

    def compatible(self, frames: Sequence[Frame], who: Argument, what: Argument) -> tuple[str, ...]:
        """The relations of the frames whose types do not clash with subject and object, those that surely fit first.

        What a name only seems to be chooses among relations and rules none out.
        """
        found = compatible(frames, self.kinds_of(who), self.kinds_of(what))
        someone = self.seeming(what) and self.kinds_of(what) == {"person"}  # people are told surely
        if not found and frames and not someone and (self.seeming(who) or self.seeming(what)):
            found = compatible(
                frames,
                frozenset() if self.seeming(who) else self.kinds_of(who),
                frozenset() if self.seeming(what) else self.kinds_of(what),
            )
        return found

    def seeming(self, argument: Argument) -> bool:
        """Whether what an argument is was only guessed from a name."""
        np = self.phrases.get((argument.span, argument.text))
        known = argument.mention is not None and self.kinds.mention(argument.mention)
        return np is not None and np.kind == "name" and np.title is None and not known

    def universal(self, argument: Argument) -> bool:
        np = self.phrases.get((argument.span, argument.text))
        return np is not None and bool(
            _UNIVERSAL & {np.det, self.reading.tokens[np.first].low, *self.bare(np)[:1]}
        )

    def denied(self, argument: Argument) -> bool:
        np = self.phrases.get((argument.span, argument.text))
        return np is not None and bool(_DENYING & {np.det, self.reading.tokens[np.first].low})

    def measured(self, np: NP, rest: Sequence[Complement]) -> bool:
        """Whether a value stands before the adjective that it measures: "381 m tall"."""
        return bool(rest) and rest[0].adj is not None and self.of(np).value is not None

    def homes(self, who: Argument) -> tuple[str, ...]:
        """The property that says which country someone or something is from."""
        kinds = self.kinds_of(who)
        if kinds & {"person", "character"}:
            return ids("country of citizenship")
        if kinds & {"work", "thing"}:
            return ids("country of origin", "country")
        if kinds & {"org", "place", "event"}:
            return ids("country", "country of origin")
        return ids("country of citizenship", "country", "country of origin")

    def owner(self, np: NP) -> Argument | None:
        """Whose a noun is: "France" in "France's capital", what "his" means in "his wife", by its name where the sentence has it."""
        if np.owner is not None:
            return self.of(np.owner)
        if np.det in _POSSESSIVE:
            found = self.owners.get(id(np))
            at = next(
                (i for i in range(np.first, np.last + 1) if self.reading.tokens[i].low == np.det), np.first
            )
            span = self.reading.span(at, at)
            if found is not None and (named := self.reading.named(found, span)) is not None:
                return Argument(named.text, named.span, (named,))
            return Argument(self.reading.words(at, at), span, (found,) if found is not None else ())
        return None

    @rule("topics")
    def topic(self, frames: Sequence[Frame]) -> Argument | None:
        """What the text was about before this sentence, where the frames can be said of it."""
        wanted = frozenset(kind for frame in frames for kind in frame.subject)
        found = self.before.topic(wanted) if wanted else None
        return Argument(found.text, None, (found,)) if found is not None else None

    def only(self, frames: Sequence[Frame]) -> Argument | None:
        """The one thing named before this sentence, or in the question, of which the frames can be said."""
        found = self.before.only(frozenset(kind for frame in frames for kind in frame.subject))
        return Argument(found.text, None, (found,)) if found is not None else None

    def ambiguous(self, argument: Argument) -> bool:
        """A pronoun whose antecedent is not safe to say, or a plural one."""
        return argument.mention is None and argument.text.lower() in (*PRONOUNS, "both")

    def value(self, first: int, last: int) -> Argument | None:
        return self.reading.value_in(first, last)


def _behind_title(name: NP) -> int:
    """Where a name begins behind its title or its owner: "James Cameron's Titanic" is Titanic."""
    if name.title is not None:
        return name.title[1] + 1
    return name.start if name.start <= name.last else name.first
