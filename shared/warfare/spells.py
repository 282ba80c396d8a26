"""What special commands, spells and orders of a game master may do: the vocabulary of WF-CMD-07, and their cards."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from shared.warfare.policy import DamageType

Small = Annotated[int, Meta(ge=-20, le=20)]
Positive = Annotated[int, Meta(ge=1, le=100)]
Target = Literal["self", "target"]
"""``self`` is the army commanded; a spell, which no army casts, reaches targets only."""
Kind = Literal["plain", "assured", "critical"]


class DoAttack(
    Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    tag_field="do",
    tag="attack",
):
    static: Small = 0
    mode: Literal["melee", "airborne", "ranged"] | None = None
    type: DamageType | None = None


class DoPresence(
    Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    tag_field="do",
    tag="presence",
):
    static: Small = 0


class DoRest(
    Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    tag_field="do",
    tag="rest",
):
    momentum: Positive = 1


class DoStatus(
    Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    tag_field="do",
    tag="status",
):
    name: str
    x: Positive
    target: Target = "target"


class DoMomentum(
    Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    tag_field="do",
    tag="momentum",
):
    n: Small
    target: Target = "target"


class DoArmor(
    Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    tag_field="do",
    tag="armor",
):
    n: Small
    target: Target = "target"


class DoDamage(
    Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    tag_field="do",
    tag="damage",
):
    n: Positive
    type: DamageType = "untyped"
    target: Target = "target"


class DoRally(
    Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    tag_field="do",
    tag="rally",
):
    n: Positive
    target: Target = "target"


class DoEscalation(
    Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    tag_field="do",
    tag="escalation",
):
    n: Small


Form = DoAttack | DoPresence | DoRest | DoStatus | DoMomentum | DoArmor | DoDamage | DoRally | DoEscalation


class Special(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A special command (WF-CMD-06): momentum ``cost`` paid by the army commanded; ``uses`` a battle."""

    id: str
    effects: tuple[Form, ...]
    cost: Annotated[int, Meta(ge=0, le=100)] = 0
    uses: Positive = 1


class Spell(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A fast spell (WF-RND-06)."""

    id: str
    element: Literal["A", "F", "E", "W", "L", "D"]
    rank: Annotated[int, Meta(ge=0, le=20)]
    effects: tuple[Form, ...]
    tags: tuple[Literal["mental", "illusion"], ...] = ()


class Asset(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """WF-AST-04. ``special`` or ``spell`` when it holds one (WF-AST-07, WF-RND-09)."""

    id: str
    owner: str = ""
    kind: Kind = "plain"
    bonus: Positive = 1
    domains: tuple[str, ...] = ()
    uses: Annotated[int, Meta(ge=1)] | None = None
    """Challenges it is good for; null is one a season for ever."""
    battle: bool = True
    special: Special | None = None
    spell: Spell | None = None
