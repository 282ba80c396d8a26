"""Sight and reports against a second way of working them out, from the rulebook and networkx alone."""

import msgspec
import networkx as nx
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.lastwaters.memory import size_band
from shared.lastwaters.record import Record
from shared.lastwaters.sight import first, look, view
from shared.lastwaters.tick import adjudicate
from shared.lastwaters.world import Snapshot, encode
from tests.rules.playout import playout

UNSET = msgspec.UNSET


def tiers(after: Snapshot, techs: tuple[str, ...], faction: str) -> dict[str, str]:
    """Hold to exact or band."""
    graph = nx.Graph(after.routes)
    graph.add_nodes_from(hold.id for hold in after.holds)
    allies = {faction}.union(*(pact.members for pact in after.pacts if faction in pact.members))
    found: dict[str, str] = {}
    for hold in after.holds:
        if hold.owner not in allies:
            continue
        tower = 0 if "watch" not in hold.buildings else 2 if "watchfires" in techs else 1
        bonus = min(2, tower + ("signaling" in techs))
        for near, distance in nx.single_source_shortest_path_length(graph, hold.id).items():
            if distance <= 1 + bonus:
                found[near] = "exact"
            elif distance <= 2 + bonus:
                found.setdefault(near, "band")
    return found


@given(st.integers(0, 10**6), st.integers(2, 6))
@settings(max_examples=20, deadline=None)
def test_views_show_what_is_in_sight_and_remember_the_rest(seed: int, seats: int) -> None:
    last: dict[tuple[str, str], tuple[int, str]] = {}
    for step in playout(seed, seats, 15, 6):
        after = step.outcome.snapshot
        if after.result is not None:
            for shown in step.outcome.views.values():
                assert {row.sight for row in shown.holds} == {"exact"}  # V-03
            return
        for before, now in zip(step.before.factions, after.factions, strict=True):
            seen = tiers(after, before.techs, before.id) if now.eliminated_tick is None else {}
            shown = step.outcome.views[before.id]
            assert [row.id for row in shown.holds] == [hold.id for hold in after.holds]
            for row, hold in zip(shown.holds, after.holds, strict=True):
                tier = seen.get(hold.id)
                if tier == "exact":
                    assert (row.sight, row.seen_tick, row.band) == ("exact", after.tick, UNSET)
                    assert (row.owner, row.garrison, row.buildings) == (
                        hold.owner,
                        hold.garrison,
                        hold.buildings,
                    )
                elif tier == "band":
                    assert (row.sight, row.seen_tick, row.owner) == ("band", after.tick, hold.owner)
                    assert row.band == size_band(hold.garrison)
                    assert (row.garrison, row.buildings, row.yields) == (UNSET, UNSET, UNSET)
                elif (before.id, hold.id) in last:
                    assert (row.sight, row.seen_tick) == ("stale", last[before.id, hold.id][0])
                    assert (row.band is UNSET) == (last[before.id, hold.id][1] == "exact")
                elif step.before.tick > 0 or row.sight == "unknown":
                    assert encode(row) == encode({"id": hold.id, "sight": "unknown"}) or row.seen_tick == 0
                if tier is not None:
                    last[before.id, hold.id] = (after.tick, tier)
            assert view(after, before.id, step.outcome.memory) == shown


@given(st.integers(0, 10**6), st.integers(2, 6))
@settings(max_examples=20, deadline=None)
def test_reports_tell_only_of_holds_in_sight_or_with_own_units(seed: int, seats: int) -> None:
    memory = None
    for step in playout(seed, seats, 12, 6):
        if memory is None:
            memory = first(step.before).memory
        record = adjudicate(step.before, step.orders).record
        for faction in step.before.factions:
            exact = {
                h for h, r in step.memory[faction.id].items() if r.exact and r.exact.tick == step.before.tick
            }
            band = {
                h for h, r in step.memory[faction.id].items() if r.band and r.band.tick == step.before.tick
            }
            report = step.outcome.reports[faction.id]
            for event in report.events:
                own = faction.id in (event.faction, event.from_)
                there = faction.id in record.present.get(event.hold, ())
                told = (
                    own
                    or event.hold in exact
                    or (event.kind == "captured" and event.hold in band)
                    or (there and event.kind in ("arrived", "captured"))
                )
                assert told, (event, faction.id)
            for battle in report.battles:
                assert faction.id in record.present[battle.hold]
            for told_battle in report.battles_seen:
                assert told_battle.hold in exact
            assert {line.order for line in report.orders} == {
                result.order
                for result in record.results
                if result.faction == faction.id and faction.eliminated_tick is None
            }


def test_the_parts_of_a_tick_go_through_json() -> None:
    """Other processes do sight and reports from what was stored; nothing is lost on the way."""
    step = list(playout(5, 5, 14))[-1]
    done = adjudicate(step.before, step.orders)
    record = msgspec.json.decode(encode(done.record), type=Record)
    assert record == done.record
    seen = look(done.snapshot, record, step.memory)
    assert encode(seen.views) == encode(step.outcome.views)
    assert encode(seen.memory) == encode(step.outcome.memory)
