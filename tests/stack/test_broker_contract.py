"""One contract for both brokers: the one inside the process and RabbitMQ.

The scenarios run in a process of their own that eventlet has patched (``contract_process``), all of a broker's in
one; each test here says what its scenario must have found.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
LONGEST = 240


@pytest.fixture(scope="module", params=["embedded", "rabbitmq"])
def found(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What each scenario found on one broker."""
    url = request.param
    if url == "rabbitmq":
        url = request.getfixturevalue("servers").addresses.amqp_url
    folder = tmp_path_factory.mktemp("contract")
    done = subprocess.run(
        [sys.executable, "-m", "tests.stack.contract_process", url, str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=LONGEST,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return {line["scenario"]: line["found"] for line in lines} | {
        "broker": request.param,
        "logs": done.stderr,
    }


def test_chained_calls_above_the_number_of_workers(found: dict[str, Any]) -> None:
    assert found["chained"] == {"answers": [str(number) for number in range(50)]}


def test_an_unknown_service_is_known_at_once(found: dict[str, Any]) -> None:
    result = found["unknown"]
    assert [failure["kind"] for failure in result["failures"]] == ["Unavailable"] * 3
    assert max(failure["seconds"] for failure in result["failures"]) < 2
    assert result["after"] == "still"


def test_a_call_ends_at_its_deadline_and_its_late_reply_confuses_nobody(found: dict[str, Any]) -> None:
    result = found["timeout"]
    for failure in result["failures"]:
        assert failure["kind"] == "Unavailable"
        assert 0.25 < failure["seconds"] < 0.75
    assert result["after"] == ["0", "1", "2", "3", "4"]


def test_calls_to_oneself_end_and_the_service_goes_on(found: dict[str, Any]) -> None:
    result = found["deadlock"]
    assert {failure["kind"] for failure in result["failures"]} == {"Unavailable"}
    assert result["after"] == "alive"


def test_a_refusal_is_a_value_and_an_error_stays_where_it_happened(found: dict[str, Any]) -> None:
    result = found["refusal"]
    assert result["refused"]["kind"] == "Refusal"
    assert result["refused"]["extra"] == {"errors": [{"index": 0}]}
    assert result["broken"]["kind"] == result["malformed"]["kind"] == "Unavailable"
    assert "secret" not in result["broken"]["words"]


def test_each_pool_takes_an_event_once_and_each_ear_hears_it(found: dict[str, Any]) -> None:
    assert found["pool"] == {
        "handled": [1] * 100,
        "heard": 100,
        "ears": [100, 100],
        "in_order": True,
        "correlations": ["c-1"],
    }


def test_effects_come_once_however_often_an_event_comes(found: dict[str, Any]) -> None:
    assert found["redelivery"] == {"m/1": 1, "m/2": 1}


def test_a_failing_event_is_parked_and_can_be_tried_again(found: dict[str, Any]) -> None:
    result = found["parking"]
    assert result["parked"] == 1
    assert result["before"] == {"m/1": 1, "m/3": 1}
    assert result["after"] == {"m/1": 1, "m/3": 1, "broken/2": 1}
    assert '"event": "event parked"' in found["logs"]


def test_what_nobody_understands_is_set_aside_and_changes_nothing(found: dict[str, Any]) -> None:
    result = found["garbage"]
    assert result["counts"] == {"m/1": 1}
    assert result["parked"] >= 5
    assert result["dead"] == (None if found["broker"] == "embedded" else 2)


def test_a_job_never_runs_twice_at_once(found: dict[str, Any]) -> None:
    assert 3 <= found["repeating"]["rounds"] <= 10


def test_a_service_knows_that_calls_can_reach_it(found: dict[str, Any]) -> None:
    assert found["repeating"]["reachable"] is True


def test_a_mandatory_message_without_a_queue_comes_back(found: dict[str, Any]) -> None:
    assert found["mandatory"] == {"found": "returned", "after": "alive"}


def test_a_lost_queue_is_made_again_before_its_events_are_published(found: dict[str, Any]) -> None:
    assert found["lost_queue"] == {"m/0": 1, "m/1": 1}


def test_a_call_at_hand_is_answered_before_the_stop(found: dict[str, Any]) -> None:
    assert found["drain"]["said"] == "late"
    assert found["drain"]["seconds"] < 8
