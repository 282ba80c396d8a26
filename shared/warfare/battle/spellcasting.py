"""The Spellcasting phase, D-10 (WF-RND-05 to RND-09)."""

from typing import Any

from shared.warfare.answers import Cast
from shared.warfare.battle import ending, forms, triggers
from shared.warfare.battle.state import Contender, Spoken
from shared.warfare.battle.window import Replies, Window, asked
from shared.warfare.battle.work import Happening, Work
from shared.warfare.errors import Refusal
from shared.warfare.spells import DoEscalation, Spell


def usable(work: Work, contender: Contender) -> dict[str, Spell]:
    """The power's spells and those its committed assets hold, by name."""
    if not contender.involved and not any(one.power == contender.id for one in work.deployed()):
        return {}
    found = {spell.id: spell for spell in contender.spells}
    for asset in contender.committed:
        if asset.spell is not None:
            found[f"asset:{asset.id}"] = asset.spell
    return found


def keys(work: Work) -> list[str]:
    return [name for name in asked(work, work.battle.powers) if usable(work, work.contender(name))]


def question(work: Work, power: str) -> dict[str, Any]:
    spells = usable(work, work.contender(power))
    return {
        "round": work.battle.round,
        "spells": [
            {"spell": name, "element": spell.element, "rank": spell.rank, "targets": _aims(spell)}
            for name, spell in spells.items()
        ],
        "targets": [one.id for one in work.deployed()],
    }


def _aims(spell: Spell) -> bool:
    return any(not isinstance(effect, DoEscalation) for effect in spell.effects)


def check(work: Work, power: str, answer: Cast) -> Refusal | None:
    spells = usable(work, work.contender(power))
    if answer.spell is None:
        return None
    if answer.spell not in spells:
        return Refusal(rule="WF-RND-05", what=f"no spell {answer.spell!r}", legal=", ".join(spells))
    deployed = [one.id for one in work.deployed()]
    for name in answer.targets:
        if name not in deployed:
            return Refusal(rule="WF-RND-06", what="is not on the field", army=name, legal=", ".join(deployed))
    if _aims(spells[answer.spell]) and not answer.targets:
        return Refusal(rule="WF-RND-06", what="the spell needs a target", legal=", ".join(deployed))
    return None


def close(work: Work, replies: Replies) -> None:
    battle = work.battle
    battle.spoken = []
    for side in list(battle.order):  # WF-RND-05
        for power in battle.sides[side].powers:
            answer: Cast | None = replies.get(power)
            if answer is not None and answer.spell is not None:
                _cast(work, work.contender(power), answer)
                if ending.over(work):
                    return
    triggers.happen(work, Happening("spells-done"))
    battle.turn = 0
    battle.turns = 0
    for one in battle.sides:
        one.turn = 0
    battle.phase = "commands"


def _cast(work: Work, contender: Contender, answer: Cast) -> None:
    spell = usable(work, contender).get(answer.spell or "")
    if spell is None:  # its caster's last army fell to a spell before it
        return
    for asset in list(contender.committed):
        if f"asset:{asset.id}" == answer.spell:  # WF-RND-09: once
            contender.committed.remove(asset)
            contender.spent.append(asset.id)
    spoken = Spoken(contender.side, spell.element, spell.rank)
    work.battle.spoken.append(spoken)
    work.emit(
        "spell", power=contender.id, spell=spell.id, element=spell.element, rank=spell.rank,
        targets=list(answer.targets),
    )  # fmt: skip
    forms.perform(
        work, spell.effects, me=None, side=contender.side,
        targets=[work.by_id[name] for name in answer.targets], tags=spell.tags,
    )  # fmt: skip
    triggers.happen(work, Happening("spell", side=contender.side, spell=spoken))  # WF-RND-07


WINDOW = Window("D-10", keys, question, check, close)
