"""Small ticks worked out by hand, for readings of the rules that the vectors leave alone."""

from itertools import pairwise
from typing import Any

import pytest

from shared.lastwaters.orders import read_orders
from shared.lastwaters.sight import first
from shared.lastwaters.tick import Outcome, resolve
from shared.lastwaters.world import read_snapshot

Json = dict[str, Any]
RICH = {"water": 500, "scrap": 500, "grain": 500}


def world(
    holds: dict[str, tuple[str | None, list[str], Json]],
    *,
    factions: int = 2,
    seed: str = "5eed",
    pacts: tuple[str, ...] = (),
    truces: tuple[str, ...] = (),
    proposals: tuple[str, ...] = (),
    **rows: Json,
) -> Json:
    """A snapshot of tick 4. ``holds``: id to owner, buildings, garrison; on a line.
    Pairs are written "f1 f2"; ``rows`` overrides fields of a faction's row."""
    ids = sorted(holds)
    return {
        "ruleset": "last-waters",
        "rules_version": 1,
        "match_id": "worked",
        "seed": seed,
        "tick": 4,
        "settings": {"tick_cap": 50},
        "factions": [
            {
                "id": f"f{seat}",
                "seat": seat,
                "name": f"Faction {seat}",
                "stock": RICH,
                "techs": [],
                "research": None,
                "eliminated_tick": None,
                **rows.get(f"f{seat}", {}),
            }
            for seat in range(1, factions + 1)
        ],
        "holds": [
            {
                "id": id_,
                "name": id_,
                "x": place,
                "y": 0,
                "owner": holds[id_][0],
                "yields": {"water": 0, "scrap": 0, "grain": 0},
                "buildings": holds[id_][1],
                "garrison": holds[id_][2],
            }
            for place, id_ in enumerate(ids)
        ],
        "routes": [list(pair) for pair in pairwise(ids)],
        "pacts": [{"members": pair.split(), "formed_tick": 1} for pair in pacts],
        "proposals": [{"from": pair.split()[0], "to": pair.split()[1], "tick": 2} for pair in proposals],
        "truces": [{"members": pair.split(), "last_tick": 5} for pair in truces],
        "result": None,
    }


def tick(state: Json, *orders: Json) -> Outcome:
    """Resolved with the memory of what each faction sees before the tick; orders get ids o1, o2 and so on."""
    snapshot = read_snapshot(state)
    counted: dict[str, int] = {}
    listed = []
    for number, order in enumerate(orders, 1):
        seq = counted[order["faction"]] = counted.get(order["faction"], 0) + 1
        listed.append({"id": f"o{number}", "seq": seq, **order})
    return resolve(snapshot, read_orders(listed), first(snapshot).memory)


def march(faction: str, *path: str, **units: int) -> Json:
    return {"faction": faction, "kind": "move", "origin": path[0], "path": list(path[1:]), "units": units}


def reasons(outcome: Outcome) -> dict[str, str | None]:
    return {result.order: result.reason for result in outcome.results}


def hold(outcome: Outcome, id_: str) -> Any:
    return next(hold for hold in outcome.snapshot.holds if hold.id == id_)


def test_four_sides_with_partial_friendships() -> None:
    """C-04: f2 is a friend of both f1 and f3, so it stands aside while they fight, and is then found to be hostile to
    f4, with f3 at its side. f3 takes the ground: f2 was a friend of its owner (C-11)."""
    state = world(
        {
            "h1": ("f3", [], {"f3": {"outrider": 4}}),
            "h2": ("f1", [], {"f1": {"militia": 3}, "f2": {"militia": 2}}),
            "h3": ("f4", [], {"f4": {"outrider": 3}}),
            "h4": ("f1", [], {"f1": {"militia": 1}}),
            "h5": ("f2", [], {"f2": {"militia": 1}}),
        },
        factions=4,
        pacts=("f1 f2", "f2 f3"),
    )
    done = tick(state, march("f3", "h1", "h2", outrider=4), march("f4", "h3", "h2", outrider=3))
    [battle] = done.battles
    one, two = battle.assaults
    assert (one.defender, one.defenders, one.attackers) == ("f1", ("f1",), ("f3", "f4"))
    assert (two.defender, two.defenders, two.attackers) == ("f2", ("f2", "f3"), ("f4",))
    # 7 outriders attack with 28, 3 militia defend with 9: 2.25 attackers fall, give or take a tenth, so 2;
    # 4 and 3 of the 7 share them as 1.14 and 0.86, the remainder to f4.
    [exchange] = one.exchanges
    assert exchange.attack_losses == {"f3": {"outrider": 1}, "f4": {"outrider": 1}}
    assert exchange.defence_losses == {"f1": {"militia": 3}}
    # Then 12 against 8: f4 is gone, and of 5 defenders 3 or 4 fall; either way two of them are f3's three.
    [exchange] = two.exchanges
    assert (exchange.attack_power, exchange.defence_power) == (16, 24)
    assert exchange.defence_losses["f3"] == {"outrider": 2}
    assert (hold(done, "h2").owner, hold(done, "h2").garrison["f3"]) == ("f3", {"outrider": 1})
    assert done.reports["f2"].battles == (battle,), "standing aside is being there (P-02)"


