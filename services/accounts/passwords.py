"""Passwords: their form, and argon2id hashes of them, worked out where they block nobody."""

import unicodedata

from argon2 import PasswordHasher
from argon2.exceptions import VerifyMismatchError
from argon2.low_level import Type

from shared.contracts.base import Refusal
from shared.runtime.service import Ports
from shared.storage.text import storable

SHORTEST, LONGEST = 10, 256
NEW_PASSWORD_BYTES = 12


def check_form(password: str) -> None:
    if not SHORTEST <= len(password) <= LONGEST:
        raise Refusal("malformed", f"A password has {SHORTEST} to {LONGEST} characters.")
    if not storable(password):
        raise Refusal("malformed", "A password holds neither NUL nor lone surrogates.")


def same_form(password: str) -> str:
    """The same keys give different code points on different machines."""
    return unicodedata.normalize("NFC", password)


class Passwords:
    """Hashes and checks passwords at the settings' cost.

    ``verify`` takes as long for an account that is not there as for one that is.
    """

    def __init__(self, ports: Ports) -> None:
        self._offload = ports.offload
        self._secret = ports.ids.secret
        self._hasher = PasswordHasher(
            time_cost=ports.settings.password_rounds,
            memory_cost=ports.settings.password_memory_kib,
            parallelism=1,
            type=Type.ID,
        )
        self._nobody = self._hasher.hash(self._secret(32).hex())

    def hash(self, password: str) -> str:
        return self._offload(self._hasher.hash, same_form(password))

    def verify(self, hashed: str | None, password: str) -> bool:
        """``hashed`` null: False, after as much work."""
        if not storable(password):
            password = ""
        right = self._offload(self._matches, hashed or self._nobody, same_form(password[: LONGEST + 1]))
        return right and hashed is not None

    def outdated(self, hashed: str) -> bool:
        """Whether the settings now ask for another cost."""
        return self._hasher.check_needs_rehash(hashed)

    def draw(self) -> str:
        """A new random password that can be read out."""
        return self._secret(NEW_PASSWORD_BYTES).hex()

    def _matches(self, hashed: str, password: str) -> bool:
        try:
            return self._hasher.verify(hashed, password)
        except VerifyMismatchError:
            return False
