"""RULES.md and the content tables say the same; every rule has its place there, and its mark on a test."""

import ast
import json
import re
from pathlib import Path

import pytest

from shared.warfare.content.ancestries import ANCESTRIES, ELEMENTAL, MORTAL
from shared.warfare.content.classes import CLASSES
from shared.warfare.content.commands import COMMANDS
from shared.warfare.content.goals import GOALS
from shared.warfare.content.keywords import KEYWORDS
from shared.warfare.content.statuses import STATUSES
from shared.warfare.content.tables import LEVEL_LINES, TIER_ARMOR, TIERS
from shared.warfare.effects import Grants, Raise, Row
from shared.warfare.published import rulebook
from shared.warfare.spells import DoAttack, DoPresence, DoRest

GROUPS = {
    "GEN": range(1, 10), "MAP": range(1, 7), "DICE": range(1, 13), "AST": range(1, 11), "CARD": range(1, 18),
    "PWR": range(1, 12), "SEAS": range(1, 14),
    "ACT": (1, 2, 3, 4, 5, 10, 11, 12, 15, 16, 20, 21, 22, 25, 26, 27, 30, 31, 32, 33, 34, 35, 40, 45, 46),
    "SET": range(1, 20), "RND": (*range(1, 4), *range(5, 14), *range(15, 21), *range(25, 28)),
    "CMD": range(1, 11), "ATK": range(1, 27), "GOAL": range(1, 17), "END": range(1, 7), "LVL": range(1, 9),
    "EQP": range(1, 5), "CLS": range(1, 20), "KEY": range(1, 39), "ANC": (*range(1, 24), 30, 31, 32),
    "STA": (*range(1, 14), *range(20, 26)), "INT": (*range(1, 31), 40, 41), "DEC": range(1, 9),
    "RNG": range(1, 6), "VIS": range(1, 8), "GM": range(1, 13), "CMP": range(1, 11),
}  # fmt: skip
IDS = [f"WF-{group}-{number:02}" for group, numbers in GROUPS.items() for number in numbers]


def table(first: str, second: str) -> list[dict[str, str]]:
    """The rulebook's table whose first columns are called so."""
    lines = rulebook().splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith(f"| {first} | {second} |"))
    head = [cell.strip() for cell in lines[start].strip("|").split("|")]
    rows = []
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        rows.append(dict(zip(head, (cell.strip() for cell in line.strip("|").split("|")), strict=True)))
    return rows


def test_every_rule_stands_once_and_no_other() -> None:
    told = re.findall(r"^(?:- \*\*|\| )(WF-[A-Z]+-\d+)", rulebook(), re.MULTILINE)
    assert len(IDS) == 389
    assert set(told) == set(IDS)
    in_lists = re.findall(r"^- \*\*(WF-[A-Z]+-\d+)", rulebook(), re.MULTILINE)
    assert len(in_lists) == len(set(in_lists))
    assert set(re.findall(r"\(?(WF-[A-Z]+-\d+)\)?", rulebook())) <= set(IDS)


@pytest.mark.parametrize(("what", "rows"), [("class", CLASSES), ("keyword", KEYWORDS)])
def test_classes_and_keywords(what: str, rows: dict[str, Row]) -> None:
    told = [(row["id"], row[what], row["group"]) for row in table("id", what)]
    assert told == [(row.rule, row.title, row.group) for row in rows.values()]
    for name, shown in zip(rows, table("id", what), strict=True):
        assert raises(shown["what it does"]) <= card_changes(rows[name]) | {("armor", 3)}, name


def test_ancestries() -> None:
    told = table("id", "ancestry")
    assert [(row["id"], row["ancestry"], row["element"]) for row in told] == [
        (row.rule, row.title, row.element) for row in ANCESTRIES.values()
    ]
    for shown, row in zip(told, ANCESTRIES.values(), strict=True):
        assert raises(shown["besides"]) == card_changes(row), row.title
        granted = {KEYWORDS[one.keyword].title for one in row.effects if isinstance(one, Grants)}
        assert {row.title for row in KEYWORDS.values() if row.title in shown["besides"]} == granted
    assert [row.group for row in ANCESTRIES.values()].count(MORTAL) == 13
    assert [row.group for row in ANCESTRIES.values()].count(ELEMENTAL) == 6


def raises(words: str) -> set[tuple[str, int]]:
    """``Defense +1`` in words, as changes of the card."""
    found = re.findall(
        r"(Attack|Presence|Morale|Defense|Armor|Mobility|Fee) ([+-]\d)(?! (?:in|on|for|against))", words
    )
    return {
        (name.lower(), int(by))
        for name, by in found
        if "when attacked" not in words and "Against" not in words
    }


def card_changes(row: Row) -> set[tuple[str, int]]:
    return {(one.attribute, one.by) for one in row.effects if isinstance(one, Raise)}


def test_statuses() -> None:
    assert [(row["id"], row["status"], row["sign"], row["opposite"]) for row in table("id", "status")] == [
        (
            row.rule,
            row.title,
            "-" if row.negative else "+",
            STATUSES[row.opposite].title if row.opposite else "-",
        )
        for row in STATUSES.values()
    ]


def test_commands() -> None:
    def words(effect: object) -> str:
        if isinstance(effect, DoAttack):
            return f"attack {effect.static:+d}"
        if isinstance(effect, DoPresence):
            return f"presence {effect.static:+d}"
        assert isinstance(effect, DoRest)
        return f"rest {effect.momentum}"

    assert [tuple(row.values()) for row in table("id", "command")] == [
        (row.rule, name, str(row.cost), ", ".join(words(effect) for effect in row.effects))
        for name, row in COMMANDS.items()
    ]


def test_goals_levels_and_equipment() -> None:
    assert [tuple(row.values()) for row in table("id", "goal")] == [
        (row.rule, name, str(row.thresholds[0]), str(row.thresholds[1])) for name, row in GOALS.items()
    ]
    assert [tuple(row.values()) for row in table("line", "bonus")] == [
        (str(number), line.title) for number, line in LEVEL_LINES.items()
    ]
    assert [tuple(row.values()) for row in table("tier", "name")] == [
        (str(tier), name, str(TIER_ARMOR[tier])) for tier, name in enumerate(TIERS)
    ]


def marked() -> set[str]:
    """The rules in marks, of tests in any folder, and of the vectors."""
    found: set[str] = set()
    tests = Path(__file__).parents[1]
    for file in (*tests.glob("warfare/*.py"), *tests.glob("services/test_warfare.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "rule":
                found |= {one.value for one in node.args if isinstance(one, ast.Constant)}
    for file in tests.glob("warfare/vectors/*.json"):
        found |= set(json.loads(file.read_text())["rules"])
    return found


def test_every_rule_is_marked_on_a_test() -> None:
    assert not sorted(set(IDS) - marked())
    assert not sorted(marked() - set(IDS))
