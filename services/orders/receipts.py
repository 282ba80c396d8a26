"""Signed receipts of what the server held (P-04), and the keys that sign them.

A receipt's signature is Ed25519 over the canonical JSON of its other fields. The first process to need a key
makes one for all; a key given by a setting takes its place and is never stored.
"""

import base64
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

import sqlalchemy as sa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from services.orders.store import signing_keys
from shared import canonical, proof
from shared.contracts.orders import PublicKey, PublicKeys, Receipt
from shared.storage.database import Database, Transaction
from shared.storage.upsert import insert_or_ignore

SIZE = 32
ID_LENGTH = 16


@dataclass(frozen=True)
class Signer:
    """``id`` is the start of the public key's SHA-256."""

    id: str
    private: Ed25519PrivateKey

    def receipt(
        self, kind: Literal["filed", "cancelled"], match: str, tick: int, text: str, at: datetime
    ) -> Receipt:
        unsigned = statement(kind, match, tick, text, at, self.id)
        signature = self.private.sign(canonical.encode(unsigned))
        return kept(kind, match, tick, text, at, self.id, base64.b64encode(signature).decode())


def statement(
    kind: Literal["filed", "cancelled"], match: str, tick: int, text: str, at: datetime, key: str
) -> dict[str, object]:
    """What is signed: a receipt's fields without the signature."""
    return {
        "kind": kind,
        "match": match,
        "tick": tick,
        "text": text,
        "sha256": proof.sha256(text),
        "filed_at": at,
        "key": key,
    }


def kept(
    kind: Literal["filed", "cancelled"],
    match: str,
    tick: int,
    text: str,
    at: datetime,
    key: str,
    signature: str,
) -> Receipt:
    """A receipt made before, of what is stored of it."""
    return Receipt(
        kind=kind,
        match=match,
        tick=tick,
        text=text,
        sha256=proof.sha256(text),
        filed_at=at,
        key=key,
        signature=signature,
    )


class KeyRing:
    """The key that signs now, and all public keys."""

    def __init__(self, database: Database, given: str | None, secret: bytes) -> None:
        """``given``: a private key, 32 bytes in base64, or None; ``secret``: for a new key if none is there.

        ValueError if ``given`` is no such key.
        """
        self._database = database
        self._given = None if given is None else _private_key(given)
        self._secret = secret
        self._signer: Signer | None = None

    def signer(self) -> Signer:
        if self._signer is None:
            with self._database.begin() as tx:
                self._signer = self._given_key(tx, self._given) if self._given else self._own_key(tx)
        return self._signer

    def public_keys(self) -> PublicKeys:
        """Newest first."""
        self.signer()
        with self._database.read() as tx:
            rows = tx.all(
                sa.select(signing_keys.c.public, signing_keys.c.created_at).order_by(
                    signing_keys.c.number.desc()
                )
            )
        return PublicKeys(
            items=tuple(
                PublicKey(
                    id=_key_id(row.public),
                    algorithm="Ed25519",
                    public_key=row.public,
                    created_at=row.created_at,
                )
                for row in rows
            )
        )

    def _own_key(self, tx: Transaction) -> Signer:
        newest = (
            sa.select(signing_keys.c.private)
            .where(signing_keys.c.private.is_not(None))
            .order_by(signing_keys.c.number.desc())
            .limit(1)
        )
        while (private := tx.scalar(newest)) is None:
            fresh = Ed25519PrivateKey.from_private_bytes(self._secret)
            self._add(tx, _public_text(fresh), self._secret)
        return _signer(Ed25519PrivateKey.from_private_bytes(private))

    def _given_key(self, tx: Transaction, given: Ed25519PrivateKey) -> Signer:
        public = _public_text(given)
        known = sa.select(signing_keys.c.number).where(signing_keys.c.public == public)
        while tx.scalar(known) is None:
            self._add(tx, public, None)
        return _signer(given)

    def _add(self, tx: Transaction, public: str, private: bytes | None) -> None:
        """Under the next number, unless another process was first to take it."""
        number = (tx.scalar(sa.select(sa.func.max(signing_keys.c.number))) or 0) + 1
        row = {"number": number, "public": public, "private": private, "created_at": tx.now()}
        tx.execute(insert_or_ignore(signing_keys, row))


def _private_key(given: str) -> Ed25519PrivateKey:
    raw = base64.b64decode(given, validate=True)
    if len(raw) != SIZE:
        raise ValueError(f"a signing key has {SIZE} bytes, not {len(raw)}")
    return Ed25519PrivateKey.from_private_bytes(raw)


def _signer(private: Ed25519PrivateKey) -> Signer:
    return Signer(id=_key_id(_public_text(private)), private=private)


def _public_text(private: Ed25519PrivateKey) -> str:
    return base64.b64encode(private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)).decode()


def _key_id(public: str) -> str:
    return proof.sha256(public)[:ID_LENGTH]
