"""The broker inside the process, where it must differ from kombu's own. The contract suite tests the rest."""

from collections.abc import Iterator
from typing import Any

import pytest
from kombu import Connection, Consumer, Exchange, Queue
from kombu.exceptions import ChannelError

from shared.runtime import memory_transport

EXCHANGE = Exchange("near.events", type="topic", durable=True)


@pytest.fixture
def connection() -> Iterator[Any]:
    memory_transport.register()
    memory_transport.forget()
    with Connection(memory_transport.URL) as found:
        yield found
    memory_transport.forget()


def publish(channel: Any, text: str, routing_key: str = "told", **options: Any) -> None:
    message = channel.prepare_message(text, content_type="application/json", content_encoding="utf-8")
    channel.basic_publish(message, exchange=EXCHANGE.name, routing_key=routing_key, **options)


def drain(connection: Any) -> None:
    while True:
        try:
            connection.drain_events(timeout=0.01)
        except TimeoutError:
            return


def bound(channel: Any, name: str, **options: Any) -> Queue:
    queue = Queue(name, exchange=EXCHANGE, routing_key="told", **options)
    queue(channel).declare()
    return queue


def test_each_queue_gets_a_copy_with_a_tag_of_its_own(connection: Any) -> None:
    channel = connection.channel()
    first, second = bound(channel, "first"), bound(channel, "second")
    publish(channel, '"x"')
    messages = [queue(channel).get() for queue in (first, second)]
    assert [message.payload for message in messages] == ["x", "x"]
    assert messages[0].delivery_tag != messages[1].delivery_tag
    for message in messages:
        assert message.properties["content_type"] == "application/json"
        message.ack()


def test_a_mandatory_message_needs_a_queue(connection: Any) -> None:
    channel = connection.channel()
    bound(channel, "first")
    publish(channel, '"x"', mandatory=True)
    with pytest.raises(ChannelError, match="NO_ROUTE"):
        publish(channel, '"x"', routing_key="other", mandatory=True)
    publish(channel, '"x"', routing_key="other")


def test_prefetch_counts_for_each_consumer(connection: Any) -> None:
    """Unacknowledged requests must not keep replies on the same channel from coming."""
    channel = connection.channel()
    requests, replies = (
        bound(channel, "requests"),
        Queue("rpc.reply-1", exchange=EXCHANGE, routing_key="reply"),
    )
    held: list[Any] = []
    answered: list[Any] = []
    first = Consumer(channel, [requests], callbacks=[lambda _body, message: held.append(message)])
    first.qos(prefetch_count=2)
    second = Consumer(
        channel, [replies], callbacks=[lambda _body, message: answered.append(message)], no_ack=True
    )
    first.consume()
    second.consume()
    for number in range(4):
        publish(channel, str(number))
        publish(channel, str(number), routing_key="reply")
    drain(connection)
    assert (len(held), len(answered)) == (2, 4)
    held[0].ack()
    drain(connection)
    assert len(held) == 3
    held[1].reject(requeue=True)
    drain(connection)
    assert len(held) >= 4


def test_a_reply_queue_leaves_nothing_behind(connection: Any) -> None:
    channel = connection.channel()
    bound(channel, "stays")
    table = channel.state.exchanges[EXCHANGE.name]["table"]
    before = list(table)
    for number in range(3):
        reply = Queue(f"rpc.reply-{number}", exchange=EXCHANGE, routing_key=str(number))
        consumer = Consumer(channel, [reply], callbacks=[print])
        consumer.consume()
        assert len(table) == len(before) + 1
        consumer.cancel()
    assert table == before
    assert not any(name.startswith("rpc.reply-") for name in channel.queues)


def test_stopping_returns_soon_from_a_wait_without_end(connection: Any) -> None:
    channel = connection.channel()
    consumer = Consumer(channel, [bound(channel, "first")], callbacks=[print])
    consumer.consume()
    memory_transport.stopping()
    try:
        with pytest.raises(TimeoutError):
            connection.drain_events(timeout=30)
    finally:
        memory_transport.register()
