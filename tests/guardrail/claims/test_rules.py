from __future__ import annotations

import cProfile
import time
from collections.abc import Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from guardrail.claims.rules import RuleExtractor
from guardrail.segment import segment
from guardrail.types import Candidate, Claim, Context, Entity, Kind, Mention, Reason, Sentence, Span

Claims = Callable[..., list[Claim]]


def test_negated_universal(claims_of: Claims) -> None:
    """ "Never operated any" is negated and universal, and the number in the aircraft's name is no value."""
    (claim,) = claims_of("Southwest Airlines has never operated any Boeing 737 models.")
    (fact,) = claim.facts
    assert fact.negated
    assert fact.universal
    assert fact.object.value is None
    assert fact.object.mention is not None
    assert fact.object.mention.text == "Boeing 737"


def test_a_predicate_that_goes_with_no_other_is_said_of_nothing(claims_of: Claims) -> None:
    """The parser may call a word joined that it joins to no other."""
    assert claims_of("The rent [^12] and comes back【4:0†source】.")


def test_said_that(claims_of: Claims) -> None:
    """What somebody said is one claim with the saying, and holds the fact that was said."""
    text = "Niels Bohr said that Albert Einstein was born in Ulm."
    (claim,) = claims_of(text)
    assert claim.text == text
    assert "Albert Einstein" in [fact.subject.text for fact in claim.facts]


def test_collective_predicate_is_not_split(claims_of: Claims) -> None:
    """ "A and B are partners" is one fact about both."""
    (claim,) = claims_of("Marie Curie and Pierre Curie are partners.")
    assert [(fact.subject.text, fact.object.text) for fact in claim.facts] == [
        ("Marie Curie", "Pierre Curie")
    ]


def test_negation_over_coordination(claims_of: Claims) -> None:
    """ "Did not win or receive" denies both."""
    facts = [
        f
        for claim in claims_of("Ada Lovelace did not win or receive the Nobel Prize in Physics.")
        for f in claim.facts
    ]
    assert facts
    assert all(fact.negated for fact in facts)


def test_only_is_universal(claims_of: Claims) -> None:
    """ "The only" is kept as a universal."""
    (claim,) = claims_of("Spain is the only country that borders Portugal.")
    assert claim.facts[0].universal


def test_markdown_inside_a_number(claims_of: Claims) -> None:
    """Bold marks in the middle of a number do not break it, and the span stays exact."""
    text = "France has a population of **68** million people."
    (claim,) = claims_of(text)
    fact = next(fact for fact in claim.facts if fact.relations == ("P1082",))
    assert fact.object.value is not None
    assert fact.object.value.value == "68000000"
    assert fact.object.span is not None
    assert fact.object.span.of(text) == "68** million"


def test_missing_antecedent_is_never_guessed(claims_of: Claims) -> None:
    """A pronoun without a safe antecedent makes the claim ambiguous."""
    assert claims_of("He was born in Ulm.")[0].reason is Reason.AMBIGUOUS_REFERENCE
    two = claims_of("Niels Bohr met Albert Einstein in Berlin. He was born in Ulm.")
    assert two[-1].reason is Reason.AMBIGUOUS_REFERENCE
    assert two[-1].facts[0].subject.mention is None


def test_ids_count_on(claims_of: Claims) -> None:
    """Claims are numbered through the text."""
    claims = claims_of("Paris is in France. Berlin is in Germany and has 4 rivers.")
    assert [claim.id for claim in claims] == list(range(len(claims)))
    assert len(claims) == 3


PIECES = st.sampled_from(
    "Marie Curie|Paris|who|which|,|and|(|)|[1]|**|born|in|1867|was|is|the|capital|of|film|directed by|not|never|his|it|"
    "that|said|;|:|—|“|”|.|\n|- || |It|has|5|km|'s|🎉|東京。|if|to win|an|only|e.g.".split("|")
)


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=25).map(" ".join))
def test_claims_are_disjoint_exact_and_ordered(text: str) -> None:
    """Whatever the text, claims lie in order within it, do not overlap, and so do the places of their arguments."""
    extractor, claims, at = RuleExtractor(), [], 0
    for sentence in segment(text):
        context = Context(earlier=tuple(claims))
        for claim in extractor.extract(sentence, (), context, first_id=len(claims)):
            assert claim.text == claim.span.of(text)
            assert claim.span.start >= at
            assert sentence.span.contains(claim.span)
            at = claim.span.end
            claims.append(claim)
            for fact in claim.facts:
                for argument in (fact.subject, fact.object):
                    assert argument.span is None or argument.span.end <= len(text)
                    if argument.span is not None and argument.value is None:
                        assert argument.text == argument.span.of(text)


def test_time_is_linear_and_short() -> None:
    """Claims of a sentence are found in a few milliseconds, and four times the text takes about four times as long."""
    extractor = RuleExtractor()
    text = "Marie Curie, who was born in Warsaw in 1867, was a Polish physicist and won the Nobel Prize in 1903 with her husband. "

    def seconds(times: int) -> float:
        start = time.process_time()
        for sentence in segment(text * times):
            extractor.extract(sentence, (), Context())
        return time.process_time() - start

    seconds(5)
    assert seconds(80) < 10 * max(seconds(20), 0.01)


def test_titles_that_look_like_orders() -> None:
    """A sentence that begins with a name of the graph is no instruction and no greeting, whatever the name says."""
    claims = RuleExtractor().extract(
        Sentence(Span(0, 39), "Don't Look Up was directed by Bob Smith."[:39]),
        [
            Mention(
                Span(0, 13),
                "Don't Look Up",
                (Candidate(Entity("Q1", "Don't Look Up", types=("Q11424",)), 0.0),),
            )
        ],
        Context(),
    )
    assert claims[0].kind is Kind.FACT
    assert claims[0].facts[0].relations[0] == "P57"


def test_long_texts_take_time_in_proportion(claims_of: Callable[..., list[Claim]]) -> None:
    """Four times the text takes about four times the work, counted in function calls and not by the clock."""
    sentence = (
        "Marie Curie (1867–1934), who was born in Warsaw, won a prize in Paris in 1903 and lived in Ulm. "
    )

    def calls(times: int) -> int:
        profile = cProfile.Profile()
        profile.runcall(claims_of, sentence * times)
        return sum(entry.callcount for entry in profile.getstats())

    claims_of(sentence)
    assert calls(200) < 6 * calls(50)


def test_one_endless_sentence_takes_time_in_proportion(claims_of: Callable[..., list[Claim]]) -> None:
    """A sentence of thousands of words is no trap either."""

    def calls(times: int) -> int:
        text = "Marie Curie met " + ", ".join(["Pierre Curie of Paris (1990)"] * times) + "."
        profile = cProfile.Profile()
        profile.runcall(claims_of, text)
        return sum(entry.callcount for entry in profile.getstats())

    claims_of("Marie Curie lived in Paris.")
    assert calls(160) < 7 * calls(40)
