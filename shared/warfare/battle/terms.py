"""Offers of terms and their answers, D-12 and D-13 (WF-RND-16 to RND-20)."""

from typing import Any

from shared.warfare.answers import Offer, Reply, Terms
from shared.warfare.battle import cleanup, ending, leaving
from shared.warfare.battle.checks import morale
from shared.warfare.battle.state import Bid, Contender, Fighter, Truce
from shared.warfare.battle.window import Replies, Window, may_ask, power_of
from shared.warfare.battle.work import Work
from shared.warfare.content.tables import IMPERILLED_ODDS, TRUCE_SEASONS
from shared.warfare.errors import Refusal
from shared.warfare.world import ROGUES


def speaker(work: Work, side: int) -> str | None:
    """Who speaks for a side: its captain, or when that power has left, the one with most active units."""
    one = work.battle.sides[side]
    units = {
        power: sum(fighter.active for fighter in work.of_power(power))
        for power in one.powers
        if work.of_power(power)
    }
    if one.captain in units:
        return one.captain
    return max(units, key=lambda power: units[power], default=None)


def imperilled(work: Work, fighter: Fighter) -> bool:
    """WF-RND-20."""
    if fighter.stand != "line":
        return False
    if fighter.imperilled is not None:  # WF-GM-09
        return fighter.imperilled
    own = sum(one.active for one in work.line(fighter.side))
    enemies = sum(one.active for one in work.deployed() if one.side != fighter.side)
    return fighter.active <= fighter.deployed_with // 2 or enemies >= IMPERILLED_ODDS * own


def _able(work: Work) -> dict[str, int]:
    """The sides that may offer, by speaker, in initiative order (WF-RND-15, WF-RND-16)."""
    found = {}
    for side in work.battle.order:
        power = speaker(work, side)
        if work.battle.sides[side].escalation >= 1 and power is not None:
            found[power] = side
    return found


def offer_keys(work: Work) -> list[str]:
    return [power for power in _able(work) if may_ask(work, work.contender(power))]


def offer_question(work: Work, power: str) -> dict[str, Any]:
    mine = work.contender(power).side
    others = [side for side in ending.remaining(work) if side != mine]
    return {
        "round": work.battle.round,
        "escalation": work.battle.sides[mine].escalation,
        "to": [
            {"side": side, "powers": work.battle.sides[side].powers, "armies": _yieldable(work, side)}
            for side in others
        ],
        "most_truce": TRUCE_SEASONS,
    }


def _yieldable(work: Work, side: int) -> list[str]:
    """Armies of a side that the offering one can see and name: those deployed, no champion's body."""
    return [fighter.id for fighter in work.line(side) if not fighter.card.personal]


def offer_check(work: Work, power: str, answer: Offer) -> Refusal | None:
    if answer.to is None:
        return None
    mine = work.contender(power).side
    others = [side for side in ending.remaining(work) if side != mine]
    if answer.to not in others:
        return Refusal(
            rule="WF-RND-16", what=f"no side {answer.to} to offer to", legal=", ".join(map(str, others))
        )
    if not answer.terms.withdraw and not work.battle.options.gm_seat:  # WF-GM-09
        return Refusal(rule="WF-RND-17", what="terms without withdrawal", legal="withdraw true")
    if not isinstance(answer.terms.yield_, str):
        legal = _yieldable(work, answer.to)
        for name in answer.terms.yield_:
            if name not in legal:
                return Refusal(rule="WF-RND-17", what="cannot be yielded", army=name, legal=", ".join(legal))
    return None


def offer_close(work: Work, replies: Replies) -> None:
    battle = work.battle
    battle.bids = []
    for power, side in _able(work).items():
        answer: Offer | None = replies.get(power)
        if answer is None:
            answer = _by_policy(work, power, side)
        if answer.to is None:
            continue
        battle.sides[side].escalation -= 1  # spent whatever the answer
        battle.bids.append(Bid(side, answer.to, answer.terms))
        work.emit(
            "offer", _parties(work, side, answer.to), side=side, power=power, to=answer.to,
            terms=_plain(answer.terms),
        )  # fmt: skip
    battle.phase = "answer"


def _parties(work: Work, *sides: int) -> tuple[str, ...]:
    """Who sees terms (WF-VIS-06)."""
    return tuple(power for side in sides for power in work.battle.sides[side].powers)


def _plain(terms: Terms) -> dict[str, Any]:
    named = terms.yield_ if isinstance(terms.yield_, str) else list(terms.yield_)
    return {"withdraw": terms.withdraw, "coin": terms.coin, "yield": named, "truce": terms.truce}


def _voice(work: Work, power: str) -> Fighter | None:
    """The army whose policy speaks for its power: the first in line order."""
    return next(iter(work.of_power(power)), None)


