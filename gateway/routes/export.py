"""The whole of an ended match, for `lastwaters verify`."""

from collections.abc import Iterator
from typing import Any

from gateway.route import SEATED, Reply, Visit, route
from shared.contracts.resolution import ExportTick, GetExportHead, GetExportTick
from shared.runtime.service import Unavailable

TRIES = 3


@route(
    "GET",
    "/v1/matches/{match}/export",
    who=SEATED,
    errors=("not-started", "not-ended"),
    answer_note="the export that `lastwaters verify` reads",
)
def export_match(visit: Visit, match: str) -> Reply[dict[str, Any]]:
    """The whole match: seed, orders, snapshots, proofs. Private messages are never in it."""
    head = visit.call(GetExportHead(account=visit.account, match=match))
    first = visit.call(GetExportTick(account=visit.account, match=match, tick=0))
    pieces = _pieces(visit, match, bytes(head.head), first, head.ticks)
    return Reply(pieces, {"Content-Disposition": 'attachment; filename="match.json"'})


def _pieces(visit: Visit, match: str, head: bytes, first: ExportTick, last: int) -> Iterator[bytes]:
    """One tick at a time, so that a long match is never whole in memory. ``head`` is a JSON object."""
    fields = head.strip()[1:-1].strip()
    yield b"{" + (fields + b"," if fields else b"") + b'"ticks":[' + bytes(first.entry)
    for tick in range(1, last + 1):
        yield b"," + bytes(_tick(visit, match, tick).entry)
    yield b"]}\n"


def _tick(visit: Visit, match: str, tick: int) -> ExportTick:
    """A failure here breaks the download off: what has been sent cannot be taken back."""
    for _ in range(TRIES - 1):
        try:
            return visit.call(GetExportTick(account=visit.account, match=match, tick=tick))
        except Unavailable:
            visit.parts.ports.sleep(0.5)
    return visit.call(GetExportTick(account=visit.account, match=match, tick=tick))
