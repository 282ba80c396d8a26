"""The services as the gateway sees them: typed answers for one small match, every call remembered.

Ada created match ``m1`` (running, tick 3) and holds f1, Ben holds f2; Cleo has no seat. ``m2`` is Ada's private
lobby. Whatever else is named is not found.
"""

import base64
import hashlib
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec

from shared.contracts import accounts, fog, lobby, messaging, orders, report, resolution
from shared.contracts.base import Nothing, Refusal, Request
from shared.runtime import replies
from shared.runtime.service import Unavailable

START = datetime(2026, 1, 1, 12, 0, tzinfo=UTC)
EXPIRES = START + timedelta(days=30)
CSRF = "csrf-of-the-session"
PASSWORD = "correct horse"
RAW = msgspec.Raw


class ManualClock:
    def __init__(self) -> None:
        self.moment = START

    def now(self) -> datetime:
        return self.moment


def token(name: str) -> str:
    """A bearer token, made of a name."""
    return base64.urlsafe_b64encode(hashlib.sha256(name.encode()).digest()).rstrip(b"=").decode()


def digest(name: str) -> str:
    return hashlib.sha256(token(name).encode()).hexdigest()


class Services:
    """A ``Caller``. ``answers[SomeRequest] = function`` overrides an answer; ``calls`` is what was asked."""

    def __init__(self) -> None:
        self.answers: dict[type[Request[Any]], Callable[[Any], Any]] = {}
        self.calls: list[Request[Any]] = []
        self.timeouts: list[float] = []
        self.sessions = {digest(name): session(name) for name in ("ada", "ben", "cleo")}
        self.sessions[digest("ada-browser")] = session("ada", "ada-browser", cookie=True)
        self.feed: list[report.FeedEvent] = []
        self.lock = threading.Lock()

    def __call__(self, request: Request[Any], timeout: float = 5.0) -> Any:
        with self.lock:
            self.calls.append(request)
            self.timeouts.append(timeout)
        answer = self.answers.get(type(request)) or getattr(self, request.method(), None)
        if answer is None:
            raise Unavailable(request.service(), "not faked")
        return replies.read(request, replies.encode_answer(answer(request)))

    def asked(self, kind: type[Request[Any]]) -> list[Any]:
        return [call for call in self.calls if type(call) is kind]

    def refuse(self, kind: type[Request[Any]], code: str, **extra: Any) -> None:
        def refuse(_request: Any) -> Any:
            raise Refusal(code, f"refused: {code}", **extra)

        self.answers[kind] = refuse

    # accounts

    def create_account(self, request: accounts.CreateAccount) -> accounts.Account:
        return accounts.Account(id="acc-new", handle=request.handle, created_at=START)

    def sign_in(self, request: accounts.SignIn) -> accounts.Session:
        if request.password != PASSWORD:
            raise Refusal("unauthenticated", "wrong")
        found = session(request.handle, cookie=request.cookie, token_digest=request.token_digest)
        self.sessions[request.token_digest] = found
        return found

    def authenticate(self, request: accounts.Authenticate) -> accounts.Session:
        if request.token_digest not in self.sessions:
            raise Refusal("unauthenticated", "unknown")
        return self.sessions[request.token_digest]

    def sign_out(self, request: accounts.SignOut) -> Nothing:
        self.sessions.pop(request.token_digest, None)
        return Nothing()

    def change_password(self, request: accounts.ChangePassword) -> Nothing:
        if request.current != PASSWORD:
            raise Refusal("forbidden", "wrong password")
        return Nothing()

    def delete_account(self, request: accounts.DeleteAccount) -> Nothing:
        if request.password != PASSWORD:
            raise Refusal("forbidden", "wrong password")
        return Nothing()

    def find_handle(self, request: accounts.FindHandle) -> accounts.AccountName:
        if request.handle not in ("ada", "ben", "cleo"):
            raise Refusal("not-found", "no such handle")
        return accounts.AccountName(id=f"acc-{request.handle}", handle=request.handle)

    def name_accounts(self, request: accounts.NameAccounts) -> accounts.AccountNames:
        return accounts.AccountNames(
            items=tuple(accounts.AccountName(id=id, handle=id.removeprefix("acc-")) for id in request.ids)
        )

    # lobby

    def create_match(self, request: lobby.CreateMatch) -> lobby.MatchDetail:
        return detail("m2", status="lobby", name=request.name, visibility=request.visibility)

    def list_matches(self, request: lobby.ListMatches) -> lobby.MatchPage:
        return lobby.MatchPage(items=(detail("m1"), detail("m2", status="lobby")), next_cursor="more")

    def get_match(self, request: lobby.GetMatch) -> lobby.MatchDetail:
        if request.match == "m2" and request.account == "acc-ada":
            return detail("m2", status="lobby", visibility="private")
        self._known(request)
        return detail("m1", account=request.account)

    def get_invite(self, request: lobby.GetInvite) -> lobby.MatchDetail:
        if request.code != "invite-m2":
            raise Refusal("not-found", "no such code")
        return detail("m2", status="lobby", visibility="private")

    def join_match(self, request: lobby.JoinMatch) -> lobby.MatchDetail:
        self._known(request)
        return detail("m1", account=request.account)

    def leave_match(self, request: lobby.LeaveMatch) -> Nothing:
        self._seated(request)
        return Nothing()

    def remove_seat(self, request: lobby.RemoveSeat) -> lobby.MatchDetail:
        self._created(request)
        return detail("m1")

    def add_bots(self, request: lobby.AddBots) -> lobby.MatchDetail:
        self._created(request)
        return detail("m1")

    def start_match(self, request: lobby.StartMatch) -> lobby.MatchDetail:
        self._created(request)
        return detail("m1", status="lobby")

    def call_off_match(self, request: lobby.CallOffMatch) -> Nothing:
        self._created(request)
        return Nothing()

    def resign_seat(self, request: lobby.ResignSeat) -> lobby.MatchDetail:
        self._seated(request)
        return detail("m1")

    # fog

    def get_view(self, request: fog.GetView) -> fog.View:
        faction = self._seated(request)
        tick = 3 if request.tick is None else request.tick
        if tick > 3:
            raise Refusal("not-found", "no such tick")
        view = RAW(msgspec.json.encode({"faction": faction, "tick": tick}))
        return fog.View(match="m1", tick=tick, faction=faction, current=tick == 3, view=view)

    def get_map(self, request: fog.GetMap) -> fog.Map:
        self._seated(request)
        return fog.Map(match="m1", map=RAW(b'{"routes":[["h1","h2"]]}'))

    # orders

    def file_order(self, request: orders.FileOrder) -> orders.FiledOrder:
        faction = self._seated(request)
        if request.tick != 4:
            raise Refusal("tick-closed", "not open", open_tick=4, next_deadline=START)
        return filed("" if request.dry_run else "o-1", 1, faction, request.order)

    def replace_orders(self, request: orders.ReplaceOrders) -> orders.OrderList:
        faction = self._seated(request)
        if request.if_match != "4.1":
            raise Refusal("changed", "changed")
        items = tuple(filed(f"o-{n}", n, faction, order) for n, order in enumerate(request.orders, 1))
        return orders.OrderList(tick=4, open=True, etag="4.2", orders=items)

    def cancel_order(self, request: orders.CancelOrder) -> orders.Cancelled:
        self._seated(request)
        if request.order != "o-1":
            raise Refusal("not-found", "no such order")
        return orders.Cancelled(receipt=receipt("cancelled"), etag="4.2")

    def list_orders(self, request: orders.ListOrders) -> orders.OrderList:
        faction = self._seated(request)
        one = filed("o-1", 1, faction, RAW(b'{"kind":"break","with":"f2"}'))
        return orders.OrderList(
            tick=request.tick or 4, open=request.tick in (None, 4), etag="4.1", orders=(one,)
        )

    def get_desk(self, request: orders.GetDesk) -> orders.Desk:
        faction = self._seated(request)
        return orders.Desk(
            match="m1",
            tick=4,
            faction=faction,
            ruleset="last-waters",
            options=RAW(b'{"holds":[]}'),
            briefing=RAW(b'{"canary":"hidden"}'),
            etag="4.1",
        )

    def get_keys(self, request: orders.GetKeys) -> orders.PublicKeys:
        key = orders.PublicKey(id="k1", algorithm="Ed25519", public_key="cHVi", created_at=START)
        return orders.PublicKeys(items=(key,))

    # report

    def get_report(self, request: report.GetReport) -> report.Report:
        faction = self._seated(request)
        if not 1 <= request.tick <= 3:
            raise Refusal("not-found", "no such tick")
        return report.Report(
            match="m1",
            tick=request.tick,
            faction=faction,
            deadline=START,
            moved_from=None,
            ran_at=START,
            rules_version=1,
            state_hash="ab" * 32,
            digests={"f1": "cd" * 32, "f2": "ef" * 32},
            nonce="01" * 32,
            sealed=(),
            report=RAW(b'{"orders":[]}'),
        )

    def list_reports(self, request: report.ListReports) -> report.ReportPage:
        self._seated(request)
        item = report.ReportSummary(tick=3, ran_at=START, state_hash="ab" * 32)
        return report.ReportPage(items=(item,), next_cursor=None)

    def get_feed(self, request: report.GetFeed) -> report.Feed:
        self._seated(request)
        after = len(self.feed) if request.after is None else request.after
        items = tuple(event for event in self.feed if event.n > after)[: request.limit]
        return report.Feed(items=items, latest=len(self.feed))

    def grow(self, kind: Any, data: Any) -> None:
        """One more event in the feed of everybody seated."""
        raw = RAW(msgspec.json.encode(data))
        self.feed = [*self.feed, report.FeedEvent(n=len(self.feed) + 1, event=kind, data=raw, at=START)]

    # messaging

    def send_message(self, request: messaging.SendMessage) -> messaging.Sent:
        faction = self._seated(request)
        allowance = messaging.Allowance(hour_left=19, per_player={"f2": 9})
        return messaging.Sent(message=message(faction, request.to, request.text), allowance=allowance)

    def list_messages(self, request: messaging.ListMessages) -> messaging.MessagePage:
        faction = self._seated(request)
        return messaging.MessagePage(items=(message(faction, ("f2",), "hello"),), next_cursor=None)

    def list_conversations(self, request: messaging.ListConversations) -> messaging.Conversations:
        self._seated(request)
        return messaging.Conversations(
            items=(messaging.Conversation(with_="f2", last_at=START, unread=1),),
            allowance=messaging.Allowance(hour_left=20, per_player={"f2": 10}),
            off=False,
        )

    def mark_read(self, request: messaging.MarkRead) -> Nothing:
        self._seated(request)
        return Nothing()

    def switch_off(self, request: messaging.SwitchOff) -> Nothing:
        self._seated(request)
        return Nothing()

    def block_account(self, request: messaging.BlockAccount) -> Nothing:
        if request.account == request.blocked:
            raise Refusal("self", "not oneself")
        return Nothing()

    def unblock_account(self, request: messaging.UnblockAccount) -> Nothing:
        return Nothing()

    def list_blocks(self, request: messaging.ListBlocks) -> messaging.BlockedAccounts:
        return messaging.BlockedAccounts(ids=("acc-ben",))

    # resolution

    def get_export_head(self, request: resolution.GetExportHead) -> resolution.ExportHead:
        self._seated(request)
        return resolution.ExportHead(head=RAW(b'{"format":1,"seed":"5eed"}'), ticks=2)

    def get_export_tick(self, request: resolution.GetExportTick) -> resolution.ExportTick:
        self._seated(request)
        return resolution.ExportTick(entry=RAW(msgspec.json.encode({"tick": request.tick})))

    @staticmethod
    def _known(request: Any) -> None:
        if request.match != "m1":
            raise Refusal("not-found", f"there is no match {request.match}")

    def _seated(self, request: Any) -> str:
        self._known(request)
        seats = {"acc-ada": "f1", "acc-ben": "f2"}
        if request.account not in seats:
            raise Refusal("not-found", "no seat here for this long-winded account")
        return seats[request.account]

    def _created(self, request: Any) -> None:
        self._seated(request)
        if request.account != "acc-ada":
            raise Refusal("forbidden", "only the creator")


