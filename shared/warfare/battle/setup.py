"""D-07: lines, reserves, reinforcements, assets and goals, and the opening of round 1 (section 7)."""

from typing import Any

from shared.warfare.answers import GmSetup, Setup
from shared.warfare.battle import deployment, goals
from shared.warfare.battle.state import Contender, Fighter
from shared.warfare.battle.window import Replies, Window, asked
from shared.warfare.battle.work import Work
from shared.warfare.content.goals import CATALOGUE
from shared.warfare.content.tables import PROPOSALS, TIERS
from shared.warfare.errors import Refusal


def announce(work: Work) -> None:
    battle = work.battle
    work.emit(
        "battle", battle=battle.id, terrain=battle.terrain, sunlight=battle.sunlight,
        sides=[list(side.powers) for side in battle.sides], defender=battle.defender,
    )  # fmt: skip


def _mine(work: Work, power: str, stand: str) -> list[Fighter]:
    return [one for one in work.battle.fighters if one.power == power and one.stand == stand]


def hidden(work: Work, fighter: Fighter) -> bool:
    return work.trait(fighter, "hidden") > 0


def keys(work: Work) -> list[str]:
    return [
        name
        for name in asked(work, work.battle.powers)
        if _mine(work, name, "here") or _mine(work, name, "near") or work.contender(name).champion
    ]


def question(work: Work, power: str) -> dict[str, Any]:
    contender = work.contender(power)
    here = _mine(work, power, "here")
    lead = work.battle.sides[contender.side].captain == power
    return {
        "sides": [list(side.powers) for side in work.battle.sides],
        "side": contender.side,
        "defender": work.battle.defender,
        "terrain": work.battle.terrain,
        "sunlight": work.battle.sunlight,
        "armies": [
            banner(one)
            for one in work.battle.fighters
            if one.stand == "here" and (one.power == power or not hidden(work, one))
        ],
        "here": [one.id for one in here],
        "must_deploy": [contender.personal] if _champion_must(work, contender) else [],
        "may_stay_out": [one.id for one in here if _may_stay_out(work, contender, one)],
        "reinforcements": [{"army": one.id, "delayed": one.delayed} for one in _mine(work, power, "near")],
        "assets": [asset.id for asset in contender.assets],
        "champion": contender.champion and not _champion_must(work, contender),
        "captain": lead,
        "goals": _proposals(work, contender.side, power) if lead else [],
        "most_goals": PROPOSALS if lead else 0,
        "free_goals": lead and work.battle.options.gm_seat,
    }


def banner(fighter: Fighter) -> dict[str, Any]:
    """What the world sees of an army (WF-VIS-01)."""
    card = fighter.card
    return {
        "army": fighter.id,
        "name": card.name,
        "power": fighter.power,
        "rank": card.rank,
        "ancestry": card.ancestry,
        "class": card.class_,
        "tier": None if card.tier is None else TIERS[card.tier],
        "units": len(fighter.units),
    }


def _proposals(work: Work, side: int, power: str) -> list[dict[str, Any]]:
    """What a captain may propose, with the targets it can see (WF-GOAL-16)."""
    found: list[dict[str, Any]] = []
    for name, row in CATALOGUE.items():
        if row.needs == "champion":
            targets = [one.id for one in work.battle.powers if one.side != side and one.champion]
            targets += [
                leader.id for leader in work.battle.leaders if work.contender(leader.power).side != side
            ]
        elif row.needs == "army":
            targets = [
                one.id
                for one in work.battle.fighters
                if one.side != side and one.stand == "here" and not hidden(work, one)
            ]
        elif row.needs == "site":
            own = work.battle.sides[side].powers
            others = {one.id for one in work.battle.powers} - set(own)
            if any(site.owner in others for site in work.battle.sites):
                found.append({"goal": name})
            continue
        else:
            found.append({"goal": name})
            continue
        if targets:
            found.append({"goal": name, "targets": targets})
    return found


def _may_stay_out(work: Work, contender: Contender, fighter: Fighter) -> bool:
    return contender.joined or hidden(work, fighter)


def _champion_must(work: Work, contender: Contender) -> bool:
    """Its body was declared against (WF-SET-16)."""
    body = work.by_id.get(contender.personal or "")
    return not contender.joined and body is not None and body.stand == "here"


