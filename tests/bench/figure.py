"""A figure: one line of JSON on standard output."""

import json
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class Figure:
    """``value`` is judged against ``goal``; ``measured`` holds what it was made from, with units in the names."""

    name: str
    value: float
    goal: float
    better: Literal["higher", "lower"]
    measured: dict[str, float | int | str]

    @property
    def met(self) -> bool:
        return self.value >= self.goal if self.better == "higher" else self.value <= self.goal

    def line(self) -> str:
        return json.dumps(
            {
                "figure": self.name,
                "value": round(self.value, 4),
                "goal": self.goal,
                "better": self.better,
                "met": self.met,
                "measured": {
                    name: round(value, 4) if isinstance(value, float) else value
                    for name, value in self.measured.items()
                },
            }
        )
