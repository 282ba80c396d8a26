"""Prometheus figures of every process. No label ever names a match or an account.

A service adds its own with ``prometheus_client`` directly, named ``lastwaters_...``; they are served together.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from prometheus_client import Counter, Gauge, Histogram

CALL_BUCKETS = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
LATENESS_BUCKETS = (0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300, 3_600)

CALLS = Histogram(
    "lastwaters_call_seconds",
    "Calls answered, by outcome",
    ("service", "method", "result"),
    buckets=CALL_BUCKETS,
)
CALLS_MADE = Histogram(
    "lastwaters_call_made_seconds",
    "Calls made to other services, by outcome",
    ("to", "method", "result"),
    buckets=CALL_BUCKETS,
)
EVENT_SECONDS = Histogram(
    "lastwaters_event_seconds",
    "Events handled, one or many at a time, by outcome",
    ("service", "event", "result"),
    buckets=CALL_BUCKETS,
)
EVENTS = Counter("lastwaters_events_total", "Events received, by what became of them", ("service", "result"))
MESSAGES = Counter("lastwaters_messages_total", "Broker messages", ("service", "direction"))
PUBLISHED = Counter("lastwaters_events_published_total", "Events the broker has taken", ("service", "event"))
FAILURES = Counter("lastwaters_failures_total", "Failures of our own", ("service", "kind"))
OUTBOX_AGE = Gauge("lastwaters_outbox_age_seconds", "Age of the oldest unpublished event", ("service",))
INBOX_AGE = Gauge("lastwaters_inbox_age_seconds", "Age of the oldest event that waits", ("service",))
PARKED = Gauge("lastwaters_parked_events", "Events set aside for an operator", ("service",))
DEAD_LETTERS = Gauge("lastwaters_dead_letters", "Messages the broker has given up on")
TICK_LATENESS = Histogram(
    "lastwaters_tick_lateness_seconds", "From a tick's deadline to its resolution", buckets=LATENESS_BUCKETS
)


@dataclass
class Outcome:
    result: str = "ok"


@contextmanager
def timed_call(service: str, method: str) -> Iterator[Outcome]:
    """Times an answered call; an exception counts as ``failed``."""
    with _timed(CALLS, service, method) as outcome:
        yield outcome


@contextmanager
def timed_call_made(to: str, method: str) -> Iterator[Outcome]:
    """Times a call to another service; an exception counts as ``failed``."""
    with _timed(CALLS_MADE, to, method) as outcome:
        yield outcome


@contextmanager
def timed_event(service: str, event: str) -> Iterator[Outcome]:
    """Times the handling of an event, or of many together; an exception counts as ``failed``."""
    with _timed(EVENT_SECONDS, service, event) as outcome:
        yield outcome


@contextmanager
def _timed(histogram: Histogram, subject: str, name: str) -> Iterator[Outcome]:
    outcome = Outcome()
    start = time.monotonic()
    try:
        yield outcome
    except BaseException:
        if outcome.result == "ok":
            outcome.result = "failed"
        raise
    finally:
        histogram.labels(subject, name, outcome.result).observe(time.monotonic() - start)
