"""Random battles of everything there is, and a player that answers any question legally by chance."""

import random
from typing import Any

from msgspec.structs import replace

from shared.warfare.army import Army
from shared.warfare.battle.opening import Engagement, Near
from shared.warfare.battle.sides import Party
from shared.warfare.building import random_build
from shared.warfare.content.ancestries import ANCESTRIES
from shared.warfare.content.commands import SIGNATURES
from shared.warfare.content.keywords import KEYWORDS, PREMIUM
from shared.warfare.content.statuses import STATUSES
from shared.warfare.content.tables import TERRAINS
from shared.warfare.decisions import Decision
from shared.warfare.dice import Rolls
from shared.warfare.levelling import keyword_refused
from shared.warfare.options import Options
from shared.warfare.policy import FromRound, Policy, Retreat
from shared.warfare.profile import in_order
from shared.warfare.spells import (
    Asset,
    DoArmor,
    DoAttack,
    DoDamage,
    DoEscalation,
    DoMomentum,
    DoPresence,
    DoRally,
    DoRest,
    DoStatus,
    Form,
    Special,
    Spell,
)
from shared.warfare.world import Hex, Site

PREMIUMS = [name for name, row in KEYWORDS.items() if row.group == PREMIUM]


def random_army(luck: random.Random, id: str, controller: str | None) -> Army:
    """Any class, ancestry and keywords that may stand together."""
    army = random_build(
        Rolls(str(luck.random()), 1, "-", 0, {}, {}),
        id,
        luck.choice(list(ANCESTRIES)),
        luck.randint(1, 8),
        luck.randint(1, 5),
        titanic=luck.random() < 0.3,
        premium=luck.choice(PREMIUMS) if luck.random() < 0.4 else None,
    )
    for keyword in luck.sample(list(KEYWORDS), luck.randint(0, 3)):
        if not keyword_refused(army, keyword):
            army = replace(
                army,
                keywords=in_order((*army.keywords, keyword)),
                premium=army.premium or keyword in PREMIUMS,
                signature="steady" if keyword == "greybeards" else army.signature,
            )
    if army.tier is not None:
        army = replace(army, tier=luck.randint(0, 4))
    return replace(
        army,
        controller=controller,
        loyal_to=controller,
        policy=random_policy(luck, id[:2]),
        tags=("centenium",) if luck.random() < 0.1 else (),
    )


def random_policy(luck: random.Random, side: str) -> Policy:
    allies = tuple(f"{side}{index}" for index in range(4))
    signature = luck.choice(list(SIGNATURES))
    return Policy(
        redirect=luck.choice(["never", "always", "lethal"]),
        intercept=luck.choice(["never", "always", allies]),
        dervish=luck.choice(["auto", "never", "always"]),
        agile=luck.choice(["all", "never", "slain", "full"]),
        flight=luck.choice(["auto", "never", "always"]),
        surge=luck.choice(["auto", "never", "always"]),
        chill=luck.choice(["auto", "never", "enemies", "always"]),
        taunt=luck.choice(["never", "always", "if_unhurt"]),
        restore=luck.choice(["auto", "never", 1, 3]),
        pass_=tuple((ally, luck.randint(0, 3)) for ally in allies),
        pass_when=luck.choice(["before", "after"]),
        wounds=luck.choice(["spread", "sacrifice"]),
        routs=luck.choice(["most_wounded", "least_wounded"]),
        bloodlust=luck.choice(["spread", "sacrifice"]),
        needler=luck.choice(["auto", "never", "always"]),
        slayer=luck.choice(["auto", "never", "always"]),
        type=luck.choice(["auto", ("shock", "burn", "freeze", "crush"), ("untyped",)]),
        axes=luck.choice(["auto", "never", "always"]),
        hammers=luck.choice(["auto", "never", "always"]),
        two=luck.choice(["never", "always"]),
        second_goal=luck.choice(["never", ("initiative", "advance")]),
        retreat=luck.choice(["never", "never", Retreat(active_at_most=1), Retreat(bloodied_at_least=2)]),
        shed=luck.choice(["never", "on_brink"]),
        surrender=luck.choice(["decline", "accept", "if_imperilled"]),
        offer=luck.choice(["never", "if_enemy_imperilled"]),
        stance=luck.choice(["slay", "hold", "rest"]),
        goal=luck.choice(["advance", "initiative", "walls"]),
        deploy=luck.choice(["asap", FromRound(3)]),
        signature=signature,
        keep={"agile": 1} if luck.random() < 0.2 else {},
    )


