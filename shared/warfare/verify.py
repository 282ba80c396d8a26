"""Replays a whole match from its export and tells where the export differs (P-02, P-04, P-05)."""

from collections.abc import Iterator
from typing import Any

from shared import canonical, proof
from shared.rulesets import Difference, NewMatch, Ruleset, SeatTaken

NEEDED = ("ruleset", "rules_version", "match", "seed", "commitment", "ticks", "result")


def verify(game: Ruleset, export: Any) -> list[Difference]:
    """All differences up to the first tick that has any. ValueError if ``export`` is none at all."""
    if not isinstance(export, dict):
        raise ValueError("an export is an object")
    for name in NEEDED:
        if name not in export:
            raise ValueError(f"{name}: is missing")
    try:
        return list(_differences(game, export))
    except (KeyError, TypeError, ValueError) as problem:
        return [Difference(where="", what=f"is no export of {game.title}: {problem}")]


def _differences(game: Ruleset, export: dict[str, Any]) -> Iterator[Difference]:
    for name, right in (("ruleset", game.id), ("rules_version", game.version)):
        if export[name] != right:
            yield Difference(where=name, what=f"{export[name]!r} stands here, not {right!r}")
            return
    if export["commitment"] != proof.commitment(export["seed"]):
        yield Difference(where="commitment", what="is not the seed's")
    if "checksums" in export and export["checksums"] != proof.export_checksums(export):
        yield Difference(where="checksums", what="are not those of the match's head and its ticks' times")
    match = export["match"]
    names = match["factions"]
    width = len(str(len(names)))
    factions = [f"f{number:0{width}}" for number in range(1, len(names) + 1)]
    state = game.new_match(
        NewMatch(
            match_id=match["id"],
            seed=export["seed"],
            seats=tuple(
                SeatTaken(faction=faction, seat=seat, name=name)
                for seat, (faction, name) in enumerate(zip(factions, names, strict=True), 1)
            ),
            settings=canonical.encode(match["settings"]),
        )
    )
    previous = ""
    for number, entry in enumerate(export["ticks"]):
        at = f"ticks[{number}]"
        digests: list[str] = []
        found: list[Difference] = []
        if number:
            if game.standing(state).ended:
                yield Difference(where=at, what="the match had ended before")
                return
            found += _sealed(entry, factions, at, digests)
            done = game.resolve(state, [canonical.encode(order) for order in entry["orders"]])
            state = done.state
            results = [
                {"order": one.order, "faction": one.faction, "status": one.status, "reason": one.reason}
                for one in done.results
            ]
            if canonical.encode(entry["results"]) != canonical.encode(results):
                found.append(Difference(where=f"{at}.results", what="differ from the replay"))
            if canonical.encode({"events": entry["events"]}) != done.chronicle:
                found.append(Difference(where=f"{at}.events", what="differ from the replay"))
        if canonical.encode(entry["snapshot"]) != state:
            found.append(Difference(where=f"{at}.snapshot", what="differs from the replay"))
        previous = proof.state_hash(state.decode(), previous, digests, game.version)
        if entry["hash"] != previous:
            found.append(Difference(where=f"{at}.hash", what="breaks the chain"))
        yield from found
        if found:
            return
    standing = game.standing(state)
    told = None if export["result"] is None else canonical.encode(export["result"])
    if told != standing.result:
        yield Difference(where="result", what="is not what the replay ends with")


def _sealed(entry: dict[str, Any], factions: list[str], at: str, digests: list[str]) -> Iterator[Difference]:
    """Order and digests of what was sealed; ``digests`` by seat are added to the list."""
    places = [(order["seq"], order["faction"]) for order in entry["orders"]]
    if places != sorted(places):
        yield Difference(where=f"{at}.orders", what="not by seq, then seat")
    for faction in factions:
        own = [canonical.text(order) for order in entry["orders"] if order["faction"] == faction]
        digests.append(proof.digest(entry["nonces"][faction], own))
        if entry["digests"].get(faction) != digests[-1]:
            yield Difference(where=f"{at}.digests.{faction}", what="is not the digest of the orders")
