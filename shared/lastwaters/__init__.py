"""The rules of Last Waters: a pure library. The rulebook is RULES.md; every number stands in ``tables``."""
