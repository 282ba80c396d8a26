"""``lastwaters``: finds the module of a subcommand, loads that one alone, and turns every failure into an exit code.

0 done, 1 a check failed, 2 bad input or no place for the answer, each failure with one line on standard error;
141 where whoever read the answer has gone.
"""

import sys
from collections.abc import Sequence
from importlib import import_module

import typer
from typer._click.exceptions import ClickException

from shared.cli.failures import CheckFailed
from shared.cli.output import OutputLost, let_go

COMMANDS: dict[str, str] = {
    "generate": "shared.cli.rules",
    "resolve": "shared.cli.rules",
    "validate": "shared.cli.rules",
    "view": "shared.cli.rules",
    "verify": "shared.cli.rules",
    "show": "shared.cli.show",
    "serve": "shared.cli.serve",
    "migrate": "shared.cli.migrate",
    "settings": "shared.cli.settings",
    "ops": "shared.cli.ops",
    "play": "shared.cli.play",
    "warfare": "shared.cli.warfare",
}
"""Subcommand to the module whose ``register(app)`` adds it; others are not imported, so that each starts fast."""

HOSTS = ("play", "serve")
"""Subcommands that host services. eventlet must have patched the process before even options are parsed."""


def application(wanted: str | None) -> typer.Typer:
    """The app with the module of ``wanted``, or with all of them for the list that ``--help`` prints."""
    app = typer.Typer(
        help="Last Waters: rules, server and tools.",
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )
    app.callback()(_together)
    names = {COMMANDS[wanted]} if wanted in COMMANDS else set(COMMANDS.values())
    for name in sorted(names):
        import_module(name).register(app)
    return app


def _together() -> None:
    """Keeps a single registered command a subcommand."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command and leave the process with its exit code."""
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def run(arguments: Sequence[str]) -> int:
    """Run one command; its exit code."""
    wanted = next((each for each in arguments if not each.startswith("-")), None)
    if wanted in HOSTS and "gateway" not in arguments:
        import_module("shared.runtime.patched")
    if wanted is None and "--help" not in arguments:
        return _fail("a command is needed; lastwaters --help lists them", 2)
    if wanted is not None and wanted not in COMMANDS:
        return _fail(f"there is no command {wanted!r}; lastwaters --help lists them", 2)
    command = typer.main.get_command(application(wanted))
    try:
        code = command.main(list(arguments), prog_name="lastwaters", standalone_mode=False)
    except ClickException as problem:
        return _fail(problem.format_message(), 2)
    except CheckFailed as problem:
        return 1 if problem.said else _fail(str(problem), 1)
    except ValueError as problem:
        return _fail(str(problem), 2)
    except OutputLost as lost:
        let_go()
        return _fail(str(lost), lost.code) if str(lost) else lost.code
    except typer.Abort:
        return 130
    return code if isinstance(code, int) else 0


def _fail(message: str, code: int) -> int:
    print(f"lastwaters: {' '.join(message.split())}", file=sys.stderr)
    return code
