"""Challenges of orders: the assets named, those used up, the roll (section 2.2)."""

from collections.abc import Sequence

from msgspec.structs import replace

from shared.warfare.challenge import Challenge, challenge, experience_asset, profession_asset, professions
from shared.warfare.errors import Refusal
from shared.warfare.season.orders import AnyOrder, Train
from shared.warfare.season.window import listed
from shared.warfare.season.work import Work
from shared.warfare.spells import Asset

PROFESSION = "profession:"
DOMAINS = {  # WF-AST-01, WF-CMP-06
    "muster": "move",
    "train": "war",
    "forge": "craft",
    "gather": "heart",
    "levy": "war",
    "whisper": "shadow",
    "purge": "law",
}


def action_of(order: AnyOrder) -> str:
    return str(order.__struct_config__.tag)


def helpers(work: Work, power: str, domain: str) -> list[Asset]:
    """What may still help the power's challenges in a domain this season (WF-AST-05, WF-AST-06)."""
    found = [asset for asset in work.powers[power].assets if domain in asset.domains]
    found += [profession_asset(army, domain) for army in work.of(power) if domain in professions(army)]
    return [asset for asset in found if _mark(power, asset.id) not in work.season.assets_used]


def check_assets(work: Work, power: str, order: AnyOrder) -> Refusal | None:
    most = work.season.options.max_assets
    domain = DOMAINS.get(action_of(order))
    if domain is None:
        return Refusal(rule="WF-AST-05", what="takes no assets", legal="none") if order.assets else None
    if len(order.assets) > most or len(set(order.assets)) != len(order.assets):
        return Refusal(rule="WF-AST-05", what="too many assets, or one twice", legal=f"{most}, each once")
    legal = [asset.id for asset in helpers(work, power, domain)]
    for name in order.assets:
        if name not in legal:
            return Refusal(rule="WF-AST-05", what=f"asset {name!r} does not help here", legal=listed(legal))
    return None


def attempt(
    work: Work, power: str, index: int, order: AnyOrder, difficulty: int, *, more: Sequence[Asset] = (),
    always: bool = False,
) -> Challenge:  # fmt: skip
    """The challenge of a filed order; its assets are used, whatever comes of it (WF-AST-03). ``more``: what comes
    with the action, beyond the cap (WF-AST-08, WF-AST-09)."""
    action = action_of(order)
    domain = DOMAINS[action]
    ready = {asset.id: asset for asset in helpers(work, power, domain)}
    named = [ready[name] for name in order.assets]
    for asset in named:
        use(work, power, asset.id)
    ruled = sum(
        one.by for one in work.season.difficulties if one.power == power and one.action in (None, action)
    )
    return challenge(
        work.rolls,
        power=power,
        action=action,
        index=index,
        rating=work.rating(work.powers[power], domain),
        difficulty=max(0, difficulty + ruled),  # WF-GM-10
        assets=(*named, *more),
        always=always,
    )


def experience(work: Work, order: Train) -> list[Asset]:
    army = work.armies[order.army]
    return [experience_asset(army, rank) for rank in order.experience]


def use(work: Work, power: str, name: str) -> None:
    """Once a season; an asset with no uses left is gone (WF-AST-05)."""
    work.season.assets_used = sorted({*work.season.assets_used, _mark(power, name)})
    kept = []
    for asset in work.powers[power].assets:
        if asset.id == name and asset.uses is not None:
            if asset.uses == 1:
                continue
            asset = replace(asset, uses=asset.uses - 1)
        kept.append(asset)
    work.set_power(power, assets=tuple(kept))


def used(work: Work, power: str, name: str) -> bool:
    return _mark(power, name) in work.season.assets_used


def _mark(power: str, name: str) -> str:
    return f"{power}/{name}"
