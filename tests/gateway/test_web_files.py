"""The files of the web client as the gateway gives them away, and that its page names them well."""

import gzip
import json
import os
import random
import re
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from gateway.web_files import PUBLIC_PACKAGES, ROOT, TYPES, WebFiles
from tests.gateway.conftest import Client, Gateway, refused

SEED = random.SystemRandom().getrandbits(32)
GZIP = {"Accept-Encoding": "gzip, deflate, br"}
LIT = "/web/vendor/lit-html/lit-html.js"
FONT = "/web/vendor/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2"
MAIN = "/web/js/main.js"
# `import ... from "x"`, `import "x"` and `export ... from "x"`; not `import("x")`, which may come later.
STATIC_IMPORT = re.compile(r"""(?:^|[;}\n])\s*(?:import|export)\b(?:[^;"'()]*?\bfrom)?\s*["']([^"']+)["']""")


@pytest.fixture
def page(anyone: Client) -> str:
    text: str = anyone.get("/").text
    return text


@pytest.mark.parametrize(
    ("path", "content_type", "caching"),
    [
        ("/", "text/html; charset=utf-8", "no-cache"),
        (MAIN, "text/javascript; charset=utf-8", "no-cache"),
        ("/web/style/base.css", "text/css; charset=utf-8", "no-cache"),
        ("/web/style/icon.svg", "image/svg+xml", "no-cache"),
        (LIT, "text/javascript; charset=utf-8", "max-age=86400"),
        ("/web/vendor/lit-html/directives/repeat.js", "text/javascript; charset=utf-8", "max-age=86400"),
        (FONT, "font/woff2", "max-age=86400"),
        *(
            (f"/web/vendor/{package}/LICENSE", "text/plain; charset=utf-8", "max-age=86400")
            for package in PUBLIC_PACKAGES
        ),
    ],
)
def test_what_is_given_away(anyone: Client, path: str, content_type: str, caching: str) -> None:
    answer = anyone.get(path)
    assert answer.status_code == 200
    assert answer.content_type == content_type
    assert answer.headers["Cache-Control"] == caching
    assert answer.data
    assert anyone("HEAD", path).status_code == 200
    assert anyone.get(path, headers={"If-None-Match": answer.headers["ETag"]}).status_code == 304
    refused(anyone.post(path), 405, "method-not-allowed")


@pytest.mark.parametrize(
    "path",
    [
        "/web/",
        "/web/index.html",
        "/web/package.json",
        "/web/package-lock.json",
        "/web/.npmrc",
        "/web/js",
        "/web/js/",
        "/web/js/main",
        "/web/js/none.js",
        "/web/js/main.js/more.js",
        "/web/style/../index.html",
        "/web/js/../../app.py",
        "/web/js/%2e%2e/index.html",
        "/web/js/..%2f..%2fapp.py",
        "/web/js/%2fetc/passwd.js",
        "/web//etc/passwd",
        "/web/js//main.js",
        "/web/js/main.js%00",
        "/web/node_modules/lit-html/lit-html.js",
        "/web/vendor/",
        "/web/vendor/lit-html",
        "/web/vendor/lit-html/package.json",
        "/web/vendor/lit-html/development/lit-html.js",
        "/web/vendor/lit-html/node/lit-html.js",
        "/web/vendor/lit-html/lit-html.js.map",
        "/web/vendor/lit-html/../axe-core/axe.js",
        "/web/vendor/axe-core/axe.js",
        "/web/vendor/@fontsource-variable/LICENSE",
        "/web/vendor/@fontsource-variable/inter/metadata.json",
        "/favicon.ico",
    ],
)
def test_all_else_is_not_found(anyone: Client, path: str) -> None:
    refused(anyone.get(path), 404, "not-found")


