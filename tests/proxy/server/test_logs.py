"""Logs that machines can read."""

from __future__ import annotations

import asyncio
import json
import logging
import subprocess
import sys

import pytest

from proxy.server.logs import REQUEST_ID, JsonLines


def line(message: str, *args: object, error: BaseException | None = None) -> dict[str, str]:
    given = (type(error), error, error.__traceback__) if error else None
    record = logging.LogRecord("proxy.relay.loop", logging.ERROR, __file__, 1, message, args, given)
    found: dict[str, str] = json.loads(JsonLines().format(record))
    return found


def test_a_line_is_one_object() -> None:
    """With time, level, logger and message; line breaks stay inside."""
    found = line("two\nlines of %s", "x")
    assert (found["level"], found["logger"], found["message"]) == (
        "error",
        "proxy.relay.loop",
        "two\nlines of x",
    )
    assert found["time"].endswith("Z")
    assert "request_id" not in found


def test_an_exception_keeps_its_traceback() -> None:
    """In a field of its own."""
    with pytest.raises(ValueError, match="why") as caught:
        raise ValueError("why")
    assert "ValueError: why" in line("failed", error=caught.value)["exception"]


async def test_each_request_has_its_own_id() -> None:
    """Tasks that run at once do not mix theirs up."""

    async def one(name: str) -> str:
        REQUEST_ID.set(name)
        await asyncio.sleep(0.01)
        return line("x")["request_id"]

    assert await asyncio.gather(*[one(f"grd_{n}") for n in range(5)]) == [f"grd_{n}" for n in range(5)]


def test_set_up_writes_to_standard_error_in_either_form() -> None:
    """JSON for machines, text for people."""
    code = "import logging; from proxy.server.logs import set_up; set_up({!r}); logging.getLogger('a').warning('hm')"
    for form, expected in (("json", '"message":"hm"'), ("text", "WARNING a: hm")):
        done = subprocess.run(
            [sys.executable, "-c", code.format(form)], capture_output=True, text=True, check=True
        )
        assert expected in done.stderr
        assert done.stdout == ""
