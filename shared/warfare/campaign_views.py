"""What a power sees of a campaign (section 22, WF-CMP-02): ``veil`` makes of a season the one that a power knows.

An allow-list, as ``views.veil`` is for battles: everything a power is told between battles is made from it. Ground
is public; who owns a site and how it fares is seen; armies show banners; the rest is each power's own.
"""

from typing import Any

from msgspec.structs import replace

from shared.warfare import card
from shared.warfare.army import Army, Base
from shared.warfare.battle.state import Battle
from shared.warfare.decisions import GM
from shared.warfare.policy import Policy
from shared.warfare.season import sight, support
from shared.warfare.season.declaring import join_keys
from shared.warfare.season.state import Season, copy
from shared.warfare.season.window import about, power_of
from shared.warfare.season.work import Work
from shared.warfare.views import picture
from shared.warfare.views import veil as veil_battle
from shared.warfare.world import Hex, Power, Site, hex_key


def veil(season: Season, power: str) -> Season:
    """The campaign as ``power`` knows it now. A game master (``gm``) knows all but the dice to come."""
    if power == GM:
        whole = copy(season)
        whole.seed, whole.given, whole.battle_given, whole.rolls = "", {}, {}, {}
        whole.battles = [veil_battle(battle, GM) for battle in whole.battles]
        return whole
    work = Work(season)
    sees = sight.seen(work, power)
    shown = sight.shown(work, power, sees)
    known = {army.id for army in shown}
    own = {army.id for army in work.of(power)}
    influence = sight.influence_seen(work, power)
    joins = {about(key) for key in join_keys(work) if power_of(key) == power} if season.declared else set()
    return Season(
        seed="",
        season=season.season,
        phase=season.phase,
        options=season.options,
        hosted=season.hosted,
        powers=[_power(one, power, sees, influence) for one in season.powers],
        hexes=[_hex(one, one.at in sees) for one in season.hexes],
        armies=[army if army.controller == power else _banner(army) for army in shown],
        out=list(season.out),
        records=[one for one in season.records if one.power == power],
        dispersed=[
            replace(one, army=_banner(one.army), controller=one.controller if one.controller == power else None)
            for one in season.dispersed
            if one.controller == power or power in one.fought
        ],
        pacts=list(season.pacts),
        truces=[one for one in season.truces if power in (one.a, one.b)],
        proposals=[one for one in season.proposals if power in (one.by, one.to)],
        commanders=[one for one in season.commanders if one.power == power or one.at in sees],
        created=[name for name in season.created if name in known],
        training=[one for one in season.training if one.power == power],
        bids=[one for one in season.bids if one.power == power],
        assets_used=[name for name in season.assets_used if name.partition("/")[0] == power],
        moved=[name for name in season.moved if name in known],
        fought=[name for name in season.fought if name in known],
        withdrew=[name for name in season.withdrew if name in known],
        regarrison={name: site for name, site in season.regarrison.items() if name in own},
        declared=[
            one
            for one in season.declared
            if power in one.powers or one.at in sees or hex_key(one.at) in joins
        ],
        battles=[veil_battle(battle, power) for battle in season.battles if _fights(battle, power)],
        unpaid=[name for name in season.unpaid if name in own],
        standing=list(season.standing),
    )  # fmt: skip


def _fights(battle: Battle, power: str) -> bool:
    return any(one.id == power for one in battle.powers)


def _power(one: Power, power: str, sees: set[Any], influence: dict[str, dict[str, int]]) -> Power:
    if one.id == power:
        return one
    champion = one.champion
    if champion is not None:
        there = champion.at in sees
        champion = replace(champion, at=champion.at if there else None, personal=None)
    return Power(
        id=one.id,
        seat=one.seat,
        kind=one.kind,
        name=one.name,
        influence={at: counts[one.id] for at, counts in influence.items() if one.id in counts},
        champion=champion,
    )


def _hex(one: Hex, seen: bool) -> Hex:
    return one if seen else replace(one, sites=tuple(_unseen(site) for site in one.sites))


def _unseen(site: Site) -> Site:
    """Where a site is, everybody knows; an own one is always in sight."""
    return Site(id=site.id, kind=site.kind, name=site.name)


def _banner(army: Army) -> Army:
    """WF-VIS-01."""
    return Army(
        id=army.id,
        name=army.name,
        ancestry=army.ancestry,
        class_=army.class_,
        rank=army.rank,
        tier=army.tier,
        base=Base(),
        units=tuple(type(unit)() for unit in army.units if unit.state != "slain"),
        controller=army.controller,
        hex=army.hex,
        policy=Policy(),
    )


def picture_of(veiled: Season, power: str) -> dict[str, Any]:
    """A veiled campaign as a client draws it, JSON-able; ``memory`` adds what was seen before."""
    work = Work(veiled)
    own = work.powers.get(power)
    return {
        "season": veiled.season,
        "phase": veiled.phase,
        "powers": [
            {
                "power": one.id,
                "seat": one.seat,
                "name": one.name,
                "kind": one.kind,
                "out": one.id in veiled.out,
            }
            for one in veiled.powers
        ],
        "pacts": [list(pact) for pact in veiled.pacts],
        "truces": [{"with": one.a if one.b == power else one.b, "until": one.until} for one in veiled.truces],
        "proposals": [{"by": one.by, "to": one.to} for one in veiled.proposals],
        "standing": list(veiled.standing),
        "influence": sight.influence_seen(work, power) if own is not None else {},
        "you": None if own is None else _own(work, own),
        "battles": [picture(battle, power) for battle in veiled.battles],
    }


def _own(work: Work, own: Power) -> dict[str, Any]:
    season = work.season
    return {
        "power": own.id,
        "kind": own.kind,
        "coin": own.coin,
        "loyalty": own.loyalty,
        "fear": own.fear,
        "support": {"limit": support.limit(work, own.id), "units": support.units(work, own.id)},
        "assets": [asset.id for asset in own.assets],
        "champion": None
        if own.champion is None
        else {"at": own.champion.at, "alive": own.champion.alive, "army": own.champion.personal},
        "armies": [
            {
                "hex": army.hex,
                "garrison": army.garrison,
                "loyal": army.loyal_to == own.id,
                "card": card.show(army),
                "units": [{"wounds": unit.wounds, "state": unit.state} for unit in army.units],
                "policy": army.policy,
            }
            for army in work.of(own.id)
        ],
        "records": [{"card": card.show(one.army), "size": one.size} for one in season.records],
    }
