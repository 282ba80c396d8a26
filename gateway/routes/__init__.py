"""One module a resource. Importing them declares their routes."""

from importlib import import_module

MODULES = (
    "accounts",
    "sessions",
    "me",
    "matches",
    "seats",
    "play",
    "orders",
    "reports",
    "messages",
    "stream",
    "export",
    "rules",
    "server",
    "web",
)


def load() -> None:
    """Declares every route; in this order they stand in the API's document."""
    for module in MODULES:
        import_module(f"gateway.routes.{module}")
