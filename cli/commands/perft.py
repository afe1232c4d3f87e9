"""`rulewright perft`: the number of lines of play of each length, also by first move or turn."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import accumulate

from rulewright.base.deadline import limited
from rulewright.base.diagnostics import did_you_mean, usage_error
from rulewright.base.ending import is_stopped, until_stopped
from rulewright.base.styled_text import Line, Style, Styled, counted, escape, line
from rulewright.cli.documents.document import document_of
from rulewright.cli.documents.positions import FirstMoveLines, Perft
from rulewright.cli.names import named
from rulewright.cli.views.output import Exit, Output, track
from rulewright.rules.model.traversal import points_of
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.move_notation import continues_turn, format_move, written_as_one
from rulewright.solver.perft.count import LineCounter, Opening, total

TURN = "turn"
"""The point of the flow that is counted in turns."""


def count_lines(
    name: str, most: int, divided: bool, in_turns: bool, seconds: float, players: int | None, seed: int, output: Output
) -> int:
    """Count the lines of play of at most so many moves, or turns, length by length, and print their numbers; `divided`: by
    first move or turn. Exit status 10 if time was up before all were counted: those of a length are printed only if all are."""
    session, began = named(name), time.monotonic()
    with limited(seconds, "the game was set up"):
        start = session.start(players, seed)
        position = start.position  # its engine has no horizon of a question
        engine, state = (start.engine, start.state) if position is None else (position.engine, position.state)
        if in_turns:
            _require_turns(engine)
    counts: tuple[int, ...] = (1,)
    rows, remarks, by_turn = list[Opening](), list[str](), in_turns and divided
    firsts, deadline, first = len(engine.legal(state)), began + seconds, "first turn" if by_turn else "first move"
    for length in range(1, most + 1):
        counter = LineCounter.of(engine, state, length, deadline, TURN if in_turns else None, by_turn)
        rows = list(until_stopped(track(counter.rows(), firsts, f"counting {_length(length, in_turns)}", output)))
        remarks = list(_remarks(counter, rows, seed))
        if counter.is_over or is_stopped():
            remarks.insert(0, f"not all: of {_length(length, in_turns)}, {len(rows)} of {counted(firsts, first)}")
            break
        counts, firsts = total(rows, length), len(rows)
    is_whole = len(counts) > most
    openings = [(_opening_text(engine, state, row), row.lines.counts[-1]) for row in rows]
    output.document(
        Perft,
        name=start.title,
        rules=engine.game.roots,
        players=engine.instance.players,
        counted="turns" if in_turns else "moves",
        complete=is_whole,
        counts=counts,
        first_moves=[document_of(FirstMoveLines, text=text, lines=count) for text, count in openings],
        remarks=remarks,
    )
    output.lines(_first_lines(openings) if divided else ())
    output.lines(_count_lines(counts, in_turns))
    for remark in remarks:
        output.line(Styled(remark, Style.FAINT))
    return Exit.YES if is_whole else Exit.UNPROVED


def _opening_text(engine: Engine, state: State, row: Opening) -> str:
    steps = zip(accumulate(row.moves, engine.apply, initial=state), row.moves, strict=False)
    return ", ".join(written_as_one((format_move(engine, at, move), continues_turn(engine, move)) for at, move in steps))


def _require_turns(engine: Engine) -> None:
    points = points_of(engine.game.flow)
    if TURN not in points:
        help = did_you_mean(TURN, points) or f"name one in the flow, as in `{TURN}: choose …`, or leave `--turns` out"
        raise usage_error(f"the flow has no point `{TURN}` to count", help)


def _length(length: int, in_turns: bool) -> str:
    return counted(length, "turn" if in_turns else "move")


def _remarks(counter: LineCounter, rows: list[Opening], seed: int) -> Iterator[str]:
    if any(row.lines.has_drawn for row in rows):
        yield f"chance was drawn as seed {seed} has it: other seeds may have other lines"
    yield from counter.remarks


def _first_lines(openings: list[tuple[str, int]]) -> Iterator[Line]:
    width = max((len(text) for text, _ in openings), default=0)
    for text, count in openings:
        yield line(f"{escape(text.ljust(width))}  {count}")
    yield line()


def _count_lines(counts: tuple[int, ...], in_turns: bool) -> Iterator[Line]:
    lengths = [_length(length, in_turns) for length in range(len(counts))]
    width, most = max(map(len, lengths)), max(len(str(count)) for count in counts)
    for length, count in zip(lengths, counts, strict=True):
        yield line(f"{length.ljust(width)}  ", Styled(str(count).rjust(most), Style.STRONG))
