"""Fees, D-16, and what comes of those unpaid, D-17 (WF-PWR-09, WF-PWR-10, WF-SEAS-11)."""

from typing import Any

from shared.warfare.answers import Desertions, Fees
from shared.warfare.army import Army
from shared.warfare.card import values
from shared.warfare.decisions import GM
from shared.warfare.errors import Refusal
from shared.warfare.season import hiring
from shared.warfare.season.window import Replies, Window, listed
from shared.warfare.season.work import Work, loyal, trait

DESERTION_DIE = 6


def due(work: Work, power: str) -> dict[str, int]:
    """Fees by army: of those that moved or fought, once; none of loyal and personal armies (WF-CARD-14)."""
    used = {*work.season.moved, *work.season.fought}
    return {
        army.id: fee
        for army in work.of(power)
        if army.id in used and not army.personal and not loyal(army) and (fee := values(army).fee) > 0
    }


def in_fear(army: Army, fee: int) -> int | None:
    """Servile armies take half as much, in fear; null: none."""
    return fee // 2 if trait(army, "fee-in-fear") else None


def keys(work: Work) -> list[str]:
    """Those who could pay one of them."""
    found = []
    for power in work.seats():
        one = work.powers[power]
        for name, fee in due(work, power).items():
            fear = in_fear(work.armies[name], fee)
            if fee <= one.coin or (fear is not None and fear <= one.fear):
                found.append(power)
                break
    return found


def question(work: Work, power: str) -> dict[str, Any]:
    one = work.powers[power]
    return {
        "fees": [
            {"army": name, "coin": fee, "fear": in_fear(work.armies[name], fee)}
            for name, fee in due(work, power).items()
        ],
        "coin": one.coin,
        "fear": one.fear,
    }


def check(work: Work, power: str, answer: Fees) -> Refusal | None:
    owed, one = due(work, power), work.powers[power]
    coin = fear = 0
    for name, how in answer.armies.items():
        if name not in owed:
            return Refusal(rule="WF-PWR-09", what="charges no fee now", army=name, legal=listed(owed))
        half = in_fear(work.armies[name], owed[name])
        if how == "fear" and half is None:
            return Refusal(rule="WF-PWR-09", what="takes no fear", army=name, legal="coin, refuse")
        coin += owed[name] if how == "coin" else 0
        fear += half or 0 if how == "fear" else 0
    if coin > one.coin or fear > one.fear:
        return Refusal(
            rule="WF-PWR-09", what=f"{coin} coin and {fear} fear", legal=f"{one.coin} coin, {one.fear} fear"
        )
    return None


def close(work: Work, replies: Replies) -> None:
    for power in work.seats():
        answer: Fees = replies.get(power) or Fees()
        for name, fee in due(work, power).items():
            if name in answer.armies:
                _pay(work, power, name, fee, answer.armies[name])
        for name, fee in due(work, power).items():  # those answered come first: they were checked together
            if name not in answer.armies:
                _pay(work, power, name, fee, _by_policy(work, power, name, fee))
    work.season.unpaid.sort()
    work.season.phase = "desertion"


def _by_policy(work: Work, power: str, name: str, fee: int) -> str:
    """WF-INT-30: if it can be paid, in coin, else in fear."""
    army, one = work.armies[name], work.powers[power]
    fear = in_fear(army, fee)
    if not army.policy.pay_fee:
        return "refuse"
    if fee <= one.coin:
        return "coin"
    return "fear" if fear is not None and fear <= one.fear else "refuse"


def _pay(work: Work, power: str, name: str, fee: int, how: str) -> None:
    if how == "coin":
        work.pay(power, "coin", fee)
    elif how == "fear":
        work.pay(power, "fear", in_fear(work.armies[name], fee) or 0)
    else:
        work.season.unpaid.append(name)
    work.emit("fee", (power,), army=name, fee=fee, paid=how)


WINDOW = Window("D-16", keys, question, check, close)


# D-17


def gm_keys(work: Work) -> list[str]:
    return [GM] if work.season.options.gm_seat and work.season.unpaid else []


def gm_question(work: Work, key: str) -> dict[str, Any]:
    return {"armies": list(work.season.unpaid), "to": ["stay", "rogue", *work.seats()]}


def gm_check(work: Work, key: str, answer: Desertions) -> Refusal | None:
    legal = ["stay", "rogue", *work.seats()]
    for name, to in answer.armies.items():
        if name not in work.season.unpaid:
            return Refusal(rule="WF-GM-07", what="was paid", army=name, legal=listed(work.season.unpaid))
        if to not in legal:
            return Refusal(rule="WF-GM-07", what=f"cannot go to {to!r}", army=name, legal=listed(legal))
    return None


def gm_close(work: Work, replies: Replies) -> None:
    answer: Desertions = replies.get(GM) or Desertions()
    for name in work.season.unpaid:
        was = work.armies[name].controller or ""
        to = answer.armies.get(name)
        if to is None:
            to = _waver(work, name)
        if to == "stay":
            continue
        hiring.serve(work, name, None if to == "rogue" else to)
        work.emit("army-deserted", {was, to}, army=name, to=to)
    work.season.unpaid = []


def _waver(work: Work, name: str) -> str:
    """WF-PWR-10: the die against the fee."""
    face = work.rolls.roll(f"army:{name}", "desert", DESERTION_DIE, 1)[0]
    if face > values(work.armies[name]).fee:
        return "stay"
    return hiring.desert_to(work, name) or "rogue"


DESERTION = Window("D-17", gm_keys, gm_question, gm_check, gm_close)
