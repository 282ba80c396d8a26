"""Matches as anyone may see them, seats, and what a creator and a player send."""

from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from gateway.schemas.text import DEFAULT_PAGE, Cursor, FactionName, Id, MatchName, PageSize, Seed
from shared.contracts import lobby

Opaque = Annotated[dict[str, Any], Meta(description="of the ruleset")]
NewSettings = Annotated[
    dict[str, Any], Meta(extra_json_schema={"$ref": "#/components/schemas/RulesetSettings"})
]
"""Of the ruleset, by the schema in /v1/rules/{ruleset}; the lobby has the ruleset check them."""


class NewMatch(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``cadence_hours`` or ``cadence_seconds`` (one that the operator allows), not both; 24 hours if neither.

    ``seed`` only where the operator allows trial seeds.
    """

    name: MatchName
    seats: Annotated[int, Meta(ge=2, le=50)]
    visibility: lobby.Visibility
    cadence_hours: Literal[6, 12, 24, 48] | None = None
    cadence_seconds: Annotated[int, Meta(ge=1, le=172_800)] | None = None
    ruleset: Annotated[str, Meta(min_length=1, max_length=40)] = "last-waters"
    settings: NewSettings = {}
    seed: Seed | None = None


class MatchQuery(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``status``: only matches in one of these. ``mine``: only those one has a seat in or created."""

    status: Annotated[tuple[lobby.Status, ...], Meta(min_length=1, max_length=3)] = (
        "lobby",
        "running",
        "ended",
    )
    mine: bool = False
    limit: PageSize = DEFAULT_PAGE
    cursor: Cursor | None = None


class SeatAnswer(msgspec.Struct, frozen=True):
    """``handle`` is null for a computer player and for a deleted account; ``bot`` is a computer player's level."""

    seat: int
    faction: str
    faction_name: str
    handle: str | None
    bot: str | None
    resigned: bool


class MatchAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """``now`` is the server's clock. ``seed`` once the match has ended; ``invite_code`` for the creator alone."""

    id: str
    name: str
    ruleset: str
    status: lobby.Status
    visibility: lobby.Visibility
    practice: bool
    seats_total: int
    seats: tuple[SeatAnswer, ...]
    cadence_seconds: int
    settings: Opaque
    tick: int
    now: datetime
    next_deadline: datetime | None
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None
    public: Opaque | None
    seed_commitment: str
    result: Opaque | None
    your_seat: int | None
    your_faction: str | None
    you_created: bool
    seed: str | UnsetType = UNSET
    invite_code: str | UnsetType = UNSET


class MatchPage(msgspec.Struct, frozen=True):
    items: tuple[MatchAnswer, ...]
    next_cursor: str | None


class Joining(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A private match wants its invite code."""

    invite_code: Id | None = None
    faction_name: FactionName | None = None


class NewBots(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``level`` is one of the ruleset's (GET /v1/rules/{ruleset})."""

    count: Annotated[int, Meta(ge=1, le=49)]
    level: Annotated[str, Meta(min_length=1, max_length=40)]


class AtTick(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """``tick``: an earlier one; the latest if absent."""

    tick: Annotated[int, Meta(ge=0, le=1_000_000)] | None = None


def match_answer(match: lobby.MatchDetail, *, invite: bool = True) -> MatchAnswer:
    """A match as its reader may see it. The allow-list: accounts are never in it."""
    yours = next((seat.faction for seat in match.seats if seat.seat == match.your_seat), None)
    return MatchAnswer(
        id=match.id,
        name=match.name,
        ruleset=match.ruleset,
        status=match.status,
        visibility=match.visibility,
        practice=match.practice,
        seats_total=match.seats_total,
        seats=tuple(
            SeatAnswer(
                seat=seat.seat,
                faction=seat.faction,
                faction_name=seat.faction_name,
                handle=seat.handle,
                bot=seat.bot,
                resigned=seat.resigned,
            )
            for seat in match.seats
        ),
        cadence_seconds=match.cadence_seconds,
        settings=opaque(match.settings),
        tick=match.tick,
        now=match.now,
        next_deadline=match.next_deadline,
        created_at=match.created_at,
        started_at=match.started_at,
        ended_at=match.ended_at,
        public=opaque(match.public),
        seed_commitment=match.seed_commitment,
        result=opaque(match.result),
        your_seat=match.your_seat,
        your_faction=yours,
        you_created=match.you_created,
        seed=match.seed if match.seed is not None and match.status == "ended" else UNSET,
        invite_code=match.invite_code
        if invite and match.invite_code is not None and match.you_created
        else UNSET,
    )


def opaque(raw: msgspec.Raw | None) -> Any:
    """A ruleset's JSON, handed on as it is."""
    return raw if raw is not None and bytes(raw) else None
