"""The correlation id that ties together everything one request or one event has set off."""

import structlog

LONGEST = 64


def current() -> str:
    """Of the work at hand; empty outside of any."""
    return str(structlog.contextvars.get_contextvars().get("correlation", ""))
