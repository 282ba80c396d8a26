"""Keywords (section 16), in the canonical order."""

from typing import Final

from shared.warfare.effects import (
    Appal,
    Assists,
    Breach,
    Coin,
    Deals,
    Gain,
    Gets,
    On,
    Raise,
    Row,
    Trait,
    While,
)

GENERAL: Final = "general"
TERRAIN: Final = "terrain"
PROFESSION: Final = "profession"
PREMIUM: Final = "premium"
NEGATIVE: Final = "negative"


def _at_home(terrain: str, march: str) -> tuple[While, While, Trait]:
    where = (f"in-{terrain}",)
    return While("attack", 1, where), While("defense", 1, where), Trait(march)


KEYWORDS: Final[dict[str, Row]] = {
    "agile": Row("WF-KEY-01", "Agile", (Trait("dodges"),), GENERAL),
    "bloodlust": Row("WF-KEY-02", "Bloodlust", (Trait("allocates"),), GENERAL),
    "needler": Row("WF-KEY-03", "Needler", (Trait("halves"),), GENERAL),
    "fearful": Row("WF-KEY-04", "Fearful", (Trait("whole-stake"),), GENERAL),
    "immunized": Row("WF-KEY-05", "Immunized", (Trait("resists", 3),), GENERAL),
    "siege": Row(
        "WF-KEY-06", "Siege", (On("presence-checked", "actor", (Breach(1),), ("on-defence",)),), GENERAL
    ),
    "skirmisher": Row("WF-KEY-07", "Skirmisher", (On("deploying", "subject", (Gain(2),)),), GENERAL),
    "slayer": Row("WF-KEY-08", "Slayer", (Trait("doubles"),), GENERAL),
    "valiant": Row("WF-KEY-09", "Valiant", (Trait("steady", 2),), GENERAL),
    "vanguard": Row("WF-KEY-10", "Vanguard", (While("defense", "attacks-received"),), GENERAL),
    "wallkeepers": Row(
        "WF-KEY-11", "Wallkeepers", (While("morale", "wall-rank", ("defending-walls",)),), GENERAL
    ),
    "wild-element": Row("WF-KEY-12", "Wild Element", (Trait("wild"),), GENERAL),
    "guerilla": Row("WF-KEY-13", "Guerilla", _at_home("forest", "marches-forest"), TERRAIN),
    "mountaineer": Row("WF-KEY-14", "Mountaineer", _at_home("mountains", "marches-mountains"), TERRAIN),
    "naval": Row("WF-KEY-15", "Naval", _at_home("coast", "sails"), TERRAIN),
    "nomad": Row("WF-KEY-16", "Nomad", _at_home("plains", "marches-desert"), TERRAIN),
    "stealthy": Row(
        "WF-KEY-17",
        "Stealthy",
        (Trait("hidden"), On("deployed", "subject", (Gets("strengthened", 1),))),
        TERRAIN,
    ),
    "greybeards": Row("WF-KEY-18", "Greybeards", (Assists("war"), Trait("signature")), PROFESSION),
    "engineers": Row(
        "WF-KEY-19",
        "Engineers",
        (Assists("building"), While("presence", 2, ("on-walls-or-siege",))),  # WF-GOAL-13
        PROFESSION,
    ),
    "racketeers": Row("WF-KEY-20", "Racketeers", (Assists("law"),), PROFESSION),
    "stablemasters": Row("WF-KEY-21", "Stablemasters", (Assists("move"),), PROFESSION),
    "scoundrels": Row(
        "WF-KEY-22",
        "Scoundrels",
        (Assists("shadow"), Raise("fee", 1), On("slain", "actor", (Coin(1),))),
        PROFESSION,
    ),
    "scouts": Row(
        "WF-KEY-23", "Scouts", (Assists("sight"), Raise("mobility", 1), Raise("presence", -1)), PROFESSION
    ),
    "arcanists": Row("WF-KEY-24", "Arcanists", (Assists("magic"), Trait("armor-stops-all")), PROFESSION),
    "cooks": Row("WF-KEY-25", "Cooks", (Assists("heart"), Trait("feeds")), PROFESSION),
    "stampeding": Row("WF-KEY-26", "Stampeding", (Deals("crush", ("charging",)),), PREMIUM),
    "firespitting": Row("WF-KEY-27", "Firespitting", (Deals("burn", ("odd-round",)),), PREMIUM),
    "frigid": Row("WF-KEY-28", "Frigid", (Deals("freeze", ("even-round",)),), PREMIUM),
    "stormblooded": Row("WF-KEY-29", "Stormblooded", (Deals("shock", pool="wounded"),), PREMIUM),
    "nightmare": Row("WF-KEY-30", "Nightmare", (Trait("routs"),), PREMIUM),
    "alien-mind": Row("WF-KEY-31", "Alien Mind", (Trait("unshaken"), Trait("closed-mind")), PREMIUM),
    "juggernaut": Row("WF-KEY-32", "Juggernaut", (While("presence-dice", 2), Trait("size", 2)), PREMIUM),
    "incorruptible": Row("WF-KEY-33", "Incorruptible", (Trait("guards-influence"),), PREMIUM),
    "flapping": Row(
        "WF-KEY-34", "Flapping", (On("round-start", "any", (Gets("flying", 1),), ("odd-round",)),), PREMIUM
    ),
    "mercenary": Row("WF-KEY-35", "Mercenary", (Raise("fee", 2), Raise("mobility", 2)), NEGATIVE),
    "repulsive": Row(
        "WF-KEY-36",
        "Repulsive",
        (On("beside", "subject", (Appal(2),)), On("beside", "ally", (Appal(2),)), Trait("repulsive")),
        NEGATIVE,
    ),
    "ageless": Row("WF-KEY-37", "Ageless", (Trait("half-healing"),), NEGATIVE),
    "servile": Row("WF-KEY-38", "Servile", (Raise("morale", -1), Trait("fee-in-fear")), NEGATIVE),
}

CONFLICTS: Final = (
    ("needler", "slayer"),  # WF-KEY-03
    ("immunized", "wild-element"),  # WF-KEY-05
)
LEVELLED: Final = (GENERAL, TERRAIN, PROFESSION)
"""Groups that line 6 of the level-up table draws from; NEGATIVE may be taken instead (WF-LVL-04)."""
ORDER: Final = {name: index for index, name in enumerate(KEYWORDS)}
