"""``python -m shared.cli``: the ``lastwaters`` command without an installed script."""

from shared.cli.main import main

main()
