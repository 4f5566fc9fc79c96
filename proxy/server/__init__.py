"""The HTTP server itself, below every API: sockets, processes, sizes, origins.

In: connections. Out: ASGI requests with a bounded head and body.

    server, processes, siblings   one server process, several behind one port, what these ask each other
    protocol, admission, sites    limits on a request's head, body, number and origin
    paths                         which paths are guarded, read, passed on or not known (`paths.yaml`)
    asgi, bodies, logs            one answer as a whole, JSON of requests parsed off the event loop, log lines
"""
