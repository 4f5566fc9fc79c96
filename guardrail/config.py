"""Where state lives. The environment is read here and nowhere else in the library."""

from __future__ import annotations

import os
from pathlib import Path

import platformdirs

from guardrail.errors import ConfigError

__all__ = ["audit_file", "corpus_file", "home", "knowledge_file"]


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


def corpus_file() -> Path:
    """The corpus of reference documents used when none is named; it need not exist."""
    return home() / "corpus.db"
