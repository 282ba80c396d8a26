"""``lastwaters ops``: what operators do to matches and accounts.

Over the broker (``LASTWATERS_AMQP_URL``), else through the door that the embedded stack keeps on this machine.
"""

import time
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Annotated, Any

import typer

from shared.cli.failures import CheckFailed
from shared.cli.output import write
from shared.contracts.accounts import DisableAccount, ResetPassword
from shared.contracts.base import Refusal, Request
from shared.contracts.clock import MoveDeadline, PauseMatch, ReannounceTick, ResumeMatch, SurveyCalendar
from shared.contracts.lobby import CloseMatch, Status, SurveyMatches
from shared.contracts.parking import DropParked, SurveyParked, UnparkEvents
from shared.contracts.resolution import GetExportHead, GetExportTick, RetryTick, SurveyStalled

if TYPE_CHECKING:
    from shared.runtime.service import Caller

FOLLOW_SECONDS = 1.0
CALL_SECONDS = 10.0

ops = typer.Typer(help="What operators do to matches and accounts.", no_args_is_help=True)
Match = Annotated[str, typer.Argument(help="the match's id")]
Service = Annotated[str, typer.Argument(help="its name, such as report")]


def register(app: typer.Typer) -> None:
    app.add_typer(ops, name="ops")


@ops.command()
def matches(every: Annotated[bool, typer.Option("--all", help="ended ones too")] = False) -> None:
    """Matches, newest first: id, status, tick, next deadline, how late, name."""
    lateness = {row.match: row for row in ask(SurveyCalendar()).items}
    wanted: tuple[Status, ...] = ("lobby", "running", "ended") if every else ("lobby", "running")
    for row in ask(SurveyMatches(status=wanted)).items:
        clock = lateness.get(row.id)
        state = f"{clock.state}, {clock.late_seconds:.0f} s late" if clock and clock.late_seconds > 0 else ""
        paused = "paused" if clock and clock.state == "paused" else ""
        print_row(row.id, row.status, row.tick, moment(row.next_deadline), paused or state or "-", row.name)


@ops.command()
def stalled() -> None:
    """Matches whose tick failed three times, with the error."""
    for row in ask(SurveyStalled()).items:
        print_row(row.match, f"tick {row.tick}", moment(row.since), f"{row.attempts} attempts", row.error)


@ops.command()
def parked() -> None:
    """Events that a service has set aside since they kept failing, with the error."""
    from shared.runtime.topology import NAMES

    silent = []
    for name in NAMES:
        try:
            found = ask(SurveyParked(at=name))
        except CheckFailed as problem:
            silent.append(str(problem))
            continue
        for event in found.items:
            what = f"{event.event} of {event.match or 'no match'}"
            print_row(
                name, event.id, what, moment(event.parked_at), f"{event.attempts} attempts", event.error
            )
        if more := found.count - len(found.items):
            print_row(name, f"and {more} more")
    if silent:
        raise CheckFailed("; ".join(dict.fromkeys(silent)))


@ops.command()
def unpark(
    service: Service, event: Annotated[str | None, typer.Argument(help="this one alone")] = None
) -> None:
    """Try the events again that the service has set aside, after a repair."""
    done = ask(UnparkEvents(at=service, id=event))
    print(f"{service}: {done.count} tried again")


@ops.command()
def drop(service: Service, event: Annotated[str, typer.Argument(help="the event's id")]) -> None:
    """Let an event go that the service has set aside: it is never handled."""
    ask(DropParked(at=service, id=event))
    print(f"{service}: {event} is dropped")


@ops.command()
def pause(match: Match) -> None:
    """No tick of the match fires until it is resumed."""
    ask(PauseMatch(match=match))
    print(f"{match}: paused")


@ops.command()
def resume(match: Match) -> None:
    """Let a paused match go on."""
    ask(ResumeMatch(match=match))
    print(f"{match}: goes on")


@ops.command()
def retry(match: Match) -> None:
    """Try a stalled tick again, with the sealed orders it has."""
    ask(RetryTick(match=match))
    print(f"{match}: is tried again")


@ops.command()
def reannounce(match: Match) -> None:
    """Announce the due tick again now."""
    ask(ReannounceTick(match=match))
    print(f"{match}: announced")


