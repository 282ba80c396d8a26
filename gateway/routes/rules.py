"""What anyone may know: the rules as data, the keys that sign receipts."""

from functools import cache
from typing import Union

import msgspec

from gateway.route import ANYONE, Reply, Visit, route
from gateway.routes.play import CONDITIONAL, TAGGED
from gateway.schemas.rules import KeyAnswer, KeysAnswer, RulesAnswer
from gateway.views import entity_tag
from shared import rulesets
from shared.contracts.base import Refusal
from shared.contracts.orders import GetKeys

PUBLIC = "public, max-age=300"


@route("GET", "/v1/rules/{ruleset}", who=ANYONE, answer_headers=TAGGED, request_headers=CONDITIONAL)
def get_rules(visit: Visit, ruleset: str) -> Reply[RulesAnswer]:
    """A ruleset: its tables, settings, order kinds and pages, so that no client keeps its own copy."""
    if ruleset not in rulesets.installed():
        raise Refusal("not-found", "")
    body, etag = _rules(ruleset, rulesets.ruleset(ruleset).version)
    return Reply(body, {"ETag": etag, "Cache-Control": PUBLIC})


@cache
def _rules(name: str, version: int) -> tuple[bytes, str]:
    rules = rulesets.ruleset(name)
    answer = RulesAnswer(
        id=rules.id,
        version=version,
        title=rules.title,
        seats=rules.seats,
        paces=rules.paces,
        levels=rules.levels,
        roles=rules.roles,
        tables=msgspec.json.decode(rules.tables()),
        settings=msgspec.json.schema(rules.settings_type),
        order_kinds=msgspec.json.schema(Union[rules.order_types]),  # noqa: UP007
        reasons=dict(rules.reasons),
        pages=rules.pages(),
    )
    body = msgspec.json.encode(answer)
    return body, entity_tag(body)


@route("GET", "/v1/keys", who=ANYONE)
def get_keys(visit: Visit) -> Reply[KeysAnswer]:
    """The public keys that receipts are signed with, newest first."""
    found = visit.call(GetKeys())
    items = tuple(
        KeyAnswer(id=key.id, algorithm=key.algorithm, public_key=key.public_key, created_at=key.created_at)
        for key in found.items
    )
    return Reply(KeysAnswer(items), {"Cache-Control": PUBLIC})
