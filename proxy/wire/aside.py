"""Words that clients show beside the answer (reasoning, titles): where they are, and what replaces them if a policy withholds them.

What is withheld is made empty in its place. Kinds, numbers, identifiers, addresses, signatures and what is encrypted stay, so
that SDKs still find everything they put an answer together from.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from proxy.wire.shapes import THINKING, no_prose

__all__ = ["BODY", "CALL_EVENT", "CALL_ITEMS", "CHOICE", "DELTAS", "MESSAGE", "emptied", "withheld"]

Json = dict[str, object]

# Chat Completions and Completions, by what holds them.
MESSAGE = THINKING | {"annotations"}
CHOICE = frozenset(("content_filter_results",))
BODY = frozenset(("citations", "prompt_filter_results", "search_results", "x_groq"))
# Responses: calls that the client is to carry out; what else is a tool's, the server carried out.
CALL_ITEMS = frozenset(
    (
        "apply_patch_call",
        "computer_call",
        "custom_tool_call",
        "function_call",
        "local_shell_call",
        "mcp_approval_request",
        "shell_call",
    )
)
CALL_EVENT = re.compile(r"response\.(?:function_call_arguments|custom_tool_call_input)\.\w+")
# Messages: by a delta's type, what holds them.
DELTAS = {
    "citations_delta": "citation",
    "compaction_delta": "content",
    "input_json_delta": "partial_json",
    "thinking_delta": "thinking",
}

# Strings that are no words, as long as no prose stands in them.
_KEPT = frozenset(
    (
        "URL",
        "approval_request_id",
        "background",
        "call_id",
        "category",
        "citations",
        "container_id",
        "data",
        "date",
        "detail",
        "encrypted_content",
        "encrypted_index",
        "error_code",
        "expires_at",
        "file_id",
        "file_url",
        "filename",
        "format",
        "id",
        "image_url",
        "item_id",
        "license",
        "media_type",
        "mime_type",
        "name",
        "obfuscation",
        "object",
        "output_format",
        "partial_image_b64",
        "phase",
        "quality",
        "required",
        "response_id",
        "result",
        "retrieved_at",
        "role",
        "server_label",
        "server_name",
        "severity",
        "signature",
        "size",
        "source",
        "status",
        "tool_use_id",
        "type",
        "uri",
        "url",
    )
)
_DEEPEST = 40  # levels of a value that are gone through; what is deeper is left out


def emptied(value: Any, name: str = "", *, levels: int = _DEEPEST) -> Any:
    """A JSON value without its words; `name`: the field it stands in."""
    if isinstance(value, str):
        return value if name in _KEPT and no_prose(value) else ""
    if isinstance(value, dict):
        inner = value.items() if levels else ()
        return {key: emptied(one, key, levels=levels - 1) for key, one in inner if no_prose(key)}
    if isinstance(value, list):
        return [emptied(one, name, levels=levels - 1) for one in (value if levels else ())]
    return value


def withheld(told: Mapping[str, object], names: frozenset[str]) -> Json:
    """`told` with the words under `names` made empty."""
    return {name: emptied(value, name) if name in names else value for name, value in told.items()}
