"""Types, upserts and transactions, as every service's store relies on them."""

import zlib
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import msgspec
import pytest
import sqlalchemy as sa

from shared.contracts.accounts import AccountDeleted
from shared.runtime.envelope import decode
from shared.runtime.ids import SystemIds
from shared.storage import database as storage_database
from shared.storage import engine as storage_engine
from shared.storage import event_tables, outbox
from shared.storage.database import Database, in_transaction
from shared.storage.deflate import deflate, inflate
from shared.storage.engine import create_engine, file_url
from shared.storage.types import UTCDateTime
from shared.storage.upsert import insert_or_ignore, upsert

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)

metadata = sa.MetaData()
thing = sa.Table(
    "thing",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("at", UTCDateTime),
    sa.Column("count", sa.Integer, nullable=False, default=0),
)
event_tables.attach(metadata)


@pytest.fixture
def store(tmp_path: Path) -> Database:
    engine = create_engine(file_url(tmp_path / "things.sqlite"), "things", durable=False)
    metadata.create_all(engine)
    return Database(engine, lambda: NOON, outbox.OutboxEmitter(SystemIds()))


def test_instants_come_back_aware_in_utc_and_sort_as_times(store: Database) -> None:
    east = datetime(2026, 1, 1, 14, tzinfo=timezone(timedelta(hours=3)))
    with store.begin() as tx:
        tx.execute(sa.insert(thing), [{"id": "noon", "at": NOON}, {"id": "east", "at": east}])
    with store.read() as tx:
        rows = tx.all(sa.select(thing.c.id, thing.c.at).order_by(thing.c.at))
    assert [(row.id, row.at) for row in rows] == [("east", east), ("noon", NOON)]
    assert all(row.at.tzinfo is UTC for row in rows)
    with pytest.raises(sa.exc.StatementError, match="needs an offset"), store.begin() as tx:
        tx.execute(sa.insert(thing).values(id="naive", at=datetime(2026, 1, 1)))


def test_inserts_that_meet_a_row(store: Database) -> None:
    with store.begin() as tx:
        assert tx.execute(insert_or_ignore(thing, {"id": "a", "count": 1})).rowcount == 1
        assert tx.execute(insert_or_ignore(thing, {"id": "a", "count": 2})).rowcount == 0
        new = insert_or_ignore(thing, [{"id": "a", "count": 3}, {"id": "b", "count": 3}])
        assert tx.execute(new.returning(thing.c.id)).scalars().all() == ["b"]
        tx.execute(upsert(thing, {"id": "a", "count": 9}, key=["id"], update=["count"]))
        rows = tx.all(sa.select(thing.c.id, thing.c["count"]))
        assert {tuple(row) for row in rows} == {("a", 9), ("b", 3)}


def test_an_event_is_stored_only_with_its_effects(store: Database) -> None:
    woken: list[int] = []
    store.on_emit = lambda: woken.append(1)
    with pytest.raises(ValueError, match="no"), store.begin() as tx:
        tx.emit(AccountDeleted(account="a"))
        raise ValueError("no")
    with store.begin() as tx:
        tx.emit(AccountDeleted(account="b"))
        assert woken == []
    assert woken == [1]
    with store.begin() as tx:
        (row,) = outbox.claim_unpublished(tx, 10) or []
        assert '"account":"b"' in row.envelope
        outbox.mark_published(tx, [row.seq], NOON)
        assert outbox.claim_unpublished(tx, 10) == []
        assert outbox.clean(tx, NOON + outbox.KEEP_PUBLISHED) == 0
        assert outbox.clean(tx, NOON + outbox.KEEP_PUBLISHED + timedelta(seconds=1)) == 1


def test_events_are_stored_in_their_order_and_without_those_of_an_undone_savepoint(store: Database) -> None:
    with store.begin() as tx:
        tx.emit(AccountDeleted(account="a"))
        with pytest.raises(ValueError, match="no"), tx.savepoint():
            tx.emit(AccountDeleted(account="undone"))
            raise ValueError("no")
        with tx.savepoint():
            tx.emit(AccountDeleted(account="b"))
        tx.emit(AccountDeleted(account="c"))
    with store.begin() as tx:
        rows = outbox.claim_unpublished(tx, 10) or []
    payloads = [msgspec.json.decode(decode(row.envelope).payload) for row in rows]
    assert [payload["account"] for payload in payloads] == ["a", "b", "c"]


def test_a_transaction_that_only_reads_emits_and_changes_nothing(store: Database) -> None:
    with pytest.raises(RuntimeError, match="only reads"), store.read() as tx:
        tx.emit(AccountDeleted(account="a"))
    with pytest.raises(RuntimeError, match="only reads"), store.read() as tx:
        tx.execute(sa.insert(thing).values(id="a", count=1))


def test_a_connection_that_the_server_has_closed_is_not_given_out(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether it was used a moment ago or long ago."""
    engine = create_engine(database, "accounts")
    for idle in (3_600.0, 0.0):
        monkeypatch.setattr(storage_engine, "IDLE_SECONDS", idle)
        with engine.connect() as connection:
            process = connection.scalar(sa.text("SELECT pg_backend_pid()"))
        other = sa.create_engine(engine.url)
        with other.connect() as connection:
            connection.execute(sa.text("SELECT pg_terminate_backend(:p, 5000)"), {"p": process})
        other.dispose()
        with engine.connect() as connection:
            assert connection.scalar(sa.text("SELECT pg_backend_pid()")) != process
    engine.dispose()


@pytest.mark.parametrize("size", [0, 1, 300, 5_000, 300_000])
def test_what_is_deflated_comes_back(size: int) -> None:
    text = "".join(f'{{"n":{n}}}' for n in range(size // 8)).encode()
    assert inflate(deflate(text)) == text == zlib.decompress(deflate(text))
    assert len(deflate(text)) < max(len(text) / 2, 300)


def test_a_transaction_inside_another_is_an_error_and_no_hang(
    store: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storage_database, "SQLITE_BUSY_MS", 50)
    with store.begin():
        assert in_transaction()
        with pytest.raises(TimeoutError, match="inside another"), store.begin():
            pass
    assert not in_transaction()
    with store.begin():
        pass


def test_errors_never_quote_values(store: Database) -> None:
    with pytest.raises(sa.exc.IntegrityError) as raised, store.begin() as tx:
        tx.execute(sa.insert(thing).values(id="canary", count=1))
        tx.execute(sa.insert(thing).values(id="canary", count=1))
    assert "canary" not in str(raised.value)


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///:memory:"])
def test_a_database_that_only_one_connection_sees_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="is a file"):
        create_engine(url, "things")
