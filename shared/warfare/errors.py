"""What the engine says to input that it cannot take. The state is never changed by it."""

from msgspec import Struct


class BadInput(ValueError):
    """Input of the wrong form: ``where`` is a path such as ``armies[2].class``."""

    def __init__(self, where: str, what: str) -> None:
        super().__init__(f"{where}: {what}" if where else what)
        self.where = where
        self.what = what


class Refusal(Struct, frozen=True, kw_only=True):
    """Why an answer, an order or an army is not legal.

    ``rule`` is the WF id that forbids it, ``army`` the army in question (empty when it is about none),
    ``legal`` says what would be legal instead.
    """

    rule: str
    what: str
    army: str = ""
    legal: str = ""

    @property
    def message(self) -> str:
        named = f"{self.army}: " if self.army else ""
        instead = f"; legal: {self.legal}" if self.legal else ""
        return f"{named}{self.what} ({self.rule}){instead}"


class Illegal(ValueError):
    """A ``Refusal`` where there is nothing to go on with, as with an army that cannot be."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.message)
        self.refusal = refusal


def illegal(rule: str, what: str, *, army: str = "", legal: str = "") -> Illegal:
    return Illegal(Refusal(rule=rule, what=what, army=army, legal=legal))
