"""How a command ends when it is not done. Bad input is a ValueError (exit 2)."""


class CheckFailed(Exception):
    """A check failed (exit 1). ``said``: the command has told it all already."""

    def __init__(self, message: str = "") -> None:
        super().__init__(message)
        self.said = not message
