"""Challenges outside battle and the assets that help (section 2.2)."""

from typing import Any

import pytest

from shared.warfare.challenge import DOMAINS, challenge, experience_asset, profession_asset, professions
from shared.warfare.dice import Rolls
from shared.warfare.reading import read_army
from shared.warfare.spells import Asset
from tests.warfare.marks import rule


def rolled(faces: list[int], **more: Any) -> Any:
    given = {"r0|power:p1|challenge.train:0|0": faces} if faces else {}
    return challenge(Rolls("s", 1, "-", 0, {}, given), power="p1", action="train", index=0, rating=4, **more)


@rule("WF-AST-02", "WF-AST-03", "WF-DICE-06")
def test_a_challenge_counts_fours() -> None:
    found = rolled([4, 6, 3, 5], difficulty=2)
    assert (found.passed, found.successes, found.excess) == (True, 3, 1)
    assert not rolled([4, 1, 3, 1], difficulty=2).passed
    free = rolled([], difficulty=0)
    assert (free.passed, free.faces, free.excess) == (True, (), 0)
    assert rolled([4, 4, 1, 1], difficulty=0, always=True).successes == 2


@rule("WF-AST-04", "WF-AST-05", "WF-AST-10")
def test_assets_add_dice_successes_or_dice_whose_six_counts_twice() -> None:
    assets = (
        Asset(id="iron", kind="assured", bonus=2),
        Asset(id="plain", bonus=2),
        Asset(id="metal", kind="critical"),
    )
    found = rolled([1, 1, 1, 1, 6, 3, 6], difficulty=5, assets=assets)
    assert found.successes == 2 + 1 + 2


@rule("WF-AST-06")
@pytest.mark.parametrize(
    ("keyword", "domain"),
    [
        pytest.param(keyword, domain, marks=rule(f"WF-KEY-{number}"), id=keyword)
        for number, keyword, domain in (
            (18, "greybeards", "war"),
            (19, "engineers", "building"),
            (20, "racketeers", "law"),
            (21, "stablemasters", "move"),
            (22, "scoundrels", "shadow"),
            (23, "scouts", "sight"),
            (24, "arcanists", "magic"),
            (25, "cooks", "heart"),
        )
    ],
)
def test_professions_help_in_their_domain(keyword: str, domain: str) -> None:
    army = read_army({"id": "x", "ancestry": "orcs", "keywords": [keyword]})
    assert professions(army) == (domain,)
    assert profession_asset(army, domain).bonus == 1
    gone = read_army({"id": "x", "ancestry": "orcs", "keywords": [keyword], "units": [{"state": "routed"}]})
    assert professions(gone) == ()


@rule("WF-AST-08", "WF-AST-01")
def test_experience_is_a_plain_asset_of_its_rank() -> None:
    asset = experience_asset(read_army({"id": "x", "ancestry": "orcs", "experience": [3]}), 3)
    assert (asset.kind, asset.bonus, asset.uses, asset.battle) == ("plain", 3, 1, False)
    assert set(DOMAINS) == {"war", "move", "craft", "heart", "law", "shadow", "sight", "magic"}
