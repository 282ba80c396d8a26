"""Battles within the season: opened, stepped side by side, and what they leave behind (WF-SEAS-09, section 12)."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from shared.warfare.answers import Join, Setup, read
from shared.warfare.army import Army, Place
from shared.warfare.battle import machine as battles
from shared.warfare.battle.opening import Engagement, Near, open_battle
from shared.warfare.battle.sides import Party, draw_sides
from shared.warfare.battle.state import Battle, Leader
from shared.warfare.decisions import Decision, Event
from shared.warfare.errors import BadInput
from shared.warfare.season import declaring, garrisons, trials
from shared.warfare.season.state import Declared
from shared.warfare.season.window import Replies, Window
from shared.warfare.season.work import Work
from shared.warfare.world import ROGUES, distance, hex_key


def close_joins(work: Work, replies: Replies) -> None:
    """D-06 closes: all battles open."""
    season = work.season
    pacts = frozenset(work.pacts)
    parties = [_parties(work, one, replies) for one in season.declared]
    bound: set[str] = set()
    for one, coming in zip(season.declared, parties, strict=True):
        within = {power for side in draw_sides(coming, pacts) for power in side}
        bound |= {army.id for army in work.at(one.at) if (army.controller or ROGUES) in within}
    opened: list[Battle] = []
    for one, coming in zip(season.declared, parties, strict=True):
        stepped = open_battle(_engagement(work, one, coming, bound))
        _relay(work, stepped.state, stepped.events)
        opened.append(stepped.state)
    season.declared = []
    season.battles = opened
    season.phase = "battles"
    _share_hands(work)


JOIN = Window(
    "D-06",
    declaring.join_keys,
    declaring.join_question,
    declaring.join_check,
    close_joins,
    default=lambda work, key: declaring.JOIN_DEFAULT,
)


def _parties(work: Work, one: Declared, replies: Replies) -> list[Party]:
    """Those in it already, then those who ask to join."""
    answers: dict[str, Join] = {
        power: reply
        for power in work.seats()
        if (reply := replies.get(f"{power}#{hex_key(one.at)}")) is not None
    }
    joins = {
        power: reply.side_of
        for power, reply in answers.items()
        if power not in one.powers and reply.side_of != "out"
    }
    return [_party(work, one, power, answers.get(power), joins.get(power)) for power in [*one.powers, *joins]]


def _engagement(work: Work, one: Declared, parties: list[Party], bound: set[str]) -> Engagement:
    """``bound``: armies in the hex of a battle that their power takes part in."""
    season = work.season
    names = [party.id for party in parties]
    here = [army for army in work.at(one.at) if (army.controller or ROGUES) in names]
    coming = [
        Near(army, distance(army.hex, one.at))
        for power in names
        if power != ROGUES
        for army in work.of(power)
        if army.hex is not None and army.id not in bound and declaring.in_reach(work, army, one.at)
    ]
    place = f"b{season.season}@{hex_key(one.at)}"
    return Engagement(
        seed=season.seed,
        season=season.season,
        hex=work.hexes[one.at],
        parties=tuple(parties),
        here=tuple(here),
        near=tuple(coming),
        pacts=tuple(sorted((min(pact), max(pact)) for pact in work.pacts if pact <= set(names))),
        leaders=tuple(Leader(found.id, found.power) for found in season.commanders if found.at == one.at),
        garrisoned=tuple(army.id for army in here if _lives(work, army, one.at)),
        options=season.options,
        given={name: tuple(faces) for name, faces in season.battle_given.get(place, {}).items()},
    )


def _lives(work: Work, army: Army, at: Place) -> bool:
    """Garrisoned in the hex; a fielded army is where it did not just march to (WF-CARD-16)."""
    if garrisons.usable(work, army.controller, army.garrison):
        return garrisons.place_of(work, army.garrison) == at
    return army.id not in work.season.moved


def _party(work: Work, one: Declared, power: str, answer: Join | None, joins: str | None) -> Party:
    if power == ROGUES:
        return Party(
            id=ROGUES, seat=work.seat(ROGUES), declares=ROGUES in one.against,
            against=one.against.get(ROGUES, ()), asked=False,
        )  # fmt: skip
    found = work.powers[power]
    accept = {*one.accept.get(power, ()), *(answer.accept if answer is not None else ())}
    stands = work.champion_at(power) == one.at
    return Party(
        id=power,
        seat=found.seat,
        declares=power in one.against,
        against=one.against.get(power, ()),
        joins=joins,
        accept=tuple(sorted(accept)),
        coin=found.coin,
        assets=tuple(asset for asset in found.assets if not trials.used(work, power, asset.id)),
        spells=found.spells,
        specials=found.specials,
        champion=stands,
        personal=found.champion.personal if stands and found.champion is not None else None,
    )


# Stepping


def decisions(work: Work) -> list[Decision]:
    return [decision for battle in work.season.battles for decision in battles.decisions(battle)]


def step(work: Work, answers: Mapping[str, Mapping[str, Any]]) -> None:
    """One window of every battle that is on, by hex. Coin, assets and reinforcements that one takes are gone for
    those after it (WF-RND-18, WF-SET-12)."""
    season = work.season
    for index, battle in enumerate(season.battles):
        _share_hands(work)
        if battle.phase == "ended":
            continue
        given = {
            name: kept
            for name, answer in answers.get(battle.id, {}).items()
            if (kept := _still(battle, name, answer)) is not None
        }
        stepped = battles.step(battle, given)
        _relay(work, stepped.state, stepped.events)
        season.battles[index] = stepped.state
    _share_hands(work)


def _still(battle: Battle, name: str, answer: Any) -> Any:
    """A legal answer as far as the battles before this one have left it possible; null: the default."""
    kind, _, rest = name.partition(":")
    if kind == "D-07":
        power = next(one for one in battle.powers if one.id == rest.rpartition(":")[2])
        held = {asset.id for asset in power.assets}
        near = {one.id for one in battle.fighters if one.power == power.id and one.stand == "near"}
        filed: Setup = read(answer, Setup, "answer")
        answer = replace(
            filed,
            assets=tuple(asset for asset in filed.assets if asset in held),
            use={asset: how for asset, how in filed.use.items() if asset in held},
            reinforce=tuple(army for army in filed.reinforce if army in near),
        )
    try:
        return answer if battles.check(battle, name, answer) is None else None
    except BadInput:  # nothing is left to ask about
        return None


def _share_hands(work: Work) -> None:
    """What a power has to give is one purse and one hand, in however many battles it stands."""
    season = work.season
    committed: dict[str, set[str]] = {}
    away: set[str] = set()
    for battle in season.battles:
        for power in battle.powers:
            committed.setdefault(power.id, set()).update(asset.id for asset in power.committed)
            committed[power.id] |= set(power.spent)
        away |= {one.id for one in battle.fighters if one.reinforces}
    for battle in season.battles:
        for power in battle.powers:
            if power.id == ROGUES:
                continue
            others = (
                one.set_aside
                for other in season.battles
                if other is not battle
                for one in other.powers
                if one.id == power.id
            )
            power.coin = max(0, work.powers[power.id].coin - sum(others))
            power.assets = [asset for asset in power.assets if asset.id not in committed[power.id]]
        for fighter in battle.fighters:
            if fighter.stand == "near" and fighter.id in away:
                fighter.stand = "out"


def _relay(work: Work, battle: Battle, events: tuple[Event, ...]) -> None:
    """A battle's events are its participants' (WF-VIS-05)."""
    everyone = tuple(power.id for power in battle.powers if power.id != ROGUES)
    for event in events:
        if event.kind == "goal-won":
            won = work.season.goals_won.setdefault(battle.id, [])
            won.append((str(event.facts["goal"]), int(event.facts["side"])))
        known = everyone if event.to is None else event.to
        work.emit(event.kind, known, **{**event.facts, "battle": battle.id})
