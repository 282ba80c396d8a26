"""The end of a season, step by step, and the way into the next (WF-SEAS-10 to WF-SEAS-13)."""

from shared.warfare.season import claims, garrisons, levies, tidings
from shared.warfare.season.work import Work


def finish(work: Work) -> None:
    """After the fees: claims, home, recovery, and the next Tidings or the end."""
    season = work.season
    if not season.hosted:
        claims.calm(work)
        claims.seize(work)
    garrisons.go_home(work)
    levies.recover(work)
    work.emit("season-ended", None, season=season.season)
    _reset(work)
    if not season.hosted:
        claims.eliminate(work)
    if season.hosted or claims.over(work):
        end(work)
        return
    season.season += 1
    work.next_season()
    tidings.begin(work)


def end(work: Work) -> None:
    season = work.season
    season.phase = "ended"
    work.done()
    if not season.hosted:
        season.standing = claims.ranking(season)
        work.emit("campaign-ended", None, standing=list(season.standing))


def _reset(work: Work) -> None:
    season = work.season
    season.created = []
    season.bids = []
    season.assets_used = []
    season.moved = []
    season.fought = []
    season.withdrew = []
    season.regarrison = {}
    season.difficulties = []
    season.rolls = {}
    season.truces = [one for one in season.truces if one.until > season.season]
