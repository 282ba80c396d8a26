"""Computer players: stronger levels win, and all keep to what they see and to what may be filed."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import msgspec
import pytest

from shared.lastwaters import filing, mapgen, players, sight, tick, world
from shared.lastwaters.effects import NONE
from shared.lastwaters.orders import Accept, Body, Break, Move, Order, Propose, Recruit
from shared.lastwaters.players import odds
from shared.lastwaters.players.scouting import Ground
from shared.lastwaters.players.styles import STYLES
from shared.lastwaters.record import OrderResult
from shared.lastwaters.tables import BANDS
from shared.lastwaters.views import HoldView, OlderReading, View
from shared.lastwaters.world import Pact, Proposal, Resources, Snapshot
from shared.rulesets import ruleset

MATCHES = 60
TICK_CAP = 40


class Played(NamedTuple):
    """One tick of one player: the snapshot it was filed on, what it was shown, and what it filed."""

    snapshot: Snapshot
    level: str
    view: View
    brief: filing.Briefing
    orders: list[Body]


class Match(NamedTuple):
    winner: str
    """The winner's level."""
    plays: list[Played]
    results: list[OrderResult]
    last: Snapshot


def play_match(seed: str, levels: list[str], tick_cap: int = TICK_CAP) -> Match:
    snapshot = mapgen.generate(seed, len(levels), 8, tick_cap)
    level_of = {faction.id: level for faction, level in zip(snapshot.factions, levels, strict=True)}
    seen = sight.first(snapshot)
    plays: list[Played] = []
    results: list[OrderResult] = []
    while snapshot.result is None:
        filed: list[Order] = []
        for faction, level in level_of.items():
            brief = filing.briefing(snapshot, faction)
            orders = players.play(level, seen.views[faction], brief, luck=f"{seed}/{faction}/{brief.tick}")
            plays.append(Played(snapshot, level, seen.views[faction], brief, orders))
            filed += [Order(f"{faction}-{seq}", seq, faction, body) for seq, body in enumerate(orders, 1)]
        done = tick.adjudicate(snapshot, filed)
        results += done.record.results
        snapshot = done.snapshot
        seen = sight.look(snapshot, done.record, seen.memory)
    return Match(level_of[snapshot.result.winner], plays, results, snapshot)


def contest(better: str, worse: str) -> Counter[str]:
    """Wins by level: matches of four, two seats each, the sides' seats changing from match to match."""
    wins: Counter[str] = Counter()
    for number in range(MATCHES):
        pair = [better, worse] if number % 2 else [worse, better]
        wins[play_match(f"a7e4a{number:x}", pair * 2).winner] += 1
    print(better, worse, dict(wins))
    return wins


def test_sound_beats_harmless() -> None:
    assert contest("sound", "harmless")["sound"] >= MATCHES * 80 // 100


def test_strong_beats_sound() -> None:
    assert contest("strong", "sound")["strong"] >= MATCHES * 60 // 100


@pytest.fixture(scope="module")
def match() -> Match:
    return play_match("b07", ["strong", "sound", "harmless", "strong", "sound", "harmless"], 30)


def test_every_order_passes_the_filing_check(match: Match) -> None:
    for played in match.plays:
        me = played.brief.faction
        filed: list[Order] = []
        for seq, body in enumerate(played.orders, 1):
            order = Order(f"o{seq}", seq, me, body)
            assert filing.check(played.brief, filed, order) is None, body
            filed.append(order)


def test_orders_fail_only_where_others_have_a_say(match: Match) -> None:
    """Nothing is filed that the player could know to fail: only diplomacy depends on the others."""
    reasons = Counter(result.reason for result in match.results)
    assert reasons[None] > 300
    assert set(reasons) <= {
        None,
        "pact-exists",
        "pact-cap",
        "already-proposed",
        "no-proposal",
        "nothing-to-break",
    }


def test_the_same_input_gives_the_same_orders(match: Match) -> None:
    """Also when view and briefing come out of JSON, as they do in a match."""
    for played in match.plays[::7]:
        view = msgspec.json.decode(msgspec.json.encode(played.view), type=View)
        brief = msgspec.json.decode(msgspec.json.encode(played.brief), type=filing.Briefing)
        luck = f"b07/{brief.faction}/{brief.tick}"
        assert players.play(played.level, view, brief, luck) == played.orders


