"""File names as the commands print them."""

from __future__ import annotations

from pathlib import Path

from rulewright.base.records import frozen
from rulewright.cli.usage_errors import file_error

from .styled_text import escape


@frozen
class PageFile:
    """An HTML page to write. Without `dark`, it is dark where the reader's system is."""

    path: Path
    dark: bool = False


def display_path(path: str | Path) -> str:
    """A path for people and scripts: relative to the current folder for files in it, with `/` as the separator."""
    name = Path(path)
    if name.is_absolute():
        try:
            return name.relative_to(Path.cwd()).as_posix()
        except ValueError:
            return str(name)
    return name.as_posix()


def escaped_path(path: str | Path) -> str:
    """`display_path` with control characters made visible, for a terminal."""
    return escape(display_path(path))


def check_writable(path: Path) -> None:
    """Raises `RulesError` for an unwritable file, before time is spent on its contents."""
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise file_error(f"`{display_path(path)}` cannot be written", "choose a file in an existing folder")
