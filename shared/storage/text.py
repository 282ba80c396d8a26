"""Which texts a database of ours can hold."""


def storable(text: str) -> bool:
    """False for NUL, which PostgreSQL refuses, and for lone surrogates, which UTF-8 cannot write."""
    return "\0" not in text and not any("\ud800" <= character <= "\udfff" for character in text)