def check(work: Work, power: str, answer: Setup) -> Refusal | None:
    contender = work.contender(power)
    here = [one.id for one in _mine(work, power, "here")]
    near = [one.id for one in _mine(work, power, "near")]
    named = [*answer.line, *answer.reserve]
    for name in named:
        if name not in here:
            return _no("WF-SET-10", "is not an army of yours in the hex", name, here)
    for name in answer.reinforce:
        if name not in near:
            return _no("WF-SET-12", "cannot reinforce this battle", name, near)
    for names in (named, answer.reinforce):
        if twice := next((name for name in names if names.count(name) > 1), None):
            return _no("WF-SET-10", "is named twice", twice, ["each army once"])
    involved = answer.champion or _champion_must(work, contender)
    if involved and contender.personal in answer.reserve:
        return _no("WF-SET-16", "is the body of an involved champion", contender.personal or "", ["the line"])
    held = [asset.id for asset in contender.assets]
    for name in (*answer.assets, *answer.use):
        if name not in held or answer.assets.count(name) > 1:
            return _no("WF-SET-17", f"asset {name!r} cannot be committed", "", held)
    if answer.champion and not contender.champion:
        return _no("WF-SET-16", "no champion of yours stands in the hex", "", ["champion false"])
    return _check_goals(work, contender, answer)


def _check_goals(work: Work, contender: Contender, answer: Setup) -> Refusal | None:
    if not answer.goals:
        return None
    if work.battle.sides[contender.side].captain != contender.id:
        return _no("WF-SET-09", "only the captain proposes goals", "", ["no goals"])
    legal = _proposals(work, contender.side, contender.id)
    for proposal in answer.goals:
        if proposal.text and not proposal.goal and work.battle.options.gm_seat:
            continue
        row = next((found for found in legal if found["goal"] == proposal.goal), None)
        if row is None:
            names = [str(found["goal"]) for found in legal]
            return _no("WF-GOAL-16", f"goal {proposal.goal!r} cannot be proposed here", "", names)
        targets = row.get("targets")
        if targets is None and proposal.target is not None:
            return _no("WF-GOAL-16", f"{proposal.goal} has no target", "", ["target null"])
        if targets is not None and proposal.target not in targets:
            return _no("WF-GOAL-16", f"{proposal.target!r} is no target of {proposal.goal}", "", targets)
    return None


def _no(rule: str, what: str, army: str, legal: list[str]) -> Refusal:
    return Refusal(rule=rule, what=what, army=army, legal=", ".join(legal) or "none")


def close(work: Work, replies: Replies) -> None:
    for contender in work.battle.powers:  # in seat order (WF-SET-15)
        _settle(work, contender, replies.get(contender.id))
    work.reordered()
    if work.battle.options.gm_seat:
        work.battle.phase = "gm"
    else:
        open_round_one(work, None)


def _settle(work: Work, contender: Contender, answer: Setup | None) -> None:
    filed = answer or Setup()
    side = work.battle.sides[contender.side]
    here = {one.id: one for one in _mine(work, contender.id, "here")}
    contender.involved = contender.champion and (
        filed.champion or _champion_must(work, contender) or contender.personal in filed.line
    )
    line = list(filed.line)
    if contender.involved and contender.personal in here and contender.personal not in line:
        line.append(contender.personal)
    for name in sorted(set(here) - {*line, *filed.reserve}):
        if answer is not None and _may_stay_out(work, contender, here[name]):
            here[name].stand = "out"  # WF-SET-03
        else:
            line.append(name)
    for name in line:
        here[name].stand = "line"
        side.line.append(name)
    for name in filed.reserve:
        if here[name].stand == "here":
            here[name].stand = "reserve"
            side.bench.append(name)
    for one in _mine(work, contender.id, "near"):
        if one.id in filed.reinforce:
            one.stand, one.reinforces = "delayed", True
        else:
            one.stand = "out"
    contender.committed = [asset for asset in contender.assets if asset.id in filed.assets]
    contender.assets = [asset for asset in contender.assets if asset.id not in filed.assets]
    contender.use = {**contender.use, **filed.use}
    contender.proposals = list(filed.goals)


def open_round_one(work: Work, gm: GmSetup | None) -> None:
    """The reveal (WF-VIS-04): goals, the layout, who begins, and what armies deploy with."""
    battle = work.battle
    goals.lay_out(work, gm.goals if gm else None)
    work.next_round()
    arrived = [work.by_id[name] for side in battle.sides for name in side.line]
    arrived += deployment.never_empty(work)
    work.reordered()
    _initiative(work)
    deployment.arrive(work, arrived)
    deployment.begin_round(work)


def _initiative(work: Work) -> None:
    """WF-SET-18."""
    battle = work.battle
    seats = {power.id: power.seat for power in battle.powers}

    def key(side: int) -> tuple[int, int, bool, int]:
        line = work.line(side)
        return (
            len(line),
            sum(one.active for one in line),
            side != battle.defender,
            min(seats[power] for power in battle.sides[side].powers),
        )

    battle.order = sorted(range(len(battle.sides)), key=key)
    work.reordered()
    work.emit("initiative", order=list(battle.order))


WINDOW = Window("D-07", keys, question, check, close, default=lambda work, key: {})
