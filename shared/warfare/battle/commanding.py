"""The Commands phase: whose turn it is, and one window of sheets or of single entries (WF-RND-10 to RND-13, D-11)."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from shared.warfare.answers import Commands, Entry
from shared.warfare.battle import command, ending, goals, presence, sheets, targets
from shared.warfare.battle.state import Fighter
from shared.warfare.battle.window import Replies, Window, may_ask
from shared.warfare.battle.work import Work
from shared.warfare.content.commands import COMMANDS
from shared.warfare.errors import Refusal


def ready(work: Work, power: str) -> list[Fighter]:
    """A power's armies that can be commanded, in line order."""
    side = work.battle.sides[work.contender(power).side]
    return [
        fighter
        for name in side.line
        if (fighter := work.by_id[name]).power == power
        and fighter.stand == "line"
        and not fighter.exhausted
        and fighter.active
    ]


class Turn(NamedTuple):
    """Whose turn it is: ``place`` of its side in the order, ``member`` the power within its side."""

    power: str
    place: int
    member: int


def turn(work: Work) -> Turn | None:
    """Who commands next; None when every deployed army is exhausted (WF-RND-10, WF-RND-11)."""
    battle = work.battle
    for step in range(len(battle.order)):
        place = (battle.turn + step) % len(battle.order)
        side = battle.sides[battle.order[place]]
        for skip in range(len(side.powers)):
            index = (side.turn + skip) % len(side.powers)
            if ready(work, side.powers[index]):
                return Turn(side.powers[index], place, index)
    return None


def keys(work: Work) -> list[str]:
    if work.battle.options.command_mode == "step":
        next_ = turn(work)
        return [next_.power] if next_ and may_ask(work, work.contender(next_.power)) else []
    return [power.id for power in work.battle.powers if may_ask(work, power) and ready(work, power.id)]


def question(work: Work, power: str) -> dict[str, Any]:
    """For each ready army its commands and what they cost, targets, goals, damage types, and the fields and
    switches (``options``) of an entry that mean something for it, as things stand."""
    step = work.battle.options.command_mode == "step"
    return {
        "round": work.battle.round,
        "most_entries": 1 if step else len(ready(work, power)),
        "armies": [_choices(work, fighter) for fighter in ready(work, power)],
        "assets": [asset.id for asset in work.contender(power).committed if asset.spell is None],
    }


def _choices(work: Work, fighter: Fighter) -> dict[str, Any]:
    mode = targets.mode_of(work, fighter)
    aims = [target.id for target in targets.valid(work, fighter, mode)]
    open_ = [goal.id for goal in presence.open_to(work, fighter)]
    specials = command.specials(work, fighter)
    found: dict[str, Any] = {
        "army": fighter.id,
        "commands": [
            *(name for name in COMMANDS if command.standard_legal(work, fighter, name)),
            *specials,
        ],
        "costs": {name: special.cost for name, special in specials.items()}
        | {name: row.cost for name, row in COMMANDS.items() if row.cost},
        "momentum": fighter.momentum,
        "mode": mode,
        "targets": aims,
        "goals": open_,
    }
    profile = work.profile(fighter)
    if "two" in profile.options:
        found["second"] = [target.id for target in targets.within_reach(work, fighter, mode)]
    options = [field for trait, field in sheets.TRAIT_FIELDS.items() if trait in profile.traits]
    options += [*profile.options, *profile.switches]
    if options:
        found["options"] = sorted(options)
    if profile.deals:
        found["types"] = [deals.type for deals in profile.deals]
    return found


def check(work: Work, power: str, answer: Commands) -> Refusal | None:
    if work.battle.options.command_mode == "step" and len(answer.entries) > 1:
        return Refusal(rule="WF-DEC-06", what="one entry a turn", legal="one entry")
    mine = [fighter.id for fighter in ready(work, power)]
    seen: set[str] = set()
    for entry in answer.entries:
        if entry.army not in mine:
            fighter = work.by_id.get(entry.army)
            return Refusal(
                rule="WF-RND-12", what=_why_not(fighter, power), army=entry.army, legal=", ".join(mine)
            )
        if entry.army in seen:
            return Refusal(
                rule="WF-DEC-05", what="is commanded twice", army=entry.army, legal="each army once"
            )
        seen.add(entry.army)
        if refusal := sheets.check(work, work.by_id[entry.army], entry):
            return refusal
    return None


def _why_not(fighter: Fighter | None, power: str) -> str:
    if fighter is None or fighter.power != power:
        return "is not an army of yours here"
    if fighter.stand != "line":
        return "is not on the field" if fighter.stand != "lost" else "is destroyed or routed"
    return "is exhausted" if fighter.exhausted else "has no active unit"


def close(work: Work, replies: Replies) -> None:
    sheet = {power: list(answer.entries) for power, answer in replies.items()}
    stepwise = work.battle.options.command_mode == "step"
    first = True
    while (next_ := turn(work)) is not None:
        # An answer in step mode is for one turn only; turns of those who are not asked follow at once.
        if stepwise and not first and may_ask(work, work.contender(next_.power)):
            return
        first = False
        fighter, entry = _next(work, next_.power, sheet.get(next_.power, ()))
        _pass_on(work, next_)
        command.give(work, fighter, entry)
        work.battle.turns += 1
        if ending.over(work):
            return
    goals.resolve(work)
    if not ending.over(work):
        work.battle.phase = "offer"


def _next(work: Work, power: str, entries: Sequence[Entry]) -> tuple[Fighter, Entry | None]:
    """The next entry of a sheet whose army is ready, then armies without one in line order (WF-DEC-05)."""
    waiting = {fighter.id: fighter for fighter in ready(work, power)}
    for entry in entries:
        if entry.army in waiting:
            return waiting[entry.army], entry
    return next(iter(waiting.values())), None


def _pass_on(work: Work, taken: Turn) -> None:
    """The turn moves to the next side, and within this one to the next power."""
    battle = work.battle
    side = battle.sides[battle.order[taken.place]]
    side.turn = (taken.member + 1) % len(side.powers)
    battle.turn = (taken.place + 1) % len(battle.order)


WINDOW = Window("D-11", keys, question, check, close, default=lambda work, key: {})
