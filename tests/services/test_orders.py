"""orders: filing, lists, receipts, seals, refusals; on both databases where locks matter."""

import base64
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from services.orders import store
from services.orders.filing import MOST_ORDERS
from services.orders.service import OrdersService
from shared import canonical, proof
from shared.contracts.base import Refusal
from shared.contracts.clock import DeadlineSet
from shared.contracts.lobby import MatchClosed, SeatResigned
from shared.contracts.orders import (
    CancelOrder,
    EveryoneAnswered,
    FiledOrder,
    FileOrder,
    GetDesk,
    GetKeys,
    ListOrders,
    OrderList,
    Receipt,
    ReplaceOrders,
    SealedTick,
    SealRequestItem,
    SealTicks,
)
from shared.runtime.settings import Settings
from tests.services import harness
from tests.services.harness import START, Running
from tests.services.lone_match import CADENCE, LoneMatch

Orders = Running[OrdersService]


def name(number: int) -> msgspec.Raw:
    return msgspec.Raw(canonical.encode({"kind": "name", "number": number}))


LEAVE = msgspec.Raw(b'{"kind":"leave"}')


@pytest.fixture
def running(tmp_path: Path) -> tuple[Orders, LoneMatch]:
    """Orders with a match whose first list is open."""
    return opened(tmp_path)


def opened(where: Path | str, match: LoneMatch | None = None) -> tuple[Orders, LoneMatch]:
    match = match or LoneMatch()
    orders = harness.build(OrdersService, where)
    outcome = orders.deliver(match.started(), match.outcomes[0])
    assert outcome.handled == 2, outcome
    return orders, match


def file(orders: Orders, order: msgspec.Raw, *, tick: int = 1, account: int = 1, **more: Any) -> FiledOrder:
    return orders.ask(FileOrder(account=f"account-{account}", match="m1", tick=tick, order=order, **more))


def listed(orders: Orders, *, tick: int | None = None, account: int = 1) -> OrderList:
    return orders.ask(ListOrders(account=f"account-{account}", match="m1", tick=tick))


def seal(orders: Orders, tick: int = 1, match: str = "m1") -> SealedTick:
    (sealed,) = orders.ask(SealTicks(ticks=(SealRequestItem(match=match, tick=tick),))).items
    return sealed


def refused(code: str, call: Any, *args: Any, **more: Any) -> Refusal:
    with pytest.raises(Refusal) as caught:
        call(*args, **more)
    assert caught.value.code == code, caught.value
    return caught.value


def verify(receipt: Receipt, public_key: str) -> None:
    fields = msgspec.to_builtins(receipt)
    signature = base64.b64decode(fields.pop("signature"))
    Ed25519PublicKey.from_public_bytes(base64.b64decode(public_key)).verify(
        signature, canonical.encode(fields)
    )


def test_a_filed_order_is_answered_with_its_text_and_a_signed_receipt(
    running: tuple[Orders, LoneMatch],
) -> None:
    orders, _ = running
    filed = file(orders, name(7))
    assert msgspec.json.decode(filed.order) == {
        "id": filed.id,
        "seq": 1,
        "faction": "f1",
        "kind": "name",
        "number": 7,
    }
    receipt = filed.receipt
    assert receipt.text.encode() == bytes(filed.order)
    assert receipt.sha256 == proof.sha256(receipt.text)
    assert (receipt.kind, receipt.tick, receipt.filed_at) == ("filed", 1, START)
    (key,) = orders.ask(GetKeys()).items
    assert key.id == receipt.key
    verify(receipt, key.public_key)
    with pytest.raises(InvalidSignature):
        verify(msgspec.structs.replace(receipt, tick=2), key.public_key)
    assert listed(orders).orders == (filed,)


def test_a_restarted_process_and_a_second_one_sign_with_the_same_key(tmp_path: Path) -> None:
    orders, _ = opened(tmp_path)
    first = file(orders, LEAVE).receipt.key
    again = harness.build(OrdersService, tmp_path, ids=orders.ids)
    assert file(again, name(3)).receipt.key == first
    assert len(again.ask(GetKeys()).items) == 1


