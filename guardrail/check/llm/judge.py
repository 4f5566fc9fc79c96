"""What the ways of asking a model have in common: the evidence laid before it, and what it says of one claim."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import ClassVar, Protocol

from guardrail.llm import Answer, Llm, Question, Usage
from guardrail.llm.match import show
from guardrail.types import Claim, Evidence, Label, Passage, Sentence, Triplet

__all__ = ["AskingJudge", "Exhibits", "Judge", "Judgement", "Judgements", "bears", "exhibits"]

_CONTENT = re.compile(r"\d+|[^\W\d_]{4,}")


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a model said of one claim, its citations already held against what it was shown.

    `confidence` in [0, 1], None where the model gives no probability. `invented`: it also cited what it was not shown.
    """

    label: Label
    triplets: tuple[Triplet, ...] = ()
    passages: tuple[Passage, ...] = ()
    rationale: str = ""
    invented: bool = False
    confidence: float | None = None


Judgements = tuple[Judgement | None, ...]


@dataclass(frozen=True, slots=True)
class Exhibits:
    """The evidence laid before the model, numbered. `unread`: what did not fit and was left out."""

    triplets: tuple[Triplet, ...]
    passages: tuple[Passage, ...]
    unread: tuple[str, ...] = ()


class Judge(Protocol):
    """A way of asking. `reads_passages`: whether its prompt has a place for text next to triplets."""

    name: str
    reads_passages: bool

    def submit(
        self, text: Sentence, claims: Sequence[Claim], shown: Exhibits, *, asked: str = "", earlier: str = ""
    ) -> Future[Answer[Judgements]]:
        """Ask about all claims at once, without waiting; one judgement per claim, None for one that was left out.

        The future raises ModelError.
        """
        ...

    @property
    def usage(self) -> Usage:
        """What was used so far."""
        ...

    @property
    def trouble(self) -> str:
        """Why answers are not kept where they should be; empty when they are."""
        ...

    def close(self) -> None: ...


class AskingJudge(ABC):
    """Implements `Judge` with one prompt for all claims of a text; what the prompt is, a kind of model decides.

    `kind` stands before the model's name in the judge's.
    """

    kind: ClassVar[str]
    reads_passages: bool

    def __init__(self, llm: Llm) -> None:
        self.name = f"{self.kind}:{llm.model}"
        self._llm = llm

    @abstractmethod
    def question(
        self, text: Sentence, claims: Sequence[Claim], shown: Exhibits, *, asked: str, earlier: str
    ) -> Question[Judgements]:
        """The prompt, and how its reply is read."""

    def submit(
        self, text: Sentence, claims: Sequence[Claim], shown: Exhibits, *, asked: str = "", earlier: str = ""
    ) -> Future[Answer[Judgements]]:
        return self._llm.submit(self.question(text, claims, shown, asked=asked, earlier=earlier))

    @property
    def usage(self) -> Usage:
        return self._llm.usage

    @property
    def trouble(self) -> str:
        return self._llm.trouble

    def close(self) -> None:
        self._llm.close()


def exhibits(evidence: Sequence[Evidence], limit: int) -> Exhibits:
    """The evidence of several claims in one, without repeats, up to `limit` characters; the most relevant passages first."""
    triplets: list[Triplet] = []
    unread: list[str] = []
    room = limit
    for triplet in dict.fromkeys(triplet for part in evidence for triplet in part.triplets):
        room -= len(show(triplet))
        if room < 0:
            unread.append(triplet.id or show(triplet))
        else:
            triplets.append(triplet)
    # The order in the prompt is the order given, so that the prefix stays the same from call to call.
    given = list({passage.id: passage for part in evidence for passage in part.passages}.values())
    chosen = set()
    for passage in sorted(given, key=lambda item: -item.relevance):
        if len(passage.text) > room:
            unread.append(passage.id)
            continue
        room -= len(passage.text)
        chosen.add(passage.id)
    return Exhibits(tuple(triplets), tuple(item for item in given if item.id in chosen), tuple(unread))


def bears(claim: Claim, item: Triplet | Passage) -> bool:
    """Whether evidence shares a name, number or content word with the claim: a citation picked at random does not."""
    if isinstance(item, Passage):
        words = f"{item.title} {item.text}"
    else:
        words = f"{item.subject.label} {item.object.label}"
    return bool(_content(f"{claim.text} {claim.resolved}") & _content(words))


def _content(text: str) -> set[str]:
    return set(_CONTENT.findall(text.casefold()))
