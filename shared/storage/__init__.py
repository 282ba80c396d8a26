"""Engine and transactions, outbox and inbox, migrations: the same on PostgreSQL and SQLite."""
