"""Non-interference: whatever a power may not know can be changed without changing one byte of what it is told.

A twin of a battle or a campaign is made in which all that is hidden from one viewer is different; its briefing,
options, view and refusals stay the same bytes, and no canary shows in them.
"""

import random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from shared.canonical import encode
from shared.warfare import match as matches
from shared.warfare import sights
from shared.warfare.answers import Proposal
from shared.warfare.army import Army, Attribute, Unit
from shared.warfare.battle import machine
from shared.warfare.battle.opening import open_battle
from shared.warfare.battle.setup import hidden
from shared.warfare.battle.state import Battle, Fighter, copy
from shared.warfare.battle.work import Work
from shared.warfare.decisions import GM
from shared.warfare.match import Match
from shared.warfare.policy import Policy
from shared.warfare.season import machine as seasons
from shared.warfare.season import sight
from shared.warfare.season.campaign import Seat, new_campaign
from shared.warfare.season.state import Season
from shared.warfare.season.state import copy as copy_season
from shared.warfare.season.work import Work as SeasonWork
from shared.warfare.spells import Asset
from shared.warfare.views import AFAR, UNDEPLOYED, picture, told, veil
from tests.warfare.answerer import answer, random_engagement
from tests.warfare.chance import SEED
from tests.warfare.marks import rule
from tests.warfare.test_illegal_answers import garbled, names_of

CANARY = 77_000_123
TEXT = b"canary"


def secret_card(army: Army) -> Army:
    """Another policy, purse and past behind the same open card."""
    return replace(
        army,
        policy=Policy(stance="hold", redirect_to=("canary",), keywords=("canary",)),
        base=replace(army.base, fee=CANARY % 1000),
        experience=(CANARY,),
        loyal_to="canary",
        origin_town="canary",
        garrison="canary",
    )


def behind_a_banner(army: Army) -> Army:
    return replace(
        secret_card(army),
        base=replace(army.base, attack=Attribute(100, 7), defense=99, mobility=9),
        units=tuple(Unit(unit.wounds, 0, unit.state) for unit in army.units),
        tags=("canary",),
    )


def twin(battle: Battle, viewer: str) -> Battle:
    """As far as ``viewer`` can know, the same battle."""
    other = copy(battle)
    work = Work(other)
    other.seed = "canary"
    other.given = {"canary": [6]}
    kept: list[Fighter] = []
    for one in other.fighters:
        if one.power == viewer:
            kept.append(one)
        elif one.stand in UNDEPLOYED and (one.stand in AFAR or hidden(work, one)):
            one.card = secret_card(one.card)
            one.units = [Unit(0, 0, "routed"), *one.units]
            kept.append(one)
        elif one.stand in UNDEPLOYED:
            one.card = behind_a_banner(one.card)
            one.attack, one.defense, one.momentum = Attribute(100), 99, CANARY
            one.units = [Unit(1, 1) for _ in one.units]
            kept.append(one)
        else:
            one.card = secret_card(one.card)
            kept.append(one)
    other.fighters = kept
    for power in other.powers:
        if power.id != viewer:
            power.coin = power.gained = power.set_aside = CANARY
            power.assets = [Asset(id="canary", bonus=99)]
            power.committed = [Asset(id="canary-2", bonus=98)]
            power.spent, power.used = ["canary"], {"canary": CANARY}
            power.spells = []
            power.proposals = [Proposal(goal="rally"), Proposal(text="canary")]
            power.use = {"canary": "first_attack"}
    return other


def answers_about(battle: Battle, viewer: str, luck: random.Random) -> bytes:
    """What ``viewer`` is told: its picture, questions, and why wrong answers are wrong."""
    known = veil(battle, viewer)
    mine = [decision for decision in machine.decisions(battle) if decision.power == viewer]
    refusals: list[Any] = []
    for decision in mine:
        given = garbled(luck, answer(luck, decision), sorted(names_of(known)))
        try:
            refusals.append(machine.check(known, decision.id, given))
        except ValueError as problem:
            refusals.append(str(problem))
    return encode({"known": known, "picture": picture(known, viewer), "asked": mine, "refusals": refusals})


@rule("WF-VIS-02", "WF-VIS-03", "WF-VIS-04", "WF-SET-17")
@pytest.mark.parametrize("index", range(25))
def test_a_battle_tells_nothing_hidden(index: int) -> None:
    luck = random.Random(f"{SEED}/{index}")
    now = open_battle(random_engagement(luck))
    while now.decisions:
        viewers = [power.id for power in now.state.powers if power.asked]
        for viewer in luck.sample(viewers, luck.randint(0, 1)):
            at = f"{SEED}/{index}/{now.state.round}/{viewer}"
            first = answers_about(now.state, viewer, random.Random(at))
            second = answers_about(twin(now.state, viewer), viewer, random.Random(at))
            assert first == second, at
            assert TEXT not in second and str(CANARY).encode() not in second, at
        now = machine.step(now.state, {one.id: answer(luck, one) for one in now.decisions})


