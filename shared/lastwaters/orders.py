"""The seven kinds of order (T-01): their forms, reading them, and their canonical text.

What a client files is a body (``Move`` and so on); id, seq and faction are the server's and stand around it in
``Order``. A body that is not well formed is read as ``None`` and its order fails as malformed.
"""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from shared.lastwaters.errors import BadInput
from shared.lastwaters.tables import COUNT
from shared.lastwaters.world import encode

OrderCount = Annotated[int, Meta(ge=COUNT[0], le=COUNT[1])]


class Move(Struct, frozen=True, tag="move", tag_field="kind", forbid_unknown_fields=True):
    """Units march from ``origin`` along ``path`` (origin not included) to its last hold (M-01)."""

    origin: str
    path: Annotated[tuple[str, ...], Meta(min_length=1)]
    units: Annotated[dict[str, OrderCount], Meta(min_length=1)]


class Recruit(Struct, frozen=True, tag="recruit", tag_field="kind", forbid_unknown_fields=True):
    """Units of one type are raised in a hold (U-01)."""

    hold: str
    unit: str
    count: OrderCount


class Build(Struct, frozen=True, tag="build", tag_field="kind", forbid_unknown_fields=True):
    """One building is put on a hold (B-01)."""

    hold: str
    building: str


class ResearchOrder(Struct, frozen=True, tag="research", tag_field="kind", forbid_unknown_fields=True):
    """A technology is started (S-01)."""

    tech: str


class Propose(Struct, frozen=True, tag="propose", tag_field="kind", forbid_unknown_fields=True):
    """A pact is offered to a faction (D-01)."""

    to: str


class Accept(Struct, frozen=True, tag="accept", tag_field="kind", forbid_unknown_fields=True):
    """A faction's open proposal is accepted (D-01)."""

    from_: str = msgspec.field(name="from")


class Break(Struct, frozen=True, tag="break", tag_field="kind", forbid_unknown_fields=True):
    """A pact is broken or, where none stands, the open proposals between the two are closed (D-02)."""

    with_: str = msgspec.field(name="with")


Body = Move | Recruit | Build | ResearchOrder | Propose | Accept | Break
KINDS: tuple[type[Struct], ...] = (Move, Recruit, Build, ResearchOrder, Propose, Accept, Break)

_bodies = msgspec.json.Decoder(Body)
_ENVELOPE = ("id", "seq", "faction")


class Order(Struct, frozen=True):
    """One order as sealed. ``body`` is None if it is malformed; ``kind`` is what it calls itself, if a text."""

    id: str
    seq: int
    faction: str
    body: Body | None
    kind: str | None = None


class Malformed(ValueError):
    """A body that is not well formed; the text says what and where."""


def read_body(value: Any) -> Body:
    """Decoded JSON without id, seq and faction as a body; Malformed says what is wrong."""
    try:
        return msgspec.convert(value, Body)  # type: ignore[no-any-return]
    except msgspec.ValidationError as error:
        raise Malformed(str(error)) from None


def read_order(value: Any, where: str) -> Order:
    """Decoded JSON as an order; BadInput unless it has a text id, a text faction and a whole seq."""
    if not isinstance(value, Mapping):
        raise BadInput(where, f"an order is an object, not {type(value).__name__}")
    id_, seq, faction = (value.get(name) for name in _ENVELOPE)
    if not isinstance(id_, str):
        raise BadInput(f"{where}.id", "a text is needed")
    if not isinstance(faction, str):
        raise BadInput(f"{where}.faction", "a text is needed")
    if not isinstance(seq, int) or isinstance(seq, bool):
        raise BadInput(f"{where}.seq", "a whole number is needed")
    kind = value.get("kind")
    try:
        body: Body | None = (
            read_body({k: v for k, v in value.items() if k not in _ENVELOPE}) if seq >= 1 else None
        )
    except Malformed:
        body = None
    return Order(id_, seq, faction, body, kind if isinstance(kind, str) else None)


def read_orders(values: Any, where: str = "orders") -> list[Order]:
    """A list of decoded orders; BadInput for an entry without an envelope and for a doubled id or (faction, seq)."""
    if not isinstance(values, list | tuple):
        raise BadInput(where, "a list of orders is needed")
    orders = [read_order(value, f"{where}[{place}]") for place, value in enumerate(values)]
    refuse_doubles(orders, where)
    return orders


def refuse_doubles(orders: Iterable[Order], where: str) -> None:
    ids: set[str] = set()
    places: set[tuple[str, int]] = set()
    for number, order in enumerate(orders):
        if order.id in ids:
            raise BadInput(f"{where}[{number}].id", f"{order.id!r} stands twice")
        if (order.faction, order.seq) in places:
            raise BadInput(f"{where}[{number}].seq", f"{order.seq} of {order.faction!r} stands twice")
        ids.add(order.id)
        places.add((order.faction, order.seq))


def canonical(order: Order) -> bytes:
    """The canonical text of a well formed order, the one that receipts and digests are made of (P-04)."""
    if order.body is None:
        raise ValueError(f"order {order.id!r} is malformed and has no canonical text")
    fields = msgspec.to_builtins(order.body)
    return encode({**fields, "id": order.id, "seq": order.seq, "faction": order.faction})
