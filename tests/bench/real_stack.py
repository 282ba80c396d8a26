"""The real stack for benchmarks: private servers, one process a service, and matches opened through its calls."""

import os
import random
import secrets
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache

import msgspec
import sqlalchemy as sa

from deploy.plan import database_variable
from deploy.ports import free_port
from deploy.postgresql import PostgreSQL, binaries
from deploy.stack import Stack
from services.clock.store import WAITING, calendar
from shared.contracts.base import Refusal
from shared.contracts.lobby import CreateMatch, JoinMatch
from shared.contracts.orders import ReplaceOrders
from shared.lastwaters.filing import briefing
from shared.lastwaters.mapgen import generate
from shared.lastwaters.options import options
from shared.lastwaters.ruleset import RULESET
from shared.rulesets import NewMatch, SeatTaken
from shared.runtime.rpc_client import RpcClient
from shared.runtime.service import Unavailable
from shared.storage.engine import create_engine
from tests.rules.playout import sensible
from tests.servers import guarded_directory

SEED = "b0a7"
CADENCE = timedelta(hours=24)
"""So that no other tick comes due in a benchmark."""
AT_ONCE = 8
PATIENCE_SECONDS = 30.0


@dataclass(frozen=True)
class RealStack:
    """A running stack; ``call`` speaks to its services as the gateway does."""

    stack: Stack
    call: RpcClient

    def engine(self, service: str) -> sa.Engine:
        """The tables of one service, under its own role."""
        programs = {program.service: program for program in self.stack.programs}
        return create_engine(programs[service].settings[database_variable(service)], service)

    @property
    def postgresql(self) -> PostgreSQL:
        return PostgreSQL(self.stack.run_dir / "servers" / "postgresql")

    @property
    def url(self) -> str:
        """The gateway's address."""
        assert self.stack.plan is not None and self.stack.plan.gateway is not None
        return self.stack.plan.gateway.url


@contextmanager
def real_stack(**settings: str) -> Iterator[RealStack]:
    """One process a service, with ``LASTWATERS_`` ``settings`` beside those of benchmarks; gone at the end."""
    environ = {name: value for name, value in os.environ.items() if not name.startswith("LASTWATERS_")}
    given = {
        "port": str(free_port()),
        "ops_port": str(free_port()),
        "trial_seeds": "1",
        "log_level": "warning",
        **settings,
    }
    environ |= {f"LASTWATERS_{name.upper()}": value for name, value in given.items()}
    with guarded_directory() as directory:
        stack = Stack(directory, say=lambda line: print(f"bench: {line}", file=sys.stderr))
        try:
            stack.start({}, environ)
            (amqp_url,) = {program.settings["LASTWATERS_AMQP_URL"] for program in stack.programs}
            call = RpcClient(amqp_url, size=AT_ONCE)
            try:
                yield RealStack(stack, call)
            finally:
                call.close()
        finally:
            stack.stop()


def open_matches(real: RealStack, count: int, seats: int, orders: bool) -> list[str]:
    """Started matches, each of ``seats`` people. ``orders``: every seat has filed what the first tick allows, up to
    eight."""
    with ThreadPoolExecutor(AT_ONCE) as openers:
        opened = list(openers.map(lambda _: open_match(real.call, seats, orders), range(count)))
    wait_for_deadlines(real, opened)
    return opened


def open_match(call: RpcClient, seats: int, orders: bool) -> str:
    people = [secrets.token_hex(6) for _ in range(seats)]
    opened = call(
        CreateMatch(
            account=people[0],
            handle=people[0],
            name=f"Bench {people[0]}",
            seats=seats,
            cadence_seconds=int(CADENCE.total_seconds()),
            ruleset=RULESET.id,
            visibility="public",
            settings=msgspec.Raw(b"{}"),
            seed=SEED,
        )
    )
    for person in people[1:]:
        call(JoinMatch(account=person, handle=person, match=opened.id))
    if orders:
        for person, bodies in zip(people, first_orders(seats), strict=True):
            filed = ReplaceOrders(
                account=person, match=opened.id, tick=1, orders=tuple(map(msgspec.Raw, bodies)), if_match="*"
            )
            once_it_is_there(lambda filed=filed: call(filed))
    return opened.id


def once_it_is_there(ask: Callable[[], object]) -> None:
    """The match's start is on its way to the service asked."""
    until = time.monotonic() + PATIENCE_SECONDS
    while True:
        try:
            ask()
            return
        except (Refusal, Unavailable) as error:
            passes = isinstance(error, Unavailable) or error.code in {
                "not-found",
                "not-started",
                "tick-closed",
            }
            if not passes or time.monotonic() > until:
                raise
        time.sleep(0.05)


def wait_for_deadlines(real: RealStack, opened: Sequence[str]) -> None:
    """Until the clock knows when the first tick of each match is due."""
    known = (
        sa.select(sa.func.count())
        .select_from(calendar)
        .where(calendar.c.match.in_(opened), calendar.c.state == WAITING)
    )
    engine = real.engine("clock")
    until = time.monotonic() + PATIENCE_SECONDS
    with engine.connect() as connection:
        while connection.scalar(known) < len(opened):
            if time.monotonic() > until:
                raise RuntimeError("not every match that started has a deadline")
            time.sleep(0.1)
            connection.rollback()
    engine.dispose()


def set_deadlines(real: RealStack, deadlines: Mapping[str, datetime]) -> None:
    """Straight in the clock's own table, since its calls only ever move deadlines later."""
    engine = real.engine("clock")
    change = (
        sa.update(calendar)
        .where(calendar.c.match == sa.bindparam("the_match"), calendar.c.state == WAITING)
        .values(deadline=sa.bindparam("the_deadline"), next_at=sa.bindparam("the_deadline"))
    )
    with engine.begin() as connection:
        connection.execute(
            change, [{"the_match": match, "the_deadline": at} for match, at in deadlines.items()]
        )
    engine.dispose()


@cache
def first_orders(seats: int) -> list[list[bytes]]:
    """For each seat what passes the filing checks at the opening of a match from our seed: at most eight."""
    chance = random.Random(SEED)
    names = [f"f{seat}" for seat in range(1, seats + 1)]
    taken = tuple(SeatTaken(faction=name, seat=seat, name=name) for seat, name in enumerate(names, 1))
    state = RULESET.new_match(
        NewMatch(match_id="bench", seed=SEED, seats=taken, settings=RULESET.settings(b"{}"))
    )
    snapshot = generate(SEED, seats, 8, 50, "bench", names)
    found = []
    for name in names:
        brief, filed, bodies = RULESET.briefing(state, name), [], []
        for body in sensible(chance, options(briefing(snapshot, name))):
            given = msgspec.json.encode(body)
            order = RULESET.order(given, id=f"o{len(filed)}", seq=len(filed) + 1, faction=name)
            if len(filed) < 8 and isinstance(order, bytes) and RULESET.check(brief, filed, order) is None:
                filed.append(order)
                bodies.append(given)
        found.append(bodies)
    return found


def transactions_per_second(postgresql: PostgreSQL, seconds: int = 10) -> float:
    """Plain ``pgbench -N``, with its one client, on the stack's own server."""
    home = binaries()
    assert home is not None
    name = f"pgbench_{secrets.token_hex(4)}"
    url = postgresql.create_database(name)
    try:
        for arguments in (["-i", "-s", "10", "-q"], ["-N", "-T", str(seconds)]):
            done = subprocess.run(
                [home / "pgbench", *arguments, url], check=True, capture_output=True, text=True
            )
    finally:
        postgresql.drop_database(name)
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("tps = ")]
    return float(line.split()[2])
