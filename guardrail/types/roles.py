"""The parts of the pipeline as roles: anything with these methods can take the part."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from guardrail.types.claims import Claim, Mention
from guardrail.types.evidence import Evidence
from guardrail.types.text import Sentence, Statement
from guardrail.types.verdicts import Verdict

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True)
class Context:
    """What is known before a sentence is read. `earlier` are the claims so far, oldest first."""

    question: str = ""
    question_mentions: tuple[Mention, ...] = ()
    earlier: tuple[Claim, ...] = ()


Link = Callable[[str], Sequence[Mention]]
"""The names in a text."""


class Linker(Protocol):
    """Finds the entities that a text names."""

    def link(self, text: str, *, offset: int = 0, context: Context = Context()) -> list[Mention]:
        """Mentions in `text`, in order, not overlapping; spans are shifted by `offset`."""
        ...


class Extractor(Protocol):
    """Splits a sentence into claims."""

    def extract(
        self, sentence: Sentence, mentions: Sequence[Mention], context: Context, *, first_id: int = 0
    ) -> list[Claim]:
        """Disjoint claims in order, within the sentence's span, numbered from `first_id`."""
        ...


@runtime_checkable
class AnswerReader(Protocol):
    """What an extractor may do besides: it reads a short answer with its question, and a plural with the names that it means."""

    def statement(self, sentence: Sentence, context: Context) -> Statement | None:
        """What the sentence says as a short answer to the question; None where it is none."""
        ...

    def named(self, sentence: Sentence, context: Context) -> Statement | None:
        """The sentence with the names that "both" means, or with a verb that is said once for several; None where nothing is understood so."""
        ...


def statement_of(extractor: Extractor, sentence: Sentence, context: Context) -> Statement | None:
    """What a sentence says as a short answer; None where it is none, or the extractor reads none."""
    return extractor.statement(sentence, context) if isinstance(extractor, AnswerReader) else None


def named_in(extractor: Extractor, sentence: Sentence, context: Context) -> Statement | None:
    """A sentence with names for what means several things; None where nothing does, or the extractor reads none."""
    return extractor.named(sentence, context) if isinstance(extractor, AnswerReader) else None


class Retriever(Protocol):
    """Finds evidence for a claim."""

    def retrieve(self, claim: Claim) -> Evidence: ...


class Checker(Protocol):
    """Judges a claim on its evidence. Returns None when it has nothing to say and the next one should be asked."""

    @property
    def name(self) -> str: ...

    def check(self, claim: Claim, evidence: Evidence) -> Verdict | None: ...


class Embedder(Protocol):
    """Turns texts into vectors: for the semantic similarity of TMS, and to find sentences by meaning."""

    name: str

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors, `[len(texts), width]`."""
        ...

    def similarity(self, left: str, right: str) -> float:
        """Cosine in [-1, 1]."""
        ...

    def similarities(self, texts: Sequence[str], others: Sequence[str]) -> NDArray[np.float32]:
        """Cosines of each of `texts` with each of `others`, neither empty, `[len(texts), len(others)]`."""
        ...