def test_no_path_leads_out_of_what_is_public(anyone: Client) -> None:
    """Whatever pieces a path is made of, an answer is a file that stands in a public folder."""
    chance = random.Random(SEED)
    print(f"seed {SEED}")
    pieces = [
        *(
            "..",
            ".",
            "",
            "js",
            "style",
            "vendor",
            "node_modules",
            "lit-html",
            "@fontsource-variable",
            "inter",
        ),
        *("main.js", "base.css", "index.html", "app.py", "LICENSE", "axe-core", "axe.js", "\\..", "%2e%2e"),
    ]
    found = 0
    for _ in range(3_000):
        path = "/".join(chance.choices(pieces, k=chance.randint(1, 5)))
        answer = anyone.get("/web/" + (quote(path, safe="") if chance.random() < 0.3 else path))
        if answer.status_code == 200:
            found += 1
            assert ".." not in path
            assert path.startswith(("js/", "style/", *(f"vendor/{package}/" for package in PUBLIC_PACKAGES)))
        else:
            refused(answer, 404, "not-found")
    assert found


def test_gzip_where_it_is_taken_and_gains_something(anyone: Client) -> None:
    for path in ("/", MAIN, LIT):
        plain, packed = anyone.get(path), anyone.get(path, headers=GZIP)
        assert "Content-Encoding" not in plain.headers
        assert packed.headers["Content-Encoding"] == "gzip"
        assert gzip.decompress(packed.data) == plain.data
        assert len(packed.data) < len(plain.data)
        assert plain.headers["Vary"] == packed.headers["Vary"] == "Accept-Encoding"
        assert plain.headers["ETag"] != packed.headers["ETag"]
    assert "Content-Encoding" not in anyone.get(LIT, headers={"Accept-Encoding": "gzip;q=0"}).headers
    assert "Content-Encoding" not in anyone.get(FONT, headers=GZIP).headers


def test_a_changed_file_shows_at_the_next_look(tmp_path: Path) -> None:
    (tmp_path / "js").mkdir()
    file = tmp_path / "js" / "one.js"
    files = WebFiles(tmp_path)
    assert files.find("js/one.js") is None
    file.write_text("first")
    first = files.find("js/one.js")
    assert first is not None and first.plain == b"first"
    assert files.find("js/one.js") is first
    file.write_text("other")
    os.utime(file, (1, 1))
    other = files.find("js/one.js")
    assert other is not None and other.plain == b"other"
    assert other.etag != first.etag
    file.unlink()
    assert files.find("js/one.js") is None


def test_missing_packages_are_said_when_the_gateway_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make_gateway: Any, quiet_logs: list[Any]
) -> None:
    make_gateway()
    assert not [line for line in quiet_logs if line["event"] == "web client incomplete"]
    monkeypatch.setattr("gateway.parts.WebFiles", lambda: WebFiles(tmp_path))
    make_gateway()
    (line,) = [line for line in quiet_logs if line["event"] == "web client incomplete"]
    assert "lit-html" in line["problem"] and "make setup" in line["problem"]


def test_files_are_limited_by_address_and_apart_from_play(make_gateway: Any) -> None:
    gateway: Gateway = make_gateway()
    ada = gateway.as_("ada")
    before = ada.get("/v1/me").headers["RateLimit"]
    assert before.startswith('"read";r=1199')
    assert ada.get(MAIN).headers["RateLimit-Policy"] == '"file";q=12000;w=60'
    assert ada.get("/").headers["RateLimit"].startswith('"file";r=11998')
    assert ada.get("/v1/me").headers["RateLimit"].startswith('"read";r=1198')
    assert gateway.anyone().get("/healthz").headers["RateLimit"].startswith('"address";r=5997')


def test_the_policy_of_the_page(anyone: Client, page: str) -> None:
    policy = dict(
        part.strip().split(" ", 1) for part in anyone.get("/").headers["Content-Security-Policy"].split(";")
    )
    assert policy.pop("default-src") == "'none'"
    assert policy.pop("img-src") == "'self' data:"
    assert {name for name, value in policy.items() if value == "'none'"} == {
        "base-uri",
        "form-action",
        "frame-ancestors",
    }
    assert {name for name, value in policy.items() if value == "'self'"} == {
        "script-src",
        "style-src",
        "font-src",
        "connect-src",
    }
    assert len(policy) == 7
    assert not re.search(r"<script(?![^>]*\bsrc=)", page)
    assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:", page)


