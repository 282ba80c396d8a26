"""axe-core on a page as it stands: what keeps people out who see, hear or move in other ways."""

from functools import cache
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

SOURCE = Path(__file__).parents[2] / "gateway" / "web" / "node_modules" / "axe-core" / "axe.min.js"
GRAVE = ("serious", "critical")


@cache
def _source() -> str:
    return SOURCE.read_text()


def check(page: Page) -> None:
    """Raises AssertionError with every serious or critical violation and where it is."""
    found = violations(page)
    assert not found, f"{page.url}\n" + "\n".join(found)


def violations(page: Page) -> list[str]:
    """One line a place: rule, what is wrong, the element."""
    if not page.evaluate("typeof axe === 'object'"):
        # Evaluated by the debugger, so that the page's policy has no say in it and need not be weakened.
        page.evaluate(f"() => {{ {_source()} }}")
    result: dict[str, Any] = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    return [
        f"{violation['impact']} {violation['id']}: {violation['help']}\n"
        f"    {' '.join(map(str, node['target']))}  {node['html'][:200]}\n"
        f"    {' '.join(node['failureSummary'].split())}"
        for violation in result["violations"]
        if violation["impact"] in GRAVE
        for node in violation["nodes"]
    ]
