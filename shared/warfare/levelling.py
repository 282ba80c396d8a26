"""Level-ups (section 13): the table's lines, the dice, and who may take what."""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from shared.warfare.answers import LevelChoice
from shared.warfare.army import Army, Attribute, Bonus, Built
from shared.warfare.content.classes import BASIC, CLASSES
from shared.warfare.content.commands import SIGNATURES
from shared.warfare.content.keywords import CONFLICTS, KEYWORDS, LEVELLED, NEGATIVE
from shared.warfare.content.tables import LEVEL_DICE, LEVEL_DIE, LEVEL_LINES, LEVEL_PICKS
from shared.warfare.dice import Rolls
from shared.warfare.errors import Illegal, Refusal, illegal
from shared.warfare.options import Options
from shared.warfare.profile import in_order

MOBILITY = 5
KEYWORD = 6
LEARNED = tuple(name for name, row in KEYWORDS.items() if row.group in LEVELLED)
"""What random builds draw keywords from (WF-LVL-07)."""
BASIC_CLASSES = tuple(name for name, row in CLASSES.items() if row.group == BASIC and name != "levy")


def take(army: Army, bonuses: Iterable[Bonus], *, signature: str | None = None) -> Army:
    """``army`` with lines of the level-up table added in order (WF-LVL-01, WF-LVL-08). Illegal for a keyword it
    may not take."""
    for bonus in bonuses:
        line = LEVEL_LINES[bonus.line]
        base = army.base
        if line.die:
            grown: Attribute = getattr(base, line.die)
            army = replace(
                army, base=replace(base, **{line.die: Attribute(grown.die + line.by, grown.static)})
            )
        elif line.number:
            army = replace(army, base=replace(base, **{line.number: getattr(base, line.number) + line.by}))
        elif not learnable(army):
            army = take(army, (Bonus(MOBILITY),))  # WF-LVL-04: a die is never void
        else:
            army = _learn(army, bonus.keyword, signature)
    return army


def learnable(army: Army) -> tuple[str, ...]:
    """The General, Terrain and Profession keywords it may take, then the Negative ones (WF-LVL-04); empty when
    none of the first is left, for then the line counts as Mobility."""
    open_ = tuple(name for name in LEARNED if not keyword_refused(army, name))
    negative = (name for name, row in KEYWORDS.items() if row.group == NEGATIVE)
    return (*open_, *(name for name in negative if name not in army.keywords)) if open_ else ()


def keyword_refused(army: Army, keyword: str) -> str:
    """Why ``army`` may not take ``keyword``; empty if it may."""
    if keyword in army.keywords:
        return f"has {KEYWORDS[keyword].title} already"
    for pair in CONFLICTS:
        if keyword in pair and (other := pair[1 - pair.index(keyword)]) in army.keywords:
            return f"{KEYWORDS[keyword].title} does not go with {KEYWORDS[other].title}"
    return ""


def _learn(army: Army, keyword: str | None, signature: str | None) -> Army:
    allowed = learnable(army)
    if keyword is None or keyword not in allowed:
        why = "names no keyword" if keyword is None else f"cannot take {keyword!r}"
        if keyword in KEYWORDS:
            why = keyword_refused(army, keyword) or f"cannot learn {KEYWORDS[keyword].title}"
        raise illegal("WF-LVL-04", why, army=army.id, legal=", ".join(allowed))
    if keyword == "greybeards":
        signature = signature or army.policy.signature
        if signature not in SIGNATURES:
            raise illegal(
                "WF-CMD-08", f"no signature command {signature!r}", army=army.id, legal=", ".join(SIGNATURES)
            )
        army = replace(army, signature=signature)
    return replace(army, keywords=in_order((*army.keywords, keyword)))


def level_up(
    army: Army,
    bonuses: Sequence[Bonus],
    *,
    class_: str | None = None,
    signature: str | None = None,
    as_listed: bool = False,
) -> Army:
    """Rank +1, fee +1, three bonuses, and the class of a Levy (WF-LVL-03, WF-LVL-05). ``as_listed`` allows fewer
    bonuses, for cards from elsewhere."""
    if len(bonuses) != LEVEL_PICKS and not as_listed:
        raise illegal(
            "WF-LVL-06", f"a level takes {LEVEL_PICKS} bonuses, not {len(bonuses)}", army=army.id,
            legal=f"{LEVEL_PICKS} of the table's lines",
        )  # fmt: skip
    if army.class_ == "levy":
        if class_ not in BASIC_CLASSES:
            said = "names no class" if class_ is None else f"cannot become {class_!r}"
            raise illegal("WF-LVL-03", said, army=army.id, legal=", ".join(BASIC_CLASSES))
        army = replace(army, class_=class_)
    elif class_ is not None and class_ != army.class_:
        raise illegal("WF-LVL-03", f"has a class, {army.class_}", army=army.id, legal="no class")
    else:
        class_ = None
    army = take(army, bonuses, signature=signature)
    return replace(
        army,
        rank=army.rank + 1,
        base=replace(army.base, fee=army.base.fee + 1),
        log=(*army.log, Built("level", tuple(bonuses), class_=class_)),
    )


def level_dice(rolls: Rolls, army: Army, excess: int = 0) -> list[int]:
    """WF-LVL-02, WF-ACT-11."""
    return rolls.roll(f"army:{army.id}", "levelup", LEVEL_DIE, LEVEL_DICE + excess)


def chosen(dice: Sequence[int], choice: LevelChoice) -> tuple[Bonus, ...]:
    """The bonuses of a D-04 answer."""
    keywords = iter(choice.keywords)
    return tuple(
        Bonus(dice[index], next(keywords, None) if dice[index] == KEYWORD else None) for index in choice.picks
    )


def check_level(army: Army, dice: Sequence[int], choice: LevelChoice, options: Options) -> Refusal | None:
    """Whether a D-04 answer may stand (WF-LVL-02..04)."""
    if choice.discard:  # WF-ACT-12
        return None
    legal = f"{LEVEL_PICKS} of the dice 0 to {len(dice) - 1}"
    if len(choice.picks) != LEVEL_PICKS or not all(index < len(dice) for index in choice.picks):
        return Refusal(rule="WF-LVL-02", what=f"picks {list(choice.picks)}", army=army.id, legal=legal)
    if options.levelup_pick == "per_die" and len(set(choice.picks)) != LEVEL_PICKS:
        return Refusal(rule="WF-LVL-02", what="a die is used once", army=army.id, legal=legal)
    try:
        level_up(army, chosen(dice, choice), class_=choice.class_, signature=choice.signature)
    except Illegal as error:
        return error.refusal
    return None


def policy_choice(army: Army, dice: Sequence[int]) -> LevelChoice:
    """What the level-up policy picks (WF-INT-29)."""
    policy = army.policy
    order = [*policy.levelup, *(line for line in LEVEL_LINES if line not in policy.levelup)]
    picks = sorted(range(len(dice)), key=lambda index: (order.index(dice[index]), index))[:LEVEL_PICKS]
    keywords: list[str] = []
    for _ in range(sum(dice[index] == KEYWORD for index in picks)):
        allowed = learnable(army)
        if not allowed:
            break
        wanted = next((name for name in policy.keywords if name in allowed), allowed[0])
        keywords.append(wanted)
        army = replace(army, keywords=in_order((*army.keywords, wanted)))
    class_ = None
    if army.class_ == "levy":
        class_ = policy.class_ if policy.class_ in BASIC_CLASSES else "infantry"
    return LevelChoice(picks=tuple(picks), keywords=tuple(keywords), class_=class_)
