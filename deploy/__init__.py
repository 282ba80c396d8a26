"""Running Last Waters on one machine: private servers, packages, and the local stack of `make up`."""

import shared.storage  # noqa: F401  chooses how psycopg waits, before anything here imports it
