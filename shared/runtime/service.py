"""What a service is: a plain class whose methods answer calls, handle events and run now and then.

A service is given its ``Ports`` and never reaches past them, so that the same class runs under nameko over
RabbitMQ, in the embedded stack and in the deterministic simulation. Decorators only mark methods; hosts read them.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar, NamedTuple, Protocol, TypeVar, get_args, get_type_hints

from shared.contracts.base import Event, Nothing, Request
from shared.contracts.parking import DropParked, ParkedEvents, SurveyParked, Unparked, UnparkEvents
from shared.runtime.ids import Ids as Ids
from shared.runtime.settings import Settings
from shared.storage import parking
from shared.storage.database import Database
from shared.storage.inbox import NotYet as NotYet

Answer = TypeVar("Answer")
Method = TypeVar("Method", bound=Callable[..., Any])
Value = TypeVar("Value")


class Caller(Protocol):
    """Calls another service and waits for its answer."""

    def __call__(self, request: Request[Answer], timeout: float = 5.0) -> Answer:
        """Raises ``Refusal`` as the callee did, ``Unavailable`` when no answer came in ``timeout`` seconds."""
        ...


class Grown(NamedTuple):
    """The feed of ``account`` in ``match`` has grown to number ``latest``."""

    match: str
    account: str
    latest: int


class Clock(Protocol):
    def now(self) -> datetime:
        """The present, aware, in UTC."""
        ...


class Offload(Protocol):
    """Runs long CPU-bound work where it does not block other requests (a thread under eventlet)."""

    def __call__(self, work: Callable[..., Value], *args: Any) -> Value: ...


class Fanout(Protocol):
    """Tells every gateway whose feeds have grown. May lose a word: gateways also look by themselves."""

    def publish(self, grown: Sequence[Grown]) -> None: ...


class Unavailable(Exception):
    """A service behind did not answer in time, or is not there; the caller may try again."""

    def __init__(self, service: str, why: str) -> None:
        super().__init__(f"{service}: {why}")
        self.service = service


@dataclass(frozen=True, kw_only=True)
class Ports:
    """Everything a service may reach."""

    database: Database
    call: Caller
    clock: Clock
    ids: Ids
    offload: Offload
    fanout: Fanout
    settings: Settings


@dataclass(frozen=True)
class Answering:
    """Marks ``def method(self, request: SomeRequest) -> SomeAnswer``."""

    request: type[Request[Any]]


@dataclass(frozen=True)
class Handling:
    """Marks a method that takes events. ``inbox``: inside the inbox's transaction, exactly once. ``together``: many
    at a time."""

    event: type[Event]
    inbox: bool
    together: bool = False


@dataclass(frozen=True)
class Repeating:
    """Marks a method that runs every ``seconds`` on every replica; it claims its work in the database."""

    seconds: float


def rpc(method: Method) -> Method:
    """Answers the request type that the method's ``request`` parameter names. Idempotent, like all entry points."""
    request = get_type_hints(method)["request"]
    method.entrypoint = Answering(request)  # type: ignore[attr-defined]
    return method


def handles(method: Method) -> Method:
    """``def m(self, event: SomeEvent, tx: Transaction)``: effects and inbox mark commit together, once per event.

    ``def m(self, events: Sequence[SomeEvent], tx: Transaction)`` is given many, each of another match, in the order of
    the matches, so that their statements can be shared. Should it raise, each is given to it again alone.

    A failure is tried again from the database with back-off and set aside after some tries. ``NotYet`` (raised
    when an earlier event has not come yet) only waits and does not count as a failure.
    """
    hints = get_type_hints(method)
    together = "events" in hints
    event = get_args(hints["events"])[0] if together else hints["event"]
    method.entrypoint = Handling(event, inbox=True, together=together)  # type: ignore[attr-defined]
    return method


def hears(method: Method) -> Method:
    """``def m(self, event: SomeEvent)``: no inbox row; the work settles duplicates itself and whoever emits the
    event emits it again until it is done. For work that calls other services, which no transaction may span."""
    event = get_type_hints(method)["event"]
    method.entrypoint = Handling(event, inbox=False)  # type: ignore[attr-defined]
    return method


def every(seconds: float) -> Callable[[Method], Method]:
    """Runs the method again and again, never twice at once in one process."""

    def mark(method: Method) -> Method:
        method.entrypoint = Repeating(seconds)  # type: ignore[attr-defined]
        return method

    return mark


Mark = Answering | Handling | Repeating


class Service:
    """Base of every service, with the calls that each answers. ``name`` is its contract module's name."""

    name: ClassVar[str]
    marks: ClassVar[Mapping[str, "Mark"]] = {}

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        methods = {name: getattr(cls, name) for name in dir(cls)}
        cls.marks = {
            name: method.entrypoint for name, method in methods.items() if hasattr(method, "entrypoint")
        }

    def __init__(self, ports: Ports) -> None:
        self.ports = ports
        self.database = ports.database
        self.call = ports.call
        self.reachable: Callable[[], bool] = lambda: True
        """Whether calls can come in; the host knows."""

    def started(self) -> None:
        """Runs once before the first call or event."""

    @rpc
    def survey_parked(self, request: SurveyParked) -> ParkedEvents:
        with self.database.read() as tx:
            return parking.survey(tx)

    @rpc
    def unpark_events(self, request: UnparkEvents) -> Unparked:
        with self.database.begin() as tx:
            return Unparked(count=parking.unpark(tx, tx.now(), request.id))

    @rpc
    def drop_parked(self, request: DropParked) -> Nothing:
        with self.database.begin() as tx:
            parking.drop(tx, tx.now(), request.id)
        return Nothing()


def entrypoints(service: type[Service]) -> Mapping[str, Mark]:
    """Method name to mark, of every marked method of ``service``."""
    return service.marks
