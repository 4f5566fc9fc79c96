"""What the stream or the answer of an API is asked for under a policy that guards; off until the policy says so."""

from __future__ import annotations

__all__ = ["StreamGuards", "WholeGuards"]


class StreamGuards:
    """The defaults of `proxy.stream.exchange.Guarded`: nothing is refused or made empty, and no report is kept."""

    strict = False
    withholds = False
    keeps_reports = False


class WholeGuards(StreamGuards):
    """The defaults of `proxy.stream.whole.Whole`; what was not read is known once the answer was."""

    checks = False
    unread: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
