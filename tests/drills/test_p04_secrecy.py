"""P4: whatever a player may not know can be changed without changing one byte of what the server answers him.

Two worlds differ in all that is hidden from one player: stores, research, garrisons, buildings, yields and owners of
ground out of sight, what others propose, file and cancel, and what they write to each other. Every number put in is a
canary. The player asks for everything that there is to ask before and after the tick; status, headers, bodies and
their lengths are the same, but for digests and the state hash (P-04, P-05), whose lengths are, and random ids.
"""

import base64
import random
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa
from flask.testing import FlaskClient
from msgspec.structs import replace

from services.report.store import reports
from shared import rulesets
from shared.contracts.accounts import CreateAccount
from shared.contracts.base import Refusal
from shared.contracts.messaging import SendMessage
from shared.contracts.orders import CancelOrder, FileOrder
from shared.contracts.report import GetFeed
from shared.lastwaters.orders import Order, canonical
from shared.lastwaters.ruleset import RULESET, LastWaters
from shared.lastwaters.world import Snapshot, encode
from shared.rulesets import Json, NewMatch
from shared.runtime.settings import Settings
from tests.drills.in_process import Town
from tests.drills.sampling import amount, chance
from tests.rules.playout import playout
from tests.rules.test_secrecy import CANARY, CANARY_TEXT, Twin, probes
from tests.services import harness

CADENCE = 60
PASSWORD = "correct horse"
SETTINGS = Settings(
    trial_cadences=str(CADENCE),
    trial_seeds=True,
    password_memory_kib=8,
    password_rounds=1,
    limits_factor=1000,
    signing_key=base64.b64encode(bytes(32)).decode(),
)
SECRET_WORD = "canary in a letter"
PAIRS = amount(2, 200)
ACCOUNTS = 6

VARYING = re.compile(rb'[0-9a-f]{64}|(?<=-)[0-9a-f]{24}|(?<="signature":")[^"]*|[A-Za-z0-9_-]{43}')
"""Digests, ids, signatures, tokens: each always as long as any other of its kind."""


class Staged(LastWaters):
    """Last Waters, whose next match begins as ``snapshot``."""

    snapshot: Snapshot

    def new_match(self, new: NewMatch) -> Json:
        names = {seat.faction: seat.name for seat in new.seats}
        factions = tuple(replace(one, name=names[one.id]) for one in self.snapshot.factions)
        return encode(replace(self.snapshot, match_id=new.match_id, seed=new.seed, factions=factions))


STAGED = Staged()


@dataclass(frozen=True)
class Said:
    """An answer, all of it."""

    status: str
    headers: tuple[tuple[str, str], ...]
    body: bytes


class World:
    """A match that begins as ``snapshot``; seat n is the account ``player-n``."""

    def __init__(self, where: Path, snapshot: Snapshot, viewer: str) -> None:
        STAGED.snapshot = snapshot
        self.town = Town(where, SETTINGS)
        self.factions = [faction.id for faction in snapshot.factions]
        self.accounts = {
            faction: self.town.call(CreateAccount(handle=f"player-{n}", password=PASSWORD)).id
            for n, faction in enumerate(self.factions, 1)
        }
        clients = {faction: self._sign_in(f"player-{n}") for n, faction in enumerate(self.factions, 1)}
        self.match = self._start(list(clients.values()))
        self.viewer = viewer
        self.client, self.headers = clients[viewer]
        self.said: dict[str, Said] = {}

    def _sign_in(self, handle: str) -> tuple[FlaskClient, dict[str, str]]:
        client = self.town.client()
        answer = client.post("/v1/sessions", json={"handle": handle, "password": PASSWORD})
        assert answer.status_code == 201
        return client, {"Authorization": f"Bearer {answer.json['token']}"}

    def _start(self, people: list[tuple[FlaskClient, dict[str, str]]]) -> str:
        (client, headers), *others = people
        wanted = {
            "name": "Twins",
            "seats": len(people),
            "visibility": "public",
            "cadence_seconds": CADENCE,
            "seed": STAGED.snapshot.seed,
        }
        made = client.post("/v1/matches", json=wanted, headers=headers)
        assert made.status_code == 201, made.data
        match: str = made.json["id"]
        for client, headers in others:
            assert client.post(f"/v1/matches/{match}/seats", json={}, headers=headers).status_code == 201
        self.town.settle()
        return match

    def file(self, orders: list[Order]) -> None:
        """Every faction's orders, past the gateway but for the viewer's."""
        for order in sorted(orders, key=lambda order: order.seq):
            if order.body is None:
                continue
            body = msgspec.json.decode(canonical(order))
            body = {name: value for name, value in body.items() if name not in ("id", "seq", "faction")}
            if order.faction == self.viewer:
                self.ask("POST", "orders?tick=1", body)
                continue
            account = self.accounts[order.faction]
            wish = FileOrder(
                account=account, match=self.match, tick=1, order=msgspec.Raw(msgspec.json.encode(body))
            )
            try:
                filed = self.town.call(wish)
                if order.seq % 3 == 0:
                    self.town.call(CancelOrder(account=account, match=self.match, tick=1, order=filed.id))
            except Refusal:
                continue

    def whisper(self, times: int) -> None:
        """Letters between others."""
        one, other, *_ = [faction for faction in self.factions if faction != self.viewer]
        for number in range(times):
            text = f"{SECRET_WORD} {CANARY + number}"
            self.town.call(SendMessage(account=self.accounts[one], match=self.match, to=(other,), text=text))

    def ask(self, method: str, path: str, body: object = None, **headers: str) -> None:
        """Notes the answer to the viewer's request, under a number of its own."""
        at = path if path.startswith("/") else f"/v1/matches/{self.match}/{path}"
        answer = self.client.open(at, method=method, json=body, headers={**self.headers, **headers})
        said = Said(answer.status, tuple(sorted(answer.headers.items())), answer.data)
        self.said[f"{len(self.said)} {method} {path.replace(self.match, 'MATCH')}"] = said

    def ask_everything(self, tick: int, tries: list[Order]) -> None:
        for path in (
            *("/v1/me", "/v1/matches", f"/v1/matches/{self.match}", "/v1/keys", "/v1/me/blocks"),
            *("map", "view", "options", "orders", "reports", "messages", "conversations", "export"),
            *(f"{kind}?tick={n}" for kind in ("view", "orders") for n in range(tick + 2)),
            *(f"reports/{n}" for n in range(tick + 2)),
        ):
            self.ask("GET", path)
            self.ask("HEAD", path)
        for order in tries:
            body = msgspec.json.decode(canonical(order))
            body = {name: value for name, value in body.items() if name not in ("id", "seq", "faction")}
            self.ask("POST", f"orders?tick={tick + 1}&dry_run=true", body)
        self.ask("GET", f"/v1/matches/{self.match}/view", None, **{"If-None-Match": '"nothing"'})
        account = self.accounts[self.viewer]
        feed = self.town.call(GetFeed(account=account, match=self.match, after=0))
        self.said[f"{len(self.said)} feed"] = Said("", (), msgspec.json.encode(feed))

    def secrets(self) -> list[bytes]:
        """The nonces of others, which would lay their sealed orders open."""
        with self.town.services["report"].database.read() as tx:
            rows = tx.all(sa.select(reports.c.nonce).where(reports.c.faction != self.viewer))
        assert rows
        return [row.nonce.encode() for row in rows]


