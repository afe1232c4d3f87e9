"""The puzzles of a project: those of its folder and those that ship, by name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from ..grammar.classes import define, frozen
from ..grammar.diagnostics import Diagnostic, Label, RulesError, nearest
from ..grammar.spans import Span
from ..rules.loading import Project, files_below, first_line, is_within, read_text

if TYPE_CHECKING:
    from ..grammar.scenarios import Puzzle
    from .position import Position

SHIPPED = Path(__file__).parent / "library"
"""The puzzles that ship."""

_HEADER = re.compile(r"puzzle\s+([A-Za-z_][A-Za-z0-9_.]*)\s*:")
_TEXT = re.compile(r'^ +"([^"\n]*)"', re.MULTILINE)
_RULES = re.compile(r"^ +rules +([^#\n]+)", re.MULTILINE)
_ANSWER = re.compile(r"^ +answer *: *(-?[0-9]+)", re.MULTILINE)


@frozen
class Entry:
    """What a glance at a puzzle's file tells."""

    name: str
    path: Path
    text: str
    rules: tuple[str, ...]
    answer: int | None


@define
class Catalogue:
    """Puzzles by name; the project's folder goes before what ships. Files are looked at when first needed."""

    project: Project

    @cached_property
    def _files(self) -> Mapping[str, tuple[Path, ...]]:
        found: dict[str, tuple[Path, ...]] = {}
        for folder in (SHIPPED, self.project.folder):
            own: dict[str, tuple[Path, ...]] = {}
            for path in files_below(folder, ".puzzle", self.project.limits):
                if header := _HEADER.match(first_line(path, self.project.limits)):
                    own[header[1]] = (*own.get(header[1], ()), path)
            found |= own
        return found

    @property
    def names(self) -> set[str]:
        """The names of the puzzles."""
        return set(self._files)

    def entries(self) -> tuple[Entry, ...]:
        """Every puzzle, by name."""
        return tuple(self._entry(name, path) for name in sorted(self._files) for path in self._files[name])

    def find(self, argument: str | Path, span: Span | None = None) -> Path:
        """The file of a puzzle by its name or path.

        Raises `RulesError`: RW346 (there is none), RW347 (two have this name), RW348 (outside of the project).
        """
        if isinstance(argument, Path) or argument.endswith(".puzzle") or "/" in argument:
            return self._inside(Path(argument), span)
        files = self._files.get(argument, ())
        if not files:
            help = nearest(argument, list(self._files)) or "`list` shows the puzzles there are"
            raise _error("RW346", f"there is no puzzle `{argument}`", span, help)
        if len(files) > 1:
            message = f"two files are called puzzle `{argument}`: `{files[0]}` and `{files[1]}`"
            raise _error("RW347", message, span, "give one of them another name, or open it by its path")
        return files[0]

    def read(self, argument: str | Path, span: Span | None = None) -> Puzzle:
        """The tree of a puzzle by its name or path."""
        return self._parse(self.find(argument, span))

    def position(self, argument: str | Path, span: Span | None = None, variant: str = "") -> Position:
        """The position of a puzzle by its name or path, under the rules that it names and those of a variant."""
        from .from_tree import set_up_position

        path = self.find(argument, span)
        puzzle = self._parse(path)
        return set_up_position(puzzle, self.project.load_names(puzzle.rules, path.parent, variant))

    def _parse(self, path: Path) -> Puzzle:
        from ..grammar.from_text import parse_puzzle

        return parse_puzzle(read_text(path, self.project.limits), str(path), self.project.limits)

    def _inside(self, path: Path, span: Span | None) -> Path:
        spelled = path if path.is_file() else self.project.folder / path
        if not spelled.is_file():
            names = [file.name for files in self._files.values() for file in files]
            raise _error("RW346", f"there is no file `{path}`", span, nearest(path.name, names))
        if not any(is_within(spelled, root) for root in (self.project.folder, SHIPPED)):
            message = f"`{path}` is outside of the project folder `{self.project.folder}`"
            raise _error("RW348", message, span, "copy it into the folder, or work in the folder that it is in")
        return spelled

    def _entry(self, name: str, path: Path) -> Entry:
        said = read_text(path, self.project.limits)
        text, rules, answer = _TEXT.search(said), _RULES.search(said), _ANSWER.search(said)
        modules = tuple(module.strip() for module in rules[1].split("+")) if rules else ()
        return Entry(name, path, text[1] if text else "", modules, int(answer[1]) if answer else None)


def _error(code: str, message: str, span: Span | None, help: str) -> RulesError:
    return RulesError((Diagnostic(code, message, (Label(span),) if span else (), help),))
