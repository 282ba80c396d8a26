"""One viewer's event stream (Server-Sent Events), fed from the numbered feed that report keeps.

The feed is the truth: word that it has grown only makes a stream look at once, and a stream looks by itself every
few seconds too. So nothing is lost or doubled, whatever is lost or doubled on the way here.
"""

import time
from collections.abc import Iterator

import structlog

from gateway.route import Visit
from shared.contracts.base import Refusal
from shared.contracts.report import Feed, FeedEvent, GetFeed
from shared.runtime.service import Unavailable

RECONNECT_MS = 2_000
AT_ONCE = 100
GONE_SECONDS = 1.0
"""After so long at most a stream notices that its client has left, and its slot is free."""


class EventStream:
    """Iterated by the WSGI server, which closes it however it ends. ``after``: the last event the client has."""

    def __init__(self, visit: Visit, match: str, after: int | None) -> None:
        """Raises what the first look at the feed raises, before anything is sent."""
        self._visit = visit
        self._match = match
        self._ports = visit.parts.ports
        slot = self._ports.slots.take(visit.account)
        if slot is None:
            raise Refusal("rate-limited", "This account has as many streams open as it may.")
        self._slot = slot
        self._subscription = self._ports.hub.subscribe(match, visit.account, visit.session.token_digest)
        self._closed = False
        try:
            first = self._read(after)
        except BaseException:
            self.close()
            raise
        self._pieces = self._run(first)

    def __iter__(self) -> "EventStream":
        return self

    def __next__(self) -> bytes:
        return next(self._pieces)

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._subscription.__exit__(None, None, None)
            self._ports.slots.free(self._slot)

    def _read(self, after: int | None) -> Feed:
        with structlog.contextvars.bound_contextvars(correlation=self._visit.request_id):
            return self._visit.call(
                GetFeed(account=self._visit.account, match=self._match, after=after, limit=AT_ONCE)
            )

    def _run(self, feed: Feed) -> Iterator[bytes]:
        last = _last(feed)
        yield opening(feed)
        times = self._ports.stream
        now = time.monotonic()
        comment_at, look_at, ask_at = now + times.comment, now + times.look, now + times.ask
        while True:
            if feed.items:
                yield b"".join(frame(event) for event in feed.items)
                comment_at = time.monotonic() + times.comment
            if last >= feed.latest:
                now = time.monotonic()
                until = min(comment_at, look_at, ask_at, now + GONE_SECONDS)
                woken = self._subscription.wait(max(0.0, until - now))
            else:
                woken = True
            if self._subscription.ended or self._visit.gone():
                return
            now = time.monotonic()
            if now >= ask_at:
                ask_at = now + times.ask
                if not self._session_stands():
                    return
                self._ports.slots.hold(self._slot)
            if now >= comment_at:
                comment_at = now + times.comment
                yield b": still here\n\n"
            if woken or now >= look_at:
                look_at = now + times.look
                try:
                    feed = self._read(last)
                except Unavailable:
                    feed = Feed(items=(), latest=last)
                except Refusal:
                    return
                last = _last(feed)
            else:
                feed = Feed(items=(), latest=last)

    def _session_stands(self) -> bool:
        try:
            self._visit.parts.sessions.ask(self._visit.session.token_digest)
        except Refusal:
            return False
        except Unavailable:
            return True
        return True


def opening(feed: Feed) -> bytes:
    """The first block. Where no event follows it has an id of its own, to resume from should none ever come."""
    place = b"" if feed.items else b"id: %d\n" % feed.latest
    return b"retry: %d\n%s: open\n\n" % (RECONNECT_MS, place)


def frame(event: FeedEvent) -> bytes:
    """An event as it is sent. Feed data is canonical JSON, so it has no line breaks."""
    return b"id: %d\nevent: %s\ndata: %s\n\n" % (event.n, event.event.encode(), bytes(event.data))


def _last(feed: Feed) -> int:
    """The number to go on from: events that are kept no longer, or were never given out, are passed over."""
    if feed.items:
        return feed.items[-1].n
    return feed.latest
