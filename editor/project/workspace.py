"""The texts of a folder, from open editors or else from disk, each read once per change.

Results computed from several texts are cached with the readings they came from, and recomputed if one of these is replaced: no
explicit invalidation is needed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache
from pathlib import Path

from rulewright.base.diagnostics import Diagnostic, RulesError
from rulewright.base.input_files import is_with_returns, is_within, read_bytes
from rulewright.base.limits import DEFAULT_LIMITS, Limits
from rulewright.base.named_texts import TextKind, Texts
from rulewright.base.records import define, field, frozen
from rulewright.grammar.parsing.assemble_blocks import LineParser
from rulewright.grammar.parsing.lalr import parse
from rulewright.grammar.readings import Reading, read_tolerantly
from rulewright.grammar.tree.modules import Module
from rulewright.grammar.tree.puzzles import Puzzle
from rulewright.puzzles.catalogue import PUZZLES
from rulewright.rules.linking.project import MODULES, Project
from rulewright.rules.model.game import Game

RULES, PUZZLE = ".rules", ".puzzle"
KEPT_LINES = 4096
"""Most cached parse trees of lines: enough for the texts being edited, so that only changed lines are parsed."""

Stamp = str | tuple[int, int]
"""Identifies a version of a file: the editor's text, or the time and size on disk."""


@frozen
class Closure:
    """Texts with everything they extend, by path. `missing` are modules without a file."""

    readings: Mapping[Path, Reading]
    missing: frozenset[str] = frozenset()

    @property
    def modules(self) -> dict[Path, Module]:
        """The trees of the modules, as far as they could be read."""
        return {path: reading.tree for path, reading in self.readings.items() if isinstance(reading.tree, Module)}

    @property
    def is_whole(self) -> bool:
        """Whether all of the trees are complete."""
        return all(reading.is_whole for reading in self.readings.values())

    def says_what(self, other: Closure) -> bool:
        """Whether the other closure has the same files with the same content, ignoring comments."""
        if self.missing != other.missing or self.readings.keys() != other.readings.keys():
            return False
        return all(reading.says_what(other.readings[path]) for path, reading in self.readings.items())


@frozen
class Linked:
    """The result of linking some modules: a game, or the reason why there is none."""

    closure: Closure
    game: Game | None
    error: RulesError | None = None

    def load(self) -> Game:
        """The game. Raises `RulesError` if there is none."""
        if self.game is None:
            assert self.error is not None
            raise self.error
        return self.game


