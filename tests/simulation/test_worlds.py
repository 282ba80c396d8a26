"""Worlds in which things go wrong, thousands in a full run; each is its seed again (LASTWATERS_SIMULATION_FIRST)."""

import os
from datetime import timedelta

import pytest

from services.resolution.service import ResolutionService
from shared.contracts.resolution import RetryTick, SurveyStalled
from shared.runtime.service import Unavailable
from tests.drills.sampling import FULL
from tests.services import tiny_ruleset
from tests.simulation import promises
from tests.simulation.match import CADENCE, ROUNDS, Match, Players, begin
from tests.simulation.world import START, Faults, World, simulated

SEEDS = int(os.environ.get("LASTWATERS_SIMULATION_SEEDS") or (3_000 if FULL else 300))
FIRST = int(os.environ.get("LASTWATERS_SIMULATION_FIRST", "1"))
SLICE = 25
TROUBLE = (ROUNDS + 1) * CADENCE
LONGEST = timedelta(minutes=25)


def play(seed: int, faults: Faults) -> list[str]:
    """One world from its start to the end of its matches; its log."""
    with simulated(seed, faults) as world:
        matches = [
            begin(world, "m1", seats=world.chance.randint(2, 3)),
            begin(world, "m2", early=world.chance.random() < 0.4),
        ]
        if world.chance.random() < 0.2:
            matches.append(begin(world, "m3", broken=True))
            tiny_ruleset.broken_matches.add("m3")
        players = Players(world, matches)
        world.plan_faults(TROUBLE.total_seconds())
        stalled = _rest(world, [match for match in matches if not match.broken])
        if matches[-1].broken:
            world.run_until(world.now() + timedelta(minutes=2))
            stalled = _stalled(world)
            tiny_ruleset.broken_matches.clear()
            world.ask(RetryTick(match=matches[-1].id))
            _rest(world, matches)
        promises.once(matches)
        promises.nothing_lost(players)
        promises.on_time(world, matches)
        promises.broken_alone(matches, stalled)
        if faults == Faults.none():
            promises.punctual(matches)
        return world.log


def _rest(world: World, matches: list[Match]) -> list[tuple[str, int]]:
    """Until the matches have ended; the stalled ones by then."""

    def ended() -> bool:
        names = ",".join(f"'{match.id}'" for match in matches)
        query = f"SELECT 1 FROM matches WHERE match IN ({names}) AND NOT ended"
        store = world.stores[ResolutionService.name]
        return store.has("SELECT 1 FROM matches") and not store.has(query)

    while not ended():
        assert world.now() < START + LONGEST, "the matches do not come to their end"
        world.run_until(world.now() + timedelta(seconds=10))
    # What is on its way arrives.
    world.run_until(world.now() + timedelta(seconds=15))
    return _stalled(world)


def _stalled(world: World) -> list[tuple[str, int]]:
    while True:
        try:
            return [(item.match, item.tick) for item in world.ask(SurveyStalled()).items]
        except Unavailable:
            world.run_until(world.now() + timedelta(seconds=1))


@pytest.mark.parametrize("first", range(FIRST, FIRST + SEEDS, SLICE))
def test_the_promises_hold_in_every_world(first: int) -> None:
    for seed in range(first, min(first + SLICE, FIRST + SEEDS)):
        try:
            play(seed, Faults.none() if seed % 10 == 0 else Faults())
        except BaseException:
            print(f"\nseed {seed}")
            raise
        finally:
            tiny_ruleset.broken_matches.clear()


def test_a_seed_is_a_world() -> None:
    assert play(7, Faults()) == play(7, Faults())
