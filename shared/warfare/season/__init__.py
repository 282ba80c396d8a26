"""The season: powers, map, actions, and the campaign and single battle that stand by themselves.

``state.Season`` is the value. ``machine`` is the door (``start``, ``step``, ``check``, ``decisions``); it goes from
season to season until the campaign ends. ``campaign.new_campaign`` makes one, ``skirmish`` is the single battle.

A season runs (WF-SEAS-01)::

    tidings   D-01 disband, D-02 support          tidings, support
    actions   D-03 orders, D-04 level-ups         choices, actions, and levies, training, hiring, influence,
                                                  diplomacy; trials rolls their challenges
    movement                                      musters
    declaration  D-05, D-06                       declaring
    battles   the battle machine's own            engaging, aftermath
    end       D-15, D-16, D-17                    healing, fees, claims, closing

Chance outside battles is ``r0`` of the season (WF-RNG-01). Where another host keeps income, claims and sight,
``Season.hosted`` leaves section 27 out and the machine ends with the season.
"""
