"""Names for factions whose players gave none. More of them than a match has seats."""

import hashlib
from collections.abc import Collection

from services.lobby.texts import folded

NAMES = (
    "Amber Ford", "Ash Road", "Barrow Lights", "Bitter Wells", "Black Sluice", "Bone Orchard", "Brine Gate",
    "Broken Span", "Cairn Watch", "Candle Row", "Cold Kiln", "Copper Reach", "Crow Landing", "Deep Cellar",
    "Drift Market", "Dry Harbour", "Dust Choir", "Ember Yard", "Far Cistern", "Fallow Line", "Flint Parish",
    "Gannet Rock", "Glass Field", "Grey Ferry", "Gull Stair", "Halfway House", "Heron Weir", "High Granary",
    "Hollow Dam", "Iron Spring", "Kestrel Hill", "Kettle Bridge", "Lantern Mile", "Last Orchard", "Lime Pits",
    "Long Shallows", "Low Mill", "Marsh Bell", "Mender's Rest", "Nettle Court", "Night Pump", "North Gauge",
    "Old Signal", "Pale Acre", "Pilgrim Tank", "Quarry Folk", "Rain Keepers", "Red Levee", "Reed Hall",
    "Rust Garden", "Salt Terrace", "Seven Barrels", "Silt Crossing", "Slate Haven", "Sparrow Works",
    "Stone Ladle", "Sunken Mast", "Tallow Lane", "Thistle Post", "Tin Chapel", "Tollkeepers", "Under Viaduct",
    "Wheel Camp", "White Culvert", "Willow Turn", "Windlass", "Winter Silo", "Wire Meadow",
)  # fmt: skip


def free_names(match: str, taken: Collection[str], count: int) -> list[str]:
    """``count`` names that nobody in the match has (``taken``: folded), in an order of the match's own."""
    start = int.from_bytes(hashlib.sha256(match.encode()).digest()[:4], "big") % len(NAMES)
    rotated = NAMES[start:] + NAMES[:start]
    return [name for name in rotated if folded(name) not in taken][:count]
