"""Finds modules by name in a project folder and in the library, reads everything that they extend, and links them.

Reads no other files, except files that an argument names by path and those beside them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import count
from pathlib import Path

from rulewright.base.diagnostics import Diagnostic, Label, RulesError, did_you_mean
from rulewright.base.input_files import files_below, first_line, first_line_of, is_within, read_text, require_regular
from rulewright.base.limits import DEFAULT_LIMITS, Limits
from rulewright.base.records import define, field, frozen
from rulewright.base.spans import Span
from rulewright.grammar.kept_trees import kept_module
from rulewright.grammar.tree.modules import Module
from rulewright.rules.merging.module_order import Family
from rulewright.rules.merging.needs import stand_ins
from rulewright.rules.merging.rulebook import Rulebook
from rulewright.rules.model.game import Game

from .from_modules import combine, link_book

SHIPPED = Path(__file__).parents[1] / "library"
"""The folder of the library, which ships with Rulewright."""

_HEADER = re.compile(r"module\s+([A-Za-z_][A-Za-z0-9_.]*)\s*:")


@frozen
class Wanted:
    """A requested module: its name, the span of the request in a text, and the chain of `extends` that leads to it."""

    name: str
    span: Span | None = None
    chain: tuple[str, ...] = ()


@frozen
class Combination:
    """Modules with everything that they extend, and the rulebook merged from them; `roots` are the requested modules."""

    family: Family
    book: Rulebook
    roots: tuple[str, ...]

    @property
    def linked(self) -> Game:
        """The game. Raises `RulesError` as linking does."""
        return link_book(self.family, self.book, self.roots)


@define
class Project:
    """The modules of a folder and of the library; each file is parsed once, on first use.

    `named` are files elsewhere that an argument names by path: they can be loaded, and can extend files beside them.
    """

    folder: Path
    limits: Limits = DEFAULT_LIMITS
    named: tuple[Path, ...] = ()
    _parsed: dict[Path, Module] = field(factory=dict, init=False, repr=False)
    _given: frozenset[Path] = field(default=frozenset(), init=False, repr=False)
    _games: dict[tuple[Path, ...], Game] = field(factory=dict, init=False, repr=False)
    _texts: Mapping[Path, str] = field(factory=dict, init=False, repr=False)

    @classmethod
    def of_texts(cls, folder: Path, limits: Limits, named: tuple[Path, ...], texts: Mapping[Path, str]) -> Project:
        """A project whose files are given as texts; only the library is read from disk."""
        project = cls(folder, limits, named)
        own: dict[str, tuple[Path, ...]] = {}
        for path, text in texts.items():
            if header := _HEADER.match(first_line_of(text.splitlines())):
                own[header[1]] = (*own.get(header[1], ()), path)
        project.found = project._shipped | own
        project._texts = texts
        return project

    @cached_property
    def found(self) -> Mapping[str, tuple[Path, ...]]:
        """The files of each module name: those of the folder, else those of the library."""
        return self._shipped | _by_name(files_below(self.folder, ".rules", self.limits), self.limits)

    @cached_property
    def _shipped(self) -> dict[str, tuple[Path, ...]]:
        return _by_name(files_below(SHIPPED, ".rules", self.limits), self.limits)

    @cached_property
    def _beside_named(self) -> Mapping[str, tuple[Path, ...]]:
        """The files of each module name in the folders of the `named` files."""
        folders = dict.fromkeys(path.resolve().parent for path in self.named)
        return _by_name((path for folder in folders for path in sorted(folder.glob("*.rules"))), self.limits)

    def modules(self) -> dict[str, Path]:
        """Every module by name; the folder takes precedence over the library."""
        return {name: self.found[name][0] for name in sorted(self.found)}

    def parse(self, path: Path) -> Module:
        """The tree of a file."""
        if path not in self._parsed:
            text = self._texts[path] if path in self._texts else read_text(path, self.limits)
            # A given text is being edited, so its tree is not worth caching.
            module = (_parse if path in self._texts else kept_module)(text, str(path), self.limits)
            self.refuse_a_shipped_name(path, module, text)
            self._parsed[path] = module
        return self._parsed[path]

    def refuse_a_shipped_name(self, path: Path, module: Module, text: str) -> None:
        """RW117: a module has the name of a library module but other content; the folder would decide which one is meant."""
        name = module.header.name
        for shipped in self._shipped.get(name, ()):
            if not is_within(path, SHIPPED) and text != read_text(shipped, self.limits):
                help = f"rename it, as in `house.{name.rpartition('.')[2]}`; to change the module of the library, use `extends`"
                raise _error("RW117", f"the library already has a module `{name}`", module.header.span, help)

    def load(self, argument: str | Path | Sequence[str | Path]) -> Game:
        """Link the modules that an argument names: `A+B`, a path to a `*.rules` file, or a list of such.

        Raises `RulesError`: RW106 and RW100 (no such module), RW107 (a name with two files), RW108 (a file outside the
        project), RW057 and RW058 (limits), and the errors of reading, parsing and linking.
        """
        return self._link(self._roots(argument))

    def load_part(self, argument: str | Path | Sequence[str | Path]) -> Game:
        """Link modules that may be parts of games, with a stand-in for each of their unmet needs.

        Raises `RulesError` as `load` does.
        """
        part = self._combine(self._roots(argument))
        more = stand_ins(part.family, part.book, part.roots)
        known = {module.header.name: module for module in (*part.family.modules, more)}
        return Combination(*combine(known, self.limits), (*part.roots, more.header.name)).linked

    def combine(self, argument: str | Path | Sequence[str | Path]) -> Combination:
        """Merge the modules that an argument names, without linking them. Raises `RulesError` as `load` does."""
        return self._combine(self._roots(argument))

    def beside(self, combination: Combination, names: Iterable[tuple[str, Span]]) -> Combination:
        """Merge modules that a text names with a combination, whose modules replace others of the same names.

        Raises `RulesError` as `load` does.
        """
        more = [self._file(Wanted(name, span), None) for name, span in names]
        if not more:
            return combination
        modules = self._with_all_they_extend(more) | {module.header.name: module for module in combination.family.modules}
        roots = (*combination.roots, *(self.parse(path).header.name for path in more))
        return Combination(*combine(modules, self.limits), roots)

    def load_names(self, names: Iterable[tuple[str, Span]], beside: Path | None = None, variant: str = "") -> Game:
        """Link the modules that a text names; of several files with one name, the one in the folder `beside` is used.

        `variant` names additional modules, in the form of an argument.
        """
        roots = [self._file(Wanted(name, span), beside) for name, span in names]
        return self._link(roots + (self._roots(variant) if variant else []))

    def _roots(self, argument: str | Path | Sequence[str | Path]) -> list[Path]:
        parts = argument.split("+") if isinstance(argument, str) else argument
        parts = [parts] if isinstance(parts, Path) else parts
        return [self._root(part.strip() if isinstance(part, str) else part) for part in parts]

    def roots_of(self, game: Game) -> tuple[Path, ...]:
        """The files that a game loaded here was linked from."""
        return next(roots for roots, known in self._games.items() if known is game)

    def changed(self, game: Game, changes: str) -> Game:
        """A game loaded here, changed by one additional module; `changes` are the items of its text.

        Raises `RulesError` if they do not fit. Nothing is kept.
        """
        roots = self.roots_of(game)
        modules = self._with_all_they_extend(list(roots))
        name = next(name for name in ("changed" + "_" * n for n in count()) if name not in modules)
        text = f"module {name}:\n    extends {', '.join(game.roots)}\n\n{changes}\n"
        more = _parse(text, name, self.limits)
        return Combination(*combine({**modules, name: more}, self.limits), (*game.roots, name)).linked

    def modules_of(self, argument: str | Sequence[str | Path]) -> tuple[Module, ...]:
        """The modules that an argument names and all that they extend, unlinked. Raises `RulesError` as `load` does."""
        return tuple(self._with_all_they_extend(self._roots(argument)).values())

    def file_of(self, name: str) -> Path:
        """The file of a module. Raises `RulesError`: RW106 (none), RW107 (two)."""
        return self._file(Wanted(name), None)

    def with_module(self, path: Path, module: Module) -> Project:
        """This project with another module in a file; nothing is read or searched again."""
        return self.with_modules({path: module}, self.found)

    def with_modules(self, modules: Mapping[Path, Module], found: Mapping[str, tuple[Path, ...]]) -> Project:
        """This project with other modules in some files, and accordingly `found` as the files of each name."""
        other = Project(self.folder, self.limits, self.named)
        other.found, other._shipped = found, self._shipped
        other._parsed = {**self._parsed, **modules}
        other._given, other._texts = frozenset(modules), self._texts
        return other

    def with_text(self, text: str) -> tuple[str, Project]:
        """The name of a module given as text, and this project with it. Raises `RulesError` for an error in it."""
        path = self.folder / "the text.rules"
        module = _parse(text, path.name, self.limits)
        self.refuse_a_shipped_name(path, module, text)
        name = module.header.name
        return name, self.with_modules({path: module}, {**self.found, name: (path,)})

    def file_for(self, name: str, beside: Path | None, span: Span | None = None) -> Path:
        """The file of a module that a text in the folder `beside` names at `span`. Raises `RulesError`: RW106, RW107."""
        return self._file(Wanted(name, span), beside)

    def _root(self, part: str | Path) -> Path:
        if isinstance(part, Path) or part.endswith(".rules") or "/" in part or os.sep in part:
            return self.inside(Path(part))
        return self._file(Wanted(part), None)

    def inside(self, path: Path) -> Path:
        """A file of the project by its path, relative to the working folder, else to the project's folder.

        Raises `RulesError`: RW026 (not a regular file), RW106 (no such file), RW108 (outside).
        """
        if path in self._given or path in self._texts:
            return path
        # Spelled as in `found`, so that a file is parsed once and reported once.
        spelled = Path.cwd() / path if path.is_file() else self.folder / path
        require_regular(path)
        require_regular(spelled)
        if not spelled.is_file():
            raise _error("RW106", f"there is no file `{path}`", None, did_you_mean(path.name, self._file_names(), ".rules"))
        if not any(is_within(spelled, root) for root in (self.folder, SHIPPED, *self.named)):
            message = f"`{path}` is outside of the project folder `{self.folder}`"
            raise _error("RW108", message, None, "copy it into the project folder, or work in its own folder")
        return spelled

    def _file(self, wanted: Wanted, beside: Path | None) -> Path:
        """The file of a module; one in the same folder takes precedence."""
        files = self.found.get(wanted.name, ())
        near = [path for path in files if path.parent == beside]
        if not near and self.named and beside is not None:
            near = [path for path in self._beside_named.get(wanted.name, ()) if path.parent == beside.resolve()]
        near = near or list(files)
        if not near:
            message = f"there is no module `{wanted.name}`"
            code = "RW100" if wanted.chain else "RW106"
            raise _error(
                code, message, wanted.span, did_you_mean(wanted.name, set(self.found)) or "`rulewright list` shows all modules"
            )
        if len(near) > 1:
            message = f"two files declare the module `{wanted.name}`: `{near[0]}` and `{near[1]}`"
            raise _error("RW107", message, wanted.span, "rename one of them, or give the path of the one you mean")
        return near[0]

    def _link(self, roots: list[Path]) -> Game:
        key = tuple(roots)
        if key not in self._games:
            self._games[key] = self._combine(roots).linked
        return self._games[key]

    def _combine(self, roots: list[Path]) -> Combination:
        family, book = combine(self._with_all_they_extend(roots), self.limits)
        return Combination(family, book, tuple(self.parse(path).header.name for path in roots))

    def _with_all_they_extend(self, roots: list[Path]) -> dict[str, Module]:
        """The modules of the files and everything that they extend, by name."""
        modules: dict[str, Module] = {}
        waiting = [(path, Wanted(self.parse(path).header.name)) for path in roots]
        while waiting:
            path, wanted = waiting.pop()
            if wanted.name in modules:
                continue
            if len(modules) == self.limits.modules:
                raise _error(
                    "RW058", f"more than {self.limits.modules} modules are linked", wanted.span, "merge some of the modules"
                )
            if len(wanted.chain) >= self.limits.extends_depth:
                message = f"the chain of `extends` is longer than {self.limits.extends_depth}"
                raise _error("RW057", message, wanted.span, " -> ".join((*wanted.chain[-3:], wanted.name)))
            modules[wanted.name] = module = self.parse(path)
            for name, span in module.header.extends:
                below = Wanted(name, span, (*wanted.chain, wanted.name))
                waiting.append((self._file(below, path.parent), below))
        return modules

    def _file_names(self) -> set[str]:
        return {path.name for files in self.found.values() for path in files}


def _by_name(files: Iterable[Path], limits: Limits) -> dict[str, tuple[Path, ...]]:
    found: dict[str, tuple[Path, ...]] = {}
    for path in files:
        if header := _HEADER.match(first_line(path, limits)):
            found[header[1]] = (*found.get(header[1], ()), path)
    return found


def _error(code: str, message: str, span: Span | None, help: str) -> RulesError:
    return RulesError((Diagnostic(code, message, (Label(span),) if span else (), help),))


def _parse(text: str, source: str, limits: Limits) -> Module:
    """The tree of a text that is not a file."""
    from rulewright.grammar.from_text import parse_module  # loads the parser, which cached files do not need

    return parse_module(text, source, limits)
