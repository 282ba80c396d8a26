"""Phase 7: running research advances, and what ends makes room for the next (S-02)."""

from shared.lastwaters.orders import ResearchOrder
from shared.lastwaters.tables import (
    ARCHIVES_COUNTED,
    BUILDINGS,
    FULL_TIME,
    OVER_MAX,
    PROGRESS_A_TICK,
    RESEARCH_CUT_MAX,
    TECHS,
)
from shared.lastwaters.turn import Turn
from shared.lastwaters.world import Research


def run(turn: Turn) -> None:
    cuts = _building_cuts(turn)
    over: dict[str, int] = {}
    for faction, running in turn.research.items():
        if running is not None and turn.factions[faction].eliminated_tick is None:
            over[faction] = _advance(turn, faction, running, cuts.get(faction, 0))
    for order, body in turn.of_kind(ResearchOrder):
        turn.settle(order, _start(turn, order.faction, body.tech, over.get(order.faction, 0)))


def needed(tech: str, cut: int) -> int:
    """Hundredths of a tick until ``tech`` is complete (S-03)."""
    return TECHS[tech].ticks * (FULL_TIME - min(cut, RESEARCH_CUT_MAX))


def startable(tech: str, known: tuple[str, ...]) -> str | None:
    """Why ``tech`` cannot be started by who knows ``known``; None if it can."""
    if tech not in TECHS:
        return "unknown-tech"
    if tech in known:
        return "already-known"
    if not all(need in known for need in TECHS[tech].needs):
        return "missing-prerequisite"
    return None


def _building_cuts(turn: Turn) -> dict[str, int]:
    """Percent by faction, from what it holds after this tick's battles and buildings."""
    found: dict[str, list[int]] = {}
    for hold in turn.snapshot.holds:
        for building in turn.buildings.get(hold.id, hold.buildings):
            cut = BUILDINGS[building].research_cut
            if cut:
                owner = turn.owner_of(hold.id)
                if owner is not None:
                    found.setdefault(owner, []).append(cut)
    return {faction: sum(cuts[:ARCHIVES_COUNTED]) for faction, cuts in found.items()}


def _advance(turn: Turn, faction: str, running: Research, building_cut: int) -> int:
    """Advance the running research; what is over when it completes, else 0."""
    progress = running.progress + PROGRESS_A_TICK
    enough = needed(running.tech, building_cut + turn.effects[faction].research_cut)
    if progress < enough:
        turn.research[faction] = Research(running.tech, progress)
        return 0
    turn.techs[faction] = (*turn.techs[faction], running.tech)
    turn.completed[faction] = running.tech
    turn.research[faction] = None
    return min(progress - enough, OVER_MAX)


def _start(turn: Turn, faction: str, tech: str, over: int) -> str | None:
    if turn.research[faction] is not None:
        return "busy-researching"  # S-04
    reason = startable(tech, turn.techs[faction])
    if reason is not None:
        return reason
    if not turn.pay(faction, TECHS[tech].cost, ResearchOrder):
        return "unaffordable"
    turn.research[faction] = Research(tech, over)
    turn.started[faction] = tech
    return None