@define
class Workspace:
    """The texts of a project folder; `open` are those that editors have, by path.

    `checked` are the diagnostics of files, each with the texts they were computed from.
    """

    folder: Path
    limits: Limits = DEFAULT_LIMITS
    open: dict[Path, str] = field(factory=dict)
    checked: dict[Path, tuple[Closure, tuple[Diagnostic, ...]]] = field(factory=dict, init=False, repr=False)
    _readings: dict[Path, tuple[Stamp, Reading]] = field(factory=dict, init=False, repr=False)
    _linked: dict[tuple[Path, ...], Linked] = field(factory=dict, init=False, repr=False)
    _last: dict[tuple[Path, ...], Game] = field(factory=dict, init=False, repr=False)
    _on_disk: dict[str, Texts] = field(factory=dict, init=False, repr=False)
    _parse_line: LineParser = field(factory=lambda: lru_cache(maxsize=KEPT_LINES)(parse), init=False, repr=False)

    # Texts

    def reading(self, path: Path) -> Reading:
        """The latest text of a file, as far as it can be read. Raises `OSError` and `RulesError` if it cannot be opened."""
        stamp = self._stamp(path)
        kept = self._readings.get(path)
        if kept is not None and kept[0] == stamp:
            return kept[1]
        text = self.text(path)
        before = kept[1].built if kept is not None else None
        reading = read_tolerantly(text, str(path), self.limits, self._parse_line, before)
        if kept is not None:
            reading = reading.behind(kept[1])
        self._readings[path] = stamp, reading
        return reading

    def read_another(self, text: str, path: Path) -> Reading:
        """The reading of a file if it had another text. Nothing is cached."""
        return read_tolerantly(text, str(path), self.limits, self._parse_line)

    def text(self, path: Path) -> str:
        """The latest text of a file, with `\\n` line ends. Raises as `reading` does."""
        return self.texts.text(path)

    def line_end(self, path: Path) -> str:
        """The line end of the latest text of a file. Raises as `reading` does."""
        text = self.open.get(path)
        content = read_bytes(path, self.limits) if text is None else text.partition("\n")[0].encode()
        return "\r\n" if is_with_returns(content) else "\n"

    def _stamp(self, path: Path) -> Stamp:
        if path in self.open:
            return self.open[path]
        status = path.stat()
        return status.st_mtime_ns, status.st_size

    def with_texts(self, texts: Mapping[Path, str]) -> Workspace:
        """The same workspace with other texts in some files; common texts are read once."""
        other = Workspace(self.folder, self.limits, {**self.open, **texts})
        other._readings, other._linked, other._last = dict(self._readings), dict(self._linked), dict(self._last)
        other._on_disk, other._parse_line = dict(self._on_disk), self._parse_line
        return other

    def files_changed(self) -> None:
        """Rescan the folder for files."""
        self._on_disk.clear()
        self.checked.clear()
        here = {path: kept for path, kept in self._readings.items() if path in self.open or path.is_file()}
        self._readings = here

    # Which files there are

    @property
    def texts(self) -> Texts:
        """The modules, open texts in place of those on disk."""
        return self._of_kind(MODULES)

    def _of_kind(self, kind: TextKind) -> Texts:
        """The texts of a kind; of a folder with too many files, only the open ones and the library."""
        if kind.word not in self._on_disk:
            self._on_disk[kind.word] = Texts(kind, self.folder, self.limits)
            try:
                _ = self._on_disk[kind.word].files
            except RulesError:
                self._on_disk[kind.word] = Texts(kind, self.folder, self.limits, is_whole=True)
        return self._on_disk[kind.word].over(self.open)

    @property
    def found(self) -> Mapping[str, tuple[Path, ...]]:
        """The files of each module name, open texts before those on disk."""
        return self.texts.found

    def modules(self) -> dict[str, Path]:
        """Every module by name; the folder takes precedence over the library."""
        return {name: paths[0] for name, paths in sorted(self.found.items())}

    def puzzles(self) -> tuple[Path, ...]:
        """The puzzles of the folder."""
        return self._of_kind(PUZZLES).files

    def files(self) -> list[Path]:
        """All modules, and the puzzles of the folder."""
        rules = [path for paths in self.found.values() for path in paths]
        return [*rules, *self.puzzles()]

    def own(self) -> list[Path]:
        """The modules and puzzles of the folder itself."""
        return [path for path in self.files() if self.is_own(path)]

    def is_own(self, path: Path) -> bool:
        """Whether a file is open, or below the folder; of a folder of the library, where an open file may lie, no other is."""
        return path in self.open or (path.is_relative_to(self.folder) and not self._is_library)

    @cached_property
    def _is_library(self) -> bool:
        return is_shipped(self.folder)

    # What links to what

    def closure(self, roots: Sequence[Path]) -> Closure:
        """Files with all modules they name, transitively."""
        texts = self.texts
        readings: dict[Path, Reading] = {}
        missing: set[str] = set()
        waiting = list(reversed(roots))
        while waiting:
            path = waiting.pop()
            if path in readings:
                continue
            with suppress(OSError, RulesError):
                readings[path] = self.reading(path)
                for name in named_modules(readings[path]):
                    try:
                        waiting.append(texts.find(name, beside=path.parent))
                    except RulesError:
                        missing.add(name)
        return Closure(readings, frozenset(missing))

    def link(self, roots: Sequence[Path]) -> Linked:
        """The game of some modules; relinked only if one of them, or of those they extend, has changed."""
        key, closure = tuple(roots), self.closure(roots)
        kept = self._linked.get(key)
        if kept is not None and kept.closure.says_what(closure):
            return kept
        try:
            linked = Linked(closure, self.project(closure).load(list(key)) if key else _no_rules())
        except RulesError as error:
            linked = Linked(closure, None, error)
        self._linked[key] = linked
        if linked.game is not None:
            self._last[key] = linked.game
        return linked

    def game(self, path: Path) -> Game:
        """The game that a file links to. Raises `RulesError` for an error in it or in a text that it names."""
        self.reading(path).refuse_errors()
        linked = self.link(self.roots_of(path))
        for reading in linked.closure.readings.values():
            reading.refuse_errors()
        return linked.load()

    def game_around(self, path: Path) -> Game | None:
        """The game that a file links to, or last linked to; for a partial game, with its needs filled in."""
        roots = self.roots_of(path)
        linked = self.link(roots)
        if linked.game is None and linked.closure.is_whole and roots:
            with suppress(RulesError):
                self._last[roots] = self.project(linked.closure).load_part(list(roots))
        return linked.game or self._last.get(roots)

    def project(self, closure: Closure) -> Project:
        """A project of the latest trees."""
        return Project.of(self.texts).with_modules(closure.modules)

    def roots_of(self, path: Path) -> tuple[Path, ...]:
        """The modules to link a file with: itself, or the existing modules that a puzzle names."""
        if path.suffix == RULES:
            return (path,)
        texts = self.texts
        roots: list[Path] = []
        for name in named_modules(self.reading(path)):
            with suppress(RulesError):
                roots.append(texts.find(name, beside=path.parent))
        return tuple(roots)


def _no_rules() -> Game:
    raise RulesError((Diagnostic("RW106", "none of the named modules exists", help="`rulewright list` shows them"),))


def named_modules(reading: Reading) -> Iterator[str]:
    """The modules that a text extends, or that a puzzle's rules name."""
    match reading.tree:
        case Module(header):
            yield from (name for name, _ in header.extends)
        case Puzzle() as puzzle:
            yield from (name for name, _ in puzzle.rules)


def is_shipped(path: Path) -> bool:
    """Whether a file is in the library."""
    return any(is_within(path, folder) for folder in (MODULES.shipped, PUZZLES.shipped))