def test_what_is_fogged_changes_no_order(match: Match) -> None:
    """Holds out of sight get another owner's garrison: the orders from first sight stay the same."""
    start = match.plays[0].snapshot
    for played in match.plays[:6]:
        me = played.brief.faction
        hidden = {row.id for row in played.view.holds if row.sight == "unknown"}
        assert hidden
        holds = tuple(
            msgspec.structs.replace(hold, garrison={"neutral": {"militia": 8}})
            if hold.id in hidden and not hold.owner
            else hold
            for hold in start.holds
        )
        changed = msgspec.structs.replace(start, holds=holds)
        view = sight.first(changed).views[me]
        assert players.play(played.level, view, filing.briefing(changed, me), f"b07/{me}/1") == played.orders


def moves(match: Match, level: str) -> Iterator[tuple[Played, Move]]:
    for played in match.plays:
        if played.level == level:
            yield from ((played, body) for body in played.orders if isinstance(body, Move))


def test_harmless_takes_some_ground_and_attacks_nobody(match: Match) -> None:
    taken = 0
    for played, move in moves(match, "harmless"):
        owner = {hold.id: hold.owner for hold in played.snapshot.holds}[move.path[-1]]
        assert owner in (None, played.brief.faction)
        taken += owner is None
    assert taken >= 4


def test_strong_attacks_others(match: Match) -> None:
    attacked = 0
    for played, move in moves(match, "strong"):
        owner = {hold.id: hold.owner for hold in played.snapshot.holds}[move.path[-1]]
        attacked += owner not in (None, played.brief.faction)
    assert attacked >= 10


def test_pacts_are_offered_kept_and_never_turned_against(match: Match) -> None:
    formed = False
    for played in match.plays:
        me = played.brief.faction
        diplomacy = [body for body in played.orders if isinstance(body, Propose | Accept | Break)]
        if played.level != "strong":
            assert not diplomacy
        allies = {f for pact in played.view.pacts if me in pact.members for f in pact.members} - {me}
        formed = formed or bool(allies)
        owner = {hold.id: hold.owner for hold in played.snapshot.holds}
        assert not any(isinstance(body, Break) and body.with_ in allies for body in diplomacy)
        assert not any(isinstance(b, Move) and owner[b.path[-1]] in allies for b in played.orders)
    assert formed


def test_an_offer_from_anyone_is_accepted_when_there_is_room() -> None:
    start = mapgen.generate("0ffe4", 4, 8)
    offered = Proposal("f2", "f1", 0)
    snapshot = msgspec.structs.replace(start, proposals=(offered,))
    view = sight.first(snapshot).views["f1"]
    orders = players.play("strong", view, filing.briefing(snapshot, "f1"), "luck")
    assert Accept("f2") in orders
    full = msgspec.structs.replace(snapshot, pacts=(Pact(("f1", "f3"), 0),))
    view = sight.first(full).views["f1"]
    assert Accept("f2") not in players.play("strong", view, filing.briefing(full, "f1"), "luck")


@pytest.mark.parametrize("level", players.LEVELS)
def test_the_eliminated_file_nothing(level: str) -> None:
    start = mapgen.generate("dead", 3, 8)
    gone = tuple(
        msgspec.structs.replace(hold, owner="f2", garrison={"f2": {"militia": 1}})
        if hold.owner == "f1"
        else hold
        for hold in start.holds
    )
    factions = (msgspec.structs.replace(start.factions[0], eliminated_tick=0), *start.factions[1:])
    snapshot = msgspec.structs.replace(start, holds=gone, factions=factions)
    view = sight.first(snapshot).views["f1"]
    assert players.play(level, view, filing.briefing(snapshot, "f1"), "luck") == []


def test_players_file_through_the_ruleset_as_everyone_does(match: Match) -> None:
    """What `play` gives, as JSON, is read and accepted like a client's orders."""
    game = ruleset("last-waters")
    assert game.levels == players.LEVELS
    for played in match.plays[40:70]:
        me = played.brief.faction
        briefing = game.briefing(world.encode(played.snapshot), me)
        given = game.play(
            played.level,
            faction=me,
            view=world.encode(played.view),
            options=game.options(briefing, []),
            briefing=briefing,
            graph=game.graph(world.encode(played.snapshot)),
            luck=f"b07/{me}/{played.brief.tick}",
        )
        assert len(given) == len(played.orders)
        texts = [game.order(text, id=f"o{seq}", seq=seq, faction=me) for seq, text in enumerate(given, 1)]
        assert all(isinstance(text, bytes) for text in texts)
        assert game.check_all(briefing, texts) == [None] * len(texts)


