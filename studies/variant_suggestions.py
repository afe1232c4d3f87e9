"""Suggests changes of a game for an author to start from. Each has been tried: it links, it plays, and play differs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice, zip_longest
from pathlib import Path

from rulewright.base.diagnostics import RulesError
from rulewright.grammar.printing.print_expressions import print_expression
from rulewright.grammar.tree.puzzles import Puzzle
from rulewright.puzzles.from_tree import set_up_position
from rulewright.rules.linking.project import Project
from rulewright.rules.merging.rulebook import Rulebook
from rulewright.rules.model.game import Game
from rulewright.rules.model.types import Number
from rulewright.rules.play.engine import Engine, State
from rulewright.solver.playouts.policies import RANDOM, Choose, choosing, seeds
from rulewright.studies.rule_checks import OverlapSearch, check_rules

SUGGESTED = 4
"""The maximum number of changes."""

TRIED = 12
"""The maximum number of candidates: each is linked and played."""

GAMES, LONGEST = 4, 60
"""The number of playouts that try a change, and their maximum length."""


def suggestions(project: Project, path: Path, puzzle: Puzzle) -> Iterator[str]:
    """Changes of the game in a file, as text; each is also tried on a puzzle of the game. Empty if the game itself stops
    with an error."""
    game, book = project.load(path), project.combine(path).book
    try:
        before = _course(game, puzzle)
    except RulesError:
        return iter(())
    tried = islice(_candidates(game, book), TRIED)
    return islice((change for change in tried if _plays_otherwise(project, game, puzzle, change, before)), SUGGESTED)


def _plays_otherwise(project: Project, game: Game, puzzle: Puzzle, change: str, before: list[object]) -> bool:
    try:
        changed = project.changed(game, change)
        if check_rules(lambda: changed, search=OverlapSearch.PLAYOUTS).errors:
            return False
        return _course(changed, puzzle) != before
    except RulesError:
        return False


def _course(game: Game, puzzle: Puzzle) -> list[object]:
    """The legal moves and the score at each choice of some playouts, from the puzzle and from the set-up.

    Raises `RulesError` if there is no such position, or a rule stops the game.
    """
    position = set_up_position(puzzle, game)
    choose = choosing(RANDOM, position.engine)
    course: list[object] = []
    for number, seed in zip(range(GAMES), seeds(1), strict=False):
        course += _playout(position.engine, position.state, choose, seed)
        course += _playout(position.engine, position.engine.start(number), choose, seed)
    return course


def _playout(engine: Engine, state: State, choose: Choose, seed: int) -> Iterator[object]:
    chance = seeds(seed)
    for _ in range(LONGEST):
        moves = engine.legal(state)
        yield tuple(moves), engine.score(state)
        if engine.over(state) or not moves:
            return
        _, state = choose(state, moves, next(chance))


def _candidates(game: Game, book: Rulebook) -> Iterator[str]:
    """Changes of numbers, requirements, exceptions and scores, in turn."""
    kinds = (_numbers(game), _requirements(game), _exceptions(game), _scores(book))
    return (change for change in chain.from_iterable(zip_longest(*kinds)) if change is not None)


def _numbers(game: Game) -> Iterator[str]:
    """Add one in the first row of each table of numbers."""
    for table in game.tables.values():
        if table.key == Number():
            for (column, values), kind in zip(table.columns, table.types, strict=True):
                if kind == Number():
                    yield f"change {table.name}: {column}[{table.keys[0]}] = {values[0] + 1}\n"


def _requirements(game: Game) -> Iterator[str]:
    """Drop an action's last requirement."""
    for action in game.actions.values():
        for requirement in action.requirements[-1:]:
            yield f"change {action.name}:\n    drop {requirement.name.rpartition('.')[2]}\n"


def _exceptions(game: Game) -> Iterator[str]:
    """Drop a definition's first exception."""
    for definition in game.definitions.values():
        for case in definition.cases[:1]:
            yield f"change {definition.name}:\n    drop {case.name.rpartition('.')[2]}\n"


def _scores(book: Rulebook) -> Iterator[str]:
    """Double a score."""
    for score in book.scores.values():
        yield f"change {score.name}:\n    replace value: 2 * ({print_expression(score.value)})\n"
