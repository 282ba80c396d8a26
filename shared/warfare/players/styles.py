"""What sets the three levels apart, as data; the modules that play read it and hold no level's name."""

from typing import Final, NamedTuple


class Style(NamedTuple):
    """How a computer player fights and rules."""

    guess: float
    """Up to how much of an action's worth it misjudges, either way."""
    goals: float
    """What it thinks of goals, against what they are worth."""
    shares: bool
    """Whether its armies mind what the others of its side will do before them."""
    proposes: bool
    """Whether, as captain, it proposes goals and offers terms."""
    commits: bool
    """Whether it uses its secret assets and spells."""
    yields_at: int
    """It leaves the field, or accepts terms, when the enemy's strength is this many times its side's; 0: never."""
    dares: float
    """How many times the strength it sees against it an army of its own must have before it marches or declares."""
    arms: bool
    """Whether it forges."""


STYLES: Final[dict[str, Style]] = {
    "harmless": Style(
        guess=3.0, goals=1.0, shares=False, proposes=False, commits=False, yields_at=3, dares=4.0, arms=False
    ),
    "sound": Style(
        guess=0.4, goals=0.2, shares=False, proposes=False, commits=True, yields_at=0, dares=1.5, arms=False
    ),
    "strong": Style(
        guess=0.0, goals=0.35, shares=True, proposes=True, commits=True, yields_at=6, dares=1.2, arms=True
    ),
}
