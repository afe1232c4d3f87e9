"""`rulewright play`: a game in the terminal, or over a pipe."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from rulewright.base.diagnostics import RulesError
from rulewright.base.ending import go_on, until_stopped
from rulewright.base.styled_text import Line, Style, Styled, columns, escape, line
from rulewright.cli.documents.positions import Play
from rulewright.cli.playing.game_session import GameSession, branch_rows, save_game
from rulewright.cli.playing.opponents import HINT_LIMITS, hint_lines, hint_question
from rulewright.cli.playing.play_commands import HELP, PlayCommand
from rulewright.cli.playing.table import Table
from rulewright.cli.views.output import Output, Watch, watching
from rulewright.cli.views.state_document import course_of
from rulewright.cli.views.state_view import standing_lines
from rulewright.rules.play.engine import describe_turn
from rulewright.rules.play.move_notation import format_move

from .actions import reason_lines, reasons
from .exchange import line_of
from .score import score_lines
from .show import print_position

POINTER = "type `?` for help"


def play_here(table: Table, output: Output) -> None:
    """Play until the user quits or the input ends. A finished game can still be shown, undone and saved.

    An error is reported and the game goes on; with `--json` it ends the run.
    """
    game = table.game
    output.line(Styled(game.start.title, Style.STRONG), "" if table.session.is_puzzle else f"  seed {table.seed}")
    if game.start.text:
        output.line(escape(game.start.text))
    if table.opponents is not None and table.opponents.sees:
        seen = ", ".join(f"`{name}`" for name in table.opponents.sees)
        output.line(Styled(f"the computer plays with open cards: it sees {seen}", Style.WARNING))
    _show_table(table, output)
    for text in until_stopped(_lines_read(output)):
        try:
            if not _execute(text, table, output):
                break
        except (RulesError, OSError) as error:
            if output.as_json:
                raise
            _report(error, output)
    finish(game, output)


def _show_table(table: Table, output: Output) -> None:
    """Let the computer play if it is to move, and print the position."""
    if table.opponents is not None and table.opponents.are_to_move:
        with watching(Watch("thinking"), output):
            replies = list(table.opponents.replies())
        go_on()  # an interrupt ended the thinking only
        output.line()
        output.lines(reply.line for reply in replies)
    _show(table.game, output)


def _report(error: RulesError | OSError, output: Output) -> None:
    match error:
        case RulesError(diagnostics=diagnostics):
            for diagnostic in diagnostics:
                help = "  ".join(filter(None, (diagnostic.help, POINTER)))
                output.line(Styled(escape(diagnostic.message), Style.ERROR), f"  {escape(help)}")
        case BrokenPipeError():
            raise error
        case _:
            output.line(Styled(escape(f"{error.filename}: {error.strerror}"), Style.ERROR), f"  {POINTER}")


def _lines_read(output: Output) -> Iterator[str]:
    """The lines of the input; on a terminal with a prompt and a history."""
    if not sys.stdin.isatty() or output.as_json:
        yield from sys.stdin
        return
    with suppress(ImportError):
        import readline  # noqa: F401 - importing it is what gives `input` a history
    output.line(Styled(POINTER, Style.FAINT))
    while True:
        try:
            yield input("> ")
        except EOFError:
            output.line()
            return


def _execute(text: str, table: Table, output: Output) -> bool:
    """Execute a line of input; False if the user quits."""
    game = table.game
    command, argument = game.command(text)
    match command:
        case PlayCommand.NOTHING:
            pass
        case PlayCommand.QUIT:
            return False
        case PlayCommand.HELP:
            for row in HELP:
                output.line(row)
            output.line()
            output.lines(_choices(game))
        case PlayCommand.HINT:
            output.lines(_hint_lines(table, output))
        case PlayCommand.BRANCHES:
            output.lines(row for _, row in branch_rows(game.tree, bool(game.engine.game.scores)))
        case PlayCommand.ACTIONS:
            output.lines(_choices(game))
        case PlayCommand.BOARD:
            _show(game, output)
        case PlayCommand.WHY | PlayCommand.HISTORY | PlayCommand.SCORE | PlayCommand.LINE | PlayCommand.SAVE:
            output.lines(told(command, argument, table))
        case PlayCommand.UNDO | PlayCommand.REDO | PlayCommand.GOTO | PlayCommand.ACTION:
            before = game.engine.player(game.state)
            go(command, argument, table)
            is_next = command is PlayCommand.ACTION and game.engine.player(game.state) not in (0, before)
            if table.passes_on and is_next:
                output.wipe()
            _show_table(table, output)
    return True


def told(command: PlayCommand, argument: str, table: Table) -> Iterable[Line]:
    """What a command that changes nothing in the game says. Raises `RulesError`."""
    game = table.game
    match command:
        case PlayCommand.WHY:
            return reason_lines(argument, reasons(game.engine, game.state, argument))
        case PlayCommand.HISTORY:
            return table.history(argument)
        case PlayCommand.LINE:
            return [line(line_of(table.session, game.start, game.state))]
        case PlayCommand.SAVE:
            path = save_game(Path(argument), game, table.session, table.seed)
            return [line(Styled("saved", Style.GOOD), f" as {escape(path)}")]
        case _:
            return score_lines(game.engine, game.state)


def go(command: PlayCommand, argument: str, table: Table) -> None:
    """Go to another position, as a command says. Raises `RulesError`."""
    match command:
        case PlayCommand.UNDO:
            table.undoing.undo(int(argument or 1))
        case PlayCommand.REDO:
            table.undoing.redo(int(argument or 1))
        case PlayCommand.GOTO:
            table.game.go_to(int(argument))
        case _:
            table.game.take(argument)


def _hint_lines(table: Table, output: Output) -> Iterator[Line]:
    """The first action of the best plan found within `HINT_LIMITS`, and whether that is proved optimal."""
    game = table.game
    question = hint_question(game, table.opponents)
    from rulewright.studies.verified_plan import solve_verified

    with watching(Watch("searching"), output):
        result, steps = solve_verified(game.engine, game.state, question, HINT_LIMITS)
    go_on()  # an interrupt ended the search only
    yield from hint_lines(game, result, steps)


def _show(game: GameSession, output: Output) -> None:
    """Print the position and the legal actions."""
    output.line()
    print_position(game.engine, game.state, game.start.viewer, output)
    output.line()
    output.lines(_choices(game))


def _choices(game: GameSession) -> Iterator[Line]:
    """The legal actions by number."""
    texts = [escape(format_move(game.engine, game.state, move)) for move in game.legal]
    if not texts:
        yield line(Styled(describe_turn(game.engine, game.state), Style.STRONG))
    width = len(str(len(texts)))
    yield from (line(row) for row in columns([f"{n:>{width}} {text}" for n, text in enumerate(texts, 1)]))


def finish(game: GameSession, output: Output) -> None:
    """Print the score and the rank."""
    engine, state = game.engine, game.state
    score = engine.score(state)
    rank = engine.rank(score)
    course = course_of(engine, state, game.plies)
    output.document(Play, name=game.start.title, rules=engine.game.roots, players=engine.instance.players, **course)
    how = "at the end" if engine.over(state) else "so far"
    output.line(Styled(f"score {score} {how}", Style.STRONG), f"  {rank}" if rank else "")
    output.lines(standing_lines(engine, state))
