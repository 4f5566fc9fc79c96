"""`Report` ↔ JSON: one shape on the wire, in the CLI's `--json` and in the audit log.

Fields may be added, never renamed. Offsets are Unicode code points; `utf16=True` gives UTF-16 code units for browsers.
`from_dict(to_dict(report))` gives a report that decides, scores and prints the same.
"""

from guardrail.report.reading import from_dict, object_from_dict, triplet_from_dict
from guardrail.report.words import WORDS, headline
from guardrail.report.writing import (
    claim_to_dict,
    counts_to_dict,
    to_dict,
    triplet_to_dict,
    unchecked_to_dict,
    verdict_to_dict,
)

__all__ = [
    "WORDS",
    "claim_to_dict",
    "counts_to_dict",
    "from_dict",
    "headline",
    "object_from_dict",
    "to_dict",
    "triplet_from_dict",
    "triplet_to_dict",
    "unchecked_to_dict",
    "verdict_to_dict",
]
