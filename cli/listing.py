"""`rulewright list`: what there is to play and to solve."""

from __future__ import annotations

from pathlib import Path

from ..puzzles import catalogue
from ..rules import loading
from .files import shown
from .output import Exit, Output
from .text import Style, Styled, escape


def list_everything(output: Output) -> int:
    """Print every module and puzzle by name, those that ship and those of the current folder."""
    project = loading.Project(Path.cwd())
    modules, puzzles = project.modules(), catalogue.Catalogue(project).entries()
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
    return Exit.YES


def _origin(path: Path) -> str:
    """Whose file it is."""
    shipped = (loading.SHIPPED, catalogue.SHIPPED)
    return "ships" if any(path.resolve().is_relative_to(folder.resolve()) for folder in shipped) else shown(path)


def _table(title: str, rows: list[tuple[str, str]], output: Output) -> None:
    output.line(Styled(title, Style.STRONG))
    width = max((len(name) for name, _ in rows), default=0)
    for name, note in rows:
        output.line(f"  {escape(name).ljust(width)}  ", Styled(escape(note), Style.FAINT))
