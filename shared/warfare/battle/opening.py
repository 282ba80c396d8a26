"""What the host supplies of a battle (2.3), and the state before its first window."""

from collections.abc import Iterable

from msgspec import Struct

from shared.warfare.answers import GmEffect
from shared.warfare.army import Army, Place, Unit, active
from shared.warfare.battle import machine
from shared.warfare.battle.sides import Party, defender, draw_sides
from shared.warfare.battle.state import Battle, Contender, Fighter, Leader, Side, Stand, Stronghold
from shared.warfare.building import check_army
from shared.warfare.card import values
from shared.warfare.content.statuses import STATUSES
from shared.warfare.content.tables import TERRAINS
from shared.warfare.decisions import Stepped
from shared.warfare.errors import BadInput, Illegal, illegal
from shared.warfare.options import Options
from shared.warfare.spells import DoStatus, Special, Spell
from shared.warfare.world import ROGUES, Hex, hex_key


class Near(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """An army that may reinforce: in reach by its mobility and in no battle of its own (WF-SET-12)."""

    army: Army
    distance: int


class Engagement(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A battle about to be set up. ``here`` are all armies in the hex of the parties; those of a joiner that is
    taken by no side do not take part. Parties without ``side`` are put on sides by WF-SET-04."""

    seed: str
    season: int = 1
    hex: Hex
    parties: tuple[Party, ...]
    here: tuple[Army, ...]
    near: tuple[Near, ...] = ()
    pacts: tuple[tuple[str, str], ...] = ()
    leaders: tuple[Leader, ...] = ()
    garrisoned: tuple[str, ...] = ()
    """Armies garrisoned in the hex otherwise than in one of its sites."""
    sunlight: bool | None = None
    """Null: by terrain (WF-MAP-06)."""
    effects: tuple[GmEffect, ...] = ()
    options: Options = Options()
    given: dict[str, tuple[int, ...]] = {}
    """Faces by roll name without seed, season and battle (``dice.Rolls``)."""


def battle_id(season: int, at: Place) -> str:
    return f"b{season}@{hex_key(at)}"  # WF-RNG-01


def open_battle(engagement: Engagement) -> Stepped[Battle]:
    """The battle with its first window, D-07. Illegal for an army that cannot be, or fewer than two sides."""
    battle = _lay_down(engagement)
    return machine.start(battle)


def _lay_down(engagement: Engagement) -> Battle:
    for party in engagement.parties:
        _check_gifts([*party.spells, *party.specials, *_held(party)])
    parties = {party.id: party for party in engagement.parties}
    if len(parties) != len(engagement.parties):
        raise BadInput("parties", "a power is there twice")
    pacts = frozenset(frozenset(pact) for pact in engagement.pacts)
    drawn = draw_sides(engagement.parties, pacts)
    if len(drawn) < 2:
        raise illegal("WF-SET-05", "a battle needs two sides", legal="armies of opposed powers")
    side_of = {power: index for index, side in enumerate(drawn) for power in side}
    sides = [
        Side(powers=powers, declared=any(parties[power].declares for power in powers)) for powers in drawn
    ]
    ids: set[str] = set()
    fighters = list(_fighters(engagement, side_of, ids))
    sites = [Stronghold(site.id, site.kind, site.owner, site.wall) for site in engagement.hex.sites]
    site_ids = {site.id for site in sites}
    here = engagement.here
    sunless = engagement.hex.sunless if engagement.sunlight is None else not engagement.sunlight
    shaded = sunless or TERRAINS[engagement.hex.terrain].shades
    battle = Battle(
        id=battle_id(engagement.season, engagement.hex.at),
        seed=engagement.seed,
        season=engagement.season,
        terrain=engagement.hex.terrain,
        sunlight=not shaded if engagement.sunlight is None else engagement.sunlight,
        sunless=sunless,
        options=engagement.options,
        powers=[
            _contender(party, side_of[party.id], gm=engagement.options.gm_seat)
            for party in engagement.parties
            if party.id in side_of
        ],
        sides=sides,
        pacts=sorted((min(pact), max(pact)) for pact in engagement.pacts),
        fighters=sorted(fighters, key=lambda fighter: fighter.id),
        sites=sites,
        leaders=[leader for leader in engagement.leaders if leader.power in side_of],
        garrisoned=sorted(
            army.id for army in here if army.garrison in site_ids or army.id in engagement.garrisoned
        ),
        effects=list(engagement.effects),
        given={name: list(faces) for name, faces in engagement.given.items()},
    )
    battle.powers.sort(key=lambda power: power.seat)
    battle.defender = defender(battle)
    seats = {power.id: power.seat for power in battle.powers}
    battle.order = sorted(  # WF-GEN-06, before there is initiative
        range(len(sides)),
        key=lambda side: (side != battle.defender, min(seats[power] for power in sides[side].powers)),
    )
    for index, side in enumerate(battle.sides):
        side.captain = captain(battle, index)
    for side in battle.sides:
        if not any(fighter.stand == "here" and fighter.power in side.powers for fighter in fighters):
            raise illegal("WF-SET-02", f"{side.powers[0]} has no army in the hex", legal="an army there")
    return battle


def _held(party: Party) -> list[Spell | Special]:
    return [gift for asset in party.assets for gift in (asset.spell, asset.special) if gift is not None]


def _check_gifts(gifts: Iterable[Spell | Special]) -> None:
    """What the host gives a power names statuses that exist (WF-CMD-07)."""
    for gift in gifts:
        for effect in gift.effects:
            if isinstance(effect, DoStatus) and effect.name not in STATUSES:
                raise illegal("WF-CMD-07", f"{gift.id}: no status {effect.name!r}", legal=", ".join(STATUSES))


def captain(battle: Battle, side: int) -> str:
    """The power with most active units of the side here (WF-SET-09)."""
    powers = battle.sides[side].powers
    stands = ("here", "line", "reserve")
    units = dict.fromkeys(powers, 0)
    for fighter in battle.fighters:
        if fighter.power in units and fighter.stand in stands:
            units[fighter.power] += fighter.active
    return max(powers, key=lambda power: units[power])


def _fighters(engagement: Engagement, side_of: dict[str, int], ids: set[str]) -> Iterable[Fighter]:
    coming: list[tuple[Army, Stand, int]] = [(army, "here", 0) for army in engagement.here]
    coming += [(near.army, "near", max(1, near.distance)) for near in engagement.near]
    for army, stand, delayed in coming:
        if refusal := check_army(army):
            raise Illegal(refusal)
        if army.id in ids:
            raise illegal("WF-CARD-01", "is there twice", army=army.id, legal="an id once in a match")
        ids.add(army.id)
        power = army.controller or ROGUES
        if power not in side_of:
            continue
        if not active(army.units):
            continue
        yield fighter(army, power, side_of[power], stand, delayed)


def fighter(army: Army, power: str, side: int, stand: Stand, delayed: int = 0) -> Fighter:
    """An army as it enters a battle, from a zero base (WF-GEN-08)."""
    shown = values(army)
    return Fighter(
        id=army.id,
        card=army,
        power=power,
        side=side,
        stand=stand,
        delayed=delayed,
        attack=shown.attack,
        presence=shown.presence,
        morale=shown.morale,
        defense=shown.defense,
        armor_max=shown.armor_max,
        units=[Unit(unit.wounds, 0, unit.state) for unit in army.units if unit.state != "slain"],
    )


def _contender(party: Party, side: int, *, gm: bool) -> Contender:
    return Contender(
        id=party.id,
        seat=party.seat,
        side=side,
        coin=party.coin,
        asked=party.asked and party.id != ROGUES,
        joined=party.joins is not None,
        # Without a game master only assets that mean something in battle (WF-SET-17, WF-GM-05).
        assets=[asset for asset in party.assets if asset.battle or gm],
        spells=list(party.spells),
        specials=list(party.specials),
        champion=party.champion,
        personal=party.personal,
        use=dict(party.use),
    )
