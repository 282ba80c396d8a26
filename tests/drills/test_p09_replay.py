"""P9: every stored tick gives the same hash again, under any hash seed and on every Python of this machine."""

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import msgspec

from shared.lastwaters.ruleset import RULESET
from tests.drills.players import at_sea
from tests.drills.promises import kept, wait_for_ticks
from tests.drills.sampling import FULL, amount, chance
from tests.drills.yard import Yard
from tests.servers import ROOT

HASH_SEEDS = ("0", "1", "random")
TICKS = amount(3, 12)
SEATS = amount(3, 8)
OLDEST = (3, 11)
LANGUAGE = "import sys; print(*sys.version_info[:3])"


def test_every_stored_tick_gives_the_same_hash_again(yard: Yard, tmp_path: Path) -> None:
    matches = kept(yard, played(yard))
    assert {match.ruleset for match in matches} == {"last-waters", "lone-numbers"}
    assert any(tick.orders for match in matches if match.ruleset == RULESET.id for tick in match.ticks)
    file = tmp_path / "matches.json"
    file.write_bytes(msgspec.json.encode(matches))
    tried = 0
    for python, path in interpreters(tmp_path):
        for seed in HASH_SEEDS:
            done = replay(python, path, seed, file)
            assert done.returncode == 0, f"{python} under {seed}: {done.stdout}{done.stderr}"
            tried += 1
    assert tried >= len(HASH_SEEDS)


def test_a_replay_notices_what_differs(yard: Yard, tmp_path: Path) -> None:
    """A check of the check: one order more, one letter of a state, one tick less."""
    (match,) = kept(yard, played(yard)[:1])
    last = match.ticks[-1]
    spoiled = {
        "another state": (*match.ticks[:-1], msgspec.structs.replace(last, state=last.state + " ")),
        "another hash": (*match.ticks[:-1], msgspec.structs.replace(last, hash="0" * 64)),
        "missing": (*match.ticks[:1], *match.ticks[2:]),
    }
    for words, ticks in spoiled.items():
        file = tmp_path / "spoiled.json"
        file.write_bytes(msgspec.json.encode([msgspec.structs.replace(match, ticks=ticks)]))
        done = replay(Path(sys.executable), "", "0", file)
        assert done.returncode == 1
        assert words in done.stdout


_played: list[str] = []


def played(yard: Yard) -> list[str]:
    """Matches of both rulesets with a few ticks; Last Waters by computer players."""
    if not _played:
        people = [f"p09-{number}" for number in range(2)]
        bots = yard.open(people, cadence=2, ruleset=RULESET.id, settings=b"{}", bots=SEATS - 1)
        with at_sea(yard, chance("p09"), matches=1) as (matches, _):
            wait_for_ticks(yard, [bots, *matches], TICKS)
        _played.extend([*matches, bots])
    return _played


def replay(python: Path, path: str, seed: str, file: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [python, "-m", "tests.drills.replay", file],
        cwd=ROOT,
        env={
            "PATH": os.environ["PATH"],
            "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), path])),
            "PYTHONHASHSEED": seed,
            "PYTHONDONTWRITEBYTECODE": "1",
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def interpreters(scratch: Path) -> Iterator[tuple[Path, str]]:
    """This Python and every other found, each with where it finds msgspec.

    One of another version needs a msgspec of its own. A full run installs it; a sample, which needs no network,
    takes those that have it.
    """
    yield Path(sys.executable), ""
    for python in others():
        version = language(python)
        if version[:2] == sys.version_info[:2]:
            yield python, sysconfig.get_path("platlib")
        elif has_msgspec(python):
            yield python, ""
        elif FULL:
            home = scratch / ".".join(map(str, version))
            pip = [
                python,
                "-m",
                "pip",
                "install",
                "--quiet",
                "--target",
                home,
                f"msgspec=={msgspec.__version__}",
            ]
            subprocess.run(pip, check=True, capture_output=True)
            yield python, str(home)
        else:
            print(f"{python} has no msgspec; only a full run replays on it")


def others() -> list[Path]:
    names = [f"python3.{minor}" for minor in range(OLDEST[1], 20)]
    places = [Path(place) for place in os.environ["PATH"].split(os.pathsep)]
    places += [home / "bin" for home in (Path.home() / ".pyenv" / "versions").glob("*")]
    found = {
        Path(real).resolve()
        for place in places
        for name in names
        if (real := shutil.which(name, path=str(place))) is not None
    }
    own = Path(sys.executable).resolve()
    return sorted(python for python in found - {own} if language(python) >= OLDEST)


def language(python: Path) -> tuple[int, ...]:
    """Its version; of what only looks like a Python, none."""
    done = subprocess.run([python, "-c", LANGUAGE], capture_output=True, text=True, check=False)
    return tuple(map(int, done.stdout.split())) if done.returncode == 0 else ()


def has_msgspec(python: Path) -> bool:
    done = subprocess.run([python, "-c", "import msgspec"], capture_output=True, check=False, cwd="/")
    return done.returncode == 0
