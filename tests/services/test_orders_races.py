"""orders under concurrency: one seal decides (P3), one faction's own requests take turns, answers are counted whole."""

import threading
from collections.abc import Callable
from pathlib import Path

from services.orders.filing import MOST_ORDERS
from services.orders.service import OrdersService
from shared.contracts.base import Refusal
from shared.contracts.orders import (
    CancelOrder,
    EveryoneAnswered,
    FileOrder,
    ReplaceOrders,
    SealRequestItem,
    SealTicks,
)
from tests.services import harness
from tests.services.harness import Running
from tests.services.lone_match import LoneMatch
from tests.services.racing import race
from tests.services.test_orders import LEAVE, listed, name, opened, seal

BOT = "bot:m1:f3"
ACCOUNTS = ("account-1", "account-2", BOT)


def test_an_order_is_accepted_exactly_if_it_is_sealed(where: Path | str) -> None:
    orders, _ = opened(where, LoneMatch(early=False))
    orders.service.keys.signer()

    def file(account: str) -> Callable[[], str]:
        request = FileOrder(account=account, match="m1", tick=1, order=LEAVE)
        return lambda: orders.ask(request).receipt.text

    calls = [file(ACCOUNTS[n % 3]) for n in range(150)]
    calls.insert(40, lambda: f"sealed {len(seal(orders).orders)}")
    outcomes = race(calls)
    (sealing,) = [outcome for outcome in outcomes if outcome.startswith("sealed")]
    accepted = [outcome for outcome in outcomes if outcome.startswith("{")]
    sealed = seal(orders)
    assert sorted(accepted) == sorted(sealed.orders)
    assert sealing == f"sealed {len(accepted)}"
    assert accepted
    assert outcomes.count("tick-closed") == 150 - len(accepted)
    filed_at = [one.receipt.filed_at for n in (1, 2) for one in listed(orders, tick=1, account=n).orders]
    assert sealed.sealed_at is not None
    assert all(at <= sealed.sealed_at for at in filed_at)


def test_the_seal_is_not_kept_waiting_by_a_stream_of_orders(where: Path | str) -> None:
    orders, _ = opened(where, LoneMatch(early=False))
    orders.service.keys.signer()
    closed = threading.Event()
    accepted: list[str] = []

    def hammer(account: str) -> None:
        while not closed.is_set():
            try:
                order = FileOrder(account=account, match="m1", tick=1, order=LEAVE)
                accepted.append(orders.ask(order).id)
            except Refusal as refusal:
                assert refusal.code in ("tick-closed", "too-many-orders")
                closed.set()

    threads = [threading.Thread(target=hammer, args=(ACCOUNTS[n % 3],)) for n in range(8)]
    for thread in threads:
        thread.start()
    try:
        closed.wait(0.3)
        before = len(accepted)
        sealed = seal(orders)
    finally:
        closed.set()
        for thread in threads:
            thread.join()
    assert len(sealed.orders) == len(accepted)
    # Had they been let past, they would have gone on to the limit of each list.
    assert len(sealed.orders) - before < MOST_ORDERS


def test_200_edits_of_one_player_at_once_leave_one_whole_list(where: Path | str) -> None:
    orders, _ = opened(where)

    def edit(n: int) -> Callable[[], str]:
        if n % 2:
            whole = ReplaceOrders(
                account="account-1", match="m1", tick=1, orders=(name(n % 100 + 1), LEAVE), if_match="*"
            )
            return lambda: orders.ask(whole).etag
        one = FileOrder(account="account-1", match="m1", tick=1, order=LEAVE)
        return lambda: orders.ask(one).id

    outcomes = race([edit(n) for n in range(200)])
    assert len(set(outcomes)) == 200
    found = listed(orders)
    assert found.etag == "1.200"
    seqs = [order.seq for order in found.orders]
    assert seqs == sorted(set(seqs))
    # 100 replacements of two and 100 single orders were counted.
    assert max(seqs) == 300


def test_of_many_replacements_of_one_reading_one_is_stored(where: Path | str) -> None:
    orders, _ = opened(where)
    request = ReplaceOrders(account="account-1", match="m1", tick=1, orders=(name(5),), if_match="1.0")
    outcomes = race([lambda: orders.ask(request).etag for _ in range(30)])
    assert sorted(outcomes) == ["1.1"] + ["changed"] * 29


def test_the_same_wish_in_parallel_files_once(where: Path | str) -> None:
    orders, _ = opened(where)
    request = FileOrder(account="account-1", match="m1", tick=1, order=LEAVE, key="k1")
    outcomes = race([lambda: orders.ask(request).id for _ in range(50)])
    assert len(set(outcomes)) == 1
    assert [order.id for order in listed(orders).orders] == outcomes[:1]


def test_of_many_cancels_one_finds_the_order(where: Path | str) -> None:
    orders, _ = opened(where)
    filed = orders.ask(FileOrder(account="account-1", match="m1", tick=1, order=LEAVE))
    request = CancelOrder(account="account-1", match="m1", tick=1, order=filed.id)
    outcomes = race([lambda: orders.ask(request).receipt.kind for _ in range(20)])
    assert sorted(outcomes) == ["cancelled"] + ["not-found"] * 19


def test_the_last_answers_at_the_same_moment_are_seen_to_be_all(where: Path | str) -> None:
    orders, _ = opened(where)
    calls = [
        lambda account=account: (
            orders.ask(  # type: ignore[misc]
                FileOrder(account=account, match="m1", tick=1, order=name(5))
            ).id
        )
        for account in ACCOUNTS
    ]
    race(calls, width=3)
    assert orders.emitted_of(EveryoneAnswered) == [EveryoneAnswered(match="m1", tick=1)]


def test_two_seals_of_the_same_ticks_give_the_same_lists(where: Path | str) -> None:
    orders, _ = opened(where)
    matches = [f"m{n}" for n in range(2, 8)]
    for match in matches:
        other = LoneMatch(match)
        orders.deliver(other.started(), other.outcomes[0])
    asked = [SealRequestItem(match=match, tick=1) for match in matches]

    def sealing(n: int) -> Callable[[], str]:
        ticks = tuple(asked if n % 2 else reversed(asked))
        return lambda: str(
            sorted(
                (item.match, sorted(item.nonces.items())) for item in orders.ask(SealTicks(ticks=ticks)).items
            )
        )

    assert len(set(race([sealing(n) for n in range(12)]))) == 1


def test_two_replicas_agree_on_one_key(where: Path | str) -> None:
    replicas: list[Running[OrdersService]] = [harness.build(OrdersService, where) for _ in range(2)]
    for replica in replicas:
        replica.service.keys._signer = None
    assert len(set(race([lambda r=r: r.service.keys.signer().id for r in replicas * 4]))) == 1  # type: ignore[misc]
