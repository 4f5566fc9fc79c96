"""The guarded answer as a machine without I/O: events and verdicts in, commands out.

machine, whole        a streamed answer, and one that comes whole: the same events and commands
events, exchange      what the machines receive and ask for; one request with all that belongs to it
intake, alike         the upstream's bytes as events
draft, choice, hold, release, outbox, ending    the text of a choice, what is withheld, what is let go, what comes at the end
continued, unread     sentences that go on in the next part, and what of an answer was not read
"""
