"""Towns that change hands, who is out, and how a campaign ends (WF-CMP-04, WF-CMP-05, WF-CMP-09)."""

from shared.warfare.army import standing
from shared.warfare.season import diplomacy, sight
from shared.warfare.season.state import Season
from shared.warfare.season.work import Work, size
from shared.warfare.world import ROGUES, Site

SEIZED_UPRISING = 2


def calm(work: Work) -> None:
    for site, _ in work.sites():
        if site.uprising:
            work.set_site(site.id, uprising=site.uprising - 1)


def seize(work: Work) -> None:
    """Whoever holds the ground alone takes the sites on it. Armies that left the field do not stand there."""
    for site, one in work.sites():
        sizes: dict[str, int] = {}
        for army in work.at(one.at):
            if army.id not in work.season.withdrew:
                power = army.controller or ROGUES
                sizes[power] = sizes.get(power, 0) + size(army)
        taker = _taker(work, site, sizes)
        if taker is None:
            continue
        was = site.owner
        work.set_site(site.id, owner=taker, uprising=SEIZED_UPRISING if site.kind == "town" else 0)
        known = {was or "", taker, *sight.watchers(work, one.at)}
        work.emit("site-taken", known, site=site.id, hex=one.at, by=taker, owner=was)


def _taker(work: Work, site: Site, sizes: dict[str, int]) -> str | None:
    """``sizes`` by power present; null: it stays as it is."""
    here = list(sizes)
    if not here or ROGUES in here:
        return None
    if site.owner is not None and any(
        power == site.owner or work.partners(power, site.owner) for power in here
    ):
        return None
    together = any(all(other == power or work.partners(power, other) for other in here) for power in here)
    return min(here, key=lambda power: (-sizes[power], work.seat(power))) if together else None


def eliminate(work: Work) -> None:
    """Out: no site, no influence, no army."""
    for power in work.seats():
        one = work.powers[power]
        if work.claimed(power) or any(one.influence.values()) or work.of(power):
            continue
        work.season.out.append(power)
        diplomacy.leave(work, power)
        work.emit("eliminated", None, power=power)


def over(work: Work) -> bool:
    return work.season.season >= work.season.options.seasons or len(work.seats()) <= 1


def score(season: Season, power: str) -> tuple[int, int, int]:
    """Population claimed, rank times units, and what is in the purse (WF-CMP-09)."""
    one = next(found for found in season.powers if found.id == power)
    population = sum(site.population for place in season.hexes for site in place.sites if site.owner == power)
    arms = sum(army.rank * standing(army.units) for army in season.armies if army.controller == power)
    return population, arms, one.coin + one.loyalty + one.fear


def ranking(season: Season) -> list[str]:
    """Best first; those out last, whoever held out longest first."""
    alive = [power for power in season.powers if power.id not in season.out]
    alive.sort(key=lambda power: (*(-part for part in score(season, power.id)), power.seat))
    return [power.id for power in alive] + season.out[::-1]
