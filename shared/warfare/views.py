"""What a power sees of a battle (section 22): an allow-list, from which everything it is told is made.

``veil`` makes of a battle the one that a power knows: a battle like any other, so that its questions, checks and
computer players need nothing else. ``picture`` shows a veiled battle as clients draw it, ``told`` picks events.
What is not copied here by name is seen by nobody: dice to come, policies, fees, loyalty, secret assets, proposals
before the reveal, Stealthy armies before they deploy.
"""

from collections.abc import Iterable
from typing import Any, Final

from msgspec.structs import replace

from shared.warfare import card
from shared.warfare.answers import Terms
from shared.warfare.army import CHECKS, Army, Attribute, Base, Unit
from shared.warfare.battle import checks
from shared.warfare.battle.presence import in_play
from shared.warfare.battle.setup import banner, hidden
from shared.warfare.battle.state import Battle, Contender, Fighter, Goal, Side, copy
from shared.warfare.battle.work import Work
from shared.warfare.decisions import GM, Event
from shared.warfare.policy import Policy

UNDEPLOYED: Final = ("here", "near", "reserve", "delayed", "out")
AFAR: Final = ("near", "out")
"""Stands of which nobody else knows."""


def veil(battle: Battle, power: str) -> Battle:
    """The battle as ``power`` knows it, or anybody who only watches the field. A game master (``gm``) knows all but
    the dice to come."""
    if power == GM:
        return replace(copy(battle), seed="", given={}, rolls={})
    work = Work(battle)
    fighters = [shown for one in battle.fighters if (shown := _fighter(work, one, power)) is not None]
    known = {fighter.id for fighter in fighters}
    deployed = {one.id for one in fighters if one.power == power or one.stand not in UNDEPLOYED}
    mine = next((one.side for one in battle.powers if one.id == power), None)
    return Battle(
        id=battle.id,
        seed="",
        season=battle.season,
        terrain=battle.terrain,
        sunlight=battle.sunlight,
        sun_by_round=list(battle.sun_by_round),
        options=battle.options,
        phase=battle.phase,
        round=battle.round,
        powers=[_contender(one, power, known) for one in battle.powers],
        sides=[_side(side, known) for side in battle.sides],
        pacts=[pact for pact in battle.pacts if power in pact],
        order=list(battle.order),
        defender=battle.defender,
        fighters=fighters,
        goals=[_goal(goal) for goal in battle.goals],
        sites=battle.sites,
        leaders=battle.leaders,
        garrisoned=[name for name in battle.garrisoned if name in known],
        effects=[effect for effect in battle.effects if effect.army is None or effect.army in deployed],
        spoken=battle.spoken,
        turn=battle.turn,
        turns=battle.turns,
        # D-13's ids count the bids (WF-VIS-06: the terms are for the two sides).
        bids=[bid if mine in (bid.from_side, bid.to_side) else replace(bid, terms=_NO_TERMS) for bid in battle.bids],
        truces=[truce for truce in battle.truces if power in (truce.a, truce.b)],
        winner=battle.winner,
    )  # fmt: skip


def _fighter(work: Work, one: Fighter, power: str) -> Fighter | None:
    """WF-VIS-02, WF-VIS-03."""
    if one.power == power:
        return _copy(one)
    if one.stand in UNDEPLOYED:
        if one.stand in AFAR or hidden(work, one):
            return None
        return _from_afar(one)
    if not one.deployed_with:  # destroyed or gone without ever having been seen
        return None
    known = replace(one, card=_open(one.card))
    if one.yielded_to is not None and _side_of(work, power) not in (one.side, _side_of(work, one.yielded_to)):
        known.yielded_to = None  # the terms are for the two sides (WF-VIS-06)
    return _copy(known)


def _side_of(work: Work, power: str) -> int | None:
    return next((one.side for one in work.battle.powers if one.id == power), None)


def _copy(one: Fighter) -> Fighter:
    return replace(
        one,
        units=[Unit(unit.wounds, unit.new_wounds, unit.state) for unit in one.units],
        statuses=dict(one.statuses),
        bonds=list(one.bonds),
        used=list(one.used),
        once=list(one.once),
    )


def _open(army: Army) -> Army:
    """A card on the table: all of it but policy, experience, fee and loyalty (WF-VIS-03)."""
    return replace(
        army,
        base=replace(army.base, fee=0),
        units=(),
        experience=(),
        loyal_to=None,
        origin_town=None,
        levied=False,
        levied_size=0,
        depop_held=0,
        garrison=None,
        hex=None,
        policy=_DEFAULT,
        log=(),
    )


