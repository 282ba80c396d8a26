"""Filing checks and options agree with each other and with the tick (T-02)."""

import random
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.lastwaters.filing import Briefing, briefing, check, check_all
from shared.lastwaters.options import options
from shared.lastwaters.orders import Order, read_orders
from shared.lastwaters.sight import first
from shared.lastwaters.tables import ORDERS_A_TICK
from shared.lastwaters.tick import adjudicate
from shared.lastwaters.world import Research, Snapshot
from tests.rules.playout import playout, sensible

seeds = st.integers(0, 10**6)


def made(*bodies: dict[str, Any], faction: str = "f1") -> list[Order]:
    return read_orders([{**b, "id": f"o{n}", "seq": n, "faction": faction} for n, b in enumerate(bodies, 1)])


def refused(brief: Briefing, body: dict[str, Any], *filed: dict[str, Any]) -> str | None:
    *before, new = made(*filed, body)
    answer = check(brief, before, new)
    return None if answer is None else answer.reason


def live(snapshot: Snapshot) -> list[str]:
    return [faction.id for faction in snapshot.factions if faction.eliminated_tick is None]


@given(seeds, st.integers(2, 5))
@settings(max_examples=15, deadline=None)
def test_options_are_what_filing_answers(seed: int, seats: int) -> None:
    chance = random.Random(seed)
    snapshot = list(playout(seed, seats, 12, 6))[-1].before
    for faction in live(snapshot):
        brief = briefing(snapshot, faction)
        bodies = list(sensible(chance, options(brief)))
        bodies = [b for b, no in zip(bodies, check_all(brief, made(*bodies)), strict=True) if no is None][:6]
        offered = options(brief, made(*bodies))

        def answer(reason: object, brief: Briefing = brief, filed: Any = bodies, **body: Any) -> None:
            assert refused(brief, body, *filed) == (None if reason is msgspec.UNSET else reason), body

        for hold in offered.holds:
            for recruit in hold.recruit:
                order = {"kind": "recruit", "hold": hold.hold, "unit": recruit.unit}
                answer(recruit.reason, **order, count=max(1, recruit.most))
                if 0 < recruit.most < 10**6:
                    answer("unaffordable", **order, count=recruit.most + 1)
            for build in hold.build:
                answer(build.reason, kind="build", hold=hold.hold, building=build.building)
            for end in hold.move.ends:
                march = {"kind": "move", "origin": hold.hold, "path": list(end.path)}
                assert end.path[-1] == end.hold
                if end.units:
                    answer(msgspec.UNSET, **march, units={unit: hold.move.units[unit] for unit in end.units})
                    most = hold.move.units[end.units[0]]
                    answer("units-absent", **march, units={end.units[0]: most + 1})
                for unit in end.slow:
                    answer("too-far", **march, units={unit: 1})
        for tech in offered.techs:
            answer(tech.reason, kind="research", tech=tech.tech)


@given(seeds, st.integers(2, 5))
@settings(max_examples=15, deadline=None)
def test_what_was_accepted_is_done_at_the_tick(seed: int, seats: int) -> None:
    """Moves, recruits and buildings that could be filed together all come off, whatever others do."""
    chance = random.Random(seed)
    snapshot = list(playout(seed, seats, 10, 6))[-1].before
    accepted: list[Order] = []
    for faction in live(snapshot):
        brief = briefing(snapshot, faction)
        orders = made(*sensible(chance, options(brief)), faction=faction)
        answers = check_all(brief, orders)
        accepted += [
            msgspec.structs.replace(order, id=f"{faction}-{order.id}")
            for order, no in zip(orders, answers, strict=True)
            if no is None and order.kind in ("move", "recruit", "build")
        ]
    results = adjudicate(snapshot, accepted).record.results
    assert {result.status for result in results} <= {"done"}


def start() -> Snapshot:
    return next(playout(1, 3, 1)).before


