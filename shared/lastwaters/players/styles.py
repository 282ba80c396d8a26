"""What sets the three levels apart, as data; the modules that plan read it and hold no level's name."""

from typing import Final, NamedTuple


class Style(NamedTuple):
    """How a computer player plays. Percents are of what it reckons with."""

    holds_wanted: int
    """It takes no neutral ground beyond this many holds."""
    margin: int
    """Attack power it brings against neutrals, in percent of the defence. From 123 on no draw can turn it (C-07)."""
    attacks: bool
    """Whether it ever attacks other factions."""
    enemy_margin: int
    """As ``margin``, against another faction's garrison with the recruits that could join it."""
    offensive: bool
    """Whether what is left over raises units to attack with, rather than militia to guard."""
    caution: int
    """Defence it keeps where an attack could arrive, in percent of that attack; 0: it guards nothing."""
    pacts: bool
    """Whether it offers and accepts pacts."""
    builds_a_tick: int
    research: tuple[str, ...]
    """The order in which it learns."""


_ECONOMY = ("cistern-works", "deep-roots", "scrapcraft", "common-stores")

STYLES: Final[dict[str, Style]] = {
    "harmless": Style(
        holds_wanted=4,
        margin=160,
        attacks=False,
        enemy_margin=0,
        offensive=False,
        caution=0,
        pacts=False,
        builds_a_tick=1,
        research=("deep-roots", "cistern-works"),
    ),
    "sound": Style(
        holds_wanted=1000,
        margin=130,
        attacks=True,
        enemy_margin=200,
        offensive=False,
        caution=110,
        pacts=False,
        builds_a_tick=4,
        research=(*_ECONOMY, "muster-discipline", "iron-ranks", "grafted-orchards", "palisade-craft"),
    ),
    "strong": Style(
        holds_wanted=1000,
        margin=123,
        attacks=True,
        enemy_margin=115,
        offensive=True,
        caution=60,
        pacts=True,
        builds_a_tick=6,
        research=(*_ECONOMY, "outrider-drills", "muster-discipline", "long-roads", "iron-ranks", "signaling"),
    ),
}
"""Weakest first."""
