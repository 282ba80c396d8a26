"""A battle, from what the host supplies to what it leaves behind (sections 7 to 12, 15 to 19).

``opening`` lays it down, ``machine`` steps it through its windows, ``outcome`` reads the end::

    setup D-07 ─ rulings D-08 ─┐
        ┌──────────────────────┘
    deployment D-09 ─ spellcasting D-10 ─ commanding D-11 ─ (goals) ─ terms D-12, D-13 ─ cleanup D-14 ─┐
        └───────────────────────────────── next round ─────────────────────────────────────────────────┘

Each of these modules is one ``window.Window``: whom it asks, what, whether an answer may stand, and what closing it
does. ``state`` is the value between windows, ``work`` the copy that one step changes.

- An army acts: ``command`` (one command, with ``sheets`` for what was filed), ``attack`` with ``targets`` and
  ``damage`` (``allocation`` of wounds and routs), ``presence`` and ``goals``, ``forms`` for specials and spells.
- Rules of rows: ``triggers`` settles what a happening sets off (``deeds``, ``conditions``, ``amounts``), and
  ``switches`` answers the optional ones from policies. ``checks`` makes pools, statics, thresholds and rolls.
- ``sides``, ``statuses``, ``leaving``, ``ending``, ``rulings``: what their names say.
"""
