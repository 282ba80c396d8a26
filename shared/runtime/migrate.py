"""Brings every service's tables to the newest revision."""

from collections.abc import Iterator

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from shared.runtime.servers import MissingServer
from shared.runtime.settings import PREFIX, Settings
from shared.runtime.topology import NAMES
from shared.storage import migrations, roles
from shared.storage.engine import create_engine, file_url


def migrate(settings: Settings) -> Iterator[tuple[str, str | None]]:
    """Each service and its revision, as it gets there. Raises ``MissingServer``.

    With an administrator's URL, roles and schemas are made first; without any URL the embedded stack's files are
    migrated.
    """
    urls = {name: settings.service_database_url(name) for name in NAMES}
    if settings.admin_database_url is None and not any(urls.values()):
        settings.embedded_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
        for name in NAMES:
            engine = create_engine(file_url(settings.embedded_dir / f"{name}.sqlite"), name)
            yield name, migrations.upgrade(engine, name)
            engine.dispose()
        return
    unset = [f"{PREFIX}{name.upper()}_DATABASE_URL" for name, url in urls.items() if url is None]
    if unset:
        raise MissingServer(f"not set: {', '.join(unset)} (or {PREFIX}DATABASE_URL for all)")
    for name, url in urls.items():
        assert url is not None
        try:
            yield name, _migrate(settings, name, url)
        except DBAPIError as error:
            words = str(error.orig).strip().splitlines() or [type(error).__name__]
            raise MissingServer(f"PostgreSQL ({name}): {words[0]}") from error


def _migrate(settings: Settings, name: str, url: str) -> str | None:
    if settings.admin_database_url is None:
        return _upgrade(create_engine(url, name, pool_size=1), name)
    admin = create_engine(settings.admin_database_url, name, pool_size=1)
    return _upgrade(admin, name, roles.prepare(admin, name, url))


def _upgrade(engine: sa.Engine, name: str, role: str | None = None) -> str | None:
    try:
        return migrations.upgrade(engine, name, role)
    finally:
        engine.dispose()
