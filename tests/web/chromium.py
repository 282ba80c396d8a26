"""Debian's Chromium, driven by Playwright; nothing is downloaded."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Playwright

from deploy import packages

FLAGS = (
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    # Or the length of a line would depend on the machine.
    "--font-render-hinting=none",
)


@contextmanager
def launched(playwright: Playwright) -> Iterator[Browser]:
    """A browser without a window. Raises ``PackagesMissing`` where it cannot be had."""
    packages.ensure(packages.BROWSER)
    program = packages.PACKAGES["chromium"].found()
    browser = playwright.chromium.launch(executable_path=Path(str(program)), args=list(FLAGS))
    try:
        yield browser
    finally:
        browser.close()
