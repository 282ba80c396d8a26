"""Each private server starts, stops, dies and comes back with its data, and leaves nothing behind."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import amqp
import psycopg
import pytest
from redis import Redis as RedisClient

from deploy import postgresql, rabbitmq, redis
from deploy import servers as private_servers
from deploy.postgresql import PostgreSQL
from deploy.private import PrivateServer, ServerError
from deploy.rabbitmq import RabbitMQ
from deploy.redis import Redis
from tests.servers import Servers, guarded_directory
from tests.stack.client import wait_for

KINDS = [PostgreSQL, RabbitMQ, Redis]
REACH = {PostgreSQL: postgresql.reach, RabbitMQ: rabbitmq.reach, Redis: redis.reach}


@pytest.fixture(scope="module")
def home() -> Iterator[Path]:
    with guarded_directory() as directory:
        yield directory


@pytest.fixture(params=KINDS, ids=lambda kind: kind.name)
def server(request: pytest.FixtureRequest, home: Path) -> PrivateServer:
    kind: type[PrivateServer] = request.param
    return kind.start(home / "servers" / kind.name, fast=True)


def processes_of(directory: Path) -> list[int]:
    """Every living process that has the directory in its arguments or environment, seen from /proc alone."""
    found = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            zombie = state_of(int(entry.name)) == "Z"
            text = (entry / "cmdline").read_bytes() + (entry / "environ").read_bytes()
        except (FileNotFoundError, ProcessLookupError, PermissionError):
            continue
        if not zombie and str(directory).encode() in text:
            found.append(int(entry.name))
    return found


def state_of(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def test_start_takes_over_a_running_server(server: PrivateServer) -> None:
    again = type(server).start(server.directory)
    assert (again.pid, again.url) == (server.pid, server.url)


def test_paused_server_stands_still_until_resumed(server: PrivateServer) -> None:
    server.pause()
    members = server.process.members()
    deadline = time.monotonic() + 10
    while {state_of(member.pid) for member in members} != {"T"} and time.monotonic() < deadline:
        time.sleep(0.01)
    assert {state_of(member.pid) for member in members} == {"T"}
    server.resume()
    REACH[type(server)](server.url)


def test_servers_refuse_a_wrong_password(home: Path) -> None:
    for kind, error in [(PostgreSQL, psycopg.OperationalError), (RabbitMQ, amqp.AccessRefused)]:
        server = kind.start(home / "servers" / kind.name, fast=True)
        with pytest.raises(error):
            REACH[kind](server.url.replace(server.password, "wrong"))
    client = RedisClient(port=Redis.start(home / "servers" / "redis").port)
    with pytest.raises(Exception, match="already authenticated"):
        client.ping()
    client.close()


def test_owner_role_is_no_superuser(home: Path) -> None:
    server = PostgreSQL.start(home / "servers" / "postgresql", fast=True)
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute("CREATE SCHEMA mine")
        connection.execute("DROP SCHEMA mine")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            connection.execute("CREATE ROLE other LOGIN")


def test_commits_survive_sigkill_of_postgresql(home: Path) -> None:
    server = PostgreSQL.start(home / "servers" / "postgresql", fast=True)
    with psycopg.connect(server.url, autocommit=True) as connection:
        connection.execute("CREATE TABLE kept (n int)")
        connection.execute("INSERT INTO kept VALUES (7)")
        server.kill()
    server.restart()
    with psycopg.connect(server.url) as connection:
        assert connection.execute("SELECT n FROM kept").fetchall() == [(7,)]
        connection.execute("DROP TABLE kept")


def is_written(home: Path, queue: bytes) -> bool:
    """In the broker's tables, whose logs are these."""
    logs = [path for kind in ("*.LOG", "*.DCL", "*.DCD") for path in home.rglob(kind)]
    return any(queue in path.read_bytes() for path in logs if path.exists())


def test_durable_message_survives_sigkill_of_rabbitmq(home: Path) -> None:
    server = RabbitMQ.start(home / "servers" / "rabbitmq")

    def connect() -> amqp.Connection:
        return amqp.Connection(f"127.0.0.1:{server.port}", userid="lastwaters", password=server.password)

    with connect() as connection:
        channel = connection.channel()
        channel.confirm_select()
        channel.queue_declare("kept", durable=True, auto_delete=False)
        channel.basic_publish_confirm(amqp.Message("tick", delivery_mode=2), routing_key="kept")
    # A message is confirmed once it is on disk, but a queue is declared a moment before it is.
    wait_for(lambda: is_written(home, b"kept"), bool)
    server.kill()
    server.restart()
    with connect() as connection:
        assert connection.channel().basic_get("kept", no_ack=True).body == "tick"


def test_killed_server_returns_on_its_port(server: PrivateServer) -> None:
    url = server.url
    server.kill()
    assert not server.alive
    server.restart()
    assert server.alive
    assert server.url == url


def test_port_taken_is_one_clear_line(tmp_path: Path, home: Path) -> None:
    taken = Redis.start(home / "servers" / "redis").port
    with pytest.raises(ServerError, match=f"^Redis cannot start: port {taken} on 127.0.0.1 is taken$"):
        Redis.start(tmp_path / "redis", port=taken)


