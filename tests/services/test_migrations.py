"""Each service's migrations make exactly the tables that its store declares, on both databases."""

import importlib
from pathlib import Path

import pytest
import sqlalchemy as sa

from shared.runtime.topology import NAMES
from shared.storage import migrations, roles
from shared.storage.engine import create_engine, file_url


def store_metadata(service: str) -> sa.MetaData:
    metadata: sa.MetaData = importlib.import_module(f"services.{service}.store").metadata
    return metadata


def check(engine: sa.Engine, service: str) -> None:
    assert migrations.upgrade(engine, service) == migrations.head(service)
    assert migrations.upgrade(engine, service) == migrations.head(service)
    with engine.connect() as connection:
        assert migrations.current(connection) == migrations.head(service)
        assert migrations.differences(connection, store_metadata(service)) == []
    engine.dispose()


@pytest.mark.parametrize("service", NAMES)
def test_on_sqlite(service: str, tmp_path: Path) -> None:
    check(create_engine(file_url(tmp_path / "tables.sqlite"), service), service)


def test_on_postgresql_each_service_owns_its_schema_and_sees_no_other(database: str) -> None:
    admin = create_engine(database, "public")
    base = sa.make_url(database)
    urls = {
        name: base.set(username=f"{name}_{base.database}", password="it's % secret").render_as_string(False)
        for name in NAMES
    }
    try:
        for name in NAMES:
            role = roles.prepare(admin, name, urls[name])
            assert roles.prepare(admin, name, urls[name]) == role
            owner = create_engine(database, name, pool_size=1)
            migrations.upgrade(owner, name, role)
            owner.dispose()
            check(create_engine(urls[name], name), name)
        own = create_engine(urls["fog"], "fog")
        with own.connect() as connection, pytest.raises(sa.exc.ProgrammingError, match="permission denied"):
            connection.exec_driver_sql("SELECT count(*) FROM resolution.outbox")
        own.dispose()
    finally:
        with admin.begin() as connection:
            for url in urls.values():
                role = str(sa.make_url(url).username)
                if connection.scalar(sa.text("SELECT 1 FROM pg_roles WHERE rolname = :role"), {"role": role}):
                    connection.exec_driver_sql(f'DROP OWNED BY "{role}"')
                    connection.exec_driver_sql(f'DROP ROLE "{role}"')
        admin.dispose()
