"""Replays a whole match from its export and tells where the export differs (contract.md, P-02, P-04, P-05).

The replay goes by the rules alone: from the seed to tick 0, and from each tick's sealed orders to the next state. It
goes on from its own states, and ends at the first tick that differs, since all after it would differ too.
"""

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import msgspec
from msgspec import Struct

from shared import proof
from shared.lastwaters.errors import BadInput
from shared.lastwaters.mapgen import generate
from shared.lastwaters.orders import read_orders
from shared.lastwaters.tables import HOLDS_PER_SEAT, RULES_VERSION, RULESET, SEATS, TICK_CAP
from shared.lastwaters.tick import adjudicate
from shared.lastwaters.world import Snapshot, encode

FORMAT = 1
_NONCE = re.compile(r"[0-9a-f]{64}\Z")
_FIELDS = {"format", "ruleset", "rules_version", "match", "seed", "commitment", "ticks", "result"}
_MATCH_FIELDS = {"id", "name", "seats", "settings", "factions"}
_TICK_FIELDS = {
    "tick",
    "deadline",
    "ran_at",
    "orders",
    "nonces",
    "digests",
    "snapshot",
    "hash",
    "results",
    "battles",
    "captures",
}


class Difference(Struct, frozen=True):
    """``where`` is a path into the export such as ``ticks[3].snapshot.holds[2].owner``."""

    where: str
    what: str


def verify(export: Any) -> list[Difference]:
    """All differences up to the first tick that has any; none means that everything holds.

    ``export`` is decoded JSON. BadInput if it is no export at all.
    """
    if not isinstance(export, dict):
        raise BadInput("", "an export is an object")
    missing = _FIELDS - export.keys()
    if missing:
        raise BadInput(sorted(missing)[0], "is missing")
    try:
        return _verify(export)
    except BadInput as problem:
        return [Difference(problem.where, problem.what)]


def _verify(export: dict[str, Any]) -> list[Difference]:
    found = list(_frame(export))
    if found:
        return found
    ticks = export["ticks"]
    match = export["match"]
    settings = match["settings"]
    state = generate(
        export["seed"],
        match["seats"],
        settings["holds_per_seat"],
        settings["tick_cap"],
        match["id"],
        match["factions"],
    )
    found = [*_compare(ticks[0].get("snapshot"), _plain(state), "ticks[0].snapshot")]
    previous = proof.state_hash(_text(state), "", (), RULES_VERSION)
    found += _compare(ticks[0].get("hash"), previous, "ticks[0].hash")
    for number in range(1, len(ticks)):
        if found:
            return found
        if state.result is not None:
            return [Difference(f"ticks[{number}]", "the match had ended before")]
        state, previous, found = _replay(state, previous, ticks[number], f"ticks[{number}]")
    return found or [*_compare(export["result"], _plain(state.result), "result")]


def _frame(export: dict[str, Any]) -> Iterator[Difference]:
    """Everything that needs no replay."""
    for name in sorted(export.keys() - _FIELDS - {"checksums"}):
        yield Difference(name, "does not belong in an export")
    yield from _compare(export["format"], FORMAT, "format")
    yield from _compare(export["ruleset"], RULESET, "ruleset")
    yield from _compare(export["rules_version"], RULES_VERSION, "rules_version")
    seed = export["seed"]
    if not isinstance(seed, str) or not re.fullmatch(r"[0-9a-fA-F]{1,64}", seed):
        yield Difference("seed", "1 to 64 hex digits are needed")
        return
    yield from _compare(export["commitment"], proof.commitment(seed), "commitment")
    found = [*_match(export["match"]), *_ticks(export["ticks"])]
    yield from found
    if not found and "checksums" in export:
        yield from _checksums(export)


def _checksums(export: dict[str, Any]) -> Iterator[Difference]:
    """Names and times, which no replay can tell."""
    given, right = export["checksums"], proof.export_checksums(export)
    if not isinstance(given, dict) or given.keys() != right.keys() or not isinstance(given["ticks"], list):
        yield Difference("checksums", "match and ticks are needed")
        return
    if given["match"] != right["match"]:
        yield Difference("match", "is not what checksums.match was made of")
    if len(given["ticks"]) != len(right["ticks"]):
        yield Difference("checksums.ticks", f"{len(given['ticks'])} for {len(right['ticks'])} ticks")
    for number, (one, other) in enumerate(zip(given["ticks"], right["ticks"], strict=False)):
        if one != other:
            where = f"ticks[{number + 1}]"
            yield Difference(where, f"deadline or ran_at is not what checksums.ticks[{number}] was made of")


def _match(match: Any) -> Iterator[Difference]:
    if not isinstance(match, dict) or match.keys() != _MATCH_FIELDS:
        yield Difference("match", f"an object of {', '.join(sorted(_MATCH_FIELDS))} is needed")
        return
    for name in ("id", "name"):
        if not isinstance(match[name], str):
            yield Difference(f"match.{name}", "a text is needed")
    yield from _whole(match["seats"], SEATS, "match.seats")
    names = match["factions"]
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        yield Difference("match.factions", "the names by seat are needed")
    elif len(names) != match["seats"]:
        yield Difference("match.factions", f"{len(names)} names for {match['seats']} seats")
    settings = match["settings"]
    if not isinstance(settings, dict) or settings.keys() != {"holds_per_seat", "tick_cap"}:
        yield Difference("match.settings", "holds_per_seat and tick_cap are needed")
        return
    yield from _whole(settings["holds_per_seat"], HOLDS_PER_SEAT, "match.settings.holds_per_seat")
    yield from _whole(settings["tick_cap"], TICK_CAP, "match.settings.tick_cap")


