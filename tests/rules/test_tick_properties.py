"""What holds of every tick, on matches played out by chance."""

import json
import os
import random
import subprocess
import sys
from collections import Counter
from itertools import combinations

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from shared.lastwaters.orders import Order
from shared.lastwaters.record import Battle
from shared.lastwaters.tables import NEUTRAL
from shared.lastwaters.tick import adjudicate, resolve
from shared.lastwaters.world import Snapshot, encode, read_snapshot
from tests.rules.playout import Step, playout

seeds = st.integers(0, 10**6)
seat_counts = st.integers(2, 7)
few = settings(max_examples=25, deadline=None)


def steps(seed: int, seats: int, ticks: int = 12) -> list[Step]:
    return list(playout(seed, seats, ticks, 4 + seed % 5))


def standing(snapshot: Snapshot) -> Counter[tuple[str, str]]:
    """Units by (side, unit)."""
    return Counter(
        {
            (side, unit): sum(hold.garrison.get(side, {}).get(unit, 0) for hold in snapshot.holds)
            for hold in snapshot.holds
            for side, units in hold.garrison.items()
            for unit in units
        }
    )


def fallen(battles: tuple[Battle, ...]) -> Counter[tuple[str, str]]:
    lost: Counter[tuple[str, str]] = Counter()
    for battle in battles:
        for assault in battle.assaults:
            for exchange in assault.exchanges:
                for losses in (exchange.attack_losses, exchange.defence_losses):
                    for side, units in losses.items():
                        lost.update({(side, unit): count for unit, count in units.items()})
    return lost


def friends(snapshot: Snapshot, tick: int) -> set[frozenset[str]]:
    bonds = [pact.members for pact in snapshot.pacts]
    bonds += [truce.members for truce in snapshot.truces if truce.last_tick >= tick]
    return {frozenset(bond) for bond in bonds}


@given(seeds, seat_counts)
@few
def test_units_are_conserved(seed: int, seats: int) -> None:
    for step in steps(seed, seats):
        record = adjudicate(step.before, step.orders).record
        expected = standing(step.before)
        for each in record.recruited:
            expected.update({(each.faction, unit): count for unit, count in each.units.items()})
        expected.subtract(fallen(step.outcome.battles))
        for each in record.vanished:
            expected.subtract({(each.faction, unit): count for unit, count in each.units.items()})
        assert min(expected.values(), default=0) >= 0
        assert +expected == standing(step.outcome.snapshot)


@given(seeds, seat_counts)
@few
def test_resources_are_conserved_and_never_negative(seed: int, seats: int) -> None:
    for step in steps(seed, seats):
        record = adjudicate(step.before, step.orders).record
        for before, after in zip(step.before.factions, step.outcome.snapshot.factions, strict=True):
            spent = record.spent.get(before.id)
            for name in ("water", "scrap", "grain"):
                out = (
                    0
                    if spent is None
                    else sum(getattr(cause, name) for cause in msgspec.structs.astuple(spent))
                )
                left = getattr(before.stock, name) + getattr(record.yields[before.id], name) - out
                assert left == getattr(after.stock, name) >= 0


@given(seeds, seat_counts)
@few
def test_no_hostile_factions_share_a_hold_after_the_tick(seed: int, seats: int) -> None:
    for step in steps(seed, seats):
        friendly = friends(step.before, step.outcome.snapshot.tick)
        for hold in step.outcome.snapshot.holds:
            assert NEUTRAL not in hold.garrison or len(hold.garrison) == 1
            assert all(frozenset(pair) in friendly for pair in combinations(hold.garrison, 2)), hold


@given(seeds, seat_counts)
@few
def test_what_comes_out_is_sound_and_can_be_read_again(seed: int, seats: int) -> None:
    for step in steps(seed, seats):
        after = step.outcome.snapshot
        assert read_snapshot(encode(after)) == after
        ids = [order.id for order in step.orders]
        assert sorted(result.order for result in step.outcome.results) == sorted(ids)


@given(seeds, seat_counts, seeds)
@few
def test_the_order_of_the_input_does_not_matter(seed: int, seats: int, luck: int) -> None:
    chance = random.Random(luck)
    for step in steps(seed, seats, 6):
        orders = list(step.orders)
        chance.shuffle(orders)
        state = json.loads(encode(step.before))
        again = resolve(read_snapshot(_shuffled(state, chance)), orders, step.memory)
        assert encode(again) == encode(step.outcome)


