"""Every spelling of a path that a model's server may understand is one path."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guardrail.errors import BadRequest
from proxy.server.paths import Kind, checked, find, is_api, segments

CHAT = "/v1/chat/completions"


@pytest.mark.parametrize(
    "raw",
    [
        CHAT,
        f"{CHAT}/",
        "/v1//chat/completions",
        "//v1/chat/completions",
        "/v1/./chat/completions",
        "/v1/chat/./completions/.",
        f"{CHAT};x=1",
        "/v1;a/chat;b=2/completions;",
        f"{CHAT}%20",
        f"{CHAT}%20/%09",
        "/V1/Chat/COMPLETIONS",
        "/v1/chat%2Fcompletions",
        "/%76%31/ch%61t/completions",
        "/v1/ch%2561t/completions",
        "/v1\\chat\\completions",
        "/v1/chat%5ccompletions",
        f"{CHAT}%3Fa=b",
        f"{CHAT}#top",
        "/openai/v1/chat/completions",
        "/openai/chat/completions",
    ],
)
def test_one_path_however_it_is_spelled(raw: str) -> None:
    """The answer is checked as one of the API's, and the server is asked by the table's own spelling."""
    place = find("POST", raw)
    assert (place.kind, place.target, place.route) == (Kind.CHECKED, "/chat/completions", CHAT)
    assert is_api(raw)


@pytest.mark.parametrize(
    ("raw", "target", "route", "model"),
    [
        ("/v1/engines/davinci/completions", "/engines/davinci/completions", "/v1/completions", "davinci"),
        ("/v1/Engines/A%20b/Completions/", "/engines/A%20b/completions", "/v1/completions", "A b"),
        ("/v1/deployments/M/chat/completions", "/deployments/M/chat/completions", CHAT, "M"),
        ("/openai/deployments/M/chat/completions", "/deployments/M/chat/completions", CHAT, "M"),
        ("/openai/v1/responses", "/responses", "/v1/responses", ""),
    ],
)
def test_a_model_in_the_path_is_known(raw: str, target: str, route: str, model: str) -> None:
    """Azure's and the old paths name the model; it keeps its spelling."""
    place = find("POST", raw)
    assert (place.kind, place.target, place.route, place.model) == (Kind.CHECKED, target, route, model)


@pytest.mark.parametrize(
    ("method", "raw", "kind"),
    [
        ("GET", "/v1/models", Kind.PASSED),
        ("HEAD", "/v1/models", Kind.PASSED),
        ("GET", "/v1/models/org/name", Kind.PASSED),
        ("POST", "/v1/models/gemini:generateContent", Kind.UNKNOWN),
        ("POST", "/v1/embeddings", Kind.PASSED),
        ("GET", "/v1/responses/resp_1", Kind.STORED),
        ("GET", "/v1/chat/completions/c_1", Kind.STORED),
        ("GET", "/v1/responses/resp_1/input_items", Kind.UNKNOWN),
        ("GET", CHAT, Kind.UNKNOWN),
        ("PUT", CHAT, Kind.UNKNOWN),
        ("post", CHAT, Kind.UNKNOWN),
        ("POST", "/v1/batches", Kind.UNKNOWN),
        ("POST", "/v1/threads/t/runs", Kind.UNKNOWN),
        ("GET", "/v1/realtime", Kind.UNKNOWN),
        ("POST", "/v1/chat/completions.json", Kind.UNKNOWN),
        ("GET", "/v1", Kind.UNKNOWN),
    ],
)
def test_the_table_says_what_is_known(method: str, raw: str, kind: Kind) -> None:
    """What is not in the table with its method is not known."""
    assert find(method, raw).kind is kind


def test_a_path_that_is_passed_keeps_its_spelling_where_it_is_plain() -> None:
    """What the server would have to read in its own way is put into the one spelling."""
    assert find("GET", "/v1/files/a%20b").target == "/files/a%20b"
    assert find("GET", "/v1/models/org%2Fname").target == "/models/org%2Fname"
    assert find("GET", "/v1/files;x/A").target == "/files/A"


@pytest.mark.parametrize(
    "raw",
    [
        "/v1/a/../chat",
        "/v1/%2e%2e/x",
        "/v1/..;/x",
        "/v1/a%252525252e",
        "/v1/a%00b",
        "/x",
        "/chat/completions",
    ],
)
def test_what_climbs_or_hides_is_no_path(raw: str) -> None:
    """Dots that lead upwards, control characters, encoding upon encoding and other roots are refused."""
    with pytest.raises(BadRequest):
        find("POST", raw)


@given(st.text(alphabet="/.%;\\?# aA1v2eEfF-chtompleins\x00\x1f"))
def test_any_path_is_read_or_refused(raw: str) -> None:
    """No path breaks the reading, and what was read holds nothing that could be read again."""
    try:
        found = segments(raw)
    except BadRequest:
        return
    assert not {"", ".", ".."} & set(found)
    assert segments("/" + "/".join(found).replace("%", "%25")) == found


def test_what_is_checked_is_told() -> None:
    """A message can name the paths that are checked."""
    assert f"POST {CHAT}" in checked()
