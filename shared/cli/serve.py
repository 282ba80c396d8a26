"""``lastwaters serve``: one or more services, or the gateway, in this process."""

import typer

from shared.cli.failures import CheckFailed


def register(app: typer.Typer) -> None:
    app.command()(serve)


def serve(services: list[str]) -> None:
    """Run services (accounts, lobby, ... or gateway) until a signal says to leave."""
    if "gateway" in services and services != ["gateway"]:
        raise ValueError("the gateway runs on threads and shares a process with no service")

    from shared.runtime.health import PortTaken
    from shared.runtime.servers import MissingServer

    try:
        if "gateway" in services:
            _serve_gateway()
        else:
            _serve_services(services)
    except MissingServer as error:
        raise CheckFailed(str(error)) from error
    except PortTaken as error:
        raise CheckFailed(f"the port is taken: {error}") from error


def _serve_gateway() -> None:
    from gateway.serve import main

    main()


def _serve_services(names: list[str]) -> None:
    from shared.runtime.serve import serve as serve_services
    from shared.runtime.settings import read_settings

    try:
        serve_services(names, read_settings())
    except LookupError as error:
        raise ValueError(str(error.args[0])) from error
