"""What the engine asks (WF-GEN-01, section 20): decisions, their table, and what a step hands back."""

from typing import Any, Final, Generic, NamedTuple, TypeVar

from msgspec import Struct

from shared.warfare import answers
from shared.warfare.errors import BadInput
from shared.warfare.season.drafts import Draft
from shared.warfare.season.orders import Orders


class Kind(NamedTuple):
    """A row of section 20: how it is called, the form of its answer, and the default in words."""

    name: str
    form: type[Struct]
    default: str


KINDS: Final[dict[str, Kind]] = {
    "D-01": Kind("tidings.disband", answers.Disband, "no army is disbanded or released"),
    "D-02": Kind("tidings.support", answers.Support, "the support order pays"),
    "D-03": Kind("season.orders", Orders, "no orders"),
    "D-04": Kind("level.choice", answers.LevelChoice, "the level-up policy picks"),
    "D-05": Kind("battle.declare", answers.Declare, "no battle is declared"),
    "D-06": Kind("battle.join", answers.Join, "out"),
    "D-07": Kind("battle.setup", answers.Setup, "all armies in the hex in line, nothing else"),
    "D-08": Kind("battle.gm", answers.GmSetup, "automatic rulings"),
    "D-09": Kind("round.deploy", answers.Deploy, "each army's deployment policy"),
    "D-10": Kind("round.spell", answers.Cast, "no spell"),
    "D-11": Kind("round.commands", answers.Commands, "each army's stance"),
    "D-12": Kind("goals.offer", answers.Offer, "the captain's offer policy"),
    "D-13": Kind("goals.answer", answers.Reply, "the surrender policy"),
    "D-14": Kind("cleanup.withdraw", answers.Withdraw, "each army's retreat and shed policies"),
    "D-15": Kind("season.heal", answers.Heal, "each army's heal policy"),
    "D-16": Kind("season.fees", answers.Fees, "each army's fee policy"),
    "D-17": Kind("season.desertion", answers.Desertions, "the dice decide"),
    "draft": Kind("battle.draft", Draft, "four-unit armies of rank 2, as many as the budget allows"),
}
GM: Final = "gm"
"""Who answers for a game master, and the id under which its orders stand beside any window (WF-DEC-08)."""
MARKS: Final = "#:|/ "
"""What ids of decisions, rolls and assets put between the names in them."""


def check_power(name: str, where: str) -> None:
    """BadInput for what no power can be called."""
    if not name or name == GM or any(mark in name for mark in MARKS):
        raise BadInput(where, f"no name of a power: {GM!r}, nothing, or one of {MARKS!r} in it")


class Decision(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One open question to one power.

    ``id`` is unique in a match and stays the same as long as the question is open. ``question`` holds everything
    that may be answered, as JSON: the choices by field of the answer, with costs and limits. ``default`` is the
    answer that stands when none is given, or null where policies answer; ``otherwise`` says it in words.
    """

    id: str
    kind: str
    power: str
    question: dict[str, Any]
    default: Any = None
    otherwise: str = ""
    battle: str | None = None

    @property
    def name(self) -> str:
        return KINDS[self.kind].name


class Event(Struct, frozen=True, omit_defaults=True):
    """Something that happened. ``to``: who may know it; null is every participant, empty only the game master."""

    kind: str
    facts: dict[str, Any] = {}
    to: tuple[str, ...] | None = None


S = TypeVar("S")


class Stepped(NamedTuple, Generic[S]):
    """What ``step`` returns. No decisions: the machine has ended."""

    state: S
    events: tuple[Event, ...]
    decisions: tuple[Decision, ...]
