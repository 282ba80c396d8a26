"""CPU time of a running stack by process: what work costs, whoever else has the machine meanwhile."""

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from deploy.plan import GATEWAY
from deploy.servers import PRIVATE
from deploy.stack import Stack

TICKS_A_SECOND = os.sysconf("SC_CLK_TCK")


def cpu_seconds(stack: Stack) -> dict[str, float]:
    """Used so far by each service and server, by name; with all that it has started."""
    processes = {name: stack.process(name) for name in (*(one.name for one in stack.programs), GATEWAY)}
    for server in PRIVATE:
        processes[server.name] = server(stack.run_dir / "servers" / server.name).process
    return {
        name: sum(_seconds(member.pid) for member in process.members()) for name, process in processes.items()
    }


def cost(before: Mapping[str, float], after: Mapping[str, float], matches: int) -> dict[str, float]:
    """Milliseconds a match between the two looks, by process and in all, as a figure names them."""
    spent = {name: (after[name] - before[name]) * 1_000 / matches for name in after}
    spent["all"] = sum(spent.values())
    return {f"cpu_ms_per_match_{name}": each for name, each in spent.items()}


def _seconds(pid: int) -> float:
    """Of a process, and of its children that have ended."""
    with suppress(FileNotFoundError, ProcessLookupError):
        line = Path(f"/proc/{pid}/stat").read_text()
        return sum(map(int, line[line.rindex(")") :].split()[12:16])) / TICKS_A_SECOND
    return 0.0
