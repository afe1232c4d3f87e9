"""The engine: a linked game, grounded for a number of players and windows of its spaces, and compiled on first use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rulewright.base.diagnostics import Diagnostic, Label, RulesError
from rulewright.base.records import define, field
from rulewright.base.styled_text import counted, spaced
from rulewright.grammar.tree.modules import Shape
from rulewright.rules.core.interpreter import Reading, StateReading
from rulewright.rules.model import types
from rulewright.rules.model.game import SCORE, Action, Game, Pattern
from rulewright.rules.model.instance import Instance
from rulewright.rules.model.state import (
    COUNTED,
    FOREVER,
    OVER,
    POINT,
    STOP,
    Horizon,
    Move,
    State,
    StateLayout,
    empty_state,
    layout_of,
    reseeded,
    value_range,
)
from rulewright.rules.model.terms import Term
from rulewright.rules.pycode.compiled_game import CompiledGame
from rulewright.rules.semantics.flow_graph import ChoicePoint, Instruction, compile_flow
from rulewright.rules.semantics.play_errors import PlayError, begins_outside
from rulewright.rules.semantics.rng import Seed
from rulewright.rules.spaces.from_tree import Extent, open_window
from rulewright.rules.spaces.pattern import Place
from rulewright.rules.spaces.window import Window

if TYPE_CHECKING:
    from rulewright.rules.core.player import CorePlayer

__all__ = ["STOP", "Engine", "Horizon", "Move", "State"]

OVER_WORD = "over"
ANYWHERE = "choice"
"""The name of choices outside any point."""

IDLE_RADIUS = 16
"""By convention: the radius of the window of an unbounded space without tiles."""

WIDEST_RADIUS = 160
"""The largest radius of a window, regardless of the number of tiles; a tile put outside it is an error (RW362)."""

WIDEST_CUBE = 24
"""The largest radius in a space with levels."""


@define
class Engine:
    """Legal moves, successors and scores of immutable states. All calls are functions of their arguments."""

    game: Game
    instance: Instance
    layout: StateLayout
    flow: tuple[Instruction, ...]
    horizon: Horizon | None = None
    _compiled: CompiledGame = field(repr=False, eq=False)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle without compiled code."""
        return Engine, (self.game, self.instance, self.layout, self.flow, self.horizon)

    @_compiled.default
    def _own_code(self) -> CompiledGame:
        return CompiledGame(self.instance, self.layout, self.flow)

    @cached_property
    def legal(self) -> Callable[[State], list[Move]]:
        """The legal moves in order: actions as the choice lists them, parameters in the order of their domains."""
        return self._compiled.legal

    @cached_property
    def apply(self) -> Callable[[State, Move], State]:
        """The state at the next choice, after a legal move and all that follows it. Raises `PlayError`."""
        return self._compiled.apply(self.horizon)

    @cached_property
    def scores(self) -> tuple[Callable[[State], int], ...]:
        """The value of each score of the game in a state."""
        return self._compiled.scores

    @cached_property
    def _begin(self) -> Callable[[list[Any]], State]:
        return self._compiled.begin(self.horizon)

    @classmethod
    def of(
        cls,
        game: Game,
        players: int,
        extents: Mapping[str, Extent] | None = None,
        horizon: Horizon | None = None,
    ) -> Engine:
        """Ground a game. `extents` are for unbounded spaces; by default every tile could lie in one line.

        Raises `RulesError`: RW250 (number of players), RW251 (an impossible space), RW059 and RW252 (rules too large).
        Compilation on first use may also raise RW252, if the cost analysis did not predict it.
        """
        low, high = game.players.low, game.players.high
        if not low <= players <= high:
            message = f"this game is for {game.players}, not {players}"
            raise RulesError((Diagnostic("RW250", message, (Label(game.players.span),)),))
        windows: dict[str, Window] = {}
        for space in game.spaces.values():
            try:
                windows[space.name] = open_window(space, (extents or {}).get(space.name) or default_extent(game, space.name))
            except ValueError as error:
                raise RulesError((Diagnostic("RW251", str(error), (Label(space.span),)),)) from error
        return cls.grounded(Instance(game, players, windows, Reading), horizon)

    @classmethod
    def grounded(cls, instance: Instance, horizon: Horizon | None = None) -> Engine:
        """The engine of a grounded game. Raises `RulesError`: RW059 and RW252 (rules too large)."""
        from rulewright.rules.semantics.cost_bounds import check_cost  # a kept position needs none

        check_cost(instance)
        layout = layout_of(instance)
        return cls(instance.game, instance, layout, compile_flow(instance, layout), horizon)

    def with_horizon(self, horizon: Horizon | None) -> Engine:
        """The same game with another horizon; None for no horizon."""
        return Engine(self.game, self.instance, self.layout, self.flow, horizon, self._compiled)

    def counting_turns(self, state: State) -> Engine:
        """The same game with a turn counter in its states: for the horizon's point, else the innermost point of a state."""
        choice = self.choice(state)
        if self.horizon is not None or choice is None or not choice.points:
            return self
        return self.with_horizon(Horizon(choice.points[-1], FOREVER))

    def compile(self) -> None:
        """Compile now what is otherwise compiled on first use."""
        _ = self.legal, self.apply

    def compile_value(self, term: Term) -> Callable[[State], int]:
        """A term without free names as a compiled function of the state. Raises `RulesError` RW252."""
        return self._compiled.value(term)

    @cached_property
    def choices(self) -> tuple[ChoicePoint, ...]:
        """The choices of the flow, by number."""
        return tuple(i for i in self.flow if isinstance(i, ChoicePoint))

    @cached_property
    def chooser(self) -> Callable[[State], int]:
        """Like `player`, compiled, for states at a choice."""
        by = [None if choice.by is None else self.compile_value(choice.by) for choice in self.choices]

        def found(state: State) -> int:
            chosen = by[state[POINT]]
            return 1 if chosen is None else chosen(state)

        return found

    @cached_property
    def choice_numbers(self) -> Mapping[str, int]:
        """The choice that each name denotes in a puzzle's `start:` (`OVER`: the game is over).

        A choice is named by the innermost point around it: `turn` is the first choice in that point, `turn_2` the second. A
        choice in no point is `choice_1`, `choice_2`, … in the order of the flow. A point of the game with such a name takes
        precedence.
        """
        numbered: dict[str, int] = {OVER_WORD: OVER}
        counts: Counter[str] = Counter()
        firsts: dict[str, int] = {}
        for choice in self.choices:
            for point in (ANYWHERE, *choice.points):
                counts[point] += 1
                numbered[f"{point}_{counts[point]}"] = choice.number
            for point in choice.points:
                firsts.setdefault(point, choice.number)
        return numbered | firsts

    def choice_name(self, number: int) -> str:
        """The name of a choice in a puzzle's `start:`: of the innermost point, numbered if need be, else any other."""
        inner = () if number == OVER else self.choices[number].points[-1:]
        names = [name for name in (*inner, *self.choice_numbers) if self.choice_numbers[name] == number]
        return min(names, key=lambda name: (name not in inner, not any(name.startswith(f"{point}_") for point in inner)))

    @cached_property
    def action_numbers(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.game.actions)}

    @cached_property
    def unset(self) -> State:
        """The state before set-up: the box full, every variable at its initial value.

        Raises `RulesError` RW163 for every variable with an initial value out of range.
        """
        state = list(empty_state(self.instance, self.layout))
        outside: list[Diagnostic] = []
        for column in self.layout.columns.values():
            if column.variable.initial is None:
                continue
            value, allowed = self.value(column.variable.initial, tuple(state)), value_range(self.instance, column.variable)
            if value not in allowed:
                outside.append(begins_outside(column.variable, value, allowed.start, allowed.stop - 1))
                value = allowed.start  # so that values that depend on it are not reported too
            if column.over_cells:
                cells = [value] * (len(state[column.start]) - 1) + [state[column.start][-1]]
                state[column.start] = bytes(cells) if column.as_bytes else tuple(cells)
            else:
                for at in range(column.start, column.start + column.count):
                    state[at] = value
        if outside:
            raise PlayError(tuple(outside))
        return tuple(state)

    def start(self, seed: Seed = 0) -> State:
        """Set the game up with the random seed `seed` and go to the first choice."""
        return self._begin(list(reseeded(self.unset, seed)))

    def is_at_horizon(self, state: State) -> bool:
        """Whether play has ended at the horizon, before the game has."""
        return self.horizon is not None and self.over(state) and bool(state[COUNTED] >= self.horizon.times)

    def over(self, state: State) -> bool:
        return bool(state[POINT] == OVER)

    def score(self, state: State) -> int:
        return sum(score(state) for score in self.scores)

    def rank(self, score: int) -> str:
        """The rank of a score; empty if there is none, or if each player has one."""
        ranking = self.game.ranking
        return (
            "" if ranking is None or ranking.of_players else ranking.name(self.value(ranking.value, self.unset, {SCORE: score}))
        )

    def choice(self, state: State) -> ChoicePoint | None:
        """The choice at which a state stands; None if the game is over."""
        return None if self.over(state) else self.choices[state[POINT]]

    def player(self, state: State) -> int:
        """The player to choose, counted from 1; 1 if the game does not say, 0 if it is over."""
        choice = self.choice(state)
        if choice is None:
            return 0
        return 1 if choice.by is None else self.value(choice.by, state)

    @cached_property
    def interpreted(self) -> CorePlayer:
        """The core of the game, to be played without compiled code."""
        from rulewright.rules.core.lower import Lowering
        from rulewright.rules.core.player import CorePlayer

        return CorePlayer(Lowering(self.instance, self.flow, self.horizon))

    def evaluator(self, state: State) -> StateReading:
        """The values of terms in a state."""
        return StateReading(self.instance, state)

    def after(self, state: State, action: Action, env: Mapping[str, int]) -> State | None:
        """The state that an action's effects leave, interpreted, before the flow goes on; None if they stop the game with an
        error."""
        arguments = tuple(env[parameter.name] for parameter in action.parameters)
        try:
            return tuple(self.interpreted.after(state, self.action_numbers[action.name], arguments).columns)
        except PlayError:
            return None

    def value(self, term: Term, state: State, env: Mapping[str, int] | None = None) -> int:
        """The value of a term in a state, interpreted."""
        return self.evaluator(state).value(term, env or {})  # type: ignore[no-any-return]