@ops.command()
def move(match: Match, tick: int, at: Annotated[str, typer.Argument(help="RFC 3339")]) -> None:
    """Give the waiting tick a later deadline."""
    try:
        moved = datetime.fromisoformat(at)
    except ValueError as error:
        raise ValueError(f"not a time: {at} (like 2026-01-31T18:00:00Z)") from error
    if moved.tzinfo is None:
        raise ValueError(f"the time needs an offset, such as Z: {at}")
    ask(MoveDeadline(match=match, tick=tick, at=moved.astimezone(UTC)))
    print(f"{match}: tick {tick} is due at {moment(moved)}")


@ops.command("match")
def match_(
    match: Match, close: Annotated[bool, typer.Option("--close", help="end it, without a winner")]
) -> None:
    """End a match now."""
    if not close:
        raise ValueError("say what to do with the match: --close")
    ask(CloseMatch(match=match))
    print(f"{match}: closed")


@ops.command()
def export(match: Match) -> None:
    """Write an ended match as JSON, for ``lastwaters verify``."""
    for piece in exported(match):
        write(piece)


@ops.command()
def account(
    handle: str,
    reset_password: Annotated[
        bool, typer.Option("--reset-password", help="a new one, every session ended")
    ] = False,
    disable: Annotated[bool, typer.Option("--disable", help="no sign-in any more")] = False,
) -> None:
    """Mend or close an account."""
    if reset_password == disable:
        raise ValueError("say one of --reset-password and --disable")
    if disable:
        ask(DisableAccount(handle=handle))
        print(f"{handle}: disabled")
    else:
        made = ask(ResetPassword(handle=handle))
        print(f"{made.handle}: the password is now {made.password}")


@ops.command()
def follow() -> None:
    """Print what happens, as it happens, until Ctrl-C."""
    before: dict[str, str] = {}
    try:
        while True:
            now: dict[str, str] = {}
            for survey in SURVEYS:
                try:
                    now |= survey()
                except CheckFailed as problem:
                    # Whoever follows wants to see this most of all, and what comes after.
                    now[survey.__name__] = str(problem)
            for subject, fact in now.items():
                if before.get(subject) != fact:
                    print(f"{moment(datetime.now(UTC))}  {subject}  {fact}", flush=True)
            before = now
            time.sleep(FOLLOW_SECONDS)
    except KeyboardInterrupt:
        return


def lobby() -> dict[str, str]:
    found = {}
    for row in ask(SurveyMatches(status=("lobby", "running", "ended"))).items:
        deadline = f", next at {moment(row.next_deadline)}" if row.next_deadline else ""
        found[row.id] = f"{row.status}, tick {row.tick}{deadline}"
    return found


def resolution() -> dict[str, str]:
    stalled = ask(SurveyStalled()).items
    return {f"{stuck.match} stalled": f"at tick {stuck.tick}: {stuck.error}" for stuck in stalled}


def clock() -> dict[str, str]:
    rows = ask(SurveyCalendar()).items
    return {
        f"{row.match} clock": f"tick {row.tick} {row.state}" for row in rows if row.state in ("due", "paused")
    }


SURVEYS = (lobby, resolution, clock)
"""What ``follow`` compares, by the service that is asked: a fact a subject."""


def exported(match: str) -> Iterator[str]:
    """The export's JSON, tick by tick."""
    head = ask(GetExportHead(account=None, match=match))
    text = bytes(head.head).decode().rstrip().removesuffix("}")
    yield text + ("," if text != "{" else "") + '"ticks":['
    for tick in range(head.ticks + 1):
        entry = ask(GetExportTick(account=None, match=match, tick=tick)).entry
        yield ("," if tick else "") + bytes(entry).decode()
    yield "]}\n"


@cache
def operators_caller() -> "Caller":
    from shared.runtime.operators import caller
    from shared.runtime.settings import read_settings

    return caller(read_settings())


def ask(request: Request[Any]) -> Any:
    """The answer; a refusal or a missing service ends the command with its reason."""
    from shared.runtime.service import Unavailable

    try:
        return operators_caller()(request, timeout=CALL_SECONDS)
    except Refusal as refusal:
        raise CheckFailed(f"{refusal.code}: {refusal.detail}") from refusal
    except Unavailable as error:
        raise CheckFailed(str(error)) from error


def moment(at: datetime | None) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%SZ") if at else "-"


def print_row(*cells: object) -> None:
    print("  ".join(" ".join(str(cell).split()) for cell in cells))
