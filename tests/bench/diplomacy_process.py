"""Times ``Game.process()`` of the diplomacy package. Runs in the benchmark's own venv and imports nothing of ours.

python diplomacy_process.py SEED SECONDS: plays games of random legal orders and prints, as JSON, how many movement
phases from the third year on were processed and the seconds that took. Orders and the light phases between
(retreats, adjustments) are not in the time.
"""

import json
import random
import sys
import time

from diplomacy import Game

FIRST_YEAR, LAST_YEAR = 1903, 1912


def play(chance):
    """Seconds of each mid-game movement phase of one game."""
    game = Game()
    while not game.is_game_done and int(game.get_current_phase()[1:5]) <= LAST_YEAR:
        phase = game.get_current_phase()
        possible = game.get_all_possible_orders()
        for power in game.powers:
            places = game.get_orderable_locations(power)
            game.set_orders(power, [chance.choice(possible[place]) for place in places if possible[place]])
        started = time.perf_counter()
        game.process()
        if phase.endswith("M") and int(phase[1:5]) >= FIRST_YEAR:
            yield time.perf_counter() - started


def main():
    seed, seconds = int(sys.argv[1]), float(sys.argv[2])
    chance = random.Random(seed)
    spent, phases = 0.0, 0
    while spent < seconds:
        for took in play(chance):
            spent, phases = spent + took, phases + 1
    print(json.dumps({"phases": phases, "seconds": spent}))


if __name__ == "__main__":
    main()
