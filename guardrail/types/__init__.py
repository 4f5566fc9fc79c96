"""The nouns of the house: frozen, slotted, importing nothing of ours.

Text is never altered; everything points into it by `Span`, in Unicode code points of the text as delivered.

    Sentence ──linker──▶ Mention ──extractor──▶ Claim(Fact…) ──retriever──▶ Evidence ──checker──▶ Verdict
                                                                                          └──▶ Unchecked
    Verdict… ──scoring──▶ Report

A failure is never a label: what could not be checked is `Unchecked`, another type than `Verdict`.
"""

from __future__ import annotations

from guardrail.types.claims import Argument, Attribute, Candidate, Claim, Fact, Kind, Mention, Reason
from guardrail.types.evidence import Answer, Cardinality, Evidence, Path, Profile, Property, Ranking
from guardrail.types.knowledge import (
    Datatype,
    Entity,
    Node,
    Object,
    Passage,
    Qualifier,
    Setting,
    Source,
    Triplet,
    Value,
)
from guardrail.types.roles import (
    AnswerReader,
    Checker,
    Context,
    Embedder,
    Extractor,
    Link,
    Linker,
    Retriever,
    named_in,
    statement_of,
)
from guardrail.types.text import BlockKind, Sentence, Span, Statement, tile
from guardrail.types.verdicts import (
    UNAVAILABLE,
    Counts,
    Finding,
    Label,
    Linked,
    NotChecked,
    Outcome,
    Report,
    Revision,
    Slot,
    SourceVerdict,
    Unchecked,
    Verdict,
    linked,
)

__all__ = [
    "UNAVAILABLE",
    "Answer",
    "AnswerReader",
    "Argument",
    "Attribute",
    "BlockKind",
    "Candidate",
    "Cardinality",
    "Checker",
    "Claim",
    "Context",
    "Counts",
    "Datatype",
    "Embedder",
    "Entity",
    "Evidence",
    "Extractor",
    "Fact",
    "Finding",
    "Kind",
    "Label",
    "Link",
    "Linked",
    "Linker",
    "Mention",
    "Node",
    "NotChecked",
    "Object",
    "Outcome",
    "Passage",
    "Path",
    "Profile",
    "Property",
    "Qualifier",
    "Ranking",
    "Reason",
    "Report",
    "Retriever",
    "Revision",
    "Sentence",
    "Setting",
    "Slot",
    "Source",
    "SourceVerdict",
    "Span",
    "Statement",
    "Triplet",
    "Unchecked",
    "Value",
    "Verdict",
    "linked",
    "named_in",
    "statement_of",
    "tile",
]
