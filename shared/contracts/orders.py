"""Sealed orders: filed during the day, read together at the tick."""

from datetime import datetime
from typing import Literal

import msgspec

from shared.contracts.base import Event, Payload, Request


class Receipt(Payload):
    """What the server held (P-04) from ``filed_at`` on, or until then. ``signature``: Ed25519 over the canonical JSON of the other fields, base64."""

    kind: Literal["filed", "cancelled"]
    match: str
    tick: int
    text: str
    sha256: str
    filed_at: datetime
    key: str
    signature: str


class OrderResult(Payload):
    status: Literal["done", "failed"]
    reason: str | None
    words: str | None


class FiledOrder(Payload):
    """``order`` is contract.md's order, with id, seq and faction. ``id`` is empty for a dry run."""

    id: str
    seq: int
    tick: int
    order: msgspec.Raw
    receipt: Receipt
    result: OrderResult | None = None


class OrderList(Payload):
    """One's own orders of one tick. ``etag`` changes with every change of the list; ``open`` while orders are taken."""

    tick: int
    open: bool
    etag: str
    orders: tuple[FiledOrder, ...]


class Cancelled(Payload):
    receipt: Receipt
    etag: str


class Desk(Payload):
    """What one may file now: the ruleset's options (after what is filed) and the briefing its checks read."""

    match: str
    tick: int
    faction: str
    ruleset: str
    options: msgspec.Raw
    briefing: msgspec.Raw
    etag: str


class TickName(Payload):
    match: str
    tick: int


class SealRequestItem(Payload):
    """``ready_at``: the due tick's. Null for a tick that nobody waits for any more."""

    match: str
    tick: int
    ready_at: datetime | None = None


class SealedTick(Payload):
    """The orders that count, as canonical texts by (seq, seat); nonces and digests by faction (P-04).

    The same tick gives the same list for ever. ``error`` instead where the tick cannot be sealed.
    """

    match: str
    tick: int
    sealed_at: datetime | None
    orders: tuple[str, ...]
    nonces: dict[str, str]
    digests: dict[str, str]
    error: str | None = None


class SealedTicks(Payload):
    items: tuple[SealedTick, ...]


class PublicKey(Payload):
    """An Ed25519 public key, raw, base64."""

    id: str
    algorithm: Literal["Ed25519"]
    public_key: str
    created_at: datetime


class PublicKeys(Payload):
    items: tuple[PublicKey, ...]


class Outage(Payload):
    start: datetime
    end: datetime


class Outages(Payload):
    """Gaps between readiness marks; ``ready_at`` is the latest mark. ``sealed``: those asked for that are; ``busy``:
    those that somebody is about to seal, or to change."""

    items: tuple[Outage, ...]
    ready_at: datetime | None
    sealed: tuple[TickName, ...] = ()
    busy: tuple[TickName, ...] = ()


class FileOrder(Request[FiledOrder]):
    """One order (``order``: contract.md's without id, seq, faction; refused if it carries them).

    ``key``: drawn by the caller for this wish; the same wish again files nothing and gives the first answer, also
    after the tick closed (``shared.storage.idempotency``).
    Refusals: not-found, forbidden (the seat was resigned), not-started, match-ended, tick-closed, malformed, the
    ruleset's codes, too-many-orders, idempotency-mismatch.
    """

    account: str
    match: str
    tick: int
    order: msgspec.Raw
    dry_run: bool = False
    key: str | None = None


class ReplaceOrders(Request[OrderList]):
    """The whole list for the open tick or nothing. ``if_match``: the list's etag, or ``*`` for any.

    Refusals: as FileOrder, changed; ``errors`` names each refused order: index, code, detail.
    ``key``: as FileOrder's. ``computer``: filed by a computer player, who alone files for a seat that was resigned.
    """

    account: str
    match: str
    tick: int
    orders: tuple[msgspec.Raw, ...]
    if_match: str
    key: str | None = None
    computer: bool = False


class CancelOrder(Request[Cancelled]):
    """Refusals: not-found, forbidden, not-started, match-ended, tick-closed. ``key``: as FileOrder's."""

    account: str
    match: str
    tick: int
    order: str
    key: str | None = None


class ListOrders(Request[OrderList]):
    """``tick`` null is the open one. Refusals: not-found, not-started."""

    account: str
    match: str
    tick: int | None = None


class GetDesk(Request[Desk]):
    """Refusals: not-found, not-started, match-ended, tick-closed."""

    account: str
    match: str


class SealTicks(Request[SealedTicks]):
    """For resolution only: after this nothing is filed, changed or cancelled for these ticks."""

    ticks: tuple[SealRequestItem, ...]


class GetKeys(Request[PublicKeys]):
    """The server's public keys, newest first."""


class GetOutages(Request[Outages]):
    """Times since ``since`` in which orders could not be taken (K-03), and which of ``ticks`` are sealed.

    One that is neither sealed nor busy by this answer will not be sealed under a ``ready_at`` before an outage told in it.
    """

    since: datetime
    ticks: tuple[TickName, ...] = ()


class EveryoneAnswered(Event):
    """All who were asked have answered and the ruleset's window may close early."""

    match: str
    tick: int
