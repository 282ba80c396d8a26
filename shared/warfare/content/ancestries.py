"""Ancestries (section 17)."""

from typing import Final

from shared.warfare.effects import Drain, Effect, Gain, Grants, On, Raise, Row, Trait

ELEMENTS: Final = {  # WF-CARD-10: the damage that is an element's own
    "F": "burn",
    "W": "freeze",
    "A": "shock",
    "E": "crush",
    "L": "flare",
    "D": "void",
}
TERRESTRIAL: Final = ("A", "F", "E", "W")
WILD: Final = "Wild"

MORTAL: Final = "mortal"
UNDEAD: Final = "undead"  # equipped like mortals (WF-EQP-03)
ELEMENTAL: Final = "elemental"  # never mortal (WF-ANC-30)

_GAIN: Final = (Gain(),)


def _elemental(*effects: Effect) -> tuple[Effect, ...]:
    return (Trait("no-equipment"), *effects)  # WF-EQP-02


ANCESTRIES: Final[dict[str, Row]] = {
    "ashborn": Row(
        "WF-ANC-01",
        "Ashborn",
        (
            On("spell", "any", (Drain(),), ("water-spell",)),
            On("spell", "any", _GAIN, ("fire-spell",)),
            Grants("firespitting"),
            Raise("defense", -1),
        ),
        MORTAL,
        "F",
    ),
    "deep-dwarves": Row(
        "WF-ANC-02",
        "Deep Dwarves",
        (
            On("armor-broken", "subject", _GAIN),
            Grants("engineers"),
            Raise("defense", 1),
            Raise("mobility", -1),
        ),
        MORTAL,
        "E",
    ),
    "mountain-dwarves": Row(
        "WF-ANC-03",
        "Mountain Dwarves",
        (
            On("armor-broken", "ally", _GAIN),
            Grants("mountaineer"),
            Raise("defense", 1),
            Raise("mobility", -1),
        ),
        MORTAL,
        "F",
    ),
    "diverse": Row(
        "WF-ANC-04",
        "Diverse",
        (On("armor-broken", "actor", _GAIN), Grants("wild-element")),
        MORTAL,
        WILD,
    ),
    "triumph-elves": Row(
        "WF-ANC-05",
        "Triumph Elves",
        (
            On("spells-done", "any", _GAIN, ("side-cast-rank-of-round",)),
            Grants("agile"),
            Grants("ageless"),
        ),
        MORTAL,
        "A",
    ),
    "recluse-elves": Row(
        "WF-ANC-06",
        "Recluse Elves",
        (
            On("deploying", "subject", (Gain("three-less-friends"),)),
            Grants("guerilla"),
            Grants("ageless"),
        ),
        MORTAL,
        "W",
    ),
    "horselords": Row(
        "WF-ANC-07",
        "Horselords",
        (On("deploying", "subject", (Gain("round"),)), Raise("mobility", 1), Raise("fee", 1)),
        MORTAL,
        "F",
    ),
    "halflings": Row(
        "WF-ANC-08",
        "Halflings",
        (On("attacked", "subject", _GAIN, ("by-a-larger-army",)), Grants("valiant"), Raise("attack", -1)),
        MORTAL,
        "E",
    ),
    "harpies": Row(
        "WF-ANC-09",
        "Harpies",
        (
            On("round-end", "any", _GAIN, ("unhurt-this-round",)),
            Grants("flapping"),
            Raise("attack", 1),
            Raise("morale", -1),
            Trait("forge-difficulty", 2),
        ),
        MORTAL,
        "W",
    ),
    "orcs": Row(
        "WF-ANC-10",
        "Orcs",
        (On("deployment", "any", _GAIN, ("carries-a-wound",)), Trait("keeps-scars")),
        MORTAL,
        "E",
    ),
    "drakes": Row(
        "WF-ANC-11",
        "Drakes",
        (
            On("round-end", "any", _GAIN, ("side-won-a-goal",)),
            Grants("wallkeepers"),
            Raise("presence", 1),
            Raise("fee", 1),
        ),
        MORTAL,
        "F",
    ),
    "gnolls": Row(
        "WF-ANC-12",
        "Gnolls",
        (
            Grants("skirmisher"),
            Raise("mobility", 2),
            Raise("defense", -1),
            Raise("armor", -1),
            Raise("presence", -1),
        ),
        MORTAL,
        "A",
    ),
    "antinium": Row(
        "WF-ANC-13",
        "Antinium",
        (
            On("deployment", "any", _GAIN, ("centenium-on-its-side",)),
            Grants("alien-mind"),
            Grants("repulsive"),
        ),
        MORTAL,
        "E",
    ),
    "skeletons": Row(
        "WF-ANC-14",
        "Skeletons",
        (Trait("no-momentum"), Raise("attack", 1), Raise("defense", 1), Raise("morale", 1)),
        UNDEAD,
        "D",
    ),
    "zombies": Row(
        "WF-ANC-15",
        "Zombies",
        (
            On("bloodied", "subject", _GAIN),
            Trait("capacity", 3),
            Raise("attack", -1),
            Raise("defense", 1),
        ),
        UNDEAD,
        "D",
    ),
    "wraiths": Row(
        "WF-ANC-16",
        "Wraiths",
        (
            On("attacked", "subject", _GAIN, ("by-mortals",), once="round"),
            Grants("fearful"),
            Raise("mobility", 1),
            Raise("defense", -1),
        ),
        UNDEAD,
        "D",
    ),
    "ghouls": Row(
        "WF-ANC-17",
        "Ghouls",
        (On("bloodied", "actor", _GAIN), Grants("repulsive"), Grants("fearful"), Raise("attack", 2)),
        UNDEAD,
        "D",
    ),
    "air": Row("WF-ANC-18", "Air", _elemental(On("presence", "actor", _GAIN, once="round")), ELEMENTAL, "A"),
    "fire": Row("WF-ANC-19", "Fire", _elemental(On("attacks", "actor", _GAIN, once="round")), ELEMENTAL, "F"),
    "earth": Row(
        "WF-ANC-20", "Earth", _elemental(On("attacked", "subject", _GAIN, once="round")), ELEMENTAL, "E"
    ),
    "water": Row(
        "WF-ANC-21", "Water", _elemental(On("goal-lost", "side", _GAIN, once="round")), ELEMENTAL, "W"
    ),
    "light": Row(
        "WF-ANC-22", "Light", _elemental(On("round-end", "any", _GAIN, ("light-holds",))), ELEMENTAL, "L"
    ),
    "dark": Row("WF-ANC-23", "Dark", _elemental(On("routed", "enemy", _GAIN, once="round")), ELEMENTAL, "D"),
}
