"""The tables of Warfare as data, for clients, and the rulebook."""

from functools import cache
from importlib.resources import files
from typing import Any, Final

import msgspec

from shared.warfare.content import commands, goals, tables
from shared.warfare.content.ancestries import ANCESTRIES, ELEMENTS
from shared.warfare.content.classes import CLASSES
from shared.warfare.content.keywords import CONFLICTS, KEYWORDS
from shared.warfare.content.statuses import STATUSES
from shared.warfare.decisions import KINDS
from shared.warfare.effects import Row
from shared.warfare.match import plain
from shared.warfare.options import Options
from shared.warfare.policy import Policy

RULESET: Final = "warfare"
VERSION: Final = 1
REASONS: Final = {
    "malformed": "This is no order of Warfare.",
    "not-open": "Nobody asks you this now.",
    "illegal": "The rules do not allow this answer.",
    "overtaken": "When the window closed this was not possible any more; the default stood in its place.",
    "replaced": "A later answer to the same question took its place.",
    "ended": "The match has ended.",
}


@cache
def rulebook() -> str:
    """RULES.md."""
    return files(__package__).joinpath("RULES.md").read_text(encoding="utf-8")


def published() -> dict[str, Any]:
    return {
        "ruleset": RULESET,
        "rules_version": VERSION,
        "classes": _rows(CLASSES),
        "keywords": _rows(KEYWORDS),
        "conflicts": [list(pair) for pair in CONFLICTS],
        "ancestries": {
            name: {**shown, "element": ANCESTRIES[name].element} for name, shown in _rows(ANCESTRIES).items()
        },
        "damage": dict(ELEMENTS),
        "statuses": {
            name: {
                "rule": row.rule,
                "title": row.title,
                "negative": row.negative,
                "opposite": row.opposite or None,
                "dice": dict(row.dice),
                "defense": row.defense,
            }
            for name, row in STATUSES.items()
        },
        "commands": {
            name: {"rule": row.rule, "cost": row.cost, "effects": msgspec.to_builtins(row.effects)}
            for name, row in commands.COMMANDS.items()
        },
        "signatures": {name: msgspec.to_builtins(row) for name, row in commands.SIGNATURES.items()},
        "goals": {
            name: {
                "rule": row.rule,
                "title": row.title,
                "thresholds": list(row.thresholds),
                "tags": list(row.tags),
                "needs": row.needs,
            }
            for name, row in goals.GOALS.items()
        },
        "level_lines": {str(number): line.title for number, line in tables.LEVEL_LINES.items()},
        "equipment": [
            {"tier": tier, "name": name, "armor": tables.TIER_ARMOR[tier]}
            for tier, name in enumerate(tables.TIERS)
        ],
        "terrains": {
            name: {"rough": row.rough, "water": row.water, "shades": row.shades}
            for name, row in tables.TERRAINS.items()
        },
        "draft": {
            "armies": list(tables.DRAFT_ARMIES),
            "rank": tables.DRAFT_RANK,
            "size": tables.DRAFT_SIZE,
            "tier": tables.DRAFT_TIER_COST,
            "premium": tables.DRAFT_PREMIUM,
            "titanic": tables.DRAFT_TITANIC,
        },
        "decisions": {
            kind: {"name": row.name, "default": row.default, "answer": _schema(row.form)}
            for kind, row in KINDS.items()
        },
        "policy": _schema(Policy),
        "options": plain(Options()),
        "reasons": REASONS,
    }


def _rows(rows: dict[str, Row]) -> dict[str, dict[str, Any]]:
    return {
        name: {
            "rule": row.rule,
            "title": row.title,
            "group": row.group,
            "effects": [{"kind": type(effect).__name__, **_effect(effect)} for effect in row.effects],
        }
        for name, row in rows.items()
    }


def _effect(effect: Any) -> dict[str, Any]:
    return {
        name: [{"deed": type(deed).__name__, **msgspec.to_builtins(deed._asdict())} for deed in value]
        if name == "do"
        else msgspec.to_builtins(value)
        for name, value in effect._asdict().items()
    }


def _schema(form: type[Any]) -> dict[str, Any]:
    return msgspec.json.schema(form)