def _whole(value: Any, bounds: tuple[int, int], where: str) -> Iterator[Difference]:
    if not isinstance(value, int) or isinstance(value, bool) or not bounds[0] <= value <= bounds[1]:
        yield Difference(where, f"a whole number from {bounds[0]} to {bounds[1]} is needed, not {value!r}")


def _ticks(ticks: Any) -> Iterator[Difference]:
    if not isinstance(ticks, list) or not ticks:
        yield Difference("ticks", "a list from tick 0 on is needed")
        return
    for number, entry in enumerate(ticks):
        at = f"ticks[{number}]"
        fields = _TICK_FIELDS if number else {"tick", "snapshot", "hash"}
        if not isinstance(entry, dict) or entry.keys() != fields:
            yield Difference(at, f"an object of {', '.join(sorted(fields))} is needed")
            continue
        yield from _compare(entry["tick"], number, f"{at}.tick")
        for name in ("deadline", "ran_at") if number else ():
            if not _is_instant(entry[name]):
                yield Difference(f"{at}.{name}", "no instant of RFC 3339")


def _is_instant(value: Any) -> bool:
    try:
        return isinstance(value, str) and datetime.fromisoformat(value).tzinfo is not None
    except ValueError:
        return False


def _replay(
    state: Snapshot, previous: str, entry: dict[str, Any], at: str
) -> tuple[Snapshot, str, list[Difference]]:
    """The next state and hash, and where ``entry`` differs."""
    orders = read_orders(entry["orders"], f"{at}.orders")
    factions = [faction.id for faction in state.factions]
    seat = {faction: place for place, faction in enumerate(factions)}
    places = [(order.seq, seat.get(order.faction, len(factions))) for order in orders]
    found: list[Difference] = []
    if places != sorted(places):
        found.append(Difference(f"{at}.orders", "not by seq, then seat"))
    found += _nonces(entry["nonces"], factions, f"{at}.nonces")
    if found:
        return state, previous, found
    texts: dict[str, list[str]] = {faction: [] for faction in factions}
    for place, order in sorted(enumerate(orders), key=lambda each: each[1].seq):
        if order.faction not in texts:
            found.append(Difference(f"{at}.orders[{place}].faction", f"nothing is called {order.faction!r}"))
        else:
            texts[order.faction].append(_text(entry["orders"][place]))
    digests = {faction: proof.digest(entry["nonces"][faction], texts[faction]) for faction in factions}
    found += _compare(entry["digests"], digests, f"{at}.digests")
    done = adjudicate(state, orders)
    after = done.snapshot
    for name, value in (
        ("snapshot", after),
        ("results", done.record.results),
        ("battles", done.record.battles),
        ("captures", done.record.captures),
    ):
        found += _compare(entry[name], _plain(value), f"{at}.{name}")
    hash_ = proof.state_hash(_text(after), previous, digests.values(), RULES_VERSION)
    found += _compare(entry["hash"], hash_, f"{at}.hash")
    return after, hash_, found


def _nonces(nonces: Any, factions: list[str], at: str) -> Iterator[Difference]:
    if not isinstance(nonces, dict) or nonces.keys() != set(factions):
        yield Difference(at, "one a faction is needed")
        return
    for faction, nonce in nonces.items():
        if not isinstance(nonce, str) or not _NONCE.match(nonce):
            yield Difference(f"{at}.{faction}", "64 hex digits are needed")


def _text(value: Any) -> str:
    return encode(value).decode()


def _plain(value: Any) -> Any:
    """A struct as decoded JSON."""
    return msgspec.json.decode(encode(value))


def _compare(given: Any, right: Any, where: str) -> Iterator[Difference]:
    """Where ``given`` is not ``right``, as deep as both have the same shape."""
    if isinstance(given, dict) and isinstance(right, dict):
        for name in sorted(given.keys() | right.keys()):
            at = f"{where}.{name}"
            if name not in given:
                yield Difference(at, "is missing")
            elif name not in right:
                yield Difference(at, "should not be there")
            else:
                yield from _compare(given[name], right[name], at)
    elif isinstance(given, list) and isinstance(right, list):
        if len(given) != len(right):
            yield Difference(where, f"{len(given)} entries, the replay has {len(right)}")
        for place, (one, other) in enumerate(zip(given, right, strict=False)):
            yield from _compare(one, other, f"{where}[{place}]")
    elif type(given) is not type(right) or given != right:
        yield Difference(where, f"{_short(given)} stands here, the replay gives {_short(right)}")


def _short(value: Any) -> str:
    text = _text(value)
    return text if len(text) <= 80 else text[:77] + "..."
