"""The canonical form of contract.md: one text for one value, on every machine.

UTF-8 without white space, keys sorted by code point, strings with the fewest escapes, integers only.
"""

import json
from typing import Any

import msgspec


def text(value: Any) -> str:
    """The canonical text of JSON-able ``value`` (structs included). TypeError for floats."""
    plain = msgspec.to_builtins(value)
    _refuse_floats(plain)
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def encode(value: Any) -> bytes:
    return text(value).encode()


def _refuse_floats(value: Any) -> None:
    if isinstance(value, float):
        raise TypeError(f"no floating point in the canonical form: {value!r}")
    if isinstance(value, dict):
        for inner in value.values():
            _refuse_floats(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            _refuse_floats(inner)