def default_extent(game: Game, space: str) -> Extent | None:
    """A window in which every tile could lie in one line from the origin; None for a bounded space."""
    node = game.spaces[space]
    if node.size or node.edges:
        return None
    radius = min(sum(kind.count for kind in game.tiles) + 1, WIDEST_RADIUS) if node.of_tiles else IDLE_RADIUS
    if node.shape is Shape.CUBE:
        radius = min(radius, WIDEST_CUBE)
        return Extent((-radius, -radius, 0), (radius, radius, radius))
    return Extent((-radius, -radius), (radius, radius))


def describe_turn(engine: Engine, state: State) -> str:
    """The point of play, as words, and the player to move: `turn of player 2`; or what is over. A choice outside any point has
    no name that a player knows."""
    choice, horizon = engine.choice(state), engine.horizon
    if choice is None and horizon is not None and engine.is_at_horizon(state):
        return f"the question is over, after {counted(horizon.times, spaced(horizon.point))}"
    if choice is None:
        return "the game is over"
    by = f"player {engine.player(state)}" if choice.by is not None else ""
    if not choice.points:
        return f"{by} to move".lstrip()
    point = spaced(engine.choice_name(choice.number))
    return f"{point} of {by}" if by else point


def plays_alone(engine: Engine) -> bool:
    """Whether one player always chooses at the same point of play: then nothing need be told but that it is over."""
    return engine.instance.players == 1 and len(engine.choices) == 1


