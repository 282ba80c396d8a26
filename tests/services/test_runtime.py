"""Jobs, the operators' door and the operations port, on plain threads."""

import json
import threading
import time
from pathlib import Path

import pytest
import requests

from shared.contracts.accounts import AccountName, FindHandle
from shared.contracts.base import Refusal
from shared.runtime import operators, replies
from shared.runtime.health import OpsServer, PortTaken
from shared.runtime.jobs import Job
from shared.runtime.operators import OperatorClient
from shared.runtime.private_files import write_private
from shared.runtime.service import Unavailable


def test_a_job_goes_on_after_a_failure_and_ends_after_its_round() -> None:
    rounds: list[int] = []
    enough = threading.Event()

    def work() -> None:
        rounds.append(1)
        if len(rounds) == 1:
            raise ValueError("once")
        enough.set()

    job = Job("fog", "test", 0.01, work)
    job.start()
    assert enough.wait(10)
    job.stop()
    count = len(rounds)
    time.sleep(0.05)
    assert len(rounds) == count


def test_waking_a_job_runs_it_at_once() -> None:
    ran = threading.Event()
    job = Job("fog", "test", 3_600, ran.set)
    job.start()
    assert not ran.wait(0.05)
    job.wake()
    assert ran.wait(10)
    job.stop()


@pytest.mark.parametrize(
    ("seconds", "pauses"),
    [(0.2, [0.4, 0.8, 1.0, 1.0]), (1.0, [1.0, 1.0]), (15.0, [15.0, 15.0]), (600.0, [30.0, 30.0])],
)
def test_a_job_that_goes_on_failing_tries_every_second_or_so(
    seconds: float, pauses: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the outage that its rounds tell of (K-03) would seem longer than it was. A night of it ends no job."""
    enough = threading.Event()
    failures = iter(range(2_000))

    def work() -> None:
        if next(failures, None) is not None:
            raise OSError("away")
        enough.set()

    waited: list[float] = []

    def wait(timeout: float) -> None:
        waited.append(timeout)

    job = Job("fog", "test", seconds, work)
    monkeypatch.setattr(job._stopping, "wait", wait)
    job.wake()
    job.start()
    assert enough.wait(20)
    job.stop()
    assert waited[: len(pauses)] == pytest.approx(pauses)
    assert len(waited) == 2_000
    assert set(waited[len(pauses) :]) == {waited[len(pauses) - 1]}


def test_readiness_names_what_is_missing() -> None:
    missing: dict[str, str] = {}
    ops = OpsServer(lambda: missing)
    url = f"http://127.0.0.1:{ops.listen('127.0.0.1', 0)}"
    try:
        assert requests.get(f"{url}/healthz", timeout=10).status_code == 200
        assert requests.get(f"{url}/readyz", timeout=10).json() == {"ready": True, "missing": {}}
        missing["database"] = "OperationalError"
        answer = requests.get(f"{url}/readyz", timeout=10)
        assert (answer.status_code, answer.json()["missing"]) == (503, missing)
        missing.clear()
        ops.drain()
        assert requests.get(f"{url}/readyz", timeout=10).json()["missing"] == {"process": "stopping"}
        assert "lastwaters_outbox_age_seconds" in requests.get(f"{url}/metrics", timeout=10).text
        assert requests.get(f"{url}/other", timeout=10).status_code == 404
        with pytest.raises(PortTaken, match="LASTWATERS_OPS_PORT"):
            OpsServer(dict).listen("127.0.0.1", int(url.rsplit(":", 1)[1]))
    finally:
        ops.close()


def test_operators_come_in_with_the_token_alone(tmp_path: Path) -> None:
    def ask(service: str, method: str, body: str, timeout: float) -> object:
        if service == "fog":
            raise Unavailable("fog", "no answer")
        assert (service, method, json.loads(body)["handle"]) == ("accounts", "find_handle", "ann")
        return replies.encode_answer(AccountName(id="a1", handle="ann"))

    token = operators.new_token()
    ops = OpsServer(dict, {("POST", operators.PATH): operators.route(token, ask)})
    port = ops.listen("127.0.0.1", 0)
    url = f"http://127.0.0.1:{port}{operators.PATH}"
    try:
        operators.open_door(tmp_path, "127.0.0.1", port, token)
        assert (tmp_path / operators.TOKEN_FILE).stat().st_mode & 0o777 == 0o600
        assert OperatorClient(tmp_path)(FindHandle(handle="ann")) == AccountName(id="a1", handle="ann")
        for headers in ({}, {"Authorization": "Bearer "}, {"Authorization": f"Bearer {token}x"}):
            assert requests.post(url, headers=headers, data="{}", timeout=10).status_code == 401
        good = {"Authorization": f"Bearer {token}"}
        for body in ("", "{}", "nonsense", '{"service":1}'):
            assert requests.post(url, headers=good, data=body, timeout=10).status_code == 400
        behind = '{"service":"fog","method":"x","request":"{}"}'
        assert requests.post(url, headers=good, data=behind, timeout=10).status_code == 503
    finally:
        ops.close()
        operators.close_door(tmp_path)
    with pytest.raises(Unavailable, match="not running"):
        OperatorClient(tmp_path)


def test_a_refusal_keeps_its_extra_fields_through_json() -> None:
    text = replies.encode_refusal(Refusal("tick-closed", "too late", open_tick=None, errors=[{"index": 1}]))
    with pytest.raises(Refusal) as refused:
        replies.read(FindHandle(handle="x"), text)
    assert refused.value.extra == {"open_tick": None, "errors": [{"index": 1}]}


def test_a_private_file_is_private_from_the_start(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "secret"
    write_private(path, "one")
    path.chmod(0o644)
    write_private(path, "two")
    assert path.read_text() == "two"
    assert path.stat().st_mode & 0o777 == 0o600
