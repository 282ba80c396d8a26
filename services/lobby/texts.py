"""The form of what players call things: matches and factions."""

import unicodedata

from shared.contracts.base import Refusal

REFUSED_CATEGORIES = frozenset({"Cc", "Cs", "Zl", "Zp"})
"""Control characters, lone surrogates, line and paragraph separators."""
BIDI_CONTROLS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""They would let a name rearrange the text around it."""


def check_name(given: str, what: str, longest: int) -> str:
    """``given`` without white space at its ends. Refusal malformed for what nobody should have to read."""
    name = given.strip()
    if not 1 <= len(name) <= longest:
        raise Refusal("malformed", f"{what} has 1 to {longest} characters.")
    if any(
        unicodedata.category(character) in REFUSED_CATEGORIES or character in BIDI_CONTROLS
        for character in given
    ):
        raise Refusal("malformed", f"{what} holds no control characters.")
    if not unicodedata.is_normalized("NFC", name):
        raise Refusal("malformed", f"{what} is in Unicode normal form C.")
    return name


def folded(name: str) -> str:
    """Names that look alike but for case are the same."""
    return unicodedata.normalize("NFC", name.casefold())
