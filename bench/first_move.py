"""How long until a page that plays takes the first move: `python bench/first_move.py [PUZZLE] [ROUNDS]`.

Chromium has a quarter of the processor's speed. The time is that of the page, from the begin of its load until a move is marked
on the board and can be made.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path

from rulewright.cli.main import run

SLOWER = 4

NOTE = """
new MutationObserver(() => { if (document.querySelector('.lit, #menu button')) window.firstMove ??= performance.now(); })
    .observe(document, { subtree: true, childList: true, attributes: true });
"""


def main(puzzle: str, rounds: int) -> None:
    from tests.browser import headless_browser

    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place, headless_browser(Path(place) / "profile") as browser:
        page = Path(place) / "page.html"
        run(("page", puzzle, "-o", str(page)))
        for command, parameters in {
            "Page.addScriptToEvaluateOnNewDocument": {"source": NOTE},
            "Emulation.setCPUThrottlingRate": {"rate": SLOWER},
        }.items():
            browser.ask("POST", "/goog/cdp/execute", cmd=command, params=parameters)
        found = []
        for _ in range(rounds):
            browser.open("about:blank")
            browser.open(page.as_uri())
            found.append(browser.wait_for("window.firstMove") / 1000)
            browser.value("(document.querySelector('#board .lit') ?? document.querySelector('#menu button')).focus()")
            browser.press("enter")
            browser.wait_for("document.querySelector('.selected, #menu button, #line button')")
    print(f"first move after {statistics.median(found):.2f} s ({min(found):.2f} to {max(found):.2f}, {rounds} loads)")


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))
    main(sys.argv[1] if len(sys.argv) > 1 else "overboard", int(sys.argv[2]) if len(sys.argv) > 2 else 5)
