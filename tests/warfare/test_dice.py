"""Named rolls."""

import pytest

from shared.warfare.dice import Rolls, faces, roll_name
from shared.warfare.errors import BadInput
from tests.warfare.marks import rule

BATTLE = "b3@4,-2"


@rule("WF-RNG-01", "WF-RNG-02", "WF-RNG-05", "WF-DICE-12")
@pytest.mark.parametrize(
    ("name", "size", "shown"),
    [
        (("42", 3, BATTLE, 2, "army:derop", "attack", 0), 6, "3 3 1 4 1 1 4 2"),
        (("42", 3, BATTLE, 2, "army:derop", "morale.bloodied", 0), 4, "4 1 2 1 4 4 4 4"),
        (("42", 3, "-", 0, "power:p1", "challenge.train:0", 0), 6, "4 5 1 3 3 1 4 5"),
    ],
)
def test_a_name_fixes_its_faces(
    name: tuple[str, int, str, int, str, str, int], size: int, shown: str
) -> None:
    assert faces(roll_name(*name), size, 8) == [int(face) for face in shown.split()]


@rule("WF-RNG-03", "WF-RNG-04")
def test_only_rolls_of_the_same_name_count() -> None:
    counts: dict[str, int] = {}
    rolls = Rolls("42", 3, BATTLE, 2, counts, {})
    first = rolls.roll("army:derop", "attack", 6, 8)
    rolls.roll("army:other", "attack", 6, 3)
    second = rolls.roll("army:derop", "attack", 6, 8)
    assert first == faces(roll_name("42", 3, BATTLE, 2, "army:derop", "attack", 0), 6, 8)
    assert second == faces(roll_name("42", 3, BATTLE, 2, "army:derop", "attack", 1), 6, 8)
    assert Rolls("42", 3, BATTLE, 2, {}, {}).roll("army:derop", "attack", 6, 3) == first[:3]


def test_given_dice_must_fit_the_pool() -> None:
    rolls = Rolls("42", 3, BATTLE, 2, {}, {"r2|army:a|attack|0": [6, 1], "r2|army:a|attack|1": [6]})
    assert rolls.roll("army:a", "attack", 6, 2) == [6, 1]
    with pytest.raises(BadInput, match="2 dice of 6 sides"):
        rolls.roll("army:a", "attack", 6, 2)