def test_a_given_key_signs_and_older_keys_stay_published(tmp_path: Path) -> None:
    orders, _ = opened(tmp_path)
    own = file(orders, LEAVE).receipt
    given = base64.b64encode(bytes(range(32))).decode()
    again = harness.build(OrdersService, tmp_path, ids=orders.ids, settings=Settings(signing_key=given))
    receipt = file(again, name(3)).receipt
    keys = again.ask(GetKeys()).items
    assert [key.id for key in keys] == [receipt.key, own.key]
    verify(receipt, keys[0].public_key)
    verify(own, keys[1].public_key)
    # The stored list still shows the receipt that was given out.
    assert listed(again).orders[0].receipt == own


def test_seq_counts_on_after_cancels_and_replacements_and_gaps_stay(
    running: tuple[Orders, LoneMatch],
) -> None:
    orders, _ = running
    first, second = file(orders, LEAVE), file(orders, name(5))
    cancelled = orders.ask(CancelOrder(account="account-1", match="m1", tick=1, order=first.id))
    assert cancelled.receipt.kind == "cancelled"
    assert cancelled.receipt.text == first.receipt.text
    assert [order.seq for order in listed(orders).orders] == [second.seq] == [2]
    replaced = orders.ask(
        ReplaceOrders(
            account="account-1", match="m1", tick=1, orders=(name(9), LEAVE), if_match=cancelled.etag
        )
    )
    assert [order.seq for order in replaced.orders] == [3, 4]
    assert replaced == listed(orders)
    assert file(orders, LEAVE).seq == 5
    assert file(orders, name(1), account=2).seq == 1


def test_a_list_is_replaced_only_as_it_was_read(running: tuple[Orders, LoneMatch]) -> None:
    orders, _ = running
    etag = listed(orders).etag
    file(orders, name(5))
    assert listed(orders).etag != etag

    def replace(if_match: str) -> OrderList:
        return orders.ask(
            ReplaceOrders(account="account-1", match="m1", tick=1, orders=(LEAVE,), if_match=if_match)
        )

    refused("changed", replace, etag)
    assert len(listed(orders).orders) == 1
    assert replace("*").orders[0].seq == 2


def test_a_refused_list_names_each_order_and_changes_nothing(running: tuple[Orders, LoneMatch]) -> None:
    orders, _ = running
    before = listed(orders)
    refusal = refused(
        "already-named",
        orders.ask,
        ReplaceOrders(
            account="account-1",
            match="m1",
            tick=1,
            orders=(name(5), name(6), msgspec.Raw(b'{"kind":"name","number":true}'), LEAVE),
            if_match=before.etag,
        ),
    )
    assert [(error["index"], error["code"]) for error in refusal.extra["errors"]] == [
        (1, "already-named"),
        (2, "malformed"),
    ]
    assert all(error["detail"] for error in refusal.extra["errors"])
    assert listed(orders) == before


@pytest.mark.parametrize(
    "order",
    [
        b'{"kind":"name","number":1,"faction":"f2"}',
        b'{"kind":"name","number":0}',
        b"[]",
        b"7",
        b'{"kind":"fly"}',
    ],
)
def test_malformed_orders_are_refused(running: tuple[Orders, LoneMatch], order: bytes) -> None:
    orders, _ = running
    refused("malformed", file, orders, msgspec.Raw(order))
    assert listed(orders).orders == ()


def test_a_dry_run_answers_the_same_and_stores_nothing(running: tuple[Orders, LoneMatch]) -> None:
    orders, _ = running
    dry = file(orders, name(4), dry_run=True)
    assert (dry.id, dry.seq, dry.receipt.signature) == ("", 1, "")
    assert listed(orders).orders == ()
    file(orders, name(4))
    refused("already-named", file, orders, name(5), dry_run=True)


