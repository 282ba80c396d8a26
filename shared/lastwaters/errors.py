"""What the library raises for input that it cannot work with."""


class BadInput(ValueError):
    """Input that breaks contract.md's forms: ``where`` is a path such as ``snapshot.holds[3].owner``."""

    def __init__(self, where: str, what: str) -> None:
        super().__init__(f"{where}: {what}" if where else what)
        self.where = where
        self.what = what
