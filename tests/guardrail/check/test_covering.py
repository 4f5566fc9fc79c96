"""Whether a sentence has the words of a claim, and no limits besides."""

from guardrail.check.covering import alike, dates, in_arguments, limited, within
from guardrail.check.wording import items
from guardrail.types import Argument, Claim, Fact, Span

CLAIM = "Holm coined it in 2008."


def claim() -> Claim:
    fact = Fact(Argument("Holm"), "coined", Argument("it"))
    dated = Fact(Argument("Holm"), "coined in", Argument("2008"))
    return Claim(0, Span(0, len(CLAIM)), CLAIM, CLAIM, (fact, dated))


def test_words_stand_within_a_sentence_in_their_order_only() -> None:
    """Other words may stand between them."""
    assert within(items("Holm bakes bread"), items("Anna Holm often bakes rye bread"))
    assert not within(items("bread bakes Holm"), items("Anna Holm often bakes rye bread"))


def test_values_are_alike_by_what_they_are() -> None:
    """A coarser date is the same day, another year is not."""
    day = items("on 4 May 1901")[-1]
    assert alike(items("in 1901")[-1], day)
    assert not alike(items("in 1902")[-1], day)


def test_arguments_may_change_places_as_wholes() -> None:
    """Each predicate and argument must stand there; what is no part of them must not be claimed."""
    wanted, said = items("Holm coined 2008"), items("In 2008 it was coined by Holm: coined it")
    assert not in_arguments(items("Holm coined bread"), said, claim())
    assert not in_arguments(wanted, items("In 2009 Holm coined it"), claim())


def test_a_limit_is_a_phrase_that_the_claim_has_not() -> None:
    """ "For adults" limits a price; a date does not, nor what the claim says itself."""
    assert limited(items("The price is $20."), items("The price is $25 for adults."))
    assert not limited(items("The price is $20."), items("In 2020 the price is $25."))
    assert not limited(items("For adults it costs $20."), items("It costs $25 for adults."))


def test_the_dates_of_a_sentence_are_told_by_their_keys() -> None:
    """Numbers are none."""
    assert len(dates(items("Ulm had 500 people in 2010 and 2020."))) == 2
    assert dates(items("Ulm had 500 people.")) == frozenset()
