"""Logs: one JSON object a line on standard error, with service, match, tick and correlation where they are known."""

import logging
import sys
from datetime import datetime
from typing import TextIO

import structlog

QUIET = {
    "nameko": logging.WARNING,
    "nameko.containers": logging.ERROR,  # it repeats what the host has logged of a failed call
    "kombu": logging.WARNING,
    "amqp": logging.WARNING,
    "alembic": logging.WARNING,
    "werkzeug": logging.WARNING,
}
"""The least that is logged of libraries."""


def configure(level: str = "info", stream: TextIO | None = None) -> None:
    """For a whole process, once; to standard error unless a ``stream`` is given. Tracebacks never show values: they may be sealed orders."""
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _without_nulls,
        structlog.processors.ExceptionRenderer(
            structlog.tracebacks.ExceptionDictTransformer(show_locals=False, max_frames=20)
        ),
    ]
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*shared, structlog.stdlib.ExtraAdder()],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.JSONRenderer(default=_as_text),
            ],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for name, least in QUIET.items():
        logging.getLogger(name).setLevel(max(least, root.level))


def _without_nulls(
    _logger: object, _method: str, event: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    return {key: value for key, value in event.items() if value is not None and value != ""}


def _as_text(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)
