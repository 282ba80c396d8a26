"""Chance, the only source of it: every roll has a name, and the name fixes its faces (section 21)."""

from collections.abc import Mapping, Sequence
from hashlib import sha256

from shared.warfare.errors import BadInput

_SPAN = 1 << 64


def roll_name(seed: str, season: int, battle: str, round_: int, actor: str, purpose: str, n: int) -> str:
    """WF-RNG-01. ``battle`` is ``-`` and ``round_`` 0 outside battle; ``actor`` is ``army:id`` or ``power:id``."""
    return f"wf1|{seed}|s{season}|{battle}|r{round_}|{actor}|{purpose}|{n}"


def faces(name: str, size: int, count: int) -> list[int]:
    """The first ``count`` faces of the roll ``name`` with dice of ``size`` sides (WF-RNG-02, RNG-04)."""
    return [face(name, size, index) for index in range(count)]


def face(name: str, size: int, index: int) -> int:
    """Die ``index`` of the roll (WF-RNG-02): uniform, whatever the size."""
    fair = _SPAN - _SPAN % size
    t = 0
    while True:
        value = int.from_bytes(sha256(f"{name}|{index}|{t}".encode()).digest()[:8], "big")
        if value < fair:
            return value % size + 1
        t += 1


class Rolls:
    """Rolls of one battle round, or of one season outside battle.

    ``counts`` remembers how often each prefix was rolled (WF-RNG-03) and belongs to the caller's state.
    ``given`` overrides faces by the name without seed and season, such as ``r2|army:derop|attack|0``; a given
    roll must have exactly as many faces as the pool has dice.
    """

    def __init__(
        self,
        seed: str,
        season: int,
        battle: str,
        round_: int,
        counts: dict[str, int],
        given: Mapping[str, Sequence[int]],
    ) -> None:
        self._start = f"wf1|{seed}|s{season}|{battle}|"
        self._round = round_
        self._counts = counts
        self._given = given

    def roll(self, actor: str, purpose: str, size: int, count: int) -> list[int]:
        prefix = f"r{self._round}|{actor}|{purpose}|"
        n = self._counts.get(prefix, 0)
        self._counts[prefix] = n + 1
        name = f"{prefix}{n}"
        if name in self._given:
            shown = list(self._given[name])
            if len(shown) != count or not all(1 <= value <= size for value in shown):
                raise BadInput(f"given[{name!r}]", f"{count} dice of {size} sides are rolled, not {shown}")
            return shown
        return faces(self._start + name, size, count)
