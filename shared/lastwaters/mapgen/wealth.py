"""What stands and grows on neutral ground: garrisons (W-07) and yields (W-09), evened near starts (W-10)."""

from collections.abc import Callable

from shared.lastwaters import tables
from shared.lastwaters.mapgen.chance import Chance, shuffle

Yields = tuple[int, int, int]
"""Water, scrap, grain a tick."""

Balls = dict[int, set[int]]
"""For each start the holds within two routes of it, itself left out."""

CLOSE_ENOUGH = 12  # percent off the mean at which a start needs no more evening
STEPS_A_START = 20  # changes at most, for each start


def base_garrison(distance: int, farthest: int) -> int:
    """W-07: militia before the draw, `distance` routes from the nearest start."""
    depth = max(tables.GARRISON_MIN_DEPTH, farthest - 1)
    return tables.GARRISON_BASE + (tables.GARRISON_SPAN * (distance - 1)) // depth


def garrisons(chance: Chance, far: list[int], balls: Balls) -> list[int]:
    """Militia on each hold, 0 on starts; `far` is the distance to the nearest start (W-07).

    Where the rule leaves one more militia to the draw, the draw is turned over on as few holds near starts
    as it takes to bring the starts' totals together.
    """
    farthest = max(far)
    base = [base_garrison(d, farthest) if d else 0 for d in far]
    open_to_draw = [
        d > 0 and b < tables.GARRISON_MAX and (d == farthest or base_garrison(d + 1, farthest) > b)
        for d, b in zip(far, base, strict=True)
    ]
    extra = [int(free and chance(2, "garrison", i) == 1) for i, free in enumerate(open_to_draw)]

    def worth(i: int) -> int:
        return base[i] + extra[i]

    for step in range(STEPS_A_START * len(balls)):
        astray = _astray(balls, worth, tables.FAIR_GARRISON_SLACK)
        if not astray:
            break
        # A start that cannot be turned any further is helped by moving the mean, from the other end.
        worst, over = astray[0]
        by_sum = sorted(balls, key=lambda s: (sum(worth(i) for i in balls[s]), s), reverse=not over)
        for start, down in [(worst, over), *((s, not over) for s in by_sum if s != worst)]:
            turnable = sorted(i for i in balls[start] if open_to_draw[i] and extra[i] == down)
            if turnable:
                turned = turnable[chance(len(turnable), "garrison", "even", step)]
                extra[turned] = 1 - extra[turned]
                break
        else:
            break
    return [worth(i) for i in range(len(far))]


def yields(chance: Chance, far: list[int], balls: Balls) -> list[Yields]:
    """Yields of each hold (W-08, W-09); `far` is the distance to the nearest start.

    The shares of barren and rich ground are dealt out exactly at every distance (what does not come out
    even is carried on to the next), in drawn order. Then ground of equal distance is exchanged between
    starts until their sums are close.
    """
    start = tables.START_YIELDS
    ground: list[Yields] = [(start.water, start.scrap, start.grain)] * len(far)
    farthest = max(far)
    barren_due, rich_due = chance(100, "barren"), chance(100, "rich")
    for distance in range(1, farthest + 1):
        ring = [i for i, d in enumerate(far) if d == distance]
        shuffle(chance, ring, "ground", distance)
        barren_due += tables.BARREN_PERCENT * len(ring)
        barren, barren_due = divmod(barren_due, 100)
        rich_due += rich_percent(distance, farthest) * len(ring)
        rich = min(rich_due // 100, len(ring) - barren)
        rich_due -= 100 * rich
        for place, i in enumerate(ring):
            kind = "barren" if place < barren else "rich" if place < barren + rich else "lean"
            ground[i] = _draw_yields(chance, kind, i)
    _exchange(far, balls, ground)
    return ground


def rich_percent(distance: int, farthest: int) -> int:
    """W-09: the share of rich ground, `distance` routes from the nearest start."""
    return tables.RICH_PERCENT_BASE + (tables.RICH_PERCENT_SPAN * (distance - 1)) // max(1, farthest - 1)


def _draw_yields(chance: Chance, kind: str, hold: int) -> Yields:
    rich = chance(3, "rich", hold) if kind == "rich" else None
    drawn = []
    for resource in range(3):
        if kind == "barren":
            low, high = tables.BARREN_BAND
        elif resource == rich:
            low, high = tables.RICH_BAND
        else:
            low, high = tables.LEAN_BAND
        drawn.append(low + chance(high - low + 1, "yield", hold, resource))
    return drawn[0], drawn[1], drawn[2]


def _exchange(far: list[int], balls: Balls, ground: list[Yields]) -> None:
    """Exchanges the ground of pairs of holds at one distance until the starts' sums are close."""
    starts_near: dict[int, list[int]] = {}
    for start, ball in balls.items():
        for i in ball:
            starts_near.setdefault(i, []).append(start)
    rings: dict[int, list[int]] = {}
    for i in sorted(starts_near):
        rings.setdefault(far[i], []).append(i)
    count = len(balls)
    for _ in range(STEPS_A_START * count):
        astray = _astray(balls, lambda i: sum(ground[i]), tables.FAIR_YIELD_SLACK)
        if not astray:
            return
        start, _ = astray[0]
        sums = {s: sum(sum(ground[i]) for i in ball) for s, ball in balls.items()}
        total = sum(sums.values())
        best = (0, start, start)
        for i in sorted(balls[start]):
            for j in rings[far[i]]:
                gain = sum(ground[j]) - sum(ground[i])
                if j in balls[start] or gain == 0:
                    continue
                change = dict.fromkeys(starts_near[i], gain)
                for s in starts_near[j]:
                    change[s] = change.get(s, 0) - gain
                effect = sum(
                    ((sums[s] + by) * count - total) ** 2 - (sums[s] * count - total) ** 2
                    for s, by in change.items()
                )
                best = min(best, (effect, i, j))
        effect, i, j = best
        if effect >= 0:
            return
        ground[i], ground[j] = ground[j], ground[i]


def _astray(balls: Balls, worth: Callable[[int], int], slack: int) -> list[tuple[int, bool]]:
    """The starts whose sums are not close to the mean, farthest first, and whether each lies above it."""
    sums = {start: sum(worth(i) for i in ball) for start, ball in balls.items()}
    total, count = sum(sums.values()), len(balls)
    room = max(CLOSE_ENOUGH * total, 50 * slack * count)
    off = {start: 100 * abs(each * count - total) for start, each in sums.items()}
    order = sorted((s for s in sums if off[s] > room), key=lambda s: (-off[s], s))
    return [(start, sums[start] * count > total) for start in order]
