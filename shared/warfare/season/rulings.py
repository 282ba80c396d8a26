"""What a seated game master enters beside any window of the season (WF-DEC-08, section 23)."""

from shared.warfare.building import check_army
from shared.warfare.content.statuses import STATUSES
from shared.warfare.errors import Refusal
from shared.warfare.season import hiring, policies
from shared.warfare.season.orders import Grant, Rulings
from shared.warfare.season.trials import DOMAINS
from shared.warfare.season.window import listed
from shared.warfare.season.work import Work, loyal
from shared.warfare.spells import DoStatus

EARLY = ("disband", "support", "orders")
"""Phases in which armies may be moved, mounted and given away: later ones count on where they are."""


def check(work: Work, given: Rulings) -> Refusal | None:
    rogues = [army.id for army in work.of(None)]
    powers = list(work.powers)
    for one in given.difficulties:
        if one.power not in powers or one.action not in (None, *DOMAINS):
            return _no("WF-GM-10", f"no challenge {one.action!r} of {one.power!r}", "", DOMAINS)
    for site in given.sites:
        if site.site not in work.site_at:
            return _no("WF-GM-11", f"no site {site.site!r}", "", sorted(work.site_at))
    for grant in given.grants:
        if refusal := _check_grant(work, grant):
            return refusal
    if work.season.phase not in EARLY and (given.mounts or given.moves or given.recruits):
        return _no("WF-DEC-08", "armies are changed before the orders of a season close", "", EARLY)
    for name in given.mounts:
        if name not in work.armies:
            return _no("WF-GM-06", "is no army", name, sorted(work.armies))
    for name, place in given.moves.items():
        if name not in rogues or place not in work.hexes:
            return _no("WF-GM-08", "is no rogue army, or goes off the map", name, rogues)
    for name, to in given.recruits.items():
        releases = to is None and name in work.armies and not loyal(work.armies[name])
        if not (releases or (name in rogues and to in work.seats())):
            return _no("WF-GM-08", f"cannot enter the service of {to!r}", name, rogues)
    if refusal := policies.check(work, None, given.policies):
        return refusal
    return _check_armies(work, given)


def _check_grant(work: Work, grant: Grant) -> Refusal | None:
    if grant.power not in work.powers:
        return _no("WF-CMP-08", f"no power {grant.power!r}", "", list(work.powers))
    held = work.powers[grant.power]
    old = [one.id for group in (held.assets, held.spells, held.specials) for one in group]
    new = [one.id for group in (grant.assets, grant.spells, grant.specials) for one in group]
    if len({*old, *new}) != len(old) + len(new):
        return _no("WF-CMP-08", "an id twice", "", ["ids of their own"])
    effects = [effect for spell in grant.spells for effect in spell.effects]
    effects += [effect for special in grant.specials for effect in special.effects]
    for effect in effects:
        if isinstance(effect, DoStatus) and effect.name not in STATUSES:
            return _no("WF-GM-06", f"no status {effect.name!r}", "", STATUSES)
    return None


def _check_armies(work: Work, given: Rulings) -> Refusal | None:
    known = {
        *work.armies,
        *(one.army.id for one in work.season.records),
        *(one.army.id for one in work.season.dispersed),
    }
    for army in given.armies:
        if refusal := check_army(army) or policies.check_words(army.id, army.policy):
            return refusal
        if army.id in known:
            return _no("WF-CARD-01", "has an id that is taken", army.id, ["an id of its own"])
        known.add(army.id)
        if army.hex not in work.hexes or army.personal:
            return _no("WF-GM-12", "stands nowhere, or is a body", army.id, ["a hex of the map"])
        if army.controller is not None and army.controller not in work.seats():
            return _no("WF-GM-12", f"no power {army.controller!r}", army.id, work.seats())
    return None


def _no(rule: str, what: str, army: str, legal: object) -> Refusal:
    return Refusal(rule=rule, what=what, army=army, legal=listed(legal))


def give(work: Work, given: Rulings) -> None:
    season = work.season
    season.difficulties = [*season.difficulties, *given.difficulties]
    for site in given.sites:
        numbers = {
            name: value
            for name in ("depopulated", "uprising", "wall", "wall_damage")
            if (value := getattr(site, name)) is not None
        }
        work.set_site(site.site, **numbers)
    for grant in given.grants:
        held = work.powers[grant.power]
        work.set_power(
            grant.power,
            assets=(*held.assets, *grant.assets),
            spells=(*held.spells, *grant.spells),
            specials=(*held.specials, *grant.specials),
        )
        work.emit("granted", (grant.power,), power=grant.power)
    for name, mounts in given.mounts.items():
        work.change(name, mounts=mounts)
    for name, place in given.moves.items():
        work.change(name, hex=place, garrison=None)
    for name, to in given.recruits.items():
        hiring.serve(work, name, to)
    policies.replace_all(work, given.policies)
    for army in given.armies:
        work.put(army)
        season.created.append(army.id)
    work.emit("ruled", ())
