"""What stands right before or behind a name and says something of it, wherever in the sentence the name is.

"the 1992 film Patriot Games", "Parton's 1977 album Here You Come Again", "Australian singer Kylie Minogue", "Apple CEO Tim
Cook", or a title in quotation marks "by The Association": the clause is about something else, and these are facts all the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from guardrail.claims.arguments.arguments import Arguments
from guardrail.claims.lexicon.name_kinds import likely
from guardrail.claims.lexicon.relations import Lexicon, noun_key
from guardrail.claims.nouns.nominals import HYPHENATED
from guardrail.claims.reading.chunks import NP
from guardrail.ontology import ids
from guardrail.rules import rule
from guardrail.types import Argument, Fact, Mention, Span, Value
from guardrail.values.demonyms import DEMONYMS

__all__ = ["Epithets"]

# The noun of a work, and who "X's album" and "album by X" say has made it.
_MAKERS = {
    **dict.fromkeys(
        (
            "album",
            "single",
            "song",
            "ep",
            "lp",
            "track",
            "hit",
            "record",
            "mixtape",
            "ballad",
            "release",
            "debut",
        ),
        ids("performer", "composer"),
    ),
    **dict.fromkeys(
        ("novel", "book", "poem", "play", "memoir", "autobiography", "novella", "essay", "story"),
        ids("author"),
    ),
    **dict.fromkeys(("film", "movie", "documentary"), ids("director")),
    **dict.fromkeys(("opera", "symphony", "ballet", "concerto"), ids("composer")),
    **dict.fromkeys(("painting", "sculpture", "comic", "sitcom", "series", "show"), ids("creator")),
    **dict.fromkeys(("game",), ids("developer", "publisher")),
}
# The same of a company: who produces, publishes, develops, sends or sells it, or plays it as a band.
_BODIES = ids(
    "production company",
    "publisher",
    "developer",
    "original broadcaster",
    "record label",
    "performer",
    "distributed by",
    "creator",
)
_PEOPLE = ids("author", "performer", "director", "creator", "composer", "screenwriter")
_NOUN = "|".join(_MAKERS)
_BEFORE = re.compile(
    r"(?:(?P<owner>[’']s?)\s+|\b(?P<his>his|her|their|its)\s+|(?<![\w’'-]))"
    r"(?:(?P<year>[12]\d{3})\s+)?(?P<between>(?:(?!(?:his|her|their|its)\s)(?:(?:[a-z]|\d+[snrt])[\w’'-]*|[A-Z][a-z]+)\s+){0,4}?)"
    rf"(?P<noun>{_NOUN})s?,?\s+[\"“‘'*]*$"
)
_BY = re.compile(r"^[\"”’'*]*\s+by\s+(?:the\s+)?(?:(?:[A-Z]?[a-z][\w/-]*|/)\s+){0,6}$")
# "The Tiara Club series by Z": a title and its noun.
_SERIES = re.compile(r"^\s(?:series|trilogy|saga|novels?|books?)\s+by\s+$")
_PERSONAL = re.compile(
    r"(?P<nation>[A-Z][a-z]+(?:-[a-z]+)?)(?P<nouns>(?:\s+(?:[a-z][\w-]*|and|,|/)){0,6})\s+$"
)
# "Coltrane's own 1957 Blue Train", "James Joyce's Ulysses"; "1987's Let It Loose", "the 1986 Arkanoid".
_OWNED = re.compile(r"[’']s?\s+(?:[a-z][\w-]*\s+){0,2}(?:[12]\d{3}\s+)?[\"“‘*]?")
_DATED = re.compile(
    r"(?:(?:\b(?:the|his|her|its|their|own|a|an)|[’']s?)\s+(?P<plain>[12]\d{3})|\b(?P<own>[12]\d{3})[’']s)\s+[\"“‘*]?$"
)
_OF = re.compile(r"\s+(?:of|at|from)\s+(?:the\s+)?")
_INSTITUTION = re.compile(
    r"^(?:University|College|Institute|Museum|Academy|School|Church|Hospital) of\b|\b(?:University|College|Institute|Museum|Academy|School|Church|"
    r"Hospital|Gallery|Library|Theatre|Theater|Cathedral|Conservatory)$"
)
_ADNOMINAL = frozenset("NN NNS JJ NNP CC , HYPH VBG".split())
_SIDES = frozenset({"side", "club", "team", "outfit", "franchise"})
_OTHERS = frozenset({"his", "her", "its", "their", "the", "a", "an"})
_HYPHENATED = re.compile(rf"-(?P<verb>{'|'.join(HYPHENATED)})(?:,?\s+[a-z][\w-]*){{0,4}}\s+")
_ROLE = re.compile(r"(?:[’']s?)?\s+(?:co-)?(?P<noun>[A-Za-z-]+(?:\s+(?:and\s+)?[A-Za-z-]+){0,2})\s+$")


@dataclass(frozen=True, slots=True)
class Epithets:
    """Facts of names, from the words around them."""

    arguments: Arguments
    lexicon: Lexicon

    def facts(self) -> Iterator[Fact]:
        """In the order of the names; subjects and objects are places of the sentence."""
        mentions = [
            m for m in self.arguments.reading.mentions if m.text[:1].isupper() or m.text[:1].isdigit()
        ]
        for i, mention in enumerate(mentions):
            earlier = mentions[i - 1] if i else None
            if not any(other.text == mention.text for other in mentions[:i]):
                # "Resurrection is a film based on the 1899 novel Resurrection": the second is not the first
                yield from self._work(mention, earlier)
            yield from self._person(mention)
            title = next(
                (m for m in mentions[max(0, i - 3) : i][::-1] if m.text.lower() not in DEMONYMS), None
            )
            if title is not None and mention.text.lower() not in DEMONYMS:
                yield from self._by(title, mention)
            if earlier is not None:
                yield from self._role(earlier, mention)
                yield from self._owned(earlier, mention)
                yield from self._body(earlier, mention)
                yield from self._seated(earlier, mention)
                yield from self._hyphenated(earlier, mention)

    # ── works ─────────────────────────────────────────────────────────────────────────────────────────

    @rule("works")
    def _work(self, mention: Mention, earlier: Mention | None) -> Iterator[Fact]:
        """What stands before a title: "the 1997 film Titanic"."""
        work, match = _argument(mention), _BEFORE.search(self._before(mention))
        year = self._year(match) if match is not None else self._year_alone(mention)
        if year is not None:
            yield Fact(
                work, "is from", year, relations=ids("publication date"), object_type="date", tense="past"
            )
        owner = self._possessor(match, earlier) if match is not None else None
        if match is not None and owner is not None and owner.mention is not None:
            relations = _BODIES if "org" in self._kinds(owner.mention) else _MAKERS[match["noun"]]
            yield Fact(work, f"is {match['noun']} by", owner, relations=relations, tense="past")

    def _year(self, before: re.Match[str]) -> Argument | None:
        """The year that stands before the noun of a work."""
        if not before["year"]:
            return None
        at = self.arguments.reading.sentence.span.start + before.start("year")
        return next((v for v in self.arguments.reading.values if v.span and v.span.start == at), None)

    def _year_alone(self, work: Mention) -> Argument | None:
        """The year right before what is not known to be anything but a work: "1987's Let It Loose"."""
        before = self._before(work)
        dated = _DATED.search(before)
        if dated is None or not self._ends(work) or not self._kinds(work) <= {"work"}:
            return None
        place = Span(*dated.span(dated.lastgroup or 0))
        text = place.of(before)
        span = place.shift(self.arguments.reading.sentence.span.start)
        return Argument(text, span, value=Value(text, text, "date", 9))

    def _possessor(self, before: re.Match[str], earlier: Mention | None) -> Argument | None:
        """Whose a work is by the name or the pronoun before its noun."""
        offset = self.arguments.reading.sentence.span.start
        beside = before.span("owner") if before["owner"] is not None else ()
        if earlier is not None and earlier.span.end - offset in beside:
            return _argument(earlier)
        return self._antecedent(offset + before.start("his")) if before["his"] else None

    @rule("works-owned")
    def _owned(self, maker: Mention, work: Mention) -> Iterator[Fact]:
        """A possessor and what may be a work of theirs: "James Joyce's Ulysses", "Taito's 1986 Arkanoid".

        Of what the graph knows without its kind the graph decides. How it is theirs is not said: "Kubrick's The Shining" is
        King's novel, too, so the predicate is a mere "of".
        """
        between = self._between(maker, work)
        owner = self._kinds(maker) & {"person", "org"}
        if not _OWNED.fullmatch(between) or not owner or not self._ends(work):
            return
        kinds, body = self._kinds(work), owner == {"org"}
        if "work" in kinds or (not kinds and _as_title(work, between, dated=body)):
            relations = _BODIES if body else _PEOPLE
            yield Fact(_argument(work), "of", _argument(maker), relations=relations, tense="past")

    def _ends(self, mention: Mention) -> bool:
        """No noun goes on behind the name: "a 1974 American film"."""
        reading = self.arguments.reading
        end = mention.span.end - reading.sentence.span.start
        behind = next((token for token in reading.tokens if token.start >= end), None)
        return mention.text.lower() not in DEMONYMS and (
            behind is None or behind.tag not in ("NN", "NNS", "JJ", "VBG")
        )

    def _kinds(self, mention: Mention) -> frozenset[str]:
        """What is known of a name, or what it seems to be."""
        guess = likely(mention.text)
        return self.arguments.kinds.mention(mention) or (frozenset({guess}) if guess else frozenset())

    @rule("works-by")
    def _by(self, work: Mention, maker: Mention) -> Iterator[Fact]:
        """A title and whose it is: "Windy" by The Association, "the novel Ulysses by James Joyce"."""
        between = self._between(work, maker)
        match = re.search(rf"\b({_NOUN})s?\s+[\"“‘'*]*$", self._before(work)[-40:])
        series = _SERIES.match(between) is not None
        if not series and (not _BY.match(between) or (between[:1] not in "\"”’'*" and match is None)):
            return
        relations = _MAKERS[match[1]] if match else ids("performer", "author", "composer", "creator")
        relations = ids("author", "creator") if series else relations
        yield Fact(_argument(work), "is by", _argument(maker), relations=relations, tense="past")

    # ── people ────────────────────────────────────────────────────────────────────────────────────────

    @rule("persons")
    def _person(self, mention: Mention) -> Iterator[Fact]:
        """What stands before a person's name: "the French painter Anna"."""
        if "person" not in self._kinds(mention):
            return
        match = _PERSONAL.search(self._before(mention))
        if match is None:
            return
        tokens = self.arguments.reading.tokens
        start, end = match.start("nation"), mention.span.start - self.arguments.reading.sentence.span.start
        at = next((i for i, token in enumerate(tokens) if token.start == start), None)
        between = [token for token in tokens if start < token.start < end]
        if any(token.tag not in _ADNOMINAL for token in between) or (
            between and self.arguments.kinds.noun(between[-1].low) != "person"
        ):
            return  # "an American comedy directed by Z"
        for nation in self.arguments.nations(at) if at is not None else ():
            yield Fact(
                _argument(mention),
                "is from",
                nation,
                relations=ids("country of citizenship"),
                object_type="country",
            )

    @rule("roles-between-names")
    def _role(self, body: Mention, mention: Mention) -> Iterator[Fact]:
        """The noun between two names: "Apple CEO Tim Cook", "Irem founder Frank Ballouz"."""
        match = _ROLE.fullmatch(self._between(body, mention))
        if all(part.lower() in DEMONYMS for part in body.text.split("-")):
            return  # "Pakistani-American businessman Z"
        if match is not None and _OTHERS & set(match["noun"].split()):
            return  # "Anna and her son Karl": no "Anna son Karl"
        kinds = self.arguments.kinds.mention(mention)
        if match is None or (kinds and not kinds & {"person", "org", "work"}):
            return
        whole, part = _argument(body), _argument(mention)
        for words in re.split(r"\s+and\s+", match["noun"].lower()):
            noun = noun_key(words.split())
            relations = self.arguments.compatible(self.lexicon.nouns.get((noun,), ()), whole, part)
            if relations:
                yield Fact(whole, words, part, relations=relations)
            else:
                yield from self._placed(whole, part, noun.split()[-1])

    @rule("bodies-before-names")
    def _placed(self, whole: Argument, part: Argument, noun: str) -> Iterator[Fact]:
        """Who somebody is with, by the name before what he is: "NASA astronaut Z", "Serie A side Z", "the NBC series Z"."""
        kind = self.arguments.kinds.noun(noun)
        around = self._kinds(whole.mentions[0])
        if noun in _SIDES:
            yield Fact(part, f"is {noun} in", whole, relations=ids("league"))
        elif kind == "person" and not around & {"person", "place", "work", "event", "award"}:
            yield Fact(
                part,
                f"is {noun} of",
                whole,
                relations=ids("employer", "member of sports team", "member of", "member of political party"),
            )
        elif (
            kind == "work"
            and not around & {"person", "place", "event", "award"}
            and noun in ("series", "sitcom", "drama", "show")
        ):
            yield Fact(part, f"is {noun} on", whole, relations=ids("original broadcaster"))

    @rule("persons-of-bodies")
    def _body(self, person: Mention, body: Mention) -> Iterator[Fact]:
        """A person "of" an organization belongs to it: "Martin Chalfie of Columbia University"."""
        if not _OF.fullmatch(self._between(person, body)) or self._kinds(person) != {"person"} | (
            self._kinds(person) & {"man", "woman"}
        ):
            return
        if "org" in self._kinds(body):
            yield Fact(
                _argument(person),
                "is of",
                _argument(body),
                relations=ids(
                    "employer",
                    "member of political party",
                    "member of sports team",
                    "member of",
                    "educated at",
                ),
            )

    @rule("bodies-in-places")
    def _seated(self, body: Mention, place: Mention) -> Iterator[Fact]:
        """Institutions that are where they are said to be: "Velmora University in Lund", "the Museum of Art, Lund"."""
        kinds, around = self._kinds(body), self._kinds(place)
        if (
            not _INSTITUTION.search(body.text)
            or (kinds and not kinds & {"org", "place"})
            or (around and "place" not in around)
        ):
            return
        if self._between(body, place) in (" in ", ", "):
            yield Fact(
                _argument(body),
                "located in",
                _argument(place),
                relations=ids("headquarters location", "located in", "location", "country"),
                object_type="place",
            )

    @rule("hyphenated-places-of-names")
    def _hyphenated(self, place: Mention, mention: Mention) -> Iterator[Fact]:
        """Where somebody or something is from, by an adjective before the name: "the Vienna-born Anna", "the Lund-based company Z"."""
        match = _HYPHENATED.fullmatch(self._between(place, mention))
        if match is not None:
            verb = match["verb"]
            yield Fact(_argument(mention), f"is {verb}", _argument(place), relations=HYPHENATED[verb])

    # ── places ────────────────────────────────────────────────────────────────────────────────────────

    def _before(self, mention: Mention) -> str:
        sentence = self.arguments.reading.sentence
        return sentence.text[: mention.span.start - sentence.span.start]

    def _between(self, left: Mention, right: Mention) -> str:
        sentence = self.arguments.reading.sentence
        return sentence.text[left.span.end - sentence.span.start : right.span.start - sentence.span.start]

    def _antecedent(self, start: int) -> Argument | None:
        """Whom a possessive pronoun at `start` means, where the noun phrase that begins with it was resolved."""
        reading = self.arguments.reading
        for chunk in reading.chunks:
            if isinstance(chunk, NP) and reading.span(chunk.first, chunk.first).start == start:
                owner = self.arguments.owner(chunk)
                if owner is not None and owner.mention is not None:
                    return owner
        return None


def _as_title(name: Mention, before: str, *, dated: bool) -> bool:
    """Whether a name of no known kind is a title: by its quotation mark, or because a graph has it; `dated`: with a year before it."""
    return before[-1:] in '"“‘*' or (bool(name.candidates) and (not dated or before[-2:-1].isdigit()))


def _argument(mention: Mention) -> Argument:
    return Argument(mention.text, mention.span, (mention,))
