"""What a client sent, read strictly: exact types, no unknown names, nothing that JSON or UTF-8 does not allow."""

import json
import re
import urllib.parse
from functools import cache
from typing import Any, Literal, NoReturn, TypeVar, get_args, get_origin

import msgspec
from flask import Request

from shared.contracts.base import Refusal
from shared.storage.text import storable

SHORT_BODY = 1 << 16
LARGEST_BODY = 1 << 20
"""Bytes: of most bodies, and of a whole list of orders."""
PIECE = 1 << 16
DEEPEST = 32
LONGEST_NUMBER = 18
"""Digits of the largest integer: it fits in 64 bits."""
MOST_PARAMETERS = 20
LONGEST_QUERY = 4_096
JSON_TYPE = "application/json"

# A string that is never closed is one to the end: were it none, each quote within would be tried as its beginning.
_MARKS = re.compile(rb'"(?:[^"\\]|\\.)*(?:"|\\?\Z)|[\[\]{}]', re.DOTALL)
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]{0,17})", re.ASCII)

Wanted = TypeVar("Wanted")
WantedQuery = TypeVar("WantedQuery", bound=msgspec.Struct)


def malformed(detail: str) -> Refusal:
    return Refusal("malformed", detail)


def body(request: Request, most: int) -> Any:
    """The request's JSON, or None if it has no body. Refusal too-large for more than ``most`` bytes."""
    if request.content_length is not None and request.content_length > most:
        raise _too_large(most)
    raw = _read(request, most)
    if not raw:
        return None
    charset = request.mimetype_params.get("charset", "utf-8").lower()
    if request.mimetype != JSON_TYPE or charset not in ("utf-8", "utf8"):
        raise Refusal("unsupported-media-type", f"Send {JSON_TYPE} in UTF-8.")
    return parse(raw)


def _too_large(most: int) -> Refusal:
    return Refusal("too-large", f"A body may have {most} bytes.")


def _read(request: Request, most: int) -> bytes:
    """All of the body, or little more than what is too much of it: its length may not be told beforehand."""
    pieces = []
    left = most + 1
    try:
        while left > 0 and (piece := request.stream.read(min(left, PIECE))):
            pieces.append(piece)
            left -= len(piece)
    except Exception as error:
        raise malformed("The body is broken off or badly chunked.") from error
    if left <= 0:
        raise _too_large(most)
    return b"".join(pieces)


def parse(raw: bytes) -> Any:
    """The value of JSON text whose numbers are all integers, whose keys differ and whose text is storable."""
    _refuse_depth(raw)
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        raise malformed("The body is not UTF-8.") from error
    try:
        value = json.loads(
            text,
            object_pairs_hook=_object,
            parse_int=_integer,
            parse_float=_no_float,
            parse_constant=_no_float,
        )
    except json.JSONDecodeError as error:
        raise malformed(f"The body is not JSON: {error.msg} at character {error.pos}.") from error
    _refuse_text(value)
    return value


def typed(value: Any, wanted: type[Wanted]) -> Wanted:
    """``value`` as a ``wanted``. Refusal malformed names the path of what is wrong."""
    try:
        return msgspec.convert(value, type=wanted, strict=True)
    except msgspec.ValidationError as error:
        raise malformed(str(error)) from error


def query(raw: bytes, wanted: type[WantedQuery]) -> WantedQuery:
    """The query string as a ``wanted`` struct, whose fields are text, integers, booleans or lists of words."""
    if len(raw) > LONGEST_QUERY:
        raise malformed("The query is too long.")
    try:
        pairs = urllib.parse.parse_qsl(
            raw.decode("ascii"), keep_blank_values=True, errors="strict", max_num_fields=MOST_PARAMETERS
        )
    except ValueError as error:
        raise malformed("The query is not well formed.") from error
    fields = _kinds(wanted)
    values: dict[str, Any] = {}
    for name, text in pairs:
        if name in values:
            raise malformed(f"The query names {name[:80]!r} twice.")
        if name not in fields:
            raise malformed(f"There is no query parameter {name[:80]!r}.")
        if not storable(text):
            raise malformed(f"Query parameter {name!r} holds characters that no text may hold.")
        values[name] = _word(name, text, fields[name])
    return typed(values, wanted)


@cache
def _kinds(wanted: type[msgspec.Struct]) -> dict[str, set[Any]]:
    """The plain types of each field, by the name that it has in a query."""
    return {field.encode_name: kinds_of(field.type) for field in msgspec.structs.fields(wanted)}


def _word(name: str, text: str, kinds: set[Any]) -> Any:
    if int in kinds:
        if not _INTEGER.fullmatch(text):
            raise malformed(f"Query parameter {name!r} is a whole number.")
        return int(text)
    if bool in kinds:
        if text not in ("true", "false"):
            raise malformed(f"Query parameter {name!r} is true or false.")
        return text == "true"
    if tuple in kinds:
        return text.split(",")
    return text


def kinds_of(wanted: Any) -> set[Any]:
    """The plain types in an annotation: ``Annotated`` opened, unions spread, None and constraints left out."""
    origin = get_origin(wanted)
    if hasattr(wanted, "__metadata__"):
        return kinds_of(wanted.__origin__)
    if origin is tuple or origin is list:
        return {tuple}
    if origin is Literal:
        return {type(word) for word in get_args(wanted)}
    if origin is not None:
        return set().union(*(kinds_of(part) for part in get_args(wanted)))
    return set() if wanted is type(None) else {wanted}


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise malformed("An object names a key twice.")
    return found


def _integer(digits: str) -> int:
    if len(digits.lstrip("-")) > LONGEST_NUMBER:
        raise malformed("A number is too large.")
    return int(digits)


def _no_float(text: str) -> NoReturn:
    raise malformed("Numbers are whole numbers.")


def _refuse_depth(raw: bytes) -> None:
    depth = 0
    for mark in _MARKS.finditer(raw):
        if mark[0] in (b"[", b"{"):
            depth += 1
        elif mark[0] in (b"]", b"}"):
            depth -= 1
        if depth > DEEPEST:
            raise malformed("The body is nested too deeply.")


def _refuse_text(value: Any) -> None:
    if isinstance(value, str):
        if not storable(value):
            raise malformed("A text holds NUL or half of a surrogate pair.")
    elif isinstance(value, dict):
        for name, inner in value.items():
            _refuse_text(name)
            _refuse_text(inner)
    elif isinstance(value, list):
        for inner in value:
            _refuse_text(inner)
