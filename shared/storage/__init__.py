"""Engine and transactions, outbox and inbox, migrations: the same on PostgreSQL and SQLite.

psycopg reads its wait function when it is imported, and its C wait would stop every greenlet of the process
(reliability 1). This package is the only one that imports psycopg, so the choice is made here.
"""

import os

os.environ["PSYCOPG_WAIT_FUNC"] = "wait_selector"
