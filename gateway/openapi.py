"""OpenAPI 3.1, made of the same declarations and types that serve and validate requests."""

from collections import defaultdict
from collections.abc import Iterable
from types import UnionType
from typing import Any, Union, get_args, get_origin

import msgspec

from gateway import problems
from gateway.dispatch import takes_nothing
from gateway.problems import OrderProblem, Problem
from gateway.route import ANYONE, EVENT_STREAM, JSON, NUMBERS, PATH_FORMS, Route
from gateway.schemas.text import LINE_END
from shared import rulesets

VERSION = "1"
TEMPLATE = "#/components/schemas/{name}"
ORDER = "RulesetOrder"
SETTINGS = "RulesetSettings"
Schema = dict[str, Any]

ABOUT = """\
Sealed orders, filed during the day, read together at the tick.

Errors are RFC 9457 problem documents with a fixed `code`. A match, order or tick that one may not know of is not
found. Times are RFC 3339 in UTC; ids are opaque. Lists are paged with `limit` and `cursor`. Any other method than
those listed is answered 405 with `Allow`."""

WHO = {
    "anyone": "",
    "account": "For any account.",
    "creator": "For the match's creator.",
    "seated": "For accounts that hold a seat in the match.",
}

COMMON_HEADERS = {
    "X-Request-ID": "names this request in the server's logs",
    "RateLimit-Policy": "the limit that applies: q requests in w seconds",
    "RateLimit": "what is left of it: r requests for t seconds",
}


def document(routes: Iterable[Route]) -> Schema:
    """The whole document, the same for the same routes and installed rulesets."""
    routes = [route for route in routes if route.documented]
    schemas = _Schemas(routes)
    paths: dict[str, dict[str, Any]] = defaultdict(dict)
    for route in routes:
        paths[route.path][route.method.lower()] = _operation(route, schemas)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Last Waters", "version": VERSION, "description": ABOUT},
        "servers": [{"url": "/"}],
        "paths": dict(paths),
        "components": {
            "schemas": schemas.components,
            "headers": {
                **{name: _header(words) for name, words in COMMON_HEADERS.items()},
                "Retry-After": {"description": "seconds to wait", "schema": {"type": "integer"}},
                "Location": {"description": "of what was made", "schema": {"type": "string"}},
                "WWW-Authenticate": _header("Bearer"),
            },
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer", "description": "a token of POST /v1/sessions"},
                "cookie": {"type": "apiKey", "in": "cookie", "name": "session"},
                "csrf": {"type": "apiKey", "in": "header", "name": "X-CSRF-Token"},
            },
        },
    }


class _Schemas:
    """Every type that a route names, as components."""

    def __init__(self, routes: list[Route]) -> None:
        types: list[Any] = [Problem, OrderProblem]
        for route in routes:
            types += [*_parts(route.body), *_parts(route.answer)]
        games = [rulesets.ruleset(name) for name in rulesets.installed()]
        orders = [kind for game in games for kind in game.order_types]
        settings = [game.settings_type for game in games]
        types += [*orders, *settings]
        found, components = msgspec.json.schema_components(types, ref_template=TEMPLATE)
        self._known = list(zip(types, map(tidy, found), strict=True))
        self.components: dict[str, Schema] = {name: tidy(components[name]) for name in sorted(components)}
        self.components[ORDER] = {
            "description": "One order of the match's ruleset, without id, seq and faction.",
            "anyOf": [self.of(kind) for kind in orders],
        }
        self.components[SETTINGS] = {
            "description": "A match's settings, of its ruleset.",
            "anyOf": [self.of(kind) for kind in settings],
        }

    def of(self, kind: Any) -> Schema:
        schemas = [schema for part in _parts(kind) for known, schema in self._known if known == part]
        unique = [schema for at, schema in enumerate(schemas) if schema not in schemas[:at]]
        return unique[0] if len(unique) == 1 else {"anyOf": unique}


def _parts(kind: Any) -> tuple[Any, ...]:
    """The members of a union, which msgspec would only describe together if they were tagged."""
    if kind is None:
        return ()
    return get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)


def tidy(schema: Any) -> Any:
    """msgspec's schema as OpenAPI readers want it: references alone, patterns without Python's line end."""
    if isinstance(schema, dict):
        if "$ref" in schema:
            return {"$ref": schema["$ref"]}
        return {
            name: _tidy_text(name, value) if isinstance(value, str) else tidy(value)
            for name, value in schema.items()
        }
    if isinstance(schema, list | tuple):
        return [tidy(inner) for inner in schema]
    return schema


def _tidy_text(name: str, value: str) -> str:
    if name == "pattern":
        return value.replace(LINE_END, "$")
    return value.replace("``", "`") if name == "description" else value


def _operation(route: Route, schemas: _Schemas) -> Schema:
    about = "\n\n".join(part for part in (route.description, WHO[route.who]) if part)
    operation: Schema = {
        "operationId": route.name,
        "tags": [route.handler.__module__.rsplit(".", 1)[-1]],
        "summary": route.summary,
    }
    if about:
        operation["description"] = about
    if parameters := _parameters(route):
        operation["parameters"] = parameters
    if route.body is not None:
        operation["requestBody"] = {
            "required": not takes_nothing(route.body),
            "content": {JSON: {"schema": schemas.of(route.body)}},
        }
    operation["responses"] = _responses(route, schemas)
    operation["security"] = _security(route)
    return operation


