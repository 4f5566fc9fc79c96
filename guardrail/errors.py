"""Everything that guardrail raises on purpose.

    GuardrailError
    ├── ConfigError            a setting, option or environment variable is wrong
    │   └── PolicyError        a policy file is wrong: file, line, key, allowed values
    ├── KnowledgeError         the knowledge file cannot be used
    │   ├── KnowledgeMissing       there is no such file
    │   ├── KnowledgeDamaged       it is there, but is no intact knowledge file
    │   └── ImportFailed           a source file could not be read in: file, line, cause
    ├── AuditError             a record could not be made durable, or the log could not be read
    ├── UpstreamError          the model at the far end failed: status, and whether it had begun to answer
    │   ├── UpstreamUnreachable    no connection, or no answer in time
    │   └── UpstreamBroken         the answer broke off or was no valid stream
    ├── ModelError             a model asked to check gave no usable answer; the embedded verdict stands
    │   ├── ModelUnavailable       no connection, no right, overloaded, broken
    │   ├── ModelTimeout           no answer in time
    │   ├── ModelRefused           it declined to answer
    │   ├── ModelMalformed         its answer is not in the form asked for, even after one repair
    │   └── BudgetSpent            the calls, tokens or money set aside are used up
    └── BadRequest             the client's request cannot be served as it is

A claim that could not be checked is no exception: it is a `guardrail.types.Unchecked` in the report.
"""

from __future__ import annotations

from pathlib import Path

__all__ = [
    "AuditError",
    "BadRequest",
    "BudgetSpent",
    "ConfigError",
    "GuardrailError",
    "ImportFailed",
    "KnowledgeDamaged",
    "KnowledgeError",
    "KnowledgeMissing",
    "ModelError",
    "ModelMalformed",
    "ModelRefused",
    "ModelTimeout",
    "ModelUnavailable",
    "PolicyError",
    "UpstreamBroken",
    "UpstreamError",
    "UpstreamUnreachable",
]


class GuardrailError(Exception):
    """Base of all errors of this package; `str()` of it may be shown to a user as it stands."""


class ConfigError(GuardrailError):
    """A setting is missing, misspelt or out of range."""


class PolicyError(ConfigError):
    """A policy file is wrong. The text names the file and, where known, line and key."""

    def __init__(self, message: str, *, file: str = "", line: int | None = None, key: str = "") -> None:
        where = ":".join(part for part in (file, str(line) if line else "") if part)
        at_key = f" (key `{key}`)" if key else ""
        super().__init__(f"{where}: {message}{at_key}" if where else f"{message}{at_key}")
        self.message, self.file, self.line, self.key = message, file, line, key


class KnowledgeError(GuardrailError):
    """The knowledge file cannot be used."""


class KnowledgeMissing(KnowledgeError):
    """There is no knowledge file at this path, or nothing else of the kind that is `called` so."""

    def __init__(self, path: Path | str, called: str = "knowledge file") -> None:
        super().__init__(f"no {called} at {path}")
        self.path = path


class KnowledgeDamaged(KnowledgeError):
    """The file is there, but it is no intact knowledge file, or corpus."""

    def __init__(self, path: Path | str, cause: str, called: str = "knowledge file") -> None:
        super().__init__(f"{path} is not an intact {called}: {cause}")
        self.path, self.cause = path, cause


class ImportFailed(KnowledgeError):
    """A source file could not be read in. `line` is 1-based, None where lines mean nothing."""

    def __init__(self, path: Path | str, cause: str, *, line: int | None = None) -> None:
        super().__init__(f"{path}:{line}: {cause}" if line else f"{path}: {cause}")
        self.path, self.cause, self.line = path, cause, line


class AuditError(GuardrailError):
    """A record could not be made durable, or the log could not be read."""


class UpstreamError(GuardrailError):
    """The model at the far end failed. `begun`: part of its answer had already arrived, or it may have done what was asked."""

    def __init__(self, message: str, *, begun: bool = False) -> None:
        super().__init__(message)
        self.begun = begun


class UpstreamUnreachable(UpstreamError):
    """No connection, or no answer within the time allowed."""


class UpstreamBroken(UpstreamError):
    """The answer broke off, or what came was no valid stream."""


class ModelError(GuardrailError):
    """A model asked to check gave no usable answer."""


class ModelUnavailable(ModelError):
    """The model could not be reached or would not serve. `retry_after`: seconds that the server asked to wait; `status`:
    its HTTP status, 0 where there was none.
    """

    def __init__(
        self, message: str, *, transient: bool = False, retry_after: float = 0.0, status: int = 0
    ) -> None:
        super().__init__(message)
        self.transient, self.retry_after, self.status = transient, retry_after, status

    @property
    def about_the_request(self) -> bool:
        """Whether what stood in the request was refused: another one may be served."""
        return self.status in (400, 413, 422)


class ModelTimeout(ModelError):
    """No answer within the time allowed."""


class ModelRefused(ModelError):
    """The model, or a filter in front of it, declined to answer."""


class ModelMalformed(ModelError):
    """The answer is not in the form that was asked for, even after one repair."""


class BudgetSpent(ModelError):
    """The calls, tokens or money set aside for checking are used up."""


class BadRequest(GuardrailError):
    """The client's request cannot be served as it is. `param` names the field at fault."""

    def __init__(
        self, message: str, *, param: str | None = None, status: int = 400, code: str | None = None
    ) -> None:
        super().__init__(message)
        self.param, self.status, self.code = param, status, code
