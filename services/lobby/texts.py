"""The form of what players call things: matches and factions."""

import unicodedata

from shared.contracts.base import Refusal

REFUSED_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Control characters, invisible ones (some rearrange the text around them, with others two names look the same),
lone surrogates, line and paragraph separators."""
JOINERS = "\u200c\u200d"
"""Invisible too, but scripts and emoji are written with them: allowed, and names that differ in them alone are one."""


def check_name(given: str, what: str, longest: int) -> str:
    """``given`` without white space at its ends. Refusal malformed for what nobody should have to read."""
    name = given.strip()
    if not without_joiners(name).strip() or len(name) > longest:
        raise Refusal("malformed", f"{what} has 1 to {longest} characters.")
    if any(unicodedata.category(character) in REFUSED_CATEGORIES for character in without_joiners(given)):
        raise Refusal("malformed", f"{what} holds no control characters and no invisible ones.")
    if not unicodedata.is_normalized("NFC", name):
        raise Refusal("malformed", f"{what} is in Unicode normal form C.")
    return name


def folded(name: str) -> str:
    """Names that look alike but for case are the same."""
    return unicodedata.normalize("NFC", without_joiners(name).casefold())


def without_joiners(text: str) -> str:
    return text.translate(dict.fromkeys(map(ord, JOINERS)))
