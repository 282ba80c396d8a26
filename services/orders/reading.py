"""One's own lists of every tick, and the desk: what one may file now."""

import msgspec

from services.orders import store
from services.orders.briefings import Briefings
from services.orders.filing import closed, etag, running, shown
from shared.contracts.base import Refusal
from shared.contracts.orders import Desk, GetDesk, ListOrders, OrderList
from shared.rulesets import ruleset
from shared.storage.database import Transaction


def own_list(tx: Transaction, request: ListOrders) -> OrderList:
    """With results, once the tick is resolved."""
    player = store.player(tx, request.match, request.account)
    if player.tick == 0:
        raise Refusal("not-started", "The match is not running yet.")
    tick = player.tick if request.tick is None else request.tick
    if not 1 <= tick <= player.tick:
        raise Refusal("not-found", "There is no such tick yet.")
    # The version before the orders: a change between the two makes the etag old, never the list.
    version = store.version(tx, player, tick)
    filed = store.filed(tx, player, tick)
    results = store.results(tx, player.match, tick)
    return OrderList(
        tick=tick,
        open=not player.ended and store.is_open(tx, player.match, tick),
        etag=etag(tick, version),
        orders=tuple(shown(player.match, tick, one, results.get(one.id)) for one in filed),
    )


def desk(tx: Transaction, request: GetDesk, briefings: Briefings) -> Desk:
    tick = store.player(tx, request.match, request.account).tick
    player = running(tx, request.match, request.account, tick)
    version = store.version(tx, player, tick)
    filed = [one.text.encode() for one in store.filed(tx, player, tick)]
    try:
        briefing = briefings.of(tx, player, tick)
    except LookupError as error:
        raise closed(tx, player) from error
    return Desk(
        match=player.match,
        tick=tick,
        faction=player.faction,
        ruleset=player.ruleset,
        options=msgspec.Raw(ruleset(player.ruleset).options(briefing, filed)),
        briefing=msgspec.Raw(briefing),
        etag=etag(tick, version),
    )
