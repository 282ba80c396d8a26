"""``lastwaters warfare army``: builds an army from scratch or takes a stored one, levels it, prints its card."""

from typing import Annotated, Any

import msgspec
import typer
from msgspec.structs import replace

from shared import canonical
from shared.cli.output import write, written
from shared.cli.rules import read
from shared.warfare import card
from shared.warfare.answers import read as read_form
from shared.warfare.army import Army, Bonus
from shared.warfare.building import check_army, controlled_build, forge, levy, random_build
from shared.warfare.content.ancestries import ANCESTRIES
from shared.warfare.content.classes import CLASSES
from shared.warfare.content.keywords import KEYWORDS
from shared.warfare.content.tables import LEVEL_LINES
from shared.warfare.dice import Rolls
from shared.warfare.errors import BadInput, Illegal, illegal
from shared.warfare.levelling import KEYWORD, level_up
from shared.warfare.reading import named
from shared.warfare.season.policies import check_words

LINES = {line.title.casefold(): number for number, line in LEVEL_LINES.items() if number != KEYWORD}


def army(
    ancestry: Annotated[str, typer.Option(help="Its ancestry, such as mountain-dwarves.")] = "",
    size: Annotated[int, typer.Option(help="Units.")] = 1,
    id: Annotated[str, typer.Option(help="Its id.")] = "army",
    name: Annotated[str, typer.Option(help="Its name; the id if left out.")] = "",
    bonus: Annotated[str, typer.Option(help="The template's bonus: presence, attack, morale, defense, mobility or a keyword.")] = "",
    level: Annotated[list[str] | None, typer.Option(help="A level: three bonuses with commas. Once a level.")] = None,
    class_: Annotated[str, typer.Option("--class", help="The class a Levy takes at its first level.")] = "",
    signature: Annotated[str, typer.Option(help="The command that Greybeards lend.")] = "",
    tier: Annotated[int, typer.Option(help="Forged to this tier; 0 leaves it.")] = 0,
    premium: Annotated[str, typer.Option(help="A premium army's free keyword.")] = "",
    titan: Annotated[str, typer.Option(help="A titan class in place of Levy; a random build draws which.")] = "",
    random: Annotated[bool, typer.Option("--random", help="A random build; --rank says how high.")] = False,
    rank: Annotated[int, typer.Option(min=1, max=50, help="Of a random build.")] = 1,
    seed: Annotated[str, typer.Option(help="Of a random build.")] = "0",
    from_: Annotated[str, typer.Option("--from", help="A stored army (the field army of an answer) to go on from; - for standard input.")] = "",
    slain: Annotated[int, typer.Option(min=0, help="Units lost before the levels; with --as-listed.")] = 0,
    as_listed: Annotated[bool, typer.Option("--as-listed", help="For cards from elsewhere: fewer bonuses a level, slain units.")] = False,
    pretty: Annotated[bool, typer.Option("--pretty", help="The card for people, not JSON.")] = False,
) -> None:  # fmt: skip
    """An army's card: from the levy template, by chance, or from a stored army."""
    if from_:
        built = _stored(read(from_))
    elif random:
        rolls = Rolls(seed, 1, "-", 0, {}, {})
        built = random_build(
            rolls, id, _of(ANCESTRIES, ancestry, "ancestry", id), size, rank, name=name,
            titanic=bool(titan and _of(CLASSES, titan, "class", id)), premium=_of(KEYWORDS, premium, "keyword", id) if premium else None,
        )  # fmt: skip
    else:
        if not bonus:
            raise illegal("WF-ACT-26", "names no bonus", army=id, legal=", ".join([*LINES, "a keyword"]))
        built = levy(
            id, _of(ANCESTRIES, ancestry, "ancestry", id), size, _bonus(bonus, id), signature=signature or None,
            name=name, premium=_of(KEYWORDS, premium, "keyword", id) if premium else None,
            titan=_of(CLASSES, titan, "class", id) if titan else None,
        )  # fmt: skip
    if name:
        built = replace(built, name=name)
    if slain:
        built = _thinned(built, slain, as_listed)
    chosen = _of(CLASSES, class_, "class", built.id) if class_ else None
    built = _levelled(built, level or [], chosen, signature or None, as_listed, fresh=not from_)
    if tier:
        built = forge(built, tier)
    read_form(msgspec.to_builtins(built), Army, "army")  # the limits of what a card stores
    _print(built, pretty)


def _of(table: Any, text: str, what: str, id: str) -> str:
    return named(table, text, what, id)


def _bonus(text: str, id: str) -> Bonus:
    wanted = text.strip().casefold()
    if wanted in LINES:
        return Bonus(LINES[wanted])
    return Bonus(KEYWORD, named(KEYWORDS, wanted.removeprefix("keyword:"), "bonus", id))


def _levelled(
    army: Army, levels: list[str], class_: str | None, signature: str | None, as_listed: bool, *, fresh: bool
) -> Army:
    picked = [tuple(_bonus(text, army.id) for text in level.split(",")) for level in levels]
    if fresh and not as_listed:
        return controlled_build(army, picked, class_=class_, signature=signature)  # WF-LVL-06
    for bonuses in picked:
        first = class_ if army.class_ == "levy" else None
        army = level_up(army, bonuses, class_=first, signature=signature, as_listed=as_listed)
    return army


def _thinned(army: Army, slain: int, as_listed: bool) -> Army:
    if not as_listed:
        raise illegal("WF-LVL-06", "a build loses no units", army=army.id, legal="slain 0, or --as-listed")
    if slain >= len(army.units):
        raise illegal(
            "WF-CARD-01", "has no units left", army=army.id, legal=f"slain 0 to {len(army.units) - 1}"
        )
    return replace(army, units=army.units[slain:])


def _stored(raw: bytes) -> Army:
    try:
        value = msgspec.json.decode(raw)
    except msgspec.DecodeError as problem:
        raise BadInput("--from", str(problem)) from None
    army: Army = read_form(value.get("army", value) if isinstance(value, dict) else value, Army, "--from")
    if refusal := check_army(army) or check_words(army.id, army.policy):
        raise Illegal(refusal)
    return army


def _print(army: Army, pretty: bool) -> None:
    shown = card.show(army)
    if not pretty:
        write(canonical.encode({"card": shown, "army": army}) + b"\n")
        return
    resists = ", ".join(f"{name} {by}" for name, by in shown["resists"].items())
    lines = (
        f"{shown['name']}",
        f"Rank {shown['rank']} - {shown['tier'] or 'no equipment'} - {shown['class']} - {shown['ancestry']}, {shown['units']} units",
        f"{shown['defense']} Defense - {shown['attack']} Attack - {shown['morale']} Morale - {shown['presence']} Presence",
        f"Armor {shown['armor']} - Fee {shown['fee']} - Mobility {shown['mobility']}",
        f"{shown['element']} (resists {resists})",
        ", ".join(shown["keywords"]) or "no keywords",
    )
    write(written(lines))
