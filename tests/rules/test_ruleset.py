"""Last Waters through the platform's interface: a match from the settings to a verified export."""

import json
import random
from typing import Any

import pytest

from shared import proof
from shared.lastwaters import tables
from shared.rulesets import Broken, NewMatch, SeatTaken, ruleset

GAME = ruleset("last-waters")


def new_match(seats: int = 3, **settings: int) -> bytes:
    taken = tuple(SeatTaken(faction=f"f{n}", seat=n, name=f"Name {n}") for n in range(1, seats + 1))
    complete = GAME.settings(json.dumps(settings).encode())
    return GAME.new_match(NewMatch(match_id="m1", seed="5eed", seats=taken, settings=complete))


def test_settings_are_completed_and_checked() -> None:
    assert json.loads(GAME.settings(b"{}")) == {"holds_per_seat": 8, "tick_cap": 50}
    for bad in (b'{"tick_cap":51}', b'{"holds_per_seat":3}', b'{"x":1}', b"[]", b"{", b'{"tick_cap":true}'):
        with pytest.raises(ValueError, match="settings"):
            GAME.settings(bad)


def test_a_match_played_through_bytes_is_verified() -> None:
    chance = random.Random(2)
    state, settings = new_match(tick_cap=5, holds_per_seat=5), {"tick_cap": 5, "holds_per_seat": 5}
    looked = GAME.look(state, None, None)
    assert looked.entitled is None and looked.views.keys() == {"f1", "f2", "f3"}
    hash_ = proof.state_hash(state.decode(), "", (), GAME.version)
    ticks: list[dict[str, Any]] = [{"tick": 0, "snapshot": json.loads(state), "hash": hash_}]
    while not GAME.standing(state).ended:
        sealed: list[bytes] = []
        for faction in GAME.standing(state).live:
            sealed += _file(state, faction, chance)
        sealed.sort(key=lambda text: (json.loads(text)["seq"], json.loads(text)["faction"]))
        nonces = {faction: f"{chance.getrandbits(256):064x}" for faction in ("f1", "f2", "f3")}
        digests = {
            faction: proof.digest(nonce, [t.decode() for t in sealed if json.loads(t)["faction"] == faction])
            for faction, nonce in nonces.items()
        }
        done = GAME.resolve(state, sealed)
        looked = GAME.look(done.state, done.record, looked.memory)
        assert looked.entitled is not None
        reports = GAME.reports(done.record, looked.entitled)
        assert reports.keys() == set(GAME.standing(state).live)
        for result in done.results:
            assert (result.words is None) == (result.status == "done")
        state = done.state
        hash_ = proof.state_hash(state.decode(), hash_, digests.values(), GAME.version)
        results = [{k: getattr(r, k) for k in ("order", "faction", "status", "reason")} for r in done.results]
        ticks.append(
            {
                "tick": len(ticks),
                "deadline": "2031-05-01T12:00:00Z",
                "ran_at": "2031-05-01T12:00:01Z",
                "orders": [json.loads(text) for text in sealed],
                "nonces": nonces,
                "digests": digests,
                "snapshot": json.loads(state),
                "hash": hash_,
                "results": results,
                **json.loads(done.chronicle),
            }
        )
    names = ["Name 1", "Name 2", "Name 3"]
    kept = json.loads(GAME.export_settings(state, json.dumps(settings).encode()))
    export = {
        "format": 1,
        "ruleset": GAME.id,
        "rules_version": GAME.version,
        "match": {"id": "m1", "name": "M", "seats": 3, "settings": kept, "factions": names},
        "seed": "5eed",
        "commitment": proof.commitment("5eed"),
        "ticks": ticks,
        "result": json.loads(GAME.standing(state).result or b"null"),
    }
    assert GAME.verify(json.dumps(export).encode()) == []
    ticks[2]["orders"][0]["id"] = "other"
    assert GAME.verify(json.dumps(export).encode())[0].where.startswith("ticks[2].")
    assert {a.hour for a in GAME.allowances(state).values()} == {0}  # G-04


def _file(state: bytes, faction: str, chance: random.Random) -> list[bytes]:
    brief = GAME.briefing(state, faction)
    offered = json.loads(GAME.options(brief, []))
    filed: list[bytes] = []
    for hold in offered["holds"]:
        for end in hold["move"]["ends"][:1]:
            body = {"kind": "move", "origin": hold["hold"], "path": end["path"], "units": {"militia": 1}}
            text = GAME.order(
                json.dumps(body).encode(),
                id=f"{faction}-{chance.random()}",
                seq=len(filed) + 1,
                faction=faction,
            )
            assert isinstance(text, bytes)
            if GAME.check(brief, filed, text) is None:
                filed.append(text)
    assert GAME.check_all(brief, filed) == [None] * len(filed)
    return filed


def test_malformed_orders_say_what_and_where() -> None:
    for given, word in ((b"{", "JSON"), (b"[]", "object"), (b'{"kind":"fly"}', "fly"), (b'{"kind":"recruit","hold":"h","unit":"militia","count":0}', "count")):  # fmt: skip
        answer = GAME.order(given, id="a", seq=1, faction="f1")
        assert isinstance(answer, Broken) and answer.reason == "malformed" and word in answer.message


def test_public_answers_show_no_ground() -> None:
    state = new_match()
    assert json.loads(GAME.graph(state)).keys() == {"holds", "routes"}
    assert {name for hold in json.loads(GAME.graph(state))["holds"] for name in hold} == {
        "id",
        "name",
        "x",
        "y",
    }
    assert json.loads(GAME.public(state)).keys() == {"tick", "tick_cap", "factions", "pacts", "result"}
    assert GAME.windows(state) == () and GAME.answered(state, {}) is False


def test_allowances_double_with_runners_code() -> None:
    state = json.loads(new_match())
    state["factions"][1]["techs"] = ["runners-code"]
    allowances = GAME.allowances(json.dumps(state).encode())
    assert [(a.hour, a.per_player) for a in allowances.values()] == [(20, 10), (40, 10), (20, 10)]


def test_tables_and_pages_are_served_as_data() -> None:
    served = json.loads(GAME.tables())
    assert [unit["unit"] for unit in served["units"]] == list(tables.UNITS)
    assert [tech["tech"] for tech in served["techs"]] == list(tables.TECHS)
    assert served["reasons"]["too-many-orders"]
    assert "**W-01**" in GAME.pages()["rules"]
    assert set(GAME.reasons) == set(served["reasons"])


@pytest.mark.parametrize("level", GAME.levels)
def test_computer_players_file_what_may_be_filed(level: str) -> None:
    state = new_match()
    view, brief = GAME.look(state, None, None).views["f2"], GAME.briefing(state, "f2")
    options, graph = GAME.options(brief, []), GAME.graph(state)
    played = GAME.play(level, faction="f2", view=view, options=options, briefing=brief, graph=graph, luck="7")
    filed = [GAME.order(body, id=str(n), seq=n, faction="f2") for n, body in enumerate(played, 1)]
    texts = [text for text in filed if isinstance(text, bytes)]
    assert len(texts) == len(played)
    assert GAME.check_all(brief, texts) == [None] * len(texts)
