"""Who may ask, and how much: virtual keys with their limits, and the session of an administrator.

In: a request's headers. Out: the caller with policies and limits, or a refusal (400, 401, 403, 429).

    callers          the caller of a request, its key taken out of the headers
    keys, cli        the key file, and `guardrail keys`
    limits, shared   requests and tokens a minute, answers at a time: in this process, or in Redis for several
    policy_choice    which policy a request runs under, and which others it may ask for
    login            the admin token and the browser sessions that it opens
"""
