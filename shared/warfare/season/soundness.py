"""Whether a season as somebody wrote it down can be played at all."""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from shared.warfare.army import Unit
from shared.warfare.building import check_army
from shared.warfare.decisions import check_power
from shared.warfare.errors import BadInput, Illegal
from shared.warfare.season.policies import check_words
from shared.warfare.season.state import Season
from shared.warfare.world import ROGUES


def check(season: Season, where: str = "season") -> None:
    """BadInput names the path of what points nowhere or stands there twice; Illegal an army that cannot be."""
    powers = [power.id for power in season.powers]
    check_powers([(power.id, power.seat) for power in season.powers], f"{where}.powers")
    places = [one.at for one in season.hexes]
    _once([str(at) for at in places], f"{where}.hexes", "hex")
    sites = [site for one in season.hexes for site in one.sites]
    _once([site.id for site in sites], f"{where}.hexes", "site")
    for site in sites:
        _known(site.owner, powers, f"{where}.hexes", f"owner of {site.id}")
    kept = [
        *season.armies,
        *(one.army for one in season.records),
        *(one.army for one in season.dispersed),
    ]
    _once([army.id for army in kept], f"{where}.armies", "army")
    recorded = [replace(one.army, units=(Unit(),)) for one in season.records]  # a record has no units
    for army in (*season.armies, *(one.army for one in season.dispersed), *recorded):
        if refusal := check_army(army) or check_words(army.id, army.policy):
            raise Illegal(refusal)
    for army in season.armies:
        at = f"{where}.armies[{army.id}]"
        _known(army.controller, powers, at, "controller")
        _known(army.loyal_to, powers, at, "loyal_to")
        if army.hex not in places:
            raise BadInput(f"{at}.hex", f"{army.hex} is not on the map")
    for power in season.powers:
        body = power.champion.personal if power.champion is not None else None
        _known(
            body,
            [army.id for army in season.armies if army.personal and army.controller == power.id],
            f"{where}.powers[{power.id}]",
            "champion's body",
        )
    for a, b in season.pacts:
        _known(a, powers, f"{where}.pacts", "power")
        _known(b, powers, f"{where}.pacts", "power")


def check_powers(powers: Sequence[tuple[str, int]], where: str) -> None:
    """Ids and seats of those who play."""
    names = [name for name, _ in powers]
    _once(names, where, "power")
    _once([str(seat) for _, seat in powers], where, "seat")
    if ROGUES in names or not names:
        raise BadInput(where, f"one power at least, and none named {ROGUES!r}")
    for name in names:
        check_power(name, where)


def _once(names: list[str], where: str, what: str) -> None:
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise BadInput(where, f"{what} {twice} stands there twice")


def _known(name: str | None, among: Iterable[str], where: str, what: str) -> None:
    if name is not None and name not in list(among):
        raise BadInput(where, f"{what}: no {name!r}")
