"""`make up` and `make down`.

python -m deploy.local up [RESOLUTION=3 ...] [--run-dir .run]
python -m deploy.local down [--run-dir .run]
"""

import argparse
import os
import shlex
import signal
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from deploy.packages import PackagesMissing
from deploy.plan import GATEWAY, SERVICES
from deploy.private import ServerError
from deploy.stack import LASTWATERS, Stack, StackError, default_run_dir


def parse_counts(words: Sequence[str]) -> dict[str, int]:
    """`RESOLUTION=3` as {"resolution": 3}; StackError on anything else."""
    counts = {}
    for word in words:
        name, _, number = word.partition("=")
        service = name.lower()
        if service == GATEWAY:
            raise StackError("there is one gateway, on one port; the services behind it can be many")
        if service not in SERVICES:
            raise StackError(f"{name} is no service; there are {', '.join(map(str.upper, SERVICES))}")
        if not number.isdecimal() or not 1 <= int(number) <= 64:
            raise StackError(f"{word}: how many processes of {service}? A number from 1 to 64")
        counts[service] = int(number)
    return counts


def up(
    stack: Stack, counts: Mapping[str, int], environ: Mapping[str, str], command: list[str], fast: bool
) -> None:
    """Start what is missing and say where everything is."""
    started = stack.start(counts, environ, command, fast)
    plan = stack.plan
    assert plan is not None and plan.gateway is not None
    for program in plan.programs:
        state = "started" if program.name in started else "already running"
        pid = stack.process(program.name).pid
        print(f"  {program.name:<14} {state}, process {pid}, {program.ops_url}/metrics")
    for service, wanted in counts.items():
        if plan.count(service) > wanted:
            print(
                f"{service}: {plan.count(service)} run, {wanted} asked for; `make down` first to have fewer"
            )
    print(f"""
Play at         {plan.gateway.url}
Logs in         {stack.run_dir / "logs"}
Operate with    . {stack.environment_file} && {LASTWATERS} ops --help
Stop with       make down""")


def down(stack: Stack) -> None:
    """End what `up` started."""
    # Each process gets one signal and a bounded time. An impatient Ctrl-C must not cut that short: the
    # next `make down` would send a second signal, which makes services drop the work at hand.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    stopped = stack.stop()
    print(f"stopped {', '.join(stopped)}" if stopped else "nothing was running")


def main(arguments: Sequence[str] | None = None) -> int:
    """The whole stack on this machine, up or down."""
    parser = argparse.ArgumentParser(prog="python -m deploy.local", description=main.__doc__)
    parser.add_argument("action", choices=["up", "down"])
    parser.add_argument("counts", nargs="*", metavar="SERVICE=n", help="how many processes of a service")
    parser.add_argument("--run-dir", type=Path, default=default_run_dir())
    parser.add_argument("--command", default=str(LASTWATERS), help="the lastwaters program")
    parser.add_argument("--fast", action="store_true", help="for tests: no safety against a machine crash")
    options = parser.parse_args(arguments)
    stack = Stack(options.run_dir)
    try:
        if options.action == "up":
            counts = parse_counts(options.counts)
            up(stack, counts, dict(os.environ), shlex.split(options.command), options.fast)
        else:
            down(stack)
    except (StackError, ServerError, PackagesMissing) as problem:
        print(problem, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
