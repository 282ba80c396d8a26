"""Opaque names and secrets."""

import secrets
from typing import Protocol

SIZE = 12


class Ids(Protocol):
    """Opaque, unguessable and unique names and secrets, from the operating system's generator."""

    def new(self, prefix: str) -> str: ...

    def secret(self, size: int) -> bytes: ...


class SystemIds:
    def new(self, prefix: str) -> str:
        return f"{prefix}-{secrets.token_hex(SIZE)}"

    def secret(self, size: int) -> bytes:
        return secrets.token_bytes(size)
