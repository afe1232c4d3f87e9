"""The queue of files to check, the edited one first; checks yield to requests, and restart after changes."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Iterator
from pathlib import Path

from rulewright.base.diagnostics import Diagnostic, RulesError
from rulewright.base.records import define, field
from rulewright.editor.project.checks import Diagnostics, check_file
from rulewright.editor.project.workspace import Workspace

DELAY = 0.005
"""In seconds: the delay of a check after a change, so that simultaneous changes are checked together."""

MOST_FILES = 200
"""In folders with more modules and puzzles, only open files are checked."""

REST = 1.0
"""In seconds: the rest before the names of all modules are read. Measured: otherwise the first quick fix takes 0.7 s of
processor time."""

COLLECTED_EVERY = 400
"""The number of checks between garbage collections while idle: commands hardly need any, but a server runs for days."""


@define(eq=False)
class CheckQueue:
    """The files of one workspace that wait for a check; `publish` receives results when they differ, of open texts always: an
    editor hears of every version of theirs.

    `read_ahead` does in small steps what later requests need, while nothing waits.
    """

    workspace: Workspace
    publish: Callable[[Path, Diagnostics], None]
    fail: Callable[[Path, Exception], None]
    read_ahead: Callable[[], Iterator[None]] = lambda: iter(())
    published: dict[Path, Diagnostics] = field(factory=dict, init=False)
    _waiting: dict[Path, None] = field(factory=dict, init=False)
    _seen: dict[Path, frozenset[Path]] = field(factory=dict, init=False)
    _checks: int = field(default=0, init=False)
    _generation: int = field(default=0, init=False)
    _task: asyncio.Task[None] | None = field(default=None, init=False)
    _reading: asyncio.Task[None] | None = field(default=None, init=False)
    _progress: asyncio.Event = field(factory=asyncio.Event, init=False)

    def text_changed(self, path: Path) -> None:
        """Handle a changed text: check it, then everything that depends on it."""
        self._generation += 1
        self._forget(path)
        self._wait_for([path, *self._dependents(path)])

    def files_changed(self) -> None:
        """Handle files created, deleted or changed by other programs: recheck everything."""
        self._generation += 1
        self.workspace.files_changed()
        own = self.workspace.own()
        for path in [path for path in self.published if path not in self.workspace.open and not path.is_file()]:
            self._found(path, ())
            self._seen.pop(path, None)
        self._wait_for([*self.workspace.open, *(own if len(own) <= MOST_FILES else ())])

    async def idle(self) -> None:
        """Return once nothing waits."""
        while self._task is not None and not self._task.done():
            await asyncio.wait([self._task])

    async def checked(self, path: Path) -> None:
        """Return once a file waits for no check: the published diagnostics are then of its latest text."""
        while path in self._waiting:
            await self._progress.wait()

    def _step(self) -> None:
        """Wake those waiting for a check."""
        self._progress.set()
        self._progress.clear()

    def stop(self) -> None:
        """Stop checking."""
        self._waiting.clear()
        self._step()
        for task in self._task, self._reading:
            if task is not None:
                task.cancel()

    def _wait_for(self, paths: list[Path]) -> None:
        first = dict.fromkeys(path for path in paths if self.workspace.is_own(path))
        self._waiting = {**first, **self._waiting}
        if self._waiting and (self._task is None or self._task.done()):
            self._task = asyncio.get_running_loop().create_task(self._work())

    def _dependents(self, path: Path) -> list[Path]:
        """The files that were linked with a file, or lacked a module; open ones first."""
        found = [other for other, seen in self._seen.items() if other != path and (path in seen or not seen)]
        return sorted(found, key=lambda other: other not in self.workspace.open)

    def _forget(self, path: Path) -> None:
        if path not in self.workspace.open and not path.is_file():
            self._seen.pop(path, None)
            self._waiting.pop(path, None)
            self._step()

    async def _work(self) -> None:
        await asyncio.sleep(DELAY)
        while self._waiting:
            path = next(iter(self._waiting))
            generation = self._generation
            found = await self._checked(path, generation)
            if generation == self._generation and found is not None:
                del self._waiting[path]
                self._found(path, found)
                self._step()
            self._checks += 1
        if self._checks >= COLLECTED_EVERY:
            self._checks = 0
            gc.collect()
        if self._reading is None or self._reading.done():
            self._reading = asyncio.get_running_loop().create_task(self._read_ahead())

    async def _read_ahead(self) -> None:
        """Read ahead after a rest, until something waits."""
        await asyncio.sleep(REST)
        for _ in self.read_ahead():
            await asyncio.sleep(0)
            if self._waiting:
                return

    async def _checked(self, path: Path, generation: int) -> Diagnostics | None:
        """The diagnostics of a file; None if something changed meanwhile."""
        try:
            check = check_file(self.workspace, path)
            while True:
                try:
                    next(check)
                except StopIteration as end:
                    self._seen[path] = self._linked_with(path)
                    result: Diagnostics = end.value
                    return result
                await asyncio.sleep(0)
                if generation != self._generation:
                    return None
        except RulesError as error:
            return error.diagnostics
        except OSError as error:
            return (Diagnostic("file", f"{error.strerror or error}".lower()),)
        except Exception as error:
            # A bug in one check must not end all checks.
            self.fail(path, error)
            return ()

    def _linked_with(self, path: Path) -> frozenset[Path]:
        closure = self.workspace.closure([path])
        return frozenset(closure.readings) if not closure.missing else frozenset()

    def _found(self, path: Path, diagnostics: Diagnostics) -> None:
        if path in self.workspace.open or self.published.get(path) != diagnostics:
            self.published[path] = diagnostics
            self.publish(path, diagnostics)
