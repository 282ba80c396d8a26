"""No effect of the rules can be switched off without a test marked with its rule failing."""

import json
import os
import subprocess
import sys
from pathlib import Path

from tests.warfare.switching import EFFECTS

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
LEAST = 60
SLOW = ("properties", "secre", "ruleset", "illegal", "fuzz", "rulebook", "switched", "soundness")
"""Parts of the names of modules that play many battles or look at the rules as a whole."""


def test_without_any_of_these_effects_a_marked_test_fails(tmp_path: Path) -> None:
    assert len({effect["rule"] for effect in EFFECTS}) >= LEAST
    report = tmp_path / "report.json"
    modules = [
        str(file) for file in sorted(HERE.glob("test_*.py")) if not any(part in file.name for part in SLOW)
    ]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "tests.warfare.switching", "-p", "no:cacheprovider", *modules],
        cwd=ROOT,
        env={**os.environ, "SWITCHED_OFF_REPORT": str(report), "PYTEST_ADDOPTS": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert report.exists(), done.stdout + done.stderr
    failed = json.loads(report.read_text())
    assert not [effect for number, effect in enumerate(EFFECTS) if str(number) not in failed]
