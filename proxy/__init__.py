"""The proxy server between a chat client and the model's server: bytes in, bytes out.

An `Exchange` is one request with everything that belongs to it: id, policy, question, references.
An *upstream* answers it: an HTTP server (`upstream.py`) or the demo model in this process (`demo.py`).
A *surface* knows how one API puts text on the wire (`chat.py`): it reads events and writes ours.
`GuardedStream` (`stream.py`) and `GuardedAnswer` (`answer.py`) are machines without I/O: they receive an *event*
(`Data`, `Ended`, `Judged`, `Reported`, `Recorded`, `Expired`) and return *commands* (`Send`, `Verify`, `Summarise`,
`Audit`, `Finish`). No await, no clock, no socket.
`Relay` (`relay.py`) is the only place that performs commands; what was started there ends there.
A `Judge` (`judge.py`) stands beside each choice in a worker thread: sentence in, verdicts and decision out.
"""
