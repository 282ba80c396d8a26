"""From a message of due ticks to resolved ticks: claim, seal, resolve, write; each match by itself."""

from collections.abc import Sequence
from datetime import timedelta
from threading import BoundedSemaphore

import structlog

from services.resolution import adjudication, claims, store
from services.resolution.adjudication import Adjudged
from services.resolution.claims import Claim
from services.resolution.committing import ClaimLost, Work, commit
from shared.contracts.clock import DueTick
from shared.contracts.lobby import Seat
from shared.contracts.orders import SealedTick, SealRequestItem, SealTicks
from shared.rulesets import NewMatch, SeatTaken
from shared.runtime import crashpoints
from shared.runtime.service import Ports, Unavailable

SEAL_SECONDS = 10.0
LONGEST_UNWRITTEN = timedelta(seconds=0.5)
"""Ticks worked out within this time share a commit; well within a lease."""
AT_ONCE = 2
"""Messages worked on at a time: a claim taken long before its turn would run out while it waits."""

log = structlog.get_logger()


class Resolver:
    def __init__(self, ports: Ports) -> None:
        self._database = ports.database
        self._call = ports.call
        self._offload = ports.offload
        self._clock = ports.clock
        self._turns = BoundedSemaphore(AT_ONCE)

    def resolve(self, due: Sequence[DueTick]) -> None:
        """Whatever is resolved already, claimed by another, stalled or over is passed by."""
        crashpoints.reach(crashpoints.MESSAGE_GOT)
        by_match = {tick.match: tick for tick in due}
        with self._turns:
            with self._database.begin() as tx:
                begun = claims.begun(tx, by_match)
                fresh = claims.take(tx, by_match, tried_before=False)
            self._work(fresh)
            for match in begun:
                with self._database.begin() as tx:
                    again = claims.take(tx, {match: by_match[match]}, tried_before=True)
                self._work(again)

    def open(self) -> bool:
        """Makes tick 0 of one match that has none; False if there is none to make."""
        with self._database.begin() as tx:
            found = claims.take_opening(tx)
        if found is None:
            return False
        claim, row = found
        with self._database.begin() as tx:
            claims.begin(tx, [claim])
        seats: tuple[Seat, ...] = store.seats(row)
        new = NewMatch(
            match_id=claim.match,
            seed=row.seed,
            seats=tuple(
                SeatTaken(faction=seat.faction, seat=seat.seat, name=seat.faction_name) for seat in seats
            ),
            settings=row.settings,
        )
        try:
            adjudged = self._offload(adjudication.opened, claim.ruleset, new)
        except Exception as error:  # noqa: BLE001 - whatever a ruleset raises stalls its own match alone
            self._fail(claim, error)
            return True
        self._write([(claim, adjudged)])
        return True

    def _work(self, claimed: Sequence[Claim]) -> None:
        if not claimed:
            return
        crashpoints.reach(crashpoints.CLAIMED)
        sealed = self._seal(claimed)
        ready = [claim for claim in claimed if claim.match in sealed]
        if not ready:
            return
        with self._database.read() as tx:
            states = store.states(tx, [(claim.match, claim.tick - 1) for claim in ready])
        works: list[Work] = []
        written_at = self._clock.now()
        for done, claim in enumerate(ready, 1):
            try:
                works.append((claim, self._adjudge(claim, states[claim.match], sealed[claim.match])))
            except Exception as error:  # noqa: BLE001 - whatever a ruleset raises stalls its own match alone
                self._fail(claim, error)
            crashpoints.reach(crashpoints.MID_PHASES)
            if done < len(ready) and self._clock.now() - written_at > LONGEST_UNWRITTEN:
                self._write(works)
                works = []
                with self._database.begin() as tx:
                    claims.renew(tx, ready[done:])
                written_at = self._clock.now()
        self._write(works)

    def _adjudge(self, claim: Claim, state: bytes, sealed: SealedTick) -> Adjudged:
        return self._offload(adjudication.resolved, claim.ruleset, state, claim.previous_hash, sealed)

    def _seal(self, claimed: Sequence[Claim]) -> dict[str, SealedTick]:
        """By match; what cannot be sealed now is given back, and announced again by the clock."""
        request = SealTicks(
            ticks=tuple(
                SealRequestItem(match=claim.match, tick=claim.tick, ready_at=claim.ready_at)
                for claim in claimed
            )
        )
        sealed: dict[str, SealedTick] = {}
        try:
            answer = self._call(request, timeout=SEAL_SECONDS)
            sealed = {item.match: item for item in answer.items if item.error is None}
            why = {item.match: item.error for item in answer.items if item.error is not None}
        except Unavailable as error:
            why = {claim.match: str(error) for claim in claimed}
        crashpoints.reach(crashpoints.SEALED)
        if why:
            log.warning("not sealed", matches=why)
        with self._database.begin() as tx:
            claims.release(tx, [claim for claim in claimed if claim.match not in sealed])
            claims.begin(tx, [claim for claim in claimed if claim.match in sealed])
        return sealed

    def _write(self, works: Sequence[Work]) -> None:
        """All in one commit; should that fail, each in its own, so that none spoils its neighbours."""
        if not works:
            return
        try:
            self._write_together(works)
        except Exception as error:
            if len(works) > 1:
                log.warning("commit failed, each tick by itself now", exc_info=error)
                for work in works:
                    self._write([work])
                return
            ((claim, _),) = works
            if isinstance(error, ClaimLost):
                log.warning("claim lost", match=claim.match, tick=claim.tick, fence=claim.fence)
            else:
                self._fail(claim, error)

    def _write_together(self, works: Sequence[Work]) -> None:
        with self._database.begin() as tx:
            commit(tx, works)
            crashpoints.reach(crashpoints.BEFORE_COMMIT)
        crashpoints.reach(crashpoints.AFTER_COMMIT)

    def _fail(self, claim: Claim, error: Exception) -> None:
        with self._database.begin() as tx:
            claims.fail(tx, claim, error)
