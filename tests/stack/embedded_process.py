"""The embedded stack in a process of its own, for tests: prints its address as a line of JSON, serves until told
to leave.

    python -m tests.stack.embedded_process [EXPORT]

With the export of a match, match id, order ids and nonces are the export's, in the order in which
``tests.stack.replaying`` files and seals; everything else is drawn as ever.
"""

import json
import sys
from pathlib import Path

import shared.runtime.patched  # noqa: F401 - before anything that may wait
from shared.runtime import logs
from shared.runtime.embedded import Embedded
from shared.runtime.process import StopSignal
from shared.runtime.settings import read_settings
from tests.stack.replaying import ReplayedIds


def main(arguments: list[str]) -> None:
    settings = read_settings()
    logs.configure(settings.log_level, sys.stderr)
    stop = StopSignal()
    if arguments:
        stack = Embedded(settings, ReplayedIds(json.loads(Path(arguments[0]).read_text())))
    else:
        stack = Embedded(settings)
    try:
        stack.serve(stop, lambda: print(json.dumps({"address": stack.address}), flush=True))
    finally:
        stack.close()


if __name__ == "__main__":
    main(sys.argv[1:])