def test_all_that_the_page_names_is_there(anyone: Client, page: str) -> None:
    named = re.findall(r'(?:href|src)="([^"]+)"', page)
    assert MAIN in named
    for address in named:
        assert address.startswith("/") and not address.startswith("//"), address
        assert anyone.get(address).status_code == 200, address


def test_styles_name_only_what_is_there(anyone: Client, page: str) -> None:
    for style in re.findall(r'rel="stylesheet" href="([^"]+)"', page):
        text = re.sub(r"/\*.*?\*/", "", anyone.get(style).text, flags=re.DOTALL)
        for address in re.findall(r"""url\(["']?([^"')]+)""", text):
            assert address.startswith(("/web/", "data:image/", "#")), f"{style}: {address}"
            if address.startswith("/web/"):
                assert anyone.get(address).status_code == 200, f"{style}: {address}"


def imported(anyone: Client, start: str) -> list[str]:
    """Every module that must be there before ``start`` runs, itself among them, in the order they are met."""
    met: list[str] = []
    waiting = [start]
    while waiting:
        module = waiting.pop(0)
        if module in met:
            continue
        met.append(module)
        answer = anyone.get(module)
        assert answer.status_code == 200, f"{module} is imported and not there"
        code = re.sub(r"/\*.*?\*/", "", answer.text, flags=re.DOTALL)
        for name in STATIC_IMPORT.findall(code):
            assert name.startswith((".", "/web/")), f"{module} imports {name}, which no browser can find"
            waiting.append(os.path.normpath(Path(module).parent / name))
    return met


def test_every_module_is_preloaded(anyone: Client, page: str) -> None:
    """Or a browser would learn of them one import after the other."""
    wanted = imported(anyone, MAIN)[1:]
    preloaded = re.findall(r'<link rel="modulepreload" href="([^"]+)">', page)
    lines = "\n".join(f'  <link rel="modulepreload" href="{module}">' for module in wanted)
    assert sorted(preloaded) == sorted(wanted), f"index.html needs these lines:\n{lines}"


def test_no_module_of_ours_is_forgotten(anyone: Client) -> None:
    """Each is imported by another, at the start or later."""
    modules = {f"/web/{path.relative_to(ROOT)}" for path in (ROOT / "js").rglob("*.js")}
    named = {MAIN}
    for module in modules:
        for name in re.findall(r"""["'](\.{1,2}/[^"'\s]+\.js)["']""", anyone.get(module).text):
            named.add(os.path.normpath(Path(module).parent / name))
    assert sorted(modules - named) == []


def test_a_wheel_carries_all_that_is_given_away() -> None:
    """The build leaves out what git ignores but for the artifacts that it is told."""
    import tomllib

    from pathspec import PathSpec

    project = tomllib.loads((ROOT.parents[1] / "pyproject.toml").read_text())
    artifacts = PathSpec.from_lines(
        "gitignore", project["tool"]["hatch"]["build"]["targets"]["wheel"]["artifacts"]
    )
    files = WebFiles()
    public = 0
    for path in (ROOT / "node_modules").rglob("*"):
        asset = f"vendor/{path.relative_to(ROOT / 'node_modules')}"
        if files.find(asset) is not None:
            public += 1
            assert artifacts.match_file(path.relative_to(ROOT.parents[1]).as_posix()), asset
    assert public > len(PUBLIC_PACKAGES)


def test_the_lock_names_no_registry() -> None:
    lock = json.loads((ROOT / "package-lock.json").read_text())
    assert set(TYPES) >= {".js", ".css", ".woff2"}
    for name, package in lock["packages"].items():
        assert "resolved" not in package, name