@pytest.fixture(autouse=True)
def staged(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setitem(rulesets.INSTALLED, RULESET.id, "tests.drills.test_p04_secrecy:STAGED")
    yield
    harness.close_all()


@pytest.mark.parametrize("pair", range(PAIRS))
def test_what_is_hidden_changes_no_byte(pair: int, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    luck = chance("p04", pair)
    step = next(iter(playout(luck.randrange(10**6), luck.randint(3, ACCOUNTS), 1, 10, wild=False)))
    viewer = luck.choice([faction.id for faction in step.before.factions])
    twin = Twin(step, viewer, luck)
    assert twin.hidden
    other = twin.snapshot_changed()
    tries = luck.sample(probes(step.before, viewer), 12)
    plain = played(World(tmp_path / "plain", twin.snapshot, viewer), twin.orders, 0, tries)
    changed = played(World(tmp_path / "changed", other, viewer), twin.orders_changed(other), 3, tries)
    assert list(plain.said) == list(changed.said)
    secrets = changed.secrets()
    for name, said in plain.said.items():
        differs = changed.said[name]
        assert differs.status == said.status, name
        assert headers(name, differs) == headers(name, said), name
        assert VARYING.sub(b"", differs.body) == VARYING.sub(b"", said.body), name
        assert len(differs.body) == len(said.body), name
        check_silent(secrets, VARYING.sub(b"", differs.body), differs.body)
    logged = "".join(capfd.readouterr()).encode()
    check_silent(secrets, VARYING.sub(b"", logged), logged)


def played(world: World, orders: list[Order], letters: int, tries: list[Order]) -> World:
    world.ask_everything(0, tries)
    world.file(orders)
    world.whisper(letters)
    world.town.settle()
    world.ask_everything(0, tries)
    world.town.pass_time(CADENCE)
    world.ask_everything(1, tries)
    reports = [name for name in world.said if name.endswith("GET reports/1")]
    assert world.said[reports[-1]].status == "200 OK"
    return world


def headers(name: str, said: Said) -> list[tuple[str, str]]:
    """Without the request's id. The tag of a report is over its digests, too."""
    hidden = {"X-Request-ID", *(["ETag"] if "GET reports/" in name or "HEAD reports/" in name else [])}
    return [
        (field, VARYING.sub(b"", value.encode()).decode())
        for field, value in said.headers
        if field not in hidden
    ]


def check_silent(secrets: list[bytes], text: bytes, whole: bytes) -> None:
    """No canary, and nothing that was sealed for others."""
    assert not CANARY_TEXT.search(text)
    assert SECRET_WORD.encode() not in text
    assert not [secret for secret in secrets if secret in whole]


def test_the_canaries_would_show(tmp_path: Path) -> None:
    """The drill above has teeth: the owner of a canary is told of it."""
    luck = random.Random(7)
    step = next(iter(playout(7, 4, 1, 10, wild=False)))
    twin = Twin(step, "f1", luck)
    other = twin.snapshot_changed()
    world = World(tmp_path / "seen", other, "f2")
    world.ask_everything(0, [])
    assert any(CANARY_TEXT.search(VARYING.sub(b"", said.body)) for said in world.said.values())
