"""Kinds of text and number that several bodies share."""

from typing import Annotated

from msgspec import Meta

LINE_END = r"$(?!\n)"
"""The end of the text: Python's ``$`` also matches before a last newline. OpenAPI shows a plain ``$``."""

Handle = Annotated[
    str,
    Meta(min_length=3, max_length=32, pattern=r"^[a-z0-9_-]+" + LINE_END, description="a-z, 0-9, _ and -"),
]
Password = Annotated[str, Meta(min_length=10, max_length=256)]
GivenPassword = Annotated[str, Meta(max_length=256, description="the password to check")]
MatchName = Annotated[str, Meta(min_length=1, max_length=80, pattern=r"^[^\x00-\x1f\x7f-\x9f]+" + LINE_END)]
FactionName = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=40,
        pattern=r"^[^\x00-\x1f\x7f-\x9f]+" + LINE_END,
        description="unique in the match when case-folded; in Unicode's form NFC",
    ),
]
MessageText = Annotated[
    str, Meta(min_length=1, max_length=4_000, description="1 to 2,000 characters after trimming")
]
Id = Annotated[str, Meta(min_length=1, max_length=64)]
Parties = Annotated[
    str,
    Meta(
        min_length=1, max_length=2_000, description="the other parties' faction ids, sorted, joined by commas"
    ),
]
Seed = Annotated[str, Meta(pattern=r"^[0-9a-f]{1,64}" + LINE_END)]
Tick = Annotated[int, Meta(ge=0, le=1_000_000)]
PageSize = Annotated[int, Meta(ge=1, le=200)]
Cursor = Annotated[str, Meta(min_length=1, max_length=500)]
DEFAULT_PAGE = 50
