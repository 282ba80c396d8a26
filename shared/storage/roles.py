"""PostgreSQL: a schema and a role for each service, which may touch nothing else."""

import sqlalchemy as sa
from sqlalchemy.engine import make_url

SETUP_LOCK = 0x6C77_726C


def prepare(admin: sa.Engine, schema: str, url: str) -> str:
    """Makes the role that ``url`` signs in as, and the service's schema, owned by it; the role.

    Harmless when both are there. ``admin`` may make roles and schemas.
    """
    address = make_url(url)
    role, password = address.username, address.password
    if not role:
        raise ValueError(f"the database URL of {schema} names no role")
    with admin.begin() as connection:
        connection.execute(sa.select(sa.func.pg_advisory_xact_lock(SETUP_LOCK)))
        current = connection.scalar(sa.text("SELECT current_user"))
        known = connection.scalar(sa.text("SELECT 1 FROM pg_roles WHERE rolname = :role"), {"role": role})
        if not known:
            _run(connection, "CREATE ROLE %I LOGIN PASSWORD %L", role, password)
        elif password and role != current:
            _run(connection, "ALTER ROLE %I LOGIN PASSWORD %L", role, password)
        if role != current:
            _run(connection, "GRANT %I TO %I", role, current)
        _run(connection, "CREATE SCHEMA IF NOT EXISTS %I AUTHORIZATION %I", schema, role)
        _run(connection, "ALTER SCHEMA %I OWNER TO %I", schema, role)
        _run(
            connection,
            "GRANT CONNECT ON DATABASE %I TO %I",
            connection.scalar(sa.func.current_database()),
            role,
        )
    return role


def _run(connection: sa.Connection, template: str, *values: object) -> None:
    """Names and passwords cannot be parameters of such statements, so the server quotes them."""
    places = ", ".join(f"CAST(:v{number} AS text)" for number in range(len(values)))
    parameters = {f"v{number}": value for number, value in enumerate(values)} | {"template": template}
    statement = connection.scalar(sa.text(f"SELECT format(:template, {places})"), parameters)
    connection.exec_driver_sql(str(statement).replace("%", "%%"))
