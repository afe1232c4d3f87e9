"""Which tests run, by what they cost: `--tier fast` (the default), `ci`, or `nightly`; `tests/durations.json` lists slow cases.

- *fast* runs every case of at most 0.2 s of processor time, and a share of the slow ones that changes with the commit.
- *ci* runs a larger share of the slow ones, and all tests of the tree itself (`tests/test_*.py`, `tests/bench/`), which any
  commit may break.
- *nightly* runs everything: campaigns, what is marked `nightly`, what needs a browser, a cluster or a wheel.

A test named by its id runs in every tier, and `-m` decides alone. The share depends on the number of commits, so a failure
is found again at its commit; `--share N` runs another one.
"""

import json
import subprocess
import time
import zlib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

SLOW = 0.2
"""Seconds of processor time of a case above which it is slow: with 0.3 the fast cases alone took 200 s of two idle
processors, with nothing cached."""

SHARES = {"fast": 35.0, "ci": 180.0}
"""Seconds of processor time that the slow cases of one run may take: few enough for the fast tier to take three minutes, many
enough that fifty commits run each case once. A case that would fill more than a fifth waits for a tier with more."""

NEVER = {"campaign", "nightly"}
"""Marks of what runs at night only."""

MUCH = {"browser", "cluster_address", "installed", "wheel"}
"""Fixtures that take so much that their tests run at night only."""

ROOT = Path(__file__).parents[1]
DURATIONS = ROOT / "tests" / "durations.json"


def processor_seconds() -> float:
    """What this process, all its threads and the child processes it has waited for have used."""
    try:
        import resource
    except ImportError:  # on Windows: without child processes
        return time.process_time()
    usages = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


@cache
def slow_cases() -> Mapping[str, float]:
    """Seconds of processor time of each slow case, by id."""
    found: dict[str, float] = json.loads(DURATIONS.read_text("utf-8"))
    return found


def shares(cases: Mapping[str, float], seconds: float) -> list[list[str]]:
    """The cases in as few shares of about equal cost as `seconds` allow; the dearest go first, to the cheapest share."""
    cases = {name: cost for name, cost in cases.items() if cost <= seconds / 5}
    count = max(1, round(sum(cases.values()) / seconds))
    found: list[list[str]] = [[] for _ in range(count)]
    costs = [0.0] * count
    for case in sorted(cases, key=lambda name: (-cases[name], name)):
        cheapest = min(range(count), key=lambda number: costs[number])
        found[cheapest].append(case)
        costs[cheapest] += cases[case]
    return found


def of_the_tree() -> set[str]:
    """The slow cases whose subject is the whole tree: layout, platforms, packaging, named numbers."""
    return {case for case in slow_cases() if case.startswith(("tests/test_", "tests/bench/"))}


def waiting_cases(tier: str, share: int) -> set[str]:
    """The slow cases that one run of a tier leaves out."""
    dealt = shares(slow_cases(), SHARES[tier])
    waiting = slow_cases().keys() - set(dealt[share % len(dealt)] if share >= 0 else ())
    return waiting - of_the_tree() if tier == "ci" else waiting


def share_of_the_commit() -> int:
    """The number of commits; without a repository, a number that changes with what changed."""
    command = ["git", "rev-list", "--count", "HEAD"]
    counted = (
        subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False) if (ROOT / ".git").exists() else None
    )
    if counted is None or counted.returncode:
        return zlib.crc32((ROOT / "CHANGELOG.md").read_bytes())
    return int(counted.stdout)


def runs_all(config: pytest.Config) -> bool:
    """Whether no test is left out by its tier."""
    return bool(config.option.tier == "nightly" or config.option.markexpr or any("::" in name for name in config.args))


class Stopwatch:
    """Processor time of each test: measured where it runs, carried by its report to the process that tells."""

    def __init__(self) -> None:
        self.begun = 0.0
        self.seconds: dict[str, float] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.begun = processor_seconds()
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Iterator[None]:
        report: Any = yield
        report.processor_seconds = processor_seconds() - self.begun
        return report  # type: ignore[no-any-return]

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.when == "teardown":
            self.seconds[report.nodeid] = report.processor_seconds

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        config = terminalreporter.config
        known = slow_cases()
        if config.option.write_durations:
            kept = {name: seconds for name, seconds in known.items() if name not in self.seconds}
            slow = {name: round(seconds, 1) for name, seconds in self.seconds.items() if seconds > SLOW}
            DURATIONS.write_text(json.dumps(dict(sorted((kept | slow).items())), indent=0, ensure_ascii=False) + "\n", "utf-8")
        new = sorted(name for name, seconds in self.seconds.items() if seconds > 3 * SLOW and name not in known)
        if new and not runs_all(config):
            terminalreporter.section("slow, and not in tests/durations.json (`just durations`)")
            for name in new:
                terminalreporter.line(f"{self.seconds[name]:6.1f} s  {name}")
        told = f"{sum(self.seconds.values()):.0f} s of processor time in {len(self.seconds)} tests"
        terminalreporter.line(f"tier {config.option.tier}, share {config.option.share}: {told}")


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("tiers")
    group.addoption("--tier", choices=[*SHARES, "nightly"], default="fast", help="which tests run (tests/tiers.py)")
    group.addoption("--share", type=int, help="the share of the slow tests, a number; -1: none; by default that of the commit")
    group.addoption("--write-durations", action="store_true", help="record which of the tests that run are slow")


def pytest_configure(config: pytest.Config) -> None:
    if config.option.share is None:
        config.option.share = share_of_the_commit()  # workers receive the options of the process that starts them
    if not runs_all(config):
        config.option.warn_unused_snapshots = True  # those of tests whose turn has not come
    config.pluginmanager.register(Stopwatch(), "stopwatch")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Campaigns have a folder of their own, which costs seconds to import; their short forms run in the tier `ci`."""
    is_campaign = collection_path == ROOT / "tests" / "campaigns"
    return True if is_campaign and config.option.tier == "fast" and not runs_all(config) else None


def pytest_pycollect_makeitem(collector: pytest.Collector, name: str, obj: object) -> list[pytest.Item] | None:
    """Functions that run at night only are not made to items."""
    marks = getattr(obj, "pytestmark", [])
    is_test = name.startswith("test") and isinstance(marks, list)
    return [] if is_test and not runs_all(collector.config) and any(mark.name in NEVER for mark in marks) else None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if runs_all(config):
        return
    waiting = waiting_cases(config.option.tier, config.option.share)
    deselected = [item for item in items if item.nodeid in waiting or is_nightly(item)]
    config.hook.pytest_deselected(items=deselected)
    gone = set(map(id, deselected))
    items[:] = [item for item in items if id(item) not in gone]


def is_nightly(item: pytest.Item) -> bool:
    """Whether a test runs at night only."""
    return any(item.get_closest_marker(name) for name in NEVER) or bool(MUCH & set(getattr(item, "fixturenames", ())))
