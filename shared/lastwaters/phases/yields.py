"""Phase 1: every hold pays its owner in the snapshot."""

from shared.lastwaters.economy import income, plus
from shared.lastwaters.turn import Turn


def run(turn: Turn) -> None:
    for faction, holds in turn.owned.items():
        paid = income(holds.values(), turn.effects[faction])
        turn.yields[faction] = paid
        turn.stock[faction] = plus(turn.stock[faction], paid)
