"""Many calls at once, for tests of what concurrent callers must not break."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from shared.contracts.base import Refusal


def race(calls: Sequence[Callable[[], str]], width: int = 24) -> list[str]:
    """Starts ``width`` of them at the same moment, the rest as places get free.

    Each outcome in the order of ``calls``: what it gave, or the code of its refusal. Any other error is raised.
    """
    gate = threading.Barrier(min(width, len(calls)))
    first = threading.local()

    def run(call: Callable[[], str]) -> str:
        if not hasattr(first, "past"):
            first.past = True
            gate.wait()
        try:
            return call()
        except Refusal as refusal:
            return refusal.code

    with ThreadPoolExecutor(max_workers=min(width, len(calls))) as pool:
        return list(pool.map(run, calls))
