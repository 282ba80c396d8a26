"""What each viewer of a match is told: briefings, views, what is remembered, and what everybody may know."""

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from shared.warfare import campaign_views, views
from shared.warfare import match as matches
from shared.warfare.decisions import GM, Decision
from shared.warfare.match import GAME_MASTER, Match
from shared.warfare.season import sight
from shared.warfare.season.skirmish import Skirmish

Memory = dict[str, dict[str, Any]]
"""By power and hex, the last reading of it, dated by season (WF-CMP-02)."""


class Briefing(Struct, frozen=True, kw_only=True):
    """What filing checks, options and computer players of ``power`` read: the match veiled for it, and what it is
    asked."""

    power: str
    match: Match
    decisions: tuple[Decision, ...]


def engine_id(viewer: str) -> str:
    return GM if viewer == GAME_MASTER else viewer


def viewer_id(power: str) -> str:
    return GAME_MASTER if power == GM else power


def brief(match: Match, viewer: str) -> Briefing:
    power = engine_id(viewer)
    asked = tuple(decision for decision in matches.decisions(match) if decision.power == power)
    return Briefing(power=power, match=veil(match, power), decisions=asked)


def veil(match: Match, power: str) -> Match:
    return Match(
        ruleset=match.ruleset,
        rules_version=match.rules_version,
        match_id=match.match_id,
        tick=match.tick,
        season=None if match.season is None else campaign_views.veil(match.season, power),
        skirmish=None if match.skirmish is None else _veil_skirmish(match.skirmish, power),
        auto={power: match.auto[power]} if power in match.auto else {},
    )


def _veil_skirmish(skirmish: Skirmish, power: str) -> Skirmish:
    """Drafts are secret until the armies stand in the field; given armies as well."""
    battle = None if skirmish.battle is None else views.veil(skirmish.battle, power)
    if power == GM:
        return replace(skirmish, seed="", given={}, battle=battle)
    return Skirmish(
        seed="",
        options=skirmish.options,
        phase=skirmish.phase,
        hex=skirmish.hex,
        corners=[corner if corner.id == power else replace(corner, armies=()) for corner in skirmish.corners],
        defender=skirmish.defender,
        battle=battle,
    )


def outlook(match: Match, viewer: str, memory: Memory) -> dict[str, Any]:
    """A viewer's view. Of an ended match: everything."""
    over = matches.ended(match)
    power = GM if over else engine_id(viewer)
    known = veil(match, power)
    asked = [
        {"id": one.id, "kind": one.kind, "name": one.name}
        for one in matches.decisions(match)
        if power in (one.power, GM)
    ]
    found: dict[str, Any] = {
        **public(match),
        "viewer": viewer,
        "asked": asked,
        "auto": match.auto.get(engine_id(viewer), []),
    }
    if known.season is not None:
        drawn = campaign_views.picture_of(known.season, engine_id(viewer))
        found |= {"campaign": drawn, "seen": memory.get(engine_id(viewer), {})}
    if known.skirmish is not None:
        battle = known.skirmish.battle
        found["battle"] = (
            None if battle is None else views.picture(battle, power if over else engine_id(viewer))
        )
        found["options"] = matches.plain(known.skirmish.options)
    if over:
        found["everything"] = {"season": match.season, "skirmish": match.skirmish}
    elif viewer == GAME_MASTER:
        found["everything"] = {"season": known.season, "skirmish": known.skirmish}
    return found


def remember(match: Match, memory: Memory) -> Memory:
    """What everybody sees now over what was seen before."""
    if match.season is None:
        return {}
    return {
        power.id: {**memory.get(power.id, {}), **sight.reading(match.season, power.id)}
        for power in match.season.powers
    }


def public(match: Match) -> dict[str, Any]:
    """What any account may see."""
    found: dict[str, Any] = {
        "format": "campaign" if match.season is not None else "battle",
        "tick": match.tick,
        "ended": matches.ended(match),
    }
    if match.season is not None:
        season = match.season
        return {
            **found,
            "season": season.season,
            "seasons": season.options.seasons,
            "phase": season.phase,
            "powers": [
                {"id": one.id, "kind": one.kind, "out": one.id in season.out} for one in season.powers
            ],
            "eliminated": list(season.out),
            "pacts": [list(pact) for pact in season.pacts],
        }
    if match.skirmish is not None:
        battle = match.skirmish.battle
        found |= {
            "phase": match.skirmish.phase,
            "round": 0 if battle is None else battle.round,
            "powers": [{"id": one.id, "side": one.side} for one in match.skirmish.corners],
        }
    return found


def graph(match: Match) -> dict[str, Any]:
    """The ground, which is public: terrain, roads, and where sites stand."""
    hexes = match.season.hexes if match.season is not None else []
    if match.skirmish is not None:
        hexes = [match.skirmish.hex]
    return {
        "hexes": [
            {
                "at": list(one.at),
                "terrain": one.terrain,
                "rough": one.rough,
                "road": one.road,
                "sunless": one.sunless,
                "sites": [{"id": site.id, "kind": site.kind, "name": site.name} for site in one.sites],
            }
            for one in hexes
        ]
    }
