"""One command to one army (section 9)."""

from shared.warfare.answers import Entry
from shared.warfare.battle import forms, presence, sheets, targets, triggers
from shared.warfare.battle.state import Fighter
from shared.warfare.battle.work import Happening, Work
from shared.warfare.content.commands import COMMANDS, SIGNATURES
from shared.warfare.spells import DoAttack, DoPresence, Form, Special

SPECIAL = "special:"


def specials(work: Work, me: Fighter, *, affordable: bool = True) -> dict[str, Special]:
    """The special commands ``me`` may be given now, as ``special:<id>`` (WF-CMD-06, WF-CMD-08)."""
    contender = work.contender(me.power)
    found: dict[str, Special] = {}
    for special in contender.specials:
        if contender.used.get(special.id, 0) < special.uses:
            found[SPECIAL + special.id] = special
    for asset in contender.committed:
        if asset.special is not None:
            found[SPECIAL + asset.special.id] = asset.special
    for lender in work.line(me.side):
        signature = lender.card.signature if work.trait(lender, "signature") else None
        if signature and lender is not me and lender.active and signature not in lender.used:
            found.setdefault(SPECIAL + signature, SIGNATURES[signature])
    if affordable:
        return {
            name: special
            for name, special in found.items()
            if special.cost <= me.momentum and _possible(work, me, special.effects)
        }
    return found


def standard_legal(work: Work, me: Fighter, name: str) -> bool:
    command = COMMANDS[name]
    return command.cost <= me.momentum and _possible(work, me, command.effects)


def cost(work: Work, me: Fighter, name: str) -> int:
    if name in COMMANDS:
        return COMMANDS[name].cost
    return specials(work, me, affordable=False)[name].cost


def _possible(work: Work, me: Fighter, effects: tuple[Form, ...]) -> bool:
    """Whether there is a target and a goal for what the command does."""
    for effect in effects:
        if isinstance(effect, DoAttack):
            if not targets.valid(work, me, effect.mode or targets.mode_of(work, me)):
                return False
        elif isinstance(effect, DoPresence) and not presence.open_to(work, me):
            return False
    return True


def give(work: Work, me: Fighter, entry: Entry | None) -> None:
    """Exhausts ``me`` and carries the command out; an illegal or missing one falls back (WF-CMD-05, WF-CMD-09)."""
    if entry is not None:
        work.policies[me.id] = sheets.policy(me.card.policy, entry)
    name = entry.command if entry is not None else ""
    if (name in COMMANDS and not standard_legal(work, me, name)) or (
        name not in COMMANDS and name not in specials(work, me)
    ):
        name = ""
    if not name:
        name = _by_stance(work, me)
    me.exhausted = True  # WF-RND-12
    work.emit("command", army=me.id, power=me.power, command=name)
    if name in COMMANDS:
        command = COMMANDS[name]
        effects, price, charging = command.effects, command.cost, command.charges
    else:
        special = specials(work, me)[name]
        effects, price, charging = special.effects, special.cost, False
        _use(work, me, special)
    work.pay(me, price)
    triggers.happen(work, Happening("commanded", me))
    listed = [work.by_id[target] for target in entry.targets] if entry else []
    forms.perform(work, effects, me=me, side=me.side, targets=listed[:1], entry=entry, charging=charging)
    if me.stand == "line":
        triggers.happen(work, Happening("command-done", me))
    work.policies.pop(me.id, None)


def _by_stance(work: Work, me: Fighter) -> str:
    """WF-INT-26: slay, else hold, else rest, from the army's stance on."""
    order = {"slay": ("slay", "hold"), "hold": ("hold",), "rest": ()}[work.policy(me).stance]
    return next((name for name in order if standard_legal(work, me, name)), "rest")


def _use(work: Work, me: Fighter, special: Special) -> None:
    """Marks its use, at the source ``specials`` found it in: own perks, then assets, then Greybeards."""
    contender = work.contender(me.power)
    own = next((one for one in contender.specials if one.id == special.id), None)
    if own is not None and contender.used.get(own.id, 0) < own.uses:
        contender.used[own.id] = contender.used.get(own.id, 0) + 1
        return
    for asset in contender.committed:
        if asset.special is not None and asset.special.id == special.id:
            contender.committed.remove(asset)
            contender.spent.append(asset.id)
            return
    lenders = [
        lender
        for lender in work.line(me.side)
        if lender.card.signature == special.id
        and lender is not me
        and lender.active
        and special.id not in lender.used
    ]
    lender = min(lenders, key=lambda one: one.power != me.power)
    lender.used.append(special.id)