def random_form(luck: random.Random) -> Form:
    n = luck.randint(1, 3)
    return luck.choice(
        [
            DoAttack(
                static=n, mode=luck.choice([None, "ranged", "airborne"]), type=luck.choice([None, "void"])
            ),
            DoPresence(static=n),
            DoRest(momentum=n),
            DoStatus(name=luck.choice(list(STATUSES)), x=n),
            DoStatus(name=luck.choice(list(STATUSES)), x=n, target="self"),
            DoMomentum(n=luck.randint(-3, 3)),
            DoArmor(n=luck.randint(-3, 3)),
            DoDamage(n=n, type=luck.choice(["untyped", "burn", "flare"])),
            DoRally(n=n),
            DoEscalation(n=luck.randint(-1, 1)),
        ]
    )


def random_special(luck: random.Random, id: str) -> Special:
    forms = tuple(random_form(luck) for _ in range(luck.randint(1, 2)))
    return Special(id=id, effects=forms, cost=luck.randint(0, 1), uses=luck.randint(1, 2))


def random_spell(luck: random.Random, id: str) -> Spell:
    return Spell(
        id=id,
        element=luck.choice(["A", "F", "E", "W", "L", "D"]),
        rank=luck.randint(1, 4),
        effects=tuple(random_form(luck) for _ in range(luck.randint(1, 2))),
        tags=luck.choice([(), ("mental",)]),
    )


def random_assets(luck: random.Random, power: str) -> tuple[Asset, ...]:
    kinds = (luck.choice(["plain", "assured", "critical"]) for _ in range(luck.randint(0, 3)))
    assets = [
        Asset(id=f"{power}-{index}", kind=kind, bonus=luck.randint(1, 3))  # type: ignore[arg-type]
        for index, kind in enumerate(kinds)
    ]
    if luck.random() < 0.2:
        assets.append(Asset(id=f"{power}-scroll", spell=random_spell(luck, "scroll")))
    if luck.random() < 0.2:
        assets.append(Asset(id=f"{power}-horn", special=random_special(luck, "horn")))
    return tuple(assets)


def random_engagement(luck: random.Random, *, armies: int = 4) -> Engagement:
    """Two or three sides, sometimes an ally or rogues on one, sometimes walls, spells, assets, a champion."""
    count = luck.choice([2, 2, 2, 3])
    ids = [f"p{seat}" for seat in range(1, count + 1)]
    rogues = luck.random() < 0.15
    parties = []
    here: list[Army] = []
    near: list[Near] = []
    for seat, power in enumerate(ids, 1):
        against = tuple(other for other in ids if other != power) if seat == 1 or count == 3 else ()
        own = [random_army(luck, f"{power}{index}", power) for index in range(luck.randint(1, armies))]
        champion = luck.random() < 0.25
        if champion and not own[0].titanic:
            own[0] = replace(own[0], personal=True)
        parties.append(
            Party(
                id=power,
                seat=seat,
                declares=bool(against),
                against=against + (("rogues",) if rogues and against else ()),
                coin=luck.randint(0, 5),
                assets=random_assets(luck, power),
                spells=tuple(random_spell(luck, f"s{index}") for index in range(luck.randint(0, 2))),
                specials=tuple(random_special(luck, f"x{index}") for index in range(luck.randint(0, 2))),
                champion=champion,
                personal=own[0].id if own[0].personal else None,
            )
        )
        here += own
        near += [
            Near(random_army(luck, f"{power}n{index}", power), luck.randint(1, 3))
            for index in range(luck.randint(0, 1))
        ]
    if rogues:
        parties.append(Party(id="rogues", seat=99))
        here.append(random_army(luck, "ro0", None))
    if luck.random() < 0.3:
        parties.append(Party(id="p8", seat=8, joins="p2"))
        here += [random_army(luck, f"p8{index}", "p8") for index in range(2)]
    sites = (Site(id="fort", kind="stronghold", owner="p2", wall=luck.randint(0, 3)),)
    return Engagement(
        seed=str(luck.random()),
        season=luck.randint(1, 12),
        hex=Hex(
            at=(luck.randint(-5, 5), luck.randint(-5, 5)),
            terrain=luck.choice(list(TERRAINS)),  # type: ignore[arg-type]
            sites=sites if luck.random() < 0.5 else (),
        ),
        parties=tuple(parties),
        here=tuple(here),
        near=tuple(near),
        pacts=(("p2", "p8"),),
        options=Options(command_mode=luck.choice(["sheet", "sheet", "step"]), gm_seat=luck.random() < 0.1),
    )


def answer(luck: random.Random, decision: Decision) -> Any:
    """A legal answer to any question of a battle, drawn from what the question says."""
    return _ANSWERS[decision.kind](luck, decision.question)


