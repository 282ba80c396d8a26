"""Alembic without ceremony: one tree per service, run by ``lastwaters migrate`` and at the embedded start.

A service's tree is ``services/<name>/migrations/versions/`` (with an ``__init__.py`` in neither folder needed).
Its first file, ``0001_tables.py``, is written by hand and looks like this::

    \"\"\"The first tables.\"\"\"

    import sqlalchemy as sa
    from alembic import op

    from shared.storage import event_tables
    from shared.storage.types import UTCDateTime

    revision = "0001"
    down_revision = None
    branch_labels = None
    depends_on = None


    def upgrade() -> None:
        op.create_table(
            "match",
            sa.Column("id", sa.Text, primary_key=True),
            sa.Column("started_at", UTCDateTime, nullable=False),
            sa.UniqueConstraint("name", name="match_name_key"),
        )
        op.create_index("match_started", "match", ["started_at"])
        event_tables.create(op)


    def downgrade() -> None:
        event_tables.drop(op)
        op.drop_table("match")

No schema name: the search path is the service's own schema. Name every constraint and index as ``store.py`` does;
``tests/services/test_migrations.py`` compares the outcome with ``store.metadata``. Later files are ``0002_...``
with ``down_revision = "0001"``; each must work with the version of the service that still runs.
"""

from pathlib import Path
from typing import Any

import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.runtime.environment import EnvironmentContext
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory

LOCK_TIMEOUT_MS = 4_000
STATEMENT_TIMEOUT_MS = 5_000
RUN_LOCK = 0x6C77_6D69
SERVICES = Path(__file__).resolve().parents[2] / "services"


def tree(service: str) -> Path:
    return SERVICES / service / "migrations"


def upgrade(engine: sa.Engine, service: str, role: str | None = None) -> str | None:
    """Brings the service's tables to the newest revision, all of it or nothing; the revision.

    Two runs at once wait for each other. On PostgreSQL ``role`` is who shall own the tables.
    """
    script = _script(service)
    with engine.connect() as connection, connection.begin():
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql(f"SET LOCAL lock_timeout = {LOCK_TIMEOUT_MS}")
            connection.exec_driver_sql(f"SET LOCAL statement_timeout = {STATEMENT_TIMEOUT_MS}")
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(RUN_LOCK, sa.func.hashtext(service))))
            if role is not None:
                connection.execute(sa.select(sa.func.set_config("role", role, True)))
        _run(connection, script)
        return script.get_current_head()


def current(connection: sa.Connection) -> str | None:
    """The revision the database is at."""
    return MigrationContext.configure(connection).get_current_revision()


def head(service: str) -> str | None:
    """The newest revision in the code."""
    return _script(service).get_current_head()


def older_than_head(service: str) -> frozenset[str]:
    """Revisions before the newest."""
    script = _script(service)
    newest = script.get_current_head()
    return frozenset(each.revision for each in script.walk_revisions() if each.revision != newest)


def differences(connection: sa.Connection, metadata: sa.MetaData) -> list[Any]:
    """What the database's tables have or lack against ``metadata``; types too."""
    context = MigrationContext.configure(connection, opts={"compare_type": True})
    return list(compare_metadata(context, metadata))


def _script(service: str) -> ScriptDirectory:
    return ScriptDirectory(str(tree(service)), version_locations=[str(tree(service) / "versions")])


def _run(connection: sa.Connection, script: ScriptDirectory) -> None:
    def steps(revision: Any, _context: MigrationContext) -> Any:
        return script._upgrade_revs("head", revision)

    with EnvironmentContext(Config(), script, fn=steps) as environment:
        environment.configure(connection=connection)
        environment.run_migrations()
