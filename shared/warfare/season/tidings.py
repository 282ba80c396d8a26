"""Tidings: income, and D-01, the disbanding of loyal armies and the release of others (WF-SEAS-02, WF-PWR-06)."""

from typing import Any

from shared.warfare.answers import Disband
from shared.warfare.errors import Refusal
from shared.warfare.season import levies, support
from shared.warfare.season.window import Replies, Window, listed
from shared.warfare.season.work import Work, loyal
from shared.warfare.world import Power

GATHERABLE = 1
"""Seasons a dispersed army can be gathered after that of its rout (WF-SEAS-02)."""


def begin(work: Work) -> None:
    season = work.season
    season.phase = "disband"
    season.dispersed = [one for one in season.dispersed if season.season - one.season <= GATHERABLE]
    work.emit("season", season=season.season)
    if not season.hosted:
        for power in work.seats():
            _income(work, work.powers[power])


def _income(work: Work, power: Power) -> None:
    """WF-CMP-03."""
    coin = loyalty = fear = 0
    if power.kind == "city":
        towns = [site for site, _ in work.claimed(power.id) if site.kind == "town"]
        coin = sum(town.population for town in towns) // 2
        loyalty = sum(town.uprising == 0 for town in towns)
    elif power.kind == "conspiracy":
        coin = fear = sum(count > 0 for count in power.influence.values()) // 3
    else:
        coin, loyalty = 2, 1
    work.set_power(power.id, coin=power.coin + coin, loyalty=power.loyalty + loyalty, fear=power.fear + fear)
    work.emit("income", (power.id,), power=power.id, coin=coin, loyalty=loyalty, fear=fear)


def _disbandable(work: Work, power: str) -> list[str]:
    return [army.id for army in work.of(power) if loyal(army) and not army.personal]


def _releasable(work: Work, power: str) -> list[str]:
    return [army.id for army in work.of(power) if not loyal(army) and not army.personal]


def keys(work: Work) -> list[str]:
    return [power for power in work.seats() if _disbandable(work, power) or _releasable(work, power)]


def question(work: Work, power: str) -> dict[str, Any]:
    return {
        "disband": _disbandable(work, power),
        "release": _releasable(work, power),
        "limit": support.limit(work, power),
        "units": support.units(work, power),
    }


def check(work: Work, power: str, answer: Disband) -> Refusal | None:
    for names, legal, what in (
        (answer.disband, _disbandable(work, power), "is no loyal army of yours to disband"),
        (answer.release, _releasable(work, power), "is no army to release"),
    ):
        for name in names:
            if name not in legal:
                return Refusal(rule="WF-PWR-06", what=what, army=name, legal=listed(legal))
    return None


def close(work: Work, replies: Replies) -> None:
    for power in work.seats():
        answer: Disband | None = replies.get(power)
        if answer is None:
            continue
        for name in sorted(set(answer.disband)):
            levies.disband(work, name)
        for name in sorted(set(answer.release)):
            work.change(name, controller=None, loyal_to=None, garrison=None)
            work.emit("released", (power,), army=name)
    work.season.phase = "support"


WINDOW = Window("D-01", keys, question, check, close, default=lambda work, key: {})
