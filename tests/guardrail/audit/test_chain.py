"""Links and signatures."""

from __future__ import annotations

import stat
from dataclasses import replace
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, generate_private_key

from guardrail.audit.chain import Head, Signer, link, origin, read_public_key
from guardrail.audit.record import user_hash
from guardrail.errors import AuditError

TIME = "2026-03-01T00:00:00.000Z"


def test_a_link_depends_on_every_part() -> None:
    """Another predecessor, number or body gives another hash."""
    base = link(origin("a"), 1, b"body")
    assert (
        len(
            {
                base,
                link(origin("b"), 1, b"body"),
                link(origin("a"), 2, b"body"),
                link(origin("a"), 1, b"bodY"),
            }
        )
        == 4
    )


def test_the_key_is_made_once_and_is_private(tmp_path: Path) -> None:
    """The second opening finds the first one's key; only its owner can read the file."""
    path = tmp_path / "keys" / "audit.key"
    first, second = Signer.open(path), Signer.open(path)
    assert (
        first.public
        == second.public
        == read_public_key(path.with_name("audit.key.pub"))
        == read_public_key(path)
    )
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert sorted(file.name for file in path.parent.iterdir()) == ["audit.key", "audit.key.pub"]


def test_a_head_is_signed_in_all_its_parts(tmp_path: Path) -> None:
    """Whatever is changed, the signature no longer holds."""
    signer = Signer.open(tmp_path / "k")
    head = signer.seal("log", 7, b"\1" * 32, TIME)
    assert head.signed_by(signer.public)
    for changes in (
        {"seq": 8},
        {"hash": b"\2" * 32},
        {"time": "x"},
        {"log": "other"},
        {"signature": b""},
        {"key": b""},
    ):
        assert not replace(head, **changes).signed_by(signer.public)  # type: ignore[arg-type]
    assert not head.signed_by(Signer.open(tmp_path / "other").public)


def test_a_checkpoint_survives_its_file(tmp_path: Path) -> None:
    """One line of JSON holds all of it."""
    head = Signer.open(tmp_path / "k").seal("log", 7, b"\1" * 32, TIME)
    assert Head.from_json(head.to_json()) == head


@pytest.mark.parametrize("line", [b"", b"{}", b"[]", b"nonsense", b'{"log":"a","seq":"x","hash":"zz"}'])
def test_what_is_no_checkpoint_is_refused(line: bytes) -> None:
    """A damaged file of checkpoints is named as such."""
    with pytest.raises(AuditError, match="not a checkpoint"):
        Head.from_json(line)


def test_what_is_no_key_is_refused(tmp_path: Path) -> None:
    """Text, a key of another kind, a folder, nothing at all."""
    path = tmp_path / "key"
    path.write_text("no key")
    other = generate_private_key(SECP256R1())
    pem = other.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    (tmp_path / "other").write_bytes(pem)
    for place in (path, tmp_path / "other", tmp_path):
        with pytest.raises(AuditError):
            Signer.open(place)
        with pytest.raises(AuditError):
            read_public_key(place)
    with pytest.raises(AuditError):
        read_public_key(tmp_path / "none")
    public = other.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    path.write_bytes(public)
    with pytest.raises(AuditError, match="no Ed25519 key"):
        read_public_key(path)


def test_a_user_is_known_by_a_pseudonym_that_needs_the_key(tmp_path: Path) -> None:
    """Who holds the log without its key cannot find out by trying names who stands in it."""
    signer, other = Signer.open(tmp_path / "a.key"), Signer.open(tmp_path / "b.key")
    found = signer.pseudonym("olga@example.org")
    assert found == Signer.open(tmp_path / "a.key").pseudonym("olga@example.org")
    assert found != signer.pseudonym("bo@example.org")
    assert found != other.pseudonym("olga@example.org")
    assert found != user_hash("olga@example.org")
    assert "olga" not in found
