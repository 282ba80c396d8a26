"""What lets anybody check the server: commitment to the seed (P-02), digests (P-04), the chain of states (P-05).

Hashes are SHA-256 in lower-case hex. The same for every ruleset.
"""

import hashlib
from collections.abc import Iterable


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def commitment(seed: str) -> str:
    """Public from the start; the seed itself only after the end."""
    return sha256(seed)


def digest(nonce: str, orders: Iterable[str]) -> str:
    """One faction's sealed orders (canonical texts by seq) under a nonce of 64 hex digits."""
    return sha256("\n".join((nonce, *orders)))


def state_hash(state: str, previous: str, digests: Iterable[str], rules_version: int) -> str:
    """``state`` in canonical text; ``previous`` is empty at tick 0; ``digests`` by seat, none at tick 0."""
    return sha256("\n".join((state, previous, *digests, str(rules_version))))
