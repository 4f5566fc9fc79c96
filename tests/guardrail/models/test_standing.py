"""Whether a model can be asked, and how it is tried again."""

from __future__ import annotations

import logging
import threading

import pytest

from guardrail.errors import ModelMalformed, ModelUnavailable
from guardrail.models import standing
from guardrail.models.standing import Standing
from guardrail.telemetry import names
from tests.waiting import eventually


class Attempts:
    """Fails until it is told not to."""

    def __init__(self) -> None:
        self.count = 0
        self.well = threading.Event()

    def __call__(self) -> None:
        self.count += 1
        if not self.well.is_set():
            raise ModelUnavailable("still away", transient=True)


def test_trouble_lasts_until_an_attempt_goes_well(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The newest reason is told; the log has one line when it begins and one when it ends."""
    monkeypatch.setattr(standing, "PAUSE_S", 0.01)
    attempts = Attempts()
    one = Standing(lambda: "m", attempts)
    with caplog.at_level(logging.WARNING):
        one.doubt(ModelMalformed("no JSON"))
        one.doubt(ModelMalformed("again"))
        assert one.trouble in ("no JSON", "still away")
        eventually(lambda: attempts.count > 2)
        assert one.trouble == "still away"
        attempts.well.set()
        eventually(lambda: not one.trouble)
        eventually(lambda: len(caplog.records) == 2)
    assert [record.getMessage() for record in caplog.records] == [
        "the model m is away: no JSON",
        "the model m is back",
    ]


def test_a_request_that_was_refused_is_no_news(caplog: pytest.LogCaptureFixture) -> None:
    """Where only what stood in a request was at fault, the next attempt comes at once and nothing is logged."""
    attempts = Attempts()
    attempts.well.set()
    one = Standing(lambda: "m", attempts)
    with caplog.at_level(logging.WARNING):
        one.doubt(ModelUnavailable("too long", status=413))
        eventually(lambda: not one.trouble)
    assert caplog.records == []


def test_a_server_is_left_alone_as_long_as_it_asks() -> None:
    """`retry-after` is waited for, within reason."""
    asked = standing._patience(ModelUnavailable("slow down", transient=True, retry_after=7))
    assert asked == 7
    assert standing._patience(ModelUnavailable("", transient=True, retry_after=9e9)) == standing.LONGEST_S


def test_replacements_are_counted() -> None:
    """The metrics tell how many claims another model judged."""
    one = Standing(lambda: "m", Attempts())
    one.replaced()
    one.replaced()
    assert one.measures() == {names.MODEL_AWAY: 0, names.MODEL_REPLACED: 2}
    one.close()
    one.doubt(ModelMalformed("after close"))
    assert one.trouble == ""
