"""A tick while it is being resolved: the one mutable thing of the library, made and dropped within ``tick``.

Each phase reads the snapshot where the rules say "in the snapshot" and changes the turn. Garrisons and buildings are
copied when first touched; what no phase touches is shared with the snapshot.
"""

from collections.abc import Iterable, Sequence
from typing import TypeVar

from shared.lastwaters.economy import cost_of, covers, minus
from shared.lastwaters.effects import Effects, effects
from shared.lastwaters.graph import Graph, graph
from shared.lastwaters.orders import Body, Order
from shared.lastwaters.record import Battle, BuiltAt, Capture, Offer, PactBroken
from shared.lastwaters.tables import Cost
from shared.lastwaters.world import Faction, Hold, Pact, Proposal, Research, Result, Snapshot, Truce

B = TypeVar("B", bound=Body)
Pair = tuple[str, str]


class Turn:
    """``tick`` is the number of the tick being resolved: the snapshot's plus one."""

    def __init__(self, snapshot: Snapshot, orders: Iterable[Order]) -> None:
        self.snapshot = snapshot
        self.tick = snapshot.tick + 1
        self.graph: Graph = graph(snapshot.routes)
        self.factions: dict[str, Faction] = {faction.id: faction for faction in snapshot.factions}
        self.seat: dict[str, int] = {faction.id: faction.seat for faction in snapshot.factions}
        self.effects: dict[str, Effects] = {
            faction.id: effects(faction.techs) for faction in snapshot.factions
        }
        """Of the techs known in the snapshot (T-05)."""
        self.holds: dict[str, Hold] = {hold.id: hold for hold in snapshot.holds}
        self.owned: dict[str, dict[str, Hold]] = {faction.id: {} for faction in snapshot.factions}
        """Holds by owner in the snapshot."""
        for hold in snapshot.holds:
            if hold.owner is not None:
                self.owned[hold.owner][hold.id] = hold
        self.friends: set[Pair] = _friends(snapshot, self.tick)

        self.orders = orders = sorted(orders, key=self._order_key)
        self.reasons: dict[str, str | None] = {}
        """Order id to why it failed, None when it is done; every order has one after the diplomacy phase."""
        self._by_kind: dict[type, list[Order]] = {}
        for order in orders:
            reason = self._unfit(order)
            if reason is None:
                self._by_kind.setdefault(type(order.body), []).append(order)
            else:
                self.reasons[order.id] = reason

        self.stock: dict[str, Cost] = {faction.id: cost_of(faction.stock) for faction in snapshot.factions}
        self.yields: dict[str, Cost] = {}
        self.spent: dict[str, dict[type, Cost]] = {faction.id: {} for faction in snapshot.factions}
        self.buildings: dict[str, tuple[str, ...]] = {}
        """Only of holds built on this tick."""
        self.garrisons: dict[str, dict[str, dict[str, int]]] = {}
        """Only of holds whose garrison was touched."""
        self.owners: dict[str, str] = {}
        """Only of holds captured."""

        self.recruited: dict[Pair, dict[str, int]] = {}
        self.built: list[BuiltAt] = []
        self.left: dict[Pair, dict[str, int]] = {}
        self.arrived: dict[Pair, dict[str, int]] = {}
        self.emptied: set[Pair] = set()
        """(hold, faction): all units that stood there in the snapshot have marched."""
        self.present: dict[str, tuple[str, ...]] = {}
        self.battles: list[Battle] = []
        self.captures: list[Capture] = []

        self.pacts: dict[Pair, Pact] = {pact.members: pact for pact in snapshot.pacts}
        self.pacts_held: dict[str, int] = dict.fromkeys(self.factions, 0)
        """Breaks of this tick free nothing (D-04)."""
        for members in self.pacts:
            for member in members:
                self.pacts_held[member] += 1
        self.proposals: dict[Pair, Proposal] = {(p.from_, p.to): p for p in snapshot.proposals}
        self.truces: dict[Pair, Truce] = {truce.members: truce for truce in snapshot.truces}
        self.pacts_formed: list[Pair] = []
        self.pacts_broken: list[PactBroken] = []
        self.proposed: list[Offer] = []
        self.withdrawn: list[Offer] = []

        self.techs: dict[str, tuple[str, ...]] = {faction.id: faction.techs for faction in snapshot.factions}
        self.research: dict[str, Research | None] = {
            faction.id: faction.research for faction in snapshot.factions
        }
        self.started: dict[str, str] = {}
        self.completed: dict[str, str] = {}
        self.eliminated: list[str] = []
        self.vanished: dict[Pair, dict[str, int]] = {}
        self.result: Result | None = None

    def _order_key(self, order: Order) -> tuple[int, int, int, str]:
        seat = self.seat.get(order.faction)
        return (1, 0, 0, order.id) if seat is None else (0, order.seq, seat, "")

    def _unfit(self, order: Order) -> str | None:
        """The reasons that any order can fail for, in the order of P-03."""
        if order.body is None:
            return "malformed"
        faction = self.factions.get(order.faction)
        if faction is None:
            return "unknown-faction"
        return None if faction.eliminated_tick is None else "eliminated"  # T-06

    def of_kind(self, kind: type[B]) -> Sequence[tuple[Order, B]]:
        """The orders of one kind by seq, then seat."""
        return [(order, order.body) for order in self._by_kind.get(kind, ())]  # type: ignore[misc]

    def settle(self, order: Order, reason: str | None) -> None:
        """``order`` is done (None) or failed."""
        self.reasons[order.id] = reason

    def pay(self, faction: str, cost: Cost, cause: type) -> bool:
        """Take the whole ``cost`` or nothing (U-02)."""
        stock = self.stock[faction]
        if not covers(stock, cost):
            return False
        self.stock[faction] = minus(stock, cost)
        spent = self.spent[faction]
        before = spent.get(cause)
        spent[cause] = cost if before is None else Cost(*map(sum, zip(before, cost, strict=True)))
        return True

    def garrison(self, hold: str) -> dict[str, dict[str, int]]:
        """The garrison of ``hold``, to change in place."""
        garrison = self.garrisons.get(hold)
        if garrison is None:
            garrison = {side: dict(units) for side, units in self.holds[hold].garrison.items()}
            self.garrisons[hold] = garrison
        return garrison

    def buildings_of(self, hold: str) -> tuple[str, ...]:
        return self.buildings.get(hold) or self.holds[hold].buildings

    def owner_of(self, hold: str) -> str | None:
        return self.owners.get(hold) or self.holds[hold].owner

    def hostile(self, one: str, other: str) -> bool:
        """C-02; the neutral side is in nobody's friends."""
        return one != other and (one, other) not in self.friends


def _friends(snapshot: Snapshot, tick: int) -> set[Pair]:
    bonds = [pact.members for pact in snapshot.pacts]
    bonds += [truce.members for truce in snapshot.truces if truce.last_tick >= tick]
    return {pair for one, other in bonds for pair in ((one, other), (other, one))}


def add_units(to: dict[str, int], units: dict[str, int]) -> None:
    for unit, count in units.items():
        to[unit] = to.get(unit, 0) + count
