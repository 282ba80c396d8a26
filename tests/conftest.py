"""Fixtures for every test folder."""

pytest_plugins = ["tests.servers"]