def _security(route: Route) -> list[dict[str, list[str]]]:
    if route.who == ANYONE:
        return []
    cookie: dict[str, list[str]] = {"cookie": [], "csrf": []} if route.unsafe else {"cookie": []}
    return [{"bearer": []}, cookie]


def _parameters(route: Route) -> list[Schema]:
    found: list[Schema] = []
    for name in route.path_names:
        schema: Schema = {"type": "string", "pattern": f"^(?:{PATH_FORMS[name]})$"}
        if name in NUMBERS:
            schema = {"type": "integer", "minimum": 1 if name == "seat" else 0, "maximum": 999_999_999}
            if name == "seat":
                schema["maximum"] = 999
        found.append({"name": name, "in": "path", "required": True, "schema": schema})
    if route.query is not None:
        found += _query(route.query)
    for header, words in sorted(route.request_headers.items()):
        wanted = (
            {"type": "string", "pattern": "^[0-9]{1,15}$"}
            if header == "Last-Event-ID"
            else {"type": "string"}
        )
        found.append(
            {"name": header, "in": "header", "required": False, "description": words, "schema": wanted}
        )
    if route.creates:
        found.append(
            {
                "name": "Idempotency-Key",
                "in": "header",
                "required": False,
                "description": "the same key with the same request gives the first answer again, for 24 hours",
                "schema": {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"},
            }
        )
    return found


def _query(kind: type[msgspec.Struct]) -> list[Schema]:
    _, components = msgspec.json.schema_components([kind])
    schema = tidy(components[kind.__name__])
    found = []
    for name, wanted in schema["properties"].items():
        parameter: Schema = {"name": name, "in": "query", "required": name in schema.get("required", ())}
        parts = [part for part in wanted.get("anyOf", ()) if part != {"type": "null"}]
        if parts:
            wanted = parts[0]
        elif wanted.get("default") is None:
            wanted = {key: value for key, value in wanted.items() if key != "default"}
        if wanted.get("type") == "array":
            parameter |= {"style": "form", "explode": False}
        parameter["schema"] = wanted
        found.append(parameter)
    return found


def _responses(route: Route, schemas: _Schemas) -> Schema:
    found: Schema = {str(route.status): _success(route, schemas)}
    if "If-None-Match" in route.request_headers:
        found["304"] = {"description": "What the client has still holds.", "headers": _headers()}
    by_status: dict[int, list[str]] = defaultdict(list)
    for code in route.codes():
        kind = problems.kind_of(code)
        if kind is None:
            raise ValueError(f"{route.name} declares {code}, which is in no list of errors")
        by_status[kind.status].append(code)
    if route.rules:
        codes = by_status[problems.RULE_STATUS]
        codes += [code for code in problems.rule_refusals() if code not in codes]
    for status in sorted(by_status):
        found[str(status)] = _problem(route, status, by_status[status])
    return found


def _success(route: Route, schemas: _Schemas) -> Schema:
    names = {"Location": ""} if route.status == 201 else {}
    success: Schema = {"description": route.answer_note or "Done.", "headers": _headers(*names)}
    for name, words in route.answer_headers.items():
        success["headers"][name] = _header(words)
    if route.status == 204 or route.answer is None:
        return success
    content_type = route.content_type.partition(";")[0]
    schema = {"type": "string"} if content_type == EVENT_STREAM else schemas.of(route.answer)
    success["content"] = {content_type: {"schema": schema}}
    return success


def _problem(route: Route, status: int, codes: list[str]) -> Schema:
    headers = ["WWW-Authenticate"] if status == 401 else []
    if status in (429, 503) or "tick-closed" in codes:
        headers.append("Retry-After")
    properties: Schema = {"code": {"enum": codes}}
    if status == 429 and "message-limit" in codes:
        properties["scope"] = {"enum": ["hour", "player"], "description": "with message-limit"}
    if "tick-closed" in codes:
        properties["open_tick"] = {"type": ["integer", "null"], "description": "with tick-closed"}
        properties["next_deadline"] = {"type": ["string", "null"], "format": "date-time"}
    if route.method == "PUT" and route.rules and status in (400, problems.RULE_STATUS):
        properties["errors"] = {"type": "array", "items": {"$ref": TEMPLATE.format(name="OrderProblem")}}
    schema = {
        "allOf": [{"$ref": TEMPLATE.format(name="Problem")}, {"type": "object", "properties": properties}]
    }
    return {
        "description": ", ".join(f"`{code}`" for code in codes),
        "headers": _headers(*headers),
        "content": {problems.CONTENT_TYPE: {"schema": schema}},
    }


def _headers(*names: str) -> Schema:
    return {name: {"$ref": f"#/components/headers/{name}"} for name in (*COMMON_HEADERS, *names)}


def _header(words: str) -> Schema:
    return {"description": words, "schema": {"type": "string"}}
