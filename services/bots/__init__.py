"""Plays the seats that computer players hold."""
