"""A season as people describe it in a file, resolved with given answers, computer players and policies."""

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

from msgspec import Meta, Struct

from shared.warfare import players
from shared.warfare.answers import read as read_form
from shared.warfare.campaign_views import veil
from shared.warfare.decisions import Decision, Event
from shared.warfare.errors import BadInput
from shared.warfare.options import Options
from shared.warfare.season import campaign, machine, soundness
from shared.warfare.season.campaign import Seat
from shared.warfare.season.state import Season


class Founding(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A new campaign (WF-CMP-01)."""

    seed: Annotated[str, Meta(min_length=1, max_length=200)]
    powers: Annotated[tuple[Seat, ...], Meta(min_length=campaign.FEWEST, max_length=campaign.MOST)]
    options: Options = Options()


class Written(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """``season`` is a campaign's state as an answer of the command line holds it, or ``campaign`` founds one.
    ``answers`` are by decision id; ``players`` are levels by power."""

    season: Season | None = None
    campaign: Founding | None = None
    answers: dict[str, Any] = {}
    players: dict[str, str] = {}


class Resolved(NamedTuple):
    season: Season
    """At the first window of the next season, or ended."""
    events: tuple[Event, ...]


def resolve(value: Any) -> Resolved:
    """One season, or what is left of it. BadInput names the path; Illegal the army, rule and what would be legal."""
    written: Written = read_form(value, Written, "input")
    if (written.season is None) == (written.campaign is None):
        raise BadInput("input", "either season or campaign is needed")
    for power, level in written.players.items():
        if level not in players.LEVELS:
            raise BadInput(f"players.{power}", f"no level {level!r}; there are {', '.join(players.LEVELS)}")
    events: list[Event] = []
    if written.season is not None:
        soundness.check(written.season, "input.season")
        season = written.season
    else:
        assert written.campaign is not None
        seats = [(one.id, one.seat) for one in written.campaign.powers]
        soundness.check_powers(seats, "input.campaign.powers")
        founded = campaign.new_campaign(
            written.campaign.seed, written.campaign.powers, written.campaign.options
        )
        season, events = founded.state, list(founded.events)
    known = {power.id for power in season.powers}
    if unknown := set(written.players) - known:
        raise BadInput(f"players.{min(unknown)}", f"no such power; there are {', '.join(sorted(known))}")
    number, unused = season.season, set(written.answers)
    while season.phase != "ended" and season.season == number:
        answers = _answers(season, machine.decisions(season), written)
        unused -= set(answers)
        stepped = machine.step(season, answers)
        season = stepped.state
        events += stepped.events
    if unused:
        raise BadInput(f"answers[{min(unused)!r}]", "this is never asked this season")
    return Resolved(season, tuple(events))


def _answers(season: Season, open_: tuple[Decision, ...], written: Written) -> Mapping[str, Any]:
    found: dict[str, Any] = {}
    for decision in open_:
        if decision.id in written.answers:
            found[decision.id] = written.answers[decision.id]
        elif decision.power in written.players:
            known = veil(season, decision.power)
            given = players.rule(written.players[decision.power], known, decision, season.seed)
            if given is not None:
                found[decision.id] = given
    return found
