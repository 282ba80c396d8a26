"""Matches before, while and after they are played, and who sits where."""
