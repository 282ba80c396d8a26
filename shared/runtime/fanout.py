"""Word that feeds have grown, from report to the gateways. It may get lost: gateways also look by themselves."""

import threading
from collections.abc import Callable, Sequence

import msgspec
import redis
import structlog
from redis.backoff import NoBackoff
from redis.retry import Retry

from shared.runtime import metrics
from shared.runtime.service import Grown

CHANNEL = "lastwaters.feeds"
REDIS_SECONDS = 1.0
RECONNECT_SECONDS = 2.0

Heard = Callable[[Sequence[Grown]], object]

log = structlog.get_logger()


class NoFanout:
    """For services that tell nobody."""

    def publish(self, grown: Sequence[Grown]) -> None:
        pass


def connect(url: str) -> redis.Redis:
    """A client that tries nothing twice (reliability 9) and gives up soon."""
    return redis.Redis.from_url(
        url,
        retry=Retry(NoBackoff(), 0),
        socket_timeout=REDIS_SECONDS,
        socket_connect_timeout=REDIS_SECONDS,
    )


class RedisFanout:
    """``shared.runtime.service.Fanout`` over Redis. Never fails its caller."""

    def __init__(self, url: str) -> None:
        self._redis = connect(url)

    def publish(self, grown: Sequence[Grown]) -> None:
        try:
            self._redis.publish(CHANNEL, msgspec.json.encode(grown))
        except redis.RedisError as error:
            metrics.FAILURES.labels("report", "fanout").inc()
            log.warning("fan-out lost", error=type(error).__name__)


class RedisEar:
    """Calls ``heard(grown)`` for all that is published, from a thread of its own."""

    def __init__(self, url: str, heard: Heard) -> None:
        self._url = url
        self._heard = heard
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="fanout", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        self._thread.join(timeout=3 * REDIS_SECONDS)

    def _run(self) -> None:
        while not self._stopping.is_set():
            try:
                self._listen()
            except redis.RedisError as error:
                log.warning("fan-out not heard", error=type(error).__name__)
                self._stopping.wait(RECONNECT_SECONDS)

    def _listen(self) -> None:
        with connect(self._url) as client, client.pubsub(ignore_subscribe_messages=True) as channel:
            channel.subscribe(CHANNEL)
            while not self._stopping.is_set():
                message = channel.get_message(timeout=REDIS_SECONDS / 2)
                if message is None:
                    continue
                try:
                    grown = msgspec.json.decode(message["data"], type=list[Grown])
                except msgspec.MsgspecError:
                    log.warning("fan-out not understood")
                    continue
                self._heard(grown)
