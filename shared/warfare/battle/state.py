"""A battle as a value: what stands between two windows. JSON-able; every list is in an order that means something.

A state handed out is never changed: ``machine.step`` works on a copy of its own (``copy``).
"""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from shared.warfare.answers import GmEffect, Proposal, Terms
from shared.warfare.army import Army, Attribute, Unit
from shared.warfare.options import Options
from shared.warfare.policy import AssetUse
from shared.warfare.spells import Asset, Special, Spell

Phase = Literal["setup", "gm", "deploy", "spell", "commands", "offer", "answer", "withdraw", "ended"]
Stand = Literal["here", "near", "line", "reserve", "delayed", "left", "lost", "out"]
"""``here``, ``near`` (could reinforce): before D-07. ``left``: retreated or surrendered. ``lost``: destroyed.
``out``: never took part."""
Seq = Annotated[int, Meta(ge=0)]


class Bond(Struct, omit_defaults=True, forbid_unknown_fields=True):
    """To Brawlers ``army`` over ``goal`` (WF-CLS-03)."""

    army: str
    goal: str


class Fighter(Struct, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """An army in a battle. The numbers are those of its card, set when the battle opens."""

    id: str
    card: Army
    power: str
    """``rogues`` for an army without a controller."""
    side: int = 0
    stand: Stand = "here"
    delayed: int = 0
    """Rounds until it may deploy (WF-SET-13); before D-07 the distance of a ``near`` army."""
    attack: Attribute
    presence: Attribute
    morale: Attribute
    defense: int
    armor_max: int
    units: list[Unit]
    armor: int = 0
    momentum: int = 0
    statuses: dict[str, int] = {}
    bloodied: int = 0
    deployed_with: int = 0
    """Active units when it deployed; 0 as long as it has not."""
    exhausted: bool = False
    attacked: int = 0
    """Attacks made on it this round (WF-KEY-10)."""
    guard: int = 0
    """Defense bought for this round (WF-CLS-04)."""
    bonds: list[Bond] = []
    used: list[str] = []
    """Once-a-battle uses: its signature command."""
    once: list[str] = []
    """Once-a-round triggers that have fired."""
    hurt: bool = False
    """A unit was wounded or routed this round (WF-ANC-09)."""
    appalled: bool = False
    """Took its test beside Repulsive armies (WF-KEY-36)."""
    reinforces: bool = False
    withdrew: Literal["", "retreat", "surrender"] = ""
    yielded_to: str | None = None
    slain: bool = False
    """Lost a unit for good in this battle (WF-END-04)."""
    killed: bool = False
    """Assassinated (WF-GOAL-15)."""
    imperilled: bool | None = None
    """As a game master rules (WF-GM-09)."""

    @property
    def active(self) -> int:
        count = 0
        for unit in self.units:
            if unit.state == "active":
                count += 1
        return count


class Contender(Struct, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A power in the battle; rogues are one, and are never asked (WF-DEC-03)."""

    id: str
    seat: int
    side: int = 0
    coin: int = 0
    """What it can pay terms with."""
    set_aside: int = 0
    gained: int = 0
    """Coin that goal rewards, Scoundrels and terms brought; negative when paid."""
    asked: bool = True
    joined: bool = False
    """Came by D-06: may leave armies out (WF-SET-03)."""
    assets: list[Asset] = []
    """In the hand; those committed are in ``committed``."""
    committed: list[Asset] = []
    spent: list[str] = []
    """Assets used up in this battle."""
    spells: list[Spell] = []
    specials: list[Special] = []
    used: dict[str, int] = {}
    """Uses of specials and one-use spells of assets, by id."""
    champion: bool = False
    """A champion of its own stands in the hex."""
    personal: str | None = None
    """The champion's Personal Army."""
    involved: bool = False
    champion_slain: bool = False
    proposals: list[Proposal] = []
    use: dict[str, AssetUse] = {}
    """How its committed assets are used without a command (WF-INT-28)."""


class Side(Struct, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    powers: list[str]
    """In seat order."""
    declared: bool = False
    """Holds a declarer (WF-SET-06)."""
    line: list[str] = []
    """Line order (WF-SET-15); armies that are gone stay, so that places do not shift."""
    bench: list[str] = []
    """Reserves and arrivals, in the order they were filed (WF-SET-11)."""
    escalation: int = 0
    captain: str = ""
    turn: int = 0
    """Which of its powers commands next (WF-RND-11)."""
    won: list[str] = []
    """Goals won this round."""
    hemmed: bool = False
    """Cannot retreat this Cleanup (WF-GOAL-16)."""


class Presence(Struct, omit_defaults=True, forbid_unknown_fields=True):
    army: str
    side: int
    successes: int


class Goal(Struct, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A goal in play. ``thresholds`` and ``rewards`` are by side; null: that side has no part in it."""

    id: str
    template: str
    text: str = ""
    thresholds: list[int | None]
    rewards: list[list[tuple[str, int | str]]]
    tags: list[str] = []
    order: int = 3
    target: str | None = None
    proposer: int | None = None
    rank: int = 0
    """Of a wall."""
    damage: int = 0
    """Threshold points Siege took off (WF-GOAL-11)."""
    back_in: int = 0
    """The round in which it returns; out of play before."""
    removed: bool = False
    presence: list[Presence] = []
    ruled: int | None = None
    """A game master's result for this round: a side, or -1 for nobody."""


class Spoken(Struct, omit_defaults=True, forbid_unknown_fields=True):
    """A spell cast this round."""

    side: int
    element: str
    rank: int


class Leader(Struct, omit_defaults=True, forbid_unknown_fields=True):
    """A commander the host lists, whom a goal may be set upon (WF-GOAL-16)."""

    id: str
    power: str
    slain: bool = False


class Bid(Struct, omit_defaults=True, forbid_unknown_fields=True):
    """An offer of terms on the table (WF-RND-16)."""

    from_side: int
    to_side: int
    terms: Terms


class Stronghold(Struct, omit_defaults=True, forbid_unknown_fields=True):
    """The site that counts in the hex (WF-SET-06, WF-GOAL-10)."""

    id: str
    kind: str
    owner: str | None = None
    wall: int = 0


class Truce(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    a: str
    b: str
    seasons: int


class Battle(Struct, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    id: str
    """``b<season>@<q>,<r>``."""
    seed: str
    season: int
    terrain: str = "plains"
    sunlight: bool = True
    sunless: bool = False
    """Whatever the terrain (WF-MAP-06)."""
    sun_by_round: list[bool] = []
    options: Options = Options()
    phase: Phase = "setup"
    round: int = 0
    powers: list[Contender]
    sides: list[Side]
    pacts: list[tuple[str, str]] = []
    """Between the powers here; sorted."""
    order: list[int] = []
    """Sides in initiative order."""
    defender: int | None = None
    fighters: list[Fighter]
    goals: list[Goal] = []
    sites: list[Stronghold] = []
    leaders: list[Leader] = []
    garrisoned: list[str] = []
    """Armies whose garrison is in this hex (WF-SET-06)."""
    effects: list[GmEffect] = []
    spoken: list[Spoken] = []
    turn: int = 0
    """Place in ``order`` of the side that commands next."""
    turns: int = 0
    """Commands given this round."""
    bids: list[Bid] = []
    truces: list[Truce] = []
    rolls: dict[str, int] = {}
    given: dict[str, list[int]] = {}
    winner: int | None = None


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(Battle)


def copy(battle: Battle) -> Battle:
    """An equal state that shares nothing with this one."""
    return _decoder.decode(_encoder.encode(battle))
