"""The model servers: one role, `Upstream`, over HTTP or over litellm.

In: a request. Out: status, headers and bytes as they come.

    http, connections, connection, inflate, upload, redirects   an OpenAI-compatible server over kept HTTP/1.1 connections
    provider, passable      any provider that litellm knows
    routing                 several servers behind one, with fallbacks
"""
