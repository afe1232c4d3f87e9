"""The pytest plugin: collects `*.rules`, `*.puzzle` and `*.play` files as tests.

Each expectation of a file is a test, and so is each of its snapshots, which syrupy keeps. pytest finds the plugin by its entry
point; `pytest -p no:rulewright` runs without it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from difflib import unified_diff
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from rulewright.api.named import project_folder
from rulewright.base.diagnostics import Diagnostic, RulesError
from rulewright.base.records import evolve
from rulewright.base.styled_text import counted
from rulewright.rules.linking.project import Project
from rulewright.studies.records import expectations, snapshots
from rulewright.studies.records.expectations import ExpectationFailed, Inconclusive
from rulewright.studies.records.file_checks import RULES, FileChecks, is_checked

SECONDS = 10.0
"""Most seconds for a puzzle whose file gives no time."""

CHANGED = "rulewright_changed"

_projects = pytest.StashKey[dict[Path, Project]]()
_said = pytest.StashKey[dict[tuple[Diagnostic, ...], str]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options for the time limit of a question."""
    help = f"The time limit of a puzzle's answer, in seconds; a test that needs more is skipped (default: {SECONDS:g})."
    parser.getgroup("rulewright").addoption("--rulewright-seconds", type=float, default=None, metavar="N", help=help)
    parser.addini("rulewright_seconds", "The same, in a configuration file.", default=str(SECONDS))


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect files that start like a module, a puzzle or a saved game."""
    if not is_checked(file_path):
        return None
    collector: pytest.Collector = TextFile.from_parent(parent, path=file_path)
    return collector


def pytest_collection_finish(session: pytest.Session) -> None:
    """Refuse `--snapshot-update` in continuous integration."""
    options: Any = session.config.option
    if (
        os.environ.get("CI")
        and getattr(options, "update_snapshots", False)
        and any(isinstance(item, FileTest) for item in session.items)
    ):
        options.update_snapshots = False  # otherwise snapshots of tests not run now would be deleted
        raise pytest.UsageError("snapshots cannot be updated in CI: accept them locally with `rulewright review`")


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Point to `rulewright review` if snapshots have changed."""
    failed = terminalreporter.stats.get("failed", [])
    if changed := sum((CHANGED, True) in map(tuple, report.user_properties) for report in failed):
        what = f"{counted(changed, 'snapshot')} new or changed"
        terminalreporter.write_line(
            f"{what}: `rulewright review` shows which rules caused it, and accepts the changes", yellow=True
        )


class TextFile(pytest.File):
    """A file of rules, a puzzle or a saved game."""

    def collect(self) -> Iterator[pytest.Item]:
        """One test for each expectation and for each snapshot of the file."""
        with_snapshots = self.config.pluginmanager.hasplugin("syrupy")
        try:
            checks = FileChecks(self.path, self.project, self._seconds)
            recorded, expected = list(checks.snapshots), list(checks.expectations)
        except RulesError as error:
            raise self.CollectError(str(error)) from error
        if self.path.suffix == RULES:
            recorded = [evolve(one, text=partial(_of_linked, one, self.project)) for one in recorded]
        for expectation in expected:
            yield self._test(expectation.name, _expectation_test(expectation))
        for record in recorded if with_snapshots else ():
            yield self._test(record.name, _snapshot_test(record))

    @property
    def project(self) -> Project:
        """The project in pytest's root folder; for a file elsewhere, in the folder of the file."""
        folder = project_folder(self.path, self.config.rootpath)
        return self.config.stash.setdefault(_projects, {}).setdefault(folder, Project(folder))

    @property
    def _seconds(self) -> float:
        said = self.config.getoption("--rulewright-seconds")
        return float(self.config.getini("rulewright_seconds")) if said is None else float(said)

    def _test(self, name: str, check: Callable[..., object]) -> pytest.Item:
        test: pytest.Item = FileTest.from_parent(self, name=name, callobj=check)
        return test


class Changed(ExpectationFailed):
    """A snapshot has changed, or is new."""


def _expectation_test(expectation: expectations.Expectation) -> Callable[..., None]:
    """The test function of an expectation, which gives nothing: pytest warns of tests that do."""

    def holds() -> None:
        expectation.check()

    return holds


def _snapshot_test(record: snapshots.Snapshot) -> Callable[..., None]:
    """The test function of a snapshot."""

    def is_unchanged(snapshot: Any, request: pytest.FixtureRequest) -> None:
        text = record.text()
        if snapshot.use_extension(_extension()) == text:
            return
        request.node.user_properties.append((CHANGED, True))
        if not record.path.is_file():
            raise Changed("there is no snapshot yet")
        before = record.path.read_text("utf-8").splitlines()
        rows = unified_diff(before, text.splitlines(), "accepted", "now", lineterm="", n=1)
        raise Changed("\n".join(("the snapshot has changed", *rows)))

    return is_unchanged


def _of_linked(record: snapshots.Snapshot, project: Project) -> str:
    """The text of a snapshot of rules, after linking them: an error in them says more than the changes it causes."""
    expectations.linked(record.file, project)
    return record.text()


def _extension() -> type:
    """The syrupy extension that keeps each snapshot as a plain text file."""
    from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

    class PlainText(SingleFileSnapshotExtension):
        file_extension = "txt"
        _write_mode = WriteMode.TEXT

    return PlainText


class FileTest(pytest.Function):
    """One test; its failure is shown like the errors of commands, without a traceback."""

    def runtest(self) -> None:
        """Run the test. It is skipped if it is inconclusive, or fails by an error that another test reports."""
        try:
            super().runtest()
        except Inconclusive as undecided:
            pytest.skip(str(undecided))
        except RulesError as error:
            if reporter := self._reporter(error):
                pytest.skip(f"{error.diagnostics[0].code}: {error.diagnostics[0].message} (see {reporter})")
            raise

    def _reporter(self, error: RulesError) -> str:
        """The test that reports an error of rules, however many files it affects: that of the module with the error, if it
        runs, else the first that meets it. Empty for this test."""
        file = self.getparent(TextFile)
        assert file is not None
        for test in self.session.items:
            if isinstance(test, FileTest) and test.name == expectations.CHECKS and error.diagnostics[0].span is not None:
                is_there = str(test.path) == error.diagnostics[0].span.source
                if is_there and test is not self and _fails_alone(test.path, file.project, error):
                    return test.nodeid
        first = self.config.stash.setdefault(_said, {}).setdefault(error.diagnostics, self.nodeid)
        return "" if first == self.nodeid else first

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """The message of the failure."""
        match excinfo.value:
            case RulesError() | ExpectationFailed() as error:
                return str(error)
            case _:
                return super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """The file and the name of the test."""
        return self.path, None, f"{self.path.name}: {self.name}"


def _fails_alone(path: Path, project: Project, error: RulesError) -> bool:
    """Whether the module in a file has an error by itself, not only together with others."""
    try:
        expectations.linked(path, project)
    except RulesError as own:
        return error.diagnostics[0] in own.diagnostics
    return False
