"""The pages of the manual that are made from the code: `python -m eval.manual` writes docs/reference/{cli,http,metrics,python}.md.

A test compares the pages with what this gives, so that an option, a metric or a docstring cannot change without them.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import entry_points
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import click

import guardrail
from eval.manual_http import http
from guardrail.telemetry import Telemetry
from guardrail.telemetry.prometheus import prometheus_name
from guardrail.telemetry.providers import Providers

__all__ = ["PAGES", "ROOT"]

ROOT = Path(__file__).parents[1] / "docs" / "reference"
MADE = "<!-- Made by `python -m eval.manual` from the code: change it there. -->\n\n"


def cli() -> str:
    """Every command with its arguments and options."""
    lines = ["# Command line", "", "`guardrail COMMAND --help` says the same in the terminal."]
    for entry in sorted(entry_points(group="guardrail.commands"), key=lambda one: one.name):
        command = entry.load()
        lines += _command(command, click.Context(command, info_name=f"guardrail {entry.name}"))
    return MADE + "\n".join(lines) + "\n"


def _command(command: click.Command, ctx: click.Context) -> Iterator[str]:
    usage = " ".join(command.collect_usage_pieces(ctx))
    yield from (
        "",
        f"## {ctx.command_path}",
        "",
        f"`{ctx.command_path} {usage}`",
        "",
        *_said(command.help or ""),
    )
    options = [one for one in command.params if isinstance(one, click.Option) and not one.hidden]
    if options:
        yield from ("", "| option | default | |", "|---|---|---|", *(_option(one, ctx) for one in options))
    if isinstance(command, click.Group):
        for name in command.list_commands(ctx):
            inner = command.get_command(ctx, name)
            if inner is not None:
                yield from _command(inner, click.Context(inner, info_name=name, parent=ctx))


def _option(option: click.Option, ctx: click.Context) -> str:
    flags = ", ".join(f"`{one}`" for one in (*option.opts, *option.secondary_opts))
    kind = "" if option.is_flag else " " + _cell(option.make_metavar(ctx))
    variable = f" (`{option.envvar}`)" if option.envvar else ""
    several = " Several." if option.multiple and "several" not in (option.help or "") else ""
    return f"| {flags}{kind}{variable} | {_default(option, ctx)} | {_cell(option.help or '')}{several} |"


def _default(option: click.Option, ctx: click.Context) -> str:
    default = option.get_default(ctx)
    named = isinstance(default, str | int | float) and str(default) not in ("", "Sentinel.UNSET")
    if named and not option.is_flag:
        return f"`{default}`"
    return "required" if option.required else ""


def metrics() -> str:
    """Every metric as OpenTelemetry and Prometheus call it."""
    lines = [
        "# Metrics",
        "",
        "`GET /metrics` gives them to Prometheus; with `OTEL_EXPORTER_OTLP_ENDPOINT` they are exported, too. [The audit "
        "log](../audit.md#observability) says what else is observed.",
        "",
        "| Prometheus | OpenTelemetry | kind | |",
        "|---|---|---|---|",
    ]
    for kind, name, unit, description in sorted(_instruments(), key=lambda one: one[1]):
        prometheus = prometheus_name(name, unit) + ("_total" if kind == "counter" else "")
        lines.append(f"| `{prometheus}` | `{name}` | {kind} | {description} |")
    return MADE + "\n".join(lines) + "\n"


def _instruments() -> list[tuple[str, str, str, str]]:
    """Kind, name, unit and description of each, as the telemetry asks the SDK for them."""
    found: list[tuple[str, str, str, str]] = []

    def making(kind: str, unit_at: int) -> Callable[..., object]:
        def make(name: str, *more: Any, **_: object) -> object:
            found.append((kind, name, more[unit_at], more[unit_at + 1]))
            return None

        return make

    meter = SimpleNamespace(
        create_histogram=making("histogram", 0),
        create_counter=making("counter", 0),
        create_up_down_counter=making("gauge", 0),
        create_observable_gauge=making("gauge", 1),
    )
    door = SimpleNamespace(get_meter=lambda _: meter, get_tracer=lambda _: None, get_logger=lambda _: None)
    Telemetry(cast(Providers, SimpleNamespace(tracer=door, logger=door, meter=door)))
    return found


def python() -> str:
    """What `import guardrail` offers, with its docstrings."""
    lines = ["# Python", "", "`from guardrail import …`; [the library](../library.md) has examples."]
    for name in guardrail.__all__:
        found = getattr(guardrail, name)
        if not inspect.isclass(found):
            continue
        lines += ["", f"## {name}", "", *_said(inspect.getdoc(found) or "")]
        lines += _fields(found)
        for method, member in vars(found).items():
            function = inspect.unwrap(getattr(member, "__func__", member))
            if not method.startswith("_") and inspect.isfunction(function) and function.__doc__:
                lines += ["", f"### {name}.{method}", "", "```text", _signature(method, function), "```", ""]
                lines += _said(inspect.getdoc(function) or "")
    return MADE + "\n".join(lines) + "\n"


def _fields(found: type) -> Iterator[str]:
    fields: Mapping[str, object] = getattr(found, "__dataclass_fields__", {})
    if fields:
        yield ""
        yield "Fields: " + ", ".join(f"`{name}`" for name in fields) + "."


def _signature(name: str, function: Callable[..., object]) -> str:
    return re.sub(r"\((?:self|cls)(?:, )?", "(", f"{name}{inspect.signature(function)}").replace("'", "")


def _said(text: str) -> list[str]:
    """Help or a docstring as Markdown: paragraphs stay, and what looks like HTML is none."""
    return [line.replace("<", "&lt;") for line in inspect.cleandoc(text).replace("\b", "").splitlines()]


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;")


PAGES: Mapping[str, Callable[[], str]] = {
    "cli": cli,
    "http": lambda: MADE + http(),
    "metrics": metrics,
    "python": python,
}


def main() -> None:
    ROOT.mkdir(exist_ok=True)
    for name, made in PAGES.items():
        (ROOT / f"{name}.md").write_text(made(), "utf-8")


if __name__ == "__main__":
    main()
