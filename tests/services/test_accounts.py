"""Accounts: handles, passwords, sessions."""

import threading
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from services.accounts import store
from services.accounts.service import AccountsService
from shared.contracts.accounts import (
    Account,
    AccountDeleted,
    AccountName,
    Authenticate,
    ChangePassword,
    CreateAccount,
    DeleteAccount,
    DisableAccount,
    FindHandle,
    NameAccounts,
    ResetPassword,
    Session,
    SessionsEnded,
    SignIn,
    SignOut,
)
from shared.contracts.base import Refusal, Request
from shared.runtime.ids import SystemIds
from shared.runtime.settings import Settings
from tests.services.databases import ON_BOTH
from tests.services.harness import START, Running, build
from tests.services.racing import race

CHEAP = Settings(password_memory_kib=8, password_rounds=1)
PASSWORD = "correct horse"


def accounts(where: Path | str, settings: Settings = CHEAP) -> Running[AccountsService]:
    return build(AccountsService, where, settings=settings, ids=SystemIds())


@pytest.fixture
def running(place: Path | str) -> Running[AccountsService]:
    return accounts(place)


def create(running: Running[AccountsService], handle: str = "ann", password: str = PASSWORD) -> Account:
    return running.ask(CreateAccount(handle=handle, password=password))


def sign_in(
    running: Running[AccountsService], handle: str = "ann", password: str = PASSWORD, token: str = "t1"
) -> Session:
    return running.ask(SignIn(handle=handle, password=password, token_digest=token))


def refused(running: Running[AccountsService], request: Request[Any]) -> str:
    with pytest.raises(Refusal) as refusal:
        running.ask(request)
    return refusal.value.code


def test_an_account_is_created_once(running: Running[AccountsService]) -> None:
    account = create(running)
    assert (account.handle, account.created_at) == ("ann", START)
    assert refused(running, CreateAccount(handle="ann", password=PASSWORD)) == "handle-taken"


@ON_BOTH
def test_the_same_wish_gives_the_same_account(running: Running[AccountsService]) -> None:
    wish = CreateAccount(handle="ann", password=PASSWORD, key="k")
    account = running.ask(wish)
    assert running.ask(wish) == account
    assert refused(running, CreateAccount(handle="ann", password=PASSWORD, key="other")) == "handle-taken"
    for other in (
        CreateAccount(handle="bob", password=PASSWORD, key="k"),
        CreateAccount(handle="ann", password=PASSWORD + "!", key="k"),
    ):
        assert refused(running, other) == "idempotency-mismatch"
    running.clock.advance(24 * 3600 + 1)
    running.run("forget_expired")
    assert refused(running, wish) == "handle-taken"


@pytest.mark.parametrize("handle", ["ab", "a" * 33, "Ann", "änn", "a b c", "ann\n", "ann\0", "an\ud800n", ""])
def test_a_handle_of_another_form_is_malformed(tmp_path: Path, handle: str) -> None:
    service = accounts(tmp_path).service
    with pytest.raises(Refusal, match="malformed"):
        service.create_account(CreateAccount(handle=handle, password=PASSWORD))


@pytest.mark.parametrize("password", ["nine char", "x" * 257, "ten chars\0.", "ten chars\ud800.", ""])
def test_a_password_of_another_form_is_malformed(tmp_path: Path, password: str) -> None:
    service = accounts(tmp_path).service
    for request, method in (
        (CreateAccount(handle="ann", password=password), service.create_account),
        (ResetPassword(handle="ann", password=password), service.reset_password),
        (
            ChangePassword(account="a", current="x", new=password, token_digest="t"),
            service.change_password,
        ),
    ):
        call: Callable[[Any], Any] = method
        with pytest.raises(Refusal, match="malformed"):
            call(request)


@pytest.mark.parametrize("password", ["ten chars.", "x" * 256, "pässwörter", "🗝🗝🗝🗝🗝🗝🗝🗝🗝🗝"])
def test_passwords_of_every_script_sign_in(running: Running[AccountsService], password: str) -> None:
    create(running, password=password)
    assert sign_in(running, password=password).handle == "ann"


