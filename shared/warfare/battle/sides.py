"""Who fights on which side, and which side defends (WF-SET-03 to SET-06)."""

from collections.abc import Sequence

from msgspec import Struct

from shared.warfare.army import Id
from shared.warfare.battle.state import Battle
from shared.warfare.content.tables import SITE_ORDER
from shared.warfare.policy import AssetUse
from shared.warfare.spells import Asset, Special, Spell

Pacts = frozenset[frozenset[str]]


class Party(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A power as it comes to a battle (2.3, D-05, D-06). ``side`` fixes its side; null draws it by WF-SET-04."""

    id: Id
    seat: int
    side: int | None = None
    declares: bool = False
    against: tuple[str, ...] = ()
    joins: str | None = None
    """The power whose side it asks to join; null for declarers and those declared against."""
    accept: tuple[str, ...] = ()
    """Powers it lets join its side without a pact."""
    coin: int = 0
    assets: tuple[Asset, ...] = ()
    spells: tuple[Spell, ...] = ()
    specials: tuple[Special, ...] = ()
    use: dict[str, AssetUse] = {}
    champion: bool = False
    personal: str | None = None
    asked: bool = True


def draw_sides(parties: Sequence[Party], pacts: Pacts) -> list[list[str]]:
    """The powers of each side in seat order. A joiner whom nobody takes is on none (WF-SET-04)."""
    taking_part = [party for party in parties if party.joins is None]
    in_order = sorted(taking_part, key=lambda party: (not party.declares, party.seat))
    by_id = {party.id: party for party in parties}
    sides: list[list[str]] = []

    def hostile(party: Party, other: str) -> bool:
        return other in party.against or party.id in by_id[other].against

    def partner(party: Party, other: str) -> bool:
        return frozenset((party.id, other)) in pacts

    for party in in_order:
        if party.side is not None:
            while len(sides) <= party.side:
                sides.append([])
            sides[party.side].append(party.id)
            continue
        open_ = [side for side in sides if not any(hostile(party, other) for other in side)]
        allied = [side for side in open_ if any(partner(party, other) for other in side)]
        if chosen := allied or open_:
            chosen[0].append(party.id)
        else:
            sides.append([party.id])
    for party in sorted((one for one in parties if one.joins is not None), key=lambda one: one.seat):
        for side in sides:
            if party.joins in side and (partner(party, party.joins) or party.id in by_id[party.joins].accept):
                side.append(party.id)
                break
    for side in sides:
        side.sort(key=lambda power: by_id[power].seat)
    return [side for side in sides if side]


def defender(battle: Battle) -> int | None:
    """WF-SET-06."""
    side_of = {power: index for index, side in enumerate(battle.sides) for power in side.powers}
    owned = [site for site in battle.sites if site.owner in side_of]
    if owned:
        largest = min(owned, key=lambda site: SITE_ORDER.index(site.kind))
        return side_of[largest.owner or ""]
    quiet = [index for index, side in enumerate(battle.sides) if not side.declared]
    if len(quiet) == 1:
        return quiet[0]
    garrisoned = {
        fighter.side
        for fighter in battle.fighters
        if fighter.id in battle.garrisoned and fighter.stand == "here"
    }
    return garrisoned.pop() if len(garrisoned) == 1 else None
