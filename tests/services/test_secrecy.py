"""A tick of Last Waters through fog and report, in two worlds that differ in all that one faction may not know.

Its view, report and feed are the same bytes in both; of P-04 and P-05 alone the digests and the state hash differ,
and their lengths do not. Every hidden number of the twin is a canary and shows in no answer and no log.
"""

import random
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy as sa

from services.fog import store as fog_store
from services.fog.service import FogService
from services.fog.store import Seen
from services.report import store as report_store
from services.report.service import ReportService
from shared import proof
from shared.contracts.fog import GetMap, GetView, TickFogged
from shared.contracts.lobby import MatchStarted, Seat
from shared.contracts.report import GetFeed, GetReport, ListReports, TickReported
from shared.contracts.resolution import TickOutcome
from shared.lastwaters.memory import Memory
from shared.lastwaters.orders import Order, canonical
from shared.lastwaters.ruleset import RULESET
from shared.lastwaters.world import Snapshot, encode
from shared.storage.deflate import deflate
from tests.rules.playout import playout
from tests.rules.test_secrecy import CANARY_TEXT, Twin
from tests.services.harness import START, build

MASKED = re.compile(rb"[0-9a-f]{64}")


class World:
    """Fog and report at the tick after ``snapshot``, told of it as resolution does."""

    def __init__(self, where: Path, snapshot: Snapshot, orders: list[Order], memory: Memory) -> None:
        where.mkdir()
        factions = [faction.id for faction in snapshot.factions]
        filed = [order for order in orders if order.body is not None]  # the others are never accepted
        self.tick = snapshot.tick + 1
        self.nonces = {faction: proof.sha256(f"nonce of {faction}") for faction in factions}
        self.sealed = {
            faction: tuple(canonical(order).decode() for order in filed if order.faction == faction)
            for faction in factions
        }
        self.fog, self.report = build(FogService, where), build(ReportService, where)
        started = MatchStarted(
            match="m1",
            name="",
            ruleset=RULESET.id,
            settings=msgspec.Raw(b"{}"),
            seed=snapshot.seed,
            practice=False,
            cadence_seconds=3600,
            started_at=START,
            seats=tuple(
                Seat(seat=n, faction=faction, faction_name=faction, account=faction, handle=faction)
                for n, faction in enumerate(factions, 1)
            ),
        )
        for service in (self.fog, self.report):
            service.deliver(started)
        with self.fog.database.begin() as tx:
            seen = Seen("m1", snapshot.tick, views={}, memory=deflate(encode(memory)))
            fog_store.advance(tx, [seen])
        with self.report.database.begin() as tx:
            tx.execute(sa.update(report_store.matches).values(next_tick=self.tick))
        assert self.fog.deliver(self._outcome(encode(snapshot))).handled == 1
        (fogged,) = self.fog.emitted_of(TickFogged)
        assert self.report.deliver(fogged).handled == 1

    def _outcome(self, state: bytes) -> TickOutcome:
        resolved = RULESET.resolve(state, [text.encode() for texts in self.sealed.values() for text in texts])
        digests = {
            faction: proof.digest(self.nonces[faction], texts) for faction, texts in self.sealed.items()
        }
        standing = RULESET.standing(resolved.state)
        with self.fog.database.begin() as tx:
            fog_store.keep_map(tx, "m1", RULESET.graph(state))
        return TickOutcome(
            match="m1",
            tick=self.tick,
            ruleset=RULESET.id,
            rules_version=RULESET.version,
            deadline=START,
            ran_at=START,
            state=msgspec.Raw(resolved.state),
            record=msgspec.Raw(resolved.record),
            results={},
            sealed=self.sealed,
            nonces=self.nonces,
            digests=digests,
            state_hash=proof.state_hash(resolved.state.decode(), "", digests.values(), RULESET.version),
            public=msgspec.Raw(RULESET.public(resolved.state)),
            result=None if standing.result is None else msgspec.Raw(standing.result),
            ended=standing.ended,
        )

    def told(self, viewer: str) -> dict[str, bytes]:
        """Every answer that ``viewer`` can get, as it crosses the bus."""
        asked: dict[str, tuple[Any, Any]] = {
            "view": (self.fog, GetView(account=viewer, match="m1")),
            "map": (self.fog, GetMap(account=viewer, match="m1")),
            "report": (self.report, GetReport(account=viewer, match="m1", tick=self.tick)),
            "reports": (self.report, ListReports(account=viewer, match="m1", limit=9, cursor=None)),
            "feed": (self.report, GetFeed(account=viewer, match="m1", after=0)),
        }
        return {name: msgspec.json.encode(service.ask(request)) for name, (service, request) in asked.items()}


@pytest.mark.parametrize("seed", random.sample(range(10**6), 6))
def test_what_is_hidden_changes_no_byte_of_an_answer(
    seed: int, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    chance = random.Random(seed)
    step = list(playout(seed, chance.randint(3, 6), chance.randint(1, 12), 10, wild=False))[-1]
    viewer = chance.choice([f.id for f in step.before.factions if f.eliminated_tick is None])
    twin = Twin(step, viewer, chance)
    other = twin.snapshot_changed()
    plain = World(tmp_path / "plain", twin.snapshot, twin.orders, twin.memory)
    changed = World(tmp_path / "twin", other, twin.orders_changed(other), twin.memory_changed())
    answers, twins = plain.told(viewer), changed.told(viewer)
    for name, answer in answers.items():
        assert MASKED.sub(b"", twins[name]) == MASKED.sub(b"", answer), name
        assert len(twins[name]) == len(answer)
        assert not CANARY_TEXT.search(MASKED.sub(b"", twins[name])), name
        for faction, texts in changed.sealed.items():
            if faction != viewer:
                assert changed.nonces[faction].encode() not in twins[name]
                assert not [text for text in texts if text.encode() in twins[name]]
    assert changed.nonces[viewer].encode() in twins["report"]
    facts = [world.report.emitted_of(TickReported) for world in (plain, changed)]
    assert facts[0] == facts[1]
    logged = "".join(capfd.readouterr()).encode()
    assert not CANARY_TEXT.search(logged)
    assert not [nonce for nonce in changed.nonces.values() if nonce.encode() in logged]
