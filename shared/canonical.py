"""The canonical form of contract.md: one text for one value, on every machine.

UTF-8 without white space, keys sorted by code point, strings with the fewest escapes, integers only.
"""

import json
from collections.abc import Mapping
from typing import Any

import msgspec


def text(value: Any) -> str:
    """The canonical text of JSON-able ``value`` (structs included). TypeError for floats."""
    plain = msgspec.to_builtins(value)
    _refuse_floats(plain)
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def encode(value: Any) -> bytes:
    return text(value).encode()


def joined(fields: Mapping[str, bytes]) -> bytes:
    """The canonical object of values that are canonical texts already."""
    raw = {name: msgspec.Raw(value) for name, value in fields.items()}
    return msgspec.json.encode(raw, order="sorted")


def _refuse_floats(value: Any) -> None:
    if isinstance(value, float):
        raise TypeError(f"no floating point in the canonical form: {value!r}")
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    for inner in inside:
        if not isinstance(inner, str | int):  # most of all values: not worth a call each
            _refuse_floats(inner)
