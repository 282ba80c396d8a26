"""Campaigns for tests, and players that answer any question of a season legally by chance."""

import random
from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from shared.warfare.decisions import Decision
from shared.warfare.options import Options
from shared.warfare.season.campaign import Seat, lay_down
from shared.warfare.season.state import Season
from shared.warfare.world import distance
from tests.warfare import answerer

KINDS = ("city", "conspiracy", "champion")
LINES = (1, 2, 3, 4, 5)


def random_seats(luck: random.Random) -> list[Seat]:
    count = luck.choice([2, 2, 3, 4])
    return [
        Seat(id=f"p{seat}", seat=seat, name=f"Power {seat}", kind=luck.choice(KINDS))  # type: ignore[arg-type]
        for seat in range(1, count + 1)
    ]


def random_options(luck: random.Random) -> Options:
    return Options(
        seasons=luck.randint(2, 6),
        command_mode=luck.choice(["sheet", "sheet", "step"]),
        levelup_pick=luck.choice(["per_die", "free"]),
        gm_seat=luck.random() < 0.2,
        road_cost=luck.choice([0, 1]),
    )


def random_campaign(luck: random.Random, seed: str) -> Season:
    """Before its first Tidings. Every other one begins with all armies close together, so that they meet."""
    season = lay_down(seed, random_seats(luck), random_options(luck))
    if luck.random() < 0.5:
        return season
    middle = [one.at for one in season.hexes if one.terrain != "water" and distance(one.at, (0, 0)) <= 1]
    season.armies = [
        replace(army, garrison=None, hex=luck.choice(middle)) if not army.personal else army
        for army in season.armies
    ]
    return season


def answer(luck: random.Random, decision: Decision, prey: Sequence[str] = ()) -> Any:
    """``prey``: hexes (``q,r``) to march to rather than elsewhere, so that there are battles."""
    if decision.kind == "D-03":
        return _orders(luck, decision.question, prey)
    if decision.kind in _ANSWERS:
        return _ANSWERS[decision.kind](luck, decision.question)
    return answerer.answer(luck, decision)


def _some(luck: random.Random, among: list[Any], most: int | None = None) -> list[Any]:
    count = luck.randint(0, min(len(among), len(among) if most is None else most))
    return luck.sample(among, count)


def place(key: str) -> list[int]:
    return [int(part) for part in key.split(",")]


def _support(luck: random.Random, asked: dict[str, Any]) -> Any:
    found, left = {}, asked["excess"]
    for name, owned in asked["owned"].items():
        found[name] = luck.randint(0, min(left, owned))
        left -= found[name]
    return found


def _orders(luck: random.Random, asked: dict[str, Any], prey: Sequence[str]) -> Any:
    orders: list[dict[str, Any]] = []
    makers = [_muster, _muster, _muster, _train, _forge, _levy, _hire, _gather, _whisper, _purge]
    busy: set[tuple[str, str]] = set()
    used: set[str] = set()
    for _ in range(asked["slots"]):
        make = luck.choice(makers)
        order = _muster(luck, asked, prey) if make is _muster else make(luck, asked)
        if order is None:
            continue
        named = {(order["action"], army) for army in order.get("armies", [order.get("army")]) if army}
        if named & busy and order["action"] in ("muster", "train", "forge"):
            continue
        busy |= named
        domain = asked["domains"].get(order["action"])
        if domain is not None:
            order["assets"] = [
                one for one in _some(luck, asked["assets"][domain], asked["most_assets"]) if one not in used
            ]
            used |= set(order["assets"])
        orders.append(order)
    orders += [{"action": "disband", "army": army} for army in asked["disband"] if luck.random() < 0.1]
    for power in asked["powers"]:
        if luck.random() < 0.3 and power not in asked["partners"]:
            orders.append({"action": "propose", "power": power})
        if luck.random() < 0.5:
            orders.append({"action": "accept", "power": power})
        if luck.random() < 0.15:
            orders.append({"action": "break", "power": power})
    return {"orders": orders}


def _muster(luck: random.Random, asked: dict[str, Any], prey: Sequence[str] = ()) -> Any:
    armies = [army for army in asked["armies"] if army["muster"]]
    if not armies:
        return None
    first = luck.choice(armies)
    near = sorted(first["muster"], key=lambda key: (first["muster"][key], luck.random()))
    hunted = [key for key in near if key in prey]
    to = luck.choice(hunted[:3]) if hunted and luck.random() < 0.8 else luck.choice(near[:12])
    going = [first["army"]]
    going += [
        army["army"] for army in armies if army is not first and to in army["muster"] and luck.random() < 0.5
    ]
    order: dict[str, Any] = {"action": "muster", "armies": going, "to": place(to)}
    own = [town["town"] for town in asked["levy"] if town["hex"] == tuple(place(to))]
    return {**order, "garrison": own[0]} if own and luck.random() < 0.5 else order


