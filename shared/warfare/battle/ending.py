"""When a battle is over (WF-END-01, WF-END-02)."""

from shared.warfare.battle.work import Work


def remaining(work: Work) -> list[int]:
    """Sides with an army deployed, in reserve or on its way."""
    return sorted(
        {
            fighter.side
            for fighter in work.battle.fighters
            if fighter.stand in ("reserve", "delayed") or (fighter.stand == "line" and fighter.active)
        }
    )


def over(work: Work) -> bool:
    """Ends the battle if at most one side is left; whether it has ended."""
    battle = work.battle
    if battle.phase == "ended":
        return True
    left = remaining(work)
    if len(left) > 1:
        return False
    end(work, left[0] if left else None)
    return True


def end(work: Work, winner: int | None) -> None:
    work.battle.phase = "ended"
    work.battle.winner = winner
    work.emit("ended", winner=winner, round=work.battle.round)
