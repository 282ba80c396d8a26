"""What filing checks and options read, worked out from the snapshot when a faction first asks for it.

A briefing depends only on the snapshot of its tick, so each process may remember those it made.
"""

from collections import OrderedDict
from threading import Lock

from services.orders import store
from services.orders.store import Player
from shared.rulesets import Json, ruleset
from shared.storage.database import Transaction

REMEMBERED = 512


class Briefings:
    """The last ones asked for."""

    def __init__(self) -> None:
        self._made: OrderedDict[tuple[str, int, str], Json] = OrderedDict()
        self._lock = Lock()

    def of(self, tx: Transaction, player: Player, tick: int) -> Json:
        """For the newest list. LookupError if it is not the newest any more."""
        name = (player.match, tick, player.faction)
        with self._lock:
            if name in self._made:
                self._made.move_to_end(name)
                return self._made[name]
        state = store.snapshot(tx, player.match, tick)
        if state is None:
            raise LookupError(f"no snapshot of {player.match} for tick {tick}")
        briefing = ruleset(player.ruleset).briefing(state, player.faction)
        with self._lock:
            self._made[name] = briefing
            while len(self._made) > REMEMBERED:
                self._made.popitem(last=False)
        return briefing
