"""What memory the studio without a server takes: `python -m bench.studio_memory [LOADS] [EDITS]`.

The memory of all processes of Chromium, each shared page counted in parts (PSS), in MB: after each load of the page on a puzzle
of Beacon Patrol, one after another in the same tab; then on the last one, after every twenty edits of a small game's rules.
"""

from __future__ import annotations

import functools
import sys
import tempfile
import threading
import time
from http.server import ThreadingHTTPServer
from pathlib import Path

from bench.studio_ready import PUZZLE, processes_of
from rulewright.cli.site.studio_page import write_studio
from tests.browser import Browser, headless_browser
from tests.studio.test_in_browser import READY, open_file
from tests.studio.test_in_page import FILES, Quiet, begin_with, type_at_end

SETTLED = 8.0
"""Seconds until what a page does after it is ready is done."""


def memory(browser: Browser, profile: Path) -> int:
    """MB of all processes, after garbage has been collected where the browser is asked to."""
    browser.ask("POST", "/goog/cdp/execute", cmd="HeapProfiler.collectGarbage", params={})
    found = 0
    for pid in processes_of(profile):
        try:
            lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        except OSError:
            continue
        found += sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))
    return found // 1024


def main(loads: int, edits: int) -> None:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
        write_studio(Path(place) / "site")
        server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=f"{place}/site"))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address, profile = f"http://127.0.0.1:{server.server_address[1]}/index.html", Path(place) / "profile"
        with headless_browser(profile) as browser:
            for number in range(loads):
                browser.open("about:blank")
                browser.open(address + PUZZLE)
                browser.wait_for(READY)
                time.sleep(SETTLED)
                print(f"load {number + 1}: {memory(browser, profile)} MB", flush=True)
            begin_with(browser, address, FILES, "two_left.puzzle")
            open_file(browser, "shelf.rules")
            time.sleep(SETTLED)
            for number in range(edits + 1):
                if number % 20 == 0:
                    time.sleep(SETTLED)
                    print(f"edit {number}: {memory(browser, profile)} MB", flush=True)
                type_at_end(browser, f"# {number}\n")
                browser.settle()
        server.shutdown()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5, int(sys.argv[2]) if len(sys.argv) > 2 else 100)
