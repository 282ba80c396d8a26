"""A tick's outcome as text for people."""

from collections.abc import Iterator

from shared.cli.output import written
from shared.lastwaters.record import Assault, Losses
from shared.lastwaters.tables import REASONS
from shared.lastwaters.tick import Outcome


def pretty(outcome: Outcome) -> str:
    return written(_lines(outcome))


def _lines(outcome: Outcome) -> Iterator[str]:
    snapshot = outcome.snapshot
    hold_names = {hold.id: f"{hold.name} ({hold.id})" for hold in snapshot.holds}
    yield f"Tick {snapshot.tick} of {snapshot.settings.tick_cap}, match {snapshot.match_id}"
    yield from _section("Orders")
    for result in outcome.results:
        words = "done" if result.reason is None else f"failed: {result.reason}. {REASONS[result.reason]}"
        yield f"  {result.faction:<6} {result.order:<10} {words}"
    yield from _section("Battles")
    for battle in outcome.battles:
        yield f"  {hold_names[battle.hold]}: {battle.owner_before or 'neutral'} -> {battle.owner_after or 'neutral'}"
        for assault in battle.assaults:
            yield from _assault(assault)
    yield from _section("Captures")
    for capture in outcome.captures:
        yield f"  {hold_names[capture.hold]}: {capture.from_ or 'neutral'} -> {capture.to}"
    yield from _section("Factions")
    for faction in snapshot.factions:
        held = sum(hold.owner == faction.id for hold in snapshot.holds)
        units = sum(sum(hold.garrison.get(faction.id, {}).values()) for hold in snapshot.holds)
        stock = faction.stock
        running = f", researching {faction.research.tech}" if faction.research else ""
        fate = (
            f", eliminated in tick {faction.eliminated_tick}" if faction.eliminated_tick is not None else ""
        )
        yield (
            f"  {faction.id:<6} {faction.name}: {held} holds, {units} units, {stock.water} water, "
            f"{stock.scrap} scrap, {stock.grain} grain, {len(faction.techs)} techs{running}{fate}"
        )
    if outcome.result is not None:
        yield from _section("Result")
        yield f"  {outcome.result.winner} wins by {outcome.result.by} in tick {outcome.result.tick}"


def _section(title: str) -> tuple[str, str]:
    return "", title


def _assault(assault: Assault) -> Iterator[str]:
    yield f"    {' + '.join(assault.attackers)} against {' + '.join(assault.defenders)}"
    for exchange in assault.exchanges:
        yield (
            f"      {exchange.attack_power} x {exchange.attack_variation} against "
            f"{exchange.defence_power} x {exchange.defence_variation}; fallen: "
            f"{_fallen(exchange.attack_losses)} / {_fallen(exchange.defence_losses)}"
        )


def _fallen(losses: Losses) -> str:
    told = [f"{count} {unit} of {side}" for side, units in losses.items() for unit, count in units.items()]
    return ", ".join(told) or "nobody"
