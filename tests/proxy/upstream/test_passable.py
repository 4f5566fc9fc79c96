"""What of a request may reach litellm."""

from __future__ import annotations

import orjson
import pytest

from guardrail.errors import BadRequest
from proxy.upstream.passable import FIELDS, passable
from tests.growth import grows_linearly

CHAT = {"model": "c", "messages": [{"role": "user", "content": "What is it?"}]}
RESPONSE = {"model": "c", "input": "?"}
MESSAGE = {**CHAT, "max_tokens": 9}
BODIES = {"/chat/completions": CHAT, "/responses": RESPONSE, "/messages": MESSAGE, "/embeddings": RESPONSE}


def passed(body: object, path: str = "/chat/completions") -> dict[str, object]:
    return passable(orjson.dumps(body), path, provider="anthropic")


@pytest.mark.parametrize("path", FIELDS)
def test_a_plain_request_passes_on_every_path(path: str) -> None:
    """Its fields reach litellm, without the provider's name before the model's and without what changes no answer."""
    body = {**BODIES[path], "model": "anthropic/c", "metadata": {"a": "b"}, "user": None}
    if path == "/messages":
        del body["user"]
    assert passed(body, path) == BODIES[path]


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b'"x"', b"\xff"])
def test_what_is_no_request_is_refused(body: bytes) -> None:
    """A body that is no JSON object is a 400."""
    with pytest.raises(BadRequest):
        passable(body, "/chat/completions", provider="anthropic")


def content(*parts: object) -> list[object]:
    return [{"role": "user", "content": list(parts)}]


@pytest.mark.parametrize(
    ("path", "more", "param"),
    [
        *(
            ("/chat/completions", more, next(iter(more)))
            for more in (
                {"api_base": "http://127.0.0.1:9/"},
                {"base_url": "http://127.0.0.1:9/"},
                {"extra_headers": {"x": "y"}},
                {"custom_llm_provider": "openai"},
                {"mock_response": "free"},
                {"fallbacks": ["other"]},
                {"model": "huggingface/http://127.0.0.1:9/"},
                {"model": ""},
                {"tools": [{"type": "mcp", "server_url": "http://127.0.0.1:9/"}]},
                {"messages": content({"type": "image_url", "image_url": "http://127.0.0.1:9/"})},
                {"messages": content({"type": "image_url", "image_url": {"url": "https://host/a.png"}})},
                {"messages": content({"type": "image_url", "image_url": {"url": "file:///etc/passwd"}})},
                {
                    "messages": content(
                        {"type": "image_url", "image_url": "http://x/", "source": {"type": "text"}}
                    )
                },
                {"messages": content({"type": "file", "file": {"file_id": "gs://bucket/a"}})},
                {"messages": content({"type": ["x"], "url": "http://127.0.0.1:9/"})},
            )
        ),
        ("/responses", {"previous_response_id": "resp_1"}, "previous_response_id"),
        ("/responses", {"background": True}, "background"),
        ("/responses", {"tools": [{"type": "mcp", "server_url": "http://127.0.0.1:9/"}]}, "tools"),
        ("/responses", {"input": content({"type": "input_image", "image_url": "http://x/"})}, "input"),
        (
            "/responses",
            {
                "input": [
                    {"type": "function_call_output", "output": [{"type": "input_file", "file_url": "s3://x"}]}
                ]
            },
            "input",
        ),
        (
            "/responses",
            {"input": [{"type": "computer_call_output", "output": {"image_url": "file:///etc/passwd"}}]},
            "input",
        ),
        *(
            ("/messages", more, next(iter(more)))
            for more in (
                {"mcp_servers": [{"type": "url", "url": "http://127.0.0.1:9/"}]},
                {"container": {"skills": []}},
                {"max_tokens": None},
                {"messages": None},
                {"tools": [{"type": "web_search_20250305", "name": "web_search"}]},
                {"messages": content({"type": "image", "source": {"type": "url", "url": "http://x/"}})},
                {"messages": content({"type": "image", "source": {"type": "file", "file_id": "f"}})},
                {"messages": content({"type": "document", "source": {"type": "content", "content": []}})},
                {"messages": content({"type": "image_url", "image_url": "http://x/"})},
                {
                    "messages": content(
                        {
                            "type": "tool_result",
                            "content": [{"type": "image", "source": {"type": "url", "url": "http://x/"}}],
                        }
                    )
                },
            )
        ),
    ],
)
def test_a_request_cannot_say_where_it_goes(path: str, more: dict[str, object], param: str) -> None:
    """Addresses, providers, litellm's own switches and what cannot be kept are refused and named."""
    with pytest.raises(BadRequest) as caught:
        passed({**BODIES[path], **more}, path)
    assert caught.value.param == param


def test_words_that_look_like_addresses_pass() -> None:
    """What a message says, what a tool was given and what it answered are words; pictures with their bytes are none to fetch."""
    picture = {
        "type": "image",
        "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="},
    }
    parts = [
        {"type": "text", "text": "see: http://host"},
        {"type": "tool_use", "id": "t", "name": "open", "input": {"url": "http://host"}},
        {"type": "tool_result", "tool_use_id": "t", "content": "http://host: nothing"},
        {"type": "tool_result", "tool_use_id": "t", "content": [{"type": "text", "text": "a: b"}, picture]},
        {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "Note: b"}},
        picture,
    ]
    body = {**MESSAGE, "messages": content(*parts), "tools": [{"name": "open", "input_schema": {}}]}
    assert passed(body, "/messages") == body
    body = {
        **CHAT,
        "messages": content({"type": "image_url", "image_url": {"url": "data:image/png;base64,iV="}}),
    }
    assert passed(body) == body


def test_a_deep_nest_is_read_in_time_that_grows_with_it() -> None:
    """Each of its strings is looked at once, however deep it lies."""

    def made(size: int) -> str:
        nest: object = ["a"] * size
        for _ in range(200):
            nest = [nest]
        return orjson.dumps({**CHAT, "messages": [{"type": "x", "a": nest}]}).decode()

    def read(text: str) -> None:
        passable(text.encode(), "/chat/completions", provider="anthropic")

    assert grows_linearly(read, made, 20_000)
    deep = CHAT["messages"][0]
    for _ in range(100):
        deep = {"role": "user", "content": [deep]}
    assert passed({**CHAT, "messages": [deep]})["model"] == "c"
    with pytest.raises(BadRequest):
        passed({**CHAT, "messages": [{"type": "x", "a": [[[["http://a"]]]]}]})
