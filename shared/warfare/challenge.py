"""Challenges outside battle (section 2.2)."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from shared.warfare.army import Army, active
from shared.warfare.card import profile_of
from shared.warfare.content.tables import BEST_FACE_COUNTS
from shared.warfare.dice import Rolls
from shared.warfare.spells import Asset

DOMAINS: Final = ("war", "move", "craft", "heart", "law", "shadow", "sight", "magic")  # WF-AST-01
DIE: Final = 6
SUCCESS: Final = 4


class Challenge(NamedTuple):
    """A challenge as rolled; nothing is rolled at Difficulty 0 (WF-AST-03)."""

    faces: tuple[int, ...]
    successes: int
    difficulty: int

    @property
    def passed(self) -> bool:
        return self.successes >= self.difficulty

    @property
    def excess(self) -> int:
        return max(0, self.successes - self.difficulty)  # WF-DICE-06


def challenge(
    rolls: Rolls,
    *,
    power: str,
    action: str,
    index: int,
    rating: int,
    difficulty: int,
    assets: Sequence[Asset] = (),
    always: bool = False,
) -> Challenge:
    """Order ``index`` of the action (WF-RNG-05's ``challenge.<action>:<order index>``).

    An asset of unique metal is critical, iron assured (WF-AST-10). ``assets`` in the order listed, professions and Experience included. ``always`` rolls even at Difficulty 0, for
    a challenge whose successes are counted (WF-ACT-20).
    """
    if difficulty <= 0 and not always:
        return Challenge((), 0, max(0, difficulty))
    dice = rating + sum(asset.bonus for asset in assets if asset.kind != "assured")
    faces = rolls.roll(f"power:{power}", f"challenge.{action}:{index}", DIE, dice)
    successes = sum(face >= SUCCESS for face in faces[:rating])  # WF-AST-02
    at = rating
    for asset in assets:  # WF-AST-04, WF-AST-05: rating dice first, then assets as listed
        if asset.kind == "assured":
            successes += asset.bonus
            continue
        for face in faces[at : at + asset.bonus]:
            if face >= SUCCESS:
                successes += BEST_FACE_COUNTS if asset.kind == "critical" and face == DIE else 1
        at += asset.bonus
    return Challenge(tuple(faces), successes, difficulty)


def experience_asset(army: Army, rank: int) -> Asset:
    """WF-AST-08: plain, of that rank."""
    return Asset(id=f"experience:{army.id}:{rank}", bonus=rank, uses=1, battle=False)


def professions(army: Army) -> tuple[str, ...]:
    """The domains in which ``army`` is a plain +1 asset now (WF-AST-06)."""
    return profile_of(army).assists if active(army.units) else ()


def profession_asset(army: Army, domain: str) -> Asset:
    return Asset(id=f"profession:{army.id}", domains=(domain,), battle=False)
