"""Templates replace what is on the list and evaluate nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from policies.template import PLACEHOLDERS, faults, fill


def test_names_are_replaced_and_doubled_braces_are_braces() -> None:
    """{{ and }} stand for themselves."""
    assert fill("{{{claim}}} of {policy}", {"claim": "A", "policy": "p"}) == "{A} of p"


@given(st.text(), st.text())
def test_values_are_never_templates(claim: str, other: str) -> None:
    """What stands in a value arrives as it is."""
    assert fill("{claim}|{policy}", {"claim": claim, "policy": other}) == f"{claim}|{other}"


@pytest.mark.parametrize(
    "template",
    ["{0}", "{}", "{claim.text}", "{claim!r}", "{claim:>99999999}", "{claim[0]}", "{", "}", "{a{claim}}"],
)
def test_anything_that_python_would_evaluate_is_refused(template: str) -> None:
    """Attributes, indices, conversions and widths of `str.format` are no placeholders here."""
    assert faults(template, PLACEHOLDERS["note"])


@given(st.text(alphabet="{}claim x."))
def test_a_template_without_faults_uses_allowed_names_only(template: str) -> None:
    """What passes the check can be filled, and every brace left over was written doubled."""
    if not faults(template, PLACEHOLDERS["note"]):
        filled = fill(template, dict.fromkeys(PLACEHOLDERS["note"], "V"))
        assert filled.count("{") == template.count("{{")
