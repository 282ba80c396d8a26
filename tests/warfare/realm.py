"""Seasons for tests: a plain map, powers and armies as people write them, brought to the window a test needs."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from shared.warfare.army import Army, Place, Unit
from shared.warfare.decisions import Decision, Event, Stepped
from shared.warfare.options import Options
from shared.warfare.reading import read_army
from shared.warfare.season import machine
from shared.warfare.season.state import Dispersed, Record, Season
from shared.warfare.world import Hex, Power, Site, distance

PLAIN = {"ancestry": "orcs", "class": "infantry", "units": 4}
"""Orcs: mobility 1, fee 1, no keywords."""
RADIUS = 3
AMPLE = {"kind": "champion", "support": 100}
"""Powers that support whatever a test needs."""
IDLE = (-3, 3)
"""Where an army of the last power stands about, so that every season has its D-01 and D-05."""


def town(id: str, owner: str | None = None, **rest: Any) -> Site:
    return Site(id=id, kind="town", owner=owner, **{"population": 6, "ancestries": ("orcs",), **rest})


def army(id: str, at: Place, controller: str | None = "p1", **written: Any) -> Army:
    """Loyal to its controller unless ``loyal_to`` says otherwise. Fields that people do not write (``levied`` and
    so on) may be given too."""
    stored = {
        name: written.pop(name) for name in list(written) if name in Army.__struct_fields__ and name in STORED
    }
    loyal = {"loyal_to": controller} if controller is not None else {}
    card = read_army({**PLAIN, "id": id, "hex": at, "controller": controller, **loyal, **written})
    return replace(card, **stored)


STORED = ("levied", "levied_size", "origin_town", "depop_held", "policy", "base", "premium")


class Realm:
    """A campaign being stepped: powers p1, p2, ... on plains."""

    def __init__(
        self,
        armies: Sequence[Army],
        *,
        sites: Mapping[Place, Site] | None = None,
        hexes: Mapping[Place, Mapping[str, Any]] | None = None,
        powers: Mapping[str, Mapping[str, Any]] | None = None,
        count: int = 2,
        dice: Mapping[str, Sequence[int]] | None = None,
        battle_dice: Mapping[str, Mapping[str, Sequence[int]]] | None = None,
        options: Options | None = None,
        hosted: bool = False,
        season: int = 1,
        **state: Any,
    ) -> None:
        places = [
            (q, r)
            for q in range(-RADIUS, RADIUS + 1)
            for r in range(-RADIUS, RADIUS + 1)
            if distance((q, r), (0, 0)) <= RADIUS
        ]
        ground = {
            at: Hex(
                at=at, **{"sites": (sites[at],) if sites and at in sites else (), **(hexes or {}).get(at, {})}
            )
            for at in places
        }
        given = powers or {}
        laid = Season(
            seed="realm",
            season=season,
            options=options or Options(),
            hosted=hosted,
            powers=[
                Power(**{"id": f"p{seat}", "seat": seat, **AMPLE, **given.get(f"p{seat}", {})})
                for seat in range(1, count + 1)
            ],
            hexes=[ground[at] for at in sorted(ground)],
            armies=sorted((*armies, army("idle", IDLE, f"p{count}")), key=lambda one: one.id),
            given={name: list(faces) for name, faces in (dice or {}).items()},
            battle_given={
                battle: {name: list(faces) for name, faces in rolls.items()}
                for battle, rolls in (battle_dice or {}).items()
            },
            **state,
        )
        self.now: Stepped[Season] = machine.start(laid)
        self.events: list[Event] = list(self.now.events)

    @property
    def season(self) -> Season:
        return self.now.state

    def __getitem__(self, name: str) -> Army:
        return next(one for one in self.season.armies if one.id == name)

    def __contains__(self, name: str) -> bool:
        return any(one.id == name for one in self.season.armies)

    def power(self, name: str) -> Power:
        return next(one for one in self.season.powers if one.id == name)

    def site(self, name: str) -> Site:
        return next(site for one in self.season.hexes for site in one.sites if site.id == name)

    def decision(self, power: str, about: str = "") -> Decision:
        return next(
            one for one in self.now.decisions if one.power == power and (not about or one.id.endswith(about))
        )

    def asked(self, kind: str) -> list[str]:
        return [one.power for one in self.now.decisions if one.kind == kind]

    def until(self, kind: str) -> "Realm":
        """On with defaults to the next window of ``kind``."""
        while self.now.decisions and self.now.decisions[0].kind != kind:
            self.answer()
        assert self.asked(kind), f"{kind} is never asked"
        return self

    def answer(self, beside: Mapping[str, Any] | None = None, **by_power: Any) -> list[Event]:
        """Closes the window with these answers; what happened."""
        ids = {self.decision(power).id: answer for power, answer in by_power.items()}
        self.now = machine.step(self.season, {**ids, **(beside or {})})
        self.events += self.now.events
        return list(self.now.events)

    def orders(self, **by_power: Sequence[Mapping[str, Any]]) -> list[Event]:
        """Through the next D-03 with these orders."""
        self.until("D-03")
        return self.answer(**{power: {"orders": orders} for power, orders in by_power.items()})

    def refusal(self, power: str, answer: Any) -> str:
        """The rule that forbids an answer of a power; empty if it may stand."""
        refused = machine.check(self.season, self.decision(power).id, answer)
        return refused.rule if refused is not None else ""

    def refused(self, by: str, /, **order: Any) -> str:
        return self.refusal(by, {"orders": [order]})

    def of(self, kind: str) -> list[dict[str, Any]]:
        """Facts of all events of a kind so far."""
        return [event.facts for event in self.events if event.kind == kind]

    def told(self, power: str) -> list[tuple[str, str]]:
        """Its orders so far and what became of them."""
        return [(one["action"], one["status"]) for one in self.of("order") if one["power"] == power]

    def end_season(self) -> "Realm":
        """On with defaults into the next season, or to the end."""
        at = self.season.season
        while self.now.decisions and self.season.season == at:
            self.answer()
        return self


def wounds(army: Army) -> list[int]:
    return [unit.wounds for unit in army.units]


def fled(card: Army, *, season: int, at: Place = (0, 0), fought: tuple[str, ...] = ()) -> Dispersed:
    units = tuple(Unit(unit.wounds, 0, "routed") for unit in card.units)
    return Dispersed(
        army=replace(card, units=units), hex=at, season=season, controller=card.controller, fought=fought
    )


def record(card: Army, size: int, power: str = "p1") -> Record:
    return Record(power=power, army=replace(card, units=(), hex=None), size=size)
