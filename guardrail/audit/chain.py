"""The hash chain over the log's entries, and the signatures that pin its head.

    hash[n] = SHA-256( hash[n-1] ‖ n as 8 bytes ‖ canonical body of entry n )        hash[first-1] = the log's origin
    head    = Ed25519( log id, n, hash[n], time )      written in the same transaction as entry n

An edit, deletion or swap breaks the chain; a chain rewritten from some entry on, or cut short, no longer ends in the
signed head. Who holds the private key, or puts back an older copy of the whole log, is only found with the signed
checkpoints kept elsewhere (`audit verify --anchor FILE`).
"""

from __future__ import annotations

import hashlib
import hmac
import os
from dataclasses import dataclass
from pathlib import Path

import orjson
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from guardrail.errors import AuditError

__all__ = ["Head", "Signer", "link", "origin", "read_public_key"]


@dataclass(frozen=True, slots=True)
class Head:
    """Where the chain ends: `seq` is the last entry's number (0: none yet), `hash` its 32 bytes."""

    log: str
    seq: int
    hash: bytes
    time: str
    signature: bytes = b""
    key: bytes = b""  # the public key, 32 bytes

    def message(self) -> bytes:
        """What is signed."""
        parts = {"log": self.log, "seq": self.seq, "hash": self.hash.hex(), "time": self.time}
        return orjson.dumps(parts, option=orjson.OPT_SORT_KEYS)

    def to_json(self) -> bytes:
        """One line for a file of checkpoints."""
        parts = {"log": self.log, "seq": self.seq, "hash": self.hash.hex(), "time": self.time}
        return orjson.dumps(parts | {"signature": self.signature.hex(), "key": self.key.hex()})

    @classmethod
    def from_json(cls, line: bytes) -> Head:
        try:
            parts = orjson.loads(line)
            raw = {name: bytes.fromhex(parts[name]) for name in ("hash", "signature", "key")}
            return cls(log=str(parts["log"]), seq=int(parts["seq"]), time=str(parts["time"]), **raw)
        except (orjson.JSONDecodeError, KeyError, TypeError, ValueError) as error:
            raise AuditError(f"not a checkpoint: {line[:80]!r}") from error

    def signed_by(self, public: bytes) -> bool:
        """Whether the signature is that key's over exactly this head."""
        if self.key != public:
            return False
        try:
            Ed25519PublicKey.from_public_bytes(public).verify(self.signature, self.message())
        except (InvalidSignature, ValueError):
            return False
        return True


def origin(log: str) -> bytes:
    """What the first entry of a log is linked to."""
    return hashlib.sha256(b"guardrail audit log " + log.encode()).digest()


def link(previous: bytes, seq: int, body: bytes) -> bytes:
    """The hash of entry `seq`; the lengths of the first two parts are fixed, so no two entries read alike."""
    return hashlib.sha256(previous + seq.to_bytes(8, "big") + body).digest()


class Signer:
    """The private key of a log. The file is made on first use, readable by its owner only."""

    def __init__(self, private: Ed25519PrivateKey) -> None:
        self._private = private
        self.public = private.public_key().public_bytes_raw()
        self._pepper = hashlib.sha256(b"guardrail users " + private.private_bytes_raw()).digest()

    @classmethod
    def open(cls, path: Path) -> Signer:
        """The key in `path`; made, with `path.pub` beside it, when there is none. Raises AuditError."""
        try:
            return cls(_private_key(path.read_bytes(), path))
        except FileNotFoundError:
            return cls._create(path)
        except OSError as error:
            raise AuditError(f"cannot read the signing key {path}: {error}") from error

    @classmethod
    def _create(cls, path: Path) -> Signer:
        private = Ed25519PrivateKey.generate()
        pem = private.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        public = private.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        )
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            temporary = path.with_name(f"{path.name}.{os.getpid()}.tmp")
            with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(pem)
                os.fsync(file.fileno())
            try:
                os.link(temporary, path)  # fails where another process was first, which then is the key
            except FileExistsError:
                return cls.open(path)
            finally:
                temporary.unlink()
            path.with_name(path.name + ".pub").write_bytes(public)
        except OSError as error:
            raise AuditError(f"cannot write the signing key {path}: {error}") from error
        return cls(private)

    def pseudonym(self, user: str) -> str:
        """The same for the same user, 32 hexadecimal digits (HMAC-SHA-256, cut)."""
        return hmac.new(self._pepper, user.encode("utf-8", "replace"), "sha256").hexdigest()[:32]

    def seal(self, log: str, seq: int, digest: bytes, time: str) -> Head:
        """The signed head after entry `seq`."""
        bare = Head(log, seq, digest, time, key=self.public)
        return Head(log, seq, digest, time, self._private.sign(bare.message()), self.public)


def _private_key(pem: bytes, path: Path) -> Ed25519PrivateKey:
    try:
        key = serialization.load_pem_private_key(pem, password=None)
    except (ValueError, TypeError) as error:
        raise AuditError(f"{path} holds no private key") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise AuditError(f"{path} holds no Ed25519 key")
    return key


def read_public_key(path: Path) -> bytes:
    """The 32 bytes of a public key in a PEM file (a private key's file will do). Raises AuditError."""
    try:
        pem = path.read_bytes()
    except OSError as error:
        raise AuditError(f"cannot read the public key {path}: {error}") from error
    if b"PRIVATE" in pem:
        return _private_key(pem, path).public_key().public_bytes_raw()
    try:
        key = serialization.load_pem_public_key(pem)
    except ValueError as error:
        raise AuditError(f"{path} holds no public key") from error
    if not isinstance(key, Ed25519PublicKey):
        raise AuditError(f"{path} holds no Ed25519 key")
    return key.public_bytes_raw()
