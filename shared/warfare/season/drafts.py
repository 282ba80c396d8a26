"""The form of a draft: the answer a player gives before a single battle (WF-CMP-10)."""

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from shared.warfare.army import Bonus
from shared.warfare.content.tables import DRAFT_ARMIES, DRAFT_RANK, DRAFT_SIZE
from shared.warfare.policy import Policy

Word = Annotated[str, Meta(min_length=1, max_length=50)]


class Drafted(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """An army as a controlled build (WF-LVL-06). ``bonus`` is the template's; ``levels`` has three different bonuses
    for each rank above 1; ``class`` is taken at the first level, or a titan's at once."""

    name: Annotated[str, Meta(max_length=100)] = ""
    ancestry: Word
    class_: Word = msgspec.field(name="class", default="levy")
    size: Annotated[int, Meta(ge=1, le=DRAFT_SIZE)]
    tier: Annotated[int, Meta(ge=0, le=4)] = 0
    bonus: Bonus
    levels: Annotated[tuple[tuple[Bonus, Bonus, Bonus], ...], Meta(max_length=DRAFT_RANK - 1)] = ()
    premium: Word | None = None
    signature: Word | None = None
    policy: Policy = Policy()


class Draft(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    armies: Annotated[tuple[Drafted, ...], Meta(min_length=DRAFT_ARMIES[0], max_length=DRAFT_ARMIES[1])]
