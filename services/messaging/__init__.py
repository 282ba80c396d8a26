"""Private messages between the factions of a match."""
