"""RULES.md and the table module say the same, and every rule has its place in the rulebook."""

import re

from shared.lastwaters import tables
from shared.lastwaters.ruleset import rulebook

RULES = {
    "W": 11, "R": 4, "U": 3, "B": 4, "T": 8, "M": 7, "C": 13, "D": 8, "S": 5, "F": 8, "V": 3, "P": 5, "G": 4, "K": 4,
}  # fmt: skip


def table(first: str) -> list[dict[str, str]]:
    """The rulebook's table whose first column is called ``first``."""
    lines = rulebook().splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith(f"| {first} |"))
    head = [cell.strip() for cell in lines[start].strip("|").split("|")]
    rows = []
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        rows.append(dict(zip(head, (cell.strip() for cell in line.strip("|").split("|")), strict=True)))
    return rows


def cost(row: dict[str, str]) -> tuple[str, ...]:
    return tuple(row[name] for name in tables.RESOURCES)


def words(values: tuple[str, ...]) -> str:
    return ", ".join(values) or "-"


def test_units() -> None:
    told = [(r["unit"], r["attack"], r["defence"], r["speed"], cost(r), r["siege"]) for r in table("unit")]
    assert told == [
        (
            name,
            str(u.attack),
            str(u.defence),
            str(u.speed),
            tuple(map(str, u.cost)),
            "yes" if u.siege else "no",
        )
        for name, u in tables.UNITS.items()
    ]


def test_buildings() -> None:
    told = [
        (r["building"], r["raises"], r["defence"], r["sight"], r["yield"], r["research"], cost(r))
        for r in table("building")
    ]
    assert told == [
        (
            name,
            words(b.raises),
            str(b.defence),
            str(b.sight),
            words(tuple(f"{n} {r}" for n, r in zip(b.yields, tables.RESOURCES, strict=True) if n)),
            str(b.research_cut),
            ("-", "-", "-") if b.cost is None else tuple(map(str, b.cost)),
        )
        for name, b in tables.BUILDINGS.items()
    ]


def test_techs() -> None:
    told = [(r["tech"], r["field"], cost(r), r["ticks"], r["needs"], r["effect"]) for r in table("tech")]
    assert told == [
        (name, t.field, tuple(map(str, t.cost)), str(t.ticks), words(t.needs), t.effect)
        for name, t in tables.TECHS.items()
    ]


def test_bands_and_reasons() -> None:
    assert [(r["band"], int(r["from"])) for r in table("band")] == list(tables.BANDS)
    assert {r["reason"]: r["in words"] for r in table("reason")} == tables.REASONS


def test_every_rule_is_told_once_and_in_order() -> None:
    told = re.findall(r"^- \*\*([A-Z]-\d\d)\*\*", rulebook(), flags=re.MULTILINE)
    assert told == [
        f"{letter}-{number:02}" for letter, count in RULES.items() for number in range(1, count + 1)
    ]


def test_figures_in_the_text() -> None:
    text = rulebook()
    for figure in (
        f"{tables.START_MILITIA} militia",
        f"{tables.START_STOCK.water} of each resource",
        f"at most {tables.ORDERS_A_TICK} orders",
        f"A faction can have {tables.PACT_CAP} pacts",
        f"never more than {tables.PACT_CAP_MAX}",
        f"A truce of {tables.TRUCE_TICKS} ticks",
        f"each of up to {tables.ARCHIVES_COUNTED} archives",
        f"at most {tables.RESEARCH_CUT_MAX}",
        f"A message of 1 to {tables.MESSAGE_CHARACTERS:,} characters",
        f"may send {tables.MESSAGES_AN_HOUR} an hour, at most {tables.MESSAGES_TO_ONE_PLAYER}",
        f"Up to {tables.ATTEMPTS} attempts",
        "every {}, {}, {} or {} hours".format(*tables.CADENCES_HOURS),
    ):
        assert figure in text, figure