def test_paused_server_can_be_stopped(server: PrivateServer) -> None:
    server.pause()
    server.stop()
    assert processes_of(server.directory) == []


def test_stop_leaves_no_process_and_may_be_repeated(server: PrivateServer) -> None:
    members = server.process.members()
    assert members
    server.stop()
    assert not any(member.alive for member in members)
    assert processes_of(server.directory) == []
    server.stop()
    server.kill()


def test_server_that_cannot_start_says_why(tmp_path: Path) -> None:
    server = Redis.start(tmp_path / "redis")
    server.stop()
    (tmp_path / "redis" / "redis.conf").write_text("no-such-setting 1\n")
    with pytest.raises(
        ServerError, match=r"(?s)Redis on 127.0.0.1:.* ended while starting; end of .*no-such-setting"
    ):
        server.restart()
    assert processes_of(tmp_path) == []


def test_given_server_out_of_reach_is_named_with_its_variable(tmp_path: Path) -> None:
    environ = {"LASTWATERS_REDIS_URL": "redis://127.0.0.1:9/0", "LASTWATERS_AMQP_URL": "amqp://127.0.0.1:9"}
    with pytest.raises(ServerError) as raised:
        private_servers.start(tmp_path, environ)
    lines = str(raised.value).splitlines()
    assert [line.split(":")[0] for line in lines] == [
        "RabbitMQ not reachable at 127.0.0.1",
        "Redis not reachable at 127.0.0.1",
    ]
    assert "(LASTWATERS_AMQP_URL)" in lines[0]
    assert not (tmp_path / "servers").exists()


def test_only_servers_the_environment_does_not_name_are_started(servers: Servers, home: Path) -> None:
    given = servers.addresses
    environ = given.environment() | {"LASTWATERS_REDIS_URL": ""}
    run_dir = home / "partly"
    addresses = private_servers.start(run_dir, environ)
    try:
        assert (addresses.amqp_url, addresses.database_url) == (given.amqp_url, given.database_url)
        assert addresses.redis_url != given.redis_url
        assert [server.name for server in private_servers.running(run_dir)] == ["redis"]
        assert (run_dir / "servers.json").stat().st_mode & 0o777 == 0o600
    finally:
        assert private_servers.stop(run_dir) == ["Redis"]
    assert private_servers.stop(run_dir) == []
    assert servers.redis.alive  # a second set, never touched


def test_one_failing_server_stops_the_others(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run_dir = home / "failing"
    monkeypatch.setattr("deploy.redis.binary", lambda: Path("/bin/false"))
    with pytest.raises(ServerError, match=r"Redis on .* ended while starting"):
        private_servers.start(run_dir, {}, fast=True)
    assert processes_of(run_dir) == []


def test_killed_session_leaves_no_server(tmp_path: Path) -> None:
    script = (
        "import sys, time\n"
        "from tests.servers import guarded_directory\n"
        "from deploy.redis import Redis\n"
        "with guarded_directory() as directory:\n"
        "    Redis.start(directory / 'servers' / 'redis')\n"
        "    print(directory, flush=True)\n"
        "    time.sleep(600)\n"
    )
    session = subprocess.Popen(
        [sys.executable, "-c", script],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": "."},
    )
    assert session.stdout is not None
    directory = Path(session.stdout.readline().strip())
    assert processes_of(directory)
    session.send_signal(signal.SIGKILL)
    session.wait()
    session.stdout.close()
    deadline = time.monotonic() + 60
    while (directory.exists() or processes_of(directory)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not directory.exists()
    assert processes_of(directory) == []


def test_postgresql_finds_a_place_when_its_user_cannot_reach_the_directory(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    server = PostgreSQL.start(home / "postgresql", fast=True)
    request.addfinalizer(server.destroy)
    with psycopg.connect(server.admin_url, autocommit=True) as connection:
        connection.execute("CREATE TABLE kept (n int)")
        data = Path(connection.execute("SHOW data_directory").fetchall()[0][0])
    assert (data.parent == server.directory) == (os.geteuid() != 0)  # only root changes to another user
    server.stop()
    again = PostgreSQL.start(home / "postgresql")
    with psycopg.connect(again.admin_url) as connection:
        assert connection.execute("SELECT count(*) FROM kept").fetchall() == [(0,)]
    again.destroy()
    assert not data.parent.exists()


def test_lost_data_is_said_and_not_replaced(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    server = PostgreSQL.start(tmp_path / "postgresql", fast=True)
    request.addfinalizer(server.destroy)
    server.stop()
    with hidden_data(server) as data, pytest.raises(ServerError, match=r"the data of .* is gone from"):
        server.restart()
    server.restart()
    server.destroy()
    assert not data.exists()


@contextmanager
def hidden_data(server: PostgreSQL) -> Iterator[Path]:
    """Hide the data directory for a while."""
    data = Path(json.loads((server.directory / "settings.json").read_text())["data"])
    hidden = data.with_name("hidden")
    data.rename(hidden)
    try:
        yield data
    finally:
        hidden.rename(data)