@pytest.mark.parametrize("militia", range(1, 9))
def test_the_margin_of_the_strong_holds_against_every_draw(militia: int) -> None:
    """With the fewest units that its margin asks for, neutral ground is taken whatever the draws (C-07)."""
    start = mapgen.generate("0dd5", 2, 8)
    home = next(hold for hold in start.holds if hold.owner == "f1")
    goal = next(b if a == home.id else a for a, b in start.routes if home.id in (a, b))
    need = odds.defence_power({"militia": militia}, 0) * STYLES["strong"].margin
    fewest = -(-need // (100 * odds.strike("militia", NONE, False)))
    garrisons = {home.id: {"f1": {"militia": fewest}}, goal: {"neutral": {"militia": militia}}}
    for number in range(25):
        holds = tuple(
            msgspec.structs.replace(hold, garrison=garrisons.get(hold.id, hold.garrison))
            for hold in start.holds
        )
        snapshot = msgspec.structs.replace(start, seed=f"{number:x}", holds=holds)
        order = Order("o1", 1, "f1", Move(home.id, (goal,), {"militia": fewest}))
        after = tick.adjudicate(snapshot, [order]).snapshot
        assert next(hold.owner for hold in after.holds if hold.id == goal) == "f1"


def reading(row: HoldView) -> Ground:
    """What a player makes of one hold, all others being unknown, at tick 10."""
    start = mapgen.generate("5ca1e", 2, 4)
    view = sight.first(start).views["f1"]
    holds = tuple(row if each.id == row.id else HoldView(each.id, "unknown") for each in view.holds)
    brief = msgspec.structs.replace(filing.briefing(start, "f1"), tick=10)
    return Ground(msgspec.structs.replace(view, holds=holds, tick=9), brief)


POOR = Resources(2, 2, 2)
HALL = ("muster-hall",)
TEN = {"f2": {"militia": 10}}


def test_readings_become_estimates() -> None:
    exact = reading(HoldView("h1", "exact", "f2", 9, TEN, HALL, POOR)).guard("h1")
    stale = reading(HoldView("h1", "stale", "f2", 4, TEN, HALL, POOR)).guard("h1")
    assert exact.power == 2 * 10 * (3 + 1)
    assert exact.fortified and exact.recruits > 0
    assert stale.power > exact.power  # another faction's garrison may have grown since
    neutral = {"neutral": {"militia": 7}}
    fresh = reading(HoldView("h1", "exact", None, 9, neutral, (), POOR)).guard("h1")
    old = reading(HoldView("h1", "stale", None, 2, neutral, (), POOR)).guard("h1")
    assert fresh == old  # neutral militia does not grow
    sizes = [reading(HoldView("h1", "band", "f2", 9, band=band)).guard("h1").power for band, _ in BANDS]
    assert sizes == sorted(sizes) and len(set(sizes)) == len(sizes)
    seen = OlderReading(3, None, neutral, (), POOR)
    assert reading(HoldView("h1", "band", None, 9, band="company", older=seen)).guard("h1") == fresh
    assert not reading(HoldView("h1", "unknown")).open_ground("h1")


def test_friends_are_no_threat_and_no_target() -> None:
    start = mapgen.generate("5ca1e", 2, 4)
    home = next(hold.id for hold in start.holds if hold.owner == "f1")
    host = tuple(
        msgspec.structs.replace(hold, owner="f2", garrison={"f2": {"outrider": 40}})
        if hold.owner is None
        else hold
        for hold in start.holds
    )
    hostile = msgspec.structs.replace(start, holds=host)
    friendly = msgspec.structs.replace(hostile, pacts=(Pact(("f1", "f2"), 0),))
    for snapshot, threatened in ((hostile, True), (friendly, False)):
        brief = filing.briefing(snapshot, "f1")
        ground = Ground(sight.first(snapshot).views["f1"], brief)
        assert (ground.threat(home) > 0) == threatened
        orders = players.play("sound", sight.first(snapshot).views["f1"], brief, "luck")
        assert any(isinstance(body, Recruit) for body in orders)
        assert not any(isinstance(body, Move) for body in orders)
