"""Files that hold secrets: readable by their owner alone from their first byte on."""

import os
from pathlib import Path


def write_private(path: Path, text: str) -> None:
    """Replaces ``path`` in one step."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_name(path.name + ".new")
    new.unlink(missing_ok=True)
    with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
    new.replace(path)
