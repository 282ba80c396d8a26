"""``lastwaters warfare season``: resolves one season of a campaign."""

from collections.abc import Iterator
from typing import Annotated

import msgspec
import typer

from shared import canonical
from shared.cli.output import write, written
from shared.cli.rules import read
from shared.warfare.errors import BadInput
from shared.warfare.season_description import Resolved, resolve


def season(
    file: Annotated[
        str, typer.Argument(metavar="[FILE]", help="The input; - or nothing for standard input.")
    ] = "-",
    pretty: Annotated[bool, typer.Option("--pretty", help="What happened, for people, not JSON.")] = False,
) -> None:
    """A campaign's season from its open window to its end: the next state, and what happened."""
    try:
        value = msgspec.json.decode(read(file))
    except msgspec.DecodeError as problem:
        raise BadInput("input", str(problem)) from None
    done = resolve(value)
    if pretty:
        write(written(_lines(done)))
        return
    events = [{"event": event.kind, **event.facts, "to": event.to} for event in done.events]
    write(canonical.encode({"season": done.season, "events": events}) + b"\n")


def _lines(done: Resolved) -> Iterator[str]:
    for event in done.events:
        if event.kind == "season":
            yield f"Season {event.facts['season']}"
            continue
        known = "" if event.to is None else f" (known to {', '.join(event.to) or 'nobody'})"
        yield f"  {event.kind}: {', '.join(f'{name} {value}' for name, value in event.facts.items())}{known}"
    for power in done.season.powers:
        armies = sum(army.controller == power.id for army in done.season.armies)
        yield (
            f"{power.id} {power.name}: {power.coin} coin, {power.loyalty} loyalty, {power.fear} fear, "
            f"{armies} armies{', out' if power.id in done.season.out else ''}"
        )
