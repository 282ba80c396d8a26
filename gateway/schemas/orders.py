"""Orders as they are filed, listed and cancelled. An order's own fields are the ruleset's."""

from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from gateway.schemas.text import Tick
from shared.contracts import orders

NewOrder = Annotated[dict[str, Any], Meta(extra_json_schema={"$ref": "#/components/schemas/RulesetOrder"})]
"""Of the match's ruleset, without id, seq and faction; orders has the ruleset check it."""
MOST_LISTED = 1_000
"""A longer list is not even handed on; orders itself refuses well below."""


class OfTick(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``tick``: the tick the orders are for."""

    tick: Tick


class OfAnyTick(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``tick``: the tick the orders are for; the open one if absent."""

    tick: Tick | None = None


class Filing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``tick``: the tick the order is for. ``dry_run``: check and answer the same, but store nothing."""

    tick: Tick
    dry_run: bool = False


class OrdersWanted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The whole list, in the order of filing."""

    orders: list[NewOrder]


class ReceiptAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """What the server held (rules P-04): ``signature`` is Ed25519, in base64, over the canonical JSON of the other
    fields, by the key ``key`` of /v1/keys. Empty on a dry run: nothing was held."""

    kind: Literal["filed", "cancelled"]
    match: str
    tick: int
    text: str
    sha256: str
    filed_at: datetime
    key: str
    signature: str


class OrderResult(msgspec.Struct, frozen=True):
    """What became of an order at the tick; ``words`` names only what its faction may know."""

    status: Literal["done", "failed"]
    reason: str | None
    words: str | None


class FiledAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A filed order: these fields, and the order's own beside them. ``result`` once its tick is resolved."""

    id: str
    seq: int
    tick: int
    kind: str
    faction: str
    receipt: ReceiptAnswer
    result: OrderResult | UnsetType = UNSET


class OrdersAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """One's own orders of a tick, whole. ``open`` while orders for it are taken."""

    tick: int
    open: bool
    items: tuple[FiledAnswer, ...]
    next_cursor: Literal[None] = None


class CancelledAnswer(msgspec.Struct, frozen=True):
    receipt: ReceiptAnswer


def filed_answer(filed: orders.FiledOrder) -> dict[str, Any]:
    """A ``FiledAnswer`` with the order's own fields, as JSON-able values."""
    order: dict[str, Any] = msgspec.json.decode(filed.order)
    answer = {
        **order,
        "id": filed.id,
        "seq": filed.seq,
        "tick": filed.tick,
        "receipt": receipt_answer(filed.receipt),
    }
    if filed.result is not None:
        result = filed.result
        answer["result"] = OrderResult(status=result.status, reason=result.reason, words=result.words)
    return answer


def orders_answer(found: orders.OrderList) -> bytes:
    """An ``OrdersAnswer`` as JSON."""
    items = [filed_answer(filed) for filed in found.orders]
    return msgspec.json.encode({"tick": found.tick, "open": found.open, "items": items, "next_cursor": None})


def receipt_answer(receipt: orders.Receipt) -> ReceiptAnswer:
    return ReceiptAnswer(
        kind=receipt.kind,
        match=receipt.match,
        tick=receipt.tick,
        text=receipt.text,
        sha256=receipt.sha256,
        filed_at=receipt.filed_at,
        key=receipt.key,
        signature=receipt.signature,
    )
