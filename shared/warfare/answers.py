"""The forms of answers (section 20), one struct a decision; season orders (D-03) are in ``season.orders``."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from shared.warfare.army import Place
from shared.warfare.errors import BadInput
from shared.warfare.policy import AssetUse, Count, DamageType, Policy
from shared.warfare.spells import Form, Small, Special, Spell

Name = Annotated[str, Meta(min_length=1, max_length=200)]
Names = Annotated[tuple[Name, ...], Meta(max_length=200)]


class Disband(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """D-01."""

    disband: Names = ()
    release: Names = ()


class Support(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """D-02."""

    coin: Count = 0
    loyalty: Count = 0
    fear: Count = 0


class LevelChoice(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """D-04: ``picks`` are indexes of dice, ``keywords`` one per 6 among them, in order."""

    discard: bool = False
    picks: Annotated[tuple[Count, ...], Meta(max_length=3)] = ()
    keywords: Names = ()
    signature: Name | None = None
    class_: Name | None = msgspec.field(name="class", default=None)


class Declaration(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """D-05 for one hex: against powers or ``rogues``."""

    hex: Place
    against: Names = ()
    accept: Names = ()


class Declare(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """D-05."""

    declarations: Annotated[tuple[Declaration, ...], Meta(max_length=500)] = ()
    accept: Names = ()


class Join(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """D-06: the power whose side to join, or ``out``."""

    side_of: Name = "out"
    accept: Names = ()


class Proposal(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A goal a captain proposes: one of the catalogue, or any text if a game master sits (WF-SET-08)."""

    goal: Name = ""
    target: Name | None = None
    text: Annotated[str, Meta(max_length=2000)] = ""


class Setup(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """D-07. An army in the hex that is named nowhere goes to the end of the line by id; a Stealthy one, or one of a
    joiner, stays out (WF-SET-03)."""

    line: Names = ()
    reserve: Names = ()
    reinforce: Names = ()
    assets: Names = ()
    champion: bool = False
    goals: Annotated[tuple[Proposal, ...], Meta(max_length=2)] = ()
    use: dict[str, AssetUse] = {}
    """How committed assets are used when no command names them (WF-INT-28)."""


class GmGoal(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A goal as a game master sets it: thresholds and rewards by side number; text for people (WF-SET-08)."""

    id: Name
    text: Annotated[str, Meta(max_length=2000)] = ""
    thresholds: Annotated[tuple[Annotated[int, Meta(ge=1, le=100)] | None, ...], Meta(max_length=20)]
    rewards: Annotated[tuple[tuple[tuple[str, int | str], ...], ...], Meta(max_length=20)] = ()
    tags: Names = ()
    target: Name | None = None


class GmEffect(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A static modifier of a number for all or one side, or a status on an army at deployment (WF-SET-07)."""

    number: Literal["attack", "presence", "morale", "defense"] | None = None
    by: Small = 0
    side: Count | None = None
    army: Name | None = None
    status: Name | None = None
    x: Annotated[int, Meta(ge=1, le=20)] = 1


class GmSetup(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """D-08. Null leaves the automatic ruling."""

    terrain: Name | None = None
    sunlight: bool | tuple[bool, ...] | None = None
    """For the whole battle, or by round."""
    effects: Annotated[tuple[GmEffect, ...], Meta(max_length=50)] = ()
    defender: Count | Literal["none"] | None = None
    goals: Annotated[tuple[GmGoal, ...], Meta(max_length=20)] | None = None
    """In place of the captains' proposals."""


class Deploy(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """D-09."""

    deploy: Names = ()


class Cast(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """D-10: null spell casts nothing; ``targets`` are armies, in the order the spell reaches them."""

    spell: Name | None = None
    targets: Names = ()


class Entry(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One line of a command sheet (WF-DEC-05); what is left out follows the army's policy."""

    army: Name
    command: Name
    targets: Names = ()
    second: Names = ()
    goals: Names = ()
    type: DamageType | None = None
    needler: bool | None = None
    slayer: bool | None = None
    axes: bool | None = None
    hammers: bool | None = None
    two: bool | None = None
    second_goal: Name | None = None
    taunt: bool | None = None
    restore: bool | Count | None = None
    lift: bool | None = None
    pass_: Annotated[tuple[tuple[Name, Count], ...], Meta(max_length=50)] | None = msgspec.field(
        name="pass", default=None
    )
    asset: Name | None = None
    override: dict[str, Any] = {}
    """Switches of ``policy.Policy`` for this command."""


class Commands(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """D-11: each army once, in the order they are to be commanded."""

    entries: Annotated[tuple[Entry, ...], Meta(max_length=200)] = ()


class Terms(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """WF-RND-17."""

    withdraw: bool = True
    coin: Count = 0
    yield_: Literal["none", "all"] | Names = msgspec.field(name="yield", default="none")
    truce: Annotated[int, Meta(ge=0, le=4)] = 0


class Offer(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """D-12: null ``to`` offers nothing."""

    to: Count | None = None
    terms: Terms = Terms()


class Reply(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """D-13."""

    accept: bool = False


class Shed(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    army: Name
    units: Annotated[tuple[Count, ...], Meta(max_length=1000)]
    """Indexes of tokens to rout (WF-RND-27)."""


class Withdraw(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """D-14."""

    retreat: Names = ()
    rout: Annotated[tuple[Shed, ...], Meta(max_length=200)] = ()


class Heal(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """D-15: by army, the token index of each wound healed."""

    armies: dict[str, tuple[Count, ...]] = {}


class Fees(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """D-16."""

    armies: dict[str, Literal["coin", "fear", "refuse"]] = {}


class Desertions(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """D-17: ``stay``, ``rogue`` or a power, by army."""

    armies: dict[str, Name] = {}


class GmOrder(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a game master adds in any window (WF-DEC-08).

    ``effects`` reach ``targets`` as a spell would; ``number`` changes a static of a check for a side or all;
    ``winner`` decides goal ``goal`` this round whatever the presence.
    """

    effects: Annotated[tuple[Form, ...], Meta(max_length=20)] = ()
    targets: Names = ()
    side: Count | None = None
    """Whose escalation, whose modifier."""
    number: Literal["attack", "presence", "morale", "defense"] | None = None
    by: Small = 0
    goal: Name | None = None
    winner: Count | Literal["none"] | None = None


class GmOrders(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Beside any window, under the decision id ``gm``."""

    orders: Annotated[tuple[GmOrder, ...], Meta(max_length=100)] = ()
    policies: dict[str, Policy] = {}
    """For rogue armies (WF-GM-08)."""
    spells: dict[str, tuple[Spell, ...]] = {}
    """New ones by power, as are special commands (WF-GM-06)."""
    specials: dict[str, tuple[Special, ...]] = {}
    imperilled: dict[str, bool] = {}
    """Which armies think they will die, whatever the numbers (WF-GM-09)."""


def read(value: Any, form: type[Any], where: str) -> Any:
    """``value`` (JSON, or already such a struct) as ``form``. BadInput names the path below ``where``."""
    if type(value) is form:
        return value
    try:
        return msgspec.convert(msgspec.to_builtins(value), form)
    except msgspec.ValidationError as error:
        what, _, path = str(error).partition(" - at `")
        raise BadInput(where + path.rstrip("`").removeprefix("$"), what) from None
