"""Whisper and purge (WF-CMP-06)."""

from shared.warfare.army import Place
from shared.warfare.errors import Refusal
from shared.warfare.season import sight
from shared.warfare.season.orders import Purge, Whisper
from shared.warfare.season.trials import attempt
from shared.warfare.season.window import listed
from shared.warfare.season.work import Work, trait
from shared.warfare.world import distance, hex_key


def _grounds(work: Work, power: str) -> list[Place]:
    influence = work.powers[power].influence
    own = [at for at in work.hexes if influence.get(hex_key(at))]
    return own + [army.hex for army in work.of(power) if army.hex is not None]


def check_whisper(work: Work, power: str, order: Whisper) -> Refusal | None:
    if work.powers[power].kind != "conspiracy":
        return Refusal(rule="WF-CMP-06", what="only a Conspiracy whispers", legal="other orders")
    if order.at not in work.hexes:
        return Refusal(rule="WF-CMP-06", what=f"no hex {hex_key(order.at)}", legal="a hex of the map")
    if not _grounds(work, power):
        return Refusal(rule="WF-CMP-06", what="neither influence nor army to start from", legal="none")
    return None


def whisper(work: Work, power: str, index: int, order: Whisper) -> dict[str, object]:
    near = min(distance(at, order.at) for at in _grounds(work, power))
    rolled = attempt(work, power, index, order, 1 + near)
    guarded = any(
        trait(army, "guards-influence") and not trait(army, "hidden") for army in work.at(order.at)
    )  # WF-KEY-33
    if rolled.passed and not guarded:
        _add(work, power, order.at, 1)
    return {"challenge": rolled, "hex": order.at, "guarded": rolled.passed and guarded}


def check_purge(work: Work, power: str, order: Purge) -> Refusal | None:
    """Whether there is any influence is not the power's to know (WF-VIS-07)."""
    if order.at not in sight.seen(work, power):
        return Refusal(
            rule="WF-CMP-06", what=f"hex {hex_key(order.at)} is not in sight", legal="a hex in sight"
        )
    others = [name for name in work.seats() if name != power]
    if order.power not in others:
        return Refusal(rule="WF-CMP-06", what=f"no power {order.power!r}", legal=listed(others))
    return None


def purge(work: Work, power: str, index: int, order: Purge) -> dict[str, object]:
    there = work.powers[order.power].influence.get(hex_key(order.at), 0)
    rolled = attempt(work, power, index, order, there)
    if rolled.passed and there:
        _add(work, order.power, order.at, -1)
        work.emit("purged", (order.power,), hex=order.at, left=there - 1)
    return {"challenge": rolled, "hex": order.at, "purged": rolled.passed and there > 0}


def _add(work: Work, power: str, at: Place, by: int) -> None:
    influence = dict(work.powers[power].influence)
    influence[hex_key(at)] = influence.get(hex_key(at), 0) + by
    kept = {key: count for key, count in sorted(influence.items()) if count > 0}
    work.set_power(power, influence=kept)