def _shuffled(value: object, chance: random.Random) -> object:
    """The same JSON with the keys of its objects in another order."""
    if isinstance(value, dict):
        keys = list(value)
        chance.shuffle(keys)
        return {key: _shuffled(value[key], chance) for key in keys}
    if isinstance(value, list):
        return [_shuffled(each, chance) for each in value]
    return value


def test_the_hash_seed_of_the_process_does_not_matter() -> None:
    step = steps(11, 6)[-1]
    request = {
        "snapshot": step.before,
        "orders": [_filed(order) for order in step.orders],
        "memory": step.memory,
    }
    answers = {
        subprocess.run(
            [sys.executable, "-m", "shared.cli", "resolve"],
            input=encode(request),
            env={**os.environ, "PYTHONHASHSEED": hash_seed},
            capture_output=True,
            timeout=60,
            check=True,
        ).stdout
        for hash_seed in ("0", "1", "4294967295")
    }
    expected = (
        encode(resolve(step.before, [order for order in step.orders if order.body], step.memory)) + b"\n"
    )
    assert answers == {expected}


def _filed(order: Order) -> dict[str, object]:
    body = msgspec.to_builtins(order.body) if order.body else {"kind": "dance"}
    return {**body, "id": order.id, "seq": order.seq, "faction": order.faction}


@given(seeds, seat_counts, seeds)
@few
def test_seq_matters_only_within_a_faction_and_a_kind(seed: int, seats: int, luck: int) -> None:
    chance = random.Random(luck)
    for step in steps(seed, seats, 6):
        moved = _renumbered(step.orders, chance)
        one, other = (adjudicate(step.before, orders) for orders in (step.orders, moved))
        assert one.snapshot == other.snapshot
        assert (one.record.battles, one.record.captures) == (other.record.battles, other.record.captures)
        assert _by_order(one.record.results) == _by_order(other.record.results)


def _by_order(results: tuple[msgspec.Struct, ...]) -> dict[str, msgspec.Struct]:
    return {result.order: result for result in results}  # type: ignore[attr-defined]


def _renumbered(orders: list[Order], chance: random.Random) -> list[Order]:
    """New seqs, with gaps, that keep the order within each (faction, kind) and nothing else."""
    queues: dict[tuple[str, str | None], list[Order]] = {}
    for order in sorted(orders, key=lambda each: each.seq):
        queues.setdefault((order.faction, order.kind), []).append(order)
    seq: Counter[str] = Counter()
    moved = []
    while queues:
        key = chance.choice(sorted(queues, key=str))
        order = queues[key].pop(0)
        if not queues[key]:
            del queues[key]
        seq[order.faction] += chance.randint(1, 9)
        moved.append(replace(order, seq=seq[order.faction]))
    return moved


@given(seeds, seat_counts)
@few
def test_seats_do_not_matter_where_nothing_is_shared(seed: int, seats: int) -> None:
    """Turned round, seats change neither stores, buildings, research nor what is raised and marched at home."""
    step = steps(seed, seats, 5)[-1]
    orders = [order for order in step.orders if order.kind in ("recruit", "build", "research")]
    factions = tuple(
        replace(faction, seat=seat) for seat, faction in enumerate(reversed(step.before.factions), 1)
    )
    turned = adjudicate(replace(step.before, factions=factions), orders).snapshot
    straight = adjudicate(step.before, orders).snapshot
    if any(len(hold.garrison) > 1 for hold in step.before.holds):
        return  # guests may come to blows, where seats settle ties
    assert turned.holds == straight.holds
    seatless = {faction.id: replace(faction, seat=1) for faction in turned.factions}
    assert {faction.id: replace(faction, seat=1) for faction in straight.factions} == seatless


@given(seeds, seat_counts)
@few
def test_orders_that_fail_change_nothing(seed: int, seats: int) -> None:
    for step in steps(seed, seats, 6):
        done = {result.order for result in step.outcome.results if result.status == "done"}
        again = adjudicate(step.before, [order for order in step.orders if order.id in done])
        assert again.snapshot == step.outcome.snapshot
