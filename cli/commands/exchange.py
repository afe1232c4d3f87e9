"""`rulewright export`, `import` and `share`: positions as other programs write them, or as a line of text, and back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from rulewright.api.named import Named
from rulewright.api.start import Start
from rulewright.base.atomic_write import write_together
from rulewright.base.diagnostics import RulesError, Sink, did_you_mean, file_error, usage_error
from rulewright.base.input_files import display_path, read_text
from rulewright.base.records import evolve
from rulewright.base.spans import NO_SPAN
from rulewright.base.styled_text import Style, Styled, counted, escape
from rulewright.cli.documents.positions import Export, Import, Share, ShareText
from rulewright.cli.names import is_folder, named
from rulewright.cli.option_types import limits_of_call
from rulewright.cli.views.output import Exit, Output
from rulewright.grammar.to_text import print_puzzle
from rulewright.grammar.tree.puzzles import Others, Puzzle
from rulewright.puzzles.catalogue import is_share_line
from rulewright.puzzles.formats.read import Record, read_record, records, with_box
from rulewright.puzzles.formats.write import write_record
from rulewright.rules.linking.alphabets import Alphabet, IdleField, alphabet_of
from rulewright.rules.model.game import Game
from rulewright.rules.model.state import State
from rulewright.studies.making.commission import parsed_goal

# `rulewright export`: a position as other programs write it -----------------------------------------------------------


def export_position(name: str, format: str, variant: str, output: Output) -> None:
    """Print the position of a puzzle in a format of its rules, by default their only one."""
    position = named(name, variant).position
    alphabet = format_of(position.engine.game, format, "--as")
    text = write_record(position, alphabet)
    output.document(Export, name=position.puzzle.name, format=alphabet.format.name, text=text)
    output.text(text)


def format_of(game: Game, name: str, option: str) -> Alphabet:
    """A format of a game by name; "" is the only one. Raises `RulesError` if there is none, with the option that names it."""
    formats = game.formats
    if not formats:
        raise usage_error(
            "the rules have no format", "declare one, as in `format plan of board:` with a `glyph` for each thing"
        )
    if not name and len(formats) > 1:
        raise usage_error("the rules have several formats", f"name one of them by `{option}`: {', '.join(formats)}")
    if name and name not in formats:
        help = did_you_mean(name, formats) or f"there is: {', '.join(formats)}"
        raise usage_error(f"the rules have no format `{name}`", help)
    alphabet = alphabet_of(game, formats[name or next(iter(formats))], Sink())
    assert alphabet is not None, "linking checks formats"
    return alphabet


# `import` -------------------------------------------------------------------------------------------------------------


LONGEST_NAME = 40


def import_file(file: Path, modules: str, format: str, goal: str, folder: Path | None, output: Output) -> None:
    """Print the puzzle of a file, or write all of its puzzles to a folder: all or none. Raises `RulesError`.

    `modules` give the rules; `format` names one of their formats ("": the file's suffix, or the only one); `goal` is a question
    ("": none).
    """
    game = named(modules).game
    suffix = file.suffix[1:].lower()
    alphabet = format_of(game, format or (suffix if suffix in game.formats else ""), "--format")
    cut = _records(file, alphabet)
    texts = {name: print_puzzle(puzzle) for name, puzzle in _puzzles(file, cut, alphabet, game, goal)}
    remarks = list(_left_out(cut, alphabet))
    if folder is None and len(texts) > 1:
        help = "give a folder for them, as in `-o mine`"
        raise usage_error(f"`{display_path(file)}` has {counted(len(texts), 'position')}", help)
    files: list[Path] = []
    if folder is not None:
        files = [folder / f"{name}.puzzle" for name in texts]
        for path in files:
            if path.exists():
                raise file_error(f"`{display_path(path)}` is there already", "choose another folder")
        folder.mkdir(parents=True, exist_ok=True)
        write_together(dict(zip(files, texts.values(), strict=True)), folder)
    printed = [] if files else list(texts.values())
    output.document(Import, rules=game.roots, names=list(texts), files=files, texts=printed, remarks=remarks)
    for remark in remarks:
        output.say(Styled(remark, Style.FAINT))
    if folder is not None:
        where = escape(display_path(folder))
        output.line(Styled("imported", Style.GOOD), f" {counted(len(texts), 'puzzle')} to {where}")
    for text in printed:
        output.text(text)


def _records(file: Path, alphabet: Alphabet) -> list[Record]:
    """The positions of a file, at least one. Raises `RulesError`."""
    sink = Sink()
    found = list(records(read_text(file, limits_of_call()), display_path(file), alphabet, sink))
    sink.stop()
    if not found:
        raise file_error(f"`{display_path(file)}` has no position", f"a position is written as `{alphabet.format.name}`")
    return found


def _left_out(cut: list[Record], alphabet: Alphabet) -> Iterator[str]:
    """A remark on words that no rule knows, where they are not as `export` writes them."""
    pairs = (pair for record in cut for pair in zip(alphabet.fields, record.words, strict=False))
    words = [word.text for field, word in pairs if isinstance(field, IdleField) and word.text != field.text]
    if words:
        known = f"{counted(len(words), 'word')} of which the rules know nothing, as `{words[0]}`"
        yield f"left out: {known}; `export` writes what the format says instead"


def _puzzles(file: Path, cut: list[Record], alphabet: Alphabet, game: Game, goal: str) -> Iterator[tuple[str, Puzzle]]:
    """The puzzles of a file by name, each a valid position. Raises `RulesError` with every error of the file."""
    sink = Sink()
    ask = parsed_goal(goal) if goal else None
    taken: set[str] = set()
    found: list[tuple[str, Puzzle]] = []
    for number, record in enumerate(cut, 1):
        name = _name(file, record, number if len(cut) > 1 else 0, taken)
        puzzle = read_record(record, alphabet, game, name, sink)
        if puzzle is None:
            continue
        try:
            puzzle = with_box(evolve(puzzle, ask=ask), game)
        except RulesError as error:
            sink.diagnostics += error.diagnostics
        found.append((name, puzzle))
    sink.stop()
    yield from found


def _name(file: Path, record: Record, number: int, taken: set[str]) -> str:
    """A name that no earlier position has: of the first remark if it is short, else of the file, with a number if need be."""
    stem = _identifier(file.stem) or "position"
    said = _identifier(record.remarks[0]) if record.remarks else ""
    name = said if said and not said[0].isdigit() and len(said) <= LONGEST_NAME else f"{stem}_{number}" if number else stem
    while name in taken:
        name = f"{name}_{number}"
    taken.add(name)
    return name


def _identifier(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")


# `share` --------------------------------------------------------------------------------------------------------------


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
    output.text(text)
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
