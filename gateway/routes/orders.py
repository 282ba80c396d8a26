"""Orders: filed for one tick, sealed at its end."""

import re

import msgspec

from gateway.ratelimits import WRITE
from gateway.reading import LARGEST_BODY
from gateway.route import SEATED, Reply, Visit, route
from gateway.routes.play import BY_SESSION, CURRENT
from gateway.schemas.orders import (
    MOST_LISTED,
    CancelledAnswer,
    FiledAnswer,
    Filing,
    NewOrder,
    OfAnyTick,
    OfTick,
    OrdersAnswer,
    OrdersWanted,
    filed_answer,
    orders_answer,
    receipt_answer,
)
from shared import canonical
from shared.contracts import orders
from shared.contracts.base import Refusal

REFUSED = ("forbidden", "not-started", "match-ended", "tick-closed")
LIST_TAG = {"ETag": "of the list, for If-Match"}
ANY_LIST = "*"
_TAG = re.compile(r'"([\x21\x23-\x7e]{0,200})"', re.ASCII)


def tag(etag: str) -> dict[str, str]:
    return {"ETag": f'"{etag}"', "Cache-Control": CURRENT, "Vary": BY_SESSION}


@route(
    "GET",
    "/v1/matches/{match}/orders",
    who=SEATED,
    errors=("not-started",),
    answer_headers=LIST_TAG,
    request_headers={"If-None-Match": "an ETag: 304 if it still holds"},
)
def list_orders(visit: Visit, match: str, query: OfAnyTick) -> Reply[OrdersAnswer]:
    """One's own orders of a tick, whole, with receipts, and results once it is resolved."""
    found = visit.call(orders.ListOrders(account=visit.account, match=match, tick=query.tick))
    body = orders_answer(found)
    # Results and the seal change what is answered without a change of the list.
    resolved = any(filed.result is not None for filed in found.orders)
    headers = tag(found.etag) if found.open else tag(f"{found.etag}.{'resolved' if resolved else 'sealed'}")
    return Reply(body, headers)


@route(
    "POST",
    "/v1/matches/{match}/orders",
    who=SEATED,
    status=201,
    limit=WRITE,
    creates=True,
    rules=True,
    errors=(*REFUSED, "too-many-orders"),
)
def file_order(visit: Visit, match: str, query: Filing, body: NewOrder) -> Reply[FiledAnswer]:
    """File one order.

    It counts for the tick it names and for no other. `dry_run=true` checks it and answers the same without an id,
    a Location or a signature, and stores nothing.
    """
    filed = visit.call(
        orders.FileOrder(
            account=visit.account,
            match=match,
            tick=query.tick,
            order=msgspec.Raw(canonical.encode(body)),
            dry_run=query.dry_run,
            key=None if query.dry_run else visit.key,
        )
    )
    place = {} if query.dry_run else {"Location": f"/v1/matches/{match}/orders/{filed.id}?tick={filed.tick}"}
    return Reply(msgspec.json.encode(filed_answer(filed)), place)


@route(
    "PUT",
    "/v1/matches/{match}/orders",
    who=SEATED,
    limit=WRITE,
    largest_body=LARGEST_BODY,
    creates=True,
    rules=True,
    errors=(*REFUSED, "changed", "precondition-required", "too-many-orders"),
    answer_headers=LIST_TAG,
    request_headers={"If-Match": "the list's ETag (428 without one, 412 if the list has changed since)"},
)
def replace_orders(
    visit: Visit, match: str, query: OfTick, body: OrdersWanted | list[NewOrder]
) -> Reply[OrdersAnswer]:
    """Replace the whole list of the open tick, in one step or not at all.

    The list comes as `{"orders": [...]}` or as the bare array. A refusal names each order that is wrong in `errors`.
    """
    wanted = body if isinstance(body, list) else body.orders
    if len(wanted) > MOST_LISTED:
        raise Refusal("too-many-orders", "These are more orders than any tick takes.")
    replaced = visit.call(
        orders.ReplaceOrders(
            account=visit.account,
            match=match,
            tick=query.tick,
            orders=tuple(msgspec.Raw(canonical.encode(order)) for order in wanted),
            if_match=_if_match(visit),
            key=visit.key,
        )
    )
    return Reply(orders_answer(replaced), tag(replaced.etag))


def _if_match(visit: Visit) -> str:
    header = visit.headers.get("If-Match")
    if header is None:
        raise Refusal("precondition-required", "Send If-Match with the ETag of the list as you know it.")
    if header.strip() == ANY_LIST:
        return ANY_LIST
    found = _TAG.fullmatch(header.strip())
    if found is None or found[1] == ANY_LIST:
        raise Refusal("changed", "If-Match is not an ETag that a list gave.")
    return found[1]


@route(
    "DELETE",
    "/v1/matches/{match}/orders/{order}",
    who=SEATED,
    limit=WRITE,
    creates=True,
    errors=REFUSED,
    answer_headers=LIST_TAG,
)
def cancel_order(visit: Visit, match: str, order: str, query: OfTick) -> Reply[CancelledAnswer]:
    """Cancel an order before its tick is sealed; the receipt says so."""
    cancelled = visit.call(
        orders.CancelOrder(account=visit.account, match=match, tick=query.tick, order=order, key=visit.key)
    )
    return Reply(CancelledAnswer(receipt_answer(cancelled.receipt)), tag(cancelled.etag))
