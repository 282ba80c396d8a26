"""`make setup` on machines that lack something, with stand-ins for python3, npm, apt-get and id."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
WEB = "gateway/web"

# Knows what setup.sh asks of it: its version, whether it can make environments, to make one, and to install.
PYTHON = """#!/bin/sh
echo "python3 $*" >> "$HERE/asked"
case "$*" in
    *version_info*) [ -e "$HERE/version-fits" ] ;;
    *ensurepip*) [ -e "$HERE/venv-package" ] ;;
    "-m venv .venv") mkdir -p .venv/bin && cp "$0" .venv/bin/python && touch .venv/bin/pip && chmod +x .venv/bin/pip ;;
    *"pip"*"install"*) [ ! -e "$HERE/no-network" ] ;;
esac
"""
APT_GET = """#!/bin/sh
echo "apt-get $*" >> "$HERE/asked"
case "$*" in
    *"install "*python3-venv*) touch "$HERE/venv-package" ;;
    *"install "*npm*) cp "$HERE/npm" "$HERE/programs/npm" && chmod +x "$HERE/programs/npm" ;;
esac
"""
NPM = """#!/bin/sh
echo "npm $*" >> "$HERE/asked"
[ ! -e "$HERE/no-npm-registry" ] || { echo "ENOTFOUND"; exit 1; }
echo "added 5 packages"
mkdir -p gateway/web/node_modules
"""
ID = '#!/bin/sh\ncat "$HERE/uid"\n'


class Machine:
    """A checkout and a PATH of stand-ins."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.checkout = directory / "checkout"
        (self.checkout / "deploy").mkdir(parents=True)
        shutil.copy(ROOT / "deploy" / "setup.sh", self.checkout / "deploy")
        (self.checkout / WEB).mkdir(parents=True)
        for name in (
            "requirements.lock",
            "pyproject.toml",
            f"{WEB}/package.json",
            f"{WEB}/package-lock.json",
        ):
            (self.checkout / name).write_text(name)
        programs = directory / "programs"
        programs.mkdir()
        (directory / "npm").write_text(NPM)
        for name, text in [("python3", PYTHON), ("npm", NPM), ("apt-get", APT_GET), ("id", ID)]:
            (programs / name).write_text(text)
            (programs / name).chmod(0o755)
        for name in (
            "sh",
            "dirname",
            "cat",
            "cksum",
            "rm",
            "mkdir",
            "cp",
            "touch",
            "chmod",
            "mktemp",
            "tail",
        ):
            found = shutil.which(name)
            assert found
            (programs / name).symlink_to(found)
        self.has("version-fits")
        (directory / "uid").write_text("0\n")

    def has(self, what: str) -> None:
        (self.directory / what).touch()

    def setup(self) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [self.checkout / "deploy" / "setup.sh"],
            env={"PATH": str(self.directory / "programs"), "HERE": str(self.directory)},
            capture_output=True,
            text=True,
            check=False,
        )

    def asked(self, program: str) -> list[str]:
        log = self.directory / "asked"
        lines = log.read_text().splitlines() if log.exists() else []
        return [line for line in lines if line.startswith(program) and "version_info" not in line]


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


def test_installs_the_locked_packages_with_their_hashes(machine: Machine) -> None:
    machine.has("venv-package")
    assert machine.setup().returncode == 0
    installs = [line for line in machine.asked("python3") if " install " in line]
    assert "--require-hashes -r requirements.lock" in installs[0]
    assert "--no-deps --editable ." in installs[1]
    assert machine.asked("apt-get") == []


def test_does_nothing_until_the_lock_changes(machine: Machine) -> None:
    machine.has("venv-package")
    machine.setup()
    before = machine.asked("python3")
    assert machine.setup().returncode == 0
    assert machine.asked("python3") == before
    (machine.checkout / "requirements.lock").write_text("newer")
    assert machine.setup().returncode == 0
    assert sum(" install " in line for line in machine.asked("python3")) == 4
    assert machine.asked("python3").count("python3 -m venv .venv") == 1


def test_root_on_debian_gets_the_missing_part_of_python(machine: Machine) -> None:
    assert machine.setup().returncode == 0
    assert "python3-venv" in machine.asked("apt-get")[-1]
    assert (machine.checkout / ".venv" / "installed").exists()


def test_others_are_told_what_to_install(machine: Machine) -> None:
    (machine.directory / "uid").write_text("1000\n")
    result = machine.setup()
    assert result.returncode == 1
    assert result.stderr == (
        "setup: python3 cannot make virtual environments; on Debian: sudo apt-get install python3-venv\n"
    )


def test_python_out_of_range_is_said(machine: Machine) -> None:
    (machine.directory / "uid").write_text("1000\n")
    (machine.directory / "version-fits").unlink()
    result = machine.setup()
    assert result.returncode == 1
    assert result.stderr.startswith("setup: no Python 3.11 to 3.13 found")


def test_failed_installation_is_tried_again(machine: Machine) -> None:
    machine.has("venv-package")
    machine.has("no-network")
    assert machine.setup().returncode != 0
    assert not (machine.checkout / ".venv" / "installed").exists()
    (machine.directory / "no-network").unlink()
    assert machine.setup().returncode == 0


def test_installs_the_locked_npm_packages_without_their_scripts(machine: Machine) -> None:
    machine.has("venv-package")
    result = machine.setup()
    assert (result.returncode, result.stdout) == (0, "")
    (install,) = machine.asked("npm")
    assert install.startswith(f"npm ci --prefix {WEB} ")
    assert "--ignore-scripts" in install
    assert result.stderr.splitlines()[-1] == f"setup: installing npm packages into {WEB}/node_modules"


@pytest.mark.parametrize("name", ["package.json", "package-lock.json"])
def test_npm_is_asked_again_only_when_its_files_change(machine: Machine, name: str) -> None:
    machine.has("venv-package")
    machine.setup()
    assert machine.setup().stderr == ""
    assert len(machine.asked("npm")) == 1
    (machine.checkout / WEB / name).write_text("newer")
    assert machine.setup().returncode == 0
    assert len(machine.asked("npm")) == 2
    assert sum(" install " in line for line in machine.asked("python3")) == 2


def test_root_on_debian_gets_npm(machine: Machine) -> None:
    machine.has("venv-package")
    (machine.directory / "programs" / "npm").unlink()
    assert machine.setup().returncode == 0
    assert machine.asked("apt-get")[-1].endswith("install --no-install-recommends npm")
    assert len(machine.asked("npm")) == 1


def test_others_are_told_that_npm_is_missing(machine: Machine) -> None:
    machine.has("venv-package")
    (machine.directory / "uid").write_text("1000\n")
    (machine.directory / "programs" / "npm").unlink()
    result = machine.setup()
    assert result.returncode == 1
    assert result.stderr.splitlines()[-1] == (
        "setup: npm is missing, which installs what the web client uses; on Debian: sudo apt-get install npm"
    )


def test_failed_npm_says_why_and_is_tried_again(machine: Machine) -> None:
    machine.has("venv-package")
    machine.has("no-npm-registry")
    result = machine.setup()
    assert result.returncode == 1
    assert result.stderr.splitlines()[-2:] == [
        "ENOTFOUND",
        f"setup: npm could not install the packages of {WEB}",
    ]
    (machine.directory / "no-npm-registry").unlink()
    assert machine.setup().returncode == 0
    assert (machine.checkout / WEB / "node_modules" / "installed").exists()