@rule("WF-VIS-05", "WF-VIS-06")
@pytest.mark.parametrize("index", range(10))
def test_what_is_known_of_a_battle_is_enough_to_be_asked(index: int) -> None:
    luck = random.Random(f"{SEED}/asked/{index}")
    now = open_battle(random_engagement(luck))
    while now.decisions:
        for decision in now.decisions:
            if decision.power == GM:
                known_to_gm = replace(now.state, seed="", given={}, rolls={})
                assert encode(veil(now.state, GM)) == encode(known_to_gm)
                continue
            known = {one.id: one for one in machine.decisions(veil(now.state, decision.power))}
            if decision.kind != "D-12":  # whom to offer to counts sides whose last armies hide
                assert known[decision.id].question == decision.question, f"{SEED}/asked/{index}"
        answers = {one.id: answer(luck, one) for one in now.decisions}
        now = machine.step(now.state, answers)
        for event in now.events:
            for power in now.state.powers:
                assert (event in told(now.events, power.id)) == (event.to is None or power.id in event.to)


def season_twin(season: Season, viewer: str) -> Season:
    other = copy_season(season)
    work = SeasonWork(season)
    sees = sight.seen(work, viewer)
    shown = {army.id for army in sight.shown(work, viewer, sees)}
    other.seed = "canary"
    other.powers = [
        one
        if one.id == viewer
        else replace(one, coin=CANARY, loyalty=CANARY, fear=CANARY, ratings={"war": CANARY}, support=CANARY)
        for one in other.powers
    ]
    other.armies = [
        army
        if army.controller == viewer
        else replace(behind_a_banner(army), units=tuple(Unit(1) for _ in army.units))
        if army.id in shown
        else replace(behind_a_banner(army), rank=CANARY, name="canary")
        for army in other.armies
    ]
    other.hexes = [
        one
        if one.at in sees
        else replace(
            one,
            sites=tuple(
                replace(
                    site, owner=None if site.owner == viewer else site.owner, population=CANARY, uprising=9
                )
                for site in one.sites
            ),
        )
        for one in other.hexes
    ]
    return other


def told_of_campaign(season: Season, viewer: str) -> bytes:
    match = Match(ruleset="warfare", rules_version=1, match_id="m", season=season)
    return encode({"briefing": sights.brief(match, viewer), "view": sights.outlook(match, viewer, {})})


@rule("WF-VIS-01", "WF-CMP-02", "WF-VIS-07")
@pytest.mark.parametrize("index", range(4))
def test_a_campaign_tells_nothing_hidden(index: int) -> None:
    from tests.warfare.season_answerer import answer as season_answer

    luck = random.Random(f"{SEED}/{index}")
    kinds = ("city", "conspiracy", "champion")
    seats = [Seat(id=f"p{n}", seat=n, kind=kinds[(n + index) % 3]) for n in range(1, 4)]  # type: ignore[arg-type]
    now = new_campaign(f"{SEED}/{index}", seats)
    for _ in range(25):
        if not now.decisions:
            break
        for viewer in ("p1", "p2", "p3"):
            if now.state.phase != "battles":
                first, second = (
                    told_of_campaign(state, viewer) for state in (now.state, season_twin(now.state, viewer))
                )
                assert first == second, f"{SEED}/{index}/{now.state.phase}/{viewer}"
                assert TEXT not in second and str(CANARY).encode() not in second
        answers = {}
        for decision in now.decisions:
            given = season_answer(luck, decision)
            if given is not None and seasons.check(now.state, decision.id, given) is None:
                answers[decision.id] = given
        now = seasons.step(now.state, answers)


def test_a_skirmish_keeps_drafts_apart() -> None:
    from tests.warfare.playing import BATTLE, GAME, opened, sealed

    state = opened(BATTLE)
    drafted = {
        "kind": "answer",
        "decision": "draft:f1",
        "answer": {"armies": [{"name": "canary", "ancestry": "orcs", "size": 2, "bonus": {"line": 1}, "policy": {"stance": "rest"}}]},
    }  # fmt: skip
    after = GAME.resolve(state, [sealed(drafted, "f1")])
    match = msgspec.json.decode(after.state, type=Match)
    assert match.skirmish is not None and matches.battles(match)
    assert b"canary" in GAME.briefing(after.state, "f1")
    assert b'"stance"' in GAME.briefing(after.state, "f1")
    assert b'"stance"' not in GAME.briefing(after.state, "f2")
