"""Whom "he", "it" or "the company" means: a sieve over what was named before, with a margin or no answer.

Candidates come from the question, the heading, the earlier claims and the sentence so far. Gender, number and kind must
fit; then the subject that the text has been about wins. Two that fit equally well are ambiguous: nothing is guessed. Things without
a name are no candidates, but rivals: "it" may mean the parcel as well as the firm that sends it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from guardrail.claims.discourse.expected_kinds import expected_kind
from guardrail.claims.discourse.rivals import Rival, rivals_in
from guardrail.claims.lexicon import first_names
from guardrail.claims.lexicon.kinds import Kinds
from guardrail.claims.lexicon.name_kinds import likely
from guardrail.language import Parse
from guardrail.language.lists import word_list
from guardrail.language.vocabulary import listed_word
from guardrail.rules import rule
from guardrail.types import Claim, Context, Kind, Mention
from guardrail.values.demonyms import DEMONYMS

__all__ = ["Discourse", "PRONOUNS", "ends_sentence", "suits"]  # noqa: RUF022 - sorted as Python sorts

PRONOUNS = word_list("personal pronouns") | {"this", "that", "these", "those"}
_GENDERS = dict.fromkeys(("he", "him", "his", "himself"), "m") | dict.fromkeys(
    ("she", "her", "hers", "herself"), "f"
)
_THING = frozenset({"it", "its", "itself"})
_PLACE_OR_ORG = frozenset({"place", "org", "work", "event", "award", "language", "taxon", "thing", "country"})
_NOT_PERSON = re.compile(
    r"\b(?:University|College|School|Institute|Company|Corporation|Inc|Ltd|Group|Bank|Party|League|Association|Society|Museum|River|Lake|"
    r"Mount|Mountain|Island|City|County|State|Street|Park|Airport|Award|Prize|War|Battle|Church|Club|Team|Band|Records|Studios|Tower|"
    r"Bridge|Games|Cup|Festival|Championship|Act|Treaty|Airlines|Press|Center|Centre|Foundation|Ministry|Department|The)\b|\d"
)
_PARTICLES = word_list("particles")
_OWNERS = frozenset({"his", "its"})
_OTHERS = {"his": "woman", "her": "man"}
_OBJECTS = frozenset({"him", "her", "it"})
_MARGIN = 3.0
_THING_MARGIN = 2.2  # things are told apart by kind more often than people are
_SURE = 3.0
_SUBJECT = 1.8
_OF_LATE = 0.7
_SPOKEN_OF = 1.0  # the salience of what the last sentence, the heading or the question was about
_FADED = 0.6
_ENDS = (".", "!", "?", "…", "。")


@dataclass(slots=True)
class _Entry:
    mention: Mention
    kinds: frozenset[str]
    gender: str
    told: bool  # its kind is known of the graph or by what is said of it, and not only likely
    score: float = 0.0  # salience
    asked: bool = False  # the question names it


@dataclass(slots=True)
class Discourse:
    """Everything named so far, by the one it names. `topic` is the subject that was spoken of last and most."""

    kinds: Kinds
    entries: dict[str, _Entry] = field(default_factory=dict)
    rivals: list[Rival] = field(default_factory=list)

    @classmethod
    def before(cls, context: Context, kinds: Kinds, parse: Parse) -> Discourse:
        """What an answer's next sentence may refer back to."""
        discourse = cls(kinds)
        for mention in _asked_of(context.question_mentions):
            discourse.add(mention, 2.0)
        for entry in discourse.entries.values():
            entry.asked = True
        ended = False
        for claim in context.earlier[-24:]:
            if ended:
                discourse.fade()
            ended = ends_sentence(claim)
            for mention in claim.mentions:
                discourse.add(mention, 2.5 if claim.kind is Kind.HEADING else 1.0)
            for fact in claim.facts[:1]:
                if (subject := fact.subject.mention) is not None:
                    discourse.add(subject, 1.8, expected_kind(fact))
        for claim in _last_sentence(context.earlier):
            discourse.rivals += rivals_in(parse(claim.resolved))
        discourse.fade()
        return discourse

    def fade(self) -> None:
        """A sentence has ended: what was named in it is a step further away."""
        for entry in self.entries.values():
            entry.score *= _FADED
        self.rivals = [replace(one, salience=one.salience * _FADED) for one in self.rivals]

    def add(self, mention: Mention, salience: float, hint: str = "") -> None:
        """Notes that something was named. `hint`: what it must be, where no graph knows it."""
        if not _may_be_taken_up(mention, leads=salience >= _SUBJECT):
            return
        key = self._key(mention)
        entry = self.entries.get(key)
        if entry is None:
            entry = self.entries[key] = self._entry(mention, hint)
        elif hint and not entry.told:
            entry.kinds, entry.told = self._kinds(mention, hint), True
        entry.score += salience
        if len(mention.text) > len(entry.mention.text) or (
            entry.mention.entity is None and mention.entity is not None
        ):
            entry.mention = mention

    def _entry(self, mention: Mention, hint: str) -> _Entry:
        entity, kinds = mention.entity, self._kinds(mention, hint)
        gender = entity.gender if entity is not None else _gender(mention.text, kinds)
        return _Entry(mention, kinds, gender, told=bool(hint or entity is not None))

    def _kinds(self, mention: Mention, hint: str) -> frozenset[str]:
        """What it is, by the graph or else by what is said of it and the words of its name."""
        if known := self.kinds.mention(mention):
            return known
        kind = hint or likely(mention.text)
        return frozenset({kind}) if kind else frozenset()

    def _key(self, mention: Mention) -> str:
        if mention.entity is not None:
            return mention.entity.id
        for key, entry in self.entries.items():
            known = entry.mention.text.split()
            if (
                mention.text in (known[-1], known[0])
                or mention.text.split()[-1] == entry.mention.text
                or mention.text == entry.mention.text
            ):
                return key
        return mention.text

    @rule("pronouns")
    def pronoun(
        self,
        low: str,
        *,
        but: Mention | None = None,
        near: Mention | None = None,
        besides: str = "",
        wanted: frozenset[str] = frozenset(),
    ) -> Mention | None:
        """The antecedent of a pronoun, None when there is none or no safe one.

        `but`: the subject of the pronoun's own clause, which "him" cannot mean, nor "its" in "Ottawa is its capital"; `besides`: the
        same where it has no name.
        `wanted`: the kinds of which it must be for what is said of it; all where none is named.
        `near`: the subject of its clause where it may well mean that one ("Anna sold her house"): it wins over what is not
        known to fit.
        """
        found = self._leading(low, but, besides, wanted)
        return self._subject(low, near) if found is None and near is not None else found

    def _leading(self, low: str, but: Mention | None, besides: str, wanted: frozenset[str]) -> Mention | None:
        """What leads among all that a pronoun can mean; what several are meant by is left open, for nobody knows which."""
        apart = self._key(but) if but is not None and low in _OBJECTS | _OWNERS else None
        if gender := _GENDERS.get(low):
            found = self._best(lambda e: self._may_mean(low, e), lambda e: e.gender == gender, apart)
            return self._unrivalled(found, besides, _MARGIN, self._may_be_person)
        if low in _THING:
            found = self._best(
                lambda e: self._thing(e) and _of_kinds(e, wanted),
                lambda e: bool(e.kinds & _PLACE_OR_ORG),
                apart,
                margin=_THING_MARGIN,
            )
            return self._unrivalled(found, besides, _THING_MARGIN, self._may_be_thing)
        return None

    def _subject(self, low: str, near: Mention) -> Mention | None:
        """The subject of the pronoun's clause, where that alone is known to fit among what was named of late."""
        entry = self.entries.get(self._key(near))
        if entry is None or not self._may_mean(low, entry):
            return None
        fits = self._person if low in _GENDERS else self._thing
        known = [one for one in self.entries.values() if one.kinds and fits(one)]
        alone = all(one is entry or one.score < _OF_LATE for one in known)
        return entry.mention if alone and entry.kinds else None

    @rule("unnamed-antecedents", passes=1)
    def _unrivalled(
        self, found: Mention | None, besides: str, margin: float, may_be: Callable[[Rival, _Entry], bool]
    ) -> Mention | None:
        """The antecedent found, unless something without a name may as well be meant: "The form is green. Send it to Acme"."""
        if found is None:
            return None
        entry = self.entries[self._key(found)]
        score = entry.score * (_SURE if found.entity is not None and found.text[:1].isupper() else 1.0)
        if score < _SPOKEN_OF or any(
            one.noun != besides and one.salience * margin > score and may_be(one, entry)
            for one in self.rivals
        ):
            return None
        return found

    def _may_be_person(self, rival: Rival, entry: _Entry) -> bool:
        """Whether "she" may mean it; what is of no known kind only where little is known of the name either."""
        kind = self.kinds.noun(rival.noun)
        return kind == "person" or (not kind and not entry.gender)

    def _may_be_thing(self, rival: Rival, _entry: _Entry) -> bool:
        return self.kinds.noun(rival.noun) != "person"

    @rule("noun-antecedents")
    def head(self, noun: str) -> Mention | None:
        """The antecedent of "the company", "this film": the last one named of that kind."""
        kind = self.kinds.noun(noun)
        if not kind:
            return None
        narrower = {one for one, wide in self.kinds.within.items() if wide == kind}
        loose = kind not in ("event", "thing")
        return self._best(
            lambda e: (
                _named_so(e.mention, noun)
                or (
                    e.told
                    and kind in e.kinds
                    and not narrower & e.kinds
                    and (loose or _called(e.mention, noun))
                )
            ),
            lambda e: kind in e.kinds or _named_so(e.mention, noun),
        )

    @rule("short-names")
    def named(self, text: str) -> Mention | None:
        """The fuller name that a later short form stands for ("Curie" after "Marie Curie"), if only one fits."""
        found = [
            e.mention
            for e in self.entries.values()
            if text != e.mention.text and text in e.mention.text.split()
        ]
        return found[0] if len(found) == 1 else None

    def topic(self, kinds: frozenset[str] = frozenset()) -> Mention | None:
        """What the text is about, when one candidate clearly leads; of these kinds, if any are given."""
        return self._best(lambda e: not kinds or bool(e.kinds & kinds), lambda e: True, margin=_THING_MARGIN)

    def only(self, kinds: frozenset[str]) -> Mention | None:
        """The one thing of these kinds that the question names, or else that was named at all; None where there are several."""
        fitting = [entry for entry in self.entries.values() if entry.kinds & kinds]
        of_question = [entry for entry in fitting if entry.asked] or fitting
        return of_question[0].mention if len(of_question) == 1 else None

    def copy(self) -> Discourse:
        """The state as it is now."""
        return Discourse(
            self.kinds, {key: replace(entry) for key, entry in self.entries.items()}, list(self.rivals)
        )

    def _person(self, entry: _Entry) -> bool:
        return bool(entry.gender or entry.kinds & {"person", "character"})

    def _may_mean(self, low: str, entry: _Entry) -> bool:
        """Whether a pronoun for one person or one thing can mean it."""
        if gender := _GENDERS.get(low):
            return self._person(entry) and entry.gender in ("", gender)
        return low in _THING and self._thing(entry)

    @staticmethod
    def like_person(name: str) -> bool:
        """Whether an unknown name looks like a person's: two to five capitalised words and nothing that institutions are called."""
        words = name.split()
        return (
            2 <= len(words) <= 5
            and all(w[:1].isupper() or w in _PARTICLES for w in words)
            and not _NOT_PERSON.search(name)
        )

    def _thing(self, entry: _Entry) -> bool:
        if entry.kinds:
            return "person" not in entry.kinds
        return not entry.gender

    def _best(
        self,
        fits: Callable[[_Entry], bool],
        sure: Callable[[_Entry], bool],
        apart: str | None = None,
        *,
        margin: float = _MARGIN,
    ) -> Mention | None:
        """The candidate that leads by the margin; what surely fits counts more than what may fit."""
        scored = sorted(
            (
                (entry.score * (_SURE if sure(entry) else 1.0), number)
                for number, (key, entry) in enumerate(self.entries.items())
                if key != apart and fits(entry)
            ),
            reverse=True,
        )
        if not scored or (len(scored) > 1 and scored[0][0] < margin * scored[1][0]):
            return None
        return list(self.entries.values())[scored[0][1]].mention


