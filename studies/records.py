"""What is recorded of the files of an author, to see at once what a change of the rules changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from attrs import evolve

from rulewright.base.diagnostics import RulesError
from rulewright.base.input_files import is_within, read_text
from rulewright.base.records import frozen
from rulewright.grammar.to_text import print_module
from rulewright.grammar.tree.puzzles import Goal, Puzzle
from rulewright.puzzles.catalogue import Catalogue
from rulewright.puzzles.from_tree import set_up_position
from rulewright.puzzles.plan_replay import plies
from rulewright.puzzles.position import Position
from rulewright.puzzles.saved_games import SavedGame, begin_saved_game, parse_saved_game
from rulewright.rules.clauses.decompose import module_of
from rulewright.rules.linking.project import Combination, Project
from rulewright.rules.model.game import Game
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.move_notation import format_move
from rulewright.rules.play.score_breakdown import describe_item, score_items
from rulewright.solver.result import Status

from .expectations import Solved

FOLDER = "__snapshots__"
"""Where records lie, beside the files that they are of."""

RULES, ACTIONS, SCORE, IMPOSSIBLE, BEST, GAME = NAMES = (
    "linked_rules",
    "legal_actions",
    "score",
    "impossible",
    "best",
    "game",
)
CHEAP = (ACTIONS, SCORE, IMPOSSIBLE, GAME)
"""What is soon found out."""


@frozen
class Record:
    """A text by name, of a file. `text` raises `RulesError`, or `Undecided` when it is not known."""

    file: Path
    name: str
    text: Callable[[], str]

    @property
    def path(self) -> Path:
        """Where it is kept."""
        return self.file.parent / FOLDER / self.file.stem / f"{self.name}.txt"


def of_rules(path: Path, project: Project) -> Iterator[Record]:
    """All that a module says together with what it extends, as one module."""
    yield Record(path, RULES, lambda: linked_rules(project.combine(path)))


def of_puzzle(solved: Solved) -> Iterator[Record]:
    """The legal actions, the score item by item, and the best that can be reached; what is impossible of a position that may
    be; and the rules, where they are in no file of the folder."""
    path, ask = solved.path, solved.puzzle.ask
    yield Record(path, ACTIONS, lambda: legal_actions(solved.position))
    yield Record(path, SCORE, lambda: score(solved.position))
    if solved.puzzle.allow_impossible:
        yield Record(path, IMPOSSIBLE, lambda: impossible(solved.puzzle, solved.position.engine.game))
    if ask is not None and ask.goal is not Goal.COUNT_BEST:
        yield Record(path, BEST, lambda: best(solved))
    rules = rules_of(solved)
    if rules.file == path:
        yield rules


def of_play(path: Path, project: Project) -> Iterator[Record]:
    """A saved game action by action: how many actions were legal, and the score after it; at the end the rank."""
    yield Record(
        path, GAME, lambda: game(parse_saved_game(read_text(path, project.limits), str(path), project.limits), project)
    )


def rules_of(solved: Solved) -> Record:
    """The record of the rules of a puzzle: that of the one module it names, if it is the author's own, or else its own."""
    project, names = solved.project, [name for name, _ in solved.puzzle.rules]
    found = project.found.get(names[0], ()) if len(names) == 1 else ()
    if len(found) == 1 and is_within(found[0], project.folder):
        return next(of_rules(found[0], project))
    return Record(solved.path, RULES, lambda: linked_rules(project.combine(solved.rules)))


def linked_rules(combination: Combination) -> str:
    """The text of a module that says all that the modules say together, and extends nothing."""
    return print_module(module_of(combination.book, combination.roots[0]))


def legal_actions(position: Position) -> str:
    """An action a line."""
    engine, state = position.engine, position.state
    return actions_text([format_move(engine, state, move) for move in engine.legal(state)])


def actions_text(actions: Sequence[str]) -> str:
    """The same, of actions that are texts already."""
    return "".join(f"{text}\n" for text in actions) or "the game is over\n"


def impossible(puzzle: Puzzle, game: Game) -> str:
    """What a position would be refused for, were it not allowed, a fault a line."""
    try:
        set_up_position(evolve(puzzle, allow_impossible=False), game)
    except RulesError as error:
        return "".join(f"{diagnostic.message}\n" for diagnostic in error.diagnostics)
    return "the position is possible\n"


def score(position: Position) -> str:
    """An item a line, with its cell, tile and rule; then the sum."""
    engine, state = position.engine, position.state
    return score_text([describe_item(engine, item) for item in score_items(engine, state)], engine.score(state))


def score_text(items: Sequence[str], score: int) -> str:
    """The same, of items that are texts already."""
    return "".join(f"{line}\n" for line in (*items, f"score {score}"))


def game(play: SavedGame, project: Project) -> str:
    """A line for each action of a saved game, and one for how it stands."""
    return game_text(play, *begin_saved_game(play, Catalogue(project)))


def game_text(play: SavedGame, engine: Engine, state: State) -> str:
    """The same, of a game that has begun. Raises `PlanError` where an action is not legal."""
    rows: list[str] = []
    for step in plies(engine, state, [action.text for action in play.actions], [action.span for action in play.actions]):
        rows.append(f"{step.player}: {step.text}  of {len(engine.legal(state))}, score {step.score}")
        state = step.state
    score = engine.score(state)
    over = "the game is over" if engine.over(state) else f"{len(engine.legal(state))} actions are legal"
    return "".join(f"{row}\n" for row in (*rows, f"{over}, score {score} {engine.rank(score)}".rstrip()))


def best(solved: Solved) -> str:
    """What can be reached at best, proved."""
    found = solved.decided
    return best_text(found.status, found.score)


def best_text(status: Status | None, number: int | None) -> str:
    """The same, of what was proved."""
    return "impossible\n" if status is Status.IMPOSSIBLE else f"{number}\n"