def _by_policy(work: Work, power: str, side: int) -> Offer:
    """WF-INT-25."""
    voice = _voice(work, power)
    if voice is not None and work.policy(voice).offer == "if_enemy_imperilled":
        for other in work.battle.order:
            if other != side and any(imperilled(work, enemy) for enemy in work.line(other)):
                return Offer(to=other)
    return Offer()


def _answering(work: Work) -> list[str]:
    return [
        f"{power}#{index}"
        for index, bid in enumerate(work.battle.bids)
        for power in work.battle.sides[bid.to_side].powers
        if work.of_power(power)
    ]


def answer_keys(work: Work) -> list[str]:
    keys = _answering(work)
    return [
        key
        for key in keys
        if may_ask(work, contender := work.contender(power_of(key)))
        and _can_pay(contender, _bid(work, key).terms)
    ]


def _bid(work: Work, key: str) -> Bid:
    return work.battle.bids[int(key.partition("#")[2])]


def _can_pay(contender: Contender, terms: Terms) -> bool:
    return contender.coin - contender.set_aside >= terms.coin


def answer_question(work: Work, key: str) -> dict[str, Any]:
    bid = _bid(work, key)
    contender = work.contender(power_of(key))
    return {
        "round": work.battle.round,
        "from": bid.from_side,
        "terms": _plain(bid.terms),
        "can_pay": _can_pay(contender, bid.terms),
    }


def answer_check(work: Work, key: str, answer: Reply) -> Refusal | None:
    bid = _bid(work, key)
    if answer.accept and not _can_pay(work.contender(power_of(key)), bid.terms):
        return Refusal(rule="WF-RND-18", what=f"cannot pay {bid.terms.coin} coin", legal="decline")
    return None


def answer_close(work: Work, replies: Replies) -> None:
    for key in _answering(work):
        power, bid = power_of(key), _bid(work, key)
        contender = work.contender(power)
        if not work.of_power(power) or speaker(work, bid.from_side) is None:
            continue
        reply: Reply | None = replies.get(key)
        accept = reply.accept if reply is not None else _would_accept(work, power)
        if accept and _can_pay(contender, bid.terms):
            _accept(work, contender, bid)
        else:
            work.emit("declined", _parties(work, bid.from_side, bid.to_side), power=power, side=bid.from_side)
            _waver(work, power, bid)
        if ending.over(work):
            return
    work.battle.bids = []
    cleanup.begin(work)


def _would_accept(work: Work, power: str) -> bool:
    """WF-INT-25: the first army's policy speaks for the power; rogues follow theirs."""
    voice = _voice(work, power)
    if voice is None or work.policy(voice).surrender == "decline":
        return False
    if work.policy(voice).surrender == "accept":
        return True
    armies = work.of_power(power)
    return 2 * sum(imperilled(work, army) for army in armies) >= len(armies)


def _accept(work: Work, contender: Contender, bid: Bid) -> None:  # WF-RND-18
    captain = speaker(work, bid.from_side) or ""
    terms = bid.terms
    contender.set_aside += terms.coin
    contender.gained -= terms.coin
    work.contender(captain).gained += terms.coin
    if terms.truce and ROGUES not in (captain, contender.id):
        work.battle.truces.append(Truce(captain, contender.id, terms.truce))
    work.emit(
        "accepted", _parties(work, bid.from_side, bid.to_side), power=contender.id, to=captain,
        terms=_plain(terms),
    )  # fmt: skip
    if terms.withdraw:
        for fighter in work.of_power(contender.id):
            _leave(work, fighter, bid)


def _waver(work: Work, power: str, bid: Bid) -> None:
    """Armies that think they will die may accept for themselves (WF-RND-19)."""
    rank = max((one.card.rank for one in work.line(bid.from_side)), default=0)
    for fighter in work.of_power(power):
        if (
            not fighter.card.personal
            and work.profile(fighter).mortal
            and imperilled(work, fighter)
            and morale(work, fighter, "morale.surrender", rank) < max(1, work.size(fighter) // 2)
        ):
            work.emit("surrendered", army=fighter.id, side=bid.from_side)
            _leave(work, fighter, bid)


def _leave(work: Work, fighter: Fighter, bid: Bid) -> None:
    yields = bid.terms.yield_
    if not fighter.card.personal and (yields == "all" or (yields != "none" and fighter.id in yields)):
        fighter.yielded_to = speaker(work, bid.from_side)
        work.emit(
            "yielded", _parties(work, bid.from_side, bid.to_side), army=fighter.id, to=fighter.yielded_to
        )
    leaving.leave(work, fighter, surrender=True)


OFFER = Window("D-12", offer_keys, offer_question, offer_check, offer_close)
ANSWER = Window("D-13", answer_keys, answer_question, answer_check, answer_close)
