"""The kinds of effect that a row of content may name, and the points at which triggers fire.

A row (a class, keyword, ancestry) is a list of these. The engine knows only them: ``profile`` sums the standing
ones up, ``battle.triggers`` runs ``On``, ``battle.attack`` and ``battle.presence`` offer ``May``.
"""

from typing import Literal, NamedTuple

Attribute = Literal["attack", "presence", "morale", "defense", "armor", "mobility", "fee"]
Number = Literal["attack", "presence", "morale", "defense", "presence-dice"]
Amount = int | str
"""A number, or the name of one in ``battle.amounts``."""
Where = tuple[str, ...]
"""Names of conditions in ``battle.conditions``; all must hold."""

Point = Literal[
    "deploying",  # subject: the army; its starting momentum (WF-SET-19)
    "deployed",  # subject: the army, whole; its statuses
    "beside",  # subject: the army; what its own side makes of it
    "against",  # subject: the army; what the other sides make of it
    "deployment",  # round's arrivals are in place (WF-RND-03)
    "round-start",
    "spell",  # a spell was cast
    "spells-done",  # end of the Spellcasting phase
    "commanded",  # subject: the army, before its command takes effect (WF-CMD-05)
    "command-done",  # subject: the army, after it
    "attacks",  # actor: the attacker (WF-ATK-05)
    "attacked",  # subject: a target, actor: the attacker
    "redirect",  # subject: the target (WF-ATK-06)
    "defence",  # subject: the final target (WF-ATK-07)
    "armor-broken",  # subject: the army, actor: the attacker or none (WF-ATK-14)
    "slain",  # subject: the unit's army, actor: the attacker or none; once a unit (WF-ATK-19)
    "routed",  # subject: the unit's army; once a unit
    "bloodied",  # subject: the army, actor: the attacker or none (WF-ATK-21)
    "after-attacked",  # subject: the final target (WF-ATK-23)
    "presence",  # actor: the army (WF-GOAL-01)
    "presence-checked",  # actor: the army; once a goal
    "goal-lost",  # side: the one that lost it (WF-GOAL-08)
    "round-end",
]
Who = Literal["subject", "actor", "ally", "enemy", "side", "any"]
"""Who reacts: the army it happened to; the acting one; one of the subject's side but not it; one of another side
than the subject's; one of the event's side; any deployed army."""


class Gain(NamedTuple):
    """The reacting army gains momentum, within its cap (WF-GEN-05)."""

    amount: Amount = 1


class Drain(NamedTuple):
    """It loses all momentum."""


class Gets(NamedTuple):
    """It gains a status."""

    status: str
    stacks: int


class Inflicts(NamedTuple):
    """The event's subject gains a status, if it still exists."""

    status: str
    stacks: int


class Guard(NamedTuple):
    """More Defense, for this attack or for the rest of the round."""

    amount: Amount
    until: Literal["attack", "round"]


class Counter(NamedTuple):
    """A counterattack (WF-ATK-24)."""


class Redirect(NamedTuple):
    """The attack moves on to another army of the target's side."""


class Intercept(NamedTuple):
    """The reacting army comes down and takes the attack upon itself."""


class Restore(NamedTuple):
    """Armor for momentum, as much of either as the switch says."""

    armor_per_momentum: int


class Pass(NamedTuple):
    """Momentum to friendly armies as the switch lists them."""


class Bind(NamedTuple):
    """A status on one enemy with presence on the goal, and a bond to it (WF-CLS-03)."""

    status: str
    stacks: int


class Breach(NamedTuple):
    """The goal's threshold for the own side falls (WF-GOAL-11)."""

    by: int


class Coin(NamedTuple):
    """Coin for the controller."""

    amount: int


class Appal(NamedTuple):
    """Mortal armies of the own side, repulsive ones apart, take a morale challenge of this rank; one a battle each."""

    rank: int


class Terrify(NamedTuple):
    """Opposed mortal armies take a terror check (WF-DICE-10)."""

    threshold: int


Do = (
    Gain
    | Drain
    | Gets
    | Inflicts
    | Guard
    | Counter
    | Redirect
    | Intercept
    | Restore
    | Pass
    | Bind
    | Breach
    | Coin
    | Appal
    | Terrify
)


class Raise(NamedTuple):
    """A change of the card, once (WF-GEN-09)."""

    attribute: Attribute
    by: int


class Grants(NamedTuple):
    """A keyword that comes with it."""

    keyword: str


class Trait(NamedTuple):
    """A standing property that a step of the engine reads; of several values the highest counts.

    ``capacity`` wounds that slay a unit · ``undead``, ``elemental`` not mortal · ``no-equipment`` ·
    ``no-momentum`` never gains any · ``ranged`` 1 attacks from commands, 2 every attack · ``resists`` points of
    matching damage · ``wild`` resists all terrestrial types · ``armor-stops-all`` types · ``allocates`` the wounds
    it deals · ``halves``, ``doubles`` thresholds · ``whole-stake`` on routs it causes · ``routs`` instead of
    wounds · ``unshaken`` when bloodied · ``closed-mind`` to mental and illusory effects · ``dodges`` for momentum ·
    ``repulsive`` · ``keeps-scars`` · ``steady`` sheds negative statuses faster · ``size`` added to Size · ``feeds`` momentum to others deploying ·
    ``signature`` lends a command · ``half-healing`` · ``fee-in-fear`` · ``forge-difficulty`` · ``hidden`` ·
    ``marches-forest``, ``-mountains``, ``-desert`` not rough for it · ``sails`` · ``guards-influence``.
    """

    name: str
    value: int = 1


class While(NamedTuple):
    """A number is higher or lower as long as the conditions hold."""

    number: Number
    by: Amount
    where: Where = ()


class On(NamedTuple):
    """A trigger. With a ``switch`` it is optional and costs momentum; policy ``switch`` decides (section 19)."""

    point: Point
    who: Who
    do: tuple[Do, ...]
    where: Where = ()
    cost: int = 0
    switch: str = ""
    once: Literal["", "round"] = ""


class May(NamedTuple):
    """An option declared with an attack or a presence check (WF-ATK-04, WF-CLS-17): a second target or goal,
    more armor removed by each point, or a damage type."""

    option: Literal["two", "axes", "hammers", "second_goal"]
    """Its switch as well."""
    cost: int = 1
    static: int = 0
    breaks: int = 1
    type: str = "untyped"


class Deals(NamedTuple):
    """A damage type it may choose; ``pool`` replaces the active units as the number of dice."""

    type: str
    where: Where = ()
    pool: str = ""


class Assists(NamedTuple):
    """A plain +1 for its controller's challenges in a domain (WF-AST-06)."""

    domain: str


Effect = Raise | Grants | Trait | While | On | May | Deals | Assists


class Row(NamedTuple):
    """One class, keyword or ancestry."""

    rule: str
    title: str
    effects: tuple[Effect, ...] = ()
    group: str = ""
    element: str = ""
