"""Finds the evidence for rules: the puzzles and saved games that name them, or modules that extend them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path

from rulewright.base.diagnostics import Diagnostic, RulesError
from rulewright.base.input_files import files_below, is_for_tests, is_within
from rulewright.base.records import define, field, frozen
from rulewright.grammar.tree.puzzles import Puzzle
from rulewright.puzzles.catalogue import SHIPPED, Catalogue
from rulewright.puzzles.saved_games import SavedGame, modules_of, read_saved_game
from rulewright.rules.linking.project import Project


@frozen
class Evidence:
    """A puzzle or a saved game, and the modules that it names."""

    path: Path
    content: Puzzle | SavedGame
    rules: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.content.name


@define
class EvidenceFinder:
    """Finds evidence in a project and in the puzzle library. `faults` are the errors of unreadable files."""

    project: Project
    faults: list[Diagnostic] = field(factory=list, init=False)
    _families: dict[str, frozenset[str]] = field(factory=dict, init=False)
    _evidence: dict[Path, Evidence | None] = field(factory=dict, init=False)
    """The evidence in each file; None if it cannot be read."""

    @cached_property
    def catalogue(self) -> Catalogue:
        """The puzzles of the project."""
        return Catalogue(self.project)

    def of(self, module: str, files: Sequence[Path] = ()) -> Iterator[Evidence]:
        """The evidence for a module in some files, in their order; by default in all files."""
        for path in files or self._all_files:
            evidence = self._known(path)
            if evidence is not None and any(module in self.family(name) for name in evidence.rules):
                yield evidence

    def extensions_of(self, module: str) -> Iterator[Path]:
        """The files in the folder whose modules extend a module."""
        own = self.project.folder
        for name, paths in self.project.found.items():
            inside = [path for path in paths if path.is_relative_to(own) and not is_for_tests(path, own)]
            try:
                if inside and name != module and module in self.family(name):
                    yield from inside
            except RulesError as error:
                self.faults += error.diagnostics

    def family(self, name: str) -> frozenset[str]:
        """A module and everything it extends. Raises `RulesError`."""
        if name not in self._families:
            self._families[name] = frozenset({name})
            header = self.project.parse(self.project.texts.find(name)).header
            self._families[name] |= {other for base, _ in header.extends for other in self.family(base)}
        return self._families[name]

    def _known(self, path: Path) -> Evidence | None:
        """The evidence in a file, read once. A file that is unreadable, or names unreadable rules, is a fault."""
        if path not in self._evidence:
            self._evidence[path] = None
            try:
                evidence = self._read(path)
                for name in evidence.rules:
                    self.family(name)
                self._evidence[path] = evidence
            except RulesError as error:
                self.faults += error.diagnostics
        return self._evidence[path]

    @cached_property
    def _all_files(self) -> tuple[Path, ...]:
        return (*self._files(".puzzle"), *self._files(".play"))

    def _files(self, suffix: str) -> Iterator[Path]:
        own = self.project.folder
        yield from files_below(SHIPPED, suffix, self.project.limits)
        for path in self.project.texts.below(suffix):
            if path.is_relative_to(own) and not is_within(path, SHIPPED) and not is_for_tests(path, own):
                yield path

    def _read(self, path: Path) -> Evidence:
        if path.suffix == ".puzzle":
            puzzle = self.catalogue.read(path)
            return Evidence(path, puzzle, tuple(name for name, _ in puzzle.rules))
        play = read_saved_game(path, self.project.texts)
        return Evidence(path, play, modules_of(play, self.catalogue))
