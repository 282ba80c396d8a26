"""Payloads of the contract suite's second service."""

from shared.contracts.base import Payload, Request
from tests.stack.contracts.near import Said


class Echo(Request[Said]):
    """Refusals: malformed for "refuse"; fails for "break"; takes ``seconds``."""

    text: str
    seconds: float = 0.0


class Heard(Payload):
    """How often each number was handled, and by how many messages."""

    counts: dict[str, int]
    correlations: tuple[str, ...]


class GetHeard(Request[Heard]):
    pass
