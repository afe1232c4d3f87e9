"""A puzzle: a position and a question."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

from rulewright.base.choices import Engines
from rulewright.base.diagnostics import usage_error
from rulewright.base.limits import DEFAULT_LIMITS, Limits
from rulewright.base.records import evolve, field, frozen
from rulewright.grammar.from_text import parse_puzzle
from rulewright.grammar.to_text import print_puzzle
from rulewright.grammar.tree.puzzles import Answer as Expected
from rulewright.grammar.tree.puzzles import Verdict
from rulewright.puzzles.from_tree import set_up_position
from rulewright.puzzles.position import Position
from rulewright.puzzles.to_text import write_position
from rulewright.rules.model.game import Game
from rulewright.rules.model.state import Move
from rulewright.rules.play.engine import State as Values

from .action import Action
from .answer import Answer
from .game import Policy
from .named import Named
from .start import Start, describe_ask, start_of_puzzle
from .state import State


def load_puzzle(
    name: str | Path = "",
    *,
    text: str = "",
    variant: str = "",
    changes: str = "",
    folder: str | Path = ".",
    limits: Limits = DEFAULT_LIMITS,
) -> Puzzle:
    """A puzzle by its name in the library or the folder, by the path of its file, by a share line, or from a text.

    `variant` names modules whose changes apply too (`A+B`, or the path of a `*.rules` file); `changes` are the items of one
    more, as text. Raises `RulesError` for what `rulewright check` refuses, and `OSError`.
    """
    named = Named(str(name), variant, Path(folder).resolve(), limits)
    if text:
        tree = parse_puzzle(text, "the text", limits)
        game = named.project.load_names(tree.rules, named.folder, variant)
    else:
        tree, game = named.puzzle, named.game
    if changes:
        game = named.project.changed(game, changes)
    elif not text:
        return Puzzle(named.position)
    return Puzzle(set_up_position(tree, game))


@frozen(eq=False)
class Puzzle:
    """A position with a question, from `load_puzzle` or `State.ask`."""

    _position: Position = field(repr=False)

    def __repr__(self) -> str:
        return f"<Puzzle {self.name}: {self.question or 'no question'}>"

    def __str__(self) -> str:
        """The puzzle as the text of its file."""
        return print_puzzle(self._position.puzzle)

    @property
    def name(self) -> str:
        """The name in its file."""
        return self._position.puzzle.name

    @property
    def about(self) -> str:
        """The text below the name; may be empty."""
        return self._position.puzzle.text

    @property
    def modules(self) -> tuple[str, ...]:
        """The names of the modules whose rules hold."""
        return self._position.engine.game.roots

    @property
    def question(self) -> str:
        """The question as `ask:` writes it; empty if there is none."""
        asked = self._position.puzzle.ask
        return "" if asked is None else describe_ask(asked)

    @property
    def expected(self) -> int | Fraction | str | None:
        """The answer that the file expects: a number, or a word such as `win`; None if it expects none."""
        return _in_words(self._position.puzzle.answer)

    @cached_property
    def start(self) -> State:
        """The state of the position. Play from it ends where the question does."""
        return State(self._start, self._start.state)

    @cached_property
    def _start(self) -> Start:
        return start_of_puzzle(self._position, None)

    def solve(
        self,
        seconds: float = 60.0,
        *,
        workers: int = 1,
        memory_mib: int = 2048,
        engine: str = Engines.SOONEST.value,
        against: Policy | None = None,
        progress: Callable[[dict[str, Any]], object] | None = None,
    ) -> Answer:
        """The answer to the question, as `rulewright solve` gives it, proved if time allows.

        `engine` is `soonest` (search and CP-SAT side by side), `search`, `cpsat` or `both`. With `against`, the value is that
        of the best response, in expectation, to others who follow this policy. `progress` is called a few times a second with
        `best`, `bound`, `gap` and `states`. Raises `RulesError` if nothing is asked, or the question cannot be answered.
        """
        from rulewright.solver.result import Limits as Budget
        from rulewright.solver.result import Status
        from rulewright.studies.alternative_plans import alternative_plans
        from rulewright.studies.verified_plan import Reporter, proved_answer, refutes, solve_verified

        position, question, expected = self._position, self._position.question, self._position.puzzle.answer
        if question is None:
            raise usage_error(f"`{self.name}` asks no question", "`State.ask` asks one")
        if against is not None:
            from .policies import policy_of, response_to

            question, expected = response_to(policy_of(against), position, question), None
        budget = Budget(seconds, workers, memory_mib, Engines(engine))
        result, steps = solve_verified(position.asked, position.root, question, budget, progress and Reporter(progress))
        number = None
        if question.counts_plans and result.status is Status.OPTIMAL:
            left = evolve(budget, seconds=max(0.0, seconds - result.seconds))
            number = alternative_plans(position.asked, position.root, question, result, 0, left).number
        proved = proved_answer(result, question, number)
        is_uncounted = proved is None and question.counts_plans
        return Answer(
            (Status.UNKNOWN if is_uncounted else result.status).value,
            (None if is_uncounted else result.value) if proved is None else _in_words(proved),
            result.bound,
            self._actions([step.move for step in steps]),
            result.proof,
            result.remarks,
            result.states,
            result.seconds,
            expected is not None and refutes(result, question, expected, number),
        )

    def _actions(self, plan: Sequence[Move]) -> tuple[Action, ...]:
        """A plan of the question's engine as actions of play from the start."""
        engine, values = self._start.engine, self._start.state
        found = []
        for move in map(self._position.played_move, plan):
            found.append(Action(engine, values, move))
            values = engine.apply(values, move)
        return tuple(found)


def puzzle_at(start: Start, values: Values, name: str, question: str, text: str, game: Game | None = None) -> Puzzle:
    """The puzzle that asks a question (none if it is empty) of a state, under the rules of the state's game or of another one.

    Raises `RulesError` for an invalid name or question, and for a position that the rules do not allow.
    """
    from rulewright.studies.making.commission import parsed_goal

    game = game or start.engine.game
    ask = parsed_goal(question) if question else None
    written = write_position(start.engine, values, name, game.roots, text=text, ask=ask)
    return Puzzle(set_up_position(parse_puzzle(written, f"{name}.puzzle"), game))


def _in_words(answer: Expected | None) -> int | Fraction | str | None:
    return answer.value if isinstance(answer, Verdict) else answer
