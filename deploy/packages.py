"""The Debian packages of the three servers, and of the browser that tests the web client.

python -m deploy.packages [NAME ...]      without a name: the servers
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from deploy import postgresql, rabbitmq, redis

# Debian's packages start their servers when installed, unless this program says no (exit code 101).
SERVICE_POLICY = Path("/usr/sbin/policy-rc.d")
NO_SERVICES = "#!/bin/sh\nexit 101\n"
# For what the client's own fonts lack; Chromium alone brings none.
FONT = Path("/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf")


class PackagesMissing(Exception):
    """Programs are not installed and cannot be installed from here; the message says how to."""


@dataclass(frozen=True)
class Package:
    """A Debian package and how to see whether what it brings is there."""

    debian: str
    found: Callable[[], object | None]


PACKAGES = {
    "postgresql": Package("postgresql", postgresql.binaries),
    "rabbitmq": Package("rabbitmq-server", rabbitmq.server_program),
    "redis": Package("redis-server", redis.binary),
    "chromium": Package("chromium", lambda: shutil.which("chromium")),
    "fonts": Package("fonts-dejavu-core", lambda: FONT if FONT.exists() else None),
}
SERVERS = ("postgresql", "rabbitmq", "redis")
BROWSER = ("chromium", "fonts")


def ensure(wanted: Collection[str] = SERVERS) -> list[str]:
    """Have the packages of these names installed; those that were installed just now.

    Installs only as root on Debian. Raises PackagesMissing with one line otherwise.
    """
    names = _missing(wanted)
    if not names:
        return []
    if not (os.geteuid() == 0 and shutil.which("apt-get")):
        raise PackagesMissing(
            f"not installed: {', '.join(names)}; on Debian: sudo apt-get install --no-install-recommends {' '.join(names)}"
        )
    print(f"installing {', '.join(names)}", flush=True)
    with _services_held_back():
        _apt_get("update", "-qq")
        _apt_get("install", "-qq", "--no-install-recommends", *names)
    if still := _missing(wanted):
        raise PackagesMissing(f"installed, yet their programs were not found: {', '.join(still)}")
    return names


def _missing(wanted: Collection[str]) -> list[str]:
    return [PACKAGES[name].debian for name in wanted if PACKAGES[name].found() is None]


@contextmanager
def _services_held_back() -> Iterator[None]:
    """A policy that is there already is the administrator's and stays as it is."""
    ours = not SERVICE_POLICY.exists()
    if ours:
        SERVICE_POLICY.write_text(NO_SERVICES)
        SERVICE_POLICY.chmod(0o755)
    try:
        yield
    finally:
        if ours:
            SERVICE_POLICY.unlink()


def _apt_get(*arguments: str) -> None:
    result = subprocess.run(
        ["apt-get", "-y", "-o", "DPkg::Lock::Timeout=120", *arguments],
        env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if result.returncode != 0:
        last = "\n".join(result.stdout.splitlines()[-8:])
        raise PackagesMissing(f"apt-get {' '.join(arguments)} failed:\n{last}")


def main(names: Sequence[str]) -> int:
    """Install what is missing, or say how to."""
    if unknown := [name for name in names if name not in PACKAGES]:
        print(f"no such package: {', '.join(unknown)}; there are {', '.join(PACKAGES)}", file=sys.stderr)
        return 2
    try:
        ensure(names or SERVERS)
    except PackagesMissing as problem:
        print(problem, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