def session(
    name: str, token_name: str | None = None, *, cookie: bool = False, token_digest: str | None = None
) -> accounts.Session:
    return accounts.Session(
        account=f"acc-{name}",
        handle=name,
        token_digest=token_digest or digest(token_name or name),
        csrf=CSRF,
        cookie=cookie,
        expires_at=EXPIRES,
    )


def detail(match: str, account: str = "acc-ada", **given: Any) -> lobby.MatchDetail:
    fields: dict[str, Any] = {
        "id": match,
        "name": "Ash Road",
        "ruleset": "last-waters",
        "status": "running",
        "visibility": "public",
        "practice": False,
        "seats_total": 2,
        "seats": (
            lobby.Seat(seat=1, faction="f1", faction_name="Ash", account="acc-ada", handle="ada"),
            lobby.Seat(seat=2, faction="f2", faction_name="Birch", account="acc-ben", handle="ben"),
        ),
        "cadence_seconds": 86_400,
        "settings": RAW(b'{"tick_cap":50}'),
        "tick": 3,
        "now": START,
        "next_deadline": START,
        "created_at": START,
        "started_at": START,
        "ended_at": None,
        "public": RAW(b'{"pacts":[]}'),
        "seed_commitment": "ab" * 32,
        "seed": None,
        "result": None,
        "your_seat": {"acc-ada": 1, "acc-ben": 2}.get(account),
        "you_created": account == "acc-ada",
        "invite_code": "invite-m2" if given.get("visibility") == "private" else None,
    }
    return lobby.MatchDetail(**{**fields, **given})


def receipt(kind: Any, text: str = "{}") -> orders.Receipt:
    return orders.Receipt(
        kind=kind,
        match="m1",
        tick=4,
        text=text,
        sha256=hashlib.sha256(text.encode()).hexdigest(),
        filed_at=START,
        key="k1",
        signature="c2ln",
    )


def filed(id: str, seq: int, faction: str, order: msgspec.Raw) -> orders.FiledOrder:
    whole = {**msgspec.json.decode(order), "id": id, "seq": seq, "faction": faction}
    text = msgspec.json.encode(whole, order="sorted")
    return orders.FiledOrder(id=id, seq=seq, tick=4, order=RAW(text), receipt=receipt("filed", text.decode()))


def message(sender: str, to: tuple[str, ...], text: str) -> messaging.Message:
    return messaging.Message(
        id="msg-1", sender=sender, to=to, with_=",".join(to), text=text, sent_at=START, tick=3
    )
