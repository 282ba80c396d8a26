"""``generate``, ``resolve``, ``validate``, ``view`` and ``verify``: the rules on the command line (contract.md)."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, BinaryIO

import typer
from msgspec import Struct

from shared import rulesets
from shared.cli.failures import CheckFailed
from shared.cli.output import write
from shared.cli.pretty import pretty
from shared.lastwaters import tables
from shared.lastwaters.errors import BadInput
from shared.lastwaters.filing import briefing, check, refusal
from shared.lastwaters.mapgen import generate as generate_map
from shared.lastwaters.memory import Memory, read_memory
from shared.lastwaters.orders import read_order, read_orders
from shared.lastwaters.sight import view as sight_view
from shared.lastwaters.soundness import check_memory
from shared.lastwaters.tables import RULESET
from shared.lastwaters.tick import Outcome
from shared.lastwaters.tick import resolve as resolve_tick
from shared.lastwaters.verify import verify as verify_export
from shared.lastwaters.views import View
from shared.lastwaters.world import Snapshot, decode, encode, read_snapshot
from shared.rulesets import Difference

File = Annotated[str, typer.Argument(metavar="[FILE]", help="The input; - or nothing for standard input.")]


class Verdict(Struct, frozen=True, omit_defaults=True):
    """What ``validate`` answers."""

    ok: bool
    reason: str = ""
    message: str = ""


def register(app: typer.Typer) -> None:
    for command in (generate, resolve, validate, view, verify):
        app.command()(command)


def generate(
    seed: Annotated[str, typer.Option(help="1 to 64 hex digits.")],
    seats: Annotated[int, typer.Option(help="2 to 50.")],
    holds_per_seat: Annotated[int, typer.Option(help="4 to 40.")] = tables.HOLDS_PER_SEAT_DEFAULT,
    tick_cap: Annotated[int, typer.Option(help="1 to 50.")] = tables.TICK_CAP_DEFAULT,
) -> None:
    """The snapshot of tick 0."""
    answer(generate_map(seed, seats, holds_per_seat, tick_cap))


def resolve(
    file: File = "-",
    pretty_: Annotated[bool, typer.Option("--pretty", help="Text for people instead of JSON.")] = False,
    jsonl: Annotated[bool, typer.Option("--jsonl", help="One input a line, one outcome a line.")] = False,
) -> None:
    """One tick: from a snapshot, the orders and what was remembered to the outcome."""
    if jsonl and pretty_:
        raise BadInput("--pretty", "does not go with --jsonl")
    if jsonl:
        for line in lines(file):
            try:
                answer(resolve_request(line))
            except BadInput as problem:
                answer({"error": str(problem)})
    elif pretty_:
        write(pretty(resolve_request(read(file))))
    else:
        answer(resolve_request(read(file)))


def validate(file: File = "-") -> None:
    """Whether one more order may be filed. Exit 1 if not."""
    verdict = validate_request(read(file))
    answer(verdict)
    if not verdict.ok:
        raise CheckFailed


def view(
    faction: Annotated[str, typer.Option(help="Whose view.")],
    file: File = "-",
) -> None:
    """What one faction sees and remembers."""
    answer(view_request(read(file), faction))


def verify(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A match's export; - for standard input.")],
) -> None:
    """Replay a whole match. Exit 1, and where it differs, if it does.

    An export that was cut after some tick replays too: ``ticks``, ``hash`` (of the last) and ``result`` say how far it goes.
    """
    raw = read(file)
    differences = verify_request(raw)
    answer({"ok": not differences, "differences": differences, **({} if differences else _reached(raw))})
    for difference in differences:
        print(f"lastwaters: {difference.where}: {difference.what}", file=sys.stderr)
    if differences:
        raise CheckFailed


def _reached(raw: bytes) -> dict[str, Any]:
    """Of an export that holds."""
    export = decode(raw, Any, "")
    last = export["ticks"][-1]
    return {"ticks": last["tick"], "hash": last["hash"], "result": export["result"]}


def verify_request(raw: bytes) -> list[Difference]:
    """Where an export differs from its replay by the rules of its own ruleset."""
    export = decode(raw, Any, "")
    named = export.get("ruleset") if isinstance(export, dict) else None
    if isinstance(named, str) and named in rulesets.installed() and named != RULESET:
        return rulesets.ruleset(named).verify(raw)
    return [Difference(where=each.where, what=each.what) for each in verify_export(export)]


def resolve_request(raw: bytes) -> Outcome:
    """``{"snapshot", "orders", "memory"?}`` resolved. BadInput as contract.md says; other keys are left alone."""
    request = _request(raw, ("snapshot", "orders"))
    snapshot = read_snapshot(request["snapshot"])
    if snapshot.result is not None:
        raise BadInput("snapshot.result", "the match has ended")
    return resolve_tick(snapshot, read_orders(request["orders"]), _memory(request, snapshot))


def validate_request(raw: bytes) -> Verdict:
    """``{"snapshot", "orders", "order"}``: whether ``order`` may be filed beside its faction's ``orders``."""
    request = _request(raw, ("snapshot", "orders", "order"))
    snapshot = read_snapshot(request["snapshot"])
    if snapshot.result is not None:
        raise BadInput("snapshot.result", "the match has ended")
    if not isinstance(request["orders"], list):
        raise BadInput("orders", "a list of orders is needed")
    try:
        new = read_order(request["order"], "order")
    except BadInput:
        return _verdict("malformed")
    own = [
        read_order(order, f"orders[{place}]")
        for place, order in enumerate(request["orders"])
        if not _of_another(order, new.faction)
    ]
    if new.body is None:
        return _verdict("malformed")
    if all(row.id != new.faction for row in snapshot.factions):
        return _verdict("unknown-faction")
    refused = check(briefing(snapshot, new.faction), own, new)
    return Verdict(True) if refused is None else Verdict(False, refused.reason, refused.message)