def _from_afar(one: Fighter) -> Fighter:
    """A banner (WF-VIS-01): neither dice nor keywords, and how many units, not how they are."""
    army = one.card
    return Fighter(
        id=one.id,
        card=Army(
            id=army.id,
            name=army.name,
            ancestry=army.ancestry,
            class_=army.class_,
            rank=army.rank,
            tier=army.tier,
            base=_UNKNOWN,
            units=(),
            controller=army.controller,
            policy=_DEFAULT,
        ),
        power=one.power,
        side=one.side,
        stand=one.stand,
        delayed=one.delayed,
        attack=_UNKNOWN.attack,
        presence=_UNKNOWN.presence,
        morale=_UNKNOWN.morale,
        defense=_UNKNOWN.defense,
        armor_max=0,
        units=[Unit() for _ in one.units],
    )


def _contender(one: Contender, power: str, known: set[str]) -> Contender:
    if one.id == power:
        return replace(
            one,
            assets=list(one.assets),
            committed=list(one.committed),
            spent=list(one.spent),
            used=dict(one.used),
            use=dict(one.use),
        )
    return Contender(
        id=one.id,
        seat=one.seat,
        side=one.side,
        asked=one.asked,
        joined=one.joined,
        champion=one.champion,
        involved=one.involved,
        personal=one.personal if one.personal in known else None,
        champion_slain=one.champion_slain,
    )


def _goal(goal: Goal) -> Goal:
    return replace(
        goal,
        thresholds=list(goal.thresholds),
        presence=[replace(record) for record in goal.presence],
        ruled=None,
    )


def _side(side: Side, known: set[str]) -> Side:
    return replace(
        side,
        line=[name for name in side.line if name in known],
        bench=[name for name in side.bench if name in known],
        won=list(side.won),
    )


_DEFAULT: Final = Policy()
_UNKNOWN: Final = Base(attack=Attribute(), presence=Attribute(), morale=Attribute())
_NO_TERMS: Final = Terms()


def told(events: Iterable[Event], power: str) -> list[Event]:
    """The events of a battle that ``power``, one of its participants, may know (WF-VIS-05)."""
    return [event for event in events if power == GM or event.to is None or power in event.to]


def picture(veiled: Battle, power: str) -> dict[str, Any]:
    """A veiled battle as a client draws it, JSON-able."""
    work = Work(veiled)
    you = next((one for one in veiled.powers if one.id == power), None)
    return {
        "battle": veiled.id,
        "round": veiled.round,
        "phase": veiled.phase,
        "terrain": veiled.terrain,
        "sunlight": veiled.sunlight,
        "defender": veiled.defender,
        "order": veiled.order,
        "winner": veiled.winner,
        "sides": [
            {"powers": side.powers, "escalation": side.escalation, "line": side.line} for side in veiled.sides
        ],
        "goals": [
            {
                "goal": goal.id,
                "text": goal.text,
                "thresholds": goal.thresholds,
                "tags": goal.tags,
                "in_play": in_play(work, goal),
                "presence": [
                    {"army": record.army, "side": record.side, "successes": record.successes}
                    for record in goal.presence
                ],
            }
            for goal in veiled.goals
        ],
        "armies": [_drawn(work, one, power) for one in veiled.fighters],
        "you": None
        if you is None
        else {
            "power": you.id,
            "side": you.side,
            "coin": you.coin,
            "assets": [asset.id for asset in you.assets],
            "committed": [asset.id for asset in you.committed],
            "spells": [spell.id for spell in you.spells],
            "specials": [special.id for special in you.specials],
            "proposals": [
                {"goal": one.goal, "target": one.target, "text": one.text} for one in you.proposals
            ],
        },
    }


def _drawn(work: Work, one: Fighter, power: str) -> dict[str, Any]:
    own = power in (one.power, GM)
    where = {"army": one.id, "power": one.power, "side": one.side, "stand": one.stand, "delayed": one.delayed}
    if one.stand in UNDEPLOYED and not own:
        return {**banner(one), **where}
    units = [
        {"wounds": unit.wounds, "new_wounds": unit.new_wounds, "state": unit.state} for unit in one.units
    ]
    shown = card.show(replace(one.card, units=tuple(one.units)))
    if not own:
        shown = {name: value for name, value in shown.items() if name not in ("fee", "experience")}
    return {
        **where,
        "card": shown,
        "units": units,
        "armor": one.armor,
        "armor_max": one.armor_max,
        "momentum": one.momentum,
        "statuses": one.statuses,
        "bloodied": one.bloodied,
        "exhausted": one.exhausted,
        "bonds": [{"army": bond.army, "goal": bond.goal} for bond in one.bonds],
        "defense": checks.threshold(work, one),
        "pools": {check: checks.pool(work, one, check) for check in CHECKS},
    }
