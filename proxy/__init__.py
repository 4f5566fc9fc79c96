"""The proxy server between a chat client and the model's server: bytes in, bytes out.

    server/      sockets, sizes, origins, the table of paths          access/    keys, limits, login
    relay/       the way of one request                               upstream/  the model's server; demo/ is one in this process
    apis/        one module for each API on top of wire/, what all APIs have in common
    stream/      the guarded answer as machines without I/O           judging/   its sentences checked in order, in threads
    verifiers/   the same in processes of their own
    routes/, admin/, manual/, ui/    the proxy's own doors, its manual and its pages
    app.py       puts the server together; services.py is what all requests share

The words that the rooms share:

An `Exchange` (stream/exchange.py) is one request with everything that belongs to it: id, policy, question, references.
An `Upstream` (upstream/http.py) answers it: a server over HTTP, one that litellm knows, or the demo model.
A `Surface` (wire/surface.py) knows how one API puts text on the wire (apis/chat.py): it reads events and writes ours.
`GuardedStream` (stream/machine.py) and `GuardedAnswer` (stream/whole.py) are machines: they receive an *event* (`Data`, `Ended`,
`Judged`, `Reported`, `Recorded`, `Overdue`) and return *commands* (`Send`, `Verify`, `Summarise`, `Audit`, `Finish`); all of
them stand in stream/events.py. No await, no clock, no socket.
`Relay` (relay/loop.py) is the only place that performs commands; what was started there ends there.
A `Judge` (judging/judge.py) stands beside each choice in a worker thread: sentence in, verdicts and decision out.
"""
