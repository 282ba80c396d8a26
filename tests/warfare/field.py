"""Battles for tests: armies as people write them on two or three sides, brought to the window a test needs."""

from collections.abc import Mapping, Sequence
from typing import Any

from shared.warfare.army import Army
from shared.warfare.battle import machine
from shared.warfare.battle.opening import Engagement, open_battle
from shared.warfare.battle.sides import Party
from shared.warfare.battle.state import Battle, Fighter
from shared.warfare.decisions import Event, Stepped
from shared.warfare.options import Options
from shared.warfare.reading import read_army
from shared.warfare.world import Hex, Site

DEFENDER = "p2"
PLAIN = {"ancestry": "orcs", "class": "levy"}
"""An ancestry without statics, keywords or triggers before it is wounded."""


def army(id: str, controller: str, **written: Any) -> Army:
    return read_army({**PLAIN, "units": 4, "id": id, "controller": controller, **written})


class Field:
    """A battle being stepped. ``a`` and ``b`` are the armies of p1 and p2, a mapping of id to what is written."""

    def __init__(
        self,
        a: Mapping[str, Mapping[str, Any]],
        b: Mapping[str, Mapping[str, Any]],
        c: Mapping[str, Mapping[str, Any]] | None = None,
        *,
        dice: Mapping[str, Sequence[int]] | None = None,
        terrain: str = "plains",
        wall: int = 0,
        parties: Sequence[Party] | None = None,
        answers: Mapping[str, Any] | None = None,
        options: Options | None = None,
        **engagement: Any,
    ) -> None:
        sides = {"p1": a, "p2": b, "p3": c or {}}
        here = [army(name, power, **w) for power, armies in sides.items() for name, w in armies.items()]
        if parties is None:
            parties = [Party(id="p1", seat=1, declares=True, against=("p2",)), Party(id="p2", seat=2)]
            if c:
                parties[0] = Party(id="p1", seat=1, declares=True, against=("p2", "p3"))
                parties.append(Party(id="p3", seat=3, declares=True, against=("p1", "p2")))
        sites = (Site(id="fort", kind="stronghold", owner=DEFENDER, wall=wall),) if wall else ()
        self.opened = open_battle(
            Engagement(
                seed="field",
                season=1,
                hex=Hex(at=(0, 0), terrain=terrain, sites=sites),  # type: ignore[arg-type]
                parties=tuple(parties),
                here=tuple(here),
                options=options or Options(),
                given={name: tuple(faces) for name, faces in (dice or {}).items()},
                **engagement,
            )
        )
        self.now: Stepped[Battle] = self.opened
        self.events: list[Event] = list(self.opened.events)
        if self.asked("D-07"):
            self.answer(**(answers or {}))

    @property
    def battle(self) -> Battle:
        return self.now.state

    def __getitem__(self, id: str) -> Fighter:
        return next(fighter for fighter in self.battle.fighters if fighter.id == id)

    def asked(self, kind: str) -> list[str]:
        """The powers now asked ``kind``."""
        return [decision.power for decision in self.now.decisions if decision.kind == kind]

    def question(self, power: str) -> dict[str, Any]:
        return next(one.question for one in machine.decisions(self.battle) if one.power == power)

    def answer(self, **by_power: Any) -> list[Event]:
        """Closes the window with these answers; what happened."""
        ids = {decision.power: decision.id for decision in self.now.decisions}
        self.now = machine.step(self.battle, {ids[power]: answer for power, answer in by_power.items()})
        self.events += self.now.events
        return list(self.now.events)

    def until(self, kind: str, round_: int | None = None) -> "Field":
        """On with defaults to the next window of ``kind``."""
        while self.now.decisions and not (
            self.now.decisions[0].kind == kind and round_ in (None, self.battle.round)
        ):
            self.answer()
        return self

    def commands(self, **sheets: list[dict[str, Any]]) -> list[Event]:
        """From here through the Commands window of this round, armies without an entry resting."""
        self.until("D-11")
        return self.answer(**{power: {"entries": entries} for power, entries in sheets.items()})

    def of(self, kind: str) -> list[dict[str, Any]]:
        """Facts of all events of a kind so far."""
        return [event.facts for event in self.events if event.kind == kind]


def units(fighter: Fighter) -> str:
    """As the worked examples write them: wounds, r for routed, x for slain."""
    marks = {"active": "", "routed": "r", "slain": ""}
    return ",".join(
        "x" if unit.state == "slain" else f"{unit.wounds}{marks[unit.state]}" for unit in fighter.units
    )
