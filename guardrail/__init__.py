"""guardrail: text in, `Report` out.

    from guardrail import Guardrail
    report = Guardrail.open().check("The Eiffel Tower was completed in 1925.")

A text is cut into sentences and claims with exact spans; each claim is checked against a knowledge graph, reference texts
and what came with the request; each gets a label, evidence, a rationale and scores. See docs/architecture.md.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from guardrail.types import Label, Passage, Report, Span, Triplet, Verdict
    from guardrail.verifier import Verifier as Guardrail

__version__ = "0.2.0"
__all__ = ["Guardrail", "Label", "Passage", "Report", "Span", "Triplet", "Verdict", "__version__"]

# Loaded on first use: `import guardrail.types` must not pull in the whole pipeline (nor import it in a circle).
_HOMES = {"Guardrail": ("guardrail.verifier", "Verifier")} | {
    name: ("guardrail.types", name) for name in ("Label", "Passage", "Report", "Span", "Triplet", "Verdict")
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'guardrail' has no attribute {name!r}")
    module, attribute = _HOMES[name]
    return getattr(import_module(module), attribute)
