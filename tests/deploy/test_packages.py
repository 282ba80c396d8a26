"""Missing servers are installed where that is possible, and named where it is not."""

import stat
from pathlib import Path

import pytest

from deploy import packages
from deploy.packages import Package, PackagesMissing


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """A machine without Redis, whose apt-get is a script that records what it is asked."""
    there = {"postgresql", "rabbitmq-server"}
    monkeypatch.setattr(
        packages,
        "PACKAGES",
        {
            name: Package(debian, lambda debian=debian: debian if debian in there else None)
            for name, debian in [
                ("postgresql", "postgresql"),
                ("rabbitmq", "rabbitmq-server"),
                ("redis", "redis-server"),
            ]
        },
    )
    monkeypatch.setattr(packages, "SERVICE_POLICY", tmp_path / "policy-rc.d")
    monkeypatch.setattr("deploy.packages.os.geteuid", lambda: 0)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    return there


def fake_apt(directory: Path, script: str) -> Path:
    program = directory / "apt-get"
    program.write_text(f"#!/bin/sh\ncd {directory}\n{script}\n")
    program.chmod(0o755)
    return directory / "asked"


def test_nothing_is_done_when_all_is_there(installed: set[str], tmp_path: Path) -> None:
    asked = fake_apt(tmp_path, "touch asked")
    assert packages.ensure(["postgresql", "rabbitmq"]) == []
    assert not asked.exists()


def test_installs_what_is_missing_without_starting_services(
    installed: set[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = fake_apt(tmp_path, 'echo "$@" >> asked; ./policy-rc.d; echo policy $? >> asked')
    apt_get = packages._apt_get

    def install(*arguments: str) -> None:
        apt_get(*arguments)
        if arguments[0] == "install":
            installed.add(arguments[-1])

    monkeypatch.setattr(packages, "_apt_get", install)
    assert packages.ensure() == ["redis-server"]
    lines = asked.read_text().splitlines()
    assert lines[1] == lines[3] == "policy 101"
    assert lines[2].endswith("install -qq --no-install-recommends redis-server")
    assert not packages.SERVICE_POLICY.exists()


def test_a_policy_of_the_administrator_stays(installed: set[str], tmp_path: Path) -> None:
    packages.SERVICE_POLICY.write_text("#!/bin/sh\nexit 0\n")
    fake_apt(tmp_path, "echo no network; exit 100")
    with pytest.raises(PackagesMissing, match=r"(?s)apt-get update -qq failed:.*no network"):
        packages.ensure()
    assert packages.SERVICE_POLICY.read_text() == "#!/bin/sh\nexit 0\n"
    assert not packages.SERVICE_POLICY.stat().st_mode & stat.S_IXUSR


def test_only_what_is_known_by_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert packages.main(["chrome"]) == 2
    assert "no such package: chrome; there are postgresql," in capsys.readouterr().err


def test_without_root_the_way_to_install_is_one_line(
    installed: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("deploy.packages.os.geteuid", lambda: 1000)
    with pytest.raises(PackagesMissing) as raised:
        packages.ensure()
    assert str(raised.value) == (
        "not installed: redis-server; on Debian: sudo apt-get install --no-install-recommends redis-server"
    )
