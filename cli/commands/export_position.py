"""`rulewright export`: a position as other programs write it."""

from __future__ import annotations

from rulewright.base.diagnostics import Sink, did_you_mean, usage_error
from rulewright.base.styled_text import escape
from rulewright.cli.documents.positions import Export
from rulewright.cli.names import named
from rulewright.cli.views.output import Exit, Output
from rulewright.puzzles.formats.write import write_record
from rulewright.rules.linking.alphabets import Alphabet, alphabet_of
from rulewright.rules.model.game import Game


def export_position(name: str, format: str, variant: str, output: Output) -> int:
    """Print the position of a puzzle in a format of its rules, by default their only one."""
    position = named(name, variant).position
    alphabet = format_of(position.engine.game, format)
    text = write_record(position, alphabet)
    output.document(Export, name=position.puzzle.name, format=alphabet.format.name, text=text)
    for row in text.splitlines():
        output.line(escape(row))
    return Exit.YES


def format_of(game: Game, name: str) -> Alphabet:
    """A format of a game by name; "" is the only one. Raises `RulesError` if there is none."""
    formats = game.formats
    if not formats:
        raise usage_error(
            "the rules have no format", "declare one, as in `format plan of board:` with a `glyph` for each thing"
        )
    if not name and len(formats) > 1:
        raise usage_error("the rules have several formats", f"name one of them: {', '.join(formats)}")
    if name and name not in formats:
        help = did_you_mean(name, formats) or f"there is: {', '.join(formats)}"
        raise usage_error(f"the rules have no format `{name}`", help)
    alphabet = alphabet_of(game, formats[name or next(iter(formats))], Sink())
    assert alphabet is not None, "linking checks formats"
    return alphabet
