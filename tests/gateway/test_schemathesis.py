"""The interface fuzzed against its own document, over every service, as a match's creator and as a rival.

What the fuzzer makes up is not found anywhere, so most ids are replaced by some that exist: of a match that runs,
one that has ended, a lobby, and a private lobby of the creator.
"""

import random
import zlib
from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import FlakyStrategyDefinition
from schemathesis.checks import (
    allow_header_conformance,
    content_type_conformance,
    not_a_server_error,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from schemathesis.core.failures import FailureGroup
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import negative_data_rejection

from gateway.route import EVENT_STREAM, ROUTES
from gateway.routes import load
from tests.gateway.conftest import Client
from tests.gateway.whole_stack import Stack
from tests.services import harness

EXAMPLES = 100
WALKS_BEGUN = 20
SEED = random.SystemRandom().getrandbits(32)
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    allow_header_conformance,
    negative_data_rejection,
]
load()
FUZZED = [route for route in ROUTES if route.documented and route.content_type != EVENT_STREAM]
FRESH_TOKEN = {"sign_out"}


class World:
    """The stack, two accounts, and ids that exist."""

    def __init__(self, where: Any) -> None:
        self.stack = Stack(where, trial_cadences="60", trial_seeds=True)
        self.creator, self.rival = self.stack.client("creator"), self.stack.client("rival")
        new = {"name": "Ash Road", "seats": 2, "visibility": "public", "cadence_seconds": 60}
        ended, running = (self._started({**new, "settings": {"tick_cap": cap}}) for cap in (1, 50))
        lobby = self.creator.post("/v1/matches", json={**new, "seats": 50}).json["id"]
        private = self.creator.post("/v1/matches", json={**new, "seats": 9, "visibility": "private"}).json
        self.message = self._message(running)
        self.stack.advance(timedelta(seconds=60))
        assert self.creator.get(f"/v1/matches/{ended}").json["status"] == "ended"
        tick = self.creator.get(f"/v1/matches/{running}/orders").json["tick"]
        hold = self.creator.get(f"/v1/matches/{running}/view").json["forces"][0]["hold"]
        order = {"kind": "build", "hold": hold, "building": "watch"}
        order_id = self.creator.post(f"/v1/matches/{running}/orders?tick={tick}", json=order).json["id"]
        self.known: dict[str, list[Any]] = {
            "match": [running, running, ended, lobby, private["id"]],
            "code": [private["invite_code"]],
            "handle": ["creator", "rival"],
            "order": [order_id],
            "ruleset": ["last-waters"],
            "tick": [tick, tick - 1],
        }

    def _started(self, wanted: dict[str, Any]) -> str:
        match: str = self.creator.post("/v1/matches", json=wanted).json["id"]
        assert self.rival.post(f"/v1/matches/{match}/seats").status_code == 201
        self.stack.settle()
        return match

    def _message(self, match: str) -> str:
        to = self.rival.get(f"/v1/matches/{match}").json["your_faction"]
        sent = self.creator.post(f"/v1/matches/{match}/messages", json={"to": [to], "text": "hello"})
        found: str = sent.json["id"]
        return found

    def real(self, name: str, made_up: Any) -> Any:
        """Mostly something that exists, chosen by what was made up."""
        number = zlib.crc32(repr(made_up).encode())
        if name not in self.known or number % 8 == 0:
            return made_up
        return self.known[name][number // 8 % len(self.known[name])]

    def headers(self, client: Client, route_name: str) -> dict[str, str]:
        if route_name in FRESH_TOKEN:
            return {"Authorization": f"Bearer {self.stack.sign_in('rival')}"}
        return client.headers


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    yield World(tmp_path_factory.mktemp("fuzzed"))
    harness.close_all()


@pytest.fixture(scope="module")
def schema(world: World) -> Any:
    return schemathesis.openapi.from_wsgi("/openapi.json", world.stack.app)


@pytest.mark.parametrize(
    ("route", "mode"),
    [(route, GenerationMode.POSITIVE) for route in FUZZED]
    + [
        (route, GenerationMode.NEGATIVE)
        for route in FUZZED
        if route.body is not None or route.query is not None
    ],
    ids=lambda part: getattr(part, "name", part),
)
def test_no_fault_and_nothing_undocumented(
    world: World, schema: Any, route: Any, mode: GenerationMode
) -> None:
    """Requests that fit the document, and requests that do not (these must be refused)."""
    operation = schema[route.path][route.method]
    positive = mode is GenerationMode.POSITIVE
    print(f"seed {SEED}")

    def ask(case: Any) -> None:
        if positive:
            case.path_parameters = {
                name: world.real(name, value) for name, value in case.path_parameters.items()
            }
            if "tick" in (case.query or {}):
                case.query["tick"] = world.real("tick", case.query["tick"])
        for client in (world.creator, world.rival):
            response = case.call(headers=world.headers(client, route.name))
            case.validate_response(response, checks=CHECKS)

    limited = settings(
        max_examples=EXAMPLES if positive else EXAMPLES // 4,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    seed(SEED)(limited(given(operation.as_strategy(generation_mode=mode))(ask)))()


def test_one_answers_ids_in_the_next_request(world: World, schema: Any) -> None:
    """Stateful: the fuzzer follows what is made, as the creator and as the rival in turn.

    The world goes on from walk to walk, so a walk can come out otherwise than one before that began alike. The
    fuzzer then stops, and begins anew with another seed. Faults are written down as they are met, whatever it does.
    """
    clients = {True: world.creator, False: world.rival}
    followed = schema.exclude(operation_id=["open_stream", "sign_out", "delete_me"])
    faults: list[str] = []
    walks = 0

    class Workflow(followed.as_state_machine()):  # type: ignore[misc]
        def get_call_kwargs(self, case: Any) -> dict[str, Any]:
            return {"headers": clients[zlib.crc32(repr(case).encode()) % 4 > 0].headers}

        def validate_response(self, response: Any, case: Any, **_: Any) -> None:
            try:
                case.validate_response(response, checks=CHECKS[:-1])
            except (AssertionError, FailureGroup) as fault:
                faults.append(
                    f"{case.method} {case.formatted_path}: {fault} {getattr(fault, 'exceptions', '')}"
                )

        def teardown(self) -> None:
            nonlocal walks
            walks += 1
            super().teardown()

    for again in range(WALKS_BEGUN):
        limited = settings(
            max_examples=EXAMPLES // 4 - walks,
            stateful_step_count=12,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        print(f"seed {SEED + again}")
        seed(SEED + again)(Workflow)
        with suppress(FlakyStrategyDefinition):
            Workflow.run(settings=limited)
        if faults or walks >= EXAMPLES // 4:
            break
    assert not faults, "\n".join(faults)
    assert walks >= EXAMPLES // 4
