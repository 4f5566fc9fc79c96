"""Compares log probabilities with the text beside them: clients show their tokens as words, so both must say the same."""

from __future__ import annotations

import re
from collections.abc import Iterable

from proxy.wire.shapes import holds_words

__all__ = ["spells", "spells_all"]

_ENTRY = frozenset(("token", "bytes", "logprob", "top_logprobs", "rank"))
_LEGACY = frozenset(("tokens", "token_logprobs", "top_logprobs", "text_offset"))
_ESCAPED = re.compile(r"bytes:((?:\\x[0-9a-fA-F]{2})+)")
# Tokens that end an answer, which servers leave out of its text.
_ENDS = frozenset(
    (
        "",
        "</s>",
        "<end_of_turn>",
        "<eos>",
        "<|call|>",
        "<|end_of_text|>",
        "<|endoftext|>",
        "<|end|>",
        "<|eom_id|>",
        "<|eot_id|>",
        "<|im_end|>",
        "<|return|>",
        "<｜end▁of▁sentence｜>",
    )
)
_LONGEST = 4  # bytes of one character


def spells_all(logprobs: object, content: str, refusal: str = "") -> bool:
    """Whether the `logprobs` of a choice spell its text, in the form of Chat Completions or of Completions."""
    if not isinstance(logprobs, dict):
        return not holds_words(logprobs)
    if "tokens" in logprobs:
        known, told = _LEGACY, spells([{"token": one} for one in _listed(logprobs["tokens"])], content)
    else:
        lists = (("content", content), ("refusal", refusal))
        known = frozenset(name for name, _ in lists)
        told = all(not logprobs.get(name) or spells(logprobs[name], text) for name, text in lists)
    return told and not holds_words([logprobs[name] for name in logprobs.keys() - known])


def spells(entries: object, text: str) -> bool:
    """Whether a list of tokens with their log probabilities spells `text`, but for blanks around it and marks of its end."""
    found = _listed(entries)
    if len(found) != len(entries if isinstance(entries, list) else ()):
        return False
    while found and _ends(found[-1]):
        found = found[:-1]
    pieces = [_piece(one) for one in found]
    return None not in pieces and _same(b"".join(one for one in pieces if one), _encoded(text))


def _listed(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _ends(entry: object) -> bool:
    token = entry.get("token") if isinstance(entry, dict) else None
    return isinstance(token, str) and token in _ENDS and _piece(entry) is not None


def _piece(entry: object) -> bytes | None:
    """The bytes of one token; None where it cannot be told what a client shows of it."""
    if not isinstance(entry, dict) or not isinstance(token := entry.get("token"), str):
        return None
    if holds_words([entry[name] for name in entry.keys() - _ENTRY]):
        return None
    told = entry.get("bytes")
    if told is None:
        escaped = _ESCAPED.fullmatch(token)
        return bytes.fromhex(escaped[1].replace("\\x", "")) if escaped else _encoded(token)
    if not isinstance(told, list) or not all(type(one) is int and 0 <= one < 256 for one in told):
        return None
    spelled = bytes(told)
    return spelled if token in _forms(spelled) else None


def _forms(spelled: bytes) -> Iterable[str]:
    """How servers write a token; one that is a part of a character in the ways of Python."""
    escaped = spelled.decode("utf-8", "backslashreplace")
    return escaped, f"bytes:{escaped}", spelled.decode("utf-8", "replace")


def _same(spelled: bytes, text: bytes) -> bool:
    if spelled == text or spelled.strip() == text.strip():
        return True
    # An event may begin or end within a character.
    if text.endswith(spelled) and spelled and spelled[0] & 0xC0 == 0x80:
        return len(text) - len(spelled) < _LONGEST
    rest = spelled[len(text) :]
    return spelled.startswith(text) and len(rest) < _LONGEST and min(rest, default=0) >= 0x80


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
