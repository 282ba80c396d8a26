"""Who sees what between battles (WF-CMP-02, section 22)."""

from typing import Any

from shared.warfare.army import Army, Place, standing
from shared.warfare.content.tables import TIERS
from shared.warfare.season.marching import neighbours
from shared.warfare.season.state import Season
from shared.warfare.season.work import Work, trait
from shared.warfare.world import ROGUES, hex_key

SITE_SIGHT = 2
ARMY_SIGHT = 1


def seen(work: Work, power: str) -> set[Place]:
    """The hexes a power sees; pact partners share them."""
    found = _own(work, power)
    for other in work.allied(power):
        found |= _own(work, other)
    return found


def _own(work: Work, power: str) -> set[Place]:
    found: set[Place] = set()
    for _, one in work.claimed(power):
        found |= around(work, one.at, SITE_SIGHT)
    for army in work.of(power):
        if army.hex is not None:
            found |= around(work, army.hex, ARMY_SIGHT)
    if (at := work.champion_at(power)) is not None:
        found |= around(work, at, ARMY_SIGHT)
    influence = work.powers[power].influence
    return found | {at for at in work.hexes if influence.get(hex_key(at))}


def around(work: Work, at: Place, far: int) -> set[Place]:
    found = edge = {at} & work.hexes.keys()
    for _ in range(far):
        edge = {other for one in edge for other in neighbours(one)} & work.hexes.keys()
        found = found | edge
    return found


def watchers(work: Work, at: Place) -> list[str]:
    return [power for power in work.seats() if at in seen(work, power)]


def visible(work: Work, power: str, army: Army, sees: set[Place]) -> bool:
    """WF-VIS-01, WF-VIS-02: a Stealthy army shows itself to its controller only."""
    if army.controller == power:
        return True
    return army.hex in sees and not trait(army, "hidden")


def shown(work: Work, power: str, sees: set[Place] | None = None) -> list[Army]:
    """The armies a power sees on the map, by id."""
    sees = seen(work, power) if sees is None else sees
    return [army for _, army in sorted(work.armies.items()) if visible(work, power, army, sees)]


def banner(army: Army) -> dict[str, Any]:
    """What anybody who sees the hex sees of an army (WF-VIS-01)."""
    return {
        "army": army.id,
        "name": army.name,
        "power": army.controller or ROGUES,
        "hex": army.hex,
        "rank": army.rank,
        "ancestry": army.ancestry,
        "class": army.class_,
        "tier": None if army.tier is None else TIERS[army.tier],
        "units": standing(army.units),
    }


def influence_seen(work: Work, power: str) -> dict[str, dict[str, int]]:
    """By hex and power: its own influence, and all of it where an Incorruptible army of its own stands
    (WF-KEY-33, WF-VIS-07)."""
    found: dict[str, dict[str, int]] = {}
    open_ = {
        hex_key(army.hex)
        for army in work.of(power)
        if army.hex is not None and trait(army, "guards-influence")
    }
    for other in work.season.powers:
        for key, count in sorted(work.powers[other.id].influence.items()):
            if count and (other.id == power or key in open_):
                found.setdefault(key, {})[other.id] = count
    return found


def reading(season: Season, power: str) -> dict[str, Any]:
    """What a power sees now, by hex (``q,r``): sites and banners. Kept by date, it is what was once seen."""
    work = Work(season)
    sees = seen(work, power)
    found: dict[str, Any] = {}
    for at in sorted(sees):
        found[hex_key(at)] = {
            "season": season.season,
            "sites": [
                {
                    "id": site.id,
                    "kind": site.kind,
                    "name": site.name,
                    "owner": site.owner,
                    "wall": site.wall,
                    "population": site.population,
                    "uprising": site.uprising,
                    "depopulated": site.depopulated,
                    "ancestries": list(site.ancestries),
                }
                for site in work.hexes[at].sites
            ],
            "armies": [
                {**banner(army), "marching": army.id in season.moved}
                for army in shown(work, power, sees)
                if army.hex == at
            ],
        }
    return found