def describe_value(engine: Engine, type: types.Type, value: int) -> str:
    """A value in the players' notation."""
    match type:
        case types.Truth():
            return "yes" if value else "no"
        case types.Enumeration():
            return engine.game.members(type)[value]
        case types.Tile():
            return engine.game.tiles[value - 1].name if value else "nothing"
        case types.Cell(space):
            return describe_cell(engine.instance.windows[space], value)
        case types.Direction(space):
            return engine.instance.windows[space].words[value] if value >= 0 else "none"
        case types.Region(space):
            cell, number = divmod(value, engine.instance.most_regions)
            return f"region {number} of {describe_cell(engine.instance.windows[space], cell)}"
        case types.Place(pattern):
            return _describe_place(engine, engine.game.patterns[pattern], value)
        case types.Pair(first, second):
            one, other = engine.instance.parts(type, value)
            return f"{describe_value(engine, first, one)} {describe_value(engine, second, other)}"
        case types.Number() | types.Player() | types.SetOf():
            return str(value)


def _describe_place(engine: Engine, pattern: Pattern, value: int) -> str:
    """The kind of a piece, the cell under the first drawn cell and, if there are several, its orientation."""
    if value == len(pattern.places):
        return "none" if pattern.kinds else "nowhere"
    place = pattern.places[value]
    kind = pattern.kinds[value] if pattern.kinds else 0
    name = engine.game.tiles[kind - 1].name if kind else ""
    cell = describe_cell(engine.instance.windows[pattern.space], place.cell)
    return " ".join(filter(None, (name, cell, describe_way(engine, pattern, place) if pattern.differs(kind) else "")))


def describe_way(engine: Engine, pattern: Pattern, place: Place) -> str:
    """The orientation of a drawing at a place: `east`, `mirrored_north`."""
    return f"{'mirrored_' * place.mirrored}{engine.instance.windows[pattern.space].words[place.turn]}"


def describe_cell(window: Window, cell: int) -> str:
    """`(column,row)`, the name of a graph's node, or `nowhere`."""
    if cell == window.nowhere:
        return "nowhere"
    return window.names[cell] if window.names else "(" + ",".join(map(str, window.coordinates[cell])) + ")"
