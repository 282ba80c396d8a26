"""Commands (section 9): the four of every army, and the signature commands of Greybeards."""

from typing import Final, NamedTuple

from shared.warfare.spells import DoAttack, DoPresence, DoRest, DoStatus, Form, Special


class Command(NamedTuple):
    rule: str
    effects: tuple[Form, ...]
    cost: int = 0
    """Momentum."""
    charges: bool = False


COMMANDS: Final[dict[str, Command]] = {
    "slay": Command("WF-CMD-01", (DoAttack(static=1),)),
    "hold": Command("WF-CMD-02", (DoPresence(static=1),)),
    "charge": Command("WF-CMD-03", (DoAttack(), DoPresence()), cost=1, charges=True),
    "rest": Command("WF-CMD-04", (DoRest(momentum=1),)),
}

SIGNATURES: Final[dict[str, Special]] = {  # WF-CMD-08
    "onslaught": Special(id="onslaught", cost=1, effects=(DoAttack(static=2),)),
    "stand-fast": Special(id="stand-fast", cost=1, effects=(DoPresence(static=2),)),
    "second-wind": Special(id="second-wind", effects=(DoRest(momentum=3),)),
    "steady": Special(
        id="steady", effects=(DoStatus(name="emboldened", x=2, target="self"), DoPresence(static=0))
    ),
}
