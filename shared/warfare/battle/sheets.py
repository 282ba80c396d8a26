"""Lines of a command sheet: whether they may stand, and the policy they come to (WF-DEC-05)."""

from typing import Any

import msgspec
from msgspec.structs import replace

from shared.warfare.answers import Entry, read
from shared.warfare.battle import command
from shared.warfare.battle.state import Fighter
from shared.warfare.battle.work import Work
from shared.warfare.content.commands import COMMANDS
from shared.warfare.errors import BadInput, Refusal
from shared.warfare.policy import Policy

SWITCHES = {"needler": "always", "slayer": "always", "axes": "always", "hammers": "always", "two": "always",
            "taunt": "always", "lift": "always"}  # fmt: skip
"""Fields of an entry that say yes or no, and the switch value of yes."""


TRAIT_FIELDS = {"halves": "needler", "doubles": "slayer"}
"""Fields of an entry that mean something for an army with the trait."""


def check(work: Work, me: Fighter, entry: Entry) -> Refusal | None:
    """An entry as filed. What may change before its turn (targets out of reach, goals gone) is not refused: it
    falls back then (WF-CMD-09)."""

    def no(rule: str, what: str, legal: object) -> Refusal:
        return Refusal(rule=rule, what=what, army=me.id, legal=str(legal))

    commands = [*COMMANDS, *command.specials(work, me, affordable=False)]
    if entry.command not in commands:
        return no("WF-CMD-06", f"has no command {entry.command!r}", ", ".join(commands))
    enemies = [one.id for one in work.deployed() if one.side != me.side]
    everyone = [one.id for one in work.deployed()]
    special = entry.command not in COMMANDS
    for name in (*entry.targets, *entry.second):
        if name not in (everyone if special else enemies):
            return no("WF-ATK-02", f"cannot attack {name!r}", ", ".join(enemies) or "none")
    goals = [goal.id for goal in work.battle.goals if not goal.removed and goal.thresholds[me.side]]
    for name in (*entry.goals, *filter(None, [entry.second_goal])):
        if name not in goals:
            return no("WF-GOAL-01", f"no goal {name!r} for its side", ", ".join(goals))
    cost = command.cost(work, me, entry.command)
    if cost > me.momentum:
        return no(
            "WF-CMD-03" if entry.command in COMMANDS else "WF-CMD-06",
            f"has {me.momentum} momentum and needs {cost}",
            "slay, hold, rest",
        )
    if entry.asset is not None:
        held = [asset.id for asset in work.contender(me.power).committed]
        if entry.asset not in held:
            return no("WF-AST-07", f"no committed asset {entry.asset!r}", ", ".join(held) or "none")
    types = [deals.type for deals in work.profile(me).deals]
    if entry.type is not None and entry.type not in ("untyped", *types):
        return no("WF-ATK-04", f"cannot deal {entry.type}", ", ".join(["untyped", *types]))
    if entry.override:
        try:
            policy(me.card.policy, entry)
        except BadInput as error:
            return no("WF-DEC-05", str(error), "switches of a policy")
    return None


def policy(standing: Policy, entry: Entry) -> Policy:
    """The army's policy as the entry overrides it for this command. BadInput for an unknown switch."""
    changes: dict[str, Any] = {}
    for name, yes in SWITCHES.items():
        said = getattr(entry, name)
        if said is not None:
            changes[name] = yes if said else "never"
    if entry.restore is not None:
        changes["restore"] = (
            entry.restore if type(entry.restore) is int else "auto" if entry.restore else "never"
        )
    if entry.pass_ is not None:
        changes["pass_"] = entry.pass_
    if entry.second_goal is not None:
        changes["second_goal"] = (entry.second_goal,)
    if entry.override:
        merged = {**msgspec.to_builtins(standing), **entry.override}
        standing = read(merged, Policy, "override")
    return replace(standing, **changes) if changes else standing
