"""Opening a lobby: what a creator may choose, and what the server draws."""

import base64
import re

from services.lobby import detail, faction_names, seating, store, texts
from services.lobby.announcing import announce
from shared import rulesets
from shared.contracts.base import Refusal
from shared.contracts.lobby import CreateMatch, MatchDetail
from shared.rulesets import Json, Ruleset
from shared.runtime.service import Ports
from shared.runtime.settings import Settings
from shared.storage import idempotency
from shared.storage.database import Transaction

NAME_LENGTH = 80
SEED = re.compile(r"[0-9a-f]{1,64}")
SEED_BYTES = 32
INVITE_BYTES = 10


def create(ports: Ports, request: CreateMatch) -> MatchDetail:
    with ports.database.begin() as tx:
        return idempotency.first_answer(tx, request, lambda: _create(ports, tx, request))


def _create(ports: Ports, tx: Transaction, request: CreateMatch) -> MatchDetail:
    name = texts.check_name(request.name, "The match's name", NAME_LENGTH)
    game = _ruleset(request.ruleset)
    fewest, most = game.seats
    if not fewest <= request.seats <= most:
        raise Refusal("malformed", f"{game.title} has {fewest} to {most} seats.")
    _check_cadence(ports.settings, game, request.cadence_seconds)
    settings = _check_settings(game, bytes(request.settings))
    seed = _seed(ports, request.seed)
    seating.check_room(ports, tx, request.account)

    now = ports.clock.now()
    match = ports.ids.new("match")
    store.add_match(
        tx,
        {
            "id": match,
            "name": name,
            "ruleset": request.ruleset,
            "status": store.LOBBY,
            "visibility": request.visibility,
            "practice": request.seed is not None,
            "seats_total": request.seats,
            "cadence_seconds": request.cadence_seconds,
            "settings": settings,
            "seed": seed,
            "creator": request.account,
            "invite_code": _invite_code(ports) if request.visibility == "private" else None,
            "joins": 1,
            "revision": 0,
            "created_at": now,
            "touched_at": now,
            "tick": 0,
            "deadline_tick": 0,
            "public": detail.NOTHING_YET,
        },
    )
    (own_name,) = faction_names.free_names(match, (), 1)
    first = seating.player_row(match, 1, 1, request.account, request.handle, own_name)
    store.add_seats(tx, [first])
    announce(tx, match)
    return detail.stored_detail(tx, match, request.account, now)


def _ruleset(name: str) -> Ruleset:
    if name not in rulesets.installed():
        raise Refusal("malformed", f"ruleset is one of {', '.join(rulesets.installed())}.")
    return rulesets.ruleset(name)


def _check_cadence(settings: Settings, game: Ruleset, cadence_seconds: int) -> None:
    allowed = settings.extra_paces.union(game.paces)  # K-01
    if cadence_seconds not in allowed:
        raise Refusal(
            "malformed", f"The cadence in seconds is one of {', '.join(map(str, sorted(allowed)))}."
        )


def _check_settings(game: Ruleset, given: Json) -> Json:
    try:
        return game.settings(given)
    except ValueError as error:
        raise Refusal("malformed", f"settings: {error}") from error


def _seed(ports: Ports, given: str | None) -> str:
    """W-11: drawn here, unless the operator lets trial matches bring their own."""
    if given is None:
        return ports.ids.secret(SEED_BYTES).hex()
    if not ports.settings.trial_seeds:
        raise Refusal("malformed", "This server takes no seed from outside.")
    if SEED.fullmatch(given) is None:
        raise Refusal("malformed", "A seed is 1 to 64 lower-case hex digits.")
    return given


def _invite_code(ports: Ports) -> str:
    return base64.b32encode(ports.ids.secret(INVITE_BYTES)).decode().lower()