def test_a_password_typed_on_another_keyboard_is_the_same(running: Running[AccountsService]) -> None:
    create(running, password="caf\u00e9 au lait")
    assert sign_in(running, password="cafe\u0301 au lait").handle == "ann"


def test_hashes_are_argon2id_of_the_settings_cost_and_no_password_is_stored(
    running: Running[AccountsService],
) -> None:
    create(running)
    with running.database.read() as tx:
        row = tx.one(sa.select(store.accounts))
    assert row is not None
    assert row.password_hash.startswith("$argon2id$v=19$m=8,t=1,p=1$")
    assert all(PASSWORD not in str(value) for value in row)


@ON_BOTH
def test_a_sign_in_lasts_thirty_days(running: Running[AccountsService]) -> None:
    account = create(running)
    session = sign_in(running)
    assert (session.account, session.handle, session.cookie) == (account.id, "ann", False)
    assert session.expires_at == START + timedelta(days=30)
    assert len(session.csrf) == 64
    running.clock.advance(30 * 86_400 - 1)
    assert running.ask(Authenticate(token_digest="t1")) == session
    running.clock.advance(1)
    assert refused(running, Authenticate(token_digest="t1")) == "unauthenticated"
    running.run("forget_expired")
    assert running.emitted() == [SessionsEnded(account=account.id, token_digests=("t1",))]


def test_a_sign_in_delivered_twice_is_one_session(running: Running[AccountsService]) -> None:
    create(running)
    create(running, "bob")
    assert sign_in(running) == sign_in(running)
    assert refused(running, SignIn(handle="bob", password=PASSWORD, token_digest="t1")) == "unauthenticated"


def test_wrong_either_way_is_the_same_answer_after_the_same_work(
    running: Running[AccountsService], monkeypatch: pytest.MonkeyPatch
) -> None:
    create(running)
    create(running, "gone-one")
    running.ask(DeleteAccount(account=running.ask(FindHandle(handle="gone-one")).id, password=PASSWORD))
    create(running, "disabled")
    running.ask(DisableAccount(handle="disabled"))
    checked: list[tuple[str, str]] = []
    hasher = running.service.passwords._hasher
    verify = type(hasher).verify
    monkeypatch.setattr(
        type(hasher),
        "verify",
        lambda self, hashed, password: (
            checked.append((hashed.rsplit("$", 2)[0], password)) or verify(self, hashed, password)
        ),
    )
    answers = []
    for handle, password in (
        ("ann", "wrong password"),
        ("nobody", PASSWORD),
        ("gone-one", PASSWORD),
        ("disabled", PASSWORD),
        ("Not A Handle", PASSWORD),
        ("ann", "short"),
    ):
        with pytest.raises(Refusal) as refusal:
            sign_in(running, handle, password)
        answers.append((refusal.value.code, refusal.value.detail, dict(refusal.value.extra)))
    assert len(set(map(str, answers))) == 1 and answers[0][0] == "unauthenticated"
    assert len(checked) == 6
    assert len({hashed for hashed, _ in checked}) == 1, "every hash asks for the same work"


@ON_BOTH
def test_texts_no_database_holds_are_not_found_rather_than_broken(running: Running[AccountsService]) -> None:
    service = running.service
    create(running)
    with pytest.raises(Refusal, match="unauthenticated"):
        service.sign_in(SignIn(handle="ann", password="\ud800" * 12, token_digest="t1"))
    with pytest.raises(Refusal, match="unauthenticated"):
        service.authenticate(Authenticate(token_digest="\0"))
    with pytest.raises(Refusal, match="not-found"):
        service.find_handle(FindHandle(handle="ann\0"))
    service.sign_out(SignOut(token_digest="\0"))
    assert service.name_accounts(NameAccounts(ids=("\0",))).items == (AccountName(id="\0", handle=None),)


def test_a_password_is_hashed_anew_when_the_cost_changes(tmp_path: Path) -> None:
    create(accounts(tmp_path))
    dearer = accounts(tmp_path, Settings(password_memory_kib=16, password_rounds=2))
    sign_in(dearer)
    with dearer.database.read() as tx:
        hashed = tx.scalar(sa.select(store.accounts.c.password_hash))
    assert hashed.startswith("$argon2id$v=19$m=16,t=2,p=1$")
    sign_in(dearer, token="t2")


