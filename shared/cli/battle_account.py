"""A battle as an account round by round, for people."""

from collections.abc import Callable, Iterator
from typing import Any, Final

from shared.cli.output import written
from shared.warfare.decisions import Event
from shared.warfare.description import Account

Facts = dict[str, Any]


def account(fought: Account) -> str:
    return written(_lines(fought))


def _lines(fought: Account) -> Iterator[str]:
    for event in fought.events:
        write = LINES.get(event.kind)
        if write is None:
            yield f"  {event.kind}: {', '.join(f'{name} {value}' for name, value in event.facts.items())}"
        else:
            yield from write(event.facts)
    ended = fought.outcome
    yield ""
    yield "Afterwards"
    for fate in ended.fates:
        units = len(fate.army.units) - fate.routed
        yield (
            f"  {fate.id} of {fate.power}: {fate.end}, {units} units, {fate.routed} routed, {fate.slain} slain"
        )
    if ended.experience:
        yield f"  Each survivor that fought gains experience of rank {ended.experience}."
    for power, coin in ended.coin.items():
        yield f"  {power}: {coin:+d} coin"
    for truce in ended.truces:
        yield f"  Truce between {truce.a} and {truce.b} for {truce.seasons} seasons."


def _battle(facts: Facts) -> Iterator[str]:
    sides = " against ".join(" and ".join(powers) for powers in facts["sides"])
    light = "in sunlight" if facts["sunlight"] else "without sunlight"
    yield f"Battle {facts['battle']}: {sides}, {facts['terrain']}, {light}"
    if facts["defender"] is not None:
        yield f"  {' and '.join(facts['sides'][facts['defender']])} defend"


def _round(facts: Facts) -> Iterator[str]:
    yield ""
    yield f"Round {facts['round']}"


def _attack(facts: Facts) -> Iterator[str]:
    extras = [facts["mode"]] if facts["mode"] != "melee" else []
    extras += [facts["type"]] if facts["type"] != "untyped" else []
    extras += [name for name in ("needler", "slayer") if facts[name]]
    how = f" ({', '.join(extras)})" if extras else ""
    yield f"    {facts['army']} {'strikes back' if facts['counter'] else 'attacks'}{how}: {_dice(facts)}"
    for target, threshold, successes in zip(
        facts["targets"], facts["thresholds"], facts["successes"], strict=True
    ):
        yield f"      {target} at {threshold}: {_count(successes, 'success', 'successes')}"


def _presence(facts: Facts) -> Iterator[str]:
    count = _count(facts["successes"], "success", "successes")
    yield f"    {facts['army']} holds {facts['goal']}: {_dice(facts)} at {facts['threshold']}: {count}"


def _morale(facts: Facts) -> Iterator[str]:
    why = facts["purpose"].partition(".")[2]
    count = _count(facts["successes"], "success", "successes")
    yield f"      {facts['army']} tests morale ({why}): {_dice(facts)} at {facts['threshold']}: {count}"


def _dice(facts: Facts) -> str:
    faces = " ".join(str(face) for face in facts["faces"]) or "no dice"
    return f"{faces} {facts['static']:+d}" if facts["static"] else faces


def _count(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"


def _wounded(facts: Facts) -> Iterator[str]:
    slain = f", {_count(len(facts['slain']), 'unit', 'units')} slain" if facts["slain"] else ""
    yield f"      {facts['army']} takes {_count(facts['wounds'], 'wound', 'wounds')}{slain}"


def _ended(facts: Facts) -> Iterator[str]:
    yield ""
    winner = facts["winner"]
    yield f"{'Nobody wins' if winner is None else f'Side {winner} wins'} in round {facts['round']}"


def _says(text: str) -> Callable[[Facts], Iterator[str]]:
    """A line with the event's facts by name."""

    def write(facts: Facts) -> Iterator[str]:
        yield text.format_map(facts)

    return write


def _nothing(facts: Facts) -> Iterator[str]:
    yield from ()


LINES: Final[dict[str, Callable[[Facts], Iterator[str]]]] = {
    "battle": _battle,
    "round": _round,
    "attack": _attack,
    "presence": _presence,
    "morale": _morale,
    "wounded": _wounded,
    "ended": _ended,
    "goal": _says("  goal {goal}, thresholds {thresholds}"),
    "initiative": _says("  order of sides {order}"),
    "deployed": _says("  {army} of {power} deploys on side {side}"),
    "command": _says("  {army} of {power}: {command}"),
    "momentum": _says("      {army}: momentum {by:+d}, now {now}"),
    "armor": _says("      {army}: armor {by:+d}, now {now}"),
    "status": _says("      {army}: {status} {stacks}, now {now}"),
    "routed": lambda facts: iter(
        [f"      {facts['army']}: {_count(len(facts['units']), 'unit', 'units')} routed"]
    ),
    "rallied": lambda facts: iter(
        [f"  {facts['army']}: {_count(len(facts['units']), 'unit', 'units')} back in line"]
    ),
    "destroyed": _says("      {army} is destroyed"),
    "dodged": _says("      {army} dodges {points}"),
    "guarded": _says("      {army}: Defense +{by} for the {until}"),
    "redirected": _says("      the attack on {army} falls on {to}"),
    "bonded": _says("      {army} is bonded to {to} over {goal}"),
    "breached": _says("      {goal} gives way: threshold {threshold} for side {side}"),
    "goal-won": _says("  side {side} wins {goal}"),
    "goal-removed": _says("  {goal} is out of the battle"),
    "escalation": _says("  side {side}: escalation {now}"),
    "encircled": _says("  side {side} encircles the enemy"),
    "assassinated": _says("  {target} is killed"),
    "coin": _says("      {power}: {by} coin"),
    "asset": _says("      {power} uses {asset} ({kind} +{bonus})"),
    "spell": _says("  {power} casts {spell} ({element} {rank}) on {targets}"),
    "burning": _says("  {army} burns"),
    "offer": _says("  {power} offers terms to side {to}: {terms}"),
    "accepted": _says("  {power} accepts the terms of {to}"),
    "declined": _says("  {power} declines"),
    "surrendered": _says("  {army} gives up"),
    "yielded": _says("  {army} is yielded to {to}"),
    "left": _says("  {army} leaves the field ({how})"),
    "ruled": _nothing,
}
"""By kind; kinds that are not here are told with all their facts."""


def told(events: tuple[Event, ...]) -> list[dict[str, Any]]:
    """Events as JSON."""
    return [{"event": event.kind, **event.facts} for event in events]
