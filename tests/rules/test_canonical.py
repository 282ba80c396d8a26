"""The canonical form beside what the vectors say of it."""

from typing import Any

import pytest

from shared import canonical


@pytest.mark.parametrize("value", [1.0, [1, "a", 2.5], {"a": [{"b": ({"c": 0.1},)}]}, {"a": float("nan")}])
def test_floating_point_is_refused_however_deep(value: Any) -> None:
    with pytest.raises(TypeError, match="floating point"):
        canonical.encode(value)


def test_an_object_joined_of_canonical_texts_is_canonical() -> None:
    value = {"é": [1, {"b": None, "a": 'quote " \u2028 \x1f \x7f'}], "a": True, "Z": "ü", "aa": {}}
    assert canonical.joined({name: canonical.encode(part) for name, part in value.items()}) == (
        canonical.encode(value)
    )
