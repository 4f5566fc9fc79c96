"""The way of one request: its path looked up, then checked and relayed, or passed through.

gate             sends each request where the table of paths says, or refuses it
request          what a request asks for, and the evidence that it brings
guarded, loop    a checked request, and the one loop that does the I/O that the machine asks for
passing          requests that are not checked, byte for byte
throttle         how fast an answer is read
"""
