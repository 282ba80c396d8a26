"""Phase 5: who fights whom at a hold, assault by assault, and who has the ground afterwards.

``exchange`` is the arithmetic of one exchange, ``capture`` the ground.
"""

from shared.lastwaters.phases.capture import capture
from shared.lastwaters.phases.exchange import attack_power, fight
from shared.lastwaters.record import Assault, Battle
from shared.lastwaters.tables import BUILDINGS, NEUTRAL
from shared.lastwaters.turn import Turn
from shared.lastwaters.world import Hold


def run(turn: Turn) -> None:
    arrivals = {hold for hold, _ in turn.arrived}
    touched = turn.garrisons
    for hold in turn.snapshot.holds:
        garrison = touched.get(hold.id, hold.garrison)
        if not garrison or (len(garrison) == 1 and (hold.owner in garrison or NEUTRAL in garrison)):
            if hold.id in arrivals:
                turn.present[hold.id] = _present(turn, garrison)
            continue
        turn.present[hold.id] = _present(turn, garrison)
        assaults = _battle(turn, hold)
        capture(turn, hold)
        if assaults:
            turn.battles.append(Battle(hold.id, tuple(assaults), hold.owner, turn.owner_of(hold.id)))


def _present(turn: Turn, garrison: dict[str, dict[str, int]]) -> tuple[str, ...]:
    return tuple(sorted((side for side in garrison if side != NEUTRAL), key=turn.seat.__getitem__))


def _battle(turn: Turn, hold: Hold) -> list[Assault]:
    """Assaults in turn until nobody here is hostile to anybody (C-04)."""
    order = _precedence(turn, hold)
    fortified = any(BUILDINGS[building].defence for building in turn.buildings_of(hold.id))  # B-04
    assaults: list[Assault] = []
    while True:
        here = turn.garrisons.get(hold.id, hold.garrison)
        sides = [side for side in order if side in here]
        defender = next((one for one in sides if any(turn.hostile(one, other) for other in sides)), None)
        if defender is None:
            return assaults
        defenders, attackers = _pools(turn, here, sides, defender)
        assaults.append(fight(turn, hold.id, defender, defenders, attackers, fortified, len(assaults) + 1))


def _precedence(turn: Turn, hold: Hold) -> list[str]:
    """The sides that have units here, the one to be attacked first in front (C-03)."""

    def rank(side: str) -> tuple[int, int]:
        if side == NEUTRAL:
            return (0, 0)
        if side == hold.owner:
            return (1, 0)
        guest = side in hold.garrison and (hold.id, side) not in turn.emptied
        return (2 if guest else 3, turn.seat[side])

    return sorted(turn.garrisons.get(hold.id, hold.garrison), key=rank)


def _pools(
    turn: Turn, here: dict[str, dict[str, int]], sides: list[str], defender: str
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Defenders and attackers of the next assault, each by seat; whoever is in neither stands aside (C-04)."""
    seat = turn.seat
    foes = [side for side in sides if turn.hostile(side, defender)]
    chief = min(foes, key=lambda side: (-attack_power(turn, side, here[side]), seat[side]))
    supporters = [
        side
        for side in sides
        if side != defender and not turn.hostile(side, defender) and turn.hostile(side, chief)
    ]
    attackers = [
        side for side in foes if side == chief or all(turn.hostile(side, friend) for friend in supporters)
    ]
    by_seat = {NEUTRAL: 0, **seat}.__getitem__
    return tuple(sorted((defender, *supporters), key=by_seat)), tuple(sorted(attackers, key=by_seat))
