"""The working state of one step: the battle being changed, what it emits, and the queue of happenings."""

from collections import deque
from typing import Any, NamedTuple

from msgspec.structs import replace

from shared.warfare.battle.state import Battle, Contender, Fighter, Goal, Spoken
from shared.warfare.card import profile_of
from shared.warfare.content.statuses import STATUSES
from shared.warfare.decisions import Event
from shared.warfare.dice import Rolls
from shared.warfare.effects import Point
from shared.warfare.policy import Policy
from shared.warfare.profile import Profile


class Aim:
    """One target of an attack on its way through the steps of section 10."""

    __slots__ = ("declared", "final", "guard", "redirected", "threshold")

    def __init__(self, declared: Fighter) -> None:
        self.declared = declared
        self.final = declared
        self.guard = 0
        self.redirected = False
        self.threshold = 0


class Strike:
    """An attack being made. ``static`` is what command, special and options add."""

    __slots__ = (
        "aims", "attacker", "breaks", "charging", "chilled", "counter", "doubles", "halves", "mode", "pool", "static",
        "type",
    )  # fmt: skip

    def __init__(self, attacker: Fighter, mode: str, static: int, *, counter: bool, charging: bool) -> None:
        self.attacker = attacker
        self.mode = mode
        self.static = static
        self.counter = counter
        self.charging = charging
        self.aims: list[Aim] = []
        self.type = "untyped"
        self.chilled: list[str] = []
        """Armies that have reacted to a slain unit of it (WF-INT-09)."""
        self.pool = 0
        self.halves = False
        self.doubles = False
        self.breaks = 1
        """Armor a point removes."""


class Happening(NamedTuple):
    """Something rows may react to."""

    point: Point
    subject: Fighter | None = None
    actor: Fighter | None = None
    side: int | None = None
    strike: Strike | None = None
    aim: Aim | None = None
    goal: Goal | None = None
    spell: Spoken | None = None


class Work:
    """All modules of a battle work on one of these; ``battle`` is its own copy."""

    def __init__(self, battle: Battle) -> None:
        self.battle = battle
        self.events: list[Event] = []
        self.by_id = {fighter.id: fighter for fighter in battle.fighters}
        self.profiles = {fighter.id: profile_of(fighter.card) for fighter in battle.fighters}
        self.policies: dict[str, Policy] = {}
        """Of armies whose command overrides their own (WF-DEC-05)."""
        self.queue: deque[Happening] = deque()
        self.settling = False
        self.rolls = self._rolls()
        listeners: dict[Point, list[Fighter]] = {}
        for fighter in battle.fighters:
            for point in self.profiles[fighter.id].reactions:
                listeners.setdefault(point, []).append(fighter)
        self.listeners = listeners
        self._canonical: list[Fighter] | None = None

    def _rolls(self) -> Rolls:
        battle = self.battle
        return Rolls(battle.seed, battle.season, battle.id, battle.round, battle.rolls, battle.given)

    def next_round(self) -> None:
        self.battle.round += 1
        self.battle.rolls = {}  # WF-RNG-03: counted within a round
        self.rolls = self._rolls()

    def emit(self, kind: str, to: tuple[str, ...] | None = None, /, **facts: Any) -> None:
        self.events.append(Event(kind, facts, to))

    def profile(self, fighter: Fighter) -> Profile:
        return self.profiles[fighter.id]

    def trait(self, fighter: Fighter, name: str) -> int:
        return self.profiles[fighter.id].traits.get(name, 0)

    def policy(self, fighter: Fighter) -> Policy:
        return self.policies.get(fighter.id) or fighter.card.policy

    def contender(self, power: str) -> Contender:
        return next(found for found in self.battle.powers if found.id == power)

    def size(self, fighter: Fighter) -> int:
        """WF-CARD-03, WF-CARD-04."""
        active = fighter.active
        return active + self.trait(fighter, "size") if active else 0

    def deployed(self) -> list[Fighter]:
        """Armies on the field in canonical order (WF-GEN-06)."""
        if self._canonical is None:
            by_id = self.by_id
            self._canonical = [
                by_id[name] for side in self.battle.order for name in self.battle.sides[side].line
            ]
        return [fighter for fighter in self._canonical if fighter.stand == "line"]

    def reordered(self) -> None:
        """Lines or initiative have changed."""
        self._canonical = None

    def line(self, side: int) -> list[Fighter]:
        """The deployed armies of a side in line order."""
        by_id = self.by_id
        return [fighter for name in self.battle.sides[side].line if (fighter := by_id[name]).stand == "line"]

    def of_power(self, power: str) -> list[Fighter]:
        """A power's armies that are still part of the battle, in line, bench and id order."""
        side = self.battle.sides[self.contender(power).side]
        known = [*side.line, *side.bench]
        place = {name: index for index, name in enumerate(known)}
        mine = [
            fighter
            for fighter in self.battle.fighters
            if fighter.power == power and fighter.stand in ("line", "reserve", "delayed")
        ]
        return sorted(mine, key=lambda fighter: (place.get(fighter.id, len(known)), fighter.id))

    def flies(self, fighter: Fighter) -> bool:
        return any(STATUSES[name].flies for name in fighter.statuses)

    # WF-GEN-05, WF-CARD-12
    def gain(self, fighter: Fighter, amount: int) -> int:
        """Momentum gained within the cap; how much it was."""
        if amount <= 0 or self.trait(fighter, "no-momentum"):  # WF-ANC-14
            return 0
        room = max(0, fighter.active - fighter.momentum)
        gained = min(amount, room)
        if gained:
            fighter.momentum += gained
            self.emit("momentum", army=fighter.id, by=gained, now=fighter.momentum)
        return gained

    def pay(self, fighter: Fighter, amount: int) -> None:
        fighter.momentum -= amount
        if amount:
            self.emit("momentum", army=fighter.id, by=-amount, now=fighter.momentum)

    def can_pay(self, fighter: Fighter, amount: int, switch: str) -> bool:
        """Whether a spend leaves what the policy keeps (section 19)."""
        return fighter.momentum - amount >= self.policy(fighter).keep.get(switch, 0)

    def cap(self, fighter: Fighter) -> None:
        """WF-CARD-12: the surplus is lost when units are."""
        active = fighter.active
        if fighter.momentum > active:
            fighter.momentum = active

    def set_policy(self, fighter: Fighter, policy: Policy) -> None:
        """A standing policy filed anew (section 19)."""
        fighter.card = replace(fighter.card, policy=policy)
