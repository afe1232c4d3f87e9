"""Resolves names across the texts of a project: the declaration of each, and all of its uses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from rulewright.base.diagnostics import RulesError
from rulewright.base.records import define, field, frozen
from rulewright.editor.texts.name_reader import names_of
from rulewright.editor.texts.symbols import NameKind, Namespace, Occurrence, Symbol, TextNames
from rulewright.grammar.readings import Reading

from .workspace import Closure, Workspace

TURNED = "_turned"
"""The suffix of the state variable for the rotations of a space's tiles, after the space's name."""


@frozen
class Place:
    """A name in a file."""

    path: Path
    occurrence: Occurrence


@frozen
class Meaning:
    """The entity a name stands for, and its declarations; `needs` count only if nothing else declares it."""

    symbol: Symbol
    declarations: tuple[Place, ...]

    @property
    def kind(self) -> NameKind:
        """The kind of entity, by the first declaration."""
        return self.declarations[0].occurrence.declares or NameKind.NEED


@frozen
class Visible:
    """Everything visible from a text: declarations by symbol, and which action is like which."""

    closure: Closure
    declarations: Mapping[Symbol, tuple[Place, ...]]
    like: Mapping[str, str]

    def find(self, symbol: Symbol) -> Meaning | None:
        """The meaning of a symbol; parameters and clauses include those of the action that an action is like."""
        tried: set[str] = set()
        while symbol not in self.declarations:
            item, dot, rest = symbol.owner.partition(".")
            if symbol.namespace not in (Namespace.PARAMETER, Namespace.CLAUSE) or item in tried or item not in self.like:
                return None
            tried.add(item)
            symbol = Symbol(symbol.namespace, symbol.name, self.like[item] + dot + rest)
        places = self.declarations[symbol]
        real = tuple(place for place in places if place.occurrence.declares is not NameKind.NEED)
        return Meaning(symbol, real or places)


@define
class NameIndex:
    """The names of a workspace. The names visible from a text are cached until a text that it extends changes."""

    workspace: Workspace
    _names: dict[Path, tuple[Reading, TextNames]] = field(factory=dict, init=False, repr=False)
    _visible: dict[Path, Visible] = field(factory=dict, init=False, repr=False)

    def names(self, path: Path) -> TextNames:
        """The names of a text. Raises as `Workspace.reading` does."""
        reading = self.workspace.reading(path)
        kept = self._names.get(path)
        if kept is None or kept[0] is not reading:
            kept = self._names[path] = reading, names_of(reading)
        return kept[1]

    def names_or_none(self, path: Path) -> tuple[Occurrence, ...]:
        """The names of a text; empty if it cannot be opened."""
        with suppress(OSError, RulesError):
            return self.names(path).occurrences
        return ()

    def read_ahead(self) -> Iterator[None]:
        """Read the names of all modules, one at each step."""
        for path in self.workspace.modules().values():
            self.names_or_none(path)
            yield

    def visible(self, path: Path) -> Visible:
        """Everything visible from a text."""
        closure = self.workspace.closure((path,))
        kept = self._visible.get(path)
        if kept is not None and kept.closure == closure:
            return kept
        declarations: dict[Symbol, tuple[Place, ...]] = {}
        like: dict[str, str] = {}
        for file in closure.readings:
            names = self.names(file)
            like |= names.like
            for one in names.occurrences:
                if one.declares is not None and one.declares is not NameKind.LOCAL:
                    symbol = one.may_be[0]
                    declarations[symbol] = (*declarations.get(symbol, ()), Place(file, one))
        self._visible[path] = found = Visible(closure, declarations, like)
        return found

    def meaning(self, path: Path, occurrence: Occurrence) -> Meaning | None:
        """The entity a name stands for; None if no visible entity has the name, as for functions of the language."""
        visible = self.visible(path)
        for symbol in occurrence.may_be:
            if symbol.namespace is Namespace.LOCAL:
                return Meaning(symbol, (self._binding(path, symbol),))
            if symbol.namespace is Namespace.MODULE:
                return self._module(symbol)
            if found := visible.find(symbol):
                return found
            if symbol.namespace is Namespace.VALUE and symbol.name.endswith(TURNED):
                space = visible.find(Symbol(Namespace.VALUE, symbol.name.removesuffix(TURNED)))
                if space is not None and space.kind is NameKind.SPACE:
                    return space
        return None

    def at(self, path: Path, line: int, column: int) -> tuple[Occurrence, Meaning] | None:
        """The name at a place with its meaning."""
        occurrence = self.names(path).at(line, column)
        meaning = self.meaning(path, occurrence) if occurrence is not None else None
        return (occurrence, meaning) if occurrence is not None and meaning is not None else None

    def uses(self, meaning: Meaning) -> tuple[Place, ...]:
        """Every place of an entity, including declarations, in all texts that can be linked with its declarations."""
        if meaning.symbol.namespace is Namespace.LOCAL:
            path = meaning.declarations[0].path
            return tuple(Place(path, one) for one in self.names(path).occurrences if meaning.symbol in one.may_be)
        candidates = {path: self._candidates(path, meaning.symbol) for path in self._files_with(meaning.symbol.name)}
        known = set(meaning.declarations)
        found: dict[Place, None] = {}
        grown = True
        while grown:
            grown = False
            for place, other in [pair for pairs in candidates.values() for pair in pairs]:
                if place in found or other.symbol != meaning.symbol:
                    continue
                declared = self._all_declarations(place.path, other)
                if not known.isdisjoint(declared):
                    found[place] = None
                    grown = True
                    known |= declared
        return tuple(sorted(found, key=_in_order))

    def uses_in(self, path: Path, meaning: Meaning) -> tuple[Place, ...]:
        """The places of an entity in one text."""
        if meaning.symbol.namespace is Namespace.LOCAL:
            return self.uses(meaning)
        return tuple(place for place, other in self._candidates(path, meaning.symbol) if other.symbol == meaning.symbol)

    def _all_declarations(self, path: Path, meaning: Meaning) -> set[Place]:
        """The declarations, and the `needs` for them."""
        if meaning.symbol.namespace is Namespace.MODULE:
            return set(meaning.declarations)
        return set(self.visible(path).declarations.get(meaning.symbol, ())) | set(meaning.declarations)

    def _candidates(self, path: Path, symbol: Symbol) -> list[tuple[Place, Meaning]]:
        named = [one for one in self.names(path).occurrences if one.name in (symbol.name, symbol.name + TURNED)]
        return [(Place(path, one), meaning) for one in named if (meaning := self.meaning(path, one)) is not None]

    def _files_with(self, name: str) -> Iterator[Path]:
        """The files that contain a name."""
        for path in self.workspace.files():
            with suppress(OSError, RulesError):
                if name in self.workspace.text(path):
                    self.names(path)
                    yield path

    def _module(self, symbol: Symbol) -> Meaning | None:
        places: list[Place] = []
        for path in self.workspace.found.get(symbol.name, ()):
            places += [Place(path, one) for one in self.names(path).occurrences if one.declares is NameKind.MODULE]
        return Meaning(symbol, tuple(places)) if places else None

    def _binding(self, path: Path, symbol: Symbol) -> Place:
        """The place that binds a local name: the first unambiguous one, else the first."""
        bound = [one for one in self.names(path).occurrences if symbol in one.may_be]
        return Place(path, next((one for one in bound if one.declares is NameKind.LOCAL), bound[0]))


def _in_order(place: Place) -> tuple[str, int, int]:
    span = place.occurrence.span
    return str(place.path), span.line, span.column
