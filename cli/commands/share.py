"""`rulewright share`: converts a position to a line of text, and back."""

from __future__ import annotations

from attrs import evolve

from rulewright.api.named import Named
from rulewright.api.start import Start
from rulewright.base.diagnostics import usage_error
from rulewright.base.spans import NO_SPAN
from rulewright.base.styled_text import escape
from rulewright.cli.documents.positions import Share, ShareText
from rulewright.cli.names import is_folder, named
from rulewright.cli.views.output import Exit, Output
from rulewright.grammar.tree.puzzles import Others, Puzzle
from rulewright.puzzles.catalogue import is_share_line
from rulewright.rules.model.state import State


def share_position(name: str, variant: str, players: int | None, seed: int, output: Output) -> int:
    """Print the line of a puzzle, or of a game after its set-up."""
    if is_folder(name):
        raise usage_error("a share line holds a single position", "name a puzzle or a module")
    session = named(name, variant)
    start = session.start(players, seed)
    written = line_of(session, start, start.state)
    output.document(Share, name=start.title, rules=session.rules, line=written)
    output.line(written)
    return Exit.YES


def print_shared(line: str, output: Output) -> int:
    """Print the puzzle in a line, whatever the local rules are. Raises `RulesError` if the line is damaged."""
    from rulewright.puzzles.share_line import read_share_line

    if not is_share_line(line):
        raise usage_error("`--text` needs a share line", "a share line begins with `rw2:`")
    text = read_share_line(line).text
    output.document(ShareText, text=text)
    for row in text.splitlines():
        output.line(escape(row))
    return Exit.YES


def line_of(session: Named, start: Start, state: State) -> str:
    """The line of a state of play; at the start of a puzzle, of the puzzle as written."""
    from rulewright.grammar.from_text import parse_puzzle
    from rulewright.puzzles.to_text import write_position

    rules = tuple((name, NO_SPAN) for name in session.rules)
    if start.position is not None and state == start.state:
        puzzle = evolve(start.position.puzzle, rules=rules)
    else:
        ask = None if start.position is None else start.position.puzzle.ask
        if ask is not None and ask.others is not None and ask.others.play is Others.GIVEN:
            ask = None  # given plans apply to the start of the puzzle
        name = start.position.puzzle.name if start.position else start.engine.game.roots[-1].rpartition(".")[2]
        text = write_position(start.engine, state, name, session.rules, text=start.text, ask=ask)
        puzzle = parse_puzzle(text, start.title)
    return puzzle_line(session, puzzle)


def puzzle_line(session: Named, puzzle: Puzzle) -> str:
    """The line of a puzzle, or of a position, under the rules that a session names."""
    from rulewright.puzzles.share_line import rules_digest, write_share_line

    parts = [name for name, _ in session.puzzle.rules] if session.is_puzzle else [session.name]
    named = "+".join(filter(None, (*parts, session.variant)))
    return write_share_line(puzzle, rules_digest(session.project.modules_of(named)))