def test_at_most_500_orders_a_tick(running: tuple[Orders, LoneMatch]) -> None:
    orders, _ = running

    def replace(count: int) -> OrderList:
        return orders.ask(
            ReplaceOrders(account="account-1", match="m1", tick=1, orders=(LEAVE,) * count, if_match="*")
        )

    refused("too-many-orders", replace, MOST_ORDERS + 1)
    assert len(replace(MOST_ORDERS).orders) == MOST_ORDERS == 500
    refused("too-many-orders", file, orders, LEAVE)


def test_whoever_has_no_seat_finds_nothing(running: tuple[Orders, LoneMatch]) -> None:
    orders, _ = running
    filed = file(orders, name(4))
    for account, match in (("stranger", "m1"), ("account-1", "m2")):
        for request in (
            FileOrder(account=account, match=match, tick=1, order=LEAVE),
            ReplaceOrders(account=account, match=match, tick=1, orders=(), if_match="*"),
            CancelOrder(account=account, match=match, tick=1, order=filed.id),
            ListOrders(account=account, match=match),
            GetDesk(account=account, match=match),
        ):
            assert str(refused("not-found", orders.ask, request)) == "not-found: There is no such match."


def test_nobody_cancels_or_sees_what_another_filed(running: tuple[Orders, LoneMatch]) -> None:
    orders, _ = running
    filed = file(orders, name(4))
    refused("not-found", orders.ask, CancelOrder(account="account-2", match="m1", tick=1, order=filed.id))
    assert listed(orders, account=2).orders == ()
    assert listed(orders, account=2).etag == "1.0"


def test_before_the_first_list_the_match_is_not_started(tmp_path: Path) -> None:
    orders = harness.build(OrdersService, tmp_path)
    match = LoneMatch()
    assert orders.deliver(match.outcomes[0]).waiting == 1
    orders.deliver(match.started())
    for request in (
        FileOrder(account="account-1", match="m1", tick=1, order=LEAVE),
        ListOrders(account="account-1", match="m1"),
        GetDesk(account="account-1", match="m1"),
    ):
        refused("not-started", orders.ask, request)
    orders.clock.advance(5)
    assert orders.retry().handled == 1
    assert file(orders, LEAVE).tick == 1


def test_a_closed_tick_names_the_open_one_and_its_deadline(running: tuple[Orders, LoneMatch]) -> None:
    orders, match = running
    orders.deliver(DeadlineSet(match="m1", tick=1, at=START + CADENCE))
    wrong = refused("tick-closed", file, orders, LEAVE, tick=2)
    assert wrong.extra == {"open_tick": 1, "next_deadline": "2026-01-01T13:00:00Z"}
    seal(orders)
    between = refused("tick-closed", file, orders, LEAVE)
    assert between.extra == {"open_tick": None, "next_deadline": None, "retry_after": 1}
    orders.deliver(match.resolve({}))
    orders.deliver(DeadlineSet(match="m1", tick=2, at=START + 2 * CADENCE))
    # Old news changes nothing.
    orders.deliver(DeadlineSet(match="m1", tick=1, at=START))
    after = refused("tick-closed", file, orders, LEAVE)
    assert after.extra == {"open_tick": 2, "next_deadline": "2026-01-01T14:00:00Z"}
    assert listed(orders).orders == ()


def test_the_newest_word_of_a_deadline_counts_in_whatever_order_it_comes(
    running: tuple[Orders, LoneMatch],
) -> None:
    orders, _ = running
    first = DeadlineSet(match="m1", tick=1, at=START + CADENCE)
    moved = DeadlineSet(match="m1", tick=1, at=START + 2 * CADENCE, moved_from=first.at)
    forward = DeadlineSet(match="m1", tick=1, at=START + CADENCE / 2, moved_from=first.at, revision=1)
    for told, shown in (
        (moved, "2026-01-01T14:00:00Z"),
        (first, "2026-01-01T14:00:00Z"),
        (forward, "2026-01-01T12:30:00Z"),
        (moved, "2026-01-01T12:30:00Z"),
    ):
        orders.deliver(told)
        assert refused("tick-closed", file, orders, LEAVE, tick=2).extra["next_deadline"] == shown


