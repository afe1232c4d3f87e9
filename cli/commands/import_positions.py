"""`rulewright import`: positions of other programs as puzzles."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from attrs import evolve

from rulewright.base.atomic_write import write_together
from rulewright.base.diagnostics import RulesError, Sink, file_error, usage_error
from rulewright.base.input_files import display_path, read_text
from rulewright.base.records import frozen
from rulewright.base.styled_text import Style, Styled, counted, escape
from rulewright.cli.commands.export_position import format_of
from rulewright.cli.documents.positions import Import
from rulewright.cli.limits import limits_of_call
from rulewright.cli.names import named
from rulewright.cli.views.output import Exit, Output
from rulewright.grammar.to_text import print_puzzle
from rulewright.grammar.tree.puzzles import Puzzle
from rulewright.puzzles.formats.read import read_record, with_box
from rulewright.puzzles.formats.records import Record, records
from rulewright.rules.model.game import Game
from rulewright.studies.making.commission import parsed_goal

LONGEST_NAME = 40


@frozen
class ImportOptions:
    """`modules` give the rules, `format` the name of one of their formats ("": the only one), `goal` a question ("": none)."""

    modules: str
    format: str
    goal: str
    folder: Path | None


def import_file(file: Path, options: ImportOptions, output: Output) -> int:
    """Print the puzzle of a file, or write all of its puzzles to a folder: all or none. Raises `RulesError`."""
    game = named(options.modules).game
    found = list(_puzzles(file, options, game))
    texts = {name: print_puzzle(puzzle) for name, puzzle in found}
    if options.folder is None and len(texts) > 1:
        help = "give a folder for them, as in `-o mine`"
        raise usage_error(f"`{display_path(file)}` has {counted(len(texts), 'position')}", help)
    files: list[Path] = []
    if options.folder is not None:
        files = [options.folder / f"{name}.puzzle" for name in texts]
        for path in files:
            if path.exists():
                raise file_error(f"`{display_path(path)}` is there already", "choose another folder")
        options.folder.mkdir(parents=True, exist_ok=True)
        write_together(dict(zip(files, texts.values(), strict=True)), options.folder)
    output.document(Import, rules=game.roots, names=list(texts), files=files, texts=[] if files else list(texts.values()))
    if options.folder is not None:
        where = escape(display_path(options.folder))
        output.line(Styled("imported", Style.GOOD), f" {counted(len(texts), 'puzzle')} to {where}")
        return Exit.YES
    for text in texts.values():
        for row in text.splitlines():
            output.line(escape(row))
    return Exit.YES


def _puzzles(file: Path, options: ImportOptions, game: Game) -> Iterator[tuple[str, Puzzle]]:
    """The puzzles of a file by name, each a valid position. Raises `RulesError` with every error of the file."""
    sink = Sink()
    alphabet = format_of(game, options.format)
    ask = parsed_goal(options.goal) if options.goal else None
    cut = list(records(read_text(file, limits_of_call()), display_path(file), alphabet, sink))
    sink.stop()
    if not cut:
        raise file_error(f"`{display_path(file)}` has no position", f"a position is written as `{alphabet.format.name}`")
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
