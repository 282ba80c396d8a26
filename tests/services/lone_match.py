"""A match of Lone Numbers as lobby and resolution tell it: the events that fog, report and bots live on."""

from datetime import timedelta

import msgspec

from shared import canonical, proof
from shared.contracts.fog import TickFogged
from shared.contracts.lobby import MatchStarted, Seat
from shared.contracts.orders import OrderResult
from shared.contracts.resolution import TickOutcome
from shared.rulesets import NewMatch, SeatTaken
from tests.services.harness import START
from tests.services.tiny_ruleset import NAME, RULESET

CADENCE = timedelta(hours=1)


def seat(n: int, *, match: str = "m1", bot: str | None = None) -> Seat:
    """Seat ``n``: a computer player's if ``bot`` names a level."""
    faction = f"f{n}"
    return Seat(
        seat=n,
        faction=faction,
        faction_name=f"Name {n}",
        account=f"account-{n}" if bot is None else f"bot:{match}:{faction}",
        handle=f"handle-{n}" if bot is None else None,
        bot=bot,
    )


class LoneMatch:
    """Three seats, the third a computer player's. ``outcomes`` holds each tick told so far."""

    def __init__(self, match: str = "m1", seed: str = "ab" * 32, rounds: int = 3, early: bool = True) -> None:
        self.match = match
        self.seed = seed
        self.settings = canonical.encode({"rounds": rounds, "early": early})
        self.seats = (seat(1, match=match), seat(2, match=match), seat(3, match=match, bot="counting"))
        self.state = RULESET.new_match(
            NewMatch(
                match_id=match,
                seed=seed,
                seats=tuple(
                    SeatTaken(faction=s.faction, seat=s.seat, name=s.faction_name) for s in self.seats
                ),
                settings=self.settings,
            )
        )
        self.outcomes = [self._outcome(0, None, {})]

    def started(self) -> MatchStarted:
        return MatchStarted(
            match=self.match,
            name="A match",
            ruleset=NAME,
            settings=msgspec.Raw(self.settings),
            seed=self.seed,
            practice=False,
            cadence_seconds=int(CADENCE.total_seconds()),
            started_at=START,
            seats=self.seats,
        )

    def resolve(self, numbers: dict[str, int]) -> TickOutcome:
        """The next tick, with a number named by each faction of ``numbers``."""
        tick = len(self.outcomes)
        sealed = {}
        for faction, number in numbers.items():
            given = canonical.encode({"kind": "name", "number": number})
            order = RULESET.order(given, id=f"{faction}-order-{tick}", seq=1, faction=faction)
            assert isinstance(order, bytes)
            sealed[faction] = (order.decode(),)
        orders = [text.encode() for texts in sealed.values() for text in texts]
        resolved = RULESET.resolve(self.state, orders)
        self.state = resolved.state
        self.outcomes.append(self._outcome(tick, resolved.record, sealed))
        return self.outcomes[-1]

    def nonce(self, tick: int, faction: str) -> str:
        return proof.sha256(f"{self.seed}/nonce/{tick}/{faction}")

    def _outcome(self, tick: int, record: bytes | None, sealed: dict[str, tuple[str, ...]]) -> TickOutcome:
        factions = [s.faction for s in self.seats] if tick else []
        nonces = {faction: self.nonce(tick, faction) for faction in factions}
        digests = {faction: proof.digest(nonces[faction], sealed.get(faction, ())) for faction in factions}
        standing = RULESET.standing(self.state)
        return TickOutcome(
            match=self.match,
            tick=tick,
            ruleset=NAME,
            rules_version=RULESET.version,
            deadline=START + tick * CADENCE if tick else None,
            ran_at=START + tick * CADENCE,
            state=msgspec.Raw(self.state),
            record=None if record is None else msgspec.Raw(record),
            results={
                f"{f}-order-{tick}": OrderResult(status="done", reason=None, words=None) for f in sealed
            },
            sealed=sealed,
            nonces=nonces,
            digests=digests,
            state_hash=proof.state_hash(self.state.decode(), "", digests.values(), RULESET.version),
            public=msgspec.Raw(RULESET.public(self.state)),
            result=None if standing.result is None else msgspec.Raw(standing.result),
            ended=standing.ended,
        )


def fogged(outcome: TickOutcome) -> TickFogged:
    """What fog makes of ``outcome``, where everybody is entitled to its own alone."""
    state, record = bytes(outcome.state), outcome.record
    looked = RULESET.look(state, None if record is None else bytes(record), None)
    return TickFogged(
        match=outcome.match,
        tick=outcome.tick,
        ruleset=outcome.ruleset,
        rules_version=outcome.rules_version,
        deadline=outcome.deadline,
        ran_at=outcome.ran_at,
        record=record,
        entitled=None if looked.entitled is None else msgspec.Raw(looked.entitled),
        sealed=outcome.sealed,
        nonces=outcome.nonces,
        digests=outcome.digests,
        state_hash=outcome.state_hash,
        public=outcome.public,
        result=outcome.result,
        ended=outcome.ended,
    )
