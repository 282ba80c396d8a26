"""Everything the gateway may reach, handed to ``create_app``."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from limits.storage import MemoryStorage, Storage

from gateway.cache import Kept, NotKept
from gateway.hub import Hub
from gateway.slots import LocalSlots, Slots
from shared.runtime.ids import Ids
from shared.runtime.service import Caller, Clock
from shared.runtime.settings import Settings


def always() -> bool:
    return True


@dataclass(frozen=True)
class StreamTimes:
    """Seconds between the things that an open stream does by itself.

    ``comment``: so that a gone client is noticed; ``look``: for an event whose word was lost; ``ask``: whether the
    session still stands, should word of its end be lost.
    """

    comment: float = 15.0
    look: float = 5.0
    ask: float = 4.0


@dataclass(frozen=True, kw_only=True)
class GatewayPorts:
    """``limits`` counts requests (memory, or Redis for many gateways); ``kept`` holds past views for all gateways;
    ``hub`` is told of grown feeds and ended sessions by whoever hosts the app; ``ready`` says whether the
    dependencies are there."""

    call: Caller
    clock: Clock
    ids: Ids
    settings: Settings
    hub: Hub = field(default_factory=Hub)
    limits: Storage = field(default_factory=MemoryStorage)
    slots: Slots = field(default_factory=LocalSlots)
    kept: Kept = field(default_factory=NotKept)
    ready: Callable[[], bool] = always
    stream: StreamTimes = StreamTimes()
    sleep: Callable[[float], None] = time.sleep
