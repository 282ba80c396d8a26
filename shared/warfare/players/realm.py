"""A computer player's answers in the windows of a season: its orders (D-03) and declarations (D-05)."""

from collections.abc import Callable, Iterable
from typing import Any, Final

from msgspec import Struct

from shared.warfare.answers import Declaration, Declare
from shared.warfare.army import Army, Bonus, Place, standing
from shared.warfare.decisions import Decision
from shared.warfare.players.styles import Style
from shared.warfare.season.orders import AnyOrder, Forge, Levy, Muster, Orders, Train, Whisper
from shared.warfare.season.state import Season
from shared.warfare.season.support import limit, units
from shared.warfare.season.work import Work
from shared.warfare.world import ROGUES, distance, hex_key

LEVY_SIZE: Final = 4
LEVY_BONUS: Final = Bonus(2)
LIKELY: Final = 3
"""A Difficulty that eight dice meet more often than not."""
ALONE: Final = 1.0
"""What an army is reckoned with where nobody is seen: others may hide."""


class Ruler:
    """One question to one power, with what it knows."""

    def __init__(self, style: Style, known: Season, decision: Decision) -> None:
        self.style = style
        self.work = Work(known)
        self.asked = decision.question
        self.power = decision.power

    def might(self, armies: Iterable[Army]) -> float:
        return sum(float(standing(army.units) * (army.rank + 1)) for army in armies)

    def friendly(self, controller: str | None) -> bool:
        return not self.work.opposed(self.power, controller)


def answer(style: Style, known: Season, decision: Decision) -> Struct | None:
    """None where policies or the default will do."""
    found = ANSWERS.get(decision.kind)
    return None if found is None else found(Ruler(style, known, decision))


def orders(me: Ruler) -> Struct | None:
    wishes = [*_marches(me), *_levies(me), *_whispers(me), *_arms(me)]
    filed = tuple(wishes[: int(me.asked["slots"])])
    return Orders(orders=filed) if filed else None


def _marches(me: Ruler) -> list[AnyOrder]:
    """At most one, to the site it is likeliest to take."""
    best: tuple[float, Place, list[Army]] | None = None
    rows: list[dict[str, Any]] = me.asked["armies"]
    for one in me.work.season.hexes:
        sites = [site for site in one.sites if not me.friendly(site.owner) or site.owner is None]
        if not sites:
            continue
        able: list[Army] = []
        difficulty = 0
        for row in sorted(
            rows, key=lambda row: (row["muster"].get(hex_key(one.at), LIKELY + 1), row["army"])
        ):
            difficulty += int(row["muster"].get(hex_key(one.at), LIKELY + 1))
            if difficulty <= LIKELY:
                able.append(me.work.armies[row["army"]])
        there = [army for army in me.work.at(one.at) if not me.friendly(army.controller)]
        against = me.might(there) or ALONE
        odds = me.might(able) / against
        if able and odds >= me.style.dares and (best is None or odds > best[0]):
            best = (odds, one.at, able)
    if best is None:
        return []
    return [Muster(armies=tuple(army.id for army in best[2]), to=best[1])]


def _levies(me: Ruler) -> list[AnyOrder]:
    room = limit(me.work, me.power) - units(me.work, me.power)
    found: list[AnyOrder] = []
    for town in me.asked["levy"]:
        size = min(int(town["size"]), room, LEVY_SIZE - int(town["uprising"]))
        if size >= 1 and town["ancestries"]:
            room -= size
            found.append(Levy(town=town["town"], size=size, ancestry=town["ancestries"][0], bonus=LEVY_BONUS))
    return found


def _whispers(me: Ruler) -> list[AnyOrder]:
    if not me.asked["whisper"]:
        return []
    own = me.work.powers[me.power].influence
    held = [one.at for one in me.work.season.hexes if own.get(hex_key(one.at))]
    near = (
        one.at
        for one in me.work.season.hexes
        if one.at not in held and any(distance(one.at, at) == 1 for at in held)
    )
    at = next(near, None)
    return [] if at is None else [Whisper(at=at)]


def _arms(me: Ruler) -> list[AnyOrder]:
    """Better arms where they are cheap, then training, the strongest army first."""
    rows = sorted(
        me.asked["armies"],
        key=lambda row: (-me.might([me.work.armies[row["army"]]]), row["army"]),
    )
    found: list[AnyOrder] = []
    for row in rows:
        tiers = [int(tier) for tier, difficulty in row["forge"].items() if difficulty <= LIKELY]
        if tiers and me.style.arms:
            found.append(Forge(army=row["army"], tier=max(tiers)))
        if row["train"] <= LIKELY:
            found.append(Train(army=row["army"]))
    return found


def declare(me: Ruler) -> Struct | None:
    found: list[Declaration] = []
    for row in me.asked["hexes"]:
        at: Place = tuple(row["hex"])
        here = me.work.at(at)
        own = me.might(army for army in here if army.controller == me.power)
        foes = [army for army in here if not me.friendly(army.controller)]
        names = {army.controller or ROGUES for army in foes} & set(me.asked["against"])
        if names and own >= me.style.dares * me.might(foes):
            found.append(Declaration(hex=at, against=tuple(sorted(names))))
    return Declare(declarations=tuple(found)) if found else None


ANSWERS: Final[dict[str, Callable[[Ruler], Struct | None]]] = {"D-03": orders, "D-05": declare}
"""By kind; the others follow policies and defaults."""
