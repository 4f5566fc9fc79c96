"""What every API's wire has in common: events, JSON, headers, errors, and where words stand in them.

In: bytes and headers of either side. Out: decoded events, places of words, error bodies. It knows no single API.

    surface, shapes, aside, calls, usage, logprobs   what a guarded stream must know of an API; places of words as data
    sse, lenient, json_text, json_strings, json_pointer   events, JSON as clients accept it, sentences inside JSON
    headers, fields, foreign      `x-guardrail-*` headers and errors, what crosses the proxy, reports of another guardrail
"""
