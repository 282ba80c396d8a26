"""Computer players: stronger levels win, and all keep to what they see and to what may be filed."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import msgspec
import pytest

from shared.lastwaters import filing, mapgen, players, sight, tick, world
from shared.lastwaters.orders import Accept, Body, Break, Move, Order, Propose
from shared.lastwaters.record import OrderResult
from shared.lastwaters.views import View
from shared.lastwaters.world import Pact, Proposal, Snapshot
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
