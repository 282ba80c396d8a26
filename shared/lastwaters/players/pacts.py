"""Whom a player offers pacts, and whose offers it takes (section 8). It never breaks one."""

from shared.lastwaters.draws import draw
from shared.lastwaters.effects import effects
from shared.lastwaters.filing import Briefing
from shared.lastwaters.orders import Accept, Body, Break, Propose
from shared.lastwaters.phases.diplomacy import pact_cap
from shared.lastwaters.players.scouting import Ground
from shared.lastwaters.players.styles import Style

PATIENCE = 4  # ticks an offer stays open before it is withdrawn for another


def negotiate(ground: Ground, style: Style, brief: Briefing, luck: str) -> list[Body]:
    """Pacts with less than half of the rivals, so that there is always somebody left to take ground from."""
    if not style.pacts:
        return []
    live = [f.id for f in brief.factions if f.eliminated_tick is None and f.id != ground.me]
    room = min(pact_cap(effects(brief.techs).pact_cap), (len(live) - 1) // 2) - len(ground.allies)
    offers = sorted(p.from_ for p in brief.proposals if p.to == ground.me and p.from_ in live)
    asked = {p.to: p.tick for p in brief.proposals if p.from_ == ground.me}
    orders: list[Body] = []
    for other in sorted(offers, key=lambda f: (-_border(ground, f), f)):
        if room > 0 and other not in ground.allies:
            orders.append(Accept(other))
            room -= 1
    for other, tick in sorted(asked.items()):
        if other not in offers and (room <= 0 or brief.tick - tick > PATIENCE):
            orders.append(Break(other))
    strangers = [f for f in live if f not in ground.allies and f not in asked and f not in offers]
    if room > 0 and not asked and strangers:
        orders.append(Propose(strangers[draw(luck, len(strangers), "propose")]))
    return orders


def _border(ground: Ground, faction: str) -> int:
    """How many holds of a faction lie within two routes of own ground, as far as is known."""
    near = {hold for own in ground.own for hold in ground.map.within(own, 2)}
    return sum(ground.owner(hold) == faction for hold in near)
