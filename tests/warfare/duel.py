"""Battles command by command: armies rest unless a test commands them, and states are read between commands."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from shared.warfare.battle import machine
from shared.warfare.battle.state import Fighter
from shared.warfare.decisions import Event
from shared.warfare.options import Options
from tests.warfare.field import Field

STEP = Options(command_mode="step")
REST = {"policy": {"stance": "rest"}}


def resting(**written: Any) -> dict[str, Any]:
    policy = {"stance": "rest", **written.pop("policy", {})}
    return {**written, "policy": policy}


class Duel(Field):
    """``a`` and ``b`` as of ``Field``; every army rests unless commanded; the first Commands window is open."""

    def __init__(
        self,
        a: Mapping[str, Mapping[str, Any]],
        b: Mapping[str, Mapping[str, Any]],
        c: Mapping[str, Mapping[str, Any]] | None = None,
        **more: Any,
    ) -> None:
        options = replace(more.pop("options", STEP), command_mode="step")
        calm = [{name: resting(**written) for name, written in side.items()} for side in (a, b, c or {})]
        super().__init__(calm[0], calm[1], calm[2] or None, options=options, **more)
        self.until("D-11")

    def put(self, id: str, **values: Any) -> Fighter:
        """Sets what a fighter has; ``wounds`` by unit."""
        fighter = self[id]
        for index, wounds in enumerate(values.pop("wounds", ())):
            fighter.units[index].wounds = wounds
        for name, value in values.items():
            assert hasattr(fighter, name), name
            setattr(fighter, name, value)
        return fighter

    def roll(self, purpose: str, id: str, faces: Sequence[int], *, round_: int | None = None) -> "Duel":
        """The faces of the next roll of this purpose."""
        now = self.battle.round if round_ is None else round_
        prefix = f"r{now}|army:{id}|{purpose}|"
        planned = [name for name in self.battle.given if name.startswith(prefix)]
        n = max(self.battle.rolls.get(prefix, 0), len(planned))
        self.battle.given[f"{prefix}{n}"] = list(faces)
        return self

    def give(self, id: str, command: str, **entry: Any) -> list[Event]:
        """Commands ``id``; those whose turn comes before rest."""
        power = self[id].power
        while self.now.decisions and self.now.decisions[0].power != power:
            assert self.now.decisions[0].kind == "D-11", self.now.decisions[0]
            self.answer()
        return self.answer(**{power: {"entries": [{"army": id, "command": command, **entry}]}})

    def check(self, power: str, answer: Any) -> str:
        """The rule that refuses an answer to the open question; empty if it may stand."""
        decision = next(one for one in self.now.decisions if one.power == power)
        refusal = machine.check(self.battle, decision.id, answer)
        return refusal.rule if refusal else ""


def facts(events: Sequence[Event], kind: str) -> list[dict[str, Any]]:
    return [event.facts for event in events if event.kind == kind]


def one(events: Sequence[Event], kind: str) -> dict[str, Any]:
    found = facts(events, kind)
    assert len(found) == 1, (kind, found)
    return found[0]