def _train(luck: random.Random, asked: dict[str, Any]) -> Any:
    if not asked["armies"]:
        return None
    army = luck.choice(asked["armies"])
    return {"action": "train", "army": army["army"], "experience": _some(luck, army["experience"])}


def _forge(luck: random.Random, asked: dict[str, Any]) -> Any:
    armies = [army for army in asked["armies"] if army["forge"]]
    if not armies:
        return None
    army = luck.choice(armies)
    return {"action": "forge", "army": army["army"], "tier": int(luck.choice(list(army["forge"])))}


def _levy(luck: random.Random, asked: dict[str, Any]) -> Any:
    if not asked["levy"]:
        return None
    town = luck.choice(asked["levy"])
    order = {"action": "levy", "town": town["town"], "size": luck.randint(1, min(4, town["size"]))}
    if asked["records"] and luck.random() < 0.6:
        record = luck.choice(asked["records"])
        return {**order, "record": record["record"], "size": min(order["size"], record["size"])}
    bonus = {"line": 6, "keyword": "vanguard"} if luck.random() < 0.2 else {"line": luck.choice(LINES)}
    return {**order, "ancestry": luck.choice(town["ancestries"]), "bonus": bonus}


def _hire(luck: random.Random, asked: dict[str, Any]) -> Any:
    if not asked["hire"]:
        return None
    return {"action": "hire", "army": luck.choice(asked["hire"]), "coin": luck.randint(0, asked["coin"])}


def _gather(luck: random.Random, asked: dict[str, Any]) -> Any:
    return {"action": "gather", "army": luck.choice(asked["gather"])["army"]} if asked["gather"] else None


def _whisper(luck: random.Random, asked: dict[str, Any]) -> Any:
    if not asked["whisper"] or not asked["purge"]:
        return None
    return {"action": "whisper", "at": place(luck.choice(asked["purge"]))}


def _purge(luck: random.Random, asked: dict[str, Any]) -> Any:
    if not asked["powers"] or not asked["purge"]:
        return None
    return {
        "action": "purge",
        "at": place(luck.choice(asked["purge"])),
        "power": luck.choice(asked["powers"]),
    }


def _level(luck: random.Random, asked: dict[str, Any]) -> Any:
    if luck.random() < 0.2:
        return {"discard": True}
    if 6 in asked["dice"]:  # a keyword may make another one impossible: the policy knows
        return asked["policy"]
    picks = luck.sample(range(len(asked["dice"])), asked["picks"])
    found: dict[str, Any] = {"picks": picks}
    return {**found, "class": luck.choice(asked["classes"])} if asked["classes"] else found


def _declare(luck: random.Random, asked: dict[str, Any]) -> Any:
    found = [
        {"hex": one["hex"], "against": _some(luck, asked["against"]), "accept": _some(luck, asked["accept"])}
        for one in asked["hexes"]
        if luck.random() < 0.8
    ]
    return {"declarations": found, "accept": _some(luck, asked["accept"])}


def _join(luck: random.Random, asked: dict[str, Any]) -> Any:
    return {"side_of": luck.choice(["out", *asked["side_of"]]), "accept": _some(luck, asked["accept"])}


def _heal(luck: random.Random, asked: dict[str, Any]) -> Any:
    found = {}
    for one in asked["armies"]:
        wounds = [at for at, count in enumerate(one["wounds"]) for _ in range(count)]
        found[one["army"]] = _some(luck, wounds, one["heals"])
    return {"armies": found}


def _fees(luck: random.Random, asked: dict[str, Any]) -> Any:
    found, coin, fear = {}, asked["coin"], asked["fear"]
    for one in asked["fees"]:
        how = luck.choice(["coin", "fear", "refuse"])
        if how == "coin" and one["coin"] <= coin:
            coin -= one["coin"]
        elif how == "fear" and one["fear"] is not None and one["fear"] <= fear:
            fear -= one["fear"]
        else:
            how = "refuse"
        found[one["army"]] = how
    return {"armies": found}


_ANSWERS = {
    "D-01": lambda luck, asked: {
        "disband": [one for one in asked["disband"] if luck.random() < 0.1],
        "release": [one for one in asked["release"] if luck.random() < 0.1],
    },
    "D-02": _support,
    "D-04": _level,
    "D-05": _declare,
    "D-06": _join,
    "D-15": _heal,
    "D-16": _fees,
    "D-17": lambda luck, asked: {
        "armies": {army: luck.choice(asked["to"]) for army in _some(luck, asked["armies"])}
    },
}
