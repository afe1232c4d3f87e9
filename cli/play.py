"""`rulewright play`: a game in the terminal, or over a pipe."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from ..grammar.diagnostics import RulesError
from ..grammar.modules import Visibility
from ..rules.writing import write_move
from .actions import reason_lines, reasons
from .interrupts import noticing_interrupts
from .output import Exit, Output
from .player_words import HELP, Command, read_command
from .saving import save_play
from .score import score_lines
from .session import Session
from .show import position_lines
from .table import Table
from .text import Line, Style, Styled, columns, escape, line


def play_here(name: str, variant: str, players: int | None, seed: int | None, output: Output) -> int:
    """Play until the user quits or the input ends. A game that is over can still be looked at, undone and saved.

    What cannot be done is said and the play goes on; with `--json`, where nobody reads on, it ends the run.
    """
    seed = secrets.randbelow(10**6) if seed is None else seed
    session = Session(name, variant)
    table = Table.at(session.opening(players, seed))
    output.line(Styled(table.opening.title, Style.STRONG), "" if session.is_puzzle else f"  seed {seed}")
    if table.opening.text:
        output.line(escape(table.opening.text))
    _show(table, output)
    with noticing_interrupts() as interrupted:
        for text in _lines_read(output):
            try:
                if not _obey(text, table, session, seed, output):
                    break
            except (RulesError, OSError) as error:
                if output.as_json:
                    raise
                _complain(error, output)
    _finish(table, output)
    return Exit.INTERRUPTED if interrupted.happened else Exit.YES


def _complain(error: RulesError | OSError, output: Output) -> None:
    match error:
        case RulesError(diagnostics=diagnostics):
            for diagnostic in diagnostics:
                output.line(Styled(escape(diagnostic.message), Style.ERROR), f"  {escape(diagnostic.help)}")
        case BrokenPipeError():
            raise error
        case _:
            output.line(Styled(escape(f"{error.filename}: {error.strerror}"), Style.ERROR))


def _lines_read(output: Output) -> Iterator[str]:
    """What the user types, to the end; on a terminal behind a prompt, with a history."""
    if not sys.stdin.isatty() or output.as_json:
        yield from sys.stdin
        return
    with suppress(ImportError):
        import readline  # noqa: F401 - importing it is what gives `input` a history
    while True:
        try:
            yield input("> ")
        except EOFError:
            output.line()
            return


def _obey(text: str, table: Table, session: Session, seed: int, output: Output) -> bool:
    """Do what a line says; False when the user quits."""
    word, rest = read_command(text)
    match word:
        case Command.NOTHING:
            pass
        case Command.QUIT:
            return False
        case Command.HELP:
            for said in HELP:
                output.line(said)
        case Command.UNDO:
            table.undo(int(rest) if rest.isdigit() else 1)
            _show(table, output)
        case Command.WHY:
            output.lines(reason_lines(rest, reasons(table.engine, table.state, rest)))
        case Command.SCORE:
            output.lines(score_lines(table.engine, table.state))
        case Command.ACTIONS:
            output.lines(_choices(table))
        case Command.BOARD:
            _show(table, output)
        case Command.SAVE:
            path = save_play(Path(rest), table, session, seed)
            output.line(Styled("saved", Style.GOOD), f" as {escape(path)}")
        case Command.ACTION:
            before = table.engine.player(table.state)
            table.take(rest)
            if _has_secrets(table) and table.engine.player(table.state) not in (0, before):
                output.wipe()
            _show(table, output)
    return True


def _has_secrets(table: Table) -> bool:
    """Whether a player may see what the next may not."""
    return any(variable.visibility is Visibility.OWNER for variable in table.engine.game.variables.values())


def _show(table: Table, output: Output) -> None:
    """The position, and what may be done."""
    output.line()
    output.lines(position_lines(table.engine, table.state, table.opening.viewer))
    output.line()
    output.lines(_choices(table))


def _choices(table: Table) -> Iterator[Line]:
    """The legal actions by number."""
    texts = [escape(write_move(table.engine, table.state, move)) for move in table.legal]
    if not texts:
        yield line(Styled("the game is over", Style.STRONG))
    width = len(str(len(texts)))
    yield from (line(row) for row in columns([f"{n:>{width}} {text}" for n, text in enumerate(texts, 1)]))


def _finish(table: Table, output: Output) -> None:
    """The last word: how it stands."""
    engine, state = table.engine, table.state
    score = engine.score(state)
    rank = engine.rank(score)
    output.document(
        {
            "name": table.opening.title,
            "rules": list(engine.game.roots),
            "players": engine.ground.players,
            "over": engine.over(state),
            "score": score,
            "rank": rank or None,
            "actions": [{"player": step.player, "text": step.text, "score": step.score} for step in table.steps],
        }
    )
    how = "at the end" if engine.over(state) else "so far"
    output.line(Styled(f"score {score} {how}", Style.STRONG), f"  {rank}" if rank else "")
