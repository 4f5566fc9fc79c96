"""The APIs that models speak: where answer text stands in their events, and how events of our own are written.

In: decoded events or bodies of one API. Out: the same with text, calls and gaps named. Nothing here checks or decides.

    chat, plain, completions            Chat Completions and the legacy Completions
    messages, blocks                    Anthropic's Messages
    responses, parts, item_calls, numbering    the Responses API
    again                               a second request for a better answer
"""
