"""The setting that names the model."""

from __future__ import annotations

import pytest

from guardrail.errors import ConfigError
from guardrail.models.encoder import MODELS
from guardrail.models.place import ModelPlace, place


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ModelPlace("embedded")),
        ("embedded", ModelPlace("embedded")),
        ("/models/mine", ModelPlace("torch", "/models/mine")),
        (
            "some/model?device=cpu&labels=a,b",
            ModelPlace("torch", "some/model", {"device": "cpu", "labels": "a,b"}),
        ),
        ("tei+http://h:80", ModelPlace("tei", "http://h:80")),
        ("tei+https://h/x?timeout=3", ModelPlace("tei", "https://h/x", {"timeout": "3"})),
        ("minicheck+http://h/v1?model=a/b", ModelPlace("minicheck", "http://h/v1", {"model": "a/b"})),
    ],
)
def test_a_setting_names_a_kind_a_place_and_options(text: str, expected: ModelPlace) -> None:
    """Each form is read as documented."""
    assert place(text) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("http://h", r"tei\+http://h or minicheck\+http://h"),
        ("vllm+http://h", r"tei\+http://h"),
        ("tei+http://h?device=cuda", "no option 'device'"),
        ("some/model?timeout=1", "no option 'timeout'"),
        ("minicheck+http://h/v1", r"\?model=NAME"),
        (f"{MODELS}?device=cuda", "no option 'device'; known are none for this kind of model"),
    ],
)
def test_what_is_not_understood_is_refused(text: str, message: str) -> None:
    """The message says what may stand there."""
    with pytest.raises(ConfigError, match=message):
        place(text)


def test_a_folder_of_our_own_files_is_told_from_one_for_torch() -> None:
    """What has a graph of ours needs no torch."""
    assert place(str(MODELS)) == ModelPlace("exported", str(MODELS))


def test_options_are_checked() -> None:
    """A number is above 0, a choice among those allowed."""
    named = place("tei+http://h?timeout=0&in_flight=many&fallback=maybe&temperature=nan")
    for option in ("timeout", "in_flight", "temperature"):
        with pytest.raises(ConfigError, match=option):
            named.number(option, 1.0)
    with pytest.raises(ConfigError, match="embedded or none"):
        named.choice("fallback", "embedded", "none")
    assert named.number("attributable", 0.7) == 0.7
