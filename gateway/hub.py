"""Where word of grown feeds and ended sessions comes in, and whoever waits for it in this process.

Built on ``threading`` alone, so that it works under threads and under eventlet's patched ones. Word may be lost on
its way here: whoever waits also looks by itself now and then.
"""

import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from types import TracebackType

from shared.runtime.service import Grown


class Subscription:
    """One viewer's ear. Use as a context manager."""

    def __init__(self, hub: "Hub", match: str, account: str, token_digest: str) -> None:
        self.match = match
        self.account = account
        self.token_digest = token_digest
        self.ended = False
        self._hub = hub
        self._woken = threading.Event()

    def wait(self, timeout: float) -> bool:
        """True as soon as there may be something new; at once if word came since the last wait."""
        woken = self._woken.wait(timeout)
        self._woken.clear()
        return woken

    def wake(self) -> None:
        self._woken.set()

    def end(self) -> None:
        self.ended = True
        self._woken.set()

    def __enter__(self) -> "Subscription":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._hub.leave(self)


class Hub:
    """``wake`` and ``sessions_ended`` are called by the host of the gateway, from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._closed = False
        self._waiting: dict[tuple[str, str], set[Subscription]] = defaultdict(set)
        self._on_wake: list[Callable[[str, str], None]] = []
        self._on_ended: list[Callable[[Iterable[str]], None]] = []

    def on_wake(self, heard: Callable[[str, str], None]) -> None:
        """``heard(match, account)`` runs for every grown feed, before any stream is woken."""
        self._on_wake.append(heard)

    def on_sessions_ended(self, heard: Callable[[Iterable[str]], None]) -> None:
        """``heard(token_digests)`` runs for every ended session."""
        self._on_ended.append(heard)

    def subscribe(self, match: str, account: str, token_digest: str) -> Subscription:
        subscription = Subscription(self, match, account, token_digest)
        with self._lock:
            if self._closed:
                subscription.end()
            self._waiting[match, account].add(subscription)
        return subscription

    def leave(self, subscription: Subscription) -> None:
        key = (subscription.match, subscription.account)
        with self._lock:
            self._waiting[key].discard(subscription)
            if not self._waiting[key]:
                del self._waiting[key]

    def wake(self, match: str, account: str) -> None:
        """The feed of ``account`` in ``match`` has grown."""
        for heard in self._on_wake:
            heard(match, account)
        with self._lock:
            waiting = list(self._waiting.get((match, account), ()))
        for subscription in waiting:
            subscription.wake()

    def publish(self, grown: Sequence[Grown]) -> None:
        """So that a hub is a ``shared.runtime.service.Fanout`` where everything is one process."""
        for match, account, _ in grown:
            self.wake(match, account)

    def sessions_ended(self, token_digests: Iterable[str]) -> None:
        """These sessions are dead: forget them and end their streams."""
        dead = set(token_digests)
        for heard in self._on_ended:
            heard(dead)
        with self._lock:
            ended = [one for group in self._waiting.values() for one in group if one.token_digest in dead]
        for subscription in ended:
            subscription.end()

    def close(self) -> None:
        """Ends every stream: the process stops."""
        with self._lock:
            self._closed = True
            everyone = [one for group in self._waiting.values() for one in group]
        for subscription in everyone:
            subscription.end()