def test_both_pools_gone_leaves_one_unit_of_the_last_cell() -> None:
    """C-07 with two cells a side: powers are equal, so all four would fall; the side of the larger variation keeps
    one of its last cell, by seat, then unit type; the defender on a tie."""
    kept = set()
    for seed in range(1, 40):
        state = world(
            {
                "h1": ("f1", [], {"f1": {"militia": 1}}),
                "h2": ("f2", [], {"f2": {"militia": 1, "wrecker": 1}}),
                "h3": ("f3", [], {"f3": {"militia": 1}}),
            },
            factions=3,
            seed=f"{seed:x}",
        )
        done = tick(state, march("f1", "h1", "h2", militia=1), march("f3", "h3", "h2", militia=1))
        first_blow = done.battles[0].assaults[0].exchanges[0]
        assert (first_blow.attack_power, first_blow.defence_power) == (8, 8)
        if first_blow.attack_variation > first_blow.defence_variation:
            assert first_blow.attack_losses == {"f1": {"militia": 1}}
            assert first_blow.defence_losses == {"f2": {"militia": 1, "wrecker": 1}}
            assert (hold(done, "h2").owner, hold(done, "h2").garrison) == ("f3", {"f3": {"militia": 1}})
        else:
            assert first_blow.attack_losses == {"f1": {"militia": 1}, "f3": {"militia": 1}}
            assert first_blow.defence_losses == {"f2": {"militia": 1}}
            assert (hold(done, "h2").owner, hold(done, "h2").garrison) == ("f2", {"f2": {"wrecker": 1}})
        kept.add(hold(done, "h2").owner)
    assert kept == {"f2", "f3"}


def test_guests_alone_on_emptied_ground_take_it_once_friendship_is_over() -> None:
    """C-13; during a truce they do not."""
    holds: dict[str, tuple[str | None, list[str], Json]] = {
        "h1": ("f1", ["palisade"], {"f1": {"militia": 5}, "f2": {"militia": 2}}),
        "h2": ("f1", [], {}),
        "h3": ("f2", [], {"f2": {"militia": 1}}),
    }
    leave = march("f1", "h1", "h2", militia=5)
    hostile = tick(world(holds), leave)
    assert (hold(hostile, "h1").owner, hostile.battles) == ("f2", ())
    assert hold(hostile, "h1").buildings == ("palisade",)  # B-03
    assert hold(tick(world(holds, truces=("f1 f2",)), leave), "h1").owner == "f1"
    [assault] = tick(world(holds)).battles[0].assaults
    assert (assault.defender, assault.attackers) == ("f1", ("f2",))


def test_diplomacy_of_one_tick_in_its_order() -> None:
    """D-02: proposals, withdrawals, acceptances, breaks, whatever the seq."""
    calm = world({"h1": ("f1", [], {}), "h2": ("f2", [], {}), "h3": ("f3", [], {})}, factions=3)
    accept = {"faction": "f2", "kind": "accept", "from": "f1"}
    withdraw = {"faction": "f2", "kind": "break", "with": "f1"}
    propose = {"faction": "f1", "kind": "propose", "to": "f2"}
    done = tick(calm, accept, withdraw, propose, {**withdraw})
    assert reasons(done) == {"o1": "no-proposal", "o2": None, "o3": None, "o4": "nothing-to-break"}
    assert not done.snapshot.proposals and not done.snapshot.pacts
    assert done.reports["f3"].proposed == done.reports["f3"].withdrawn == ()  # D-05

    allied = {**calm, "pacts": [{"members": ["f1", "f2"], "formed_tick": 1}]}
    both = tick(
        allied, withdraw, {"faction": "f1", "kind": "break", "with": "f2"}, {**withdraw}, propose, accept
    )
    assert reasons(both) == {
        "o1": None,
        "o2": None,
        "o3": "nothing-to-break",
        "o4": "pact-exists",
        "o5": "pact-exists",
    }
    [broken] = both.reports["f3"].public.pacts_broken
    assert (broken.members, broken.by) == (("f1", "f2"), ("f1", "f2"))
    assert [(truce.members, truce.last_tick) for truce in both.snapshot.truces] == [(("f1", "f2"), 6)]
    assert both.views["f3"].truces == ()


