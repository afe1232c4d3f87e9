"""A position: a validated state of a game from which play continues, and the question asked about it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property, lru_cache

from rulewright.base.records import field, frozen
from rulewright.grammar.tree.expressions import Name
from rulewright.grammar.tree.puzzles import Ask, Goal, Puzzle
from rulewright.grammar.tree.traversal import nodes_in
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.game import Game
from rulewright.rules.model.state import OVER, Move, State
from rulewright.rules.play.coordinates import Coordinate, CoordinateState, cells_in_use, to_coordinates
from rulewright.rules.play.engine import IDLE_RADIUS, Engine
from rulewright.rules.play.given_plans import ReducedGame
from rulewright.rules.play.move_notation import format_move
from rulewright.rules.play.reference_engine import ReferenceEngine
from rulewright.rules.play.scores import describe_item, score_items
from rulewright.rules.spaces.window import Extent
from rulewright.rules.static.dataflow import feeding_zones

# The extents of the windows of a position's unbounded spaces ----------------------------------------------------------


BORDER = 2
"""Drawn around the reach of the tiles still to be placed, in cells."""

FARTHEST_COORDINATE = 400
"""The greatest coordinate allowed in an unbounded space: one window must hold them all."""


def needed_extents(game: Game, coordinates: CoordinateState, drawn: Iterable[tuple[str, Coordinate]]) -> dict[str, Extent]:
    """The window that each unbounded space needs: around all cells in use or drawn, with room for the tiles still to come."""
    cells: dict[str, list[Coordinate]] = {}
    for name, coordinate in (*drawn, *cells_in_use(game, coordinates)):
        cells.setdefault(name, []).append(coordinate)
    feeding = feeding_zones(game)
    coming = sum(len(tiles) for (name, _), tiles in coordinates.zones.items() if name in feeding) + BORDER
    found = {}
    for space in game.spaces.values():
        if space.size or space.edges or space.name not in cells:
            continue
        margin = coming if space.of_tiles else IDLE_RADIUS
        axes = list(zip(*cells[space.name], strict=True))
        low, high = [min(axis) for axis in axes], [max(axis) for axis in axes]
        flat = [low[n] - margin for n in range(2)]
        found[space.name] = Extent((*flat, *(min(0, level) for level in low[2:])), tuple(n + margin for n in high))
    return found


# A cache of engines and of games after set-up -------------------------------------------------------------------------
# Many positions and saved games of one game compile it once.


MOST_GAMES = 8
"""The size of each cache, in games."""


@frozen
class _GameKey:
    """A game, compared by identity, and its number of players."""

    game: Game = field(eq=id)
    players: int


def cached_engine(game: Game, players: int) -> Engine:
    """The engine of a game in its widest windows."""
    return _engine(_GameKey(game, players))


def cached_setup(game: Game, players: int) -> CoordinateState:
    """A modifiable copy of the game's state after set-up with seed 0, at no choice."""
    return _unseeded(game, players, _set_up(_GameKey(game, players)))


def cached_beginning(game: Game, players: int) -> CoordinateState:
    """A modifiable copy of the game's state at the choice to which it comes first after set-up with seed 0.

    If it comes to none, the state after set-up at the first choice of the flow, where it has any.
    """
    engine, after = cached_engine(game, players), _set_up(_GameKey(game, players))
    begun = ReferenceEngine(engine).begun(after)
    if not engine.over(begun):
        return _unseeded(game, players, begun)
    coordinates = _unseeded(game, players, after)
    coordinates.point = 0 if engine.choices else OVER
    return coordinates


def _unseeded(game: Game, players: int, state: State) -> CoordinateState:
    coordinates = to_coordinates(cached_engine(game, players), state)
    coordinates.seed = 0
    return coordinates


@lru_cache(maxsize=MOST_GAMES)
def _engine(key: _GameKey) -> Engine:
    return Engine.of(key.game, key.players)


@lru_cache(maxsize=MOST_GAMES)
def _set_up(key: _GameKey) -> State:
    return ReferenceEngine(_engine(key)).set_up(0)


# A position -----------------------------------------------------------------------------------------------------------


@frozen
class Position:
    """The meaning of a puzzle. `question` is None if it asks nothing; it is about `reduced`, if set, a reduction to another
    game."""

    puzzle: Puzzle
    engine: Engine
    state: State
    question: Question | None = None
    reduced: ReducedGame | None = None

    @property
    def has_score(self) -> bool:
        """Whether the score counts, if there is one: not in a puzzle that asks for something else."""
        ask = self.puzzle.ask
        named = {"score", *(score.name for score in self.engine.game.scores)}
        is_plain = ask is None or (ask.value is None and ask.goal is not Goal.LEAST)
        return is_plain or any(isinstance(node, Name) and node.text in named for node in nodes_in(ask))

    @property
    def asked(self) -> Engine:
        """The engine of the question: play ends at its horizon, and given plans are followed."""
        return self._at_horizon(self.engine if self.reduced is None else self.reduced.engine)

    @cached_property
    def root(self) -> State:
        """The root of the question: the state after passing over a choice without a legal action."""
        return _passed_on(self.asked, self.state if self.reduced is None else self.reduced.state(self.state))

    @property
    def played(self) -> Engine:
        """The engine for free play, up to the horizon of the question."""
        return self._at_horizon(self.engine)

    @property
    def begun(self) -> State:
        """The state in which free play begins."""
        return _passed_on(self.played, self.state)

    def played_move(self, move: Move) -> Move:
        """The free-play equivalent of a move of the question's engine."""
        return move if self.reduced is None else self.reduced.original_move(move)

    def _at_horizon(self, engine: Engine) -> Engine:
        if self.question is None or self.question.horizon is None:
            return engine
        return engine.with_horizon(self.question.horizon)

    @property
    def legal_actions(self) -> tuple[str, ...]:
        """The legal actions as players write them."""
        return tuple(format_move(self.engine, self.state, move) for move in self.engine.legal(self.state))

    @property
    def score(self) -> int:
        """The score of the position as it stands."""
        return self.engine.score(self.state)

    @property
    def score_items(self) -> tuple[str, ...]:
        """The items of the score in words, each with its cell, tile and rule."""
        return tuple(describe_item(self.engine, item) for item in score_items(self.engine, self.state))

    @property
    def objective(self) -> str:
        """The value asked for, as written: `score`, or an expression."""
        return objective_text(self.puzzle.ask)


def _passed_on(engine: Engine, state: State) -> State:
    if engine.over(state) or engine.legal(state):
        return state
    from rulewright.rules.play.reference_engine import ReferenceEngine

    return ReferenceEngine(engine).passed_on(state)


def objective_text(ask: Ask | None) -> str:
    """The objective of an `ask:` as written; `score` if it names none."""
    from rulewright.grammar.printing.print_expressions import print_expression
    from rulewright.grammar.printing.print_puzzles import question_text

    if ask is not None and ask.goal is Goal.WIN:
        return question_text(ask)
    if ask is None or ask.value is None:
        return "score" if ask is None or ask.until is None else f"{ask.point}s"
    return print_expression(ask.value)
