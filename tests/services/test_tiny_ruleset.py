"""The tests' own ruleset keeps its side of the interface, so that what is proved with it means something."""

from shared import canonical
from shared.rulesets import Broken, NewMatch, Ruleset, SeatTaken, ruleset
from tests.services.tiny_ruleset import GAME_MASTER, NAME, LoneNumbers, decode


def new_match(seats: int = 3, settings: bytes = b"{}") -> bytes:
    game = LoneNumbers()
    return game.new_match(
        NewMatch(
            match_id="m1",
            seed="ab" * 32,
            seats=tuple(SeatTaken(faction=f"f{n}", seat=n, name=f"Name {n}") for n in range(1, seats + 1)),
            settings=game.settings(settings),
        )
    )


def named(faction: str, number: int, seq: int = 1) -> bytes:
    order = LoneNumbers().order(
        canonical.encode({"kind": "name", "number": number}), id=f"{faction}-{seq}", seq=seq, faction=faction
    )
    assert isinstance(order, bytes)
    return order


def test_it_is_installed_and_meets_the_interface() -> None:
    game: Ruleset = ruleset(NAME)
    assert game.title == "Lone Numbers"


def test_a_round_ends_early_once_everybody_has_named_a_number() -> None:
    game, state = LoneNumbers(), new_match()
    filed = {"f1": [named("f1", 5)], "f2": [named("f2", 7)]}
    assert not game.answered(state, filed)
    assert game.answered(state, {**filed, "f3": [named("f3", 9)]})
    assert not game.answered(new_match(settings=b'{"early":false}'), {**filed, "f3": [named("f3", 9)]})


def test_hidden_numbers_are_seen_by_their_seat_and_the_game_master_alone() -> None:
    game, state = LoneNumbers(), new_match()
    hidden = {seat["id"]: str(seat["hidden"]).encode() for seat in decode(state)["seats"]}
    views = game.look(state, None, None).views
    for viewer in ("f1", "f2", "f3"):
        assert [faction for faction, number in hidden.items() if number in views[viewer]] == [viewer]
    assert all(number in views[GAME_MASTER] for number in hidden.values())


def test_a_match_of_three_rounds_ends_with_a_winner() -> None:
    game, state = LoneNumbers(), new_match()
    for _ in range(3):
        resolved = game.resolve(state, [named("f2", 7), named("f1", 100)])
        state = resolved.state
    assert game.standing(state).ended
    assert sum(seat["points"] for seat in decode(state)["seats"]) == 3


def test_filing_checks_read_the_briefing() -> None:
    game, state = LoneNumbers(), new_match()
    second = game.check(game.briefing(state, "f1"), [named("f1", 4)], named("f1", 5, seq=2))
    assert isinstance(second, Broken)
    assert second.reason == "already-named"
