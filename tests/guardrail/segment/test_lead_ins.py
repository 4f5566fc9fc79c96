"""What an answer says before what it tells."""

import pytest

from guardrail.segment.lead_ins import without_lead_in
from guardrail.segment.view import View


@pytest.mark.parametrize(
    "lead_in",
    [
        "According to the policy, ",
        "Based on the provided information, ",
        "As stated in your lease agreement, ",
        "The document says that ",
        "The terms also state that ",
        "Note: ",
        "✅ ",
        "In summary: ",
        "In addition, ",
        "Unfortunately, ",
        "Additionally, please note that ",
        "👉 According to the staff handbook, ",
    ],
)
def test_what_comes_before_is_no_part_of_the_claim(lead_in: str) -> None:
    view = without_lead_in(View.of(f"{lead_in}the deposit is six weeks' rent."))
    assert view.text == "The deposit is six weeks' rent."
    assert view.starts[0] == len(lead_in)


@pytest.mark.parametrize(
    "text",
    [
        "According to Ada Moss, the glass came from Egypt.",
        "The report was published in May.",
        "Notes of the meeting are kept for a year.",
        "In the lease the deposit is called a bond.",
        "-5 °C is the lowest temperature.",
        "$40 is the fee.",
        "≥ 5 members must be present.",
        "~40 people were there.",
        "< 5 days are left.",
        "Under the old policy, the fee was £5.",
        "According to the previous policy, the fee was £5.",
        "In the draft contract, the fee is £5.",
        "No, the fee is $40.",
        "Yes, it is.",
        "Finally the fee rose.",
        "According to the policy, ",
    ],
)
def test_what_is_told_stays(text: str) -> None:
    assert without_lead_in(View.of(text)).text == text
