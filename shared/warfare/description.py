"""A battle as people describe it in a file, fought with given answers, computer players and policies."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, NamedTuple

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from shared.warfare import players
from shared.warfare.answers import Proposal, Setup
from shared.warfare.answers import read as read_form
from shared.warfare.army import Army
from shared.warfare.battle import machine
from shared.warfare.battle.opening import Engagement, Near, open_battle
from shared.warfare.battle.outcome import Outcome, outcome
from shared.warfare.battle.sides import Party
from shared.warfare.battle.state import Battle, Leader
from shared.warfare.decisions import Event, Stepped, check_power
from shared.warfare.errors import BadInput, Illegal, illegal
from shared.warfare.options import Options
from shared.warfare.policy import AssetUse, Policy
from shared.warfare.reading import read_army
from shared.warfare.season.policies import check_words
from shared.warfare.spells import Asset, Special, Spell
from shared.warfare.world import ROGUES, Hex, Site, TerrainName

SETUP: Final = "D-07"
"""The window that the file itself answers for its powers."""


class PowerWritten(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a power brings beside its armies. ``goals`` are proposed if it is its side's captain; ``player`` is the
    level of a computer player, null leaves all to policies."""

    coin: Annotated[int, Meta(ge=0)] = 0
    assets: tuple[Asset, ...] = ()
    use: dict[str, AssetUse] = {}
    spells: tuple[Spell, ...] = ()
    specials: tuple[Special, ...] = ()
    goals: Annotated[tuple[Proposal, ...], Meta(max_length=2)] = ()
    line: tuple[str, ...] = ()
    reserve: tuple[str, ...] = ()
    champion: bool = False
    player: str | None = None


