"""Non-interference: whatever a faction may not know can be changed without changing one byte of what it is told.

A twin of a tick is made in which everything hidden from one viewer is different: stores, research, proposals and
truces of others, garrisons, buildings, yields and owners of ground it neither sees nor remembers from this tick or the
last, other factions' memory, and the orders they file there. Every number put in is a canary that must show nowhere.
"""

import random
import re
from typing import Any

import msgspec
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from shared.lastwaters.facts import facts, public_graph
from shared.lastwaters.filing import briefing, check
from shared.lastwaters.memory import Memory
from shared.lastwaters.options import options
from shared.lastwaters.orders import Order, read_orders
from shared.lastwaters.sight import view
from shared.lastwaters.tables import BUILDINGS, TECHS
from shared.lastwaters.tick import resolve
from shared.lastwaters.world import Faction, Hold, Proposal, Research, Resources, Snapshot, Truce, encode
from tests.rules.playout import Step, playout, sensible

seeds = st.integers(0, 10**6)
CANARY = 77_000_000
"""Hidden counts of the twin are this and a little more."""
CANARY_TEXT = re.compile(rb"7[0-9]{7}")


def told(snapshot: Snapshot, orders: list[Order], memory: Memory, viewer: str) -> dict[str, bytes]:
    """Everything one faction is told around a tick."""
    outcome = resolve(snapshot, orders, memory)
    before = briefing(snapshot, viewer)
    answers = {
        "view before": view(snapshot, viewer, memory),
        "briefing": before,
        "options": options(before),
        "refusals": [check(before, [], probe) for probe in probes(snapshot, viewer)],
        "view": outcome.views[viewer],
        "memory": outcome.memory[viewer],
        "report": outcome.reports[viewer],
        "facts": facts(outcome.snapshot),
        "graph": public_graph(outcome.snapshot),
    }
    if outcome.result is None:
        after = briefing(outcome.snapshot, viewer)
        answers["briefing after"] = after
        answers["options after"] = options(after)
        answers["refusals after"] = [check(after, [], probe) for probe in probes(snapshot, viewer)]
    return {name: encode(answer) for name, answer in answers.items()}


def probes(snapshot: Snapshot, viewer: str) -> list[Order]:
    """One order of every kind at every hold and to every faction."""
    raw: list[dict[str, Any]] = []
    for hold in snapshot.holds:
        raw += [
            {"kind": "move", "origin": hold.id, "path": [hold.id], "units": {"militia": 1}},
            {"kind": "recruit", "hold": hold.id, "unit": "militia", "count": 1},
            *({"kind": "build", "hold": hold.id, "building": building} for building in BUILDINGS),
        ]
    raw += [{"kind": "research", "tech": tech} for tech in TECHS]
    for faction in snapshot.factions:
        raw += [
            {"kind": "propose", "to": faction.id},
            {"kind": "accept", "from": faction.id},
            {"kind": "break", "with": faction.id},
        ]
    return read_orders([{**body, "id": str(n), "seq": n, "faction": viewer} for n, body in enumerate(raw, 1)])


