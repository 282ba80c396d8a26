"""The working state of one step: the season being changed, indexed, and what it emits."""

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from shared.warfare.army import Army, Place, active, standing
from shared.warfare.card import profile_of
from shared.warfare.decisions import Event
from shared.warfare.dice import Rolls
from shared.warfare.season.state import Season
from shared.warfare.world import ROGUES, Hex, Power, Site


class Work:
    """All modules of a season work on one of these. Cards, powers and hexes are values: to change one is to put
    another in its place (``put``, ``set_power``, ``set_site``); ``done`` writes them back in order."""

    def __init__(self, season: Season) -> None:
        self.season = season
        self.events: list[Event] = []
        self.powers = {power.id: power for power in season.powers}
        self.armies = {army.id: army for army in season.armies}
        self.hexes = {one.at: one for one in season.hexes}
        self.site_at = {site.id: one.at for one in season.hexes for site in one.sites}
        self.pacts = {frozenset(pact) for pact in season.pacts}
        self.rolls = Rolls(season.seed, season.season, "-", 0, season.rolls, season.given)
        self.costs: dict[tuple[str, Place], dict[Place, int]] = {}
        """March costs from a hex, by kind of march (``marching``)."""

    def next_season(self) -> None:
        season = self.season
        self.rolls = Rolls(season.seed, season.season, "-", 0, season.rolls, season.given)
        self.costs.clear()

    def done(self) -> Season:
        season = self.season
        season.powers = sorted(self.powers.values(), key=lambda power: power.seat)
        season.armies = [self.armies[name] for name in sorted(self.armies)]
        season.hexes = [self.hexes[at] for at in sorted(self.hexes)]
        season.pacts = sorted((min(pact), max(pact)) for pact in self.pacts)
        return season

    def emit(self, kind: str, to: Iterable[str] | None = None, /, **facts: Any) -> None:
        """``to`` null tells everybody; a game master sees all (WF-VIS-06)."""
        known = None if to is None else tuple(sorted({name for name in to if name in self.powers}))
        self.events.append(Event(kind, facts, known))

    # Powers

    def seats(self) -> list[str]:
        """The powers still in, by seat (WF-GEN-06)."""
        out = self.season.out
        return [power.id for power in self.season.powers if power.id not in out]

    def seat(self, power: str | None) -> int:
        """Rogues come after the last seat."""
        found = self.powers.get(power or ROGUES)
        return max(one.seat for one in self.season.powers) + 1 if found is None else found.seat

    def set_power(self, power: str, **changes: Any) -> None:
        self.powers[power] = replace(self.powers[power], **changes)

    def pay(self, power: str, resource: str, by: int) -> None:
        self.set_power(power, **{resource: getattr(self.powers[power], resource) - by})

    def partners(self, a: str, b: str) -> bool:
        return frozenset((a, b)) in self.pacts

    def allied(self, power: str) -> list[str]:
        """Its pact partners, by seat."""
        return [other for other in self.seats() if other != power and self.partners(power, other)]

    def truce(self, a: str, b: str) -> bool:
        return any({one.a, one.b} == {a, b} and self.season.season <= one.until for one in self.season.truces)

    def opposed(self, a: str | None, b: str | None) -> bool:
        """WF-GEN-04; null and ``rogues`` are rogues."""
        a, b = a or ROGUES, b or ROGUES
        if a == b:
            return False
        if ROGUES in (a, b):
            return True
        return not self.partners(a, b) and not self.truce(a, b)

    def rating(self, power: Power, domain: str) -> int:
        return power.ratings.get(domain, self.season.options.challenge_rating)  # WF-AST-02

    def asked(self, powers: Iterable[str]) -> list[str]:
        """Of these, who may be asked at all (WF-DEC-03)."""
        still = self.seats()
        return [power for power in powers if power in still]

    # Armies

    def put(self, army: Army) -> None:
        self.armies[army.id] = army

    def change(self, name: str, **changes: Any) -> Army:
        self.armies[name] = replace(self.armies[name], **changes)
        return self.armies[name]

    def remove(self, name: str) -> Army:
        """It is gone; whatever was due from it or to it as well."""
        self.season.regarrison.pop(name, None)
        for power in list(self.powers.values()):
            if power.champion is not None and power.champion.personal == name:
                self.set_power(power.id, champion=replace(power.champion, personal=None))
        return self.armies.pop(name)

    def of(self, power: str | None) -> list[Army]:
        """A power's armies, or the rogue ones, by id."""
        return [army for name, army in sorted(self.armies.items()) if army.controller == power]

    def at(self, place: Place, power: str | None = None) -> list[Army]:
        """Armies with an active unit in a hex, by id; of one power (or ``rogues``) or of all."""
        return [
            army
            for name, army in sorted(self.armies.items())
            if army.hex == place
            and active(army.units)
            and (power is None or (army.controller or ROGUES) == power)
        ]

    def champion_at(self, power: str) -> Place | None:
        """Where its champion stands, if one lives."""
        champion = self.powers[power].champion
        return champion.at if champion is not None and champion.alive else None

    # Places

    def site(self, name: str) -> Site | None:
        at = self.site_at.get(name)
        return None if at is None else next(site for site in self.hexes[at].sites if site.id == name)

    def set_site(self, name: str, **changes: Any) -> None:
        here = self.hexes[self.site_at[name]]
        self.set_hex(here.at, sites=tuple(replace(s, **changes) if s.id == name else s for s in here.sites))

    def set_hex(self, at: Place, **changes: Any) -> None:
        self.hexes[at] = replace(self.hexes[at], **changes)

    def sites(self) -> list[tuple[Site, Hex]]:
        """By id."""
        return sorted(
            ((site, one) for one in self.hexes.values() for site in one.sites), key=lambda found: found[0].id
        )

    def claimed(self, power: str) -> list[tuple[Site, Hex]]:
        return [found for found in self.sites() if found[0].owner == power]


def size(army: Army) -> int:
    """WF-CARD-03, WF-CARD-04."""
    units = active(army.units)
    return units + profile_of(army).traits.get("size", 0) if units else 0


def counted(army: Army) -> int:
    """Units its power supports (WF-PWR-05)."""
    return 0 if army.personal else standing(army.units)


def loyal(army: Army) -> bool:
    return army.controller is not None and army.loyal_to == army.controller


def trait(army: Army, name: str) -> int:
    return profile_of(army).traits.get(name, 0)
