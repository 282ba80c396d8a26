"""Two small services that the contract suite runs on each broker."""

import time

import sqlalchemy as sa

from shared.contracts.base import Nothing, Refusal
from shared.runtime import correlation
from shared.runtime.service import Service, every, handles, hears, rpc
from shared.storage import event_tables
from shared.storage.database import Transaction
from tests.stack.contracts.far import Echo, GetHeard, Heard
from tests.stack.contracts.near import Ask, Deadlock, Said, Tell, Told

metadata = sa.MetaData()
heard = sa.Table(
    "heard",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("match", sa.Text, nullable=False),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("correlation", sa.Text, nullable=False),
)
event_tables.attach(metadata)


class Near(Service):
    name = "near"
    rounds = 0
    at_once = 0
    told = 0

    @rpc
    def ask(self, request: Ask) -> Said:
        return self.call(Echo(text=request.text))

    @rpc
    def deadlock(self, request: Deadlock) -> Said:
        return self.call(Deadlock(), timeout=1.0)

    @rpc
    def tell(self, request: Tell) -> Nothing:
        with self.database.begin() as tx:
            for number in range(request.count):
                tx.emit(Told(match=request.text, number=number))
        return Nothing()

    @hears
    def told_again(self, event: Told) -> None:
        self.told += 1

    @every(0.05)
    def turn(self) -> None:
        self.at_once += 1
        assert self.at_once == 1
        time.sleep(0.12)
        self.at_once -= 1
        self.rounds += 1


class Far(Service):
    name = "far"
    mended = False

    @rpc
    def echo(self, request: Echo) -> Said:
        if request.text == "refuse":
            raise Refusal("malformed", "not this", errors=[{"index": 0}])
        if request.text == "break":
            raise RuntimeError("a secret of ours")
        time.sleep(request.seconds)
        return Said(text=request.text)

    @rpc
    def get_heard(self, request: GetHeard) -> Heard:
        with self.database.read() as tx:
            rows = tx.all(sa.select(heard))
        counts: dict[str, int] = {}
        for row in rows:
            key = f"{row.match}/{row.number}"
            counts[key] = counts.get(key, 0) + 1
        return Heard(counts=counts, correlations=tuple(sorted({row.correlation for row in rows})))

    @handles
    def told(self, event: Told, tx: Transaction) -> None:
        tx.execute(
            sa.insert(heard).values(match=event.match, number=event.number, correlation=correlation.current())
        )
        if event.match == "broken" and not self.mended:
            raise RuntimeError("cannot take this")
