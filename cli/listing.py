"""`rulewright list`: what there is to play and to solve."""

from __future__ import annotations

from pathlib import Path

from ..puzzles import catalogue
from ..rules import loading
from .files import shown
from .output import Exit, Output
from .text import Style, Styled, counted, escape

TESTS = "tests"


def list_everything(output: Output) -> int:
    """Print every module and puzzle by name, those that ship and those of the current folder.

    What lies in folders called `tests` is there to be tested, not played: it can be named, but is not listed.
    """
    project = loading.Project(Path.cwd())
    known, entries = project.modules(), catalogue.Catalogue(project).entries()
    modules = {name: path for name, path in known.items() if not _is_for_tests(path, project.folder)}
    puzzles = [entry for entry in entries if not _is_for_tests(entry.path, project.folder)]
    output.document(
        {
            "modules": [{"name": name, "file": shown(path)} for name, path in modules.items()],
            "puzzles": [
                {"name": entry.name, "file": shown(entry.path), "rules": list(entry.rules), "answer": entry.answer}
                for entry in puzzles
            ],
        }
    )
    _table("modules", [(name, _origin(path)) for name, path in modules.items()], output)
    output.line()
    _table("puzzles", [(entry.name, f"{entry.text}  ({_origin(entry.path)})") for entry in puzzles], output)
    left_out = len(known) + len(entries) - len(modules) - len(puzzles)
    if left_out:
        output.line()
        output.line(Styled(f"not listed: {counted(left_out, 'file')} in folders called `{TESTS}`", Style.FAINT))
    return Exit.YES


def _is_for_tests(path: Path, folder: Path) -> bool:
    return path.is_relative_to(folder) and TESTS in path.relative_to(folder).parts[:-1]


def _origin(path: Path) -> str:
    """Whose file it is."""
    shipped = (loading.SHIPPED, catalogue.SHIPPED)
    return "ships" if any(path.resolve().is_relative_to(folder.resolve()) for folder in shipped) else shown(path)


def _table(title: str, rows: list[tuple[str, str]], output: Output) -> None:
    output.line(Styled(title, Style.STRONG))
    width = max((len(name) for name, _ in rows), default=0)
    for name, note in rows:
        output.line(f"  {escape(name).ljust(width)}  ", Styled(escape(note), Style.FAINT))
