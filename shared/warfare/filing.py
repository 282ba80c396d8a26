"""Orders of a match: an answer to a decision, policies, and windows left to policies."""

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from shared.warfare.answers import GmOrders
from shared.warfare.decisions import GM, KINDS
from shared.warfare.errors import BadInput
from shared.warfare.match import AUTO, GAME_MASTER, Filed, form
from shared.warfare.policy import Policy
from shared.warfare.season.orders import Payment, Policies, Rulings


class AnswerOrder(Struct, frozen=True, tag_field="kind", tag="answer", forbid_unknown_fields=True):
    """Answers an open decision; null leaves it to policies and the default. The last answer counts."""

    decision: Annotated[str, Meta(min_length=1, max_length=300)]
    answer: dict[str, Any] | None = None


class PoliciesOrder(Struct, frozen=True, tag_field="kind", tag="policies", forbid_unknown_fields=True):
    """Files standing policies anew, by army (section 19)."""

    armies: Annotated[dict[str, Policy], Meta(max_length=200)] = {}
    support_order: Payment | None = None


class AutoOrder(Struct, frozen=True, tag_field="kind", tag="auto", forbid_unknown_fields=True):
    """From now on leaves these kinds of decision to policies and defaults, and no others (WF-DEC-01)."""

    windows: Annotated[tuple[Annotated[str, Meta(max_length=20)], ...], Meta(max_length=30)]


Order = AnswerOrder | PoliciesOrder | AutoOrder


class Sealed(Struct, frozen=True, kw_only=True):
    """The fields of every order's canonical text."""

    id: str
    seq: int
    faction: str


def read_order(given: bytes) -> Order:
    """An order as a client sent it. BadInput says what is malformed."""
    try:
        order: Order = msgspec.json.decode(given, type=Order)
    except msgspec.DecodeError as problem:
        raise BadInput("", str(problem)) from None
    if isinstance(order, AnswerOrder):
        _read_answer(order)
    elif isinstance(order, AutoOrder) and (unknown := set(order.windows) - KINDS.keys()):
        raise BadInput("windows", f"no decision {min(unknown)!r}; there are {', '.join(KINDS)}")
    return order


def _read_answer(order: AnswerOrder) -> None:
    """The answer's own form, as far as its decision's id tells it."""
    forms = (GmOrders,) if order.decision.startswith(f"{GM}:") else (Rulings, GmOrders)
    own = form(order.decision)
    if own is None and order.decision != GM and not order.decision.startswith(f"{GM}:"):
        raise BadInput("decision", f"{order.decision!r} is no decision's id")
    if order.answer is None:
        return
    problems = []
    for wanted in (own,) if own is not None else forms:
        try:
            msgspec.convert(order.answer, wanted)
        except msgspec.ValidationError as problem:
            problems.append(str(problem))
        else:
            return
    raise BadInput("answer", problems[0])


def filed(text: bytes) -> Filed:
    """A canonical text as the engine takes it."""
    sealed = msgspec.json.decode(text, type=Sealed)
    body = {
        name: value
        for name, value in msgspec.json.decode(text).items()
        if name not in Sealed.__struct_fields__
    }
    order = msgspec.convert(body, Order)
    power = GM if sealed.faction == GAME_MASTER else sealed.faction
    if isinstance(order, AutoOrder):
        return Filed(sealed.id, sealed.seq, power, AUTO, list(order.windows))
    if isinstance(order, PoliciesOrder):
        policies = Policies(armies=order.armies, support_order=order.support_order)
        return Filed(sealed.id, sealed.seq, power, f"policies:{power}", policies)
    return Filed(sealed.id, sealed.seq, power, order.decision, order.answer)
