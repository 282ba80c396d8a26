"""The test driver counts honestly: a part that ran nothing is a failure."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from deploy import packages
from tests import run

# Without the plugins that take seconds to import.
LIGHT = "-p no:schemathesis -p no:hypothesispytest -p no:pytest_nameko"

PASSES = "def test_one(): pass\ndef test_two(): pass\n"
FAILS = "def test_three(): assert False\n"
SKIPS = "import pytest\ndef test_four(): pytest.skip('why')\n"
ERRS = "def test_five(no_such_fixture): pass\n"
BREAKS = "import no_such_module\n"


@pytest.fixture
def tests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(run, "TESTS", tmp_path)
    monkeypatch.setattr(run, "ROOT", tmp_path)
    monkeypatch.setattr(run, "NEEDED", {})
    monkeypatch.setenv("PYTEST_ADDOPTS", LIGHT)
    return tmp_path


def write(tests: Path, part: str, text: str) -> None:
    (tests / part).mkdir()
    (tests / part / "test_it.py").write_text(text)


def test_counts_over_all_parts(tests: Path, capfd: pytest.CaptureFixture[str]) -> None:
    write(tests, "rules", PASSES)
    write(tests, "gateway", PASSES.replace("one", "six") + SKIPS)
    assert run.main(["rules", "gateway"]) == 0
    assert capfd.readouterr().out.splitlines()[-1] == "4 passed, 0 failed, 1 skipped"


@pytest.mark.parametrize(
    ("text", "last_line", "problem"),
    [
        (PASSES + FAILS, "2 passed, 1 failed", "failed"),
        (PASSES + ERRS, "2 passed, 1 failed", "failed"),
        (BREAKS, "0 passed, 1 failed", "failed"),
        (SKIPS, "0 passed, 0 failed, 1 skipped", "ran no test"),
        ("", "0 passed, 0 failed", "ran no test"),
    ],
)
def test_parts_that_are_not_green(
    tests: Path, text: str, last_line: str, problem: str, capfd: pytest.CaptureFixture[str]
) -> None:
    write(tests, "rules", text)
    assert run.main(["rules"]) == 1
    lines = capfd.readouterr().out.splitlines()
    assert lines[-1] == last_line
    assert lines[-3].split(maxsplit=5)[5] == problem


def test_missing_part_is_a_failure(tests: Path) -> None:
    assert run.main(["rules"]) == 1


def test_folder_that_no_part_runs_is_refused(tests: Path, capfd: pytest.CaptureFixture[str]) -> None:
    write(tests, "kitchen", PASSES)
    with pytest.raises(SystemExit):
        run.main(["rules"])
    assert "tests/kitchen holds tests but is no part" in capfd.readouterr().err


def test_options_for_pytest_reach_every_part(
    tests: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tests, "rules", PASSES)
    monkeypatch.setenv("PYTEST_ADDOPTS", f"{LIGHT} -k one")
    assert run.main(["rules"]) == 0
    assert capfd.readouterr().out.splitlines()[-1] == "1 passed, 0 failed"


def test_what_parts_need_can_be_installed() -> None:
    assert set(run.NEEDED) <= set(run.PARTS)
    assert {name for names in run.NEEDED.values() for name in names} == set(packages.PACKAGES)


def test_every_folder_of_tests_is_a_part() -> None:
    assert run.forgotten_folders() == []


def test_help_lists_every_target() -> None:
    root = Path(run.__file__).parent.parent
    listed = subprocess.run(
        ["make", "--no-print-directory", "help"], cwd=root, capture_output=True, text=True, check=True
    ).stdout
    targets = [
        "help",
        "setup",
        "play",
        "up",
        "down",
        "test",
        "check",
        "drills",
        "bench",
        "screenshots",
        "lock",
    ]
    assert [line.split()[1] for line in listed.splitlines()] == targets


def test_terminated_driver_lets_pytest_clean_up(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(
        "import time, pytest\n"
        "from pathlib import Path\n"
        "@pytest.fixture\n"
        "def server():\n"
        f"    here = Path({str(tmp_path)!r})\n"
        "    (here / 'started').touch()\n"
        "    yield\n"
        "    (here / 'stopped').touch()\n"
        "def test_long(server): time.sleep(600)\n"
    )
    script = (
        "import signal, sys; from tests import run\n"
        # As started from a terminal, however this run was started.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        f"sys.exit(run.run([sys.executable, '-m', 'pytest', {str(tmp_path)!r}, '-p', 'no:cacheprovider']))\n"
    )
    root = Path(run.__file__).parent.parent
    driver = subprocess.Popen(
        [sys.executable, "-c", script],
        cwd=root,
        stdout=subprocess.DEVNULL,
        env={**os.environ, "PYTEST_ADDOPTS": LIGHT},
    )
    while not (tmp_path / "started").exists():
        assert driver.poll() is None
    driver.terminate()
    assert driver.wait(timeout=60) == run.INTERRUPTED
    assert (tmp_path / "stopped").exists()


def test_all_parts_run_some_of_them_beside_each_other(tmp_path: Path) -> None:
    """In a project of its own: the driver as it is, and one test a part."""
    tests = tmp_path / "tests"
    tests.mkdir()
    for part in run.PARTS:
        write(tests, part, FAILS if part == "gateway" else PASSES)
    (tests / "run.py").write_text(Path(run.__file__).read_text())
    (tmp_path / "Makefile").write_text("check:\n\t@true\n")
    (tmp_path / "deploy").mkdir()
    (tmp_path / "deploy" / "packages.py").write_text("")
    done = subprocess.run(
        [sys.executable, tests / "run.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTEST_ADDOPTS": LIGHT, "PYTHONPATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    assert lines[-1] == f"{2 * (len(run.PARTS) - 1)} passed, 1 failed"
    told = [line.removeprefix("== ") for line in lines if line.startswith("== ")]
    assert sorted(told) == sorted((run.CHECK, *run.PARTS))
    assert told[: len(run.LANES[0][0])] == list(run.LANES[0][0])
