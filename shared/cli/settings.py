"""``lastwaters settings``: every setting, its value, where it comes from and what it means."""

import os
import re

import typer

SECRET = re.compile(r"(://[^:/@]*:)[^@]*@")
SECRET_NAMES = frozenset({"signing_key"})


def register(app: typer.Typer) -> None:
    app.command()(settings)


def settings() -> None:
    """Print every setting with its value (secrets masked), its source and its meaning."""
    from shared.runtime.settings import PREFIX, Settings, read_settings

    found = read_settings()
    for name, field in Settings.model_fields.items():
        variable = f"{PREFIX}{name.upper()}"
        source = "environment" if variable in os.environ else "default"
        print(f"{variable} = {masked(name, getattr(found, name))}  [{source}]\n    {field.description}")


def masked(name: str, value: object) -> str:
    """The value as text, without the passwords in it."""
    if value is None:
        return "(not set)"
    if name in SECRET_NAMES:
        return "***"
    return SECRET.sub(r"\1***@", str(value)) or "(empty)"
