"""Computer players: what they answer is legal, the same each time, and better with each level."""

import random

import pytest

from shared.canonical import encode
from shared.warfare import players
from shared.warfare.battle import machine
from shared.warfare.battle.opening import open_battle
from shared.warfare.campaign_views import veil as veil_season
from shared.warfare.decisions import GM
from shared.warfare.description import Plan, fight, read_battle
from shared.warfare.players import LEVELS
from shared.warfare.season import machine as seasons
from shared.warfare.season.campaign import Kind, Seat, new_campaign
from shared.warfare.season.state import Season
from shared.warfare.views import veil
from tests.warfare.answerer import random_engagement
from tests.warfare.chance import SEED

KINDS: tuple[Kind, ...] = ("city", "conspiracy", "champion")


@pytest.mark.parametrize("level", LEVELS)
def test_players_answer_legally_whatever_the_battle(level: str) -> None:
    answered = 0
    for index in range(25):
        now = open_battle(random_engagement(random.Random(f"{SEED}/{index}")))
        while now.decisions:
            given = {}
            for decision in now.decisions:
                if decision.power == GM:
                    continue
                known = veil(now.state, decision.power)
                found = players.answer(level, known, decision, "luck")
                assert encode(found) == encode(players.answer(level, known, decision, "luck"))
                if found is not None:
                    assert machine.check(now.state, decision.id, found) is None, f"{SEED}/{index}"
                    given[decision.id] = found
                    answered += 1
            now = machine.step(now.state, given)
    assert answered > 25


def even(seed: str) -> Plan:
    armies = {
        power: [
            {"id": f"{power}.{name}", "ancestry": "orcs", "class": name, "rank": 2, "units": 4, "tier": 2, "attack": "d6"}
            for name in ("infantry", "archers", "axes")
        ]
        for power in ("p1", "p2")
    }  # fmt: skip
    return read_battle({"seed": seed, "armies": armies})


@pytest.mark.parametrize(("better", "worse"), [("sound", "harmless"), ("strong", "harmless")])
def test_a_better_player_wins_more_from_either_side(better: str, worse: str) -> None:
    won = {better: 0, worse: 0}
    for number in range(15):
        for levels in ((better, worse), (worse, better)):
            fought = fight(even(f"even/{number}"), levels=dict(zip(("p1", "p2"), levels, strict=True)))
            if fought.outcome.winner is not None:
                won[levels[fought.outcome.winner]] += 1
    assert won[better] > 2 * won[worse], won


def test_the_strongest_is_no_worse_than_the_sound() -> None:
    won = {"strong": 0, "sound": 0}
    for number in range(40):
        for levels in (("strong", "sound"), ("sound", "strong")):
            fought = fight(even(f"even/{number}"), levels=dict(zip(("p1", "p2"), levels, strict=True)))
            if fought.outcome.winner is not None:
                won[levels[fought.outcome.winner]] += 1
    assert won["strong"] > won["sound"], won


@pytest.mark.parametrize("level", LEVELS)
def test_players_rule_a_campaign_to_its_end(level: str) -> None:
    seats = [Seat(id=f"p{n}", seat=n, kind=kind) for n, kind in enumerate(KINDS, 1)]
    now = new_campaign(f"players/{level}", seats)
    orders = 0
    while now.decisions:
        given = {}
        for decision in now.decisions:
            known: Season = veil_season(now.state, decision.power)
            found = players.rule(level, known, decision, "luck")
            if found is not None:
                assert seasons.check(now.state, decision.id, found) is None
                given[decision.id] = found
        now = seasons.step(now.state, given)
        orders += sum(event.kind == "order" and event.facts["status"] == "done" for event in now.events)
    assert now.state.season == 12 and len(now.state.standing) == 3
    assert orders > 10
