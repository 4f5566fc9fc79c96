"""Virtual keys are kept as hashes, found by their whole token only, and gone when revoked or expired."""

from __future__ import annotations

import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from guardrail.errors import ConfigError
from proxy.access import keys
from proxy.access.keys import Key, KeyRing, keys_file


@pytest.fixture
def ring(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """A ring that looks at its file each time."""
    monkeypatch.setattr(keys, "REFRESH", 0.0)
    opened = KeyRing(tmp_path / "keys.db")
    yield opened
    opened.close()


def test_a_key_is_found_by_its_token(ring: KeyRing) -> None:
    """What was given on creation comes back; tokens are told apart by id and secret."""
    key, token = ring.create("alice", policies=("block", "revise"), requests=60, tokens=1000, concurrent=2)
    other, second = ring.create("bob")
    assert ring.find(token) == key
    assert ring.find(second) == other
    assert (key.name, key.policies, key.requests, key.tokens, key.concurrent) == (
        "alice",
        ("block", "revise"),
        60,
        1000,
        2,
    )
    assert {one.id for one in ring.known()} == {key.id, other.id}


@pytest.mark.parametrize(
    "spoil", [lambda t: t[:-1], lambda t: t + "x", lambda t: t[:11], lambda t: "gk-", lambda t: ""]
)
def test_no_other_token_opens(ring: KeyRing, spoil) -> None:
    """A part of a token, a longer one, an id without secret: nobody."""
    _, token = ring.create("alice")
    assert ring.find(spoil(token)) is None


def test_one_keys_secret_does_not_fit_another_id(ring: KeyRing) -> None:
    """Id and secret belong together."""
    (one, token), (other, _) = ring.create("a"), ring.create("b")
    assert ring.find(token.replace(one.id, other.id)) is None


def test_the_file_holds_no_secret_and_is_its_owners(ring: KeyRing, tmp_path: Path) -> None:
    """Neither the file nor a printed key has the token; only the owner may read the file."""
    key, token = ring.create("alice")
    secret = token.split("-", 2)[2]
    written = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"alice" in written
    assert secret.encode() not in written
    assert secret not in repr(key)
    assert key.digest.hex() not in repr(key)
    assert stat.S_IMODE((tmp_path / "keys.db").stat().st_mode) == 0o600


def test_keys_of_another_process_count(ring: KeyRing, tmp_path: Path) -> None:
    """A key that the command line makes or revokes is seen by a ring that is open."""
    assert ring.find("gk-none-none") is None
    elsewhere = KeyRing(tmp_path / "keys.db")
    key, token = elsewhere.create("alice")
    assert ring.find(token) == key
    assert elsewhere.revoke(key.id)
    assert not elsewhere.revoke(key.id)
    assert not elsewhere.revoke("nobody")
    assert ring.find(token) is None
    assert ring.known()[0].revoked
    elsewhere.close()


def test_the_file_is_not_read_for_each_request(tmp_path: Path) -> None:
    """Between two looks at the file a second passes."""
    ring = KeyRing(tmp_path / "keys.db")
    assert ring.find("gk-none-none") is None
    _, token = ring.create("alice")
    assert ring.find(token) is None
    assert len(ring.known()) == 1
    assert ring.find(token) is not None
    ring.close()


def test_a_key_expires(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After its lifetime a key is nobody's."""
    now = [datetime(2026, 1, 1, tzinfo=UTC)]
    monkeypatch.setattr(keys, "REFRESH", 0.0)
    ring = KeyRing(tmp_path / "keys.db", clock=lambda: now[0])
    _, token = ring.create("alice", lifetime=timedelta(hours=1))
    assert ring.find(token) is not None
    now[0] += timedelta(hours=1)
    assert ring.find(token) is None
    ring.close()


def test_a_file_that_is_none_is_told(tmp_path: Path) -> None:
    """What is no key file is an error of ours, reading and writing."""
    path = tmp_path / "keys.db"
    path.write_bytes(b"no database" * 1000)
    with pytest.raises(ConfigError, match=r"keys\.db"):
        KeyRing(path).find("gk-a-b")
    with pytest.raises(ConfigError, match=r"keys\.db"):
        KeyRing(path).create("a")


def test_keys_are_kept_at_home() -> None:
    """Without a name the file is in $GUARDRAIL_HOME, and it is not made before the first key."""
    assert keys_file().name == "keys.db"
    assert Key("i", "n", b"").valid("2026-01-01T00:00:00Z")
