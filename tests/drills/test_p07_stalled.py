"""P7: a match whose tick raises stops alone, loudly, and goes on once the cause is gone."""

import os
import subprocess
import sys
from datetime import UTC, datetime

import msgspec
import sqlalchemy as sa

from services.resolution import store
from shared.contracts.resolution import MatchStalled, SurveyStalled
from shared.runtime.envelope import full_name
from shared.storage import outbox
from tests.drills import program
from tests.drills.promises import check_once, lateness, latest, sealed_ticks, wait_for_ticks
from tests.drills.yard import CALL_SECONDS, PATIENCE, Yard, until
from tests.servers import ROOT

HEALTHY = 19
CADENCE = 5
AT_MOST_LATE = 5.0
"""Seconds, beyond what this machine takes for twenty matches anyhow."""
ALERT = '"event": "match stalled"'


def test_a_broken_match_stops_alone_and_goes_on_when_mended(yard: Yard) -> None:
    broken, *healthy = [
        yard.open([f"p07-{number}-a", f"p07-{number}-b"], cadence=CADENCE) for number in range(1 + HEALTHY)
    ]
    began = datetime.now(UTC)
    wait_for_ticks(yard, [broken, *healthy], 2)
    usual = lateness(yard, healthy, began)
    logs = {name: yard.stack.log(name).stat().st_size for name in yard.names("resolution")}
    yard.break_match(broken)
    since = datetime.now(UTC)
    stopped_at = latest(yard, [broken])[broken]
    until("the broken match is stalled", lambda: broken in stalled(yard), 2 * PATIENCE)
    wait_for_ticks(yard, healthy, 2)
    assert lateness(yard, healthy, since) < usual + AT_MOST_LATE
    assert list(stalled(yard)) == [broken]
    assert stalled(yard)[broken] == 3
    assert alerts(yard, broken, logs) == 1
    assert told_stalled(yard, broken) == 1
    tick = latest(yard, [broken])[broken] + 1
    assert tick in (stopped_at + 1, stopped_at + 2)
    sealed = sealed_ticks(yard, [broken])[broken, tick]

    operate(yard, "retry", broken)
    until("it is stalled again", lambda: broken in stalled(yard))
    assert alerts(yard, broken, logs) == 2

    yard.mend_match(broken)
    operate(yard, "retry", broken)
    wait_for_ticks(yard, [broken], 0)
    until("it goes on", lambda: latest(yard, [broken])[broken] >= tick + 1)
    assert not stalled(yard)
    assert sealed_ticks(yard, [broken])[broken, tick] == sealed
    check_once(yard, [broken, *healthy])
    with yard.engine("resolution").connect() as connection:
        times = connection.scalar(
            sa.select(sa.func.count()).where(store.ticks.c.match == broken, store.ticks.c.tick == tick)
        )
    assert times == 1


def stalled(yard: Yard) -> dict[str, int]:
    """Attempts by match, as operators are told."""
    return {row.match: row.attempts for row in yard.call(SurveyStalled(), timeout=CALL_SECONDS).items}


def operate(yard: Yard, *words: str) -> None:
    """``lastwaters ops``, as an operator types it."""
    done = subprocess.run(
        [sys.executable, program.__file__, "ops", *words],
        cwd=ROOT,
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "LASTWATERS_AMQP_URL": yard.servers.addresses.amqp_url,
            program.DIRECTORY_VARIABLE: str(yard.hooks),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def alerts(yard: Yard, match: str, since: dict[str, int]) -> int:
    """How often a worker's log cries out over the match."""
    found = 0
    for name, size in since.items():
        with yard.stack.log(name).open("rb") as log:
            log.seek(size)
            lines = log.read().decode().splitlines()
        found += sum(ALERT in line and match in line for line in lines)
    return found


def told_stalled(yard: Yard, match: str) -> int:
    table = outbox.outbox
    with yard.engine("resolution").connect() as connection:
        rows = connection.execute(
            sa.select(table.c.envelope).where(table.c.event == full_name(MatchStalled))
        ).all()
    return sum(msgspec.json.decode(row.envelope)["match"] == match for row in rows)