@rule("named-in-the-question", passes=0)
def _asked_of(mentions: tuple[Mention, ...]) -> tuple[Mention, ...]:
    """What a question is about: where it has a known name, neither an ordinary word that begins it, "Quick facts about New Zealand", nor what
    it wants to know, "the currency of New Zealand".
    """
    named = any(one.entity is not None and one.text[:1].isupper() for one in mentions)
    return tuple(
        one
        for one in mentions
        if not named
        or (one.text[:1].isupper() and (one.entity is not None or not listed_word(one.text.lower())))
    )


def _gender(name: str, kinds: frozenset[str]) -> str:
    """By the first name or the title of what may be a person; "Henry Ford Museum" is none."""
    may_be_person = not kinds or "person" in kinds
    return first_names.gender(name) if may_be_person and not _NOT_PERSON.search(name) else ""


def _may_be_taken_up(mention: Mention, *, leads: bool) -> bool:
    """Whether a pronoun can mean it: a name that is no adjective ("a German company"), and as a subject any thing that is known."""
    if leads and mention.entity is not None:
        return True
    return mention.text[:1].isupper() and (leads or mention.text.lower() not in DEMONYMS)


def _of_kinds(entry: _Entry, wanted: frozenset[str]) -> bool:
    """Whether it may be of one of these kinds, of which it must be; of anything where none is named."""
    return not wanted or not entry.kinds or bool(entry.kinds & wanted)


