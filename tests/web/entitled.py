"""What a player may have been told, worked out from the whole match: every answer is held against its snapshots.

Each path that a browser asks has its check in ``CHECKS``; one that has none is a failure, since nobody has looked at
what it carries.
"""

import json
import re
from collections.abc import Callable
from functools import cached_property
from typing import Any

import msgspec

from shared.lastwaters.memory import size_band
from shared.lastwaters.world import Hold, Snapshot
from tests.rules.test_sight_oracle import tiers
from tests.web.traffic import Heard

Json = Any
M = r"/v1/matches/[^/?]+"
HOLD_FACTS = ("owner", "garrison", "buildings", "yields")
PUBLIC_FACTION = {"id", "seat", "name", "eliminated_tick"}


class Entitled:
    """``export``: of the whole match. ``me``: the faction of the player whose traffic is looked at."""

    def __init__(self, export: Json, me: str) -> None:
        self.me = me
        self.export = export
        self.snapshots = [msgspec.convert(tick["snapshot"], Snapshot) for tick in export["ticks"]]
        self.secrets = {export["seed"]: "the seed"}
        for tick in export["ticks"][1:]:
            self.secrets |= {
                nonce: f"a nonce of {faction}" for faction, nonce in tick["nonces"].items() if faction != me
            }
            self.secrets |= {
                order["id"]: f"an order of {order['faction']}"
                for order in tick["orders"]
                if order["faction"] != me
            }

    def check(self, heard: Heard) -> None:
        """AssertionError for anything that the player may not know."""
        for secret, what in self.secrets.items():
            assert secret not in heard.text, f"{heard.path} carries {what}"
        found = [check for pattern, check in CHECKS if re.fullmatch(pattern, heard.path)]
        assert found, f"nobody has looked at what {heard.method} {heard.path} carries"
        if heard.status < 400 and heard.text[:1] in "{[":
            found[0](self, json.loads(heard.text))

    @cached_property
    def _sight(self) -> list[dict[str, str]]:
        """By tick: hold to exact or band, with the techs known before it (T-05)."""
        found = []
        for at, after in enumerate(self.snapshots):
            before = self.snapshots[max(0, at - 1)]
            techs = next(one.techs for one in before.factions if one.id == self.me)
            found.append(tiers(after, techs, self.me))
        return found

    def _hold(self, tick: int, hold: str) -> Hold:
        return next(one for one in self.snapshots[tick].holds if one.id == hold)

    def _with_units(self, tick: int) -> set[str]:
        return {hold.id for hold in self.snapshots[tick].holds if self.me in hold.garrison}

    def view(self, seen: Json) -> None:
        tick = seen["tick"]
        state = self.snapshots[tick]
        own = next(one for one in self.export["ticks"][tick]["snapshot"]["factions"] if one["id"] == self.me)
        assert (seen["stock"], seen["techs"], seen["research"]) == (
            own["stock"],
            own["techs"],
            own["research"],
        )
        assert all(set(faction) == PUBLIC_FACTION for faction in seen["factions"])
        assert all(self.me in (offer["from"], offer["to"]) for offer in seen["proposals"])
        assert all(self.me in truce["members"] for truce in seen["truces"])
        assert {force["hold"]: force["units"] for force in seen["forces"]} == {
            hold.id: hold.garrison[self.me] for hold in state.holds if self.me in hold.garrison
        }
        for row in seen["holds"]:
            if row["sight"] == "unknown":
                assert set(row) == {"id", "sight"}
                assert all(row["id"] not in sight for sight in self._sight[: tick + 1])
                continue
            if row["sight"] in ("exact", "band"):
                assert row["seen_tick"] == tick
            self._reading(row)
            if "older" in row:
                self._reading({"id": row["id"], **row["older"]})

    def _reading(self, row: Json) -> None:
        """One reading of a hold: what it says was so, and was in sight, when it was seen."""
        tick, hold = row["seen_tick"], row["id"]
        state, tier = self._hold(tick, hold), self._sight[tick].get(hold)
        assert row["owner"] == state.owner
        if "band" in row:
            assert tier in ("band", "exact") and row["band"] == size_band(state.garrison)
            assert not set(row) & set(HOLD_FACTS[1:]), f"{hold} was a band and tells more"
        else:
            assert tier == "exact", f"{hold} is told whole, but was {tier} at tick {tick}"
            assert row["garrison"] == state.garrison and row["buildings"] == list(state.buildings)

    def report(self, answer: Json) -> None:
        told, tick = answer["report"], answer["tick"]
        assert all(order["faction"] == self.me for order in map(json.loads, answer["sealed"]))
        exact = {hold for hold, tier in self._sight[tick - 1].items() if tier == "exact"}
        there = self._with_units(tick - 1) | self._marched_to(tick)
        for event in told["events"]:
            known = event["hold"] in exact or event["faction"] == self.me
            presence = event["hold"] in there and event["kind"] in ("arrived", "captured")
            border = event["hold"] in self._sight[tick - 1] and event["kind"] == "captured"
            assert known or presence or border, f"{event} is none of {self.me}'s"
        assert {battle["hold"] for battle in told["battles"]} <= there
        for battle in told["battles_seen"]:
            assert battle["hold"] in exact
            assert all(not {"exchanges", "attack_power"} & set(assault) for assault in battle["assaults"])
        assert all(self.me in (offer["from"], offer["to"]) for offer in told["proposed"] + told["withdrawn"])
        for line in told["balance"]["units_gained"] + told["balance"]["units_lost"]:
            assert set(line["units"]) <= {"militia", "outrider", "wrecker"}

    def _marched_to(self, tick: int) -> set[str]:
        return {
            order["path"][-1]
            for order in self.export["ticks"][tick]["orders"]
            if order["faction"] == self.me and order["kind"] == "move"
        }

    def orders(self, answer: Json) -> None:
        """A list, one order as filed, or what was cancelled (a receipt)."""
        assert all(item.get("faction", self.me) == self.me for item in answer.get("items", [answer]))

    def options(self, answer: Json) -> None:
        state = self.snapshots[answer["tick"] - 1]
        mine = {hold.id for hold in state.holds if hold.owner == self.me or self.me in hold.garrison}
        assert {row["hold"] for row in answer["holds"]} <= mine
        for row in answer["holds"]:
            standing = self._hold(answer["tick"] - 1, row["hold"]).garrison.get(self.me, {})
            assert all(count <= standing.get(unit, 0) for unit, count in row["move"]["units"].items())

    def match(self, answer: Json) -> None:
        assert "seed" not in answer
        assert all(
            set(seat) == {"seat", "faction", "faction_name", "handle", "bot", "resigned"}
            for seat in answer["seats"]
        )
        if answer["public"] is not None:
            assert set(answer["public"]) == {"factions", "pacts", "result", "tick", "tick_cap"}
            assert all(set(faction) == PUBLIC_FACTION for faction in answer["public"]["factions"])

    def match_list(self, answer: Json) -> None:
        """Others' matches stand in it too, whose secrets are none of this match."""
        for item in answer["items"]:
            if item["id"] == self.export["match"]["id"]:
                self.match(item)

    def messages(self, answer: Json) -> None:
        """A list, or one as sent."""
        assert all(self.me == item["from"] or self.me in item["to"] for item in answer.get("items", [answer]))

    def graph(self, answer: Json) -> None:
        assert all(set(hold) == {"id", "name", "x", "y"} for hold in answer["holds"])

    def event(self, answer: Json) -> None:
        assert set(answer) <= {"tick", "at", "moved_from", "id", "with", "status", "seats"}

    def nothing_of_a_match(self, answer: Json) -> None:
        """Files, rules, accounts: their texts are searched for secrets like all others."""


CHECKS: list[tuple[str, Callable[[Entitled, Json], None]]] = [
    (rf"{M}/view(\?.*)?", Entitled.view),
    (rf"{M}/reports/\d+", Entitled.report),
    (rf"{M}/reports(\?.*)?", Entitled.nothing_of_a_match),
    (rf"{M}/orders(/[^/?]+)?(\?.*)?", Entitled.orders),
    (rf"{M}/options", Entitled.options),
    (rf"{M}/map", Entitled.graph),
    (rf"{M}/messages(\?.*)?", Entitled.messages),
    (rf"{M}/conversations(/read)?", Entitled.nothing_of_a_match),
    (rf"{M}/stream", Entitled.event),
    (M, Entitled.match),
    (r"/v1/matches(\?.*)?", Entitled.match_list),
    (r"/v1/(me|sessions|keys|rules/.+|me/.+)(\?.*)?", Entitled.nothing_of_a_match),
    (r"/|/web/.+", Entitled.nothing_of_a_match),
]
"""By the path with its query; the first that fits counts."""
