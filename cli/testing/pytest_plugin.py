"""The pytest plugin: `*.rules`, `*.puzzle` and `*.play` files are tests, without any code.

What a file expects is a test each; what is recorded of it is a snapshot each, kept by syrupy. Found by its entry point; to do
without it: `pytest -p no:rulewright`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from difflib import unified_diff
from pathlib import Path
from typing import Any

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.base.input_files import first_line
from rulewright.cli.views.render_diagnostics import render
from rulewright.cli.views.styled_text import counted, plain
from rulewright.rules.linking.project import Project
from rulewright.studies import expectations, snapshots
from rulewright.studies.expectations import ExpectationFailed, Inconclusive, SolvedPuzzle

HEADS = {".rules": "module", ".puzzle": "puzzle", ".play": "play"}
SECONDS = 10.0
CHANGED = "rulewright_changed"

_projects = pytest.StashKey[dict[Path, Project]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """How long a question may take."""
    help = f"Seconds to search for the answer of a puzzle; a test that needs more is skipped (default: {SECONDS:g})."
    parser.getgroup("rulewright").addoption("--rulewright-seconds", type=float, default=None, metavar="N", help=help)
    parser.addini("rulewright_seconds", "The same, in a configuration file.", default=str(SECONDS))


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Take up what begins as a module, a puzzle or a play."""
    head = HEADS.get(file_path.suffix)
    if head is None or not re.match(rf"{head}\s+[A-Za-z_]", first_line(file_path)):
        return None
    collector: pytest.Collector = TextFile.from_parent(parent, path=file_path)
    return collector


def pytest_collection_finish(session: pytest.Session) -> None:
    """In continuous integration nothing is accepted."""
    options: Any = session.config.option
    if os.environ.get("CI") and getattr(options, "update_snapshots", False) and any(map(_is_ours, session.items)):
        options.update_snapshots = False  # or else those of the tests that are not run now would be deleted
        raise pytest.UsageError("snapshots are not updated where CI is set: `rulewright review` accepts them elsewhere")


def _is_ours(item: pytest.Item) -> bool:
    return isinstance(item, Claim)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Where to look when snapshots have changed."""
    failed = terminalreporter.stats.get("failed", [])
    if changed := sum((CHANGED, True) in map(tuple, report.user_properties) for report in failed):
        what = f"{counted(changed, 'snapshot')} new or changed"
        terminalreporter.write_line(f"{what}: `rulewright review` shows which rules did it, and accepts", yellow=True)


class TextFile(pytest.File):
    """A file of an author."""

    def collect(self) -> Iterator[pytest.Item]:
        """A test for everything that the file expects, and for everything that is recorded of it."""
        with_snapshots = self.config.pluginmanager.hasplugin("syrupy")
        try:
            expected, recorded = self._contents()
        except RulesError as error:
            raise self.CollectError(_drawn(error)) from error
        for expectation in expected:
            yield self._claim(expectation.name, _held(expectation))
        for record in recorded if with_snapshots else ():
            yield self._claim(record.name, _kept(record))

    def _contents(self) -> tuple[list[expectations.Expectation], list[snapshots.Snapshot]]:
        path, project = self.path, self._project
        match path.suffix:
            case ".rules":
                return list(expectations.of_rules(path, project)), list(snapshots.of_rules(path, project))
            case ".puzzle":
                solved = SolvedPuzzle(path, project, self._seconds)
                return list(expectations.of_puzzle(solved)), list(snapshots.of_puzzle(solved))
            case _:
                return list(expectations.of_play(path, project)), list(snapshots.of_play(path, project))

    @property
    def _project(self) -> Project:
        """The author's folder is where pytest's root is, or for a file elsewhere the folder that it is in."""
        root = self.config.rootpath
        folder = root if self.path.is_relative_to(root) else self.path.parent
        return self.config.stash.setdefault(_projects, {}).setdefault(folder, Project(folder))

    @property
    def _seconds(self) -> float:
        said = self.config.getoption("--rulewright-seconds")
        return float(self.config.getini("rulewright_seconds")) if said is None else float(said)

    def _claim(self, name: str, check: Callable[..., object]) -> pytest.Item:
        claim: pytest.Item = Claim.from_parent(self, name=name, callobj=check)
        return claim


class Changed(ExpectationFailed):
    """A snapshot is not what it was."""


def _held(expectation: expectations.Expectation) -> Callable[..., None]:
    """A test that a file keeps its promise."""

    def is_held() -> None:
        expectation.check()

    return is_held


def _kept(record: snapshots.Snapshot) -> Callable[..., None]:
    """A test that a text is what it was when it was accepted."""

    def is_kept(snapshot: Any, request: pytest.FixtureRequest) -> None:
        text = record.text()
        if snapshot.use_extension(_extension()) == text:
            return
        request.node.user_properties.append((CHANGED, True))
        if not record.path.is_file():
            raise Changed("there is no snapshot of this yet")
        before = record.path.read_text("utf-8").splitlines()
        rows = unified_diff(before, text.splitlines(), "accepted", "now", lineterm="", n=1)
        raise Changed("\n".join(("the snapshot has changed", *rows)))

    return is_kept


def _extension() -> type:
    """Snapshots as plain text, each in a file of its own."""
    from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

    class PlainText(SingleFileSnapshotExtension):
        file_extension = "txt"
        _write_mode = WriteMode.TEXT

    return PlainText


class Claim(pytest.Function):
    """One test. What is wrong is said as the commands say it, without a traceback."""

    def runtest(self) -> None:
        """Check; skipped where it was not found out."""
        try:
            super().runtest()
        except Inconclusive as undecided:
            pytest.skip(str(undecided))

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """What does not hold."""
        match excinfo.value:
            case RulesError() as error:
                return _drawn(error)
            case ExpectationFailed() as unmet:
                return str(unmet)
            case _:
                return super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """The file, and what of it."""
        return self.path, None, f"{self.path.name}: {self.name}"


def _drawn(error: RulesError) -> str:
    return "\n".join(plain(line).rstrip() for diagnostic in error.diagnostics for line in render(diagnostic))
