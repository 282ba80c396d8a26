"""Declaration: D-05, and D-06 for those who may join (WF-SET-01 to WF-SET-04, WF-SEAS-08)."""

from typing import Any

from shared.warfare.answers import Declare, Join
from shared.warfare.army import Army, Place, active
from shared.warfare.card import values
from shared.warfare.errors import Refusal
from shared.warfare.season import sight
from shared.warfare.season.marching import march_cost
from shared.warfare.season.state import Declared
from shared.warfare.season.window import Replies, Window, about, listed, power_of
from shared.warfare.season.work import Work
from shared.warfare.world import ROGUES, hex_key


def _places(work: Work, power: str) -> list[Place]:
    """Hexes with an army of the power."""
    return sorted({army.hex for army in work.of(power) if army.hex is not None and active(army.units)})


def _foes(work: Work, power: str) -> list[str]:
    """Whom it may declare against, seen or not (WF-SET-02)."""
    return [name for name in [*work.seats(), ROGUES] if work.opposed(power, name)]


def keys(work: Work) -> list[str]:
    asked = [power for power in work.seats() if _places(work, power)]
    if work.season.options.gm_seat and any(army.controller is None for army in work.armies.values()):
        asked.append(ROGUES)  # WF-GM-08
    return asked


def _rogue_places(work: Work) -> list[Place]:
    return sorted({army.hex for army in work.of(None) if army.hex is not None and active(army.units)})


def question(work: Work, key: str) -> dict[str, Any]:
    places = _rogue_places(work) if key == ROGUES else _places(work, key)
    shown = list(work.armies.values()) if key == ROGUES else sight.shown(work, key)
    return {
        "hexes": [
            {
                "hex": at,
                "armies": [sight.banner(army) for army in shown if army.hex == at],
            }
            for at in places
        ],
        "against": _foes(work, key),
        "accept": [name for name in work.seats() if name != key],
    }


def check(work: Work, key: str, answer: Declare) -> Refusal | None:
    places = _rogue_places(work) if key == ROGUES else _places(work, key)
    foes = _foes(work, key)
    others = [name for name in work.seats() if name != key]
    hexes = [one.hex for one in answer.declarations]
    for one in answer.declarations:
        if one.hex not in places or hexes.count(one.hex) > 1:
            return Refusal(
                rule="WF-SET-02", what=f"no army of yours stands in {hex_key(one.hex)}, or it is named twice",
                legal=listed(hex_key(at) for at in places),
            )  # fmt: skip
        for name in one.against:
            if name not in foes:
                return Refusal(rule="WF-SET-01", what=f"{name!r} is not opposed", legal=listed(foes))
    for name in (*answer.accept, *(name for one in answer.declarations for name in one.accept)):
        if name not in others:
            return Refusal(rule="WF-SET-04", what=f"no power {name!r} to accept", legal=listed(others))
    return None


def close(work: Work, replies: Replies) -> None:
    against: dict[Place, dict[str, tuple[str, ...]]] = {}
    accept: dict[Place, dict[str, tuple[str, ...]]] = {}
    for power in [*work.seats(), ROGUES]:
        answer: Declare | None = replies.get(power)
        if answer is None:
            continue
        for one in answer.declarations:
            accept.setdefault(one.hex, {})[power] = tuple(sorted({*one.accept, *answer.accept}))
            if not one.against:
                continue
            there = tuple(
                name for name in _foes(work, power) if name in one.against and work.at(one.hex, name)
            )
            if there:
                against.setdefault(one.hex, {})[power] = there
            else:
                work.emit("no-enemy-found", (power,), hex=one.hex)
        for at in _places(work, power) if power != ROGUES else ():
            accept.setdefault(at, {}).setdefault(power, tuple(sorted(answer.accept)))
    for at, declared in sorted(against.items()):
        named = {*declared, *(name for names in declared.values() for name in names)}
        powers = tuple(name for name in [*work.seats(), ROGUES] if name in named)
        work.season.declared.append(
            Declared(at=at, against=declared, accept=accept.get(at, {}), powers=powers)
        )
        work.emit(
            "battle-declared", {*powers, *sight.watchers(work, at)}, hex=at, declarers=sorted(declared),
            against=sorted({name for names in declared.values() for name in names}),
        )  # fmt: skip
    work.season.phase = "join"


WINDOW = Window("D-05", keys, question, check, close, default=lambda work, key: {})


# D-06


def declared_at(work: Work, key: str) -> Declared:
    return next(one for one in work.season.declared if hex_key(one.at) == about(key))


def bound(work: Work, army: Army) -> bool:
    """In a battle of its own already."""
    power = army.controller or ROGUES
    return any(one.at == army.hex and power in one.powers for one in work.season.declared)


def in_reach(work: Work, army: Army, at: Place) -> bool:
    """Whether it could reinforce a battle there (WF-SET-12)."""
    if army.hex is None or army.hex == at or not active(army.units) or bound(work, army):
        return False
    cost = march_cost(work, army, at)
    return cost is not None and cost <= values(army).mobility


def _may_join(work: Work, power: str, one: Declared) -> bool:
    if power in one.powers:
        return False
    return (
        bool(work.at(one.at, power))
        or work.champion_at(power) == one.at
        or any(in_reach(work, army, one.at) for army in work.of(power))
    )


def join_keys(work: Work) -> list[str]:
    """Those who may join; and the participants, who may let others in, as long as there are others at all."""
    found = []
    for one in work.season.declared:
        outside = [power for power in work.seats() if power not in one.powers]
        for power in work.seats():
            if (power in one.powers and outside) or _may_join(work, power, one):
                found.append(f"{power}#{hex_key(one.at)}")
    return found


def join_question(work: Work, key: str) -> dict[str, Any]:
    power, one = power_of(key), declared_at(work, key)
    within = power in one.powers
    here = [army for army in sight.shown(work, power) if army.hex == one.at]
    return {
        "hex": one.at,
        "terrain": work.hexes[one.at].terrain,
        "declarers": sorted(one.against),
        "declared": {name: list(names) for name, names in sorted(one.against.items())},
        "armies": [sight.banner(army) for army in here],
        "side_of": [] if within else [name for name in one.powers if name != ROGUES],
        "accept": [name for name in work.seats() if name not in one.powers] if within else [],
    }


def join_check(work: Work, key: str, answer: Join) -> Refusal | None:
    power, one = power_of(key), declared_at(work, key)
    within = power in one.powers
    sides = ["out"] if within else ["out", *(name for name in one.powers if name != ROGUES)]
    if answer.side_of not in sides:
        return Refusal(rule="WF-SET-04", what=f"no side of {answer.side_of!r} to join", legal=listed(sides))
    outside = [name for name in work.seats() if name not in one.powers] if within else []
    for name in answer.accept:
        if name not in outside:
            return Refusal(rule="WF-SET-04", what=f"no power {name!r} to accept", legal=listed(outside))
    return None


JOIN_DEFAULT = {"side_of": "out"}
