"""The season as a state machine (WF-GEN-01, WF-DEC-01): ``start``, ``step``, ``check``, ``decisions``."""

from collections.abc import Mapping
from typing import Any, Final

from shared.warfare.answers import GmOrders, read
from shared.warfare.battle import machine as battles
from shared.warfare.battle.state import Battle
from shared.warfare.decisions import GM, KINDS, Decision, Stepped
from shared.warfare.errors import BadInput, Illegal, Refusal
from shared.warfare.season import (
    actions,
    aftermath,
    closing,
    declaring,
    engaging,
    fees,
    healing,
    policies,
    rulings,
    support,
    tidings,
)
from shared.warfare.season.orders import Policies, Rulings
from shared.warfare.season.state import Season, copy
from shared.warfare.season.window import Window, power_of
from shared.warfare.season.work import Work
from shared.warfare.world import ROGUES

WINDOWS: Final[dict[str, Window]] = {
    "disband": tidings.WINDOW,  # D-01
    "support": support.WINDOW,  # D-02
    "orders": actions.WINDOW,  # D-03
    "levels": actions.LEVELS,  # D-04
    "declare": declaring.WINDOW,  # D-05
    "join": engaging.JOIN,  # D-06
    "heal": healing.WINDOW,  # D-15
    "fees": fees.WINDOW,  # D-16
    "desertion": fees.DESERTION,  # D-17
}
"""Between ``join`` and ``heal`` the battles run, with windows of their own."""
GM_BATTLE: Final = f"{GM}:"
"""Before a battle's id: a game master's orders in it."""


def start(season: Season) -> Stepped[Season]:
    """From a campaign as laid down to its first open question: Tidings of its season."""
    work = Work(copy(season))
    tidings.begin(work)
    return _go_on(work)


def step(season: Season, answers: Mapping[str, Any]) -> Stepped[Season]:
    """Closes the open window with the answers given by decision id, defaults for the rest, and goes on to the next
    question or the end. While battles run, one window of each of them.

    Beside any window may stand, in place of a decision id: ``policies:<power>`` (``orders.Policies``), and with a
    game master's seat ``gm`` (``orders.Rulings``) and ``gm:<battle>`` (``answers.GmOrders``). Illegal or BadInput
    for an answer that ``check`` refuses, before anything has changed.
    """
    if season.phase == "ended":
        if answers:
            raise BadInput("answers", "the campaign has ended")
        return Stepped(season, (), ())
    work = Work(copy(season))
    sealed = _read_all(work, answers)
    for name, answer in sealed.beside.items():
        if name == GM:
            rulings.give(work, answer)
        else:
            policies.file(work, name.removeprefix(policies.BESIDE), answer)
    if season.phase == "battles":
        engaging.step(work, sealed.battles)
        _after_battles(work)
    else:
        WINDOWS[season.phase].close(work, sealed.replies)
        _passed(work, season.phase)
    return _go_on(work)


class _Sealed:
    """Answers of a window by what they answer."""

    def __init__(self) -> None:
        self.replies: dict[str, Any] = {}
        self.battles: dict[str, dict[str, Any]] = {}
        self.beside: dict[str, Any] = {}


def _read_all(work: Work, answers: Mapping[str, Any]) -> _Sealed:
    """All of them read and checked against the state as it is."""
    sealed = _Sealed()
    for name in sorted(answers):
        where = f"answers[{name!r}]"
        place, key, value = _find(work, name, answers[name], where)
        if refusal := _refused(work, place, key, value):
            raise Illegal(refusal)
        if isinstance(place, Battle):
            sealed.battles.setdefault(place.id, {})[key] = value
        elif place == "beside":
            sealed.beside[key] = value
        else:
            sealed.replies[key] = value
    return sealed


def _find(work: Work, name: str, answer: Any, where: str) -> tuple[Battle | str, str, Any]:
    """What an answer answers (a battle, ``beside`` or the open window), its key there, and itself read."""
    season = work.season
    power = name.removeprefix(policies.BESIDE)
    if name.startswith(policies.BESIDE) and power in work.seats():
        return "beside", name, read(answer, Policies, where)
    if name == GM and season.options.gm_seat:
        return "beside", name, read(answer, Rulings, where)
    if season.phase != "battles":
        window = WINDOWS[season.phase]
        for key in window.keys(work):
            if decision_id(season, window, key) == name:
                return "window", key, read(answer, KINDS[window.kind].form, where)
    for battle in season.battles:
        if name == GM_BATTLE + battle.id and season.options.gm_seat:
            return battle, GM, read(answer, GmOrders, where)
        kind, _, rest = name.partition(":")
        if kind in KINDS and rest.startswith(f"{battle.id}:"):  # the battle says whether it is open
            return battle, name, read(answer, KINDS[kind].form, where)
    raise BadInput(where, "no such open decision")


def _refused(work: Work, place: Battle | str, key: str, value: Any) -> Refusal | None:
    if isinstance(place, Battle):
        return battles.check(place, key, value)
    if place == "beside":
        if key == GM:
            return rulings.check(work, value)
        return policies.check_filed(work, key.removeprefix(policies.BESIDE), value)
    return WINDOWS[work.season.phase].check(work, key, value)


def check(season: Season, decision: str, answer: Any) -> Refusal | None:
    """Whether an answer to an open decision (or what may stand beside one) may be sealed. BadInput if it has not
    the form asked for, or no such decision is open. Nothing is changed."""
    if season.phase == "ended":
        raise BadInput("decision", "the campaign has ended")
    work = Work(season)
    return _refused(work, *_find(work, decision, answer, "answer"))


def _passed(work: Work, phase: str) -> None:
    """What happens after a window that leads to no other by itself."""
    if phase == "join":
        _after_battles(work)
    elif phase == "desertion":
        closing.finish(work)


def _after_battles(work: Work) -> None:
    if aftermath.over(work):
        aftermath.settle(work)
        healing.rally(work)


def _go_on(work: Work) -> Stepped[Season]:
    """Windows that ask nobody close by themselves (WF-DEC-03)."""
    season = work.season
    while season.phase not in ("ended", "battles"):
        phase = season.phase
        window = WINDOWS[phase]
        if window.keys(work):
            break
        window.close(work, {})
        _passed(work, phase)
    work.done()
    return Stepped(season, tuple(work.events), _decisions(work))


def decisions(season: Season) -> tuple[Decision, ...]:
    """The open questions, those of all battles together while they run. Empty when the campaign has ended."""
    return _decisions(Work(season))


def _decisions(work: Work) -> tuple[Decision, ...]:
    season = work.season
    if season.phase == "ended":
        return ()
    if season.phase == "battles":
        return tuple(engaging.decisions(work))
    window = WINDOWS[season.phase]
    return tuple(_decision(work, window, key) for key in window.keys(work))


def _decision(work: Work, window: Window, key: str) -> Decision:
    power = power_of(key)
    return Decision(
        id=decision_id(work.season, window, key),
        kind=window.kind,
        power=GM if power == ROGUES else power,
        question=window.question(work, key),
        default=window.default(work, key),
        otherwise=KINDS[window.kind].default,
    )


def decision_id(season: Season, window: Window, key: str) -> str:
    return f"{window.kind}:s{season.season}:{key}"
