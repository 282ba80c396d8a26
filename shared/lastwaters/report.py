"""The forms of a report (P-01, P-02); ``reports`` writes them."""

from msgspec import UNSET, Struct, UnsetType, field

from shared.lastwaters.record import Battle, Losses, Offer, PactBroken
from shared.lastwaters.world import Resources, Result


class OrderLine(Struct, frozen=True):
    """One own order; ``words`` is the reason in plain words, left out when it is done."""

    order: str
    seq: int
    kind: str | UnsetType
    status: str
    reason: str | None
    words: str | UnsetType = UNSET


class ResourcesLine(Struct, frozen=True):
    """``yields`` came in; the rest was spent."""

    yields: Resources
    recruits: Resources
    builds: Resources
    research: Resources


class UnitsLine(Struct, frozen=True):
    """``cause``: recruited, battle or eliminated."""

    hold: str
    cause: str
    units: dict[str, int]


class HoldLine(Struct, frozen=True):
    """A hold won from, or lost to, ``other``; left out if it was nobody's."""

    hold: str
    other: str | UnsetType


class BuildingLine(Struct, frozen=True):
    """``cause``: built or captured."""

    hold: str
    building: str
    cause: str


class Balance(Struct, frozen=True):
    """What was gained and what was lost."""

    units_gained: tuple[UnitsLine, ...]
    units_lost: tuple[UnitsLine, ...]
    holds_gained: tuple[HoldLine, ...]
    holds_lost: tuple[HoldLine, ...]
    buildings_gained: tuple[BuildingLine, ...]
    buildings_lost: tuple[BuildingLine, ...]
    techs_gained: tuple[str, ...]
    research_started: str | UnsetType = UNSET


class Event(Struct, frozen=True, kw_only=True):
    """Something at a hold. ``kind``: recruited (units), built (building), left (units), arrived (units),
    captured (from, left out if it was nobody's; faction is the taker)."""

    hold: str
    kind: str
    faction: str
    units: dict[str, int] | UnsetType = UNSET
    building: str | UnsetType = UNSET
    from_: str | UnsetType = field(name="from", default=UNSET)


class ToldAssault(Struct, frozen=True):
    """An assault as told to those without units in it: sides and losses, neither powers nor variations."""

    defender: str
    defenders: tuple[str, ...]
    attackers: tuple[str, ...]
    attack_losses: Losses
    defence_losses: Losses


class ToldBattle(Struct, frozen=True):
    hold: str
    assaults: tuple[ToldAssault, ...]
    owner_before: str | None
    owner_after: str | None


class Public(Struct, frozen=True):
    """What everybody is told. ``end`` is left out while the match goes on."""

    pacts_formed: tuple[tuple[str, str], ...]
    pacts_broken: tuple[PactBroken, ...]
    eliminated: tuple[str, ...]
    end: Result | UnsetType = UNSET


class Report(Struct, frozen=True):
    """One faction's report of tick ``tick``. One eliminated before the tick has ``silent`` true and nothing else to
    read: it gets no new report (T-06)."""

    faction: str
    tick: int
    silent: bool
    orders: tuple[OrderLine, ...]
    """By seq."""
    resources: ResourcesLine
    balance: Balance
    events: tuple[Event, ...]
    """By hold, then in the order of the phases."""
    battles: tuple[Battle, ...]
    """Fought where it had units: whole."""
    battles_seen: tuple[ToldBattle, ...]
    """Fought where it looked on."""
    proposed: tuple[Offer, ...]
    withdrawn: tuple[Offer, ...]
    """Proposals made and closed that it is a party to."""
    public: Public
