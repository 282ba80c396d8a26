"""What every payload is: a frozen, strict, typed struct; a call names its answer; an event is a fact.

The module a payload is declared in names the service that answers the call or emits the event:
``shared.contracts.orders.FileOrder`` is the method ``file_order`` of the service ``orders``.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    Generic,
    TypeVar,
    dataclass_transform,
    get_args,
    get_type_hints,
)

import msgspec

Answer = TypeVar("Answer")

if TYPE_CHECKING:
    RawOrNull = msgspec.Raw | None
else:
    # msgspec reads `Raw | None` as null alone, so null arrives as Raw and `Payload` makes it None.
    RawOrNull = Annotated[msgspec.Raw, msgspec.Meta(extra={"nullable": True})]


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(msgspec.field,))
class PayloadType(msgspec.StructMeta):
    """Tells type checkers what msgspec inherits at run time: every payload is frozen, fields by keyword."""


class Payload(msgspec.Struct, metaclass=PayloadType, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A value that crosses a process boundary."""

    def __post_init__(self) -> None:
        for name in nullable_raws(type(self)):
            if bytes(getattr(self, name) or b"null") == b"null":
                msgspec.structs.force_setattr(self, name, None)


@cache
def nullable_raws(payload: type[Payload]) -> tuple[str, ...]:
    """The fields of ``payload`` that are ``RawOrNull``."""
    hints = get_type_hints(payload, include_extras=True)
    return tuple(name for name in payload.__struct_fields__ if hints[name] == RawOrNull)


class Nothing(Payload):
    """The answer of a call that only has to succeed."""


class Request(Payload, Generic[Answer]):
    """A call to one service; ``class GetView(Request[View])`` is answered with a ``View``."""

    version: ClassVar[int] = 1

    @classmethod
    def service(cls) -> str:
        return cls.__module__.rsplit(".", 1)[-1]

    def receiver(self) -> str:
        """The service that this call goes to."""
        return self.service()

    @classmethod
    def method(cls) -> str:
        return snake_case(cls.__name__)

    @classmethod
    def answer_type(cls) -> Any:
        for base in getattr(cls, "__orig_bases__", ()):
            if getattr(base, "__origin__", None) is Request:
                return get_args(base)[0]
        raise TypeError(f"{cls.__name__} does not name its answer")


class Event(Payload):
    """A fact that one service tells all others, at least once."""

    version: ClassVar[int] = 1

    @classmethod
    def source(cls) -> str:
        return cls.__module__.rsplit(".", 1)[-1]

    @classmethod
    def event_name(cls) -> str:
        return snake_case(cls.__name__)


class Refusal(Exception):
    """The caller's fault, told with a fixed code of the closed list (http-api.md's errors); stores nothing.

    ``extra`` holds further fields of the problem document (``open_tick``, ``scope``, ``errors``, ...).
    """

    def __init__(self, code: str, detail: str, **extra: Any) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail
        self.extra: Mapping[str, Any] = extra


def snake_case(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
