"""Adjectives of nationality, kept with the other pure knowledge of words."""

from __future__ import annotations

from guardrail.values.demonyms import DEMONYMS

__all__ = ["DEMONYMS"]
