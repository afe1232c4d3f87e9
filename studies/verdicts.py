"""What a puzzle expects of its own position: which plans are legal, and how many lines of play there are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rulewright.base.diagnostics import Sink
from rulewright.grammar.tree import puzzles
from rulewright.puzzles.plan_replay import PlanError, UnreadableAction, replay
from rulewright.puzzles.position import Position
from rulewright.rules.play.move_notation import format_move

if TYPE_CHECKING:
    from rulewright.solver.perft.count import Opening

JUDGED = 1 << 15
"""Most states that plain Python meets to judge a count of machine code: about a second."""


def check_verdicts(position: Position) -> None:
    """Check a puzzle's own expectations of its position.

    Raises `RulesError`: RW337 (an `accept` that cannot be played, or a `refuse` that can), RW338 (a wrong perft count).
    """
    sink = Sink()
    for line in position.puzzle.plans:
        check_plan(position, line, sink)
    if position.puzzle.positions is not None:
        check_positions(position, position.puzzle.positions, sink)
    sink.stop()


def check_plan(position: Position, line: puzzles.PlanLine, sink: Sink) -> None:
    """Report RW337 for an `accept` that cannot be played and a `refuse` that can; RW350 and RW351 for one that is not a
    plan."""
    try:
        replay(position.engine, position.state, line.actions)
    except PlanError as error:
        first = error.diagnostics[0]
        if line.accepted:
            message = f"this plan must be accepted, but {first.message}"
            sink.error("RW337", message, line.span, help="correct the plan or the rules")
        elif isinstance(error, UnreadableAction):
            message = f"this plan to be refused is not a valid plan: {first.message}"
            sink.error(first.code, message, line.span, help=first.help)
        return
    if not line.accepted:
        sink.error("RW337", "this plan must be refused, but it is legal", line.span, help="correct the plan or the rules")


def check_positions(position: Position, positions: puzzles.Positions, sink: Sink) -> None:
    """Report RW338 at the first length at which the count in `positions:` differs from the lines of play."""
    from rulewright.solver.perft.count import LineCounter, total

    length = len(positions.counts) - 1
    rows = list(LineCounter.of(position.engine, position.state, length, math.inf).rows())
    found = total(rows, length)
    for number, (expected, count) in enumerate(zip(positions.counts, found, strict=True)):
        if expected == count:
            continue
        message = f"wrong number of lines of play at depth {number}: expected {expected}, found {count}"
        sink.error("RW338", message, positions.span, help=_advice(position, rows, number))
        return


def _advice(position: Position, rows: Sequence[Opening], length: int) -> str:
    """Where two engines differ if they do; else the most that one of them can say."""
    from rulewright.rules.play.perft import TooManyStates, lines_of_play

    engine, state, left = position.engine, position.state, JUDGED
    for row in rows if length > 1 else ():
        try:
            judged = lines_of_play(engine, engine.apply(state, row.moves[0]), length - 1, most=left)
        except TooManyStates:
            break
        left -= judged.states
        if judged.counts[-1] != row.lines.counts[length]:
            move, two = format_move(engine, state, row.moves[0]), f"{row.lines.counts[length]} and {judged.counts[-1]}"
            return f"a bug in Rulewright, please report it: machine code and plain Python count {two} lines after `{move}`"
    divided = f"; `rulewright perft {position.puzzle.name} {length} --divide` counts by first move" if length else ""
    return f"correct the number or the rules{divided}"
