"""Days that are none, and days that may be two."""

import pytest

from guardrail.values.written_days import doubt, in_order, order_of


@pytest.mark.parametrize(
    "text",
    "31/02/2001|2001-02-31|30 February 2001|February 30, 2001|32 January 2001|31.11.2001|25/13/2001|2020-13-01".split(
        "|"
    ),
)
def test_a_day_that_the_calendar_does_not_have(text: str) -> None:
    """In any form."""
    assert doubt(text) == "is no day of the calendar"


def test_a_day_that_may_be_two() -> None:
    """The hint names both."""
    assert doubt("03/04/2021") == "may be 2021-04-03 or 2021-03-04: write one of these"


@pytest.mark.parametrize(
    "text",
    "15/06/2022|06/15/2022|05/05/2020|03.04.2021|29 February 2004|2021-04-03|29/02/1500|1999|a/b/2001|Ann Lee|".split(
        "|"
    ),
)
def test_nothing_else_is_in_doubt(text: str) -> None:
    """One day, or no day at all."""
    assert doubt(text) == ""


def test_one_day_tells_the_order_of_the_others() -> None:
    """Unless another one tells the opposite."""
    assert order_of(["03/04/2021", "15/06/2022"]) == "day"
    assert order_of(["03/04/2021", "06/15/2022"]) == "month"
    assert order_of(["15/06/2022", "06/15/2022"]) == order_of(["03/04/2021", "31/02/2001"]) == ""
    assert (in_order("03/04/2021", "day"), in_order("03/04/2021", "month")) == ("2021-04-03", "2021-03-04")
    assert in_order("31/02/2001", "day") == "31/02/2001"
    assert in_order("03/04/2021", "") == "03/04/2021"