@ON_BOTH
def test_two_who_sign_in_at_once_when_the_cost_has_changed_both_get_in(place: Path | str) -> None:
    create(accounts(place))
    dearer = accounts(place, Settings(password_memory_kib=16, password_rounds=2))
    while_it_hashes(dearer, lambda: sign_in(dearer, token="second"))
    account = sign_in(dearer, token="first").account
    for token in ("first", "second"):
        assert dearer.ask(Authenticate(token_digest=token)).account == account


@ON_BOTH
def test_no_password_changed_while_it_was_hashed_anew_signs_in(place: Path | str) -> None:
    account = create(accounts(place))
    dearer = accounts(place, Settings(password_memory_kib=16, password_rounds=2))
    change = ChangePassword(account=account.id, current=PASSWORD, new="another horse", token_digest="kept")
    while_it_hashes(dearer, lambda: dearer.ask(change))
    assert refused(dearer, SignIn(handle="ann", password=PASSWORD, token_digest="t1")) == "unauthenticated"
    assert refused(dearer, Authenticate(token_digest="t1")) == "unauthenticated"
    sign_in(dearer, password="another horse")


def while_it_hashes(running: Running[AccountsService], work: Callable[[], object]) -> None:
    """Does ``work`` between the check of the next password to be hashed anew and its storing."""
    hashing = running.service.passwords
    hash_one = hashing.hash

    def hash_late(password: str) -> str:
        hashing.hash = hash_one  # type: ignore[method-assign]
        work()
        return hash_one(password)

    hashing.hash = hash_late  # type: ignore[method-assign]


def test_signing_out_kills_the_token_at_once(running: Running[AccountsService]) -> None:
    account = create(running)
    sign_in(running)
    for _ in range(2):
        running.ask(SignOut(token_digest="t1"))
    assert refused(running, Authenticate(token_digest="t1")) == "unauthenticated"
    assert running.emitted() == [SessionsEnded(account=account.id, token_digests=("t1",))]


@ON_BOTH
def test_a_changed_password_ends_all_other_sessions(running: Running[AccountsService]) -> None:
    account = create(running)
    for token in ("t1", "t2", "t3"):
        sign_in(running, token=token)
    change = ChangePassword(account=account.id, current=PASSWORD, new="another horse", token_digest="t2")
    for _ in range(2):
        running.ask(change)
    assert running.ask(Authenticate(token_digest="t2")).account == account.id
    assert refused(running, Authenticate(token_digest="t1")) == "unauthenticated"
    assert running.emitted() == [SessionsEnded(account=account.id, token_digests=("t1", "t3"))]
    assert refused(running, SignIn(handle="ann", password=PASSWORD, token_digest="t4")) == "unauthenticated"
    sign_in(running, password="another horse", token="t4")
    wrong = ChangePassword(account=account.id, current="not the one", new="third horse", token_digest="t2")
    assert refused(running, wrong) == "forbidden"


@ON_BOTH
def test_a_deleted_account_is_gone_and_its_handle_stays_taken(running: Running[AccountsService]) -> None:
    account = create(running)
    sign_in(running)
    assert refused(running, DeleteAccount(account=account.id, password="not the one")) == "forbidden"
    for _ in range(2):
        running.ask(DeleteAccount(account=account.id, password=PASSWORD))
    assert running.emitted() == [
        SessionsEnded(account=account.id, token_digests=("t1",)),
        AccountDeleted(account=account.id),
    ]
    assert refused(running, Authenticate(token_digest="t1")) == "unauthenticated"
    assert refused(running, FindHandle(handle="ann")) == "not-found"
    assert refused(running, CreateAccount(handle="ann", password=PASSWORD)) == "handle-taken"
    change = ChangePassword(account=account.id, current=PASSWORD, new=PASSWORD, token_digest="t1")
    assert refused(running, change) == "unauthenticated"
    assert running.ask(NameAccounts(ids=(account.id, "acc-none"))).items == (
        AccountName(id=account.id, handle=None),
        AccountName(id="acc-none", handle=None),
    )
    with running.database.read() as tx:
        assert tx.scalar(sa.select(store.accounts.c.password_hash)) is None