def test_a_list_that_is_opened_between_two_looks_takes_the_order(
    running: tuple[Orders, LoneMatch], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody is told that tick 1 is closed and that the open tick is 1."""
    orders, _ = running
    looks = iter([False])
    look = store.is_open
    monkeypatch.setattr(
        store, "is_open", lambda tx, match, tick: next(looks, None) is None and look(tx, match, tick)
    )
    assert file(orders, name(1)).seq == 1


def test_the_seal_freezes_texts_nonces_and_digests_of_everybody(running: tuple[Orders, LoneMatch]) -> None:
    orders, _ = running
    a, b, c = file(orders, LEAVE), file(orders, name(5), account=2), file(orders, name(6))
    sealed = seal(orders)
    assert sealed.orders == tuple(order.receipt.text for order in (a, b, c))
    assert set(sealed.nonces) == set(sealed.digests) == {"f1", "f2", "f3"}
    assert all(len(nonce) == 64 for nonce in sealed.nonces.values())
    assert len(set(sealed.nonces.values())) == 3
    assert sealed.digests["f1"] == proof.digest(sealed.nonces["f1"], [a.receipt.text, c.receipt.text])
    assert sealed.digests["f3"] == proof.digest(sealed.nonces["f3"], [])
    orders.clock.advance(60)
    assert seal(orders) == sealed
    refused("tick-closed", orders.ask, CancelOrder(account="account-1", match="m1", tick=1, order=a.id))
    refused(
        "tick-closed",
        orders.ask,
        ReplaceOrders(account="account-1", match="m1", tick=1, orders=(), if_match="*"),
    )
    assert seal(orders) == sealed
    assert not listed(orders).open


def test_many_ticks_are_sealed_in_one_call_each_for_itself(tmp_path: Path) -> None:
    orders, _ = opened(tmp_path)
    other = LoneMatch("m2")
    orders.deliver(other.started(), other.outcomes[0])
    asked = [("m2", 1), ("m9", 1), ("m1", 2), ("m1", 1), ("m2", 1)]
    answer = orders.ask(SealTicks(ticks=tuple(SealRequestItem(match=m, tick=t) for m, t in asked)))
    assert [(item.match, item.tick) for item in answer.items] == asked
    assert [item.error for item in answer.items] == [None, "not-open", "not-open", None, None]
    assert answer.items[0] == answer.items[4]
    assert answer.items[0].nonces != answer.items[3].nonces


def test_results_stand_beside_the_orders_once_the_tick_is_told(running: tuple[Orders, LoneMatch]) -> None:
    orders, match = running
    filed = file(orders, name(7))
    seal(orders)
    assert listed(orders).orders[0].result is None
    told = match.resolve({"f1": 7})
    (result,) = told.results.values()
    orders.deliver(msgspec.structs.replace(told, results={filed.id: result}))
    (shown,) = listed(orders, tick=1).orders
    assert shown.result == result
    assert listed(orders).tick == 2
    assert listed(orders).orders == ()
    refused("not-found", listed, orders, tick=3)


def test_the_desk_shows_what_may_be_filed_now(running: tuple[Orders, LoneMatch]) -> None:
    orders, _ = running
    desk = orders.ask(GetDesk(account="account-1", match="m1"))
    assert (desk.tick, desk.faction, desk.ruleset) == (1, "f1", "lone-numbers")
    assert desk.etag == listed(orders).etag
    assert msgspec.json.decode(desk.options)["numbers"] == [1, 100]
    assert "hidden" in msgspec.json.decode(desk.briefing)
    file(orders, name(3))
    assert (
        msgspec.json.decode(orders.ask(GetDesk(account="account-1", match="m1")).options)["numbers"] is None
    )
    seal(orders)
    refused("tick-closed", orders.ask, GetDesk(account="account-1", match="m1"))


def test_once_everyone_has_answered_it_is_told_once(running: tuple[Orders, LoneMatch]) -> None:
    orders, _ = running
    file(orders, name(3))
    file(orders, name(4), account=2)
    assert orders.emitted_of(EveryoneAnswered) == []
    bot = FileOrder(account="bot:m1:f3", match="m1", tick=1, order=name(5))
    orders.ask(bot)
    file(orders, LEAVE)
    assert orders.emitted_of(EveryoneAnswered) == [EveryoneAnswered(match="m1", tick=1)]


def test_the_last_tick_closes_for_good(tmp_path: Path) -> None:
    orders, match = opened(tmp_path, LoneMatch(rounds=1))
    seal(orders)
    orders.deliver(match.resolve({}))
    for request in (
        FileOrder(account="account-1", match="m1", tick=1, order=LEAVE),
        FileOrder(account="account-1", match="m1", tick=2, order=LEAVE),
        GetDesk(account="account-1", match="m1"),
    ):
        refused("match-ended", orders.ask, request)
    assert not listed(orders).open


def test_a_closed_match_takes_no_orders_and_is_not_sealed(running: tuple[Orders, LoneMatch]) -> None:
    orders, match = running
    file(orders, LEAVE)
    orders.deliver(MatchClosed(match="m1", at=START))
    refused("match-ended", file, orders, LEAVE)
    assert seal(orders).error == "match-ended"
    orders.deliver(match.resolve({}))
    assert listed(orders).tick == 1


def test_the_same_wish_is_filed_once_and_answered_alike_even_after_the_seal(
    running: tuple[Orders, LoneMatch],
) -> None:
    orders, match = running
    first = file(orders, LEAVE, key="k1")
    assert file(orders, LEAVE, key="k1") == first
    refused("idempotency-mismatch", file, orders, name(2), key="k1")
    replace = ReplaceOrders(
        account="account-1", match="m1", tick=1, orders=(name(1),), if_match=listed(orders).etag, key="k2"
    )
    replaced = orders.ask(replace)
    assert orders.ask(replace) == replaced
    cancel = CancelOrder(account="account-1", match="m1", tick=1, order=replaced.orders[0].id, key="k3")
    assert orders.ask(cancel) == orders.ask(cancel)
    seal(orders)
    orders.deliver(match.resolve({}))
    assert file(orders, LEAVE, key="k1") == first
    assert listed(orders).orders == ()


def test_outcomes_twice_and_out_of_order_change_nothing(running: tuple[Orders, LoneMatch]) -> None:
    orders, match = running
    seal(orders)
    orders.deliver(match.resolve({}), id="second")
    file(orders, LEAVE, tick=2)
    before = listed(orders)
    orders.deliver(match.outcomes[1], match.outcomes[0])
    assert listed(orders) == before
    assert file(orders, name(4), tick=2).seq == 2


def test_a_resigned_seat_is_filed_for_by_a_computer_player_alone(running: tuple[Orders, LoneMatch]) -> None:
    orders, _ = running
    filed = file(orders, name(7))
    orders.deliver(SeatResigned(match="m1", faction="f1", account="account-1", level="counting"))
    refused("forbidden", file, orders, name(8))
    replacing = ReplaceOrders(account="account-1", match="m1", tick=1, orders=(name(9),), if_match="*")
    refused("forbidden", orders.ask, replacing)
    refused("forbidden", orders.ask, CancelOrder(account="account-1", match="m1", tick=1, order=filed.id))
    assert listed(orders).orders == (filed,)
    file(orders, name(8), account=2)
    orders.ask(msgspec.structs.replace(replacing, computer=True))
    assert [msgspec.json.decode(one.order)["number"] for one in listed(orders).orders] == [9]


def test_a_resignation_waits_for_the_start_of_its_match(tmp_path: Path) -> None:
    match = LoneMatch()
    orders = harness.build(OrdersService, tmp_path)
    early = orders.deliver(SeatResigned(match="m1", faction="f1", account="account-1", level="counting"))
    assert early.waiting == 1
    orders.deliver(match.started(), match.outcomes[0])
    orders.clock.advance(5)
    assert orders.retry().handled == 1
    refused("forbidden", file, orders, name(8))
