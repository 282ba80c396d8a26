"""A private PostgreSQL."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar
from urllib.parse import quote

import psycopg
from psycopg import sql

from deploy.ports import LOOPBACK
from deploy.private import PrivateServer, ServerError

DEBIAN_BINARIES = Path("/usr/lib/postgresql")
SUPERUSER = "postgres"
OWNER = "lastwaters"
DATABASE = "lastwaters"

# PostgreSQL refuses to run as root; then it runs as the first of these that exists.
UNPRIVILEGED_USERS = ("postgres", "nobody")

# With `fast` nothing is forced to the disk. What a committed transaction wrote has still been handed to the
# operating system, so killing PostgreSQL loses nothing; only a crash of the machine would, and a test's
# data does not outlive it anyway. synchronous_commit stays on: without it a killed server forgets commits.
FAST_SETTINGS = {"fsync": "off", "full_page_writes": "off"}

SETTINGS = {
    "listen_addresses": LOOPBACK,
    "unix_socket_directories": "",  # socket paths are limited to 107 bytes, and nobody needs one here
    "max_connections": "300",
    "log_line_prefix": "%m [%p] %u@%d ",
    "timezone": "UTC",
    "log_timezone": "UTC",
}


def binaries() -> Path | None:
    """The directory with `postgres` and `initdb`, the newest version where Debian has several."""
    versions = [path.parent for path in DEBIAN_BINARIES.glob("*/bin/postgres")]
    if versions:
        return max(versions, key=lambda path: int(path.parent.name))
    found = shutil.which("postgres")
    return Path(found).resolve().parent if found else None


def reach(url: str) -> None:
    """Connect and run a query; raises what the client library raises."""
    # SQLAlchemy names its driver in the scheme, which psycopg does not know.
    with psycopg.connect(
        url.replace("postgresql+psycopg://", "postgresql://"), connect_timeout=5
    ) as connection:
        connection.execute("SELECT 1")


class PostgreSQL(PrivateServer):
    """One cluster with the database `lastwaters`, owned by the role `lastwaters`."""

    name: ClassVar[str] = "postgresql"
    title: ClassVar[str] = "PostgreSQL"
    # Fast shutdown: open transactions are rolled back, clients are not waited for.
    stop_signal: ClassVar[signal.Signals] = signal.SIGINT

    @property
    def url(self) -> str:
        """The database as its owner, who is no superuser and may make schemas but no roles."""
        return self.url_for(OWNER, self.password)

    @property
    def admin_url(self) -> str:
        """The same database as superuser."""
        return self.url_for(SUPERUSER, self.password)

    def url_for(self, role: str, password: str, database: str = DATABASE) -> str:
        """The address for another role or database of this server."""
        return f"postgresql://{quote(role)}:{quote(password)}@{LOOPBACK}:{self.port}/{quote(database)}"

    def create_database(self, name: str) -> str:
        """Make an empty database owned by `lastwaters` and return its superuser address."""
        with psycopg.connect(self.admin_url, autocommit=True) as connection:
            connection.execute(
                sql.SQL("CREATE DATABASE {} OWNER {}").format(sql.Identifier(name), sql.Identifier(OWNER))
            )
        return self.url_for(SUPERUSER, self.password, name)

    def drop_database(self, name: str) -> None:
        """Remove a database together with the connections to it."""
        with psycopg.connect(self.admin_url, autocommit=True) as connection:
            connection.execute(
                sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name))
            )

    def destroy(self) -> None:
        super().destroy()
        if "data" in self._settings:
            shutil.rmtree(self._data.parent, ignore_errors=True)

    @property
    def _data(self) -> Path:
        return Path(self._settings["data"])

    def _create(self, fast: bool) -> None:
        user = self._user()
        home = _home_for(user, self.directory)
        data = home / "data"
        shutil.rmtree(data, ignore_errors=True)  # left by a start that did not get as far as its settings
        data.mkdir(mode=0o700)
        if user is not None:
            shutil.chown(data, user, user)
        self._settings["data"] = str(data)
        self._run_initdb(data, fast)

    def _run_initdb(self, data: Path, fast: bool) -> None:
        user = self._user()
        with tempfile.NamedTemporaryFile("w", prefix="lastwaters-") as password_file:
            password_file.write(self.password)
            password_file.flush()
            if user is not None:
                shutil.chown(password_file.name, user)
            result = subprocess.run(
                [
                    *(self._binary("initdb"), "--pgdata", data, "--username", SUPERUSER),
                    *("--auth", "scram-sha-256", "--pwfile", password_file.name),
                    *("--encoding", "UTF8", "--no-locale", "--no-instructions"),
                    *(["--no-sync"] if fast else []),
                ],
                capture_output=True,
                text=True,
                check=False,
                cwd=data,
                env=self._environment(),
                user=user,
                group=user,
                extra_groups=None if user is None else [],
            )
        if result.returncode != 0:
            raise ServerError(f"{self.title}: initdb in {data} failed: {result.stderr.strip()}")

    def _command(self) -> Sequence[str | Path]:
        if not (self._data / "PG_VERSION").exists():
            raise ServerError(f"{self.title}: the data of {self.directory} is gone from {self._data}")
        settings = SETTINGS | (FAST_SETTINGS if self._settings["fast"] else {}) | {"port": str(self.port)}
        options = [part for key, value in settings.items() for part in ("-c", f"{key}={value}")]
        return [self._binary("postgres"), "-D", self._data, *options]

    def _probe(self) -> None:
        address = self.url_for(SUPERUSER, self.password, "postgres")
        with psycopg.connect(address, autocommit=True, connect_timeout=5) as connection:
            if connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [OWNER]).fetchone() is None:
                connection.execute(
                    sql.SQL("CREATE ROLE {} LOGIN PASSWORD {}").format(
                        sql.Identifier(OWNER), sql.Literal(self.password)
                    )
                )
            if (
                connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone()
                is None
            ):
                connection.execute(
                    sql.SQL("CREATE DATABASE {} OWNER {}").format(
                        sql.Identifier(DATABASE), sql.Identifier(OWNER)
                    )
                )

    def _working_directory(self) -> Path:
        return self._data

    def _user(self) -> str | None:
        if os.geteuid() != 0:
            return None
        names = {entry.pw_name for entry in pwd.getpwall()}
        for name in UNPRIVILEGED_USERS:
            if name in names:
                return name
        raise ServerError(
            f"{self.title} does not run as root, and no user {' or '.join(UNPRIVILEGED_USERS)} exists"
        )

    def _binary(self, program: str) -> Path:
        directory = binaries()
        if directory is None:
            raise ServerError(
                f"{self.title} is not installed: no `postgres` below {DEBIAN_BINARIES} or on PATH"
            )
        return directory / program


def _home_for(user: str | None, directory: Path) -> Path:
    """The directory itself, or one of our own elsewhere when the user cannot get there."""
    if user is None:
        return directory
    reach = subprocess.run(
        ["test", "-x", directory], check=False, user=user, group=user, extra_groups=[], cwd="/"
    )
    if reach.returncode == 0:
        return directory
    # /var/tmp is not emptied when the machine starts, and the data is meant to last.
    lasting = Path("/var/tmp")
    parent = lasting if lasting.is_dir() else Path(tempfile.gettempdir())
    home = Path(tempfile.mkdtemp(prefix="lastwaters-postgresql-", dir=parent))
    home.chmod(0o711)
    return home
