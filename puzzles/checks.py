"""Checks of a position: more copies of a tile than the box holds, invariants that fail, and what `check` only warns of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import assert_never

from rulewright.base.diagnostics import Diagnostic, Label, Sink
from rulewright.base.records import evolve
from rulewright.base.spans import Span
from rulewright.grammar.tree import puzzles
from rulewright.grammar.tree.declarations import Visibility
from rulewright.rules.linking.questions import Question
from rulewright.rules.model import types
from rulewright.rules.model.game import BOX, Requirement, TileKind, Variable
from rulewright.rules.model.state import State
from rulewright.rules.play.coordinates import Coordinate, CoordinateState
from rulewright.rules.play.engine import Engine, describe_value
from rulewright.rules.static.dataflow import DataflowAnalysis, reads, tile_moves
from rulewright.rules.static.nowhere_distances import asked_distances

from .position import Position
from .position_builder import PositionBuilder

# Finds the state on which an answer may rest though some player may not see it ----------------------------------------


def with_hidden_state(
    puzzle: puzzles.Puzzle, engine: Engine, state: State, question: Question, is_beginning: bool, sink: Sink
) -> Question:
    """The question with the variables that matter to it and that some player may not see, in the order of the text.

    Most searches see the whole state. Where players work against each other, or nobody knows what chance will do, an answer
    would let players act on what is hidden from them. Mixed strategies do not: they answer questions in expectation of at most
    two players who work against each other, if nothing is hidden yet or if chance has dealt it. Else reports RW387, unless the
    question says `with open cards`.
    """
    shown = {setting.name for setting in puzzle.settings if setting.open_to_all}
    found = [variable for variable in hidden_variables(engine) if variable.name not in shown]
    if found:  # most games hide nothing, and need no analysis
        live = DataflowAnalysis.of(engine, question, state).live_variables
        found = [variable for variable in found if variable.name in live]
    begun = question.before.state if question.before else state
    names = tuple(variable.name for variable in found)
    conceals = question.is_against or question.in_expectation
    if not found or not conceals or (puzzle.ask and puzzle.ask.open_cards):
        return evolve(question, open_state=names)
    if shown or engine.instance.players > 2 or (not question.is_against and engine.instance.players > 1):
        help = "end the question with `with open cards` to let all players see the whole state"
    elif not question.in_expectation:
        help = "ask `in expectation` for the value of the best mixed strategies, or `with open cards` to let all see everything"
    elif not (is_beginning or all(_is_unset(engine, begun, variable) for variable in found)):
        help = "let chance deal it in the rules and ask about the beginning of the game, or ask `with open cards`"
    else:
        return evolve(question, secret_state=names, is_dealt=is_beginning)
    message = f"the answer would use `{found[0].name}`, which not every player may see"
    labels = [Label(variable.span, _declared(variable)) for variable in found]
    sink.error("RW387", message, question.span, *labels, help=help)
    return question


def _is_unset(engine: Engine, state: State, variable: Variable) -> bool:
    """Whether a variable is as it was before the set-up."""
    column = engine.layout.columns[variable.name]
    slots = slice(column.start, column.start + column.count)
    return state[slots] == engine.unset[slots]


def hidden_variables(engine: Engine) -> tuple[Variable, ...]:
    """The variables of a game that some player may not see, in the order of the text."""
    return tuple(one for one in engine.game.variables.values() if _is_hidden(one, engine.instance.players))


def _is_hidden(variable: Variable, players: int) -> bool:
    """Whether some player may not see a value. What chance draws from is no secret but chance: zones that are face down."""
    match variable.visibility:
        case Visibility.OPEN:
            return False
        case Visibility.OWNER:
            return players > 1
        case Visibility.HIDDEN:
            return not variable.is_zone


def _declared(variable: Variable) -> str:
    """What the rules say of a hidden variable."""
    return f"`{variable.name}` is `{variable.visibility.value}`"


# Checks of a position -------------------------------------------------------------------------------------------------


TypedValue = tuple[types.Type, int]

IMPOSSIBLE_HELP = "correct the position, or add `allow impossible position`"


def check_tiles(builder: PositionBuilder, sink: Sink) -> None:
    """Report RW320 at the first surplus copy if there are more copies of a tile than the box holds."""
    engine = builder.notation.engine
    for number, kind, count in _surplus(engine, builder.coordinates):
        most = engine.instance.number_of(kind)
        here = [span for tile, span in builder.tile_spans if tile == number]
        unsaid = count - len(here)
        span = here[max(most - unsaid, 0)] if len(here) > max(most - unsaid, 0) else kind.span
        message = f"the position has {count} of `{kind.name}`, but the box has only {most}"
        labels = [Label(kind.span, "declared here")] + [Label(other, "and here") for other in here[:1] if other != span]
        help = f"the set-up has already dealt {unsaid}: give every zone, or draw the board" if unsaid else IMPOSSIBLE_HELP
        sink.error("RW320", message, span, *labels, help=help)


def check_invariants(builder: PositionBuilder, engine: Engine, state: State, puzzle: puzzles.Puzzle, sink: Sink) -> None:
    """Report RW321 for every violated invariant, at the cell or setting that violates it."""
    from rulewright.rules.play.why_illegal import counterexample

    for invariant in _violated(engine, state):
        involved = counterexample(engine, state, invariant.condition)
        named = [describe_value(engine, type, value) for type, value in involved if isinstance(type, types.Cell | types.Tile)]
        message = invariant.message + (f": {' and '.join(named)}" if named else "")
        first, *more = _places(builder, engine, involved, invariant) or [puzzle.span]
        clause = f" ({invariant.cite})" if invariant.cite else ""
        label = Label(invariant.span, f"violated invariant `{invariant.name}`{clause}")
        sink.error("RW321", message, first, *map(Label, more), label, help=IMPOSSIBLE_HELP)


def check_answer(puzzle: puzzles.Puzzle, sink: Sink) -> None:
    """Report RW334 if the question cannot have the expected answer."""
    if puzzle.answer is None or puzzle.ask is None:
        return
    is_verdict, goal = isinstance(puzzle.answer, puzzles.Verdict), puzzle.ask.goal
    chance = puzzle.ask.chance
    if chance is not None and chance.known is puzzles.Chance.EXPECTED:
        if not is_verdict:
            return
        goal = puzzles.Goal.MAXIMISE
    elif goal is puzzles.Goal.WIN and (puzzle.ask.loses or puzzle.ask.turns is not None):
        goal = puzzles.Goal.REACH
    match goal:
        case puzzles.Goal.REACH:
            if puzzle.answer in (puzzles.Verdict.YES, puzzles.Verdict.NO, puzzles.Verdict.IMPOSSIBLE):
                return
            help = "write `answer: yes` or `answer: no`; for a number, ask `maximise …`"
        case puzzles.Goal.LEAST:
            if not is_verdict or puzzle.answer is puzzles.Verdict.IMPOSSIBLE:
                return
            help = "write the lowest number, or `answer: impossible`"
        case puzzles.Goal.MAXIMISE | puzzles.Goal.MINIMISE | puzzles.Goal.COUNT_BEST:
            if not is_verdict:
                return
            help = "write a number, or ask `reach …` for a yes or no answer"
        case puzzles.Goal.WIN:
            if puzzle.answer in puzzles.OUTCOMES.values():
                return
            help = "write `answer: win`, `answer: draw` or `answer: loss`"
        case _:
            assert_never(goal)
    message = f"`{puzzles.answer_text(puzzle.answer)}` cannot be the answer to this question"
    sink.error("RW334", message, puzzle.answer_span, Label(puzzle.ask.span, "the question"), help=help)


def is_possible(engine: Engine, coordinates: CoordinateState, state: State) -> bool:
    """Whether a position passes both checks."""
    return not any(_surplus(engine, coordinates)) and not any(_violated(engine, state))


def _surplus(engine: Engine, coordinates: CoordinateState) -> Iterator[tuple[int, TileKind, int]]:
    """The kinds of tile of which there are more copies than the box holds, by number, with how many there are."""
    counts = Counter(coordinates.tiles(engine.game))
    for number, kind in enumerate(engine.game.tiles, 1) if BOX in engine.game.variables else ():
        if counts[number] > engine.instance.number_of(kind):
            yield number, kind, counts[number]


def _violated(engine: Engine, state: State) -> Iterator[Requirement]:
    evaluator = engine.evaluator(state)
    return (one for one in engine.game.invariants if not evaluator.value(one.condition, {}))


def _places(builder: PositionBuilder, engine: Engine, involved: Sequence[TypedValue], invariant: Requirement) -> list[Span]:
    """The places in the puzzle of the values that violate an invariant."""
    read = sorted(reads(engine.game, invariant.condition), key=list(engine.game.variables).index)
    found: dict[Span, None] = {}
    for type, value in involved:
        for index in _indices(engine, type, value):
            names = [type.space] if isinstance(type, types.Cell) else []
            for name in (*names, *read):
                if (name, index) in builder.value_spans:
                    found[builder.value_spans[name, index]] = None
    for name in read:
        if not found and (name, None) in builder.value_spans:
            found[builder.value_spans[name, None]] = None
    return list(found)


def _indices(engine: Engine, type: types.Type, value: int) -> list[int | Coordinate]:
    match type:
        case types.Cell(space):
            window = engine.instance.windows[space]
            return [] if value == window.nowhere else [window.coordinates[value]]
        case types.Player() | types.Enumeration():
            return [value]
        case _:
            return []


def warnings_of(position: Position) -> tuple[Diagnostic, ...]:
    """RW339 (a forgotten box) and RW271 (a question for a distance to nowhere)."""
    return (*forgotten_box(position), *_distances(position))


def _distances(position: Position) -> Iterator[Diagnostic]:
    question = position.question
    if question is None:
        return
    for span in asked_distances(position.asked, position.root, question.values):
        message = "the distance to nowhere is -1, which is the value asked for here"
        help = "ask for a definition that says how far it is where there is no way"
        yield Diagnostic("RW271", message, (Label(question.span), Label(span, "the distance")), help, warning=True)


def forgotten_box(position: Position) -> tuple[Diagnostic, ...]:
    """A warning RW339: the puzzle draws a board, so that zones it does not name are empty, and the box is one of them."""
    puzzle, column = position.puzzle, position.engine.layout.columns.get(BOX)
    is_named = any(setting.name == BOX for setting in puzzle.settings)
    if not puzzle.drawings or is_named or column is None or position.state[column.start]:
        return ()
    clauses = DataflowAnalysis(position.asked, (), position.root).clauses
    if all(source != BOX for source, _ in tile_moves(clauses)):
        return ()
    help = "write `box: rest` for what the position does not use, or `box: none`"
    label = Label(puzzle.drawings[0].span, "every zone that a puzzle with a drawing does not name is empty")
    return (Diagnostic("RW339", "play takes tiles from the box, and the box is empty", (label,), help, warning=True),)
