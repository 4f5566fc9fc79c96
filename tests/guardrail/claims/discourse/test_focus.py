"""What a sentence may be said of, though it does not name it."""

from guardrail.claims.discourse.focus import with_focus
from guardrail.types import Argument, Candidate, Claim, Context, Entity, Fact, Mention, Span


def mention(name: str) -> Mention:
    return Mention(Span(0, len(name)), name, (Candidate(Entity(name, name), 1.0),))


def claim(*names: str, subject: str = "") -> Claim:
    facts = (Fact(Argument(subject, mentions=(mention(subject),)), "is", Argument("")),) if subject else ()
    return Claim(0, Span(0, 1), "x", "x", facts, tuple(map(mention, names)))


def focus(one: Claim, mentions: tuple[Mention, ...] = (), context: Context | None = None) -> list[str]:
    (found,) = with_focus([one], mentions, context or Context())
    return [entity.label for entity in found.focus]


def test_what_stands_near_comes_first_and_the_question_behind_it() -> None:
    """The rest of the sentence, the claims before it from the last on, what the question is about."""
    context = Context("Who?", (mention("Darwin"),), (claim("Wedgwood"), claim("Down House")))
    assert focus(claim(), (mention("London"),), context) == ["London", "Down House", "Wedgwood", "Darwin"]


def test_what_a_claim_names_itself_is_not_around_it() -> None:
    """Nor is a subject that it has from a sentence before."""
    context = Context("Who?", (mention("Darwin"), mention("Huxley")))
    assert focus(claim("Huxley", subject="Darwin"), (mention("Huxley"),), context) == []


def test_a_line_without_a_name_hands_on_what_it_was_said_of() -> None:
    """As the lines of a list do, below a name."""
    named = claim("Ada")
    (bare,) = with_focus([claim()], (), Context(earlier=(named,)))
    assert focus(claim("Bath"), (mention("Bath"),), Context(earlier=(bare,))) == ["Ada"]


def test_a_name_that_the_graph_does_not_know_is_left_out() -> None:
    """Nothing can be looked up for it."""
    assert focus(claim(), (Mention(Span(0, 3), "Zed"),)) == []
