"""Classes (section 15)."""

from typing import Final

from shared.warfare.effects import (
    Bind,
    Counter,
    Gets,
    Guard,
    Inflicts,
    Intercept,
    May,
    On,
    Pass,
    Raise,
    Redirect,
    Restore,
    Row,
    Terrify,
    Trait,
)

BASIC: Final = "basic"
TITAN: Final = "titan"

CLASSES: Final[dict[str, Row]] = {
    "levy": Row("WF-CLS-01", "Levy", (), BASIC),
    "archers": Row("WF-CLS-02", "Archers", (Trait("ranged", 1), May("two", cost=1, static=-1)), BASIC),
    "brawlers": Row(
        "WF-CLS-03",
        "Brawlers",
        (
            Raise("presence", 1),
            On("presence-checked", "actor", (Bind("weakened", 2),), cost=1, switch="bond"),
        ),
        BASIC,
    ),
    "dervishes": Row(
        "WF-CLS-04",
        "Dervishes",
        (On("defence", "subject", (Guard("momentum", "round"),), cost=1, switch="dervish", once="round"),),
        BASIC,
    ),
    "axes": Row("WF-CLS-05", "Axes", (Raise("attack", 1), May("axes", breaks=2)), BASIC),
    "hammers": Row("WF-CLS-06", "Hammers", (Raise("attack", 1), May("hammers", type="crush")), BASIC),
    "infantry": Row(
        "WF-CLS-07",
        "Infantry",
        (Raise("defense", 1), On("command-done", "subject", (Gets("taunt", 3),), cost=1, switch="taunt")),
        BASIC,
    ),
    "pikes": Row(
        "WF-CLS-08",
        "Pikes",
        (
            Raise("presence", 1),
            On("after-attacked", "subject", (Counter(),), ("within-reach",), cost=1, switch="counter"),
        ),
        BASIC,
    ),
    "rogues": Row(
        "WF-CLS-09",
        "Rogues",
        (
            Raise("attack", 1),
            On("commanded", "subject", (Gets("strengthened", 1),)),
            On("redirect", "subject", (Redirect(),), cost=1, switch="redirect"),
        ),
        BASIC,
    ),
    "shieldbearers": Row(
        "WF-CLS-10",
        "Shieldbearers",
        (Raise("morale", 1), On("commanded", "subject", (Restore(2),), cost=1, switch="restore")),
        BASIC,
    ),
    "tortoise": Row(
        "WF-CLS-11",
        "Tortoise",
        (
            Raise("morale", 1),
            On("defence", "subject", (Guard(3, "attack"),), ("from-afar",), cost=1, switch="tortoise"),
        ),
        BASIC,
    ),
    "supports": Row(
        "WF-CLS-12",
        "Supports",
        (
            Raise("morale", 1),
            On("commanded", "subject", (Pass(),), ("passes-before",), cost=1, switch="pass"),
            On("command-done", "subject", (Pass(),), ("passes-after",), cost=1, switch="pass"),
        ),
        BASIC,
    ),
    "angel": Row(
        "WF-CLS-13",
        "Angel",
        (
            On("round-start", "any", (Gets("flying", 1),), ("even-round",)),
            On("redirect", "ally", (Intercept(),), ("flying",), cost=1, switch="intercept"),
        ),
        TITAN,
    ),
    "dragon": Row(
        "WF-CLS-14",
        "Dragon",
        (
            Raise("armor", 3),
            Trait("no-equipment"),
            On("round-start", "any", (Gets("flying", 1),), ("odd-round",)),
            On("after-attacked", "subject", (Gets("flying", 2),), cost=1, switch="flight"),
        ),
        TITAN,
    ),
    "demon": Row(
        "WF-CLS-15",
        "Demon",
        (
            On("against", "subject", (Terrify(2),)),
            On(
                "slain",
                "any",
                (Gets("flying", 2), Gets("strengthened", 2), Gets("mobile", 2)),
                cost=1,
                switch="surge",
            ),
        ),
        TITAN,
    ),
    "devil": Row(
        "WF-CLS-16",
        "Devil",
        (
            On("against", "subject", (Terrify(2),)),
            On("slain", "any", (Inflicts("frozen", 2), Gets("flying", 2)), cost=1, switch="chill"),
        ),
        TITAN,
    ),
    "giant": Row("WF-CLS-17", "Giant", (Trait("capacity", 3), May("second_goal")), TITAN),
    "monster": Row(
        "WF-CLS-18",
        "Monster",
        (Trait("capacity", 3), Raise("armor", 3), Trait("no-equipment"), May("two", cost=1, static=-1)),
        TITAN,
    ),
    "war-balloon": Row(
        "WF-CLS-19",
        "War Balloon",
        (
            Trait("ranged", 2),
            On("deployed", "subject", (Gets("flying", 1),)),
            On("commanded", "subject", (Gets("flying", 3),), cost=1, switch="lift"),
        ),
        TITAN,
    ),
}
