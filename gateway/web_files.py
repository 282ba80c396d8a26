"""The files of the web client: which ones are given away, and each kept in memory, compressed, until it changes.

A path is looked up in tables of what is public, never joined to a folder first: what they do not name does not exist.
"""

import gzip
import hashlib
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).parent / "web"
INDEX = "index.html"
VENDOR = "vendor"
PACKAGES = "node_modules"

TYPES: Mapping[str, str] = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
    "": "text/plain; charset=utf-8",
}
FOLDERS: Mapping[str, tuple[str, ...]] = {"js": (".js",), "style": (".css", ".svg")}
"""Our own folders, with the kinds of file that each gives away, at any depth."""

_FONT = {"": ".css", "files": ".woff2"}
PUBLIC_PACKAGES: Mapping[str, Mapping[str, str]] = {
    "lit-html": {"": ".js", "directives": ".js"},
    "@fontsource-variable/inter": _FONT,
    "@fontsource-variable/source-serif-4": _FONT,
}
"""npm packages, with the one kind of file that each of their folders gives away; and each its LICENSE."""
LICENCE = "LICENSE"

COMPRESSED = frozenset({".css", ".html", ".js", ".svg"})


@dataclass(frozen=True)
class WebFile:
    """``compressed`` is the same in gzip, None where that would gain nothing. ``vendored``: not our own."""

    content_type: str
    plain: bytes
    compressed: bytes | None
    etag: str
    vendored: bool

    def sent(self, gzipped: bool) -> tuple[bytes, dict[str, str]]:
        """The body and the headers that tell which of both it is."""
        headers = {} if self.compressed is None else {"Vary": "Accept-Encoding"}
        if self.compressed is None or not gzipped:
            return self.plain, {**headers, "ETag": f'"{self.etag}"'}
        return self.compressed, {**headers, "ETag": f'"{self.etag}-gzip"', "Content-Encoding": "gzip"}


class WebFiles:
    """What stands under ``root``. Safe to use from many threads."""

    def __init__(self, root: Path = ROOT) -> None:
        self._root = root
        self._lock = threading.Lock()
        self._kept: dict[str, tuple[tuple[int, int], WebFile]] = {}

    def index(self) -> WebFile | None:
        """The page itself."""
        return self._as_it_is(INDEX)

    def find(self, asset: str) -> WebFile | None:
        """The file that is public under this path, as it is now; None if there is none."""
        place = public_place(asset)
        return None if place is None else self._as_it_is(place)

    def _as_it_is(self, place: str) -> WebFile | None:
        path = self._root / place
        try:
            status = path.stat()
            mark = (status.st_mtime_ns, status.st_size)
            with self._lock:
                kept = self._kept.get(place)
            if kept is not None and kept[0] == mark:
                return kept[1]
            found = _read(path, vendored=place.startswith(PACKAGES))
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            return None
        with self._lock:
            self._kept[place] = (mark, found)
        return found

    def problem(self) -> str | None:
        """Why no browser could show the client, in one line."""
        names = [name for name in PUBLIC_PACKAGES if not (self._root / PACKAGES / name).is_dir()]
        if names:
            return f"the web client lacks {', '.join(names)}: `make setup` installs them"
        return None


def public_place(asset: str) -> str | None:
    """Where in the root the file of this path stands; None for what is not given away."""
    parts = PurePosixPath(asset).parts
    if "/".join(parts) != asset or any(part.startswith(".") for part in parts):
        return None
    if parts[:1] == (VENDOR,):
        inside = asset.removeprefix(f"{VENDOR}/")
        public = any(_is_public(package, inside) for package in PUBLIC_PACKAGES)
        return f"{PACKAGES}/{inside}" if public else None
    if len(parts) > 1 and PurePosixPath(asset).suffix in FOLDERS.get(parts[0], ()):
        return asset
    return None


def _is_public(package: str, inside: str) -> bool:
    if not inside.startswith(f"{package}/"):
        return False
    rest = PurePosixPath(inside.removeprefix(f"{package}/"))
    folder = "" if len(rest.parts) == 1 else str(rest.parent)
    return str(rest) == LICENCE or PUBLIC_PACKAGES[package].get(folder) == rest.suffix


def _read(path: Path, *, vendored: bool) -> WebFile:
    plain = path.read_bytes()
    packed = gzip.compress(plain, mtime=0) if path.suffix in COMPRESSED else plain
    return WebFile(
        content_type=TYPES[path.suffix],
        plain=plain,
        compressed=packed if len(packed) < len(plain) else None,
        etag=hashlib.sha256(plain).hexdigest()[:32],
        vendored=vendored,
    )