def _of_another(order: Any, faction: str) -> bool:
    """Whether this entry names another faction: such are left alone, whatever else they are."""
    return isinstance(order, dict) and isinstance(order.get("faction"), str) and order["faction"] != faction


def _verdict(reason: str) -> Verdict:
    refused = refusal(reason)
    return Verdict(False, refused.reason, refused.message)


def view_request(raw: bytes, faction: str) -> View:
    """``{"snapshot", "memory"?}`` as ``faction`` sees it."""
    request = _request(raw, ("snapshot",))
    snapshot = read_snapshot(request["snapshot"])
    return sight_view(snapshot, faction, _memory(request, snapshot))


def _memory(request: dict[str, Any], snapshot: Snapshot) -> Memory | None:
    memory = read_memory(request.get("memory"))
    if memory is not None:
        check_memory(memory, snapshot)
    return memory


def snapshot_request(raw: bytes) -> Snapshot:
    """A snapshot, or an object that has one under ``snapshot``, such as an outcome."""
    request = _request(raw, ())
    return read_snapshot(request["snapshot"]) if "snapshot" in request else read_snapshot(request, "")


def _request(raw: bytes, needed: tuple[str, ...]) -> dict[str, Any]:
    request = decode(raw, Any, "input")
    if not isinstance(request, dict):
        raise BadInput("input", "an object is needed")
    for name in needed:
        if name not in request:
            raise BadInput(name, "is missing")
    return request


def read(file: str) -> bytes:
    if file == "-":
        return _input().read()
    try:
        return Path(file).read_bytes()
    except OSError as problem:
        raise BadInput(file, problem.strerror or "cannot be read") from None


def lines(file: str) -> Iterator[bytes]:
    """Line by line as they come, so that whoever writes one can wait for its answer before the next."""
    if file == "-":
        yield from _input()
        return
    try:
        with Path(file).open("rb") as text:
            yield from text
    except OSError as problem:
        raise BadInput(file, problem.strerror or "cannot be read") from None


def _input() -> BinaryIO:
    if sys.stdin is None:
        raise BadInput("input", "standard input is closed")
    return sys.stdin.buffer


def answer(value: Any) -> None:
    """``value`` in canonical form, on a line."""
    write(encode(value) + b"\n")
