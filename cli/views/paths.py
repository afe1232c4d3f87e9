"""File names as the commands print them."""

from __future__ import annotations

from pathlib import Path

from .styled_text import escape


def display_path(path: str | Path) -> str:
    """A path for people and scripts: relative to the current folder where the file is inside, with `/` between the parts."""
    name = Path(path)
    if name.is_absolute():
        try:
            return name.relative_to(Path.cwd()).as_posix()
        except ValueError:
            return str(name)
    return name.as_posix()


def escaped_path(path: str | Path) -> str:
    """The same with control characters made visible, for a terminal."""
    return escape(display_path(path))
