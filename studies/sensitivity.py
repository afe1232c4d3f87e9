"""Sensitivity analysis: which requirement, limit or resource bounds the optimum.

The question is solved again under one perturbation at a time (`studies/sensitivity.py`).
"""

from __future__ import annotations

import time
from collections.abc import Iterator

from rulewright.base.diagnostics import RulesError, Sink
from rulewright.base.records import evolve, frozen
from rulewright.base.spans import NO_SPAN, Span
from rulewright.grammar.printing.print_puzzles import value_text
from rulewright.grammar.tree import puzzles
from rulewright.grammar.tree.puzzles import Goal
from rulewright.puzzles.from_tree import set_up_position
from rulewright.puzzles.notation.value_notation import IndexNotation, ValueNotation
from rulewright.puzzles.position import Position
from rulewright.rules.linking.project import Project
from rulewright.rules.linking.questions import Question
from rulewright.rules.model import terms, types
from rulewright.rules.model.game import Game, Table, Variable
from rulewright.rules.model.state import value_range
from rulewright.rules.model.traversal import nodes_of
from rulewright.rules.static.dataflow import DataflowAnalysis
from rulewright.solver.answer.portfolio import answer
from rulewright.solver.result import Limits, Result, Status

from .verified_plan import verified_steps

# Perturbations of a position ------------------------------------------------------------------------------------------
# For sensitivity analysis: dropping each requirement, moving each number by one, adding each
# tile.
#
# Every perturbation is text (an edit of the rules as an author would write it, or a line of the puzzle) and is parsed and
# linked like any other.


@frozen
class Perturbation:
    """One change: of the rules by items of a module, or of the puzzle.

    `name` is the thing changed (`sail.token`, `allowance.tokens[1]`, `tokens 1`), `change` the change, `message` what the rules
    tell players about it.
    """

    name: str
    change: str
    rules: str = ""
    puzzle: puzzles.Puzzle | None = None
    message: str = ""
    module: str = ""
    span: Span = NO_SPAN

    def position(self, project: Project, now: Position) -> Position:
        """The perturbed position, its invariants not checked. Raises `RulesError` if the changed rules do not link."""
        game = project.changed(now.engine.game, self.rules) if self.rules else now.engine.game
        return set_up_position(evolve(self.puzzle or now.puzzle, allow_impossible=True), game)


def perturbations(position: Position) -> tuple[Perturbation, ...]:
    """The perturbations of requirements, table cells, numbers and tiles that can still affect the question's objective."""
    analysis = DataflowAnalysis(position.asked, position.question.values if position.question else (), position.root)
    return (
        *_requirements(position),
        *_table_cells(position, analysis),
        *_numbers(position, analysis),
        *_tiles(position, analysis),
    )


def _requirements(position: Position) -> Iterator[Perturbation]:
    """Each requirement of an action that may still be offered, dropped."""
    for name in dict.fromkeys(name for choice in position.engine.choices for name in choice.actions):
        for requirement in position.engine.game.actions[name].requirements:
            label = requirement.name.removeprefix(f"{name}.")
            text = f"change {name}:\n    drop {label}\n"
            yield Perturbation(
                requirement.name, "dropped", text, message=requirement.message, module=requirement.module, span=requirement.span
            )


# Tables -------------------------------------------------------------------------------------------


def _table_cells(position: Position, analysis: DataflowAnalysis) -> Iterator[Perturbation]:
    """Each table number that is still looked up, plus and minus one."""
    game, instance = position.engine.game, position.engine.instance
    for name, column in sorted({(found.table, found.column) for found, _ in _looked_up(game, analysis)}):
        table = game.tables[name]
        if not table.rows or table.type_of(column) != types.Number():
            continue
        numbers = dict(table.columns)[column]
        for at, key in enumerate(table.keys):
            if isinstance(table.key, types.Number) and _is_by_players(game, analysis, name) and key != instance.players:
                continue
            for value in (numbers[at] + 1, numbers[at] - 1):
                cell = f"{column}[{_key(game, table, key)}]"
                yield Perturbation(
                    f"{name}.{cell}",
                    f"{numbers[at]} -> {value}",
                    f"change {name}: {cell} = {value}\n",
                    module=table.module,
                    span=table.rows[at],
                )


def _looked_up(game: Game, analysis: DataflowAnalysis) -> list[tuple[terms.Column, terms.Term]]:
    """The columns of tables that are looked up by anything that may still happen, with the keys."""
    nodes = nodes_of(game.definitions, analysis.conditions, analysis.clauses, analysis.objective)
    return [(node.map, node.key) for node in nodes if isinstance(node, terms.Lookup) and isinstance(node.map, terms.Column)]


def _is_by_players(game: Game, analysis: DataflowAnalysis, table: str) -> bool:
    """Whether a table is only ever looked up by the number of players."""
    return all(isinstance(key, terms.PlayerCount) for found, key in _looked_up(game, analysis) if found.table == table)


def _key(game: Game, table: Table, key: int) -> str:
    match table.key:
        case types.Enumeration():
            return game.members(table.key)[key]
        case types.Tile():
            return game.tiles[key - 1].name
        case _:
            return str(key)


# The position -------------------------------------------------------------------------------------


