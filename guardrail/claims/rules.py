"""`RuleExtractor`: a sentence to claims, without a model at the far end.

Block and selection → tokens, tags, chunks, clauses → facts → disjoint claims in order. Claims are built from places of the
text and never mapped back to it: `claim.text == original[claim.span]`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from guardrail.claims.answers.declarative import answered
from guardrail.claims.answers.yes_no import asks_yes_or_no, says_yes_or_no, yes_or_no
from guardrail.claims.arguments.arguments import Arguments
from guardrail.claims.arguments.wording import resolved
from guardrail.claims.checkable.fragments import unstated
from guardrail.claims.checkable.selection import (
    believed,
    framed,
    hedged,
    introduced,
    kind_of,
    states_rule,
    supposed,
)
from guardrail.claims.discourse.coreference import Discourse
from guardrail.claims.discourse.gapping import with_verbs
from guardrail.claims.discourse.plurals import with_names
from guardrail.claims.facts.acronyms import Acronyms
from guardrail.claims.facts.clauses import Facts
from guardrail.claims.facts.events import distinct
from guardrail.claims.facts.listings import Listings
from guardrail.claims.lexicon.kinds import Kinds, load_kinds
from guardrail.claims.lexicon.relations import Lexicon, load_lexicon
from guardrail.claims.listed import keyed, listed
from guardrail.claims.reading.clauses import Clause
from guardrail.claims.reading.clauses.state import REPORTS
from guardrail.claims.reading.sentence import ParsedSentence, read
from guardrail.claims.reading.tokens import tokenize
from guardrail.claims.splitting import Piece, pieces, stated
from guardrail.language import Parser, parser
from guardrail.rules import rule
from guardrail.types import BlockKind, Claim, Context, Fact, Kind, Mention, Reason, Sentence, Span, Statement

__all__ = ["RuleExtractor"]

_SAYING = ("that", "ed", "id", "es", "ys", "ts", "ote", "ims", "eves", "tes", "ld", "own", "ght", "new")
_BETWEEN_CELLS = re.compile(r"\||<t[dh]\b", re.IGNORECASE)
# The first mark behind polite words, with nothing before it that decides whether what is behind it holds.
_FRAME_END = re.compile(
    r"(?i)(?:(?!\b(?:if|when|whether|that|because|which|unless|until)\b)[^,:;–—]){3,}[,:;–—]"
    r"(?!\s*(?:but |and )?(?:which|who|whose|where)\b)\s*(?:but |and )?"
)
_ENDING = frozenset(".!…。！\"'”’")  # what ends a sentence, with citations and marks, which are no tokens


@dataclass(slots=True)
class _Group:
    """A stretch that is told as one claim, with the clauses that begin in it."""

    piece: Piece
    clauses: list[Clause] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)

    def holds(self, place: Span | None, offset: int) -> bool:
        """Whether a place of the original text lies in it."""
        return place is not None and Span(self.piece.start, self.piece.end).shift(offset).contains(place)


@dataclass(frozen=True, slots=True)
class RuleExtractor:
    """Implements `guardrail.types.Extractor`. Thread-safe: holds tables only."""

    lexicon: Lexicon = field(default_factory=load_lexicon)
    kinds: Kinds = field(default_factory=load_kinds)
    parser: Parser = field(default_factory=parser)

    def extract(
        self, sentence: Sentence, mentions: Sequence[Mention], context: Context, *, first_id: int = 0
    ) -> list[Claim]:
        """Disjoint claims in order; what cannot be checked is one claim with its kind."""
        kind = kind_of(sentence)
        if start := self._told(sentence.text, kind):
            return self.extract(_behind(sentence, start), mentions, context, first_id=first_id)
        if start := believed(sentence.text):
            claims = self.extract(_behind(sentence, start), mentions, context, first_id=first_id)
            if any(_linked(fact) for claim in claims for fact in claim.facts):
                return claims
        if kind is Kind.HEADING and (headline := self._headline(sentence, mentions, context, first_id)):
            return headline
        if kind is Kind.FACT or (kind is Kind.GREETING and _opens_with_a_name(sentence, mentions)):
            return self._statements(sentence, mentions, context, first_id)
        return self._added(sentence, mentions, context, first_id) or [
            _whole(sentence, mentions, kind, first_id)
        ]

    @rule("short-answers")
    def statement(self, sentence: Sentence, context: Context) -> Statement | None:
        """What a first sentence says that leaves to the question what it is about."""
        if not _answering(context) or sentence.kind is not BlockKind.PROSE or _leads_in(sentence):
            return None
        if kind_of(sentence) is not Kind.FACT and yes_or_no(sentence.text) is None:
            return None  # "Good question!"
        return answered(context.question, sentence.text, self.parser.read_long)

    def named(self, sentence: Sentence, context: Context) -> Statement | None:
        """A sentence with the names that "both" or "they" mean in it, or with a verb that is said once for several."""
        parse = self.parser.read_long
        return with_names(sentence, context, self.kinds, parse) or with_verbs(sentence, parse)

    def _told(self, text: str, kind: Kind) -> int:
        """Where a statement begins behind words that only offer to tell it, or ask to note it; 0 where none does."""
        start = framed(text) if kind is not Kind.QUESTION else 0
        if start and stated(self.parser.read_long(text[start:])):
            return start
        return introduced(text) if kind is not Kind.FACT else 0

    @rule("added-to-politeness", silent=list)
    def _added(
        self, sentence: Sentence, mentions: Sequence[Mention], context: Context, first_id: int
    ) -> list[Claim]:
        """The claims of a sentence that greets or gives an opinion and states something besides; none of one that does not.

        "I apologize; the capital of Australia is Sydney", "You're welcome to use the trial, which lasts 60 days".
        """
        kind = kind_of(sentence)
        if kind not in (Kind.GREETING, Kind.OPINION):
            return []
        if _says_yes_or_no(sentence, context):
            return [_whole(sentence, mentions, Kind.FACT, first_id)]
        if start := self._behind_frame(sentence) if kind is Kind.GREETING else 0:
            frame = _whole(_before(sentence, start), mentions, kind, first_id)
            return [
                frame,
                *self.extract(_behind(sentence, start), mentions, context, first_id=first_id + 1),
            ]
        claims = self._statements(sentence, mentions, context, first_id)
        besides = [at > 0 and self._besides(claim, sentence, kind) for at, claim in enumerate(claims)]
        if not any(besides):
            return []
        return [
            claim if beside else replace(claim, kind=kind, facts=())
            for claim, beside in zip(claims, besides, strict=True)
        ]

    def _behind_frame(self, sentence: Sentence) -> int:
        """Where a statement begins behind the first mark of a sentence that greets; 0 where none does."""
        mark = _FRAME_END.match(sentence.text)
        behind = _behind(sentence, mark.end()) if mark else sentence
        tells = (
            mark is not None and kind_of(behind) is Kind.FACT and stated(self.parser.read_long(behind.text))
        )
        return mark.end() if mark is not None and tells else 0

    def _besides(self, claim: Claim, sentence: Sentence, kind: Kind) -> bool:
        """Whether a claim of a sentence of that kind is stated by itself; beside an opinion a mark or "which" must show it."""
        part = replace(sentence, span=claim.span, text=claim.text)
        if claim.kind is not Kind.FACT or kind_of(part) is not Kind.FACT:
            return False
        if claim.text.partition(" ")[0].lower() in ("which", "whose", "where"):
            return True
        before = sentence.text[: claim.span.start - sentence.span.start].rstrip()
        apart = kind is Kind.GREETING or before.endswith((";", ":", "–", "—"))
        return apart and stated(self.parser.read_long(claim.text))

    @rule("headlines", silent=list)
    def _headline(
        self, sentence: Sentence, mentions: Sequence[Mention], context: Context, first_id: int
    ) -> list[Claim]:
        """The claims of a heading that is a whole sentence or tells a property; none of one that only names what follows."""
        prose = replace(sentence, kind=BlockKind.PROSE)
        if _BETWEEN_CELLS.search(sentence.text) or kind_of(prose) is not Kind.FACT:
            return []
        claims = self._statements(prose, mentions, context, first_id)
        reading = self._read(prose, mentions)
        whole = any(one.vg is not None and one.vg.form == "finite" and one.subject for one in reading.clauses)
        stated = any(fact.relations for claim in claims for fact in claim.facts)
        return claims if stated and (whole or ":" in sentence.text) else []

    def _statements(
        self, sentence: Sentence, mentions: Sequence[Mention], context: Context, first_id: int
    ) -> list[Claim]:
        """The claims of a sentence that may be looked up."""
        reading = self._read(sentence, mentions)
        discourse = Discourse.before(context, self.kinds, self.parser.read_long)
        topic = discourse.topic()
        arguments = Arguments(reading, self.kinds, discourse, self.lexicon)
        arguments.resolve()
        listings = Listings(arguments, self.lexicon, topic)
        if found := listed(listings, first_id):
            return found
        stretches = self._pieces(sentence)
        claims = self._claims_in(stretches, arguments, first_id)
        if any(claim.facts for claim in claims):
            return claims
        if any(one.pair for one in stretches):
            return [keyed(claim, listings.about()) for claim in claims]
        lead_in = Kind.HEADING if _leads_in(sentence) else None
        verbless = all(one.kind is Kind.HEADING for one in stretches)
        if nothing := lead_in or (verbless and unstated(reading, short_answer=_answering(context))):
            return [_whole(sentence, mentions, nothing, first_id)]
        return claims

    def _claims_in(self, stretches: Sequence[Piece], arguments: Arguments, first_id: int) -> list[Claim]:
        """A claim for each stretch that holds one, with all facts of the sentence."""
        facts = Facts.of_sentence(arguments, self.lexicon)
        groups = _groups(arguments.reading, facts, stretches)
        claims = [self._claim(group, arguments, number) for number, group in enumerate(groups, first_id)]
        for fact in (*facts.beside_clauses(), *Acronyms(arguments).facts(claims)):
            claims = _with_fact(claims, fact)
        return claims

    def _read(self, sentence: Sentence, mentions: Sequence[Mention]) -> ParsedSentence:
        return read(sentence, mentions, self.parser.read_long(sentence.text))

    def _pieces(self, sentence: Sentence) -> list[Piece]:
        """The stretches of a sentence; the whole of one that was not read."""
        text = sentence.text
        found = pieces(self.parser.read(text), line=sentence.kind is BlockKind.ITEM or "\n" not in text)
        if not found:
            return [Piece(0, len(text), Kind.FACT, 0)]
        last, end = found[-1], len(text.rstrip())
        if all(_ENDING.issuperset(token.text) for token in tokenize(text[last.end : end])):
            found[-1] = replace(last, end=end)  # with what ends the sentence
        return found

    def _claim(self, group: _Group, arguments: Arguments, number: int) -> Claim:
        reading = arguments.reading
        sentence = reading.sentence
        span = Span(group.piece.start, group.piece.end).shift(sentence.span.start)
        text = _of(reading, span)
        facts = tuple(distinct(group.facts))
        inside = [mention for mention in reading.mentions if span.overlaps(mention.span)]
        subjects = [fact.subject.mention for fact in facts if fact.subject.mention is not None]
        mentions = tuple(dict.fromkeys([*subjects, *inside]))
        return Claim(
            number,
            span,
            text,
            resolved(group.piece, arguments),
            facts,
            mentions,
            _kind(group, text, sentence.text[: span.start - sentence.span.start]),
            _reason(group, arguments),
        )


def _leads_in(sentence: Sentence) -> bool:
    """Whether it only says what follows: "Still open:"."""
    return sentence.text.rstrip("*_ ").endswith(":")


def _answering(context: Context) -> bool:
    """Whether a question is still open: a mere name may be its answer."""
    return bool(context.question) and not any(claim.facts for claim in context.earlier)


def _says_yes_or_no(sentence: Sentence, context: Context) -> bool:
    """Whether a sentence states something by a mere yes or no, to a question that cannot be read as a statement."""
    return _answering(context) and says_yes_or_no(sentence.text) and asks_yes_or_no(context.question)


def _opens_with_a_name(sentence: Sentence, mentions: Sequence[Mention]) -> bool:
    """Whether a name of several words stands at its start."""
    return any(one.span.start - sentence.span.start < 3 and " " in one.text for one in mentions)


def _with_fact(claims: list[Claim], fact: Fact) -> list[Claim]:
    """The claims, of which the one that tells the fact has it: the one with both its ends, else the one with its object.

    A fact about two places of the text that some claim has already is not told again.
    """
    places = [argument.span for argument in (fact.subject, fact.object) if argument.span is not None]
    told = {
        frozenset((one.subject.span, one.object.span))
        for claim in claims
        for one in claim.facts
        if one.relations or not fact.relations
    }
    if not places or frozenset((fact.subject.span, fact.object.span)) in told:
        return claims
    home = next((claim for claim in claims if all(claim.span.contains(place) for place in places)), None)
    home = home or next((claim for claim in claims if claim.span.contains(places[-1])), None)
    return [replace(claim, facts=(*claim.facts, fact)) if claim is home else claim for claim in claims]


def _linked(fact: Fact) -> bool:
    """Whether it has a known relation, and the graph knows one of its ends."""
    return bool(fact.relations) and any(
        one.mention is not None and one.mention.candidates for one in (fact.subject, fact.object)
    )


def _before(sentence: Sentence, end: int) -> Sentence:
    """The sentence up to `end`, without the mark there."""
    words = re.sub(r"[\s,:;–—]+(?:but |and )?$", "", sentence.text[:end])
    return replace(sentence, span=Span(sentence.span.start, sentence.span.start + len(words)), text=words)


def _behind(sentence: Sentence, start: int) -> Sentence:
    """The sentence from `start` on, told and not asked."""
    words = sentence.text[start:].rstrip("?")
    at = sentence.span.start + start
    return replace(sentence, span=Span(at, at + len(words)), text=words)


def _whole(sentence: Sentence, mentions: Sequence[Mention], kind: Kind, number: int) -> Claim:
    """A sentence that is no claim."""
    return Claim(number, sentence.span, sentence.text, sentence.text, mentions=tuple(mentions), kind=kind)


def _of(reading: ParsedSentence, span: Span) -> str:
    offset = reading.sentence.span.start
    return reading.sentence.text[span.start - offset : span.end - offset]


def _groups(reading: ParsedSentence, facts: Facts, stretches: Sequence[Piece]) -> list[_Group]:
    """The stretches with the clauses that begin in them, and each fact where its predicate stands, else its object."""
    offset = reading.sentence.span.start
    groups = [_Group(piece) for piece in stretches]
    for clause in reading.clauses:
        start = reading.tokens[clause.vg.first if clause.vg is not None else clause.start].start
        home = next((one for one in reversed(groups) if one.piece.start <= start), groups[0])
        home.clauses.append(clause)
        for told in facts.of(clause):
            fact = _without_times_of_others(told, groups, offset)
            places = (fact.predicate_span, fact.object.span)
            holding = [one for place in places for one in groups if one.holds(place, offset)]
            if fact.object.value is None or len({id(one) for one in holding}) < 2:
                (holding or [home])[0].facts.append(fact)
    return groups


def _without_times_of_others(fact: Fact, groups: Sequence[_Group], offset: int) -> Fact:
    """The fact without values that stand in another stretch than its verb: "won it in 1903, and in 1911 she …"."""
    own = next((one for one in groups if one.holds(fact.predicate_span, offset)), None)
    if own is None:
        return fact
    kept = tuple(
        one
        for one in fact.attributes
        if one.object.value is None or one.object.span is None or own.holds(one.object.span, offset)
    )
    return fact if len(kept) == len(fact.attributes) else replace(fact, attributes=kept)


def _kind(group: _Group, text: str, before: str) -> Kind:
    nothing = group.piece.kind not in (Kind.FACT, Kind.HEADING)
    if nothing and not any(fact.relations for fact in group.facts):
        return group.piece.kind
    if _is_hedged(group, text) or supposed(before or text):
        return Kind.HEDGED
    return Kind.ATTRIBUTION if _only_attributes(group, text) else Kind.FACT


def _is_hedged(group: _Group, text: str) -> bool:
    """Whether it is put as a possibility, as a condition, or as what is said by nobody in particular."""
    if any(clause.vg is not None and clause.vg.hedged for clause in group.clauses) or hedged(text):
        return not states_rule(text)
    return any(clause.sub in ("if", "unless", "it") for clause in group.clauses) and not states_rule(text)


def _only_attributes(group: _Group, text: str) -> bool:
    """Whether it only names who says what follows: "According to Anna", "She writes:"."""
    if group.facts or len(group.clauses) != 1:
        return False
    lead = group.clauses[0]
    if lead.vg is None:
        return lead.said
    return lead.vg.stem in REPORTS and text.rstrip(' :,"“').endswith(_SAYING)


def _reason(group: _Group, arguments: Arguments) -> Reason | None:
    """No safe reading: the subject only points at something, and it is not clear at what."""
    for fact in group.facts[:1]:
        if arguments.ambiguous(fact.subject):
            return Reason.AMBIGUOUS_REFERENCE
    return None
