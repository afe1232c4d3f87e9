"""Processor time of each test, its child processes included, written to a file: `pytest --write-durations FILE`."""

import json
import resource
from collections.abc import Iterator
from pathlib import Path

import pytest


def processor_seconds() -> float:
    """What this process, all its threads and the child processes it has waited for have used."""
    return sum(
        usage.ru_utime + usage.ru_stime for usage in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


class Stopwatch:
    """Measures in the process that runs a test; reports carry the figure to the one that writes the file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.begun = 0.0
        self.seconds: dict[str, float] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self.begun = processor_seconds()
        return (yield)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Iterator[None]:
        report = yield
        report.processor_seconds = processor_seconds() - self.begun
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "teardown":
            self.seconds[report.nodeid] = report.processor_seconds

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if not hasattr(session.config, "workerinput"):
            self.path.write_text(json.dumps(dict(sorted(self.seconds.items())), indent=0) + "\n")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--write-durations", metavar="FILE", type=Path)


def pytest_configure(config: pytest.Config) -> None:
    if path := config.getoption("--write-durations"):
        config.pluginmanager.register(Stopwatch(path))
