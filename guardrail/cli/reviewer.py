"""The options that name a language model for the second look, for every command that checks."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar, get_args

import click

from guardrail.errors import BadRequest
from guardrail.review import Method, ReviewerSettings

__all__ = ["reviewer_options"]

P = ParamSpec("P")
R = TypeVar("R")
_CHECKER = (
    click.option(
        "--checker-model",
        "--checker-name",
        "--checker_name",
        envvar="GUARDRAIL_CHECKER_MODEL",
        metavar="NAME",
        help="A language model that judges claims that are left open. With --checker-url: the model's name on that server.",
    ),
    click.option(
        "--checker-url",
        "--checker-api-base",
        "--checker_api_base",
        envvar="GUARDRAIL_CHECKER_URL",
        metavar="URL",
        help="The model's OpenAI-compatible server, such as vLLM. Without it, litellm calls the provider.",
    ),
    click.option("--checker-key", envvar="GUARDRAIL_CHECKER_KEY", help="Its key."),
    click.option(
        "--checker-method",
        envvar="GUARDRAIL_CHECKER_METHOD",
        type=click.Choice(get_args(Method)),
        default="verdicts",
        show_default=True,
        help="How the language model is asked.",
    ),
    click.option(
        "--checker-cache",
        envvar="GUARDRAIL_CHECKER_CACHE",
        metavar="DIR|URL",
        help="Where the language model's answers are cached. Default: in memory.",
    ),
)


def reviewer_options(command: Callable[P, R]) -> Callable[P, R]:
    """Adds `--checker-model`, `--checker-url` and so on, and hands the command one `reviewer: ReviewerSettings | None`."""

    @wraps(command)
    def with_reviewer(*args: P.args, **kwargs: P.kwargs) -> R:
        kwargs["reviewer"] = _settings(
            *(kwargs.pop(f"checker_{name}") for name in ("model", "url", "key", "method", "cache"))  # type: ignore[arg-type]
        )
        return command(*args, **kwargs)

    for option in reversed(_CHECKER):
        with_reviewer = option(with_reviewer)
    return with_reviewer


def _settings(
    model: str | None, url: str | None, key: str | None, method: Method, cache: str | None
) -> ReviewerSettings | None:
    if model is None:
        if url is not None:
            raise BadRequest("--checker-url needs --checker-model, the model's name on that server")
        return None
    return ReviewerSettings(model, url, key, method, cache)
