"""Standing policies filed or changed (section 19), and how a power pays its support (WF-INT-30)."""

from collections.abc import Mapping
from itertools import chain
from typing import Final

from msgspec.structs import replace

from shared.warfare.content.ancestries import ANCESTRIES
from shared.warfare.content.classes import CLASSES
from shared.warfare.content.commands import SIGNATURES
from shared.warfare.content.keywords import KEYWORDS
from shared.warfare.effects import May, On
from shared.warfare.errors import Refusal
from shared.warfare.levelling import BASIC_CLASSES
from shared.warfare.policy import Policy
from shared.warfare.season.orders import Policies
from shared.warfare.season.window import listed
from shared.warfare.season.work import Work

BESIDE = "policies:"
"""Before a power's id: where policies stand beside a window's answers."""
_EFFECTS = [
    effect
    for row in chain(CLASSES.values(), KEYWORDS.values(), ANCESTRIES.values())
    for effect in row.effects
]
SPENDS: Final = sorted(
    {"agile"}
    | {effect.switch for effect in _EFFECTS if isinstance(effect, On) and effect.switch}
    | {effect.option for effect in _EFFECTS if isinstance(effect, May)}
)
"""The switches that cost momentum, of which ``keep`` may leave some unspent."""


def check(work: Work, power: str | None, given: Mapping[str, Policy]) -> Refusal | None:
    """``power`` null: rogue armies."""
    legal = [army.id for army in work.of(power)]
    for name, policy in given.items():
        if name not in legal:
            return Refusal(rule="WF-INT-29", what="is no army of yours", army=name, legal=listed(legal))
        if refusal := check_words(name, policy):
            return refusal
    return None


def check_words(name: str, policy: Policy) -> Refusal | None:
    """The names a policy may hold that its form leaves open."""
    if policy.class_ not in BASIC_CLASSES:
        return Refusal(
            rule="WF-INT-29", what=f"no class {policy.class_!r}", army=name, legal=listed(BASIC_CLASSES)
        )
    if policy.signature not in SIGNATURES:
        return Refusal(
            rule="WF-INT-29", what=f"no signature command {policy.signature!r}", army=name,
            legal=listed(SIGNATURES),
        )  # fmt: skip
    for switch in policy.keep:
        if switch not in SPENDS:
            return Refusal(
                rule="WF-INT-41", what=f"no spend {switch!r} to keep momentum from", army=name,
                legal=listed(SPENDS),
            )  # fmt: skip
    for keyword in policy.keywords:
        if keyword not in KEYWORDS:
            return Refusal(
                rule="WF-INT-29", what=f"no keyword {keyword!r}", army=name, legal=listed(KEYWORDS)
            )
    return None


def check_filed(work: Work, power: str, filed: Policies) -> Refusal | None:
    if filed.support_order is not None and len(set(filed.support_order)) != len(filed.support_order):
        return Refusal(rule="WF-INT-30", what="a resource twice", legal="coin, fear and loyalty, each once")
    return check(work, power, filed.armies)


def file(work: Work, power: str, filed: Policies) -> None:
    replace_all(work, filed.armies)
    if filed.support_order is not None:
        work.set_power(power, support_order=filed.support_order)


def replace_all(work: Work, given: Mapping[str, Policy]) -> None:
    """Armies in battle read theirs there too."""
    for name, policy in given.items():
        if name in work.armies:
            work.change(name, policy=policy)
        for battle in work.season.battles:
            for fighter in battle.fighters:
                if fighter.id == name:
                    fighter.card = replace(fighter.card, policy=policy)
