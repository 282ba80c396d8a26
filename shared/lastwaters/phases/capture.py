"""Who has the ground of a hold once the fighting there is over (C-11 to C-13)."""

from shared.lastwaters.phases.exchange import attack_power
from shared.lastwaters.record import Capture
from shared.lastwaters.tables import NEUTRAL
from shared.lastwaters.turn import Turn
from shared.lastwaters.world import Hold


def capture(turn: Turn, hold: Hold) -> None:
    here = turn.garrisons.get(hold.id, hold.garrison)
    owner = hold.owner
    if owner in here or NEUTRAL in here:
        return
    takers = [side for side in here if owner is None or turn.hostile(side, owner)]
    if not takers:
        return
    taker = min(takers, key=lambda side: (-attack_power(turn, side, here[side]), turn.seat[side]))
    turn.owners[hold.id] = taker
    turn.captures.append(Capture(hold=hold.id, from_=owner, to=taker))
