"""Chance, the only source of it (T-07): draws keyed by the match's seed and labels."""

from hashlib import blake2b


def draw(seed: str, n: int, *labels: str | int) -> int:
    """A number from 0 to ``n`` - 1, fixed by the seed's text as it stands and the labels in turn."""
    key = "/".join([seed, *map(str, labels)]).encode()
    return int.from_bytes(blake2b(key, digest_size=8).digest(), "big") % n
