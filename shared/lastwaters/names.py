"""Names on the map and in the lobby, as data."""

FIRST = (
    "Alder", "Amber", "Anvil", "Ash", "Barrow", "Bitter", "Black", "Bleak", "Blind", "Bone", "Bracken", "Bramble",
    "Brass", "Briar", "Brine", "Broken", "Candle", "Chalk", "Cinder", "Clay", "Copper", "Crow", "Dead", "Drift",
    "Dry", "Dusk", "Dust", "Elder", "Ember", "Fallow", "Fever", "Flint", "Fog", "Gallow", "Ghost", "Glass",
    "Gorse", "Grey", "Gull", "Harrow", "Hawk", "Heather", "Heron", "Hollow", "Iron", "Kestrel", "Kiln", "Lantern",
    "Last", "Lead", "Lime", "Lone", "Marrow", "Mercy", "Mill", "Mire", "Moth", "Nettle", "Night", "Oak", "Old",
    "Otter", "Pale", "Peat", "Pike", "Pitch", "Plover", "Quarry", "Rain", "Raven", "Red", "Reed", "Rook", "Rust",
    "Salt", "Sedge", "Shale", "Silt", "Silver", "Slate", "Smoke", "Soot", "Sorrow", "Stone", "Tallow", "Tar",
    "Thistle", "Thorn", "Tin", "Turnstone", "Vetch", "Viper", "Wash", "Weir", "White", "Willow", "Wind", "Winter",
    "Wolf", "Yarrow",
)  # fmt: skip
SECOND = (
    "Bank", "Beck", "Bend", "Bluff", "Bridge", "Cairn", "Causeway", "Cross", "Cut", "Dam", "Dike", "End",
    "Fell", "Fen", "Field", "Ford", "Gap", "Gate", "Ground", "Halt", "Hatch", "Head", "Heath", "Hill",
    "Hithe", "Holm", "Hook", "Keep", "Landing", "Lea", "Lock", "March", "Mere", "Mouth", "Pass", "Pier",
    "Point", "Quay", "Reach", "Ridge", "Rise", "Sound", "Staithe", "Stead", "Strand", "Wade", "Ward", "Watch",
    "Water", "Well",
)  # fmt: skip
"""Every first word with every second one names a hold: 5,000 names, more than the largest map has holds."""

FACTIONS = (
    "Ash Road", "Brine Court", "Cistern Guild", "Dust Choir", "Ember Kin", "Ferry Wardens", "Grain Compact",
    "Heron Lodge", "Iron Tithe", "Juniper League", "Kiln Masters", "Lantern Watch", "Mire Folk", "Night Market",
    "Orchard Oath", "Pitch Runners", "Quarry Sons", "Rain Keepers", "Salt Line", "Tin Parish", "Umber Host",
    "Vetch Circle", "Weir Union", "Yarrow Hands", "Amber Table", "Bell Tower", "Copper Veil", "Driftwood Crew",
    "Eel Fishers", "Flint Assembly", "Gull Banner", "Hollow Crown", "Ivy Bench", "Jackdaw Company", "Kestrel Wing",
    "Low Road", "Marsh Synod", "Nettle Band", "Old Levy", "Peat Barons", "Quiet Shore", "Reed Republic",
    "Slate Order", "Thorn Pact", "Upland Clans", "Vane Captains", "Willow Throne", "Winter Bread", "Yoke Breakers",
    "Zinc Foundry",
)  # fmt: skip
"""What factions are called when nobody names them, by seat."""