@ON_BOTH
def test_handles_are_found_and_accounts_named(running: Running[AccountsService]) -> None:
    ann, bob = create(running), create(running, "bob")
    assert running.ask(FindHandle(handle="bob")) == AccountName(id=bob.id, handle="bob")
    assert refused(running, FindHandle(handle="carol")) == "not-found"
    names = running.ask(NameAccounts(ids=(bob.id, ann.id))).items
    assert [name.handle for name in names] == ["bob", "ann"]


def test_operators_reset_a_password(running: Running[AccountsService]) -> None:
    account = create(running)
    sign_in(running)
    new = running.ask(ResetPassword(handle="ann"))
    assert refused(running, Authenticate(token_digest="t1")) == "unauthenticated"
    assert running.emitted() == [SessionsEnded(account=account.id, token_digests=("t1",))]
    sign_in(running, password=new.password, token="t2")
    given = ResetPassword(handle="ann", password="given by the operator")
    assert running.ask(given) == running.ask(given)
    sign_in(running, password="given by the operator", token="t3")
    assert refused(running, ResetPassword(handle="nobody")) == "not-found"


@ON_BOTH
def test_operators_disable_an_account_until_its_password_is_reset(running: Running[AccountsService]) -> None:
    account = create(running)
    sign_in(running)
    for _ in range(2):
        running.ask(DisableAccount(handle="ann"))
    assert refused(running, Authenticate(token_digest="t1")) == "unauthenticated"
    assert refused(running, SignIn(handle="ann", password=PASSWORD, token_digest="t2")) == "unauthenticated"
    assert running.emitted() == [SessionsEnded(account=account.id, token_digests=("t1",))]
    assert refused(running, DisableAccount(handle="nobody")) == "not-found"
    sign_in(running, password=running.ask(ResetPassword(handle="ann")).password, token="t3")


def test_one_of_many_gets_the_handle(where: Path | str) -> None:
    running = accounts(where)
    outcomes = race(
        [
            lambda i=i: running.ask(CreateAccount(handle="ann", password=f"password {i:03}")).id
            for i in range(24)
        ]
    )
    assert Counter(outcomes)["handle-taken"] == 23


def test_a_wish_delivered_many_times_at_once_makes_one_account(where: Path | str) -> None:
    running = accounts(where)
    outcomes = race([lambda: create_wish(running) for _ in range(24)])
    assert set(outcomes) == {running.ask(FindHandle(handle="ann")).id}


def create_wish(running: Running[AccountsService]) -> str:
    return running.ask(CreateAccount(handle="ann", password=PASSWORD, key="k")).id


def test_no_session_of_an_old_password_outlives_its_change(where: Path | str) -> None:
    running = accounts(where)
    account = create(running)
    change = ChangePassword(account=account.id, current=PASSWORD, new="another horse", token_digest="kept")
    reached = threading.Event()
    verify = running.service.passwords.verify

    def change_while_it_signs_in(hashed: str | None, password: str) -> bool:
        right = verify(hashed, password)
        if not reached.is_set():
            reached.set()
            running.ask(change)
        return right

    running.service.passwords.verify = change_while_it_signs_in  # type: ignore[method-assign]
    assert refused(running, SignIn(handle="ann", password=PASSWORD, token_digest="t1")) == "unauthenticated"
    assert refused(running, Authenticate(token_digest="t1")) == "unauthenticated"


def test_hashing_never_runs_where_it_would_block_others(
    running: Running[AccountsService], monkeypatch: pytest.MonkeyPatch
) -> None:
    offloaded: list[str] = []
    hashing = running.service.passwords
    monkeypatch.setattr(
        hashing, "_offload", lambda work, *args: (offloaded.append(work.__name__), work(*args))[1]
    )
    account = create(running)
    sign_in(running)
    running.ask(ChangePassword(account=account.id, current=PASSWORD, new="another horse", token_digest="t1"))
    running.ask(ResetPassword(handle="ann", password=PASSWORD))
    running.ask(DeleteAccount(account=account.id, password=PASSWORD))
    assert offloaded == ["hash", "_matches", "_matches", "hash", "hash", "_matches"]
