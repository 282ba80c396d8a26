"""``lastwaters warfare``: battles, armies, odds and seasons of the second ruleset on the command line."""

from typing import Annotated, Any

import msgspec
import typer

from shared import canonical
from shared.cli.battle_account import account, told
from shared.cli.output import write
from shared.cli.rules import read
from shared.cli.warfare_army import army
from shared.cli.warfare_season import season
from shared.warfare import card
from shared.warfare.battle.outcome import Outcome
from shared.warfare.description import fight, read_battle
from shared.warfare.errors import BadInput
from shared.warfare.odds import odds as reckon
from shared.warfare.players import LEVELS

File = Annotated[str, typer.Argument(metavar="[FILE]", help="The input; - or nothing for standard input.")]


def register(app: typer.Typer) -> None:
    group = typer.Typer(help="Warfare: armies, battles, odds, seasons.")
    for command in (battle, odds, army, season):
        group.command()(command)
    app.add_typer(group, name="warfare")


def battle(
    file: File = "-",
    pretty: Annotated[bool, typer.Option("--pretty", help="An account round by round, not JSON.")] = False,
    events: Annotated[bool, typer.Option("--events", help="Every event in the JSON as well.")] = False,
) -> None:
    """A battle from its description to what it leaves behind."""
    fought = fight(read_battle(_json(read(file))))
    if pretty:
        write(account(fought))
        return
    found = _result(fought.outcome)
    answer({**found, "events": told(fought.events)} if events else found)


def odds(
    file: File = "-",
    battles: Annotated[int, typer.Option(min=1, max=1_000_000, help="How many are fought.")] = 1000,
    level: Annotated[
        str, typer.Option(help=f"Of the players that the file names none for: {', '.join(LEVELS)}.")
    ] = "strong",
) -> None:
    """Win shares of a battle fought many times by computer players, in thousandths, with 95 % intervals."""
    plan = read_battle(_json(read(file)))
    if level not in LEVELS:
        raise BadInput("--level", f"no level {level!r}; there are {', '.join(LEVELS)}")
    powers = {party.id: level for party in plan.engagement.parties}
    answer(reckon(plan, battles, {**powers, **plan.levels}))


def _result(ended: Outcome) -> dict[str, Any]:
    """An outcome with each army's printed card and its tokens."""
    found: dict[str, Any] = msgspec.to_builtins(ended)
    armies = [
        {
            "id": fate.id,
            "power": fate.power,
            "end": fate.end,
            "slain": fate.slain,
            "routed": fate.routed,
            "fought": fate.fought,
            "yielded_to": fate.yielded_to,
            "units": [{"wounds": unit.wounds, "state": unit.state} for unit in fate.army.units],
            "card": card.show(fate.army),
        }
        for fate in ended.fates
    ]
    del found["fates"]
    return {**found, "armies": armies}


def _json(raw: bytes) -> Any:
    try:
        return msgspec.json.decode(raw)
    except msgspec.DecodeError as problem:
        raise BadInput("input", str(problem)) from None


def answer(value: Any) -> None:
    """``value`` in canonical form, on a line."""
    write(canonical.encode(value) + b"\n")
