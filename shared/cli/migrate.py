"""``lastwaters migrate``: schemas, roles and tables of every service."""

import typer

from shared.cli.failures import CheckFailed


def register(app: typer.Typer) -> None:
    app.command()(migrate)


def migrate() -> None:
    """Bring the tables of every service to the newest revision; schemas and roles too, given an administrator's URL."""
    from shared.runtime.migrate import migrate as migrate_all
    from shared.runtime.servers import MissingServer
    from shared.runtime.settings import read_settings

    try:
        for service, revision in migrate_all(read_settings()):
            print(f"{service}: {revision}")
    except MissingServer as error:
        raise CheckFailed(str(error)) from error