def test_the_reasons_in_their_order() -> None:
    brief = briefing(start(), "f1")
    home = next(iter(brief.holds))
    far = next(hold for hold in (h.id for h in start().holds) if hold not in brief.holds)
    move = {"kind": "move", "origin": home, "path": [home], "units": {"militia": 11}}
    assert refused(brief, {**move, "origin": far}) == "not-owned"
    assert refused(brief, {**move, "origin": "nowhere"}) == "not-owned"
    assert refused(brief, move) == "units-absent"
    assert refused(brief, {**move, "units": {"ghost": 1}}) == "units-absent"
    assert refused(brief, {**move, "units": {"militia": 1}}) == "path-broken"
    assert refused(brief, {**move, "units": {"militia": 1}, "path": ["nowhere"]}) == "path-broken"
    recruit = {"kind": "recruit", "hold": home, "unit": "militia", "count": 1}
    assert refused(brief, {**recruit, "hold": far, "unit": "ghost"}) == "not-owned"
    assert refused(brief, {**recruit, "unit": "ghost", "count": 10**6}) == "cannot-raise"
    assert refused(brief, {**recruit, "unit": "outrider"}) == "cannot-raise"
    assert refused(brief, {**recruit, "count": 10**6}) == "unaffordable"
    assert refused(brief, {**recruit, "count": 10**6 + 1}) == "malformed"
    build = {"kind": "build", "hold": home, "building": "watch"}
    assert refused(brief, {**build, "hold": far, "building": "bastion"}) == "not-owned"
    assert refused(brief, {**build, "building": "bastion"}) == "not-buildable"
    assert refused(brief, {**build, "building": "tower"}) == "not-buildable"
    assert refused(brief, {"kind": "research", "tech": "flight"}) == "unknown-tech"
    assert refused(brief, {"kind": "research", "tech": "iron-ranks"}) == "missing-prerequisite"
    for name, kind in (("to", "propose"), ("from", "accept"), ("with", "break")):
        assert refused(brief, {"kind": kind, name: "f9"}) == "unknown-faction"
        assert refused(brief, {"kind": kind, name: "f1"}) == "self"
        assert refused(brief, {"kind": kind, name: "f2"}) is None
    assert refused(brief, {"kind": "dance"}) == "malformed"


def test_research_is_busy_only_if_it_cannot_end_this_tick() -> None:
    def running(progress: int) -> Briefing:
        return msgspec.structs.replace(briefing(start(), "f1"), research=Research("long-roads", progress))

    other = {"kind": "research", "tech": "deep-roots"}
    next_one = {"kind": "research", "tech": "convoy-routes"}
    assert refused(running(0), other) == "busy-researching"
    assert refused(running(99), other) == "busy-researching"
    assert refused(running(100), other) is None  # 100 + 100 = 4 * 50
    assert refused(running(100), next_one) is None
    assert refused(running(100), {"kind": "research", "tech": "long-roads"}) == "already-known"


def test_only_the_dearest_of_filed_researches_counts() -> None:
    brief = briefing(start(), "f1")  # 108 of each to spend
    first_one, other = (
        {"kind": "research", "tech": "runner-networks"},
        {"kind": "research", "tech": "long-roads"},
    )
    assert refused(brief, other, first_one) is None  # 60 water and 40 scrap at most
    watches = [{"kind": "build", "hold": next(iter(brief.holds)), "building": "watch"}] * 3
    assert refused(brief, other, first_one, *watches) is None  # 45 + 60 water, 45 + 40 scrap
    assert refused(brief, {"kind": "recruit", "hold": next(iter(brief.holds)), "unit": "militia", "count": 2}, first_one, *watches) == "unaffordable"  # fmt: skip


def test_at_most_so_many_orders_are_on_file() -> None:
    brief = briefing(start(), "f1")
    proposals = made(*({"kind": "propose", "to": "f2"} for _ in range(ORDERS_A_TICK + 1)))
    answers = check_all(brief, proposals)
    assert answers[:-1] == [None] * ORDERS_A_TICK
    assert answers[-1] is not None and answers[-1].reason == "too-many-orders"


def test_an_eliminated_faction_files_nothing_and_is_offered_nothing() -> None:
    snapshot = next(
        step.outcome.snapshot
        for seed in range(30)
        for step in playout(seed, 3, 40, 4)
        if step.outcome.eliminated and step.outcome.result is None
    )
    gone = next(faction.id for faction in snapshot.factions if faction.eliminated_tick is not None)
    brief = briefing(snapshot, gone)
    assert refused(brief, {"kind": "research", "tech": "deep-roots"}) == "eliminated"
    offered = options(brief)
    assert (offered.orders_left, offered.holds, offered.techs, offered.factions) == (0, (), (), ())
    assert refused(briefing(snapshot, live(snapshot)[0]), {"kind": "propose", "to": gone}) == "eliminated"
    assert first(snapshot).memory[gone] == {}
