"""Nothing that a service waits for keeps its other greenlets waiting too (reliability 1, 15)."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from shared.storage.engine import create_engine

ROOT = Path(__file__).parents[2]
SLEEPERS = 8
SLEEP = 0.5


@pytest.fixture(scope="module")
def figures(servers: Any, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    url = servers.addresses.admin_database_url
    done = subprocess.run(
        [sys.executable, "-m", "tests.stack.hub_process", url, str(tmp_path_factory.mktemp("hub"))],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_queries_wait_at_the_same_time(figures: dict[str, Any]) -> None:
    """In psycopg's C wait they would take the sum of their times."""
    assert SLEEP <= figures["sleeping"] < SLEEPERS * SLEEP / 2


def test_sqlite_writers_queue_without_stopping_the_hub(figures: dict[str, Any]) -> None:
    result = figures["sqlite"]
    assert result["rows"] == 10
    assert result["seconds"] >= 0.5
    assert result["beats"] >= 10


def test_offloaded_work_runs_two_at_a_time_beside_the_hub(figures: dict[str, Any]) -> None:
    result = figures["offloaded"]
    assert result["seconds"] >= 0.6
    assert result["beats"] >= 10


def test_a_read_only_server_counts_as_a_lost_connection(servers: Any) -> None:
    """After a failover, pooled connections to the demoted primary must not stay in the pool (reliability 17)."""
    engine = create_engine(servers.addresses.admin_database_url, "public")
    with engine.connect() as connection, pytest.raises(DBAPIError) as raised:
        connection.exec_driver_sql("SET TRANSACTION READ ONLY")
        connection.execute(sa.text("CREATE TABLE never (n integer)"))
    assert raised.value.connection_invalidated
    engine.dispose()
