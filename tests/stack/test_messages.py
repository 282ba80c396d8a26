"""Message limits hold to the message under concurrency, and a block cannot be told from a full inbox (G-02, G-03)."""

import itertools
import math
import random
import statistics
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from uuid import uuid4

import pytest

from tests.stack.client import PASSWORD, Answer, Json, Seat
from tests.stack.stacks import Running

SENDERS = 200
AN_HOUR = 20
TO_ONE = 10
INBOX = 60
TRIES = 200
SLOW = 3600
UNKNOWN = ("unavailable", "idempotency-in-progress")
SIGMAS = 4.5
"""So rare by chance (1 in 150,000) that it does not happen, and 200 tries show a third of a standard deviation."""
ITS_OWN = {"x-request-id", "date", "ratelimit"}
"""Headers that differ from each answer to the next, whatever the question."""


@dataclass(frozen=True)
class Table:
    """A running match: who sends, who gets, by name."""

    sender: Seat
    seats: dict[str, Seat]
    factions: dict[str, str]


def sit_down(running: Running, names: Sequence[str]) -> Table:
    """A match of one sender and people called ``names``, running and ready for messages."""
    client = running.player("sender")
    # The session again, with a connection for everyone who sends at once.
    client = running.visitor().sign_in(client.get("/v1/me")["handle"], PASSWORD, connections=SENDERS)
    sender = client.open_match(name="Letters", seats=len(names) + 1, cadence_seconds=SLOW)
    seats = {name: running.player(name).join(sender.match) for name in names}
    sender.wait_for_status("running")
    factions = {name: seat.faction for name, seat in seats.items()}
    return Table(sender, seats, factions)


def all_at_once(sender: Seat, recipients: Iterator[Sequence[str]]) -> list[Answer]:
    with ThreadPoolExecutor(SENDERS) as pool:
        sent = [
            pool.submit(certainly, sender, to, f"Letter {number}")
            for number, to in enumerate(itertools.islice(recipients, SENDERS))
        ]
        return [each.result() for each in sent]


def certainly(sender: Seat, to: Sequence[str], text: str) -> Answer:
    """The answer to one letter; asked again under its key while a busy machine leaves it open (503)."""
    key = uuid4().hex
    while (answer := sender.try_message(to, text, **{"Idempotency-Key": key})).code in UNKNOWN:
        time.sleep(1.0)
    return answer


def test_two_hundred_at_once_get_exactly_the_limit(running: Running) -> None:
    table = sit_down(running, ["one", "two", "three"])
    one, two, three = table.factions.values()
    to_one = all_at_once(table.sender, itertools.repeat([one]))
    assert Counter(answer.status for answer in to_one) == {201: TO_ONE, 429: SENDERS - TO_ONE}
    assert {(answer.code, answer.body["scope"]) for answer in to_one if not answer.accepted} == {
        ("message-limit", "player")
    }
    to_others = all_at_once(table.sender, itertools.cycle([[two], [three], [two, three]]))
    left = AN_HOUR - TO_ONE
    assert Counter(answer.status for answer in to_others) == {201: left, 429: SENDERS - left}
    assert {answer.code for answer in to_others if not answer.accepted} == {"message-limit"}
    for answer in (*to_one, *to_others):
        assert answer.accepted or int(answer.headers["Retry-After"]) > 0
    got = {name: letters(seat) for name, seat in table.seats.items()}
    accepted = [answer.body for answer in (*to_one, *to_others) if answer.accepted]
    for name, faction in table.factions.items():
        assert sorted(got[name]) == sorted(sent["id"] for sent in accepted if faction in sent["to"])
    allowance = table.sender.client.get(f"{table.sender.path}/conversations")["allowance"]
    assert allowance["hour_left"] == 0 and allowance["per_player"][one] == 0


def letters(seat: Seat) -> list[str]:
    return [letter["id"] for letter in seat.client.get(f"{seat.path}/messages?limit=200")["items"]]


@pytest.fixture
def closed_doors(running: Running) -> Table:
    """``blocking`` has blocked the sender, ``full`` has got all that an inbox takes, ``off`` has switched off."""
    writers = [f"writer{number}" for number in range(INBOX // TO_ONE)]
    table = sit_down(running, ["blocking", "full", "off", *writers])
    handle = table.sender.client.get("/v1/me")["handle"]
    table.seats["blocking"].client.put(f"/v1/me/blocks/{handle}")
    table.seats["off"].client.put(f"{table.sender.path}/messages/off", {"off": True})
    for writer in writers:
        for number in range(TO_ONE):
            table.seats[writer].send([table.factions["full"]], f"Letter {number}")
    return table


def test_a_block_a_full_inbox_and_a_switch_cannot_be_told_apart(closed_doors: Table, seed: int) -> None:
    chance = random.Random(seed)
    print(f"seed {seed}")
    doors = ["blocking", "full", "off"]
    tries = [door for door in doors for _ in range(TRIES)]
    chance.shuffle(tries)
    before = of_the_sender(closed_doors)
    answers: dict[str, list[Answer]] = {door: [] for door in doors}
    for number, door in enumerate(tries):
        to = [closed_doors.factions[door]]
        answers[door].append(closed_doors.sender.try_message(to, f"Is anybody there? {number:04}"))
    seen = {door: {appearance(answer) for answer in given} for door, given in answers.items()}
    assert len(seen["blocking"]) == 1
    assert seen["blocking"] == seen["full"] == seen["off"]
    ((status, body, _),) = seen["blocking"]
    assert status == 409 and '"undeliverable"' in body
    assert of_the_sender(closed_doors) == before
    times = {door: [answer.seconds for answer in given] for door, given in answers.items()}
    for one, other in itertools.combinations(doors, 2):
        sigmas = rank_sum(times[one], times[other])
        medians = [1000 * statistics.median(times[door]) for door in (one, other)]
        print(f"{one} {medians[0]:.2f} ms, {other} {medians[1]:.2f} ms: {sigmas:+.2f} standard deviations")
        assert abs(sigmas) < SIGMAS


def appearance(answer: Answer) -> tuple[int, str, tuple[tuple[str, str], ...]]:
    """All that an answer shows, headers in their order."""
    headers = tuple((name, value) for name, value in answer.headers.items() if name.lower() not in ITS_OWN)
    return answer.status, answer.text, headers


def of_the_sender(table: Table) -> tuple[Json, list[str]]:
    """What the sender reads of messages afterwards."""
    conversations: Json = table.sender.client.get(f"{table.sender.path}/conversations")
    return conversations, letters(table.sender)


def rank_sum(one: Sequence[float], other: Sequence[float]) -> float:
    """Mann and Whitney's U in standard deviations from what chance gives: above 0, ``one`` tends to be larger."""
    ranked = sorted([(value, 0) for value in one] + [(value, 1) for value in other])
    ranks = sum(rank for rank, (_, group) in enumerate(ranked, 1) if group == 0)
    u = ranks - len(one) * (len(one) + 1) / 2
    mean = len(one) * len(other) / 2
    deviation = math.sqrt(len(one) * len(other) * (len(one) + len(other) + 1) / 12)
    return (u - mean) / deviation


def test_the_rank_test_tells_what_can_be_told() -> None:
    chance = random.Random(1)
    one = [chance.gauss(10, 1) for _ in range(TRIES)]
    assert abs(rank_sum(one, [chance.gauss(10, 1) for _ in range(TRIES)])) < SIGMAS
    assert rank_sum(one, [chance.gauss(9, 1) for _ in range(TRIES)]) > SIGMAS
