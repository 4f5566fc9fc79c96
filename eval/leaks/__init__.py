"""Attacks on the promise that nothing false passes unflagged: cases as data, a scripted model server, a raw client, a judge.

`cases` reads them, `attack` plays one against the running proxy, `Seen` says what the client's eyes got of it.
"""
