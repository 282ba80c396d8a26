"""The ``lastwaters`` command: one module a group of subcommands, put together by ``main``."""
