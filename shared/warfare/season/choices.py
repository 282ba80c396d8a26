"""What D-03 says may be ordered, for the power it asks: own state and what it sees, nothing else (WF-DEC-04)."""

from typing import Any, Final

from shared.warfare.army import Army
from shared.warfare.card import values
from shared.warfare.content.tables import TIERS
from shared.warfare.season import hiring, levies, sight, training
from shared.warfare.season.marching import costs_from
from shared.warfare.season.musters import REGARRISON
from shared.warfare.season.trials import DOMAINS, helpers
from shared.warfare.season.work import Work, loyal
from shared.warfare.world import Hex, Site, hex_key

FREE: Final = ("disband", "propose", "accept", "break")  # WF-SEAS-04


def question(work: Work, power: str) -> dict[str, Any]:
    """Difficulties are those of now, before a game master's."""
    one, options = work.powers[power], work.season.options
    domains = sorted(set(DOMAINS.values()))
    own = work.of(power)
    return {
        "slots": options.actions_per_season,
        "free": list(FREE),
        "coin": one.coin,
        "ratings": {domain: work.rating(one, domain) for domain in domains},
        "domains": dict(DOMAINS),
        "assets": {domain: [asset.id for asset in helpers(work, power, domain)] for domain in domains},
        "most_assets": options.max_assets,
        "armies": [_army(work, army) for army in own],
        "regarrison": REGARRISON,
        "levy": [_town(site, at) for site, at in work.claimed(power) if _levies(site)],
        "records": [
            {"record": record.army.id, "size": record.size, "rank": record.army.rank}
            for record in work.season.records
            if record.power == power
        ],
        "gather": [
            {"army": found.army.id, "fled": len(found.army.units), "own": found.controller == power}
            for found in hiring.gatherable(work, power)
        ],
        "hire": hiring.hireable(work, power),
        "disband": [army.id for army in own if levies.may_disband(work, army)],
        "whisper": one.kind == "conspiracy",
        "purge": [hex_key(at) for at in sorted(sight.seen(work, power))],
        "powers": [name for name in work.seats() if name != power],
        "partners": work.allied(power),
        "proposals": [
            {"by": found.by, "to": found.to}
            for found in work.season.proposals
            if power in (found.by, found.to)
        ],
    }


def _army(work: Work, army: Army) -> dict[str, Any]:
    """One army and what it can be ordered to: Difficulties of its Train, of Forge by tier, of Muster by hex."""
    mobility = values(army).mobility
    marches = costs_from(work, army, army.hex) if army.hex is not None else {}
    tiers = range(army.tier + 1, len(TIERS)) if army.tier is not None else ()
    return {
        "army": army.id,
        "hex": army.hex,
        "loyal": loyal(army),
        "fee": values(army).fee,
        "experience": list(army.experience),
        "train": training.train_difficulty(army),
        "forge": {str(tier): training.forge_difficulty(army, tier) for tier in tiers},
        "muster": {
            hex_key(at): max(0, cost - mobility) for at, cost in sorted(marches.items()) if at != army.hex
        },
    }


def _levies(site: Site) -> bool:
    return site.kind == "town" and not site.depopulated and site.population > 0


def _town(site: Site, at: Hex) -> dict[str, Any]:
    return {
        "town": site.id,
        "hex": at.at,
        "size": site.population,
        "uprising": site.uprising,
        "ancestries": list(site.ancestries),
    }
