"""The content of the rulebook as tables: rows that name their effects, and plain numbers."""
