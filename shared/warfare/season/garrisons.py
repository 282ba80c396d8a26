"""Where armies belong (WF-CARD-16, WF-ACT-04, WF-ACT-05, WF-SEAS-12)."""

from msgspec.structs import replace

from shared.warfare.army import Army, Place
from shared.warfare.season.work import Work
from shared.warfare.world import distance

HOUSED = "power:"
"""Before the id of a power that houses armies: its champion's company."""


def place_of(work: Work, garrison: str | None) -> Place | None:
    """The hex of a garrison; null if it is gone."""
    if garrison is None:
        return None
    if garrison.startswith(HOUSED):
        host = garrison.removeprefix(HOUSED)
        return work.champion_at(host) if host in work.powers else None
    return work.site_at.get(garrison)


def owner_of(work: Work, garrison: str) -> str | None:
    if garrison.startswith(HOUSED):
        return garrison.removeprefix(HOUSED)
    site = work.site(garrison)
    return site.owner if site is not None else None


def usable(work: Work, power: str | None, garrison: str | None) -> bool:
    """Not gone and not in opposed hands."""
    if garrison is None or place_of(work, garrison) is None or power is None:
        return False
    owner = owner_of(work, garrison)
    return owner is None or not work.opposed(power, owner)


def open_to(work: Work, power: str, garrison: str) -> bool:
    """Whether a power may put armies there: its own, nobody's or a partner's (WF-ACT-05)."""
    owner = owner_of(work, garrison)
    return owner in (None, power) or work.partners(power, owner or "")


def home(work: Work, army: Army) -> Place | None:
    """Its garrison hex; a fielded army's is where it stands."""
    return place_of(work, army.garrison) if usable(work, army.controller, army.garrison) else army.hex


def nearest(work: Work, power: str, at: Place) -> str | None:
    """Its site nearest to a hex, by distance, then id (WF-ACT-21)."""
    own = [(distance(one.at, at), site.id) for site, one in work.claimed(power)]
    return min(own)[1] if own else None


def settle(work: Work, army: Army, power: str) -> Army:
    """A foreign army in a power's service: at its nearest site, else fielded where it is (WF-ACT-21)."""
    at = army.hex or (0, 0)
    garrison = nearest(work, power, at)
    return work.change(army.id, garrison=garrison, hex=place_of(work, garrison) or army.hex)


def go_home(work: Work) -> None:
    """Season's end: new garrisons first, then everybody is in its garrison hex (WF-ACT-05, WF-SEAS-12)."""
    for name, garrison in sorted(work.season.regarrison.items()):
        army = work.armies.get(name)
        if army is not None and name not in work.season.withdrew and usable(work, army.controller, garrison):
            work.change(name, garrison=garrison)
    for army in sorted(work.armies.values(), key=lambda army: (not army.personal, army.id)):
        work.change(army.id, hex=home(work, army))
        if army.personal:
            follow(work)  # before those whom its champion houses


def follow(work: Work) -> None:
    """Champions are where their bodies are."""
    for power in list(work.powers.values()):
        champion = power.champion
        if champion is None or not champion.alive or champion.personal is None:
            continue
        body = work.armies.get(champion.personal)
        if body is not None and body.hex != champion.at:
            work.set_power(power.id, champion=replace(champion, at=body.hex))
