"""Files of an older version open: `data/stored-0.1.0.tar.gz` was written by version 0.1.0, answer by answer and fact by fact."""

from __future__ import annotations

import json
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from guardrail.audit.events import PolicyText
from guardrail.audit.record import Record
from guardrail.audit.store import AuditLog, Query
from guardrail.cli import main
from policies.backtest import backtest
from policies.chosen import load_set
from policies.policy import parse
from proxy.access.keys import KeyRing
from tests.records import record

STORED = Path(__file__).parent / "data" / "stored-0.1.0.tar.gz"
Call = Callable[..., str]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The state directory of an installation of version 0.1.0."""
    with tarfile.open(STORED) as stored:
        stored.extractall(tmp_path, filter="data")
    monkeypatch.setenv("GUARDRAIL_HOME", str(tmp_path))
    return tmp_path


@pytest.fixture
def call() -> Call:
    def called(*arguments: object) -> str:
        result = CliRunner().invoke(main.group, [str(one) for one in arguments])
        assert result.exception is None or isinstance(result.exception, SystemExit), result.output
        return result.output

    return called


def test_an_old_audit_log_is_read_and_proved_and_goes_on(home: Path, call: Call) -> None:
    """Its chain holds, with what is written behind it; its records are shown and decided again."""
    lines = call("audit", "list").splitlines()
    assert ["revise" in line and "flagged" in line for line in lines[1:]] == [True, True]
    assert "date of birth" in call("audit", "show", lines[1].split()[1])
    with AuditLog.open(home / "audit.db") as log:
        answers = [stored.item for stored in log.scan() if isinstance(stored.item, Record)]
        assert backtest(load_set(["revise"]), answers).changed == 0
        log.append_now(record(7))
    assert "verified: 5 entries" in call("audit", "verify")


def test_an_old_record_leads_to_its_policy(home: Path, call: Call) -> None:
    """As it was then; the same words have another hash today, as there are more keys."""
    with AuditLog.open(home / "audit.db", read_only=True) as log:
        (kept,) = [s.item for s in log.scan(query=Query(kind="policy")) if isinstance(s.item, PolicyText)]
    assert json.loads(call("audit", "policy", kept.hash[:15]))["name"] == "revise"


def test_an_old_graph_is_asked_and_written_to(home: Path, call: Call) -> None:
    """What newer versions keep beside its tables is made when it is first needed."""
    graph = home / "company.db"
    assert "Ann Lee" in call("kg", "show", "Acme Corp", "-k", graph)
    assert "not Bo Ek" in call("check", "The chief executive of Acme Corp is Bo Ek.", "--knowledge", graph)
    assert call("kg", "add", "Beta Ltd", "founded", "2003", "--new", "-k", graph).startswith("new")
    call("kg", "property", "founded", "--alias", "set up in", "-k", graph)
    assert "set up in" in call("kg", "properties", "-k", graph)


def test_an_old_corpus_is_searched_and_added_to(home: Path, call: Call) -> None:
    """A document of then and one of now are evidence side by side."""
    (home / "docs").mkdir()
    (home / "docs" / "quay.txt").write_text("The Porto quay of Acme Corp closes at noon.")
    call("corpus", "index", home / "docs")
    assert "confirmed" in call("check", "The Lisbon depot of Acme Corp seats forty visitors.")
    assert "confirmed" in call("check", "The Porto quay of Acme Corp closes at noon.")


def test_old_keys_hold(home: Path) -> None:
    """With their policies and limits."""
    ring = KeyRing(home / "keys.db")
    (key,) = ring.known()
    ring.close()
    assert (key.name, key.policies, key.requests) == ("alice", ("block",), 60)


def test_a_policy_file_with_words_of_then_says_what_is_written_now() -> None:
    """The outcome `clean` is gone: the error names those that there are."""
    policies, problems = parse("mode: buffer\nanswer: [{when: {outcome: clean}, then: annotate}]\n", "p.yaml")
    assert policies == ()
    assert "confirmed" in problems[0].message