def _numbers(position: Position, analysis: DataflowAnalysis) -> Iterator[Perturbation]:
    """Each number of the position, plus and minus one."""
    engine, state = position.engine, position.state
    for variable in engine.game.variables.values():
        if variable.name not in analysis.live_variables or variable.is_zone or variable.is_loop:
            continue
        if not isinstance(variable.type, types.Number) or isinstance(variable.index, types.Cell):
            continue
        column = engine.layout.columns[variable.name]
        allowed = value_range(engine.instance, variable)
        for place in range(column.count):
            now = state[column.start + place]
            for value in (now + 1, now - 1):
                if value in allowed:
                    yield _number(position, variable, column.offset + place, now, value)


def _number(position: Position, variable: Variable, index: int, now: int, value: int) -> Perturbation:
    notation = IndexNotation(ValueNotation(position.engine, Sink()))
    said = puzzles.Setting(variable.name, notation.write(variable, index), (puzzles.Amount(value),))
    settings = position.puzzle.settings
    old = next((s for s in settings if (s.name, s.of) == (said.name, said.of)), None)
    others = tuple(setting for setting in settings if setting is not old)
    name = " ".join((variable.name, *map(value_text, said.of)))
    puzzle = evolve(position.puzzle, settings=(*others, said))
    return Perturbation(name, f"{now} -> {value}", puzzle=puzzle, span=variable.span if old is None else old.span)


def _tiles(position: Position, analysis: DataflowAnalysis) -> Iterator[Perturbation]:
    """One more tile of each kind in each zone that the puzzle lists."""
    puzzle, game = position.puzzle, position.engine.game
    for at, setting in enumerate(puzzle.settings):
        variable = game.variables.get(setting.name)
        if variable is None or not variable.is_zone or variable.name not in analysis.live_variables:
            continue
        for place, piece in enumerate(setting.values):
            if not isinstance(piece, puzzles.Piece) or piece.tile in _named(setting.values[:place]):
                continue
            more = evolve(piece, count=piece.count + 1)
            changed = evolve(setting, values=(*setting.values[:place], more, *setting.values[place + 1 :]))
            settings = (*puzzle.settings[:at], changed, *puzzle.settings[at + 1 :])
            yield Perturbation(
                " ".join((setting.name, *map(value_text, setting.of))),
                f"one more {piece.tile}",
                puzzle=evolve(puzzle, settings=settings),
                span=piece.span,
            )


def _named(pieces: tuple[puzzles.Value, ...]) -> set[str]:
    return {piece.tile for piece in pieces if isinstance(piece, puzzles.Piece)}


# Sensitivity analysis -------------------------------------------------------------------------------------------------


@frozen
class Sensitivity:
    """The effect of one perturbation on the optimum.

    `gain` is 0 if there is provably no gain, None if that is open. `problem` is the code of the error if the perturbed rules
    cannot be played.
    """

    perturbation: Perturbation
    score: int | None = None
    gain: int | None = None
    proved: bool = False
    problem: str = ""


def sensitivities(project: Project, position: Position, result: Result, limits: Limits) -> Iterator[Sensitivity]:
    """Solve the question under every perturbation, each within an equal share of the time left."""
    deadline = time.monotonic() + limits.seconds
    tried = perturbations(position)
    for index, perturbation in enumerate(tried):
        share = max(0.0, deadline - time.monotonic()) / (len(tried) - index)
        if share <= 0:
            yield Sensitivity(perturbation)
            continue
        try:
            yield _solved(perturbation, project, position, result, evolve(limits, seconds=share))
        except RulesError as error:
            yield Sensitivity(perturbation, problem=error.diagnostics[0].code)


def _solved(perturbation: Perturbation, project: Project, now: Position, result: Result, limits: Limits) -> Sensitivity:
    began = time.monotonic()
    position = perturbation.position(project, now)
    question = position.question
    assert question is not None
    engine, state = position.asked, position.root
    if question.goal in (Goal.MAXIMISE, Goal.COUNT_BEST, Goal.WIN) and result.score is not None:
        # Whether there is any gain is easier to decide, and most perturbations gain nothing.
        more = evolve(question, goal=Goal.REACH, threshold=result.score + 1)
        better = answer(engine, state, more, limits)
        if better.status is Status.IMPOSSIBLE:
            return Sensitivity(perturbation, result.score, 0, True)
        left = evolve(limits, seconds=max(0.0, limits.seconds - (time.monotonic() - began)))
        found = answer(engine, state, evolve(question, goal=Goal.MAXIMISE), left)
        if better.score is not None and (found.score is None or better.score > found.score):
            found = evolve(better, status=Status.FEASIBLE)
    else:
        found = answer(engine, state, question, limits)
    verified_steps(engine, state, question, found)
    return _compared(perturbation, found, question, result)


def _compared(perturbation: Perturbation, found: Result, question: Question, result: Result) -> Sensitivity:
    proved = found.status in (Status.OPTIMAL, Status.IMPOSSIBLE)
    if question.goal is Goal.REACH:
        reached = found.status is Status.OPTIMAL
        return Sensitivity(perturbation, found.score, 1 if reached else 0 if proved else None, proved)
    if found.score is None or result.score is None:
        return Sensitivity(perturbation, found.score)
    gain = (found.score - result.score) * (1 if question.goal in (Goal.MAXIMISE, Goal.COUNT_BEST, Goal.WIN) else -1)
    return Sensitivity(perturbation, found.score, max(0, gain) if proved or gain > 0 else None, proved)
