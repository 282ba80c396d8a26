"""A pytest plugin that runs, for each effect of ``switched_off.json``, the tests marked with its rule without it.

``python -m pytest -p tests.warfare.switching tests/warfare`` writes, by number of the effect, which test failed for
lack of it to the file that SWITCHED_OFF_REPORT names. An effect is data:

``row`` of a ``table`` (module:NAME) loses its effects, or only ``effect`` (a place) · a ``field`` of a row is set to
``value`` · an ``entry`` of a table of functions does nothing, or gives ``value``
"""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from _pytest.runner import runtestprotocol

from shared.warfare import profile
from shared.warfare.effects import Row

EFFECTS: list[dict[str, Any]] = json.loads((Path(__file__).parent / "switched_off.json").read_text())
MOST_TESTS = 80
"""Marked tests tried for an effect; the first that fails is enough."""


@contextmanager
def switched_off(effect: dict[str, Any]) -> Iterator[None]:
    """The rules without one effect."""
    module, _, name = effect["table"].partition(":")
    table = getattr(import_module(module), name)
    key = effect.get("row") or _key(table, effect["entry"])
    before = table[key]
    table[key] = without(before, effect)
    profile.profile.cache_clear()
    try:
        yield
    finally:
        table[key] = before
        profile.profile.cache_clear()


def _key(table: dict[Any, Any], name: str) -> Any:
    """Of a table by text or by type."""
    return next(key for key in table if name in (key, getattr(key, "__name__", "")))


def without(before: Any, effect: dict[str, Any]) -> Any:
    if "field" in effect:
        value = effect["value"]
        return before._replace(**{effect["field"]: tuple(value) if isinstance(value, list) else value})
    if "entry" in effect:
        return _nothing(effect.get("value"))
    assert isinstance(before, Row)
    at = effect.get("effect")
    return before._replace(
        effects=tuple(one for place, one in enumerate(before.effects) if at not in (None, place))
    )


def _nothing(value: Any) -> Callable[..., Any]:
    return lambda *_, **__: value


def pytest_runtestloop(session: pytest.Session) -> bool:
    """In place of every test once: the tests of each effect's rule, until one fails."""
    by_rule: dict[str, list[pytest.Item]] = {}
    for item in session.items:
        for mark in item.iter_markers("rule"):
            for name in mark.args:
                by_rule.setdefault(name, []).append(item)
    found: dict[int, str] = {}
    for number, effect in enumerate(EFFECTS):
        for item in by_rule.get(effect["rule"], [])[:MOST_TESTS]:
            with switched_off(effect):
                fails = _fails(item)
            if fails and not _fails(item):
                found[number] = item.nodeid
                break
    Path(os.environ["SWITCHED_OFF_REPORT"]).write_text(json.dumps(found))
    return True


def _fails(item: pytest.Item) -> bool:
    reports = runtestprotocol(item, log=False, nextitem=None)
    return any(report.failed for report in reports)
