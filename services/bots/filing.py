"""Plays due turns: reads what the seat may see, asks the ruleset for orders, files them.

All calls are made outside transactions. A list that is there already, or has changed under the worker, was filed
by another try of the same turn, and stays. Logs tell codes and counts, never orders or what a seat sees.
"""

import traceback
from functools import partial

import msgspec
import structlog

from services.bots import turns
from services.bots.turns import LEASE, Turn
from shared import proof
from shared.contracts.base import Refusal
from shared.contracts.fog import GetMap, GetView
from shared.contracts.orders import Desk, GetDesk, ListOrders, ReplaceOrders
from shared.rulesets import Json, ruleset
from shared.runtime.service import Ports, Unavailable

MAPS_KEPT = 256

log = structlog.get_logger()


class Filing:
    """One worker's way through the turns that are due."""

    def __init__(self, ports: Ports) -> None:
        self.database = ports.database
        self.call = ports.call
        self.clock = ports.clock
        self.offload = ports.offload
        self.maps: dict[str, Json] = {}

    def play_due(self) -> None:
        """Until nothing is due. One turn's failure is its own: it is due again after a pause."""
        while True:
            with self.database.read() as tx:
                if not turns.some_due(tx):
                    return
            started = self.clock.now()
            with self.database.begin() as tx:
                claimed = turns.claim(tx)
            for turn in claimed:
                if self.clock.now() - started > LEASE / 2:
                    return  # The rest comes back when its lease is over.
                with structlog.contextvars.bound_contextvars(
                    match=turn.match, tick=turn.tick, faction=turn.faction
                ):
                    settled = self.try_turn(turn)
                with self.database.begin() as tx:
                    (turns.done if settled else turns.later)(tx, turn)
            if len(claimed) < turns.AT_ONCE:
                return

    def try_turn(self, turn: Turn) -> bool:
        """True once nothing is left to do for the turn."""
        try:
            self.play(turn)
        except Refusal as refusal:
            if too_late(turn, refusal) or refusal.code == "changed":
                return True
            log.info("turn waits", code=refusal.code, attempts=turn.attempts)
            return False
        except Unavailable as unavailable:
            log.info("turn waits", unavailable=unavailable.service, attempts=turn.attempts)
            return False
        except Exception as error:  # noqa: BLE001  any fault of one computer player must not hold up the others
            log.error(
                "turn failed",
                error=type(error).__name__,
                frames="".join(traceback.format_tb(error.__traceback__)),
                attempts=turn.attempts,
            )
            return False
        return True

    def play(self, turn: Turn) -> None:
        """Files the seat's list. Refusals and ``Unavailable`` of the services asked pass through."""
        if turn.attempts > 1 and self.filed_before(turn):
            return
        view = self.call(GetView(account=turn.account, match=turn.match, tick=turn.tick - 1))
        desk = self.call(GetDesk(account=turn.account, match=turn.match))
        if desk.tick != turn.tick:
            raise Refusal("tick-closed", "Another list is open.", open_tick=desk.tick)
        self.file(turn, desk.etag, self.orders(turn, bytes(view.view), desk))

    def filed_before(self, turn: Turn) -> bool:
        listed = self.call(ListOrders(account=turn.account, match=turn.match, tick=turn.tick))
        return bool(listed.orders)

    def orders(self, turn: Turn, view: Json, desk: Desk) -> list[Json]:
        play = partial(
            ruleset(turn.ruleset).play,
            turn.level,
            faction=turn.faction,
            view=view,
            options=bytes(desk.options),
            briefing=bytes(desk.briefing),
            graph=self.graph(turn),
            luck=proof.sha256(f"{turn.match}/{turn.faction}/{turn.tick}"),
        )
        return self.offload(play)

    def graph(self, turn: Turn) -> Json:
        """The match's map, which never changes."""
        if turn.match not in self.maps:
            found = self.call(GetMap(account=turn.account, match=turn.match))
            if len(self.maps) >= MAPS_KEPT:
                del self.maps[next(iter(self.maps))]
            self.maps[turn.match] = bytes(found.map)
        return self.maps[turn.match]

    def file(self, turn: Turn, etag: str, orders: list[Json]) -> None:
        """All orders, or those that pass where the filing check refuses some. An empty list is not filed."""
        while orders:
            try:
                self.call(
                    ReplaceOrders(
                        account=turn.account,
                        match=turn.match,
                        tick=turn.tick,
                        orders=tuple(map(msgspec.Raw, orders)),
                        if_match=etag,
                        computer=True,
                    )
                )
                return
            except Refusal as refusal:
                refused = {error["index"]: error["code"] for error in refusal.extra.get("errors", ())}
                passing = [order for at, order in enumerate(orders) if at not in refused]
                if len(passing) == len(orders):
                    raise
                log.warning("orders refused", codes=sorted(refused.values()), of=len(orders))
                orders = passing


def too_late(turn: Turn, refusal: Refusal) -> bool:
    """Between a seal and the next list there is no open tick: that passes."""
    open_tick = refusal.extra.get("open_tick")
    return refusal.code == "match-ended" or (open_tick is not None and open_tick > turn.tick)
