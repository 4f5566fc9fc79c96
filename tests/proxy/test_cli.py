"""`guardrail serve` as a person starts it: a process of its own."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import openai
import pytest
from click.testing import CliRunner

from guardrail.errors import ConfigError
from proxy.cli import bare, exposed, greeting, serve, several
from proxy.settings import Settings

MAIN = "import sys; from guardrail.cli.main import main; sys.argv = ['guardrail', *sys.argv[1:]]; main()"


@contextmanager
def running(home: Path, *options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server process and the first line with its base URL."""
    environment = {**os.environ, "GUARDRAIL_HOME": str(home)}
    command = [sys.executable, "-c", MAIN, "serve", "--port", "0", *options]
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        assert process.stdout
        said = ""
        for line in process.stdout:
            said += line
            if "-d '" in line:
                break
        try:
            yield process, said
        finally:
            process.kill()


def test_several_processes_serve_one_port(tmp_path: Path, knowledge: Path) -> None:
    """`--processes` prints the address once all serve, says what is not counted together, and ends on a signal."""
    with running(tmp_path, "--knowledge", str(knowledge), "--processes", "2") as (process, said):
        base = re.search(r"base_url +(\S+)", said)
        assert base, said
        with openai.OpenAI(base_url=base[1], api_key="any", max_retries=1) as client:
            ask = [{"role": "user", "content": "What is the capital of Australia?"}]
            answer = client.chat.completions.create(model="demo-fast", messages=ask)  # type: ignore[arg-type]
        assert answer.choices[0].message.guardrail["claims"]  # type: ignore[attr-defined]
        process.send_signal(signal.SIGTERM)
        process.wait(60)
        left = process.stdout.read()  # type: ignore[union-attr]
    assert (process.returncode, "Traceback" in left) == (0, False)
    assert "each of 2 processes counts the limits of keys by itself" in said + left


@pytest.mark.parametrize("name", ["--connect-timeout", "--first-timeout", "--read-timeout"])
@pytest.mark.parametrize("seconds", ["0", "-3"])
def test_a_timeout_is_some_time(name: str, seconds: str) -> None:
    """None that is over before it begins."""
    found = CliRunner().invoke(serve, [name, seconds])
    assert (found.exit_code, name in found.output) == (2, True)


def test_a_misspelt_corpus_stops_the_server(
    tmp_path: Path, knowledge: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says which file is missing. With an admin's token documents may be handed in, which makes the file."""
    monkeypatch.setenv("GUARDRAIL_CORPUS", str(tmp_path / "nope.db"))
    with running(tmp_path, "--knowledge", str(knowledge)) as (process, said):
        assert process.wait(60) != 0
        assert f"there is no file {tmp_path / 'nope.db'}" in said
    with running(tmp_path, "--knowledge", str(knowledge), "--admin-token", "t") as (_, said):
        assert "base_url" in said


def test_the_pages_need_a_process_of_their_own() -> None:
    """Their sessions are of one process."""
    with pytest.raises(ConfigError, match="leave --admin-token out"):
        several(Settings(processes=2, admin_token="t"))


def test_serve_prints_what_a_person_needs_and_answers(tmp_path: Path, knowledge: Path) -> None:
    """The base URL that is printed works with the SDK, and a signal ends the server cleanly."""
    with running(tmp_path, "--knowledge", str(knowledge)) as (process, said):
        base = re.search(r"base_url +(\S+)", said)
        assert base, said
        assert re.search(r"page +http://127\.0\.0\.1:\d+/\n", said)
        with openai.OpenAI(base_url=base[1], api_key="any", max_retries=1) as client:
            ask = [{"role": "user", "content": "What is the capital of Australia?"}]
            answer = client.chat.completions.create(model="demo-fast", messages=ask)  # type: ignore[arg-type]
        assert "Sydney" in answer.choices[0].message.content
        assert answer.choices[0].message.guardrail["claims"]  # type: ignore[attr-defined]
        process.send_signal(signal.SIGTERM)
        process.wait(10)
        assert "Traceback" not in process.stdout.read()  # type: ignore[union-attr]
    assert (tmp_path / "audit.db").exists()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--policy", "nonsense"], "nonsense: no such policy file"),
        (["--knowledge", "no-such.db"], "no-such.db"),
        (["--upstream", "ftp://x"], "--upstream"),
    ],
)
def test_what_cannot_be_used_is_one_line(tmp_path: Path, options: list[str], message: str) -> None:
    """A wrong option is one line on stderr and exit code 2, not a traceback."""
    environment = {**os.environ, "GUARDRAIL_HOME": str(tmp_path)}
    command = [sys.executable, "-c", MAIN, "serve", "--port", "0", *options]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1
    assert message in done.stderr


