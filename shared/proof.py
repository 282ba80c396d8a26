"""What lets anybody check the server: commitment to the seed (P-02), digests (P-04), the chain of states (P-05).

Hashes are SHA-256 in lower-case hex. The same for every ruleset.
"""

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

from shared.canonical import text


def sha256(of: str) -> str:
    return hashlib.sha256(of.encode()).hexdigest()


def commitment(seed: str) -> str:
    """Public from the start; the seed itself only after the end."""
    return sha256(seed)


def digest(nonce: str, orders: Iterable[str]) -> str:
    """One faction's sealed orders (canonical texts by seq) under a nonce of 64 hex digits."""
    return sha256("\n".join((nonce, *orders)))


def state_hash(state: str, previous: str, digests: Iterable[str], rules_version: int) -> str:
    """``state`` in canonical text; ``previous`` is empty at tick 0; ``digests`` by seat, none at tick 0."""
    return sha256("\n".join((state, previous, *digests, str(rules_version))))


def export_checksums(export: Mapping[str, Any]) -> dict[str, Any]:
    """For the ``checksums`` of an export: what no replay can tell (names and times), so that a slip shows there too.

    ``match`` is over the match's head, ``ticks`` over each later tick's deadline and ran_at.
    """
    return {
        "match": sha256(text(export["match"])),
        "ticks": [
            sha256(text({name: entry[name] for name in ("deadline", "ran_at")}))
            for entry in export["ticks"][1:]
        ],
    }
