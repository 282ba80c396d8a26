"""A player who files and cancels around each deadline as fast as the server answers, and remembers every answer."""

import random
import threading
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from tests.stack.client import Answer, Json, Seat

BEFORE = timedelta(seconds=0.6)
AFTER_THE_END = 0.3


@dataclass(frozen=True)
class Try:
    """One request and its answer. ``order``: the id of the filed order, or of the one to cancel."""

    kind: str
    tick: int
    order: str | None
    answer: Answer
    answered_at: datetime


@dataclass(frozen=True)
class Deadline:
    """Of the open tick, as the stream tells it."""

    tick: int
    at: datetime


@dataclass
class Hammer:
    """``threads`` of them. ``hear`` each deadline; ``stop`` after the end."""

    seat: Seat
    seed: int
    threads: int = 4
    tries: list[Try] = field(default_factory=list)
    errors: list[Exception] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._deadline = Deadline(0, datetime.max.replace(tzinfo=UTC))
        self._ended = threading.Event()
        self._lock = threading.Lock()
        self._at_work = [
            threading.Thread(target=self._work, args=(random.Random(self.seed + number),))
            for number in range(self.threads)
        ]

    def start(self) -> None:
        for thread in self._at_work:
            thread.start()

    def hear(self, tick: int, at: datetime) -> None:
        with self._lock:
            if tick >= self._deadline.tick:
                self._deadline = Deadline(tick, at)

    def stop(self) -> None:
        """Returns once all have seen some answers of an ended match."""
        self._ended.set()
        for thread in self._at_work:
            thread.join()

    def _work(self, chance: random.Random) -> None:
        try:
            own: list[str] = []
            tick, hold = 0, ""
            until: float | None = None
            while until is None or time.monotonic() < until:
                if until is None and self._ended.is_set():
                    until = time.monotonic() + AFTER_THE_END
                with self._lock:
                    deadline = self._deadline
                if until is None and datetime.now(UTC) < deadline.at - BEFORE:
                    time.sleep(0.02)
                    continue
                if deadline.tick != tick:
                    tick, own = deadline.tick, []
                    hold = self._some_hold(chance) or hold
                self._one(chance, tick, hold, own)
        except Exception as error:  # noqa: BLE001 - told to the test
            self.errors.append(error)

    def _some_hold(self, chance: random.Random) -> str | None:
        view = self.seat.view()
        own = [hold["id"] for hold in view["holds"] if hold.get("owner") == view["faction"]]
        return chance.choice(own) if own else None

    def _one(self, chance: random.Random, tick: int, hold: str, own: list[str]) -> None:
        roll = chance.random()
        if roll < 0.4 and own:
            order = own.pop(chance.randrange(len(own)))
            self._note("cancel", tick, order, self.seat.try_cancel(tick, order))
            return
        asked = tick + chance.choice((-1, 1)) if roll > 0.95 else tick
        answer = self.seat.try_order(asked, an_order(chance, hold))
        filed = answer.body["id"] if answer.status == 201 else None
        if filed is not None:
            own.append(filed)
        self._note("file", asked, filed, answer)

    def _note(self, kind: str, tick: int, order: str | None, answer: Answer) -> None:
        self.tries.append(Try(kind, tick, order, answer, datetime.now(UTC)))


def an_order(chance: random.Random, hold: str) -> Json:
    """Each may be filed whatever else is, as long as the stock lasts."""
    if chance.random() < 0.1:
        return {"kind": "propose", "to": f"f{chance.randint(1, 8)}"}
    return {"kind": "recruit", "hold": hold, "unit": "militia", "count": 1}
