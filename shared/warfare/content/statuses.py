"""Statuses (section 18), in canonical order."""

from typing import Final, NamedTuple


class Status(NamedTuple):
    """``dice`` are added to a check's pool for each stack; the other effects are the same for any stack."""

    rule: str
    title: str
    negative: bool
    opposite: str = ""
    dice: tuple[tuple[str, int], ...] = ()
    defense: int = 0
    seals_armor: bool = False
    """Armor is neither gained nor restored (WF-STA-25)."""
    burns: str = ""
    """A wound of this damage each Cleanup (WF-STA-24)."""
    frightens: bool = False
    """A morale challenge of rank X each Cleanup (WF-STA-02)."""
    taunts: bool = False
    flies: bool = False


def _all(by: int) -> tuple[tuple[str, int], ...]:
    return (("attack", by), ("presence", by), ("morale", by))


STATUSES: Final[dict[str, Status]] = {
    "burning": Status("WF-STA-01", "Burning", True, seals_armor=True, burns="burn"),
    "frightened": Status("WF-STA-02", "Frightened", True, frightens=True),
    "vulnerable": Status("WF-STA-03", "Vulnerable", True, defense=-2),
    "weakened": Status("WF-STA-04", "Weakened", True, "strengthened", (("attack", -1),)),
    "pinned": Status("WF-STA-05", "Pinned", True, "mobile", (("presence", -1),)),
    "scattered": Status("WF-STA-06", "Scattered", True, "emboldened", (("morale", -1),)),
    "strengthened": Status("WF-STA-07", "Strengthened", False, "weakened", (("attack", 1),)),
    "mobile": Status("WF-STA-08", "Mobile", False, "pinned", (("presence", 1),)),
    "emboldened": Status("WF-STA-09", "Emboldened", False, "scattered", (("morale", 1),)),
    "frozen": Status("WF-STA-10", "Frozen", True, "hastened", _all(-1)),
    "hastened": Status("WF-STA-11", "Hastened", False, "frozen", _all(1)),
    "taunt": Status("WF-STA-12", "Taunt", False, taunts=True),
    "flying": Status("WF-STA-13", "Flying", False, flies=True),
}
