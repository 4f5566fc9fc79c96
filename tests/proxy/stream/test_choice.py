"""What becomes of a choice's text."""

from __future__ import annotations

from policies.decide import Decision
from policies.policy import load
from policies.terms import Action
from proxy.apis.chat import ChatStream
from proxy.stream.choice import Choice
from proxy.stream.draft import Draft
from proxy.stream.release import Withheld
from tests.fakes import chunk


def holding(text: str) -> Choice:
    choice = Choice(Draft(), Withheld(0, ChatStream()))
    choice.draft.add(text)
    choice.withheld.add(text, None, chunk(text))
    return choice


def test_a_blocked_choice_shows_the_message_and_nothing_else() -> None:
    """The message takes the text's place, and the finish reason is the policy's."""
    policy = load("block")
    choice = holding("secret")
    assert b"withheld" in choice.block(Decision(Action.BLOCK, message="withheld"), with_error=False)
    assert choice.withheld.release(99) == b""
    told = choice.outcome(policy, withheld=True)
    assert (told.text, told.changed, told.stop) == ("withheld", True, policy.block.finish_reason)


def test_a_block_in_error_form_says_nothing() -> None:
    """As an error, a block has no words in the stream."""
    assert holding("secret").block(Decision(Action.BLOCK, message="withheld"), with_error=True) == b""


def test_untouched_text_is_told_as_such() -> None:
    """Text that was let go as it came has not changed."""
    choice = holding("words")
    choice.withheld.release(5)
    told = choice.outcome(load("annotate"), withheld=True)
    assert (told.text, told.changed, told.stop) == ("words", False, None)
    assert choice.section() == b""


def test_what_an_event_repeats_is_heard_once() -> None:
    """Of all that a choice has said only what is new counts; what differs is text of its own, where it passes."""
    choice = Choice(Draft(), Withheld(0, ChatStream()))
    choice.draft.add("It is")
    assert choice.unheard("It is so.", strict=True) == " so."
    assert choice.unheard("It is so.", strict=True) == ""
    assert choice.unheard("", strict=False) == ""
    assert choice.unheard("No, it is not.", strict=True) == ""
    assert choice.unheard("Not at all.", strict=False) == "\n\nNot at all."
    assert choice.unheard("Not at all.", strict=False) == ""
    assert choice.unheard("It", strict=False) == "\n\nIt"
