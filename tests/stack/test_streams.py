"""Streams that a client leaves, as every reload of a page does, soon make room for its next ones."""

from tests.stack.client import Seat, wait_for
from tests.stack.stacks import Running

RELOADS = 12
SOON = 10.0
"""Seconds; a stream that only hears of it by writing takes twice the pause between two comments, 30."""


def test_a_page_that_is_loaded_again_and_again_keeps_its_stream(running: Running) -> None:
    seat = running.player("restless").open_match(name="Reloaded", seats=3)

    def opened(seat: Seat) -> int:
        stream = seat.stream()
        stream.close()
        return stream.status

    for _ in range(RELOADS):
        assert wait_for(lambda: opened(seat), lambda status: status == 200, SOON) == 200