@pytest.mark.parametrize(("techs", "room"), [([], False), (["runners-code", "long-councils"], True)])
def test_a_break_frees_no_room_and_long_councils_give_one(techs: list[str], room: bool) -> None:
    """D-04: an accept that fails for the cap leaves the proposal open."""
    state = world(
        {f"h{number}": (f"f{number}", [], {}) for number in range(1, 7)},
        factions=6,
        pacts=("f1 f2", "f1 f3", "f1 f4"),
        proposals=("f5 f1", "f6 f1"),
        f1={"techs": techs},
    )
    done = tick(
        state,
        {"faction": "f1", "kind": "break", "with": "f2"},
        {"faction": "f1", "kind": "accept", "from": "f5"},
        {"faction": "f1", "kind": "accept", "from": "f6"},
        {"faction": "f1", "kind": "propose", "to": "f6"},
    )
    full = "pact-cap"
    assert reasons(done) == {
        "o1": None,
        "o2": None if room else full,
        "o3": full,
        "o4": None if room else full,
    }, "the propose comes before the accepts"
    assert ("f6", "f1") in {(offer.from_, offer.to) for offer in done.snapshot.proposals}


def test_archives_won_and_lost_count_from_the_same_tick() -> None:
    """S-03: 4 ticks at three archives take 280; what is over, 20, starts the next. Without one 360 is not enough."""
    running = {"tech": "signaling", "progress": 200}
    state = world(
        {
            "h1": ("f1", ["archive"], {"f1": {"militia": 2}}),
            "h2": ("f2", ["archive"], {}),
            "h3": ("f1", ["archive"], {}),
            "h4": ("f2", [], {"f2": {"militia": 1}}),
        },
        f1={"research": running},
        f2={"research": {"tech": "signaling", "progress": 260}},
    )
    study = {"faction": "f1", "kind": "research", "tech": "long-roads"}
    won = tick(state, march("f1", "h1", "h2", militia=1), study)
    winner, loser = won.snapshot.factions
    assert winner.techs == ("signaling",)
    assert winner.research is not None and (winner.research.tech, winner.research.progress) == (
        "long-roads",
        20,
    )
    assert loser.research is not None and loser.research.progress == 360
    kept = tick(state, study)
    assert reasons(kept) == {"o1": "busy-researching"}
    assert kept.snapshot.factions[1].techs == ("signaling",)


def test_a_report_goes_by_what_was_seen_before_the_tick() -> None:
    """P-02: from h1 f1 sees h1 and h2 exactly and h3 as a band. It marches to h2, and so sees h3 exactly and h4 as a
    band after the tick; of this tick's doings there it is told only that h3 changed hands."""
    state = world(
        {
            "h1": ("f1", [], {"f1": {"militia": 3}}),
            "h2": (None, [], {}),
            "h3": (None, [], {}),
            "h4": ("f2", ["bastion"], {"f2": {"militia": 4, "outrider": 2}}),
            "h5": (None, [], {}),
        }
    )
    done = tick(
        state,
        march("f1", "h1", "h2", militia=3),
        march("f2", "h4", "h3", militia=3),
        {"faction": "f2", "kind": "build", "hold": "h4", "building": "watch"},
        {"faction": "f2", "kind": "recruit", "hold": "h4", "unit": "militia", "count": 5},
        march("f2", "h4", "h5", militia=1),
    )
    assert set(reasons(done).values()) == {None}
    told = [(event.hold, event.kind, event.faction) for event in done.reports["f1"].events]
    assert told == [
        ("h1", "left", "f1"),
        ("h2", "arrived", "f1"),
        ("h2", "captured", "f1"),
        ("h3", "captured", "f2"),
    ]
    assert {row.id: row.sight for row in done.views["f1"].holds} == {
        "h1": "exact",
        "h2": "exact",
        "h3": "exact",
        "h4": "band",
        "h5": "unknown",
    }
    seen = {(event.hold, event.kind) for event in done.reports["f2"].events if event.faction == "f1"}
    assert seen == {("h2", "captured")}, "h2 was two routes from h4"


