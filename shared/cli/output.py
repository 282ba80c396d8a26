"""Standard output of the commands: UTF-8 whatever the locale, whole or with a reason."""

import os
import sys
import unicodedata
from collections.abc import Iterable

READER_GONE = 141
"""The exit code of a program that writes to a pipe nobody reads any more."""


class OutputLost(Exception):
    """An answer could not be written. ``code``: what to exit with. Without words nobody is there to read them."""

    def __init__(self, code: int, words: str = "") -> None:
        super().__init__(words)
        self.code = code


def write(text: str | bytes) -> None:
    """All of it, at once. Raises ``OutputLost``."""
    raw = text.encode(errors="backslashreplace") if isinstance(text, str) else text
    if sys.stdout is None:
        raise OutputLost(2, "standard output is closed")
    try:
        sys.stdout.buffer.write(raw)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise OutputLost(READER_GONE) from None
    except OSError as problem:
        raise OutputLost(2, f"standard output: {problem.strerror}") from None


def let_go() -> None:
    """What could not be written is not tried again as the process ends."""
    if sys.stdout is not None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def written(lines: Iterable[str]) -> str:
    """Lines for a terminal: a control character of a name, which may do anything there, is a blank."""
    return "".join("".join(map(_plain, line)) + "\n" for line in lines)


def _plain(letter: str) -> str:
    return " " if unicodedata.category(letter) in ("Cc", "Cf") else letter
