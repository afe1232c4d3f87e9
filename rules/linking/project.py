"""Finds modules by name in a project folder and in the library, reads everything that they extend, and links them.

Reads no other files, except files that an argument names by path and those beside them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from rulewright.base.cache import cache_folder, kept
from rulewright.base.diagnostics import RulesError
from rulewright.base.input_files import is_within, read_text
from rulewright.base.limits import DEFAULT_LIMITS, Limits
from rulewright.base.named_texts import TextKind, Texts, text_error
from rulewright.base.records import define, evolve, field, frozen
from rulewright.base.spans import Span
from rulewright.grammar.kept_trees import PACKAGES, kept_module
from rulewright.grammar.tree.modules import Module
from rulewright.rules.model.game import Game

if TYPE_CHECKING:
    from rulewright.rules.merging.rulebook import Family, Rulebook

SHIPPED = Path(__file__).parents[1] / "library"
"""The folder of the library, which ships with Rulewright."""

GAMES = "games"
"""The folder of cached games, below the cache folder."""

MODULES = TextKind("module", ".rules", SHIPPED, "RW106", "RW107", "RW108")


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

    @classmethod
    def of(cls, modules: Mapping[str, Module], roots: tuple[str, ...], limits: Limits) -> Combination:
        """Merge modules. Raises `RulesError`."""
        from .from_modules import combine  # and all that merges and links, which a cached game does not need

        return cls(*combine(modules, limits), roots)

    @property
    def linked(self) -> Game:
        """The game. Raises `RulesError` as linking does."""
        from .from_modules import link_book

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
    _read: dict[str, str] = field(factory=dict, init=False, repr=False)
    """The text of each file parsed, by its name."""
    _given: frozenset[Path] = field(default=frozenset(), init=False, repr=False)
    _games: dict[tuple[Path, ...], Game] = field(factory=dict, init=False, repr=False)
    texts: Texts = field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        self.texts = Texts(MODULES, self.folder, self.limits, self.named)

    @classmethod
    def of(cls, texts: Texts) -> Project:
        """The project of some modules."""
        project = cls(texts.folder, texts.limits, texts.named)
        project.texts = texts
        return project

    def portable(self, more: Iterable[Path] = ()) -> Project:
        """The project, and more files, without its folder: for another process or machine."""
        return Project.of(self.texts.portable(more))

    @property
    def found(self) -> Mapping[str, tuple[Path, ...]]:
        """The files of each module name: those of the folder, else those of the library."""
        return self.texts.found

    def modules(self) -> dict[str, Path]:
        """Every module by name; the folder takes precedence over the library."""
        return {name: self.found[name][0] for name in sorted(self.found)}

    def parse(self, path: Path) -> Module:
        """The tree of a file."""
        if path not in self._parsed:
            self._read[str(path)] = text = self.texts.text(path)
            # A given text is being edited, so its tree is not worth caching.
            module = (_parse if path in self.texts.given else kept_module)(text, str(path), self.limits)
            self.refuse_a_shipped_name(path, module, text)
            self._parsed[path] = module
        return self._parsed[path]

    def refuse_a_shipped_name(self, path: Path, module: Module, text: str) -> None:
        """RW117: a module has the name of a library module but other content; the folder would decide which one is meant."""
        name = module.header.name
        for shipped in self.texts.kind.library.get(name, ()):
            if not is_within(path, SHIPPED) and text != read_text(shipped, self.limits):
                help = f"rename it, as in `house.{name.rpartition('.')[2]}`; to change the module of the library, use `extends`"
                raise text_error("RW117", f"the library already has a module `{name}`", module.header.span, help)

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
        from rulewright.rules.merging.needs import stand_ins

        part = self._combine(self._roots(argument))
        more = stand_ins(part.family, part.book, part.roots)
        known = {module.header.name: module for module in (*part.family.modules, more)}
        return Combination.of(known, (*part.roots, more.header.name), self.limits).linked

    def combine(self, argument: str | Path | Sequence[str | Path]) -> Combination:
        """Merge the modules that an argument names, without linking them. Raises `RulesError` as `load` does."""
        return self._combine(self._roots(argument))

    def beside(self, combination: Combination, names: Iterable[tuple[str, Span]]) -> Combination:
        """Merge modules that a text names with a combination, whose modules replace others of the same names.

        Raises `RulesError` as `load` does.
        """
        more = [self.texts.find(name, span) for name, span in names]
        if not more:
            return combination
        modules = self._with_all_they_extend(more) | {module.header.name: module for module in combination.family.modules}
        roots = (*combination.roots, *(self.parse(path).header.name for path in more))
        return Combination.of(modules, roots, self.limits)

    def load_names(self, names: Iterable[tuple[str, Span]], beside: Path | None = None, variant: str = "") -> Game:
        """Link the modules that a text names; of several files with one name, the one in the folder `beside` is used.

        `variant` names additional modules, in the form of an argument.
        """
        roots = [self.texts.find(name, span, beside) for name, span in names]
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

        Raises `RulesError` if they do not fit, with places in `changes`, lines counted from 1. Nothing is kept.
        """
        roots = self.roots_of(game)
        modules = self._with_all_they_extend(list(roots))
        name = next(name for name in ("changed" + "_" * n for n in count()) if name not in modules)
        head = f"module {name}:\n    extends {', '.join(game.roots)}\n\n"
        more = _parse(changes, "changes", self.limits, head)
        return Combination.of({**modules, name: more}, (*game.roots, name), self.limits).linked

    def modules_of(self, argument: str | Sequence[str | Path]) -> tuple[Module, ...]:
        """The modules that an argument names and all that they extend, unlinked. Raises `RulesError` as `load` does."""
        return tuple(self._with_all_they_extend(self._roots(argument)).values())

    def with_modules(self, modules: Mapping[Path, Module]) -> Project:
        """This project with other modules in some files; nothing is read or searched again."""
        other = Project.of(self.texts)
        other._parsed, other._given = {**self._parsed, **modules}, frozenset(modules)
        return other

    def with_text(self, text: str) -> tuple[str, Project]:
        """The name of a module given as text, and this project with it. Raises `RulesError` for an error in it."""
        path = self.folder / "the text.rules"
        module = _parse(text, path.name, self.limits)
        self.refuse_a_shipped_name(path, module, text)
        name, other = module.header.name, self.with_modules({path: module})
        other.texts = self.texts.over({path: text})
        other.texts.found = {**self.found, name: (path,)}
        return name, other

    def _root(self, part: str | Path) -> Path:
        if isinstance(part, Path) and part in self._given:
            return part
        return self.texts.find(part)

    def _link(self, roots: list[Path]) -> Game:
        key = tuple(roots)
        if key not in self._games:
            if self._given or self.texts.given:  # being edited, so not worth caching
                self._games[key] = self._combine(roots).linked
            else:
                files = [module.header.span.source for module in self._with_all_they_extend(roots).values()]
                texts = (part for file in files for part in (file, self._read[file]))
                parts = ("game", *map(str, roots), repr(self.limits), *texts)
                is_kept = cache_folder() is not None
                self._games[key] = kept(GAMES, PACKAGES, parts, lambda: evolve(self._combine(roots).linked, is_kept=is_kept))
        return self._games[key]

    def _combine(self, roots: list[Path]) -> Combination:
        names = tuple(self.parse(path).header.name for path in roots)
        return Combination.of(self._with_all_they_extend(roots), names, self.limits)

    def _with_all_they_extend(self, roots: list[Path]) -> dict[str, Module]:
        """The modules of the files and everything that they extend, by name."""
        modules: dict[str, Module] = {}
        waiting = [(path, Wanted(self.parse(path).header.name)) for path in roots]
        while waiting:
            path, wanted = waiting.pop()
            if wanted.name in modules:
                continue
            if len(modules) == self.limits.modules:
                raise text_error(
                    "RW058", f"more than {self.limits.modules} modules are linked", wanted.span, "merge some of the modules"
                )
            if len(wanted.chain) >= self.limits.extends_depth:
                message = f"the chain of `extends` is longer than {self.limits.extends_depth}"
                raise text_error("RW057", message, wanted.span, " -> ".join((*wanted.chain[-3:], wanted.name)))
            modules[wanted.name] = module = self.parse(path)
            for name, span in module.header.extends:
                below = Wanted(name, span, (*wanted.chain, wanted.name))
                waiting.append((self._extended(below, path.parent), below))
        return modules

    def _extended(self, wanted: Wanted, beside: Path) -> Path:
        """The file of a module that another one extends. Raises `RulesError`: RW100 (none), RW107 (two)."""
        try:
            return self.texts.find(wanted.name, wanted.span, beside)
        except RulesError as error:
            codes = {MODULES.missing: "RW100"}
            found = tuple(evolve(one, code=codes.get(one.code, one.code)) for one in error.diagnostics)
            raise RulesError(found) from None


def _parse(text: str, source: str, limits: Limits, head: str = "") -> Module:
    """The tree of a text that is not a file."""
    from rulewright.grammar.from_text import parse_module  # loads the parser, which cached files do not need

    return parse_module(text, source, limits, head)
