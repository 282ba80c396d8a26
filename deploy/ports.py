"""Choosing and checking loopback ports."""

import random
import socket
from pathlib import Path

LOOPBACK = "127.0.0.1"
LOWEST = 15_000


def is_free(port: int, host: str = LOOPBACK) -> bool:
    """Whether a server could listen on the port now."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        # A server that has just ended leaves connections in TIME_WAIT; they do not keep the port.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def free_port() -> int:
    """A free loopback port from below the range the kernel gives to outgoing connections.

    A port of that range could be taken by any client while its server restarts. The choice is random so
    that two runs starting at the same moment do not meet.
    """
    ephemeral = Path("/proc/sys/net/ipv4/ip_local_port_range").read_text()
    highest = max(int(ephemeral.split()[0]), LOWEST + 1_000)
    choice = random.SystemRandom()
    for _ in range(200):
        port = choice.randrange(LOWEST, highest)
        if is_free(port):
            return port
    raise OSError(f"no free port found between {LOWEST} and {highest} on {LOOPBACK}")
