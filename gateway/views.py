"""Views of matches, kept by (match, account, tick): an answer is only ever given to the account it was made for.

A past view never changes. The current one is believed for a second at most, and forgotten as soon as word comes
that the viewer's feed has grown.
"""

import hashlib
from collections.abc import Callable

import msgspec

from gateway.cache import Cache, Kept
from shared.contracts import fog
from shared.runtime.service import Caller

CURRENT_SECONDS = 1.0
PAST_SECONDS = 3_600.0
MOST = 20_000
MOST_BYTES = 64 << 20


class SeenView(msgspec.Struct, frozen=True, kw_only=True):
    """A view as it is sent: JSON text and its entity tag."""

    tick: int
    past: bool
    etag: str
    body: bytes


class Views:
    """Asks fog once for what is asked of the gateway many times."""

    def __init__(self, call: Caller, kept: Kept, now: Callable[[], float]) -> None:
        self._call = call
        self._kept = kept
        self._cache: Cache[tuple[str, str, int | None], SeenView] = Cache(
            most=MOST, most_bytes=MOST_BYTES, now=now
        )

    def get(self, account: str, match: str, tick: int | None) -> SeenView:
        """``tick`` None is the latest. Refusals as ``GetView``."""
        key = (match, account, tick)
        found = self._cache.get(key)
        if found is not None:
            return found
        shared_key = f"view/{match}/{account}/{tick}"
        if tick is not None and (text := self._kept.get(shared_key)) is not None:
            found = msgspec.msgpack.decode(text, type=SeenView)
            self._cache.put(key, found, PAST_SECONDS, size=len(found.body))
            return found
        generation = self._cache.generation()
        view = self._call(fog.GetView(account=account, match=match, tick=tick))
        found = SeenView(
            tick=view.tick, past=not view.current, etag=entity_tag(bytes(view.view)), body=bytes(view.view)
        )
        if tick is not None and found.past:
            self._cache.put(key, found, PAST_SECONDS, size=len(found.body))
            self._kept.put(shared_key, msgspec.msgpack.encode(found))
        elif tick is None:
            self._cache.put(key, found, CURRENT_SECONDS, generation=generation, size=len(found.body))
        return found

    def forget_current(self, match: str, account: str) -> None:
        self._cache.drop((match, account, None))


def entity_tag(body: bytes) -> str:
    """A strong ETag, quotes included."""
    return f'"{hashlib.sha256(body).hexdigest()[:32]}"'
