"""Checks in processes beside the one that has the event loop: `--verifiers N`.

In: the sentences of one choice, as for checks in threads. Out: the same findings and reports.

    verifiers             all the processes: which of them an answer goes to, what does not work
    bench                 the place of one process, whichever takes it, and the threads that ask it
    process, child        one process, seen from the server and from within
    session, messages     an answer's session, over there; what is said between the processes
"""