FIRST_REASONS: list[tuple[Json, str]] = [  # P-03
    (march("f1", "h3", "h1", orc=1), "not-owned"),
    (march("f1", "nowhere", "h1", militia=1), "not-owned"),
    (march("f1", "h1", "h3", militia=9), "units-absent"),
    (march("f1", "h1", "h2", orc=1), "units-absent"),
    (march("f1", "h1", "h2", "h1", militia=1), "path-broken"),
    (march("f1", "h1", "nowhere", "h2", militia=1), "path-broken"),
    (march("f1", "h1", "h2", "h3", militia=1), "too-far"),
    ({"faction": "f1", "kind": "recruit", "hold": "h3", "unit": "orc", "count": 1000000}, "not-owned"),
    ({"faction": "f1", "kind": "recruit", "hold": "h1", "unit": "wrecker", "count": 1000000}, "cannot-raise"),
    ({"faction": "f1", "kind": "recruit", "hold": "h1", "unit": "militia", "count": 1000000}, "unaffordable"),
    ({"faction": "f1", "kind": "build", "hold": "h3", "building": "bastion"}, "not-owned"),
    ({"faction": "f1", "kind": "build", "hold": "h1", "building": "bastion"}, "not-buildable"),
    ({"faction": "f1", "kind": "build", "hold": "h1", "building": "archive"}, "already-built"),
    ({"faction": "f1", "kind": "build", "hold": "h1", "building": "palisade"}, "unaffordable"),
    ({"faction": "f1", "kind": "research", "tech": "flight"}, "busy-researching"),
    ({"faction": "f2", "kind": "research", "tech": "flight"}, "unknown-tech"),
    ({"faction": "f2", "kind": "research", "tech": "common-stores"}, "already-known"),
    ({"faction": "f3", "kind": "research", "tech": "common-stores"}, "missing-prerequisite"),
    ({"faction": "f3", "kind": "research", "tech": "deep-roots"}, "unaffordable"),
    ({"faction": "f1", "kind": "propose", "to": "f9"}, "unknown-faction"),
    ({"faction": "f1", "kind": "propose", "to": "f1"}, "self"),
    ({"faction": "f1", "kind": "propose", "to": "f6"}, "eliminated"),
    ({"faction": "f1", "kind": "propose", "to": "f2"}, "pact-exists"),
    ({"faction": "f1", "kind": "propose", "to": "f5"}, "pact-cap"),
    ({"faction": "f5", "kind": "propose", "to": "f1"}, "already-proposed"),
    ({"faction": "f1", "kind": "accept", "from": "f6"}, "eliminated"),
    ({"faction": "f1", "kind": "accept", "from": "f2"}, "pact-exists"),
    ({"faction": "f4", "kind": "accept", "from": "f3"}, "no-proposal"),
    ({"faction": "f1", "kind": "accept", "from": "f5"}, "pact-cap"),
    ({"faction": "f1", "kind": "break", "with": "f6"}, "eliminated"),
    ({"faction": "f3", "kind": "break", "with": "f4"}, "nothing-to-break"),
    ({"faction": "f6", "kind": "propose", "to": "f9"}, "eliminated"),
    ({"faction": "f9", "kind": "propose", "to": "f9"}, "unknown-faction"),
    ({"faction": "f6", "kind": "propose"}, "malformed"),
]


@pytest.mark.parametrize(
    ("order", "reason"), FIRST_REASONS, ids=lambda value: value if isinstance(value, str) else ""
)
def test_of_several_reasons_the_first_is_given(order: Json, reason: str) -> None:
    nothing = {"water": 0, "scrap": 0, "grain": 0}
    state = world(
        {
            "h1": ("f1", ["bastion", "archive"], {"f1": {"militia": 3}}),
            "h2": ("f2", [], {}),
            "h3": ("f3", [], {}),
            "h4": ("f4", [], {}),
            "h5": ("f5", [], {}),
        },
        factions=6,
        pacts=("f1 f2", "f1 f3", "f1 f4"),
        proposals=("f5 f1",),
        f1={"stock": nothing, "research": {"tech": "iron-ranks", "progress": 0}},
        f2={"techs": ["common-stores"]},
        f3={"stock": nothing},
        f6={"eliminated_tick": 2},
    )
    assert reasons(tick(state, order)) == {"o1": reason}
