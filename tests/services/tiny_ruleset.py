"""Lone Numbers, a ruleset of a page: it proves that no service knows holds or militia.

Each round every seat names a number from 1 to 100. The highest number that only one seat named wins its seat a
point; after the last round the most points win (ties by seat). A seat may leave and is out. Each seat is dealt a
`hidden` number every round, which adds to the number it names and which nobody else ever sees before the end:
the canary of every secrecy test. A game master sees everything. The round may end early once all seats that are
still in have named a number.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Annotated, Any, Literal

import msgspec

from shared import canonical, proof, rulesets
from shared.rulesets import (
    Allowance,
    Broken,
    Difference,
    Json,
    Looked,
    NewMatch,
    Resolved,
    Result,
    Standing,
    Viewer,
    Window,
)

NAME = "lone-numbers"
GAME_MASTER = "game-master"

broken_matches: set[str] = set()
"""Ids of matches whose ticks raise instead of resolving, for tests of stalled matches."""


class Settings(msgspec.Struct, forbid_unknown_fields=True):
    rounds: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 3
    early: bool = True


class Name(msgspec.Struct, tag_field="kind", tag="name", forbid_unknown_fields=True):
    """Names a number for this round, once."""

    number: Annotated[int, msgspec.Meta(ge=1, le=100)]


class Leave(msgspec.Struct, tag_field="kind", tag="leave", forbid_unknown_fields=True):
    """Leaves the match at the end of the round."""


class Boast(msgspec.Struct, tag_field="kind", tag="boast", forbid_unknown_fields=True):
    """Says something to nobody, as often as one likes: an order to tell apart from all others."""

    words: Annotated[str, msgspec.Meta(min_length=1, max_length=80)]


Order = Name | Leave | Boast


def draw(seed: str, n: int, *labels: str | int) -> int:
    key = "/".join([seed, *map(str, labels)])
    return int.from_bytes(hashlib.sha256(key.encode()).digest(), "big") % n


def decode(text: Json) -> Any:
    return msgspec.json.decode(text)


class LoneNumbers:
    """The ruleset, as `shared.rulesets.Ruleset` wants it. State, record and memory are plain JSON objects."""

    id = NAME
    version = 1
    title = "Lone Numbers"
    seats = (2, 50)
    levels = ("counting",)
    takeover_level = "counting"
    roles = (GAME_MASTER,)
    settings_type: type[msgspec.Struct] = Settings
    order_types: tuple[type[msgspec.Struct], ...] = (Name, Leave, Boast)
    reasons: Mapping[str, str] = {
        "malformed": "This is not an order.",
        "already-named": "A number is already named.",
        "out": "The seat has left.",
        "shared": "Somebody else named the same number.",
    }
    paces = (1, 60, 3600)

    def settings(self, given: Json) -> Json:
        try:
            return canonical.encode(msgspec.json.decode(given, type=Settings))
        except msgspec.DecodeError as error:
            raise ValueError(str(error)) from error

    def new_match(self, new: NewMatch) -> Json:
        return canonical.encode(
            {
                "ruleset": self.id,
                "rules_version": self.version,
                "match_id": new.match_id,
                "seed": new.seed,
                "tick": 0,
                "settings": decode(new.settings),
                "seats": [
                    {
                        "id": seat.faction,
                        "name": seat.name,
                        "points": 0,
                        "out_tick": None,
                        "hidden": _hidden(new.seed, 0, seat.faction),
                    }
                    for seat in new.seats
                ],
                "result": None,
            }
        )

    def order(self, given: Json, *, id: str, seq: int, faction: str) -> Json | Broken:
        try:
            order = msgspec.json.decode(given, type=Order)
        except msgspec.DecodeError as error:
            return Broken(reason="malformed", message=str(error))
        return canonical.encode({**msgspec.to_builtins(order), "id": id, "seq": seq, "faction": faction})

    def briefing(self, state: Json, faction: str) -> Json:
        seat = _seat(decode(state), faction)
        return canonical.encode({"in": seat["out_tick"] is None, "hidden": seat["hidden"]})

    def check(self, briefing: Json, filed: Sequence[Json], new: Json) -> Broken | None:
        if not decode(briefing)["in"]:
            return self._broken("out")
        if decode(new)["kind"] == "name" and any(decode(order)["kind"] == "name" for order in filed):
            return self._broken("already-named")
        return None

    def check_all(self, briefing: Json, orders: Sequence[Json]) -> list[Broken | None]:
        return [self.check(briefing, orders[:at], order) for at, order in enumerate(orders)]

    def options(self, briefing: Json, filed: Sequence[Json]) -> Json:
        named = any(decode(order)["kind"] == "name" for order in filed)
        return canonical.encode({"numbers": None if named else [1, 100], "leave": decode(briefing)["in"]})

    def windows(self, state: Json) -> tuple[Window, ...]:
        world = decode(state)
        if world["result"] is not None:
            return ()
        return tuple(
            Window(
                viewer=seat["id"],
                question=canonical.encode({"name": [1, 100]}),
                default="No number is named.",
                needed=world["settings"]["early"],
            )
            for seat in world["seats"]
            if seat["out_tick"] is None
        )

    def answered(self, state: Json, filed: Mapping[str, Sequence[Json]]) -> bool:
        needed = [window.viewer for window in self.windows(state) if window.needed]
        return bool(needed) and all(filed.get(viewer) for viewer in needed)

    def resolve(self, state: Json, orders: Sequence[Json]) -> Resolved:
        world = decode(state)
        if world["match_id"] in broken_matches:
            raise RuntimeError("this match is broken by a test")
        tick = world["tick"] = world["tick"] + 1
        seats = {seat["id"]: seat for seat in world["seats"]}
        filed = sorted(map(decode, orders), key=lambda order: (order["seq"], order["faction"]))
        named = {
            order["faction"]: order["number"] + seats[order["faction"]]["hidden"]
            for order in filed
            if order["kind"] == "name" and seats[order["faction"]]["out_tick"] is None
        }
        times = Counter(named.values())
        lone = max((number for number, count in times.items() if count == 1), default=None)
        winner = next((faction for faction, number in named.items() if number == lone), None)
        if winner is not None:
            seats[winner]["points"] += 1
        results = []
        for order in filed:
            reason = None
            if seats[order["faction"]]["out_tick"] is not None and seats[order["faction"]]["out_tick"] < tick:
                reason = "out"
            elif order["kind"] == "leave":
                seats[order["faction"]]["out_tick"] = tick
            elif order["kind"] == "name" and times[named[order["faction"]]] > 1:
                reason = "shared"
            results.append(
                Result(
                    order=order["id"],
                    faction=order["faction"],
                    status="done" if reason is None else "failed",
                    reason=reason,
                    words=None if reason is None else self.reasons[reason],
                )
            )
        for seat in world["seats"]:
            seat["hidden"] = _hidden(world["seed"], tick, seat["id"])
        live = [seat for seat in world["seats"] if seat["out_tick"] is None]
        if len(live) < 2 or tick >= world["settings"]["rounds"]:
            best = max(live or world["seats"], key=lambda seat: seat["points"])
            world["result"] = {"winner": best["id"], "tick": tick}
        record = {"tick": tick, "named": named, "winner": winner}
        return Resolved(
            state=canonical.encode(world),
            record=canonical.encode(record),
            results=tuple(results),
            chronicle=canonical.encode({"round": record}),
        )

    def look(self, state: Json, record: Json | None, memory: Json | None) -> Looked:
        world = decode(state)
        remembered = decode(memory) if memory else {"winners": []}
        if record is not None:
            remembered["winners"].append(decode(record)["winner"])
        open_to_all = world["result"] is not None
        views = {
            viewer: canonical.encode(
                {
                    "viewer": viewer,
                    "tick": world["tick"],
                    "winners": remembered["winners"],
                    "seats": [
                        seat if open_to_all or viewer in (seat["id"], GAME_MASTER) else _outside(seat)
                        for seat in world["seats"]
                    ],
                }
            )
            for viewer in _viewers(world)
        }
        entitled = (
            None if record is None else canonical.encode({viewer: [viewer] for viewer in _viewers(world)})
        )
        return Looked(views=views, memory=canonical.encode(remembered), entitled=entitled)

    def reports(self, record: Json, entitled: Json) -> dict[Viewer, Json]:
        happened = decode(record)
        return {
            viewer: canonical.encode(
                {
                    "tick": happened["tick"],
                    "winner": happened["winner"],
                    "named": {
                        faction: number
                        for faction, number in happened["named"].items()
                        if viewer == GAME_MASTER or faction in told
                    },
                }
            )
            for viewer, told in decode(entitled).items()
        }

    def public(self, state: Json) -> Json:
        return canonical.encode({"points": {seat["id"]: seat["points"] for seat in decode(state)["seats"]}})

    def graph(self, state: Json) -> Json:
        return canonical.encode({"numbers": [1, 100]})

    def standing(self, state: Json) -> Standing:
        world = decode(state)
        return Standing(
            live=tuple(seat["id"] for seat in world["seats"] if seat["out_tick"] is None),
            ended=world["result"] is not None,
            result=None if world["result"] is None else canonical.encode(world["result"]),
        )

    def allowances(self, state: Json) -> dict[str, Allowance]:
        return {
            seat["id"]: Allowance(hour=3 if seat["out_tick"] is None else 0, per_player=2)
            for seat in decode(state)["seats"]
        }

    def play(
        self, level: str, *, faction: str, view: Json, options: Json, briefing: Json, graph: Json, luck: str
    ) -> list[Json]:
        if decode(options)["numbers"] is None or not decode(briefing)["in"]:
            return []
        number = 1 + draw(luck, 100, "number", decode(view)["tick"], faction)
        return [canonical.encode({"kind": "name", "number": number})]

    def tables(self) -> Json:
        return canonical.encode({"numbers": [1, 100]})

    def pages(self) -> dict[str, str]:
        return {"rules": "# Lone Numbers\n\nThe highest number named once wins a point.\n"}

    def export_settings(self, state: Json, settings: Json) -> Json:
        return settings

    def verify(self, export: Json) -> list[Difference]:
        return list(_differences(self, decode(export)))

    def _broken(self, reason: Literal["out", "already-named"]) -> Broken:
        return Broken(reason=reason, message=self.reasons[reason])


def _hidden(seed: str, tick: int, faction: str) -> int:
    return 1_000_000 + draw(seed, 1_000_000, "hidden", tick, faction)


def _seat(world: Any, faction: str) -> Any:
    return next(seat for seat in world["seats"] if seat["id"] == faction)


def _viewers(world: Any) -> list[str]:
    return [*(seat["id"] for seat in world["seats"]), GAME_MASTER]


def _outside(seat: Any) -> Any:
    return {key: value for key, value in seat.items() if key != "hidden"}


def _differences(game: LoneNumbers, export: Any) -> Iterator[Difference]:
    if proof.commitment(export["seed"]) != export["commitment"]:
        yield Difference(where="commitment", what="is not the seed's")
    hash_before = ""
    state = canonical.encode(export["ticks"][0]["snapshot"])
    for at, entry in enumerate(export["ticks"]):
        where = f"ticks[{at}]"
        factions = sorted(seat["id"] for seat in entry["snapshot"]["seats"])
        digests: list[str] = []
        if at:
            resolved = game.resolve(state, [canonical.encode(order) for order in entry["orders"]])
            state = resolved.state
            for faction in factions:
                own = [canonical.text(order) for order in entry["orders"] if order["faction"] == faction]
                digests.append(proof.digest(entry["nonces"][faction], own))
                if digests[-1] != entry["digests"][faction]:
                    yield Difference(where=f"{where}.digests.{faction}", what="is not the orders' digest")
        if state != canonical.encode(entry["snapshot"]):
            yield Difference(where=f"{where}.snapshot", what="differs from the replay")
        hash_before = proof.state_hash(state.decode(), hash_before, digests, export["rules_version"])
        if hash_before != entry["hash"]:
            yield Difference(where=f"{where}.hash", what="breaks the chain")


RULESET = LoneNumbers()


@contextmanager
def installed() -> Iterator[LoneNumbers]:
    """The ruleset stands beside the others while the block runs."""
    rulesets.INSTALLED[NAME] = "tests.services.tiny_ruleset:RULESET"
    try:
        yield RULESET
    finally:
        del rulesets.INSTALLED[NAME]
        broken_matches.clear()
