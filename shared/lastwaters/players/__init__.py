"""Computer players: a view and a briefing in, orders out (R-01 to D-08 as a player uses them).

`play` is the way in. `styles` holds what sets the levels apart, `scouting` reads the view, `odds` weighs powers,
`marches` moves units, `spending` uses the stores, `pacts` deals with the others. They keep no memory between ticks and know
only what their faction is shown.
"""

from typing import Final

from shared.lastwaters.filing import Briefing, check
from shared.lastwaters.orders import Body, Order
from shared.lastwaters.players.marches import plan
from shared.lastwaters.players.pacts import negotiate
from shared.lastwaters.players.scouting import Ground
from shared.lastwaters.players.spending import spend
from shared.lastwaters.players.styles import STYLES
from shared.lastwaters.views import View

LEVELS: Final = tuple(STYLES)
"""Weakest first."""


def play(level: str, view: View, brief: Briefing, luck: str) -> list[Body]:
    """The orders of a player of ``level`` for the tick that ``brief`` is for; ``view`` is that of the tick before.

    ``luck`` keys the player's draws: the same arguments give the same orders. Every order passes the filing
    check beside those before it. KeyError for an unknown level.
    """
    style = STYLES[level]
    if not brief.holds and not brief.guests:
        return []
    ground = Ground(view, brief)
    campaign = plan(ground, style)
    wishes = [*campaign.moves, *spend(ground, style, campaign), *negotiate(ground, style, brief, luck)]
    filed: list[Order] = []
    for seq, body in enumerate(wishes, 1):
        order = Order(f"w{seq}", seq, brief.faction, body)
        if check(brief, filed, order) is None:
            filed.append(order)
    return [order.body for order in filed if order.body is not None]
