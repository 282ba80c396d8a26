"""The event stream of a match."""

import re
import time
from typing import Any

from gateway.reading import malformed
from gateway.route import EVENT_STREAM, SEATED, Reply, Visit, route
from gateway.stream import EventStream
from shared.contracts.base import Refusal
from shared.contracts.lobby import GetMatch
from shared.runtime.service import Unavailable

NEWS_SECONDS = 5.0
NEWS_POLL_SECONDS = 0.1

_NUMBER = re.compile(r"[0-9]{1,15}", re.ASCII)


@route(
    "GET",
    "/v1/matches/{match}/stream",
    who=SEATED,
    content_type=EVENT_STREAM,
    request_headers={"Last-Event-ID": "the id of the last event one has: what came since is sent first"},
    answer_note=(
        "`deadline` {tick, at, moved_from?}; `tick` {tick}: resolved, fetch the view; `message` {id, with}; "
        "`match` {status, seats}. Ids count per match and viewer without gaps. A comment every 15 seconds."
    ),
)
def open_stream(visit: Visit, match: str) -> Reply[Any]:
    """What happens in the match, as it happens (Server-Sent Events).

    Open it before reading the match, then nothing is missed. It resumes with `Last-Event-ID` for 24 hours; a first
    id more than one above it says that events are gone and that one has to read anew. At most four streams an
    account. It ends when the session does.
    """
    header = visit.headers.get("Last-Event-ID")
    if header is not None and not _NUMBER.fullmatch(header):
        raise malformed("Last-Event-ID is the id of an event.")
    after = None if header is None else int(header)
    give_up = time.monotonic() + NEWS_SECONDS
    while True:
        try:
            return Reply(EventStream(visit, match, after))
        except Refusal as refusal:
            # The lobby seats at once; the feed hears of it a moment later.
            if refusal.code != "not-found" or not _seated(visit, match):
                raise
        if time.monotonic() >= give_up:
            raise Unavailable("report", "has not heard of the seat yet")
        visit.parts.ports.sleep(NEWS_POLL_SECONDS)


def _seated(visit: Visit, match: str) -> bool:
    return visit.call(GetMatch(account=visit.account, match=match)).your_seat is not None
