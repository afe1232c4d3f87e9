"""A state of play."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rulewright.base.diagnostics import Diagnostic, RulesError
from rulewright.base.records import evolve, field, frozen
from rulewright.puzzles.to_text import write_position
from rulewright.rules.model.state import Move, reseeded
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.engine import State as Values
from rulewright.rules.play.move_notation import move_of, parse_attempt
from rulewright.rules.play.scores import describe_item, score_items
from rulewright.rules.play.why_illegal import why_not

from .action import Action
from .refusal import Refusal
from .start import Start
from .state_data import state_as_json

if TYPE_CHECKING:
    from .batch import Batch
    from .puzzle import Puzzle


@frozen
class State:
    """An immutable state of a game, from `Game.start`, `Puzzle.start` or `State.play`.

    States are hashable. Two are equal if play from them is the same, chance included: the state of the random generator is part
    of them. Hidden things are in `values` and in pictures only as far as the player to move may see them; `legal`, `play` and
    equality know everything.
    """

    _start: Start = field(eq=lambda start: id(start.engine.game), repr=False)
    _values: Values

    def __repr__(self) -> str:
        return f"<State of {self._start.title}: {'over' if self.is_over else f'player {self.player} to move'}>"

    def __str__(self) -> str:
        """The position as the text of a puzzle."""
        start = self._start
        return write_position(start.engine, self._values, "position", start.engine.game.roots)

    def __deepcopy__(self, _: object) -> State:
        """The state itself, which nothing changes."""
        return self

    @property
    def engine(self) -> Engine:
        """What plays it, below the library: it may change."""
        return self._start.engine

    @property
    def columns(self) -> Values:
        """What the engine knows of it, below the library: it may change."""
        return self._values

    @property
    def is_over(self) -> bool:
        """Whether play has ended: the game is over, or the question of the puzzle is."""
        return self._start.engine.over(self._values)

    @property
    def player(self) -> int:
        """The player to move, counted from 1; 0 if play has ended."""
        return self._start.engine.player(self._values)

    @property
    def players(self) -> int:
        """The number of players."""
        return self._start.engine.instance.players

    @cached_property
    def legal(self) -> tuple[Action, ...]:
        """The legal actions in the order of the rules; empty if play has ended. Raises `RulesError` where the rules fail."""
        engine, values = self._start.engine, self._values
        return () if engine.over(values) else tuple(Action(engine, values, move) for move in engine.legal(values))

    def play(self, action: Action | str) -> State:
        """The state after a legal action, given as such or as players write it, and after all that follows it by itself.

        Raises `RulesError` with the reasons if it is not legal here, and where the rules fail.
        """
        return State(self._start, self._start.engine.apply(self._values, self.move_of(action)))

    def move_of(self, action: Action | str) -> Move:
        """The numbers of a legal action: see `Action.move`. Raises `RulesError` as `play` does."""
        engine, values = self._start.engine, self._values
        if isinstance(action, Action) and action.is_of(engine, values):
            return action.move
        attempt = parse_attempt(engine, values, str(action))
        if refusal := Refusal(str(action), why_not(engine, values, attempt)):
            raise RulesError((Diagnostic("RW352", str(refusal), help="`State.legal` has the legal actions"),))
        return move_of(engine, attempt)

    def why_not(self, action: Action | str) -> Refusal | None:
        """Why an action is not legal here; None if it is. Raises `RulesError` for a text that is not an action of the game."""
        engine, values = self._start.engine, self._values
        return Refusal(str(action), why_not(engine, values, parse_attempt(engine, values, str(action)))) or None

    @property
    def score(self) -> int:
        """The score of the game, the sum of all its scores; 0 without scores."""
        return self._start.engine.score(self._values)

    @property
    def scores(self) -> tuple[int, ...]:
        """The score of each player; of a game without such scores, its score alone."""
        found = tuple(measure(self._values) for measure in self._start.measures[0])
        return found or (self.score,)

    @property
    def score_items(self) -> tuple[str, ...]:
        """The items of the score in words, each with its cell, tile and rule."""
        engine = self._start.engine
        return tuple(describe_item(engine, item) for item in score_items(engine, self._values))

    @property
    def winners(self) -> tuple[int, ...]:
        """The players who win, or would if the game ended here; all players of a draw. Empty if the rules name no winner."""
        return tuple(player for player, outcome in enumerate(self.outcomes, 1) if outcome >= 0)

    @property
    def outcomes(self) -> tuple[int, ...]:
        """For each player 1 (wins), 0 (draw) or -1 (loses), if the game ended here; empty if the rules name no winner."""
        return tuple(measure(self._values) for measure in self._start.measures[1])

    @property
    def values(self) -> Mapping[str, Any]:
        """Boards and variables as the player to move sees them, as `show --json` gives them. What is hidden is
        `{"hidden": n}`."""
        start = self._start
        found = state_as_json(start.engine, self._values, start.viewer)
        return {**found["boards"], **found["state"]}

    def reseeded(self, seed: int) -> State:
        """The same state with other chance to come."""
        return State(self._start, reseeded(self._values, seed))

    def batch(self, count: int, *, seed: int = 0, workers: int = 2) -> Batch:
        """Many games from this state, side by side, each with chance of its own: see `Game.batch`."""
        from .batch import Batch

        return Batch.of(evolve(self._start, state=self._values), True, count, seed, workers)

    def ask(self, question: str, name: str = "position") -> Puzzle:
        """A puzzle that asks a question of this state, as `ask:` does in a puzzle's file: `maximise score until end`.

        Raises `RulesError` for a question that the rules do not understand.
        """
        from .puzzle import puzzle_at

        return puzzle_at(self._start, self._values, name, question, self._start.text)

    def svg(self, dark: bool | None = None) -> str:
        """The picture as SVG; without `dark` it follows the reader's system."""
        from rulewright.pictures.position_picture import picture
        from rulewright.pictures.scene import PictureOptions, Scene
        from rulewright.pictures.svg import to_text

        start = self._start
        scene = Scene(start.engine, start.viewer, start.title, PictureOptions(dark=dark))
        return to_text(picture(scene, self._values))

    def _repr_svg_(self) -> str:
        """The picture in a notebook."""
        return self.svg()