def test_a_damaged_knowledge_file_is_told(tmp_path: Path) -> None:
    """A file that is no knowledge is refused by name."""
    damaged = tmp_path / "damaged.db"
    damaged.write_bytes(b"not a database at all" * 100)
    environment = {**os.environ, "GUARDRAIL_HOME": str(tmp_path)}
    command = [sys.executable, "-c", MAIN, "serve", "--port", "0", "--knowledge", str(damaged)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "damaged.db" in done.stderr


def test_the_line_to_paste_names_model_and_key() -> None:
    """With an upstream of one's own, the curl line asks for model and key."""
    assert '"model":"demo"' in greeting(Settings(), port=8080)
    other = greeting(Settings(upstream="https://host/v1", host="::1"), port=1)
    assert "Bearer KEY" in other
    assert "http://[::1]:1/v1" in other


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"host": "0.0.0.0", "upstream_key": "k"}, True),
        ({"host": "0.0.0.0", "upstream_key": "k", "require_key": True}, False),
        ({"host": "127.0.0.1", "upstream_key": "k"}, False),
        ({"host": "0.0.0.0"}, False),
    ],
)
def test_a_key_that_anyone_could_spend_is_warned_of(given: dict[str, object], told: bool) -> None:
    """A public address, a key of the operator's, and nobody asked for one of their own."""
    assert exposed(Settings(**given)) is told  # type: ignore[arg-type]


def test_help_needs_no_server() -> None:
    """`serve --help` lists the options with their defaults."""
    shown = CliRunner().invoke(serve, ["--help"]).output
    for option in ("--host", "--port", "--upstream", "--policy", "--knowledge", "--max-body", "--max-upload"):
        assert option in shown


@pytest.mark.parametrize(
    ("option", "shown"),
    [
        ("http://ada:se%2Fcret@host:1/v1", "http://host:1/v1"),
        ("gpt-*=https://ada:se/cr@et@host/v1", "gpt-*=https://host/v1"),
        ("https://host/v1?key=secret#secret", "https://host/v1"),
        ("litellm:anthropic", "litellm:anthropic"),
    ],
)
def test_the_greeting_shows_no_credentials(option: str, shown: str) -> None:
    """Whatever stands in a server's address besides its place stays the operator's."""
    told = greeting(Settings(upstream=option), port=1).splitlines()[0]
    assert "cret" not in told
    assert told == f"guardrail checks {shown} with policy annotate" or "@" not in told


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--pass", "/v1/chat/completions"),
        ("--pass", "/v1"),
        ("--pass", "/v1/../x"),
        ("--pass", "batches"),
        ("--pass", "POST /v1/responses"),
        ("--pass", "GET /v1/responses/r"),
        ("--allow-origin", "app.example"),
        ("--allow-origin", "*"),
        ("--trusted-proxies", "*"),
        ("--trusted-proxies", "10.0.0.1,nginx"),
    ],
)
def test_what_would_open_too_much_is_refused(option: str, value: str) -> None:
    """A guarded path cannot be passed unchecked; stars and names stand for nobody."""
    done = CliRunner().invoke(serve, [option, value])
    assert done.exit_code == 2
    assert option in done.output


def test_a_server_without_a_path_is_told_of() -> None:
    """Most model servers answer below /v1, which is easily left out; credentials are not shown."""
    settings = Settings(
        upstream="https://me:secret@a.example/",  # pragma: allowlist secret
        routes=("gpt-*=https://b.example", "c-*=https://c.example/v1"),
    )
    assert bare(settings) == ["https://a.example", "https://b.example"]
    assert bare(Settings(upstream="litellm:anthropic")) == bare(Settings()) == []
