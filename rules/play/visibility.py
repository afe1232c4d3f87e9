"""Visible information: the values that a player may see, and those worth showing.

A hidden value shows its existence, a hidden zone its size.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rulewright.base.records import frozen
from rulewright.grammar.tree.looks import Showing
from rulewright.grammar.tree.modules import Visibility
from rulewright.rules.model import types
from rulewright.rules.model.game import BOX, Game, Variable
from rulewright.rules.model.instance import Instance
from rulewright.rules.model.state import COUNTED, POINT, Column

from .engine import Engine, State, describe_cell, describe_value

EVERYONE = 0
"""In place of the player who sees a value."""

FEW = 24
"""Drawn in full: states with at most so many values beside the boards. Larger ones may omit uninformative values."""


@frozen
class VisibleValue:
    """A value as one player sees it: `value` is None if hidden. `size` is that of a zone, else 1.

    The tiles of a zone are in order, top first; the values of a variable over cells are those of all cells.
    """

    variable: str
    index: int | None
    size: int
    value: int | bytes | tuple[int, ...] | None


def owner_of(instance: Instance, variable: Variable, index: int | None) -> int | None:
    """The player who owns a value, the first of two; None if it has no owner."""
    match variable.index:
        case types.Player():
            return index
        case types.Pair(first, second) as pair if index is not None:
            one, other = instance.parts(pair, index)
            return one if isinstance(first, types.Player) else other if isinstance(second, types.Player) else None
        case _:
            return None


def visible_values(engine: Engine, state: State, viewer: int | None) -> tuple[VisibleValue, ...]:
    """All values of a state as a player sees them, in the order of the text."""
    found: list[VisibleValue] = []
    for column in engine.layout.columns.values():
        variable = column.variable
        for at in range(column.count):
            index = None if variable.index is None or column.over_cells else column.offset + at
            value = state[column.start + at]
            size = len(value) if variable.is_zone else 1
            is_shown = Viewer(player=viewer).audience(engine.instance, variable, index) == EVERYONE
            found.append(VisibleValue(variable.name, index, size, value if is_shown else None))
    return tuple(found)


@frozen
class Viewer:
    """What may be shown: `open_zones` whatever the rules say; with `everything`, all; with `whole`, what is in sight but says
    little or is hidden by its look; the score, unless a puzzle asks for something else (`has_score`).

    The viewer is `player` or, if None, the player to move; at the end of the game, all players.
    """

    open_zones: frozenset[str] = frozenset()
    everything: bool = False
    player: int | None = None
    whole: bool = False
    has_score: bool = True

    def sees(self, engine: Engine, state: State, variable: Variable, index: int | None) -> bool:
        """Whether a value, or a zone's tiles, are shown."""
        who = self.audience(engine.instance, variable, index)
        return who == EVERYONE or (who is not None and (engine.over(state) or engine.player(state) == who))

    def leaves_out(self, game: Game, variable: Variable) -> bool:
        """Whether the look of a variable hides it, as bookkeeping that no player counts."""
        look = game.looks.get(variable.name)
        return look is not None and look.appearance.showing is Showing.HIDDEN and not (self.everything or self.whole)

    def audience(self, instance: Instance, variable: Variable, index: int | None) -> int | None:
        """When a value is shown: always (`EVERYONE`), while a player moves and at the end of the game, or never (None)."""
        if self.everything or variable.name in self.open_zones or variable.visibility is Visibility.OPEN:
            return EVERYONE
        owner = owner_of(instance, variable, index)
        if owner is None or variable.visibility is Visibility.HIDDEN:
            return None
        if self.player is None:
            return owner
        return EVERYONE if owner == self.player else None


def beside_boards(engine: Engine, viewer: Viewer) -> list[Column]:
    """The columns whose values are shown beside the boards: not by cell, no loop's progress, and none that its look hides."""
    columns = (column for column in engine.layout.columns.values() if not column.over_cells and not column.variable.is_loop)
    return [column for column in columns if not viewer.leaves_out(engine.game, column.variable)]


def has_few_values(engine: Engine, viewer: Viewer) -> bool:
    """Whether the values beside the boards are so few that each is worth showing."""
    return sum(column.count for column in beside_boards(engine, viewer)) <= FEW


