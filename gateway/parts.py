"""What one gateway keeps between requests."""

import time

from gateway.auth import Sessions
from gateway.ports import GatewayPorts
from gateway.ratelimits import RateLimiter
from gateway.views import Views
from gateway.web_files import WebFiles


class Parts:
    """Built once for each app; every request reaches it through its ``Visit``."""

    def __init__(self, ports: GatewayPorts) -> None:
        self.ports = ports
        self.sessions = Sessions(ports.call, time.monotonic)
        self.web_files = WebFiles()
        self.views = Views(ports.call, ports.kept, time.monotonic)
        self.limiter = RateLimiter(
            ports.limits, lambda: ports.clock.now().timestamp(), ports.settings.limits_factor
        )
        ports.hub.on_wake(self.views.forget_current)
        ports.hub.on_sessions_ended(self.sessions.forget)