def _last_sentence(earlier: Sequence[Claim]) -> Sequence[Claim]:
    """The claims of the last sentence."""
    start = len(earlier) - 1
    while start > 0 and not ends_sentence(earlier[start - 1]):
        start -= 1
    return earlier[max(start, 0) :]


def ends_sentence(claim: Claim) -> bool:
    """Whether a sentence ends with it."""
    return claim.text.rstrip("\"'”’)]*_ ").endswith(_ENDS) or claim.kind is Kind.HEADING


def _named_so(mention: Mention, noun: str) -> bool:
    """Whether a name that no graph knows begins or ends with the noun: "the club" of "Castle Chess Club", "the lake" of "Lake Ostrel"."""
    words = mention.text.lower().split()
    return mention.entity is None and noun in (words[0], words[-1])


def _called(mention: Mention, noun: str) -> bool:
    """Whether an entity's label or description calls it by this noun."""
    entity = mention.entity
    return entity is not None and noun in f"{entity.label} {entity.description}".lower().split()


def suits(pronoun: str, kinds: frozenset[str]) -> bool:
    """Whether a possessive can mean a thing of these kinds; of which nothing is known, anything may be meant."""
    if _OTHERS.get(pronoun, "") in kinds:
        return False
    return not kinds or ("person" in kinds) == (pronoun in _OTHERS)