def is_unset_of_cell(engine: Engine, state: State, column: Column, number: int) -> bool:
    """Whether a value has a cell as one of two indices, and is what it was before the set-up."""
    index, at = column.variable.index, column.start + number
    of_cell = isinstance(index, types.Pair) and any(isinstance(part, types.Cell) for part in (index.first, index.second))
    return of_cell and state[at] == engine.unset[at]


def is_informative(engine: Engine, state: State, column: Column, number: int, viewer: Viewer) -> bool:
    """Whether a value is visible and not a place shown on a board; for a zone, whether tiles of it are visible.

    Unchanged since before the set-up, many values of one variable are uninformative, and truths and members without an
    initial value.
    """
    variable, value = column.variable, state[column.start + number]
    arbitrary = variable.initial is None and isinstance(variable.type, types.Truth | types.Enumeration)
    if (arbitrary or variable.index not in (None, types.Player())) and value == engine.unset[column.start + number]:
        return False
    if variable.name == BOX or not viewer.sees(engine, state, variable, column.offset + number):
        return False
    return bool(value) if variable.is_zone else not isinstance(variable.type, types.Cell)


# Knowledge ------------------------------------------------------------------------------------------------------------
# What a player knows of a state, and in words what tells states apart that they know.


def sight(engine: Engine, player: int) -> Callable[[State], tuple[Any, ...]]:
    """What a player sees of a state: the point of play, values and zones; of a hidden zone its size."""
    shown, counted = [POINT, COUNTED], []
    for column, number in _columns(engine):
        at = column.start + number
        if _sees(engine, player, column, number):
            shown.append(at)
        elif column.variable.is_zone:
            counted.append(at)

    def seen(state: State) -> tuple[Any, ...]:
        return (*(state[at] for at in shown), *(len(state[at]) for at in counted))

    return seen


def told_apart(engine: Engine, player: int, states: Sequence[State]) -> list[list[str]]:
    """For each state, in words, the values that a player sees and that are not the same in all of them: `hand: jack`.

    A value that is what it was before the set-up is left out.
    """
    found: list[list[str]] = [[] for _ in states]
    for column, number in _columns(engine):
        values = [state[column.start + number] for state in states]
        if len(set(values)) == 1 or column.variable.is_loop or not _sees(engine, player, column, number):
            continue
        for said, value in zip(found, values, strict=True):
            if value != engine.unset[column.start + number]:
                said.append(f"{_label(engine, player, column, number)}: {_in_words(engine, column, value, values)}")
    return found


def _columns(engine: Engine) -> Iterator[tuple[Column, int]]:
    return ((column, number) for column in engine.layout.columns.values() for number in range(column.count))


def _sees(engine: Engine, player: int, column: Column, number: int) -> bool:
    """Whether a player sees a value or the tiles of a zone; nobody looks into the box."""
    if column.variable.name == BOX:
        return False
    index = None if column.variable.index is None or column.over_cells else column.offset + number
    return Viewer(player=player).audience(engine.instance, column.variable, index) == EVERYONE


def _label(engine: Engine, player: int, column: Column, number: int) -> str:
    """`deck`, `hand` for what is the player's own, `bet of 2`."""
    variable, index = column.variable, column.offset + number
    name = engine.game.called(variable.name)
    if variable.index is None or column.over_cells or (variable.index == types.Player() and index == player):
        return name
    return f"{name} of {describe_value(engine, variable.index, index)}"


def _in_words(engine: Engine, column: Column, value: Any, values: Sequence[Any]) -> str:
    variable = column.variable
    if column.over_cells:
        window = engine.instance.windows[variable.space]
        differ = [cell for cell in range(window.size) if len({each[cell] for each in values}) > 1]
        return ", ".join(
            f"{describe_cell(window, cell)} {describe_value(engine, variable.type, value[cell])}" for cell in differ
        )
    if not variable.is_zone:
        return describe_value(engine, variable.type, value)
    names = Counter(engine.game.tiles[tile - 1].name for tile in value)
    return ", ".join(f"{name} x{count}" if count > 1 else name for name, count in names.items()) or "none"
