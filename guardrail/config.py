"""Where state lives. The environment is read here and nowhere else in the library."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal, NamedTuple

import platformdirs

from guardrail.errors import ConfigError

__all__ = [
    "WebEndpoint",
    "audit_file",
    "corpus_is_there",
    "corpus_place",
    "english_only",
    "home",
    "judging_model",
    "knowledge_file",
    "language_pipeline",
    "spacy_pipeline",
    "web_search",
]


def home() -> Path:
    """`$GUARDRAIL_HOME`, by default the platform's user data directory; made if it is not there.

    Raises ConfigError when it cannot be made or is no directory.
    """
    path = Path(os.environ.get("GUARDRAIL_HOME") or platformdirs.user_data_dir("guardrail", appauthor=False))
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"GUARDRAIL_HOME: cannot use {path}: {error.strerror}") from error
    return path


def knowledge_file() -> Path:
    """The knowledge file used when none is named."""
    return home() / "knowledge.db"


def audit_file() -> Path:
    """The audit log used when none is named."""
    return home() / "audit.db"


def corpus_place() -> str:
    """The corpus of reference documents used when none is named: `$GUARDRAIL_CORPUS`, a file or a `postgresql://` address,
    by default a file in the home directory. It need not exist.
    """
    return os.environ.get("GUARDRAIL_CORPUS") or str(home() / "corpus.db")


def corpus_is_there() -> None:
    """Raises ConfigError where `$GUARDRAIL_CORPUS` names a file that does not exist: most likely the name is misspelt."""
    named = os.environ.get("GUARDRAIL_CORPUS", "")
    if named and "://" not in named and not Path(named).exists():
        raise ConfigError(
            f"GUARDRAIL_CORPUS: there is no file {named}; `guardrail corpus index DIR` makes a corpus there"
        )


def spacy_pipeline() -> str:
    """The spaCy pipeline that is asked for names, too: `$GUARDRAIL_RECOGNIZER`, a name or a folder; empty: none is."""
    return os.environ.get("GUARDRAIL_RECOGNIZER", "")


def language_pipeline() -> str:
    """The spaCy pipeline that reads sentences: `$GUARDRAIL_PIPELINE`, a name or a folder; empty: the one that ships."""
    return os.environ.get("GUARDRAIL_PIPELINE", "")


def judging_model() -> tuple[str, str]:
    """The model that reads evidence and claim, `$GUARDRAIL_MODEL` as `guardrail.models.place` describes it (empty: the one
    that ships), and the key of its server, `$GUARDRAIL_MODEL_KEY`.
    """
    return os.environ.get("GUARDRAIL_MODEL", ""), os.environ.get("GUARDRAIL_MODEL_KEY", "")


def english_only() -> bool:
    """Whether sentences in other languages are told of as not checked: `$GUARDRAIL_LANGUAGES` is `en` (default) or `any`,
    for checkers that read them. Raises ConfigError for anything else.
    """
    named = os.environ.get("GUARDRAIL_LANGUAGES", "") or "en"
    if named not in ("en", "any"):
        raise ConfigError(f"GUARDRAIL_LANGUAGES: {named!r} is neither en nor any")
    return named == "en"


class WebEndpoint(NamedTuple):
    """A search endpoint as the environment names it."""

    url: str
    kind: Literal["searxng", "serper"]
    api_key: str
    private: bool


def web_search() -> WebEndpoint | None:
    """The web search endpoint of `$GUARDRAIL_WEB_URL`; None, which is the default, where there is none.

    `$GUARDRAIL_WEB_KIND` is `searxng` (default) or `serper`, `$GUARDRAIL_WEB_KEY` its API key, `$GUARDRAIL_WEB_PRIVATE=1`
    allows an endpoint whose address is not public. Raises ConfigError for another kind.
    """
    url = os.environ.get("GUARDRAIL_WEB_URL", "")
    if not url:
        return None
    kinds: dict[str, Literal["searxng", "serper"]] = {"searxng": "searxng", "serper": "serper"}
    named = os.environ.get("GUARDRAIL_WEB_KIND", "searxng")
    if named not in kinds:
        raise ConfigError(f"GUARDRAIL_WEB_KIND: {named!r} is neither searxng nor serper")
    private = os.environ.get("GUARDRAIL_WEB_PRIVATE", "") == "1"
    return WebEndpoint(url, kinds[named], os.environ.get("GUARDRAIL_WEB_KEY", ""), private)
