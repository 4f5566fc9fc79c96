"""A claim beside all that a graph knows of its subject: which property it speaks of is found by words, by type and by meaning."""

from guardrail.check.kg.aligned.checker import AlignedChecker

__all__ = ["AlignedChecker"]
