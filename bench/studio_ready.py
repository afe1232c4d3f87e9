"""How long until the studio without a server is ready: `python -m bench.studio_ready [ROUNDS]`.

Each round opens the studio on a puzzle of Beacon Patrol in Chromium with an empty profile, then once more. Ready is when the
board of the puzzle is shown. Prints seconds of the clock and of processors.
"""

from __future__ import annotations

import functools
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from http.server import ThreadingHTTPServer
from pathlib import Path

from rulewright.cli.site.studio_page import write_studio
from tests.browser import Browser, headless_browser
from tests.studio.test_in_browser import READY
from tests.studio.test_in_page import Quiet

PUZZLE = "#puzzle=beacon_patrol/overboard&of=beacon_patrol"
BETWEEN = 5.0
"""Seconds that the page has for what it does after it is ready."""


def processes_of(profile: Path) -> set[str]:
    """The processes of a browser: those that descend from one that names its profile."""
    told = subprocess.run(["ps", "-eo", "pid=,ppid=,args="], capture_output=True, text=True, check=True).stdout
    lines = [line.split(None, 2) for line in told.splitlines()]
    own = {pid for pid, _, arguments in lines if str(profile) in arguments}
    while more := {pid for pid, parent, _ in lines if parent in own} - own:
        own |= more
    return own


def processor_seconds(profile: Path) -> dict[str, float]:
    """What each process of a browser has used so far."""
    found = {}
    for pid in processes_of(profile):
        try:
            stat = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        found[pid] = (int(stat[11]) + int(stat[12])) / os.sysconf("SC_CLK_TCK")
    return found


def opened(browser: Browser, profile: Path, address: str) -> tuple[float, float]:
    """Seconds of the clock and of processors from the request of the page until it is ready."""
    browser.open("about:blank")
    time.sleep(1)
    clock, before = time.monotonic(), processor_seconds(profile)
    browser.open(address)
    browser.wait_for(READY)
    after = processor_seconds(profile)  # processes of the page before may have ended
    return time.monotonic() - clock, sum(used - before.get(pid, 0.0) for pid, used in after.items())


def main(rounds: int) -> None:
    with tempfile.TemporaryDirectory() as place:
        write_studio(Path(place))
        server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=place))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_address[1]}/index.html{PUZZLE}"
        found: dict[str, list[tuple[float, float]]] = {"first": [], "again": []}
        for _ in range(rounds):
            with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, headless_browser(Path(folder)) as browser:
                found["first"].append(opened(browser, Path(folder), address))
                time.sleep(BETWEEN)
                found["again"].append(opened(browser, Path(folder), address))
        server.shutdown()
    for name, times in found.items():
        clock, used = (statistics.median(values) for values in zip(*times, strict=True))
        print(f"{name}: ready after {clock:.1f} s by the clock, {used:.1f} s of processors (median of {rounds})")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