def _some(luck: random.Random, among: list[Any], most: int | None = None) -> list[Any]:
    count = luck.randint(0, min(len(among), len(among) if most is None else most))
    return luck.sample(among, count)


def _setup(luck: random.Random, asked: dict[str, Any]) -> Any:
    line = _some(luck, asked["here"])
    assets = _some(luck, asked["assets"])
    goals = []
    for goal in _some(luck, asked["goals"], asked["most_goals"]):
        target = {"target": luck.choice(goal["targets"])} if "targets" in goal else {}
        goals.append({"goal": goal["goal"], **target})
    if asked["free_goals"]:
        goals = [{"text": "hold the bridge"}]
    found = {
        "line": line,
        "reinforce": _some(luck, [near["army"] for near in asked["reinforcements"]]),
        "assets": assets,
        "champion": bool(asked["champion"]) and luck.random() < 0.5,
        "goals": goals,
        "use": {asset: luck.choice(["first_attack", "first_presence", "first_morale"]) for asset in assets},
    }
    rest = [one for one in asked["here"] if one not in (*line, *asked["must_deploy"])]
    return {**found, "reserve": [] if found["champion"] else _some(luck, rest)}


def _gm(luck: random.Random, asked: dict[str, Any]) -> Any:
    goal = {
        "id": "bridge",
        "thresholds": [luck.randint(1, 4) for _ in asked["sides"]],
        "rewards": [[[luck.choice(asked["rewards"]), 1]] for _ in asked["sides"]],
    }
    effects = [
        {"number": "attack", "by": 1},
        {"army": asked["armies"][0]["army"], "status": "frozen", "x": 2},
    ]
    return {
        "terrain": luck.choice(asked["terrain"]),
        "goals": _some(luck, [goal]),
        "effects": _some(luck, effects),
    }


def _spell(luck: random.Random, asked: dict[str, Any]) -> Any:
    if luck.random() < 0.4:
        return {}
    spell = luck.choice(asked["spells"])
    targets = luck.sample(asked["targets"], luck.randint(1, min(2, len(asked["targets"]))))
    return {"spell": spell["spell"], "targets": targets if spell["targets"] else []}


def _commands(luck: random.Random, asked: dict[str, Any]) -> Any:
    entries = []
    for choices in luck.sample(asked["armies"], luck.randint(0, asked["most_entries"])):
        entry: dict[str, Any] = {"army": choices["army"], "command": luck.choice(choices["commands"])}
        if luck.random() < 0.6:
            entry["targets"] = _some(luck, choices["targets"])
            entry["goals"] = _some(luck, choices["goals"])
        if "options" in choices:
            for option in choices["options"]:
                if option in ("two", "axes", "hammers", "needler", "slayer", "taunt", "restore", "lift"):
                    entry[option] = luck.random() < 0.7
            entry["second"] = _some(luck, choices.get("second", []))
            if "second_goal" in choices["options"] and choices["goals"]:
                entry["second_goal"] = luck.choice(choices["goals"])
        if "types" in choices and luck.random() < 0.5:
            entry["type"] = luck.choice(["untyped", *choices["types"]])
        if asked["assets"] and luck.random() < 0.3:
            entry["asset"] = luck.choice(asked["assets"])
        if luck.random() < 0.3:
            entry |= {"taunt": True, "restore": luck.randint(0, 4), "lift": True, "needler": True}
        if luck.random() < 0.2:
            entry["override"] = {"stance": "hold", "bond": "auto"}
        entries.append(entry)
    return {"entries": entries}


def _offer(luck: random.Random, asked: dict[str, Any]) -> Any:
    if not asked["to"] or luck.random() < 0.5:
        return {}
    to = luck.choice(asked["to"])
    yields = luck.choice(["none", "all", _some(luck, to["armies"])])
    terms = {"coin": luck.randint(0, 3), "yield": yields, "truce": luck.randint(0, asked["most_truce"])}
    return {"to": to["side"], "terms": terms}


def _withdraw(luck: random.Random, asked: dict[str, Any]) -> Any:
    retreat = _some(luck, asked["retreat"]) if luck.random() < 0.15 else []
    shed = [
        {"army": one["army"], "units": _some(luck, one["units"], one["most"])}
        for one in _some(luck, asked["rout"])
        if luck.random() < 0.2
    ]
    return {"retreat": retreat, "rout": shed}


_ANSWERS = {
    "D-07": _setup,
    "D-08": _gm,
    "D-09": lambda luck, asked: {"deploy": _some(luck, asked["deploy"])},
    "D-10": _spell,
    "D-11": _commands,
    "D-12": _offer,
    "D-13": lambda luck, asked: {"accept": asked["can_pay"] and luck.random() < 0.4},
    "D-14": _withdraw,
}
