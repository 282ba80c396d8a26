"""Warfare: armies, battles and seasons between powers on a hex map, as a pure library.

``RULES.md`` is the rulebook; the ids ``WF-...`` in it stand beside the code and the rows that apply them.

**State machines.** A battle and a season are the same kind of thing (WF-GEN-01, WF-DEC-01)::

    step(state, answers) -> Stepped(state, events, decisions)     all answers of a window together
    decisions(state)     -> the open questions, with what may be answered and the default
    check(state, decision id, answer) -> Refusal | None           before it is sealed; changes nothing

``answers`` maps decision ids to answers (structs of ``answers`` or their JSON); who is missing gets the default,
and an answer that ``check`` refuses raises before anything happens. Without open decisions the machine has ended.
Interrupts are never asked: each army's ``policy`` answers them (section 19).

**Content is rows.** Classes, keywords and ancestries are lists of effects of eight kinds (``effects``): ``Raise``
and ``Grants`` change the card, ``Trait`` is a standing property that a step reads, ``While`` moves a number as
long as conditions hold, ``On`` reacts to a point of the game with a few deeds, ``May`` is an option declared with
a check, ``Deals`` gives a damage type, ``Assists`` helps a challenge. ``battle.conditions`` and ``battle.amounts``
name what rows refer to. Statuses, commands and goals are rows of their own. A new ancestry takes one row.

**Chance** is named rolls (``dice``); no state is shared between them.

| module | what it holds | for |
|---|---|---|
| ``errors`` | ``BadInput`` (form), ``Refusal`` and ``Illegal`` (rule, army, what would be legal) | all |
| ``dice`` | ``roll_name``, ``faces``, ``Rolls`` (counts, given faces) | all |
| ``army``, ``policy``, ``spells``, ``world``, ``options`` | values: card, standing policy, assets, map, powers | all |
| ``content/`` | the tables | all |
| ``profile``, ``card`` | rows summed up; ``values(army)``, ``show(army)`` | all |
| ``building`` | ``levy``, ``forge``, ``controlled_build``, ``random_build``, ``check_army`` | all |
| ``levelling`` | ``level_up``, ``level_dice``, ``check_level``, ``policy_choice``, ``chosen`` (D-04) | season |
| ``reading`` | an army as people write it, to a card | command line |
| ``answers``, ``decisions`` | forms of answers; ``KINDS``, ``Decision``, ``Event``, ``Stepped`` | all |
| ``battle/`` | sections 7 to 12, 15 to 19: ``battle.machine`` is its door | season, players |
| ``season/`` | sections 1, 4 to 6, 27: ``season.machine`` is its door, ``season.skirmish`` the single battle's | ruleset |
| ``views``, ``campaign_views`` | section 22: ``veil`` makes the battle or season a power knows, ``picture`` draws it | ruleset, players |
| ``players/`` | computer players of three levels: ``answer`` in battles, ``rule`` in seasons | ruleset, odds |
| ``match``, ``filing``, ``sights``, ``verify``, ``published`` | a match of the platform: state, orders, what is told, replay, tables | ruleset |
| ``ruleset`` | ``shared.rulesets.Ruleset`` over all of it | services |
| ``description``, ``season_description``, ``odds`` | battles and seasons from files, and how often each side wins | command line |

**What others call.** ::

    battle.opening.open_battle(Engagement) -> Stepped[Battle]     sides, defender, first window
    battle.opening.Engagement, Near; battle.sides.Party           what the host supplies (2.3)
    battle.sides.draw_sides(parties, pacts) -> list of sides      WF-SET-04
    battle.machine.step(battle, answers), check, decisions
    battle.outcome.outcome(Battle) -> Outcome                     cards, coin, truces, dispersed, wall damage
    season.campaign.new_campaign(seed, seats, options) -> Stepped[Season]; season.machine.step, check, decisions
    season.skirmish.new_skirmish(seed, corners, ...) -> Stepped[Skirmish]; season.skirmish.step, check, decisions
    season.sight.reading(Season, power), banner(army)             what a power sees (CMP-02, VIS-01)
    season.soundness.check(Season)                                a season that somebody wrote down
    building.levy(...), forge(...), controlled_build(...), random_build(...)
    building.check_army(Army) -> Refusal | None                   whether such an army can be
    challenge.challenge(Rolls, ...) -> Challenge                  section 2.2
"""
