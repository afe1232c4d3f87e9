"""`rulewright list`: the modules, and the puzzles by game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from rulewright.base.diagnostics import did_you_mean, usage_error
from rulewright.base.input_files import TESTS, display_path, is_for_tests, is_within
from rulewright.base.styled_text import Style, Styled, counted, escape, line
from rulewright.cli.documents.document import document_of
from rulewright.cli.documents.rules import ListedPuzzle, Listing
from rulewright.cli.names import current_project, is_folder, project_of, say_left_out
from rulewright.cli.views.output import Output
from rulewright.puzzles import catalogue
from rulewright.puzzles.catalogue import Catalogue, ModuleSummary, PuzzleSummary
from rulewright.rules.linking.project import SHIPPED


def list_catalogue(word: str, all: bool, output: Output) -> None:
    """Print the modules and puzzles in a folder, or whose name, text or modules contain a word; an empty word selects all.

    A puzzle without a question only tests which positions and moves are legal. Without `all`, such puzzles and files in folders
    called `tests` are left out; both can still be named.
    """
    folder = Path(word) if is_folder(word) else None
    known = Catalogue(current_project() if folder is None else project_of(folder))
    root = folder or known.project.folder

    def is_meant(entry: ModuleSummary | PuzzleSummary, *texts: str) -> bool:
        if folder is not None:
            return is_within(entry.path, folder)
        return any(word.lower() in text.lower() for text in (entry.name, entry.text, *texts))

    modules = [one for one in known.modules.values() if is_meant(one, *one.extends)]
    puzzles = [one for one in known.puzzles if is_meant(one, *one.rules, known.game_of(one.rules))]
    say_left_out(root)
    if word and not modules and not puzzles:
        message, meant = f"nothing matches `{escape(word)}`", did_you_mean(word, {*known.modules, *known.names})
        if folder is not None:
            message, meant = f"there is no module or puzzle in `{display_path(word)}`", ""
        raise usage_error(message, meant or "`rulewright list` shows everything")
    for_tests = silent = 0
    if not all:
        found = len(modules) + len(puzzles)
        modules = [module for module in modules if not is_for_tests(module.path, root)]
        puzzles = [puzzle for puzzle in puzzles if not is_for_tests(puzzle.path, root)]
        for_tests = found - len(modules) - len(puzzles)
        silent = sum(not puzzle.asks for puzzle in puzzles)
        puzzles = [puzzle for puzzle in puzzles if puzzle.asks]
    games = _by_game(known, puzzles)
    listed = [document_of(ListedPuzzle, puzzle, game=game) for game, puzzles in games.items() for puzzle in puzzles]
    output.document(Listing, modules=modules, puzzles=listed, left_out=for_tests + silent)
    left_out = [f"{counted(for_tests, 'file')} in folders called `{TESTS}`"] if for_tests else []
    left_out += [f"{counted(silent, 'puzzle')} without a question"] if silent else []
    with output.paged():
        _print({"modules": modules} | {f"puzzles of {game}": found for game, found in games.items()}, output)
        if left_out:
            output.lines([line()] if modules or games else [])
            output.line(Styled(f"not listed: {', '.join(left_out)}; `--all` lists them", Style.FAINT))


def _by_game(known: Catalogue, puzzles: Iterable[PuzzleSummary]) -> dict[str, list[PuzzleSummary]]:
    games: dict[str, list[PuzzleSummary]] = {}
    for puzzle in puzzles:
        games.setdefault(known.game_of(puzzle.rules), []).append(puzzle)
    return dict(sorted(games.items()))


def _print(tables: Mapping[str, Sequence[ModuleSummary | PuzzleSummary]], output: Output) -> None:
    tables = {title: entries for title, entries in tables.items() if entries}
    width = max((len(entry.name) for entries in tables.values() for entry in entries), default=0)
    for number, (title, entries) in enumerate(tables.items()):
        if number:
            output.line()
        output.line(Styled(escape(title), Style.STRONG))
        facts = [_facts(entry) for entry in entries]
        column = max(map(len, facts))
        for entry, said in zip(entries, facts, strict=True):
            note = "  ".join(filter(None, (entry.text, _own_path(entry.path))))
            before = f"  {escape(entry.name).ljust(width)}  " + (f"{escape(said).ljust(column)}  " if column else "")
            output.line(before, Styled(escape(note), Style.FAINT))


def _facts(entry: ModuleSummary | PuzzleSummary) -> str:
    """`grade 2, 8 moves, sacrifice`: what a puzzle says of itself."""
    if isinstance(entry, ModuleSummary):
        return ""
    facts = [f"grade {entry.grade}"] if entry.grade else []
    facts += [counted(entry.length.count, entry.length.of)] if entry.length else []
    return ", ".join((*facts, *entry.themes))


def _own_path(path: Path) -> str:
    """The path, in parentheses, of a file outside the library."""
    ships = any(path.resolve().is_relative_to(folder.resolve()) for folder in (SHIPPED, catalogue.SHIPPED))
    return "" if ships else f"({display_path(path)})"
