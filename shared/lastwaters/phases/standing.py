"""Phase 8: who is eliminated, and whether the match is over."""

from shared.lastwaters.turn import Turn
from shared.lastwaters.world import Result


def run(turn: Turn) -> None:
    held = _holds_held(turn)
    living = [faction.id for faction in turn.snapshot.factions if faction.eliminated_tick is None]
    turn.eliminated = [faction for faction in living if not held[faction]]  # V-01
    if turn.eliminated:
        _vanish(turn, set(turn.eliminated))
    left = [faction for faction in living if held[faction]]
    if len(left) == 1:  # V-02
        turn.result = Result(left[0], "elimination", turn.tick)
    elif turn.tick >= turn.snapshot.settings.tick_cap and left:
        best = min(left, key=lambda faction: (-held[faction], -sum(turn.stock[faction]), turn.seat[faction]))
        turn.result = Result(best, "time-cap", turn.tick)


def _holds_held(turn: Turn) -> dict[str, int]:
    held = {faction: len(holds) for faction, holds in turn.owned.items()}
    for capture in turn.captures:
        held[capture.to] += 1
        if capture.from_ is not None:
            held[capture.from_] -= 1
    return held


def _vanish(turn: Turn, gone: set[str]) -> None:
    for hold in turn.snapshot.holds:
        garrison = turn.garrisons.get(hold.id, hold.garrison)
        for faction in gone.intersection(garrison):
            turn.vanished[hold.id, faction] = turn.garrison(hold.id).pop(faction)
    for bonds in (turn.pacts, turn.truces, turn.proposals):  # D-08
        for pair in [pair for pair in bonds if gone.intersection(pair)]:
            del bonds[pair]
