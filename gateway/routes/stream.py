"""The event stream of a match."""

import re
from typing import Any

from gateway.reading import malformed
from gateway.route import EVENT_STREAM, SEATED, Reply, Visit, route
from gateway.stream import EventStream

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
    return Reply(EventStream(visit, match, None if header is None else int(header)))
