"""The API as a page that people read. No scripts, nothing from elsewhere."""

from collections import defaultdict
from html import escape
from typing import Any

STYLE = """\
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 20%, transparent); }
* { box-sizing: border-box; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0; }
main { max-width: 60rem; margin: 0 auto; padding: 2rem 1rem 4rem; }
h1 { margin-top: 0; }
h2 { margin-top: 3rem; border-bottom: 1px solid var(--line); text-transform: capitalize; }
h3 { margin: 2rem 0 .25rem; font-size: 1rem; }
code, pre { font: .9em/1.45 ui-monospace, monospace; }
pre { overflow-x: auto; padding: .75rem; border: 1px solid var(--line); border-radius: .4rem; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0; }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem .3rem 0; border-top: 1px solid var(--line); }
th { white-space: nowrap; font-weight: 600; }
nav ul { columns: 18rem; padding-left: 1.2rem; }
.method { display: inline-block; min-width: 4.5rem; font-weight: 700; }
details { margin: .5rem 0; }
summary { cursor: pointer; }
"""


def docs(document: dict[str, Any]) -> str:
    """The OpenAPI document as an HTML page."""
    groups: dict[str, list[tuple[str, str, dict[str, Any]]]] = defaultdict(list)
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            groups[operation["tags"][0]].append((method.upper(), path, operation))
    parts = [_contents(groups)]
    for tag, operations in groups.items():
        parts.append(f'<h2 id="{escape(tag)}">{escape(tag)}</h2>')
        parts += [_operation(method, path, operation) for method, path, operation in operations]
    parts.append('<h2 id="types">types</h2>')
    parts += [_schema(name, schema) for name, schema in document["components"]["schemas"].items()]
    parts.append(_errors(groups))
    info = document["info"]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<title>{escape(info["title"])}: the API</title><link rel="stylesheet" href="/docs.css"></head><body><main>'
        f"<h1>{escape(info['title'])}: the API</h1>{_words(info['description'])}"
        '<p>The same for machines: <a href="/openapi.json">openapi.json</a>.</p>'
        f"{''.join(parts)}</main></body></html>\n"
    )


def _contents(groups: dict[str, list[tuple[str, str, dict[str, Any]]]]) -> str:
    items = "".join(
        f'<li><a href="#{escape(operation["operationId"])}">{escape(operation["summary"])}</a></li>'
        for operations in groups.values()
        for _, _, operation in operations
    )
    return f"<nav><ul>{items}</ul></nav>"


def _operation(method: str, path: str, operation: dict[str, Any]) -> str:
    rows = [
        (
            f"{parameter['name']}",
            f"in {parameter['in']}" + (", required" if parameter["required"] else ""),
            parameter,
        )
        for parameter in operation.get("parameters", ())
    ]
    parameters = "".join(
        f"<tr><th><code>{escape(name)}</code></th><td>{escape(where)}</td>"
        f"<td>{_linked(_type(parameter['schema']))} {escape(parameter.get('description', ''))}</td></tr>"
        for name, where, parameter in rows
    )
    body = operation.get("requestBody")
    if body:
        kind = _type(body["content"]["application/json"]["schema"])
        need = ", required" if body["required"] else ""
        parameters += f"<tr><th>body</th><td>JSON{need}</td><td>{_linked(kind)}</td></tr>"
    answers = "".join(_answer(status, response) for status, response in operation["responses"].items())
    return (
        f'<section><h3 id="{escape(operation["operationId"])}"><span class="method">{method}</span> '
        f"<code>{escape(path)}</code></h3><p>{escape(operation['summary'])}</p>"
        f"{_words(operation.get('description', ''))}"
        + (f"<table>{parameters}</table>" if parameters else "")
        + f"<details><summary>Answers</summary><table>{answers}</table></details></section>"
    )


def _answer(status: str, response: dict[str, Any]) -> str:
    kind = ""
    if status.startswith("2"):
        for content_type, content in response.get("content", {}).items():
            kind = f"{_linked(_type(content['schema']))} <code>{escape(content_type)}</code>"
    return f"<tr><th>{escape(status)}</th><td>{_words(response['description'])}{kind}</td></tr>"


def _schema(name: str, schema: dict[str, Any]) -> str:
    required = set(schema.get("required", ()))
    rows = "".join(
        f"<tr><th><code>{escape(field)}</code></th><td>{_linked(_type(wanted))}</td>"
        f"<td>{'required' if field in required else ''} {escape(str(wanted.get('description', '')))}</td></tr>"
        for field, wanted in schema.get("properties", {}).items()
    )
    table = f"<table>{rows}</table>" if rows else f"<p>{_linked(_type(schema))}</p>"
    return f'<h3 id="type-{escape(name)}">{escape(name)}</h3>{_words(schema.get("description", ""))}{table}'


def _errors(groups: dict[str, list[tuple[str, str, dict[str, Any]]]]) -> str:
    codes: dict[str, set[str]] = defaultdict(set)
    for operations in groups.values():
        for _, _, operation in operations:
            for status, response in operation["responses"].items():
                for content in response.get("content", {}).values():
                    for part in content["schema"].get("allOf", ()):
                        for code in part.get("properties", {}).get("code", {}).get("enum", ()):
                            codes[code].add(status)
    rows = "".join(
        f'<tr id="{escape(code)}"><th><code>{escape(code)}</code></th><td>{", ".join(sorted(codes[code]))}</td></tr>'
        for code in sorted(codes)
    )
    return f'<h2 id="errors">errors</h2><table>{rows}</table>'


def _type(schema: dict[str, Any]) -> str:
    """A schema in a few words; a named type has a # before it."""
    if "$ref" in schema:
        return "#" + str(schema["$ref"].rsplit("/", 1)[-1])
    if "anyOf" in schema:
        return " or ".join(_type(part) for part in schema["anyOf"])
    if "enum" in schema:
        return " | ".join(str(word) for word in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items') or {})}" if schema.get("items") else "list"
    kind = schema.get("type", "any JSON")
    words = " or ".join(kind) if isinstance(kind, list) else str(kind)
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and high is not None:
        words += f" {low}..{high}"
    low, high = schema.get("minLength"), schema.get("maxLength")
    if high is not None:
        words += f" of {low or 0}..{high} characters"
    return words


def _linked(kind: str) -> str:
    """Those words, each named type a link to its table."""
    words = (
        f'<a href="#type-{escape(word[1:])}">{escape(word[1:])}</a>' if word.startswith("#") else escape(word)
        for word in kind.split(" ")
    )
    return "<code>" + " ".join(words) + "</code>"


def _words(text: str) -> str:
    """Paragraphs, with `code` marked."""
    paragraphs = []
    for block in text.split("\n\n"):
        if block.strip():
            pieces = escape(" ".join(block.split())).split("`")
            marked = "".join(f"<code>{piece}</code>" if at % 2 else piece for at, piece in enumerate(pieces))
            paragraphs.append(f"<p>{marked}</p>")
    return "".join(paragraphs)
