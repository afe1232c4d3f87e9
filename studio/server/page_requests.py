"""The requests of a page and their handlers: files and starting folders here, boards and searches in separate processes."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol

from attrs import asdict

from rulewright.base.diagnostics import RulesError
from rulewright.base.records import define, field
from rulewright.base.refusals import Refused, object_in, text_in, texts_in
from rulewright.puzzles.catalogue import Catalogue, ModuleSummary, PuzzleSummary
from rulewright.rules.linking.project import Project
from rulewright.studio.folder.studio_folder import StudioFolder
from rulewright.web.questions import titled
from rulewright.workers.line_client import Responder

BOARD_SECONDS = 60.0
"""The time limit for showing a board, or explaining an action."""

SOLVE_SECONDS, IMPACT_SECONDS, MAKE_SECONDS = 600.0, 1800.0, 60.0
"""The time limits for an answer, for all answers of the folder, and for a new variant."""

OF_TABLE = ("show", "texts", "explain", "history", "write_puzzle", "write_answer")
"""What the process of the board answers."""

_WORD, _MODULE = re.compile(r"[A-Za-z][A-Za-z0-9_]{0,60}"), re.compile(r"[A-Za-z_][A-Za-z0-9_.]{0,120}")

Report = Callable[[Any], None]
Done = Callable[[dict[str, Any], Report], Awaitable[Any]]
Disk = Callable[..., Awaitable[Any]]
"""Calls a function, with the arguments that follow, which reads or writes files."""


class Answering(Protocol):
    """What answers requests elsewhere: a `Responder`, or something that stands in for one."""

    async def start(self) -> None: ...

    async def ask(self, request: dict[str, Any], seconds: float, report: Report | None = None) -> dict[str, Any]: ...

    async def end(self) -> None: ...


@define(eq=False)
class PageRequests:
    """The requests of one page. `disk` does work on files, `table` shows boards."""

    folder: StudioFolder
    disk: Disk = asyncio.to_thread
    _table: Answering = field(factory=lambda: Responder("rulewright.studio.table.table_process"))
    _solver: Responder = field(factory=lambda: Responder("rulewright.studio.answers.solve_process"), init=False)
    _impact: Responder = field(factory=lambda: Responder("rulewright.studio.answers.impact_process"), init=False)
    _accepting: Responder = field(factory=lambda: Responder("rulewright.studio.answers.impact_process"), init=False)
    _making: Responder = field(factory=lambda: Responder("rulewright.studio.answers.impact_process"), init=False)
    _known: dict[str, Done] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._known = {
            "files": self._files,
            "read": self._read,
            "write": self._write,
            "library": self._library,
            **dict.fromkeys(OF_TABLE, self._asks(self._table, BOARD_SECONDS)),
            "solve": self._asks(self._solver, SOLVE_SECONDS),
            "impact": self._asks(self._impact, IMPACT_SECONDS),
            # In a separate process: the effects of another edit are still being computed.
            **dict.fromkeys(("accept", "take_back"), self._asks(self._accepting, IMPACT_SECONDS)),
            "make_ready": self._make_ready,
            "new_variant": self._new_variant,
            "changes_to_try": self._changes_to_try,
        }

    async def done(self, request: dict[str, Any], report: Report) -> Any:
        """The answer to a request. Raises `Refused`, `RulesError` and `OSError`."""
        do = self._known.get(text_in(request, "do"))
        if do is None:
            raise Refused("the server does not know this request", "reload the page")
        return await do(request, report)

    async def begin(self) -> None:
        """Start the board process, which every page needs first, while the page still requests its files."""
        await self._table.start()

    async def prepare(self) -> None:
        """Start what searches, before it is asked for."""
        await self._solver.start()

    async def end(self) -> None:
        """End all processes of the page."""
        for child in (self._table, self._solver, self._impact, self._accepting, self._making):
            await child.end()

    # Files ------------------------------------------------------------------------------------------------------------

    async def _files(self, request: dict[str, Any], report: Report) -> Any:
        roots = {prefix: root.as_uri() for prefix, root in self.folder.roots.items()}
        names = await self.disk(self.folder.names)
        return {"folder": str(self.folder.root), "roots": roots, "names": names}

    async def _read(self, request: dict[str, Any], report: Report) -> Any:
        return asdict(await self.disk(self.folder.read, text_in(request, "name")))

    async def _write(self, request: dict[str, Any], report: Report) -> Any:
        arguments = text_in(request, "name"), text_in(request, "text"), text_in(request, "version")
        return asdict(await self.disk(self.folder.write, *arguments))

    async def _library(self, request: dict[str, Any], report: Report) -> Any:
        return await self.disk(_library, self.folder)

    # Boards and answers -----------------------------------------------------------------------------------------------

    def _asks(self, process: Answering, seconds: float) -> Done:
        """The handler that passes a request on."""
        return lambda request, report: process.ask(self._for_child(request), seconds, report)

    async def _make_ready(self, request: dict[str, Any], report: Report) -> Any:
        # While the page asks for a name, the process that makes a variant starts.
        await self._making.start()
        return {}

    async def _new_variant(self, request: dict[str, Any], report: Report) -> Any:
        name, of = text_in(request, "name"), text_in(request, "of")
        if not _WORD.fullmatch(name) or not _MODULE.fullmatch(of):
            raise Refused(f"`{name}` cannot be the name of a module", "start it with a letter, followed by letters")
        before = set(await self.disk(self.folder.names))
        await self._making.ask(self._for_child(request), MAKE_SECONDS)
        return {"names": sorted(set(await self.disk(self.folder.names)) - before)}

    async def _changes_to_try(self, request: dict[str, Any], report: Report) -> Any:
        self.folder.path_of(f"{text_in(request, 'name')}/first.puzzle")
        try:
            return await self._making.ask(self._for_child(request), MAKE_SECONDS)
        finally:
            await self._making.end()

    def _for_child(self, request: dict[str, Any]) -> dict[str, Any]:
        """A request with names of the page replaced by paths, all inside the folder. Raises `Refused`."""
        found = {**request, "folder": str(self.folder.root)}
        for key in ("board", "before"):
            if request.get(key) is not None:
                found[key] = self._board(object_in(request, key))
        for key in ("texts", "texts_before"):
            if key in request:
                found[key] = self._texts(object_in(request, key))
        if "files" in request:
            found["files"] = [str(self.folder.path_of(name)) for name in texts_in(request, "files")]
        return found

    def _board(self, board: dict[str, Any]) -> dict[str, Any]:
        steps = board.get("steps", [])
        if not isinstance(steps, list) or not all(_is_pair(step) for step in steps):
            raise Refused("`steps` must be a list of pairs of texts")
        return {
            **board,
            "texts": self._texts(object_in({"texts": {}, **board}, "texts")),
            "start": str(self.folder.path_of(text_in(board, "start"))),
            "actions": texts_in(board, "actions"),
        }

    def _texts(self, texts: dict[str, Any]) -> dict[str, str]:
        """Texts by their paths."""
        if not all(isinstance(text, str) for text in texts.values()):
            raise Refused("the request has no texts")
        if too_long := [name for name, text in texts.items() if len(text) > self.folder.limits.file_bytes]:
            raise Refused(f"`{too_long[0]}` has more than {self.folder.limits.file_bytes} characters", "split it")
        return {str(self.folder.path_of(name)): text for name, text in texts.items()}


def _is_pair(step: object) -> bool:
    return isinstance(step, list) and len(step) == 2 and all(isinstance(part, str) for part in step)


def _library(folder: StudioFolder) -> dict[str, Any]:
    """The library: modules, and puzzles from the easiest, with their names on the page, their descriptions and games."""
    shipped = Catalogue(Project(folder.roots[":rules/"], folder.limits))

    def told(one: ModuleSummary | PuzzleSummary, rules: Sequence[str]) -> dict[str, Any]:
        title = titled(shipped.game_of(rules)) or "Parts and variants"
        asks = isinstance(one, PuzzleSummary) and one.asks
        return {"name": one.name, "file": folder.name_of(one.path), "text": one.text, "game": title, "asks": asks}

    try:
        modules = [told(one, [name]) for name, one in shipped.modules.items()]
        graded = sorted(shipped.puzzles, key=lambda one: (not one.asks, one.grade or 0, one.name))
        return {"modules": modules, "puzzles": [told(one, one.rules) for one in graded]}
    except RulesError:
        return {"modules": [], "puzzles": []}
