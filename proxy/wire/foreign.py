"""Reports of another guardrail behind this one: removed, or kept under another name.

Whatever an upstream calls its report, a client that reads `guardrail` reads ours. The names are looked for wherever ours stand.
"""

from __future__ import annotations

import re

import orjson

from guardrail.errors import UpstreamBroken
from proxy.wire.lenient import loads
from proxy.wire.sse import Event, encode

__all__ = ["KEPT", "event_without_reports", "strip"]

_OURS = ("guardrail", "guardrail_blocks")
KEPT = frozenset(f"upstream_{name}" for name in _OURS)
_NAMES = (*_OURS, *KEPT)
_PLACES = frozenset(
    ("choices", "delta", "message", "response", "output", "item", "part", "content", "content_block", "error")
)
# The names, or a letter of theirs in an escape: what has neither holds no such field.
_SUSPECT = re.compile(rb"guardrail|\\u00(?:6[14679cC]|7[25])")


def event_without_reports(event: Event, *, keep: bool) -> Event:
    """The event as if its server knew nothing of reports; as it came where it holds none. Raises UpstreamBroken."""
    if event.data is None or not _SUSPECT.search(event.data):
        return event
    try:
        told = loads(event.data)
    except ValueError:
        return event  # whoever reads it will say so
    if not strip(told, keep=keep):
        return event
    try:
        data = orjson.dumps(told)
    except TypeError as error:  # it is read deeper than it is written
        raise UpstreamBroken(
            "the model server sent an event that is nested too deeply", begun=True
        ) from error
    return Event(encode(data, name=event.name), data, event.name)


def strip(told: object, *, keep: bool) -> bool:
    """Takes reports out of what an upstream tells, or gives them names of their own (`keep`); whether there were any."""
    waiting, found = [told], False
    while waiting:
        one = waiting.pop()
        if isinstance(one, list):
            waiting.extend(one)
        elif isinstance(one, dict):
            names = [name for name in _NAMES if name in one]
            reports = {f"upstream_{name}": one.pop(name) for name in names}
            one.update({name: report for name, report in reports.items() if keep and name in KEPT})
            waiting.extend(value for name, value in one.items() if name in _PLACES)
            found = found or bool(names)
    return found
