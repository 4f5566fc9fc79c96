"""The events that the state machines receive and the commands that they return.

Events come in through `receive(event)`, commands come out of it as a list, to be performed in order. All of them are values:
a test writes both down and compares (`tests/playbook.py`).
"""

from __future__ import annotations

from dataclasses import dataclass

from guardrail.errors import AuditError, UpstreamError
from guardrail.types import Finding, NotChecked, Report, Sentence
from policies.decide import Decision, Edit
from proxy.wire.calls import ToolCall
from proxy.wire.headers import Failure

# ── events ────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Data:
    """Bytes of the upstream's answer, cut anyhow."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Ended:
    """The upstream has said all it will; `error` when it did not end as it should."""

    error: UpstreamError | None = None


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdicts on one sentence and what the policy makes of them.

    `edits`: all that changes in the sentence, footnote numbers included. `claims`: the claims as JSON (an array).
    """

    choice: int
    sentence: Sentence
    findings: tuple[Finding, ...]
    decision: Decision
    edits: tuple[Edit, ...] = ()
    claims: bytes = b"[]"


@dataclass(frozen=True, slots=True)
class Reported:
    """The verdict on a whole choice. `body`, `head` and `whole` are its report as JSON, policy and action included."""

    choice: int
    report: Report
    decision: Decision
    edits: tuple[Edit, ...] = ()  # all that changes in the text
    section: str = ""  # what is written under it
    body: bytes = b"{}"  # as the client gets it; empty: it gets none
    head: bytes = b"{}"  # the same without its lists
    whole: bytes = b"{}"  # in full
    annotations: bytes = b"[]"  # url_citations as JSON (an array), offsets in the text as delivered
    call: ToolCall | None = None  # the text is the arguments of this call


@dataclass(frozen=True, slots=True)
class Recorded:
    """The audit record that was asked for is durable, or could not be made so."""

    error: AuditError | None = None


@dataclass(frozen=True, slots=True)
class Overdue:
    """Text has waited long enough: up to the end of `sentence`, or, without one, all of every choice."""

    choice: int = 0
    sentence: Sentence | None = None


@dataclass(frozen=True, slots=True)
class Read:
    """There is time to read on in text that came all at once."""


@dataclass(frozen=True, slots=True)
class Idle:
    """Nothing was sent for a while."""


@dataclass(frozen=True, slots=True)
class Left:
    """Settle what there is, without further work: the client has gone or, with `error`, is to be told why it ends."""

    error: UpstreamError | None = None


Event = Data | Ended | Judged | Reported | Recorded | Overdue | Read | Idle | Left

# ── commands ──────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Send:
    """Bytes for the client."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Refuse:
    """Instead of an answer: an error with its HTTP status. Only before the first `Send`."""

    failure: Failure


@dataclass(frozen=True, slots=True)
class Verify:
    """Have a sentence judged; sentences of one choice in the order given. Answered by `Judged`.

    `before`: words of another choice that it may go on with; they are no part of this choice's text.
    """

    choice: int
    sentence: Sentence
    before: str = ""


@dataclass(frozen=True, slots=True)
class PassOver:
    """Wait no longer for this sentence: it counts as not checked. Answered by `Judged`, before anything else comes in."""

    choice: int
    sentence: Sentence


@dataclass(frozen=True, slots=True)
class ReadOn:
    """More text has come than is read in one step. Answered by `Read` when others had their turn."""


@dataclass(frozen=True, slots=True)
class Drop:
    """Forget the sentences of a choice that were given to be judged and are not yet."""

    choice: int


@dataclass(frozen=True, slots=True)
class Summarise:
    """Have a choice's report made from all that was judged of it. Answered by `Reported`.

    `unchecked`: sentences that nobody will judge any more, and why. `call`: the text is the arguments of this call.
    `unread`: what was sent besides this text and could not be read, or was not to be.
    """

    choice: int
    text: str
    unchecked: tuple[Sentence, ...] = ()
    reason: NotChecked = NotChecked.CANCELLED
    call: ToolCall | None = None
    unread: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Audit:
    """Make the record of this exchange durable. Answered by `Recorded`.

    `part`: a flagged sentence is about to be released while the answer goes on; `length` is how much text came so far,
    `number` counts such sentences within their choice. `tokens`: input and output, as the upstream tells them.
    """

    reports: tuple[Reported, ...] = ()
    error: str = ""
    part: Judged | None = None
    length: int = 0
    number: int = 0
    tokens: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Again:
    """Ask the model once more: what came is on record and no word of it was sent. `usage`: what it cost."""

    reports: tuple[Reported, ...]
    usage: dict[str, object]


@dataclass(frozen=True, slots=True)
class Finish:
    """Everything was sent; the connection may be ended."""


Command = Send | Refuse | Verify | PassOver | ReadOn | Drop | Summarise | Audit | Again | Finish
