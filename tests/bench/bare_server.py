"""A bare Flask route on the gateway's own server, to measure the gateway against.

python -m tests.bench.bare_server PORT FILE: every GET / is answered with the JSON of FILE.
"""

import socket
import sys
from pathlib import Path

from flask import Flask, Response

from gateway.serve import GatewayProcess
from shared.runtime.settings import Settings


class BareProcess(GatewayProcess):
    """gunicorn as the gateway sets it up, without the gateway."""

    def __init__(self, listener: socket.socket, body: bytes) -> None:
        self._body = body
        super().__init__(Settings(), "", "", listener)

    def load(self) -> Flask:
        app = Flask("bare", static_folder=None)
        app.add_url_rule("/", "body", lambda: Response(self._body, content_type="application/json"))
        return app


if __name__ == "__main__":
    BareProcess(socket.create_server(("127.0.0.1", int(sys.argv[1]))), Path(sys.argv[2]).read_bytes()).run()
