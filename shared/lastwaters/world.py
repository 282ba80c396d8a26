"""The snapshot of contract.md as values: what a match is between two ticks.

The structs are frozen; the dicts in them are treated as frozen too: whoever changes a garrison makes a new one.
``read_snapshot`` decodes and checks one (``soundness``); ``encode`` writes the canonical form.
"""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from shared.lastwaters.errors import BadInput

Id = Annotated[str, Meta(min_length=1, max_length=200)]
Whole = Annotated[int, Meta(ge=0, le=10**15)]
"""Counts of resources, ticks and the like; the bound keeps every power of a battle within 64 bits."""
Count = Annotated[int, Meta(ge=1, le=10**12)]
Position = Annotated[int, Meta(ge=-(10**9), le=10**9)]
Seed = Annotated[str, Meta(pattern="^[0-9a-fA-F]{1,64}\\Z")]
Units = dict[str, Count]
"""Unit type to count."""
Garrison = dict[str, Units]
"""Faction (or ``neutral``) to its units."""


class Resources(Struct, frozen=True, forbid_unknown_fields=True):
    water: Whole
    scrap: Whole
    grain: Whole


class Research(Struct, frozen=True, forbid_unknown_fields=True):
    tech: str
    progress: Whole
    """Hundredths of a tick (S-03)."""


class Faction(Struct, frozen=True, forbid_unknown_fields=True):
    id: Id
    seat: Annotated[int, Meta(ge=1)]
    name: str
    stock: Resources
    techs: tuple[str, ...]
    """In the order they were learned."""
    research: Research | None
    eliminated_tick: Whole | None


class Hold(Struct, frozen=True, forbid_unknown_fields=True):
    id: Id
    name: str
    x: Position
    y: Position
    owner: str | None
    yields: Resources
    buildings: tuple[str, ...]
    garrison: Garrison


class Pact(Struct, frozen=True, forbid_unknown_fields=True):
    members: tuple[str, str]
    formed_tick: Whole


class Proposal(Struct, frozen=True, forbid_unknown_fields=True):
    from_: str = msgspec.field(name="from")
    to: str
    tick: Whole


class Truce(Struct, frozen=True, forbid_unknown_fields=True):
    members: tuple[str, str]
    last_tick: Whole


class Result(Struct, frozen=True, forbid_unknown_fields=True):
    winner: str
    by: Literal["elimination", "time-cap"]
    tick: Whole


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    tick_cap: Annotated[int, Meta(ge=1, le=50)]


class Snapshot(Struct, frozen=True, forbid_unknown_fields=True):
    """The state after ``tick`` ticks. Lists are sorted as contract.md says."""

    ruleset: Literal["last-waters"]
    rules_version: Literal[1]
    match_id: str
    seed: Seed
    tick: Whole
    settings: Settings
    factions: tuple[Faction, ...]
    holds: tuple[Hold, ...]
    routes: tuple[tuple[str, str], ...]
    pacts: tuple[Pact, ...]
    proposals: tuple[Proposal, ...]
    truces: tuple[Truce, ...]
    result: Result | None


def encode(value: Any) -> bytes:
    """The canonical form (contract.md) of a struct of this library, or of plain JSON without floats."""
    return msgspec.json.encode(value, order="sorted")


def convert(value: Any, type_: Any, where: str) -> Any:
    """Decoded JSON as ``type_``; BadInput names the path below ``where``."""
    try:
        return msgspec.convert(value, type_)
    except msgspec.ValidationError as error:
        raise _located(error, where) from None


def decode(raw: bytes | str, type_: Any, where: str) -> Any:
    """JSON text as ``type_``; BadInput names the path below ``where``."""
    try:
        return msgspec.json.decode(raw, type=type_)
    except msgspec.ValidationError as error:
        raise _located(error, where) from None
    except (msgspec.DecodeError, UnicodeError) as error:
        raise BadInput(where, f"not JSON ({error})") from None
    except RecursionError:
        raise BadInput(where, "nested too deep") from None


def _located(error: msgspec.ValidationError, where: str) -> BadInput:
    what, _, path = str(error).partition(" - at `")
    return BadInput(where + path.rstrip("`").removeprefix("$"), what)


def read_snapshot(value: Any, where: str = "snapshot") -> Snapshot:
    """Decoded JSON, or its text, as a sound snapshot. BadInput where it breaks contract.md."""
    from shared.lastwaters.soundness import check

    if isinstance(value, bytes | str):
        snapshot: Snapshot = decode(value, Snapshot, where)
    else:
        snapshot = convert(value, Snapshot, where)
    check(snapshot, where)
    return snapshot
