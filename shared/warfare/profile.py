"""What class, keywords and ancestry come to together: the content's rows summed up for one kind of army."""

from functools import lru_cache
from typing import Final, NamedTuple

from shared.warfare.content.ancestries import ANCESTRIES, MORTAL, TERRESTRIAL, WILD
from shared.warfare.content.classes import CLASSES
from shared.warfare.content.keywords import KEYWORDS, ORDER
from shared.warfare.content.tables import CAPACITY, RESISTS
from shared.warfare.effects import (
    Assists,
    Deals,
    Effect,
    Grants,
    May,
    On,
    Point,
    Raise,
    Row,
    Trait,
    While,
)

AT_COMMAND: Final[tuple[Point, ...]] = ("commanded", "command-done", "presence-checked")


class Reaction(NamedTuple):
    """A trigger and the row it stands in; ``key`` marks its once-a-round use."""

    on: On
    key: str


class Profile(NamedTuple):
    raises: dict[str, int]
    traits: dict[str, int]
    whiles: dict[str, tuple[While, ...]]
    """By number."""
    reactions: dict[Point, tuple[Reaction, ...]]
    """Class first, then keywords in canonical order, then ancestry (WF-GEN-07)."""
    options: dict[str, May]
    switches: tuple[str, ...]
    """Of spends at its own command, which a command sheet may override."""
    deals: tuple[Deals, ...]
    assists: tuple[str, ...]
    element: str
    mortal: bool
    capacity: int
    resists: int


@lru_cache(maxsize=4096)
def profile(ancestry: str, class_: str, keywords: tuple[str, ...]) -> Profile:
    rows: list[Row] = [
        CLASSES[class_],
        *(KEYWORDS[name] for name in in_order(keywords)),
        ANCESTRIES[ancestry],
    ]
    raises: dict[str, int] = {}
    traits: dict[str, int] = {}
    whiles: dict[str, list[While]] = {}
    reactions: dict[Point, list[Reaction]] = {}
    options: dict[str, May] = {}
    switches: list[str] = []
    deals: list[Deals] = []
    assists: list[str] = []
    for row in rows:
        for index, effect in enumerate(row.effects):
            match effect:
                case Raise():
                    raises[effect.attribute] = raises.get(effect.attribute, 0) + effect.by
                case Trait():
                    traits[effect.name] = max(traits.get(effect.name, effect.value), effect.value)
                case While():
                    whiles.setdefault(effect.number, []).append(effect)
                case On():
                    reactions.setdefault(effect.point, []).append(Reaction(effect, f"{row.rule}.{index}"))
                    if effect.switch and effect.point in AT_COMMAND and effect.switch not in switches:
                        switches.append(effect.switch)
                case May():
                    options[effect.option] = effect
                case Deals():
                    deals.append(effect)
                case Assists():
                    assists.append(effect.domain)
                case Grants():
                    pass  # already among the card's keywords
    kind = ANCESTRIES[ancestry]
    return Profile(
        raises=raises,
        traits=traits,
        whiles={number: tuple(found) for number, found in whiles.items()},
        reactions={point: tuple(found) for point, found in reactions.items()},
        options=options,
        switches=tuple(switches),
        deals=tuple(deals),
        assists=tuple(assists),
        element=WILD if "wild" in traits else kind.element,
        mortal=kind.group == MORTAL,  # WF-CARD-09
        capacity=traits.get("capacity", CAPACITY),
        resists=traits.get("resists", RESISTS),
    )


def in_order(keywords: tuple[str, ...]) -> tuple[str, ...]:
    """Keywords in the order of section 16."""
    return tuple(sorted(keywords, key=ORDER.__getitem__))


def granted(effects: tuple[Effect, ...]) -> tuple[str, ...]:
    """The keywords that come with a row."""
    return tuple(effect.keyword for effect in effects if isinstance(effect, Grants))


def elements(element: str) -> tuple[str, ...]:
    """The elements whose damage an army of ``element`` resists (WF-CARD-11)."""
    return TERRESTRIAL if element == WILD else (element,)
