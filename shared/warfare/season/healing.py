"""Season's end, first: routed units return, wounds heal; D-15 where a policy asks (WF-SEAS-10, WF-INT-22)."""

from collections.abc import Sequence
from typing import Any

from shared.warfare.answers import Heal
from shared.warfare.army import Army, Unit
from shared.warfare.errors import Refusal
from shared.warfare.season.window import Replies, Window, listed
from shared.warfare.season.work import Work, size, trait


def rally(work: Work) -> None:
    """Routed units are back, wounds kept."""
    for name, army in sorted(work.armies.items()):
        if any(unit.state == "routed" for unit in army.units):
            work.change(name, units=tuple(Unit(unit.wounds) for unit in army.units))


def healing(army: Army) -> int:
    """Wounds it may heal."""
    half = size(army) // 2
    return half // 2 if trait(army, "half-healing") else half  # WF-KEY-37


def _asks(army: Army) -> bool:
    return army.policy.heal == "ask" and healing(army) > 0 and any(unit.wounds for unit in army.units)


def asking(work: Work, power: str) -> list[Army]:
    return [army for army in work.of(power) if _asks(army)]


def keys(work: Work) -> list[str]:
    return [power for power in work.seats() if asking(work, power)]


def question(work: Work, power: str) -> dict[str, Any]:
    return {
        "armies": [
            {"army": army.id, "heals": healing(army), "wounds": [unit.wounds for unit in army.units]}
            for army in asking(work, power)
        ]
    }


def check(work: Work, power: str, answer: Heal) -> Refusal | None:
    asked = {army.id: army for army in asking(work, power)}
    for name, indexes in answer.armies.items():
        army = asked.get(name)
        if army is None:
            return Refusal(rule="WF-SEAS-10", what="is not asked", army=name, legal=listed(asked))
        if len(indexes) > healing(army):
            return Refusal(
                rule="WF-SEAS-10", what=f"{len(indexes)} wounds", army=name, legal=f"up to {healing(army)}"
            )
        for index in set(indexes):
            if index >= len(army.units) or indexes.count(index) > army.units[index].wounds:
                return Refusal(
                    rule="WF-SEAS-10", what=f"unit {index} has not so many wounds", army=name,
                    legal=listed(f"{at}: {unit.wounds}" for at, unit in enumerate(army.units) if unit.wounds),
                )  # fmt: skip
    return None


def close(work: Work, replies: Replies) -> None:
    for name, army in sorted(work.armies.items()):
        answer: Heal | None = replies.get(army.controller or "")
        if answer is not None and name in answer.armies:
            indexes: Sequence[int] = answer.armies[name]
        else:
            indexes = by_policy(army)
        if indexes:
            wounds = [unit.wounds - indexes.count(at) for at, unit in enumerate(army.units)]
            work.change(name, units=tuple(Unit(count) for count in wounds))
            work.emit("healed", (army.controller or "",), army=name, wounds=len(indexes))
    work.season.phase = "fees"


def by_policy(army: Army) -> list[int]:
    """One wound at a time, ties to the lowest index; scars are left to those who keep them."""
    wounds = [unit.wounds for unit in army.units]
    kept = army.policy.scars if trait(army, "keeps-scars") else 0
    least = army.policy.heal == "least_wounded"
    healed: list[int] = []
    for _ in range(healing(army)):
        hurt = [at for at, count in enumerate(wounds) if count]
        open_ = [at for at in hurt if wounds[at] > 1 or len(hurt) > kept]
        if not open_:
            break
        at = min(open_, key=lambda index: (wounds[index] if least else -wounds[index], index))
        wounds[at] -= 1
        healed.append(at)
    return healed


WINDOW = Window("D-15", keys, question, check, close)
