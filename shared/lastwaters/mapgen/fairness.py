"""Measures a map against W-10: what it always promises, and how far it is from fair."""

from shared.lastwaters import tables
from shared.lastwaters.mapgen.routes import Web
from shared.lastwaters.mapgen.wealth import Balls, Yields


def sound(web: Web, starts: list[int]) -> bool:
    """Mean degree, the starts' neighbours, and starts 3 routes apart: no two of them share a neighbour."""
    low, high = tables.MEAN_DEGREE_TENTHS
    degrees = 10 * sum(len(joined) for joined in web)
    beside = [i for start in starts for i in web[start]]
    return (
        low * len(web) <= degrees <= high * len(web)
        and all(len(web[start]) >= tables.START_NEIGHBOURS for start in starts)
        and len(set(beside) | set(starts)) == len(beside) + len(starts)
    )


def unfairness(balls: Balls, garrison: list[int], ground: list[Yields], attempt: int) -> int:
    """0 for a map that is fair by the tolerances of attempt number `attempt`, from 1; else how far it lies
    beyond them, in hundredths of a percent of the means, summed over starts and measures."""
    wide = attempt >= tables.LATE_ATTEMPT
    measures = (
        ([len(ball) for ball in balls.values()], tables.FAIR_HOLDS_PERCENT, tables.FAIR_HOLDS_SLACK),
        (
            [sum(garrison[i] for i in ball) for ball in balls.values()],
            tables.FAIR_GARRISON_PERCENT,
            tables.FAIR_GARRISON_SLACK,
        ),
        (
            [sum(sum(ground[i]) for i in ball) for ball in balls.values()],
            tables.FAIR_YIELD_PERCENT,
            tables.FAIR_YIELD_SLACK,
        ),
    )
    beyond = 0
    for sums, percent, slack in measures:
        total, count = sum(sums), len(sums)
        room = max((tables.LATE_FAIR_PERCENT if wide else percent) * total, 100 * slack * count)
        for each in sums:
            over = 100 * abs(each * count - total) - room
            if over > 0:
                beyond += 1 + over * 100 // max(1, total)
    return beyond
