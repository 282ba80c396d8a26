"""How often each side wins a battle that is fought many times by computer players."""

from collections.abc import Mapping
from math import isqrt
from typing import Final

from msgspec import Struct

from shared.warfare.description import Plan, fight

PER_MILLE: Final = 1000
Z: Final = 1960
"""Standard deviations, in thousandths, that hold 95 % of the chance."""


class Share(Struct, frozen=True, kw_only=True):
    """Of ``wins`` in all battles, in thousandths; the true share lies between ``low`` and ``high`` with 95 %
    certainty (Wilson's interval)."""

    powers: tuple[str, ...]
    wins: int
    share: int
    low: int
    high: int


class Odds(Struct, frozen=True, kw_only=True):
    """``undecided`` went through all rounds with two sides left (WF-END-02)."""

    battles: int
    sides: tuple[Share, ...]
    undecided: Share
    rounds: int
    """Mean length, in thousandths of a round."""


def odds(plan: Plan, battles: int, levels: Mapping[str, str]) -> Odds:
    """Battle ``n`` has the plan's seed and ``/n``."""
    wins: dict[int | None, int] = {}
    rounds = 0
    sides: tuple[tuple[str, ...], ...] = ()
    for number in range(battles):
        ended = fight(plan, seed=f"{plan.engagement.seed}/{number}", levels=levels).outcome
        wins[ended.winner] = wins.get(ended.winner, 0) + 1
        rounds += ended.rounds
        sides = ended.sides
    return Odds(
        battles=battles,
        sides=tuple(share(powers, wins.get(side, 0), battles) for side, powers in enumerate(sides)),
        undecided=share((), wins.get(None, 0), battles),
        rounds=rounds * PER_MILLE // battles,
    )


def share(powers: tuple[str, ...], wins: int, battles: int) -> Share:
    """Wilson's interval in whole numbers: (w + z²/2 ± z·√(w(n-w)/n + z²/4)) / (n + z²)."""
    zz = Z * Z  # in millionths
    million = PER_MILLE * PER_MILLE
    spread = Z * isqrt(wins * (battles - wins) * million * million // battles + zz * million // 4)
    middle = wins * million + zz // 2
    whole = battles * million + zz
    return Share(
        powers=powers,
        wins=wins,
        share=wins * PER_MILLE // battles,
        low=max(0, (middle - spread // PER_MILLE) * PER_MILLE // whole),
        high=min(PER_MILLE, -(-(middle + spread // PER_MILLE) * PER_MILLE // whole)),
    )