class Twin:
    """A step in which everything hidden from ``viewer`` is changed."""

    def __init__(self, step: Step, viewer: str, chance: random.Random) -> None:
        self.viewer, self.chance = viewer, chance
        snapshot = step.before
        own_orders = [order for order in step.orders if order.faction == viewer]
        plain = resolve(snapshot, own_orders, step.memory)
        seen = {hold for memory in (step.memory, plain.memory) for hold, reading in memory[viewer].items()
                if snapshot.tick in _ticks(reading) or snapshot.tick + 1 in _ticks(reading)}  # fmt: skip
        own_units = {
            force.hold
            for v in (view(snapshot, viewer, step.memory), plain.views[viewer])
            for force in v.forces
        }
        own_paths = {stop for order in own_orders for stop in getattr(order.body, "path", ())}
        self.hidden = {hold.id for hold in snapshot.holds} - seen - own_units - own_paths
        allied = {faction for state in (snapshot, plain.snapshot) for pact in state.pacts
                  for faction in pact.members if viewer in pact.members}  # fmt: skip
        self.strangers = [
            faction.id
            for faction in snapshot.factions
            if faction.eliminated_tick is None and faction.id not in {viewer, *allied}
        ]
        """Whoever shares no sight with the viewer."""
        self.orders = own_orders
        self.snapshot = snapshot
        self.memory = step.memory

    def snapshot_changed(self) -> Snapshot:
        snapshot, chance = self.snapshot, self.chance
        keeps = {hold.owner for hold in snapshot.holds if hold.id not in self.hidden}
        """Factions that stay in the match whatever becomes of hidden ground."""
        takers = [faction for faction in self.strangers if faction in keeps]
        return replace(
            snapshot,
            factions=tuple(f if f.id == self.viewer else self._faction(f) for f in snapshot.factions),
            holds=tuple(
                self._hold(hold, takers if hold.owner is None or hold.owner in keeps else [hold.owner])
                if hold.id in self.hidden
                else hold
                for hold in snapshot.holds
            ),
            proposals=tuple(sorted(
                (*(p for p in snapshot.proposals if self.viewer in (p.from_, p.to)), *self._proposals()),
                key=lambda p: (p.from_, p.to),
            )),
            truces=tuple(
                truce if self.viewer in truce.members else Truce(truce.members, snapshot.tick + chance.randint(1, 40))
                for truce in snapshot.truces
            ),
        )  # fmt: skip

    def _faction(self, faction: Faction) -> Faction:
        if faction.eliminated_tick is not None:
            return faction
        unknown = [tech for tech in TECHS if tech not in faction.techs]
        return replace(
            faction,
            stock=Resources(*(CANARY + self.chance.randrange(1000) for _ in range(3))),
            research=Research(self.chance.choice(unknown), self.chance.randrange(300)) if unknown else None,
        )

    def _hold(self, hold: Hold, owners: list[str]) -> Hold:
        chance = self.chance
        owner = chance.choice(owners) if owners else hold.owner
        side = owner or "neutral"
        kept = {one: units for one, units in hold.garrison.items() if one == side}
        return replace(
            hold,
            owner=owner,
            garrison={**kept, side: {"militia": CANARY + chance.randrange(1000)}},
            buildings=tuple(name for name in BUILDINGS if chance.random() < 0.4),
            yields=Resources(*(CANARY + chance.randrange(1000) for _ in range(3))),
        )

    def _proposals(self) -> list[Proposal]:
        others = [f.id for f in self.snapshot.factions if f.eliminated_tick is None and f.id != self.viewer]
        bound = {frozenset(pact.members) for pact in self.snapshot.pacts}
        return [
            Proposal(from_=one, to=other, tick=0)
            for one in others
            for other in others
            if one != other and frozenset((one, other)) not in bound and self.chance.random() < 0.5
        ]

    def orders_changed(self, snapshot: Snapshot) -> list[Order]:
        """The viewer's orders, and others' doings that stay on hidden ground."""
        orders = list(self.orders)
        for faction in snapshot.factions:
            if faction.id == self.viewer or faction.eliminated_tick is not None:
                continue
            bodies = [
                body
                for body in sensible(self.chance, options(briefing(snapshot, faction.id)))
                if {body.get("hold", ""), body.get("origin", ""), *body.get("path", ())} - {""} <= self.hidden
                and body["kind"] not in ("accept", "break")
                and body.get("to") != self.viewer
            ]
            raw = [
                {**b, "id": f"twin-{faction.id}-{n}", "seq": n, "faction": faction.id}
                for n, b in enumerate(bodies, 1)
            ]
            orders += read_orders(raw)
        return orders

    def memory_changed(self) -> Memory:
        viewer = self.viewer
        return {faction: known if faction == viewer else {} for faction, known in self.memory.items()}


def _ticks(reading: Any) -> set[int]:
    return {part.tick for part in (reading.exact, reading.band) if part is not msgspec.UNSET}


@given(seeds, st.integers(3, 6), seeds)
@settings(max_examples=40, deadline=None)
def test_nothing_hidden_changes_what_a_faction_is_told(seed: int, seats: int, luck: int) -> None:
    chance = random.Random(luck)
    steps = list(playout(seed, seats, chance.randint(1, 12), 10))
    step = steps[-1]
    viewer = chance.choice([f.id for f in step.before.factions if f.eliminated_tick is None])
    twin = Twin(step, viewer, chance)
    assume(twin.hidden)
    other = twin.snapshot_changed()
    plain = told(twin.snapshot, twin.orders, twin.memory, viewer)
    changed = told(other, twin.orders_changed(other), twin.memory_changed(), viewer)
    assert plain.keys() == changed.keys()
    for name, text in plain.items():
        assert changed[name] == text, f"{name} of {viewer} tells something hidden"
        assert not CANARY_TEXT.search(text)


@given(seeds, seeds)
@settings(max_examples=10, deadline=None)
def test_the_canaries_would_show_where_they_are_seen(seed: int, luck: int) -> None:
    """The same twin, told to a faction that owns changed ground: the test above has teeth."""
    step = list(playout(seed, 4, 3, 10))[-1]
    twin = Twin(step, step.before.factions[0].id, random.Random(luck))
    other = twin.snapshot_changed()
    owners = {hold.owner for hold in other.holds if hold.id in twin.hidden} - {None}
    assume(owners)
    shown = told(other, [], {}, sorted(owners, key=str)[0] or "")
    assert all(CANARY_TEXT.search(shown[name]) for name in ("briefing", "view before"))
