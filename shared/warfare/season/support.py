"""Support limits and their bill, D-02 (section 4)."""

from typing import Any

from shared.warfare.answers import Support
from shared.warfare.army import Army
from shared.warfare.errors import Refusal
from shared.warfare.policy import Resource
from shared.warfare.season.window import Replies, Window, listed
from shared.warfare.season.work import Work, counted, loyal

RESOURCES: tuple[Resource, ...] = ("coin", "loyalty", "fear")
TOWNS_COUNTED = 4  # WF-PWR-02


def limit(work: Work, power: str) -> int:
    one = work.powers[power]
    if one.kind == "city":  # WF-PWR-02
        towns = sorted((site.population for site, _ in work.claimed(power)), reverse=True)
        return sum(towns[:TOWNS_COUNTED])
    if one.kind == "conspiracy":  # WF-PWR-03
        return sum(count > 0 for count in one.influence.values())
    return one.support  # WF-PWR-04


def units(work: Work, power: str) -> int:
    """WF-PWR-05."""
    return sum(counted(army) for army in work.of(power))


def excess(work: Work, power: str) -> int:
    return max(0, units(work, power) - limit(work, power))


def owned(work: Work, power: str) -> dict[str, int]:
    return {name: getattr(work.powers[power], name) for name in RESOURCES}


def keys(work: Work) -> list[str]:
    """Those with a choice: less due than owned, of more than one kind."""
    asked = []
    for power in work.seats():
        purse = owned(work, power)
        if 0 < excess(work, power) < sum(purse.values()) and sum(count > 0 for count in purse.values()) > 1:
            asked.append(power)
    return asked


def question(work: Work, power: str) -> dict[str, Any]:
    return {
        "excess": excess(work, power),
        "units": units(work, power),
        "limit": limit(work, power),
        "owned": owned(work, power),
        "order": list(work.powers[power].support_order),
    }


def check(work: Work, power: str, answer: Support) -> Refusal | None:
    due, purse = excess(work, power), owned(work, power)
    if answer.coin + answer.loyalty + answer.fear > due:
        return Refusal(rule="WF-PWR-07", what=f"more than the {due} due", legal=f"{due} in all")
    for name in RESOURCES:
        if getattr(answer, name) > purse[name]:
            return Refusal(
                rule="WF-PWR-07", what=f"{getattr(answer, name)} {name} of {purse[name]}",
                legal=listed(f"{name} 0 to {count}" for name, count in purse.items()),
            )  # fmt: skip
    return None


def close(work: Work, replies: Replies) -> None:
    for power in work.seats():
        if due := excess(work, power):
            _bill(work, power, due, replies.get(power) or Support())
    work.season.phase = "orders"


def _bill(work: Work, power: str, due: int, answer: Support) -> None:
    paid = {name: min(getattr(answer, name), due) for name in RESOURCES}
    missing = due - sum(paid.values())
    for name in work.powers[power].support_order:  # WF-INT-30
        more = min(missing, getattr(work.powers[power], name) - paid[name])
        paid[name] += more
        missing -= more
    for name in RESOURCES:
        work.pay(power, name, paid[name])
    work.emit("support", (power,), power=power, due=due, paid=paid, unpaid=missing)
    desert(work, power, missing)


def desert(work: Work, power: str, count: int) -> None:
    """WF-PWR-08: a unit for each point, army by army."""

    def first(army: Army) -> tuple[bool, int, int, str]:
        return (loyal(army), army.rank, -counted(army), army.id)

    for army in sorted((one for one in work.of(power) if counted(one)), key=first):
        if count <= 0:
            return
        gone = min(count, counted(army))
        count -= gone
        if gone == counted(army):
            work.remove(army.id)
        else:
            work.change(army.id, units=army.units[: len(army.units) - gone])
        work.emit("deserted", (power,), army=army.id, units=gone, removed=army.id not in work.armies)


WINDOW = Window("D-02", keys, question, check, close, default=lambda work, key: {})
