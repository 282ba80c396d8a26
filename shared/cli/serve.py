"""``lastwaters serve``: one or more services, or the gateway, in this process."""

import typer

from shared.cli.failures import CheckFailed


def register(app: typer.Typer) -> None:
    app.command()(serve)


def serve(services: list[str]) -> None:
    """Run services (accounts, lobby, ... or gateway) until a signal says to leave."""
    if "gateway" in services:
        if services != ["gateway"]:
            raise ValueError("the gateway runs on threads and shares a process with no service")
        _serve_gateway()
        return
    from shared.runtime.health import PortTaken
    from shared.runtime.serve import serve as serve_services
    from shared.runtime.servers import MissingServer
    from shared.runtime.settings import read_settings

    try:
        serve_services(services, read_settings())
    except LookupError as error:
        raise ValueError(str(error.args[0])) from error
    except MissingServer as error:
        raise CheckFailed(str(error)) from error
    except PortTaken as error:
        raise CheckFailed(f"the operations port is taken: {error} (LASTWATERS_OPS_PORT)") from error


def _serve_gateway() -> None:
    from gateway.serve import main
    from shared.runtime.health import PortTaken
    from shared.runtime.servers import MissingServer

    try:
        main()
    except MissingServer as error:
        raise CheckFailed(str(error)) from error
    except PortTaken as error:
        raise CheckFailed(f"the port is taken: {error}") from error
