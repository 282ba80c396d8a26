"""Matches replayed in a single process from seed and sealed orders, beside what workers made of them (P1, P9).

    python -m tests.drills.replay FILE

prints one line for each difference and ends with status 1 if there is any.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from shared import canonical, proof, rulesets
from shared.contracts.lobby import Seat
from shared.rulesets import NewMatch, SeatTaken
from tests.services import tiny_ruleset


class KeptTick(msgspec.Struct, frozen=True):
    """``orders``: those sealed, in the order of the seal; ``digests`` by faction."""

    tick: int
    rules_version: int
    hash: str
    state: str
    orders: tuple[dict[str, Any], ...]
    digests: dict[str, str]


class KeptMatch(msgspec.Struct, frozen=True):
    """A match as resolution keeps it."""

    match: str
    ruleset: str
    seed: str
    settings: str
    seats: tuple[Seat, ...]
    ticks: tuple[KeptTick, ...]


def differences(kept: KeptMatch) -> Iterator[str]:
    """What is not as a single process makes it; the first difference of each tick."""
    rules = rulesets.ruleset(kept.ruleset)
    seats = tuple(
        SeatTaken(faction=seat.faction, seat=seat.seat, name=seat.faction_name) for seat in kept.seats
    )
    state = rules.new_match(
        NewMatch(match_id=kept.match, seed=kept.seed, seats=seats, settings=kept.settings.encode())
    )
    previous = ""
    for number, tick in enumerate(kept.ticks):
        where = f"{kept.match} tick {number}"
        if tick.tick != number:
            yield f"{where}: missing, {tick.tick} instead"
            return
        if number > 0:
            state = rules.resolve(state, [canonical.encode(order) for order in tick.orders]).state
        digests = [tick.digests[faction] for faction in sorted(tick.digests)]
        previous = proof.state_hash(state.decode(), previous, digests, tick.rules_version)
        if state.decode() != tick.state:
            yield f"{where}: another state"
        elif previous != tick.hash:
            yield f"{where}: another hash"


def main(path: Path) -> int:
    rulesets.INSTALLED[tiny_ruleset.NAME] = "tests.services.tiny_ruleset:RULESET"
    matches = msgspec.json.decode(path.read_bytes(), type=list[KeptMatch])
    found = [line for match in matches for line in differences(match)]
    print(f"{sys.version.split()[0]}: {sum(len(match.ticks) for match in matches)} ticks", *found, sep="\n")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
