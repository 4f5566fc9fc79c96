"""For schemathesis: how the body of `application/x-ndjson` is written, which it does not know. Loaded by SCHEMATHESIS_HOOKS."""

from __future__ import annotations

from typing import Any

import schemathesis


@schemathesis.serializer("application/x-ndjson")
def lines(context: Any, value: Any) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode()
