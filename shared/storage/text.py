"""Which texts a database of ours can hold."""


def legible(text: str) -> str:
    """What is not storable, written out."""
    return text.replace("\0", "\\0").encode("utf-8", "backslashreplace").decode()


def storable(text: str) -> bool:
    """False for NUL, which PostgreSQL refuses, and for lone surrogates, which UTF-8 cannot write."""
    return "\0" not in text and not any("\ud800" <= character <= "\udfff" for character in text)
