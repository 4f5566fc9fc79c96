"""The token usage of an answer, as its upstream reports it: in any API, summed over all attempts."""

from __future__ import annotations

import orjson

from proxy.wire.lenient import loads
from proxy.wire.sse import Event, encode

Json = dict[str, object]

_PLACES = (None, "response", "message")  # Chat and Completions; Responses; the first event of Messages


class Usage:
    """One answer's. `spent`: that of the attempts before it, which is added wherever this one's is told.

    `told`: what the client is told; `tokens` are this attempt's own.
    """

    def __init__(self, spent: Json | None = None) -> None:
        self._spent = spent
        self._own: Json = {}
        self.told: Json = {}

    @property
    def tokens(self) -> tuple[int, int] | None:
        """Input and output; None where the upstream said nothing."""
        pairs = (("prompt_tokens", "completion_tokens"), ("input_tokens", "output_tokens"))
        for names in pairs:
            counts = [self._own.get(name) for name in names]
            if all(type(count) is int for count in counts):
                return counts[0], counts[1]  # type: ignore[return-value]  # just asked
        return None

    def read_event(self, event: Event) -> Event:
        """Notes what an event tells; the event as the client is to get it."""
        if b'"usage"' not in event.raw or event.data is None:
            return event
        try:
            chunk = loads(event.data)
        except ValueError:
            return event
        if not (isinstance(chunk, dict) and self.read(chunk) and self._spent):
            return event
        data = orjson.dumps(chunk)
        return Event(encode(data, name=event.name), data, event.name)

    def read(self, body: Json) -> bool:
        """Notes what `body` tells, and adds to it in place what was spent before. Whether it tells anything."""
        found = False
        for place in _PLACES:
            holder = body if place is None else body.get(place)
            told = holder.get("usage") if isinstance(holder, dict) else None
            if isinstance(holder, dict) and isinstance(told, dict):
                holder["usage"] = summed = added(told, self._spent or {})
                self._own, self.told = {**self._own, **told}, {**self.told, **summed}
                found = True
        return found


def added(first: Json, second: Json) -> Json:
    """Two usages in one: numbers are added up, at any depth; what only one of them tells is kept."""
    sum_of: Json = dict(first)
    for name, value in second.items():
        mine = sum_of.get(name)
        if isinstance(mine, dict) and isinstance(value, dict):
            sum_of[name] = added(mine, value)
        elif type(mine) in (int, float) and type(value) in (int, float):
            sum_of[name] = mine + value  # type: ignore[operator]  # just asked
        elif mine is None:
            sum_of[name] = value
    return sum_of
