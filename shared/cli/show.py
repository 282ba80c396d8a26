"""``show``: a snapshot as an SVG map."""

import typer

from shared.cli.output import write
from shared.cli.rules import File, read, snapshot_request
from shared.lastwaters.picture import svg


def register(app: typer.Typer) -> None:
    app.command()(show)


def show(file: File = "-") -> None:
    """Draw a snapshot (or the snapshot of an outcome) as an SVG map on standard output."""
    write(svg(snapshot_request(read(file))))
