"""What battles leave behind in the season: cards, coin, truces, the fallen and those who ran (section 12, 2.3)."""

from msgspec.structs import replace

from shared.warfare.army import Place
from shared.warfare.battle.outcome import Fate, Outcome, outcome
from shared.warfare.battle.state import Battle, Contender
from shared.warfare.season import garrisons, sight, trials
from shared.warfare.season.state import Dispersed, TruceUntil
from shared.warfare.season.work import Work
from shared.warfare.world import ROGUES


def over(work: Work) -> bool:
    return all(battle.phase == "ended" for battle in work.season.battles)


def settle(work: Work) -> None:
    """All have ended: cards, coin, truces, fallen champions, those who ran (2.3)."""
    season = work.season
    for battle in season.battles:
        place = _place(battle)
        result = outcome(battle)
        watchers = sight.watchers(work, place)
        for fate in result.fates:
            _apply(work, battle, place, fate)
        for name, coin in sorted(result.coin.items()):
            work.set_power(name, coin=max(0, work.powers[name].coin + coin))
        for truce in result.truces:
            season.truces.append(
                TruceUntil(min(truce.a, truce.b), max(truce.a, truce.b), season.season + truce.seasons)
            )
        for name in result.champions_slain:
            champion = work.powers[name].champion
            if champion is not None:
                work.set_power(name, champion=replace(champion, alive=False, at=None, personal=None))
                known = {name, *watchers, *(power.id for power in battle.powers)}
                work.emit("champion-slain", known, power=name, champion=champion.name)
        season.commanders = [one for one in season.commanders if one.id not in result.leaders_slain]
        for power in battle.powers:
            _use_up(work, power)
        _damage(work, battle, place, result)
        _summarise(work, place, result, [*watchers, *(power.id for power in battle.powers)])
    season.battles = []
    season.goals_won = {}
    garrisons.follow(work)
    season.phase = "heal"


def _place(battle: Battle) -> Place:
    q, _, r = battle.id.partition("@")[2].partition(",")
    return int(q), int(r)


def _apply(work: Work, battle: Battle, place: Place, fate: Fate) -> None:
    season = work.season
    if fate.end in ("dispersed", "destroyed"):
        army = work.remove(fate.id)
        if fate.end == "dispersed":  # WF-END-03
            season.dispersed.append(
                Dispersed(
                    army=fate.army,
                    hex=place,
                    season=season.season,
                    controller=army.controller,
                    fought=tuple(power.id for power in battle.powers if power.id != ROGUES),
                )
            )
        return
    card = replace(fate.army, hex=place if fate.reinforced else fate.army.hex)
    work.put(replace(card, garrison=None) if fate.yielded_to is not None else card)
    if fate.fought:
        season.fought = sorted({*season.fought, fate.id})
    if fate.reinforced:
        season.moved = sorted({*season.moved, fate.id})
    if fate.end in ("retreated", "surrendered"):
        season.withdrew = sorted({*season.withdrew, fate.id})


def _use_up(work: Work, power: Contender) -> None:
    if power.id == ROGUES:
        return
    for name in sorted(set(power.spent)):
        trials.use(work, power.id, name)


def _damage(work: Work, battle: Battle, place: Place, result: Outcome) -> None:
    """Siege's count on walls goes to the wall that was defended (WF-GOAL-11)."""
    count = result.damage.get("walls", 0)
    side = battle.sides[battle.defender].powers if battle.defender is not None else []
    walls = [site for site in work.hexes[place].sites if site.wall and site.owner in side]
    if count and walls:
        wall = max(walls, key=lambda site: site.wall)
        work.set_site(wall.id, wall_damage=wall.wall_damage + count)


def _summarise(work: Work, place: Place, result: Outcome, watchers: list[str]) -> None:
    """For all who see the hex: sides, goals won, units lost, and no army by name (WF-VIS-05)."""
    side_of = {power: index for index, side in enumerate(result.sides) for power in side}
    lost = [{"slain": 0, "routed": 0} for _ in result.sides]
    for fate in result.fates:
        if fate.fought:
            lost[side_of[fate.power]]["slain"] += fate.slain
            lost[side_of[fate.power]]["routed"] += fate.routed
    work.emit(
        "battle-summary", watchers, battle=result.battle, hex=place,
        sides=[list(side) for side in result.sides], winner=result.winner, rounds=result.rounds, lost=lost,
        goals=[list(won) for won in work.season.goals_won.get(result.battle, [])],
    )  # fmt: skip
