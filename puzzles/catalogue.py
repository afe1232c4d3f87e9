"""Finds puzzles and modules by name: those of the project's folder and those of the library."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.base.input_files import scan_text
from rulewright.base.named_texts import TextKind, Texts
from rulewright.base.records import define, frozen
from rulewright.base.spans import Span
from rulewright.grammar.kept_trees import kept_puzzle
from rulewright.rules.linking.project import Project
from rulewright.rules.model.kept import POSITIONS, kept_of

if TYPE_CHECKING:
    from rulewright.grammar.tree.puzzles import Answer, Puzzle

    from .position import Position

SHIPPED = Path(__file__).parent / "library"
"""The folder of the puzzle library."""

PUZZLES = TextKind("puzzle", ".puzzle", SHIPPED, "RW346", "RW347", "RW348")

_TEXT = re.compile(r'^ +"([^"\n]*)"', re.MULTILINE)
_RULES, _EXTENDS = (
    re.compile(rf"^( +){word} +(.*(?:\n\1 +.*)*)", re.MULTILINE) for word in ("rules", "extends")
)  # including the deeper-indented lines that continue the list
_SHARED = re.compile(r"rw[0-9]{1,3}:")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.]*")
_ASK = re.compile(r"^ +ask *:(.*(?:\n(?=  +  ).*)*)", re.MULTILINE)
_GRADE = re.compile(r"^ +grade +([0-9]+)\b", re.MULTILINE)
_THEMES = re.compile(r"^( +)themes +([^:\n]*(?:\n\1 +[^:\n]*)*)$", re.MULTILINE)
_HORIZON = re.compile(r"\bfor +([0-9]+) +([a-z_]+?)s?\b")
_COUNTED = re.compile(r"^ *fewest +([a-z_]+?)s? +until\b")
_ANSWER = re.compile(r"^ +answer *: *(-?[0-9]+(?: */ *[0-9]+)?|[a-z]+)\b", re.MULTILINE)


@frozen
class Length:
    """How long a solution is, as far as the text of the puzzle says so: in moves, turns or other points of the flow."""

    count: int
    of: str


@frozen
class PuzzleSummary:
    """What a scan of a puzzle's file finds, without parsing it."""

    name: str
    path: Path
    text: str
    rules: tuple[str, ...]
    asks: bool
    answer: Answer | None
    grade: int | None = None
    themes: tuple[str, ...] = ()
    length: Length | None = None


@frozen
class ModuleSummary:
    """What a scan of a module's file finds, without parsing it; `extends` are the modules it extends directly."""

    name: str
    path: Path
    text: str
    extends: tuple[str, ...]


@define
class Catalogue:
    """Puzzles and modules by name; those of the folder shadow those of the library. Files are scanned when first needed."""

    project: Project

    @cached_property
    def texts(self) -> Texts:
        """The texts of the puzzles."""
        modules = self.project.texts
        return Texts(PUZZLES, modules.folder, modules.limits, given=modules.given, is_whole=modules.is_whole)

    @property
    def names(self) -> set[str]:
        """The names of the puzzles."""
        return set(self.texts.found)

    @cached_property
    def puzzles(self) -> tuple[PuzzleSummary, ...]:
        """Every puzzle, by name."""
        return tuple(self._puzzle(name, path) for name in sorted(self.texts.found) for path in self.texts.found[name])

    @cached_property
    def modules(self) -> Mapping[str, ModuleSummary]:
        """Every module, by name."""
        return {name: self._module(name, path) for name, path in self.project.modules().items()}

    def game_of(self, rules: Iterable[str]) -> str:
        """The game that modules belong to: the most basic one that they build on and that some puzzle names; for an expansion,
        such as `game.expansion`, the game."""
        found = next((name for name in self._base_first(rules) if name in self._named), "")
        return found.split(".")[0] if found.split(".")[0] in self.modules else found

    @cached_property
    def _named(self) -> frozenset[str]:
        return frozenset(name for puzzle in self.puzzles for name in puzzle.rules)

    def _base_first(self, names: Iterable[str]) -> dict[str, None]:
        """Modules and everything they extend, each after those it extends."""
        ordered: dict[str, None] = {}
        entered: set[str] = set()

        def visit(name: str) -> None:
            if name not in entered:
                entered.add(name)
                for base in self.modules[name].extends if name in self.modules else ():
                    visit(base)
                ordered[name] = None

        for name in names:
            visit(name)
        return ordered

    def read(self, argument: str | Path, span: Span | None = None) -> Puzzle:
        """The tree of a puzzle given by name, path or shared line."""
        if is_share_line(argument):
            from .share_line import read_shared

            return read_shared(str(argument), self.project)
        return self._parse(self.texts.find(argument, span))

    def position(self, argument: str | Path, span: Span | None = None, variant: str = "") -> Position:
        """The position of a puzzle, named as for `read`, under its own rules with those of a variant added."""
        return self.set_up(self.read(argument, span), argument, variant)

    def set_up(self, puzzle: Puzzle, argument: str | Path, variant: str = "") -> Position:
        """The position of a puzzle already read from a file or line; `argument` names it as for `read`."""
        beside = None if is_share_line(argument) else self.texts.find(argument).parent
        game = self.project.load_names(puzzle.rules, beside, variant)

        def make() -> Position:
            from .from_tree import set_up_position  # and all that reads drawings, which a kept position does not need

            return set_up_position(puzzle, game)

        if self.texts.given:  # being edited, so not worth caching
            return make()
        return kept_of(game, POSITIONS, lambda: (puzzle, game.digest), make, known=(puzzle, game))

    def _parse(self, path: Path) -> Puzzle:
        return kept_puzzle(self.texts.text(path), str(path), self.project.limits)

    def _puzzle(self, name: str, path: Path) -> PuzzleSummary:
        content = scan_text(path, self.project.limits)
        ask, written, grade = (pattern.search(content) for pattern in (_ASK, _ANSWER, _GRADE))
        answer = answer_of(written[1]) if written else None
        return PuzzleSummary(
            *(name, path, _title(content), _names(_RULES, content), ask is not None, answer),
            int(grade[1]) if grade else None,
            _names(_THEMES, content),
            _length(ask[1], answer) if ask else None,
        )

    def _module(self, name: str, path: Path) -> ModuleSummary:
        content = scan_text(path, self.project.limits)
        return ModuleSummary(name, path, _title(content), _names(_EXTENDS, content))


def is_share_line(argument: str | Path) -> bool:
    """Whether an argument looks like a shared line."""
    return isinstance(argument, str) and _SHARED.match(argument) is not None


def answer_of(text: str) -> Answer | None:
    """The answer in a text, a number or a word; None for an unknown word."""
    if text.isalpha():
        from rulewright.grammar.tree.puzzles import Verdict

        return next((verdict for verdict in Verdict if verdict.value == text), None)
    number, _, parts = text.partition("/")
    return Fraction(int(number), int(parts) or 1) if parts else int(number)


def _length(question: str, answer: Answer | None) -> Length | None:
    """By the answer to `fewest moves until …`, or by the turns that a question is about."""
    if (counted := _COUNTED.search(question)) and isinstance(answer, int):
        return Length(answer, counted[1])
    horizon = _HORIZON.search(question)
    return Length(int(horizon[1]), horizon[2]) if horizon else None


def _title(content: str) -> str:
    found = _TEXT.search(content)
    return found[1] if found else ""


def _names(pattern: re.Pattern[str], content: str) -> tuple[str, ...]:
    found = pattern.search(content)
    return tuple(_NAME.findall(re.sub("#.*", "", found[2]))) if found else ()
