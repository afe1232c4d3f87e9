"""What wrote a value: the changes of play, whose they are, and what they are in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, TypedDict

from rulewright.base.diagnostics import did_you_mean, usage_error
from rulewright.base.records import define, field, frozen
from rulewright.base.spans import Located
from rulewright.rules.core.interpreter import Locals
from rulewright.rules.core.player import CorePlayer, OnPlaces, places_of
from rulewright.rules.model import types
from rulewright.rules.model.game import Variable
from rulewright.rules.model.state import State, reseeded

from .engine import Engine, describe_cell, describe_value
from .move_notation import parse_move
from .visibility import Viewer

# What wrote a value ---------------------------------------------------------------------------------------------------
# Every change in play, with the action, the effect that made it, its clause and its place.
#
# An instrumented player of the core finds the changes: it compares what each single effect touches before and after it.


SET_UP = "set-up"
"""What stands for the action of the changes before the first one."""


def history(engine: Engine, state: State, actions: Sequence[str], seed: int | None = None) -> Iterator[Entry]:
    """Every change in the play of legal actions from a state on, in order; with a seed, first those of the set-up.

    Raises `RulesError` for an action that is not legal.
    """
    tracing = _TracingPlayer(engine.interpreted.lowering)
    if seed is not None:
        tracing.play_on(list(reseeded(engine.unset, seed)), 0)
        yield from tracing.entries(0, SET_UP, 0)
    for number, text in enumerate(actions, 1):
        player, move = engine.player(state), parse_move(engine, state, text)
        before, state = state, engine.apply(state, move)
        tracing.apply(before, move)
        yield from tracing.entries(number, text, player)


@define(eq=False)
class _TracingPlayer(CorePlayer):
    """A player of the core that keeps what each effect changes."""

    writes: list[Write] = field(factory=list, init=False)

    def entries(self, ply: int, action: str, player: int) -> list[Entry]:
        """The changes since this was last called."""
        found = [Entry(ply, action, player, write, change) for write in self.writes for change in write.changes]
        self.writes.clear()
        return found

    def change(self, effect: OnPlaces, columns: list[Any], env: Locals) -> None:
        named = {place.variable for place in places_of(effect)}
        touched = [stored for name, stored in self.interpreter.variables.items() if name in named]
        before = [stored.values(columns) for stored in touched]
        super().change(effect, columns, env)
        changes = tuple(
            Change(variable.name, None if variable.index is None else variable.index[place], was, now)
            for stored, old in zip(touched, before, strict=True)
            for variable in (stored.variable,)
            for place, (was, now) in enumerate(zip(old, stored.values(columns), strict=True))
            if was != now
        )
        if changes and effect.origin is not None:
            origin = effect.origin
            self.writes.append(Write(origin.name, origin.module, origin.cite, changes, span=origin.span))


# What wrote a value ---------------------------------------------------------------------------------------------------


Value = int | tuple[int, ...]
"""A value as stored in a state, or the tiles of a zone."""


@frozen
class Change:
    """A value before and after. `index` is that of the variable, the cell of a variable over cells, or None."""

    variable: str
    index: int | None
    before: Value
    after: Value


@frozen
class Write(Located):
    """An effect that changed something: its clause, by name, and the changes. The step of a loop of the flow is one, too."""

    clause: str
    module: str
    cite: str
    changes: tuple[Change, ...]


@frozen
class Entry:
    """A change in the course of play: the number of the action from 1, or 0 in the set-up, and who took it, or 0."""

    ply: int
    action: str
    player: int
    write: Write
    change: Change


# The subject of a history ---------------------------------------------------------------------------------------------


@frozen
class Subject:
    """What a history is of: a variable or zone, at one index if `index` is not None; or without one, a cell of a space."""

    variable: str = ""
    index: int | None = None
    space: str = ""
    cell: int = -1

    def is_in(self, engine: Engine, state: State, viewer: Viewer, change: Change) -> bool:
        """Whether a change is one of the subject: for a cell, of what lies there, or is seen to stand there."""
        if self.variable:
            return change.variable == self.variable and self.index in (None, change.index)
        variable = engine.game.variables[change.variable]
        if variable.index == types.Cell(self.space):
            return change.index == self.cell
        is_there = variable.type == types.Cell(self.space) and self.cell in (change.before, change.after)
        return is_there and viewer.sees(engine, state, variable, change.index)


def subject_named(engine: Engine, text: str) -> Subject:
    """The subject that a text names: `shield`, `hand of 1`, `lit of (2,0)`, `(2,0)`, `shore (2,0)`.

    Raises `RulesError` if there is none.
    """
    found = _subject(engine, text)
    if found is None:
        near = did_you_mean(text.strip().partition(" ")[0], subjects(engine))
        help = near or "write it as in `tokens`, `hand of 1` or `(2,0)`"
        raise usage_error(f"there is no variable, zone or cell `{text}`", help)
    return found


def _subject(engine: Engine, text: str) -> Subject | None:
    first, _, rest = text.strip().partition(" ")
    rest = _bare(rest.strip().removeprefix("of "))
    if first in engine.layout.columns:
        if not rest:
            return Subject(first)
        variable = engine.game.variables[first]
        indices = range(0) if variable.index is None else engine.instance.domain(variable.index)
        found = (index for index in indices if _bare(_index_text(engine, variable, index)) == rest)
        return next((Subject(first, index) for index in found), None)
    spaces = [first] if first in engine.instance.windows else list(engine.instance.windows)
    wanted = rest if first in engine.instance.windows else _bare(text)
    for space in spaces:
        window = engine.instance.windows[space]
        for cell in range(window.size):
            if _bare(describe_cell(window, cell)) == wanted:
                return Subject(space=space, cell=cell)
    return None


def subjects(engine: Engine) -> list[str]:
    """The names of the variables and zones that a history can be of."""
    return list(engine.layout.columns)


def _index_text(engine: Engine, variable: Variable, index: int) -> str:
    assert variable.index is not None
    return describe_value(engine, variable.index, index)


def _bare(text: str) -> str:
    return text.replace(" ", "")


# In words -------------------------------------------------------------------------------------------------------------


class EntryInWords(TypedDict):
    """A change of a value in words, with the clause that wrote it."""

    ply: int
    player: int
    action: str
    value: str
    change: str
    clause: str
    cite: str | None


def entry_in_words(engine: Engine, state: State, viewer: Viewer, entry: Entry) -> EntryInWords:
    """An entry for other programs, without the place of its clause; `state` is the last one."""
    return {
        "ply": entry.ply,
        "player": entry.player,
        "action": entry.action,
        "value": describe_place(engine, entry.change),
        "change": describe_change(engine, state, viewer, entry.change),
        "clause": entry.write.clause,
        "cite": entry.write.cite or None,
    }


def describe_place(engine: Engine, change: Change) -> str:
    """The value that changed: `shield`, `hand of 1`, `board of (2,0)`."""
    if change.index is None:
        return change.variable
    return f"{change.variable} of {_index_text(engine, engine.game.variables[change.variable], change.index)}"


def describe_change(engine: Engine, state: State, viewer: Viewer, change: Change) -> str:
    """How it changed, as far as a viewer may see it in a state: `no → yes`, `gains red x2, loses blue (3 tiles)`."""
    variable = engine.game.variables[change.variable]
    sees = viewer.sees(engine, state, variable, change.index)
    match change.before, change.after:
        case tuple(before), tuple(after):
            return f"{_exchanged(engine, before, after, sees)} ({len(after)} {'tile' if len(after) == 1 else 'tiles'})"
        case int(before), int(after) if sees and not variable.is_zone:
            return f"{describe_value(engine, variable.type, before)} → {describe_value(engine, variable.type, after)}"
        case _:
            return f"changes, {variable.visibility.value}"


def _exchanged(engine: Engine, before: tuple[int, ...], after: tuple[int, ...], sees: bool) -> str:
    gained, lost = Counter(after) - Counter(before), Counter(before) - Counter(after)
    said = [f"{word} {_tiles(engine, tiles, sees)}" for word, tiles in (("gains", gained), ("loses", lost)) if tiles]
    return ", ".join(said) or "another order"


def _tiles(engine: Engine, tiles: Counter[int], sees: bool) -> str:
    if not sees:
        return str(tiles.total())
    names = ((engine.game.tiles[tile - 1].name, count) for tile, count in tiles.items())
    return ", ".join(f"{name} x{count}" if count > 1 else name for name, count in names)
