"""python -m tests.bench [NAME ...]: prints the figures whose names start so (``rules``, ``stack.drain``), else all.

One JSON line a figure on standard output, progress on standard error. A figure that misses its goal is still a
figure; one that cannot be measured ends the run with its error.
"""

import sys
from collections.abc import Callable, Iterator, Sequence

from tests.bench import embedded, gateway, rules, stack, warfare
from tests.bench.figure import Figure

BENCHES: dict[str, Callable[[], Iterator[Figure]]] = {
    "rules.tick": rules.tick,
    "rules.whole": rules.whole,
    "rules.scale": rules.scale,
    "warfare.battles": warfare.battles,
    "stack.drain": stack.drain,
    "stack.late": stack.late,
    "gateway.view": gateway.view,
    "embedded.memory": embedded.memory,
}


def main(names: Sequence[str]) -> int:
    chosen = [name for name in BENCHES if not names or name.startswith(tuple(names))]
    if not chosen:
        print(
            f"bench: no figure is named {' or '.join(names)}; there are {', '.join(BENCHES)}", file=sys.stderr
        )
        return 2
    for name in chosen:
        print(f"bench: {name}", file=sys.stderr)
        for figure in BENCHES[name]():
            print(figure.line(), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
