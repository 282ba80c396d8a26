"""Professions: a lent command, and help in challenges."""

import pytest

from shared.warfare.challenge import professions
from shared.warfare.content.keywords import KEYWORDS, PROFESSION
from tests.warfare.field import Field, army
from tests.warfare.marks import rule

HELPS = {
    "greybeards": "war", "engineers": "building", "racketeers": "law", "stablemasters": "move",
    "scoundrels": "shadow", "scouts": "sight", "arcanists": "magic", "cooks": "heart",
}  # fmt: skip


@rule("WF-KEY-18", "WF-KEY-20", "WF-KEY-21", "WF-KEY-23", "WF-KEY-25", "WF-AST-06")
@pytest.mark.parametrize(("keyword", "domain"), HELPS.items())
def test_a_profession_helps_in_its_domain_while_a_unit_is_active(keyword: str, domain: str) -> None:
    able = army("a", "p1", keywords=[keyword])
    assert professions(able) == (domain,)
    routed = army("a", "p1", keywords=[keyword], units=[{"state": "routed"}])
    assert professions(routed) == ()
    assert KEYWORDS[keyword].group == PROFESSION


@rule("WF-KEY-18", "WF-CMD-08")
def test_greybeards_lend_their_command_once_to_another_army() -> None:
    elders = {"keywords": ["greybeards"], "signature": "second-wind", "policy": {"stance": "rest"}}
    field = Field(
        {"elders": elders, "pupil": {"policy": {"stance": "rest"}}}, {"foe": {"policy": {"stance": "rest"}}}
    )
    field.until("D-11")
    offered = {one["army"]: one["commands"] for one in field.question("p1")["armies"]}
    assert "special:second-wind" in offered["pupil"] and "special:second-wind" not in offered["elders"]
    field.commands(p1=[{"army": "pupil", "command": "special:second-wind"}])
    assert field["pupil"].momentum == 3
    field.until("D-11", 2)
    offered = {one["army"]: one["commands"] for one in field.question("p1")["armies"]}
    assert "special:second-wind" not in offered["pupil"]