class Coming(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A reinforcement: its army as written, and how many hexes it is away (WF-SET-12)."""

    army: Any
    distance: Annotated[int, Meta(ge=1, le=7)]


class Written(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """``armies`` by power, as ``reading`` takes them. ``sides`` lists powers; each power is a side of its own if it
    is left out. The last side defends unless ``defender`` says which, or ``none``. ``answers`` are by decision id."""

    armies: Annotated[dict[str, tuple[Any, ...]], Meta(min_length=2)]
    seed: Annotated[str, Meta(min_length=1, max_length=200)]
    sides: tuple[tuple[str, ...], ...] = ()
    defender: Annotated[int, Meta(ge=0)] | Literal["none"] | None = None
    terrain: TerrainName = "plains"
    sunlight: bool | None = None
    wall: Annotated[int, Meta(ge=0, le=3)] = 0
    season: Annotated[int, Meta(ge=1)] = 1
    at: tuple[int, int] = (0, 0)
    sites: tuple[Site, ...] = ()
    powers: dict[str, PowerWritten] = {}
    policies: dict[str, Policy] = {}
    reinforcements: dict[str, tuple[Coming, ...]] = {}
    leaders: tuple[Leader, ...] = ()
    options: Options = Options()
    given: dict[str, tuple[int, ...]] = {}
    answers: dict[str, Any] = {}


class Plan(NamedTuple):
    """A battle ready to be fought, any number of times."""

    engagement: Engagement
    setups: dict[str, Setup]
    answers: dict[str, Any]
    levels: dict[str, str]
    """Computer players by power."""


class Account(NamedTuple):
    """A battle fought."""

    outcome: Outcome
    events: tuple[Event, ...]
    state: Battle


def read_battle(value: Any) -> Plan:
    """BadInput names the path, Illegal the army, the rule and what would be legal."""
    written: Written = read_form(value, Written, "battle")
    powers = list(written.armies)
    sides = written.sides or tuple((power,) for power in powers)
    _check_sides(written, sides)
    defender = len(sides) - 1 if written.defender is None else written.defender
    here = [
        _policed(written, _owned(army, power, f"armies.{power}[{index}]"))
        for power, armies in written.armies.items()
        for index, army in enumerate(armies)
    ]
    near = [
        Near(_policed(written, _owned(one.army, power, f"reinforcements.{power}[{index}]")), one.distance)
        for power, coming in written.reinforcements.items()
        for index, one in enumerate(coming)
    ]
    if unknown := set(written.policies) - {army.id for army in (*here, *(one.army for one in near))}:
        raise BadInput(f"policies.{min(unknown)}", "no such army")
    return Plan(
        Engagement(
            seed=written.seed,
            season=written.season,
            hex=Hex(at=written.at, terrain=written.terrain, sites=_sites(written, sides, defender)),
            parties=tuple(
                _party(written, power, powers.index(power) + 1, side, side != defender)
                for side, theirs in enumerate(sides)
                for power in theirs
            ),
            here=tuple(here),
            near=tuple(near),
            leaders=written.leaders,
            sunlight=written.sunlight,
            options=written.options,
            given=written.given,
        ),
        {
            power: setup
            for power, one in written.powers.items()
            if (setup := _setup(written, power, one)) is not None
        },
        written.answers,
        _levels(written),
    )


def _check_sides(written: Written, sides: tuple[tuple[str, ...], ...]) -> None:
    named = [power for side in sides for power in side]
    if sorted(named) != sorted(written.armies):
        raise BadInput("sides", f"each of {', '.join(written.armies)} once")
    if isinstance(written.defender, int) and written.defender >= len(sides):
        raise illegal("WF-SET-06", f"no side {written.defender}", legal=f"0 to {len(sides) - 1}, none")
    for power in named:
        check_power(power, f"armies.{power}")
    for leader in written.leaders:
        if leader.power not in named:
            raise BadInput(f"leaders.{leader.id}.power", f"no such power; there are {', '.join(named)}")
    for field in ("powers", "reinforcements"):
        if unknown := set(getattr(written, field)) - set(named):
            raise BadInput(f"{field}.{min(unknown)}", f"no such power; there are {', '.join(named)}")
    for power, armies in written.armies.items():
        if not armies:
            raise illegal("WF-SET-02", f"{power} has no army in the hex", legal="an army there")


def _owned(value: Any, power: str, where: str) -> Army:
    army = read_army(value, where)
    controller = None if power == ROGUES else power
    return replace(army, controller=controller, loyal_to=controller)


def _policed(written: Written, army: Army) -> Army:
    army = replace(army, policy=written.policies.get(army.id, army.policy))
    if refusal := check_words(army.id, army.policy):
        raise Illegal(refusal)
    return army


def _sites(written: Written, sides: tuple[tuple[str, ...], ...], defender: int | str) -> tuple[Site, ...]:
    if not written.wall:
        return written.sites
    if not isinstance(defender, int):
        raise illegal("WF-SET-07", "walls need a defender", legal="a defender, or wall 0")
    return (*written.sites, Site(id="walls", kind="stronghold", owner=sides[defender][0], wall=written.wall))


def _party(written: Written, power: str, seat: int, side: int, declares: bool) -> Party:
    one = written.powers.get(power, PowerWritten())
    personal = next((army["id"] for army in written.armies[power] if army.get("personal")), None)
    return Party(
        id=power,
        seat=seat,
        side=side,
        declares=declares,
        coin=one.coin,
        assets=one.assets,
        use=one.use,
        spells=one.spells,
        specials=one.specials,
        champion=one.champion or personal is not None,
        personal=personal,
    )


def _setup(written: Written, power: str, one: PowerWritten) -> Setup | None:
    coming = tuple(two.army["id"] for two in written.reinforcements.get(power, ()))
    if not (one.goals or one.line or one.reserve or one.assets or one.champion or coming):
        return None
    assets = tuple(asset.id for asset in one.assets if asset.battle)
    return Setup(
        line=one.line,
        reserve=one.reserve,
        reinforce=coming,
        assets=assets,
        use={name: use for name, use in one.use.items() if name in assets},
        champion=one.champion,
        goals=one.goals,
    )


def _levels(written: Written) -> dict[str, str]:
    levels = {power: one.player for power, one in written.powers.items() if one.player is not None}
    for power, level in levels.items():
        if level not in players.LEVELS:
            raise BadInput(
                f"powers.{power}.player", f"no level {level!r}; there are {', '.join(players.LEVELS)}"
            )
    return levels


def fight(plan: Plan, *, seed: str | None = None, levels: Mapping[str, str] | None = None) -> Account:
    """The whole battle. ``seed`` and ``levels`` in place of the plan's; given answers come before players'."""
    engagement = plan.engagement if seed is None else replace(plan.engagement, seed=seed)
    now = open_battle(engagement)
    events = list(now.events)
    unused = set(plan.answers)
    while now.decisions:
        answers = _answers(plan, now, plan.levels if levels is None else levels, engagement.seed)
        unused -= set(answers)
        now = machine.step(now.state, answers)
        events += now.events
    if unused:
        raise BadInput(f"answers[{min(unused)!r}]", "this is never asked")
    return Account(outcome(now.state), tuple(events), now.state)


def _answers(plan: Plan, now: Stepped[Battle], levels: Mapping[str, str], luck: str) -> dict[str, Any]:
    found = players.answers(levels, now.state, now.decisions, luck)
    for decision in now.decisions:
        if decision.kind == SETUP and decision.power in plan.setups:
            found[decision.id] = plan.setups[decision.power]
        if decision.id in plan.answers:
            found[decision.id] = msgspec.to_builtins(plan.answers[decision.id])
    return found
