"""Plays a worked battle of ``vectors/``: armies, given dice, then steps, each with what must be so after it.

A case has ``armies`` by power (as ``reading`` takes them; those without an entry rest), and optionally ``terrain``,
``wall``, ``near`` (armies that may reinforce, with a ``distance``), ``sides``, ``setup`` (answers to D-07),
``champion``, ``given`` (what armies have when the first command is due) and ``dice`` (faces by roll name). A step
does one thing:

``command`` one entry of a command sheet · ``until`` [kind, round] on with defaults to that window · ``answer`` the
open window, by power · ``set`` changes armies · ``escalate`` sets escalation by side

and then looks: ``then`` at armies, ``events`` (each must be among those of the step), ``never`` (kinds so far),
``goals``, ``escalation``, ``order``, ``open`` goals and ``valid`` targets by army, ``rolled`` morale rolls by army,
``commanded`` the order of commands, ``champions_slain``, ``tier``, ``fates`` of armies once the battle has ended.
"""

from typing import Any

from shared.warfare.army import Unit
from shared.warfare.battle import checks, presence, targets
from shared.warfare.battle.opening import Near
from shared.warfare.battle.outcome import outcome
from shared.warfare.battle.sides import Party
from shared.warfare.battle.state import Battle, Bond, Fighter
from shared.warfare.battle.work import Work
from shared.warfare.content.tables import CAPACITY
from shared.warfare.options import Options
from tests.warfare.field import Field, army, units

RESTS = {"stance": "rest"}
STEPWISE = Options(command_mode="step")
POOLS = ("attack", "presence", "morale")


class Worked:
    """One case of a vector, stepped."""

    def __init__(self, case: dict[str, Any]) -> None:
        armies = {
            power: {name: _resting(written) for name, written in theirs.items()}
            for power, theirs in case["armies"].items()
        }
        self.field = Field(
            armies["p1"],
            armies["p2"],
            armies.get("p3"),
            dice=case.get("dice"),
            terrain=case.get("terrain", "plains"),
            wall=case.get("wall", 0),
            parties=_parties(case),
            answers=case.get("setup"),
            options=STEPWISE,
            near=tuple(
                Near(army(name, one.pop("power"), **_resting(one)), distance)
                for name, written in case.get("near", {}).items()
                for one in [dict(written)]
                for distance in [one.pop("distance")]
            ),
        )
        self.fresh = list(self.field.events)
        self._set(case.get("given", {}))
        if "order_given" in case:
            self.field.battle.order = case["order_given"]

    def do(self, step: dict[str, Any]) -> None:
        """The step's deed; what it looks at is ``look``'s."""
        before = len(self.field.events)
        if "command" in step:
            self._command(step["command"])
        elif "until" in step:
            self.field.until(*step["until"])
        elif "answer" in step:
            self.field.answer(**step["answer"])
        self._set(step.get("set", {}))
        for side, escalation in zip(self.field.battle.sides, step.get("escalate", ()), strict=False):
            side.escalation = escalation
        if before != len(self.field.events):
            self.fresh = self.field.events[before:]

    def _command(self, entry: dict[str, Any]) -> None:
        """On with defaults to the turn of the army's power, then this entry."""
        power = self.field[entry["army"]].power
        while self.field.asked("D-11") != [power]:
            assert self.field.asked("D-11"), f"it is never {power}'s turn"
            self.field.answer()
        self.field.answer(**{power: {"entries": [entry]}})

    def _set(self, armies: dict[str, dict[str, Any]]) -> None:
        for name, changes in armies.items():
            fighter = self.field[name]
            for what, value in changes.items():
                if what == "bonds":
                    fighter.bonds = [Bond(*bond) for bond in value]
                elif what == "active":
                    for unit in fighter.units[value:]:
                        unit.state = "routed"
                elif what == "units":
                    fighter.units = [_unit(one) for one in value.split(",")]
                    fighter.slain = any(unit.state == "slain" for unit in fighter.units)
                else:
                    setattr(fighter, what, dict(value) if isinstance(value, dict) else value)

    def look(self, step: dict[str, Any]) -> dict[str, Any]:
        """What is there, in the words of the step's expectations."""
        battle = self.field.battle
        work = Work(battle)
        goals = {goal.id: goal for goal in battle.goals}
        found: dict[str, Any] = {
            "then": {
                name: {what: _seen(work, self.field[name], what) for what in wanted}
                for name, wanted in step.get("then", {}).items()
            },
            "goals": {
                name: {what: getattr(goals[name], what) for what in wanted}
                for name, wanted in step.get("goals", {}).items()
            },
            "escalation": [side.escalation for side in battle.sides],
            "order": battle.order,
            "open": {
                name: [goal.id for goal in presence.open_to(work, self.field[name])]
                for name in step.get("open", ())
            },
            "valid": {
                name: sorted(one.id for one in targets.valid(work, me, targets.mode_of(work, me)))
                for name in step.get("valid", ())
                for me in [self.field[name]]
            },
            "rolled": {
                name: [facts["purpose"] for facts in self.field.of("morale") if facts["army"] == name]
                for name in step.get("rolled", ())
            },
            "commanded": [facts["army"] for facts in self.field.of("command")],
            "champions_slain": [power.id for power in battle.powers if power.champion_slain],
            "fates": _fates(battle) if "fates" in step else {},
            "tier": {name: self.field[name].card.tier for name in step.get("tier", ())},
        }
        return {what: found[what] for what in step if what in found}

    def happened(self, wanted: dict[str, Any]) -> bool:
        """Whether the last step had such an event."""
        return any(
            event.kind == wanted["kind"]
            and all(event.facts.get(what) == value for what, value in wanted.items() if what != "kind")
            for event in self.fresh
        )

    def faces(self) -> list[list[int]]:
        return [list(event.facts["faces"]) for event in self.field.events if "faces" in event.facts]


def _resting(written: dict[str, Any]) -> dict[str, Any]:
    return {**written, "policy": {**RESTS, **written.get("policy", {})}}


def _unit(written: str) -> Unit:
    """``1``, ``1r`` or ``x``, as ``units`` shows them."""
    if written == "x":
        return Unit(CAPACITY, CAPACITY, "slain")
    return Unit(int(written.rstrip("r")), 0, "routed" if written.endswith("r") else "active")


def _fates(battle: Battle) -> dict[str, Any]:
    return {
        fate.id: {
            "end": fate.end,
            "slain": fate.slain,
            "routed": fate.routed,
            "experience": list(fate.army.experience),
        }
        for fate in outcome(battle).fates
    }


def _parties(case: dict[str, Any]) -> list[Party] | None:
    if "sides" in case:
        return [
            Party(id=power, seat=int(power[1:]), side=side, declares=not side)
            for side, powers in enumerate(case["sides"])
            for power in powers
        ]
    if "champion" in case:
        return [
            Party(id="p1", seat=1, declares=True, against=("p2",)),
            Party(id="p2", seat=2, champion=True),
        ]
    return None


def _seen(work: Work, me: Fighter, what: str) -> Any:
    if what == "units":
        return units(me)
    if what == "threshold":
        return checks.threshold(work, me)
    if what == "bonds":
        return [[bond.army, bond.goal] for bond in me.bonds]
    for check in POOLS:
        if what == f"{check}_pool":
            return checks.pool(work, me, check)  # type: ignore[arg-type]
        if what == f"{check}_static":
            return checks.static(work, me, check)  # type: ignore[arg-type]
    return getattr(me, what)
