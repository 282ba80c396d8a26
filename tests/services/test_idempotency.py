"""The first answer comes again: kept beside the effect, on both databases."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa

from shared.contracts.base import Refusal
from shared.contracts.orders import Cancelled, CancelOrder, Receipt
from shared.storage import idempotency
from shared.storage.database import Database
from shared.storage.engine import create_engine, file_url
from tests.services.harness import START, ManualClock

metadata = sa.MetaData()
idempotency.attach(metadata)
ASKED = CancelOrder(account="a", match="m1", tick=1, order="o1", key="k1")


class Shop:
    """Counts how often its work is done."""

    def __init__(self, where: Path) -> None:
        self.clock = ManualClock()
        engine = create_engine(file_url(where / "shop.sqlite"), "shop", durable=False)
        metadata.create_all(engine)
        self.engine = engine
        self.database = Database(engine, self.clock.now, lambda *_: None)
        self.done = 0

    def ask(self, request: CancelOrder, refuse: bool = False) -> Cancelled:
        def work() -> Cancelled:
            self.done += 1
            if refuse:
                raise Refusal("tick-closed", "too late")
            return answer(str(self.done))

        with self.database.begin() as tx:
            return idempotency.first_answer(tx, request, work)


def answer(text: str) -> Cancelled:
    receipt = Receipt(
        kind="cancelled", match="m1", tick=1, text=text, sha256="", filed_at=START, key="", signature=""
    )
    return Cancelled(receipt=receipt, etag=text)


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    shop = Shop(tmp_path)
    yield shop
    shop.engine.dispose()


def test_the_first_answer_comes_again(shop: Shop) -> None:
    answers = [shop.ask(ASKED) for _ in range(3)]
    assert answers == [answer("1")] * 3
    assert shop.done == 1


@pytest.mark.parametrize("change", [{"tick": 2}, {"order": "o2"}, {"match": "m2"}, {"account": "b"}])
def test_another_request_under_the_key_is_refused(shop: Shop, change: dict[str, Any]) -> None:
    shop.ask(ASKED)
    with pytest.raises(Refusal) as refusal:
        shop.ask(msgspec.structs.replace(ASKED, **change))
    assert refusal.value.code == "idempotency-mismatch"
    assert shop.done == 1


def test_without_a_key_everything_is_done(shop: Shop) -> None:
    unkeyed = msgspec.structs.replace(ASKED, key=None)
    assert [shop.ask(unkeyed).etag for _ in range(2)] == ["1", "2"]


def test_a_refusal_leaves_the_key_free(shop: Shop) -> None:
    with pytest.raises(Refusal):
        shop.ask(ASKED, refuse=True)
    assert shop.ask(ASKED).etag == "2"
    assert shop.ask(ASKED).etag == "2"


def test_keys_are_forgotten_after_a_day(shop: Shop) -> None:
    shop.ask(ASKED)
    shop.clock.advance(timedelta(hours=24).total_seconds())
    assert shop.ask(ASKED).etag == "1"
    shop.clock.advance(1)
    assert shop.ask(ASKED).etag == "2"
    for number in range(50):
        shop.ask(msgspec.structs.replace(ASKED, key=f"old{number}"))
    shop.clock.advance(timedelta(hours=25).total_seconds())
    for number in range(3):
        shop.ask(msgspec.structs.replace(ASKED, key=f"new{number}"))
    with shop.database.read() as tx:
        assert tx.scalar(sa.select(sa.func.count()).select_from(metadata.tables["first_answers"])) == 3


def test_keys_and_digests_of_what_was_asked() -> None:
    assert idempotency.digest(ASKED) == idempotency.digest(msgspec.structs.replace(ASKED, key="k2"))
    assert len(idempotency.digest(ASKED)) == 64
