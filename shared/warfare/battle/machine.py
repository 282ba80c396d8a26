"""The battle as a state machine (WF-GEN-01, WF-DEC-01): ``start``, ``step``, ``check``, ``decisions``."""

from collections.abc import Mapping
from typing import Any, Final

from shared.warfare.answers import GmOrders, read
from shared.warfare.battle import cleanup, commanding, deployment, rulings, setup, spellcasting, terms
from shared.warfare.battle.state import Battle, copy
from shared.warfare.battle.window import Window, power_of
from shared.warfare.battle.work import Work
from shared.warfare.decisions import GM, KINDS, Decision, Stepped
from shared.warfare.errors import BadInput, Illegal, Refusal
from shared.warfare.world import ROGUES

WINDOWS: Final[dict[str, Window]] = {  # WF-DEC-07
    "setup": setup.WINDOW,  # D-07
    "gm": rulings.WINDOW,  # D-08
    "deploy": deployment.WINDOW,  # D-09
    "spell": spellcasting.WINDOW,  # D-10
    "commands": commanding.WINDOW,  # D-11
    "offer": terms.OFFER,  # D-12
    "answer": terms.ANSWER,  # D-13
    "withdraw": cleanup.WINDOW,  # D-14
}


def start(battle: Battle) -> Stepped[Battle]:
    """From a battle as laid down to its first open question."""
    work = Work(battle)
    setup.announce(work)
    return _go_on(work)


def step(battle: Battle, answers: Mapping[str, Any]) -> Stepped[Battle]:
    """Closes the open window with the answers given by decision id, defaults for the rest, and goes on to the next
    question or the end. Under ``gm`` a seated game master's orders may stand beside any window (WF-DEC-08).

    Illegal or BadInput for an answer that ``check`` refuses, before anything has changed.
    """
    if battle.phase == "ended":
        if answers:
            raise BadInput("answers", "the battle has ended")
        return Stepped(battle, (), ())
    work = Work(copy(battle))
    window = WINDOWS[battle.phase]
    open_ = {decision_id(work, window, key): key for key in window.keys(work)}
    replies: dict[str, Any] = {}
    orders: GmOrders | None = None
    for name, answer in answers.items():
        if name == GM and battle.options.gm_seat:
            orders = read(answer, GmOrders, f"answers[{name!r}]")
            if refusal := rulings.check_orders(work, orders):
                raise Illegal(refusal)
            continue
        if name not in open_:
            raise BadInput(f"answers[{name!r}]", "no such open decision")
        replies[open_[name]] = read(answer, KINDS[window.kind].form, f"answers[{name!r}]")
    for key, reply in replies.items():  # WF-DEC-02
        if refusal := window.check(work, key, reply):
            raise Illegal(refusal)
    if orders is not None:
        rulings.give(work, orders)
    window.close(work, replies)
    return _go_on(work)


def _go_on(work: Work) -> Stepped[Battle]:
    """Windows that ask nobody close by themselves (WF-DEC-03)."""
    battle = work.battle
    while battle.phase != "ended":
        window = WINDOWS[battle.phase]
        if window.keys(work):
            break
        window.close(work, {})
    return Stepped(battle, tuple(work.events), _decisions(work))


def decisions(battle: Battle) -> tuple[Decision, ...]:
    """The open questions. Empty when the battle has ended."""
    return _decisions(Work(battle))


def _decisions(work: Work) -> tuple[Decision, ...]:
    battle = work.battle
    if battle.phase == "ended":
        return ()
    window = WINDOWS[battle.phase]
    return tuple(_decision(work, window, key) for key in window.keys(work))


def _decision(work: Work, window: Window, key: str) -> Decision:
    power = power_of(key)
    return Decision(
        id=decision_id(work, window, key),
        kind=window.kind,
        power=GM if power in (GM, ROGUES) else power,
        question=window.question(work, key),
        default=window.default(work, key),
        otherwise=KINDS[window.kind].default,
        battle=work.battle.id,
    )


def decision_id(work: Work, window: Window, key: str) -> str:
    battle = work.battle
    turn = f".{battle.turns}" if window.kind == "D-11" and battle.options.command_mode == "step" else ""
    return f"{window.kind}:{battle.id}:r{battle.round}{turn}:{key}"


def check(battle: Battle, decision: str, answer: Any) -> Refusal | None:
    """Whether an answer to an open decision may be sealed. BadInput if it has not the form asked for, or no such
    decision is open."""
    if battle.phase == "ended":
        raise BadInput("decision", "the battle has ended")
    work = Work(battle)
    if decision == GM and battle.options.gm_seat:
        return rulings.check_orders(work, read(answer, GmOrders, "answer"))
    window = WINDOWS[battle.phase]
    for key in window.keys(work):
        if decision_id(work, window, key) == decision:
            return window.check(work, key, read(answer, KINDS[window.kind].form, "answer"))
    raise BadInput("decision", f"{decision!r} is not open")
