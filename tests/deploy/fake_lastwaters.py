"""Stands in for `lastwaters` in the tests of the launcher: `migrate`, and `serve NAME` with /readyz.

Files in FAKE_DIR steer it: `NAME.broken` makes the service end at once, `migrate.broken` the migrations.
"""

import json
import os
import signal
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

STEERING = Path(os.environ["FAKE_DIR"])
ADDRESSES = {name: value for name, value in os.environ.items() if name.startswith("LASTWATERS_")}


class Ops(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200 if self.path == "/readyz" else 404)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


def migrate() -> int:
    if (STEERING / "migrate.broken").exists():
        print("no such column")
        return 1
    (STEERING / "migrate.json").write_text(json.dumps(ADDRESSES))
    return 0


def serve(service: str) -> int:
    if (STEERING / f"{service}.broken").exists():
        print("broken on purpose")
        return 1
    (STEERING / f"{service}.json").write_text(json.dumps(ADDRESSES))
    server = HTTPServer(("127.0.0.1", int(os.environ["LASTWATERS_OPS_PORT"])), Ops)

    def drain(*_: object) -> None:
        print("asked to leave", flush=True)
        with (STEERING / "left").open("a") as left:
            left.write(f"{service}\n")
        if not (STEERING / f"{service}.stubborn").exists():
            threading.Thread(target=server.shutdown).start()

    signal.signal(signal.SIGTERM, drain)
    server.serve_forever()
    return 0


if __name__ == "__main__":
    sys.exit(migrate() if sys.argv[1] == "migrate" else serve(sys.argv[2]))
