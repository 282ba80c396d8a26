"""A single battle as a match: armies given, or drafted within a budget, then the battle (WF-CMP-10)."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from shared.warfare.answers import GmOrders, read
from shared.warfare.army import Army
from shared.warfare.battle import machine as battles
from shared.warfare.battle.opening import Engagement, open_battle
from shared.warfare.battle.sides import Party
from shared.warfare.battle.state import Battle
from shared.warfare.decisions import GM, KINDS, Decision, Event, Stepped
from shared.warfare.errors import BadInput, Illegal, Refusal
from shared.warfare.options import Options
from shared.warfare.season import drafting
from shared.warfare.season.drafts import Draft
from shared.warfare.season.orders import Policies
from shared.warfare.season.policies import BESIDE, check_words
from shared.warfare.world import Hex

KIND: Final = "draft"
SIDES: Final = (2, 3)


class Corner(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One player. With ``armies`` it drafts none. ``side`` null: a side of its own."""

    id: str
    seat: int
    name: str = ""
    armies: tuple[Army, ...] = ()
    side: int | None = None


class Skirmish(Struct, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    seed: str
    options: Options = Options()
    phase: Literal["draft", "battle", "ended"] = "draft"
    hex: Hex
    corners: list[Corner]
    """By seat."""
    defender: str | None = None
    """Who defends; null leaves it to the sites of the hex (WF-SET-06)."""
    battle: Battle | None = None
    given: dict[str, list[int]] = {}


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(Skirmish)


def copy(skirmish: Skirmish) -> Skirmish:
    return _decoder.decode(_encoder.encode(skirmish))


def new_skirmish(
    seed: str,
    corners: Sequence[Corner],
    *,
    hex: Hex | None = None,
    defender: str | None = None,
    options: Options | None = None,
) -> Stepped[Skirmish]:
    """A match of two or three sides. ValueError for another number; Illegal for armies that cannot be."""
    in_order = sorted(corners, key=lambda corner: corner.seat)
    sided = [
        replace(corner, side=index if corner.side is None else corner.side)
        for index, corner in enumerate(in_order)
    ]
    count = len({corner.side for corner in sided})
    if not SIDES[0] <= count <= SIDES[-1]:
        raise ValueError(f"a single battle has {SIDES[0]} or {SIDES[-1]} sides, not {count}")
    skirmish = Skirmish(
        seed=seed,
        options=options or Options(),
        hex=hex or Hex(at=(0, 0)),
        corners=sided,
        defender=defender,
    )
    return _go_on(skirmish, [])


def _drafting(skirmish: Skirmish) -> list[Corner]:
    if skirmish.phase != "draft":
        return []
    return [corner for corner in skirmish.corners if not corner.armies]


def budget(skirmish: Skirmish, power: str) -> int:
    """A side's budget, in equal parts to those of its players who draft (WF-CMP-10)."""
    side = next(corner.side for corner in skirmish.corners if corner.id == power)
    sharing = sum(corner.side == side and not corner.armies for corner in skirmish.corners)
    return skirmish.options.draft_budget // max(1, sharing)


def decision_id(corner: Corner) -> str:
    return f"{KIND}:{corner.id}"


def decisions(skirmish: Skirmish) -> tuple[Decision, ...]:
    if skirmish.battle is not None:
        return battles.decisions(skirmish.battle)
    return tuple(
        Decision(
            id=decision_id(corner),
            kind=KIND,
            power=corner.id,
            question=drafting.question(budget(skirmish, corner.id)),
            default=msgspec.to_builtins(drafting.default(budget(skirmish, corner.id))),
            otherwise=KINDS[KIND].default,
        )
        for corner in _drafting(skirmish)
    )


def check(skirmish: Skirmish, decision: str, answer: Any) -> Refusal | None:
    """As ``season.machine.check``; ``gm`` is the battle's game master."""
    return _read(skirmish, decision, answer, "answer")[2]


def _read(skirmish: Skirmish, name: str, answer: Any, where: str) -> tuple[str, Any, Refusal | None]:
    """What an answer answers (``draft``, ``beside`` or ``battle``), itself read, and why it is refused."""
    battle = skirmish.battle
    if battle is not None and battle.phase != "ended":
        power = name.removeprefix(BESIDE)
        if name.startswith(BESIDE) and power in [corner.id for corner in skirmish.corners]:
            filed = read(answer, Policies, where)
            return "beside", filed, _check_policies(battle, power, filed)
        if name == GM and skirmish.options.gm_seat:
            orders = read(answer, GmOrders, where)
            return "battle", orders, battles.check(battle, name, orders)
        for decision in battles.decisions(battle):
            if decision.id == name:
                value = read(answer, KINDS[decision.kind].form, where)
                return "battle", value, battles.check(battle, name, value)
    for corner in _drafting(skirmish):
        if decision_id(corner) == name:
            draft = read(answer, Draft, where)
            return "draft", draft, drafting.check(draft, corner.id, budget(skirmish, corner.id))
    raise BadInput(where, "no such open decision")


def _check_policies(battle: Battle, power: str, filed: Policies) -> Refusal | None:
    own = [fighter.id for fighter in battle.fighters if fighter.power == power]
    for name, policy in filed.armies.items():
        if name not in own:
            return Refusal(rule="WF-INT-29", what="is no army of yours", army=name, legal=", ".join(own))
        if refusal := check_words(name, policy):
            return refusal
    return None


def step(skirmish: Skirmish, answers: Mapping[str, Any]) -> Stepped[Skirmish]:
    """As ``season.machine.step``: the draft, then the battle's windows."""
    read_ = {name: _read(skirmish, name, answers[name], f"answers[{name!r}]") for name in sorted(answers)}
    for _, _, refusal in read_.values():
        if refusal is not None:
            raise Illegal(refusal)
    if skirmish.phase == "ended":
        return Stepped(skirmish, (), ())
    now = copy(skirmish)
    if now.battle is None:
        drafts = {name: value for name, (_, value, _) in read_.items()}
        shares = {corner.id: budget(now, corner.id) for corner in now.corners}
        now.corners = [
            replace(
                corner,
                armies=corner.armies
                or drafting.muster(
                    drafts.get(decision_id(corner)) or drafting.default(shares[corner.id]), corner.id
                ),
            )
            for corner in now.corners
        ]
        return _go_on(now, [])
    for what, value, _ in read_.values():
        if what == "beside":
            _file(now.battle, value)
    stepped = battles.step(
        now.battle, {name: value for name, (what, value, _) in read_.items() if what == "battle"}
    )
    now.battle = stepped.state
    return _go_on(now, list(stepped.events))


def _file(battle: Battle, filed: Policies) -> None:
    for fighter in battle.fighters:
        if fighter.id in filed.armies:
            fighter.card = replace(fighter.card, policy=filed.armies[fighter.id])


def _go_on(skirmish: Skirmish, events: list[Event]) -> Stepped[Skirmish]:
    if skirmish.battle is None and not _drafting(skirmish):
        opened = open_battle(_engagement(skirmish))
        skirmish.battle = opened.state
        skirmish.phase = "battle"
        events += opened.events
    if skirmish.battle is not None and skirmish.battle.phase == "ended":
        skirmish.phase = "ended"
    return Stepped(skirmish, tuple(events), decisions(skirmish))


def _engagement(skirmish: Skirmish) -> Engagement:
    at = skirmish.hex.at
    defending = next((one.side for one in skirmish.corners if one.id == skirmish.defender), None)
    return Engagement(
        seed=skirmish.seed,
        hex=skirmish.hex,
        parties=tuple(
            Party(
                id=corner.id,
                seat=corner.seat,
                side=corner.side,
                declares=corner.side != defending,
                against=tuple(other.id for other in skirmish.corners if other.side != corner.side),
                personal=next((army.id for army in corner.armies if army.personal), None),
                champion=any(army.personal for army in corner.armies),
            )
            for corner in skirmish.corners
        ),
        here=tuple(
            replace(army, controller=corner.id, loyal_to=corner.id, hex=at)
            for corner in skirmish.corners
            for army in corner.armies
        ),
        options=skirmish.options,
        given={name: tuple(faces) for name, faces in skirmish.given.items()},
    )


def ranking(skirmish: Skirmish) -> list[str]:
    """Best first: the winner; without one, the most active units left, then the lowest seat."""
    battle = skirmish.battle
    if battle is None:
        return [corner.id for corner in skirmish.corners]
    units = {
        corner.id: sum(
            one.active
            for one in battle.fighters
            if one.power == corner.id and one.stand in ("line", "reserve", "delayed")
        )
        for corner in skirmish.corners
    }
    won = battle.sides[battle.winner].powers if battle.winner is not None else []
    return [
        corner.id
        for corner in sorted(skirmish.corners, key=lambda one: (one.id not in won, -units[one.id], one.seat))
    ]
