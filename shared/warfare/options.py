"""What may be set about a match (section 26)."""

from typing import Annotated, Literal

from msgspec import Meta, Struct


class Options(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    actions_per_season: Annotated[int, Meta(ge=1, le=20)] = 3
    challenge_rating: Annotated[int, Meta(ge=0, le=50)] = 8
    max_assets: Annotated[int, Meta(ge=0, le=20)] = 3
    command_mode: Literal["sheet", "step"] = "sheet"
    levelup_pick: Literal["per_die", "free"] = "per_die"
    depop_orphan_recovery: Annotated[int, Meta(ge=0, le=10)] = 1
    road_cost: Annotated[int, Meta(ge=0, le=1)] = 0
    wall_threshold_by_rank: bool = True
    gm_seat: bool = False
    rounds: Annotated[int, Meta(ge=1, le=7)] = 7
    seasons: Annotated[int, Meta(ge=1, le=50)] = 12
    draft_budget: Annotated[int, Meta(ge=2, le=1000)] = 60
    """A levy of one costs two."""
