"""`rulewright fmt`: files in their one layout."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

from ..grammar.classes import frozen
from ..grammar.diagnostics import Diagnostic, RulesError
from ..grammar.formatting import format_text
from ..rules.loading import files_below, read_text
from .files import shown, shown_safely, write_whole
from .output import Exit, Output
from .refusals import FILE, USAGE, refusal
from .text import Line, Style, Styled, counted, escape, line

SUFFIXES = (".rules", ".puzzle")


@frozen
class Formatted:
    """A file before and after."""

    path: Path
    before: str
    after: str

    @property
    def changes(self) -> bool:
        return self.before != self.after


def format_files(paths: Sequence[Path], check: bool, diff: bool, output: Output) -> int:
    """Format files, and those in folders, in place; with `check` or `diff` only say what would change. What has errors is left
    alone."""
    formatted: list[Formatted] = []
    problems: list[Diagnostic] = []
    for path in dict.fromkeys(chain.from_iterable(map(_files, paths))):
        try:
            formatted.append(_format(path))
        except RulesError as error:
            problems += error.diagnostics
    changed = [file for file in formatted if file.changes]
    for file in changed:
        if diff:
            output.lines(_difference(file))
        if not check and not diff:
            write_whole(file.path, file.after)
        if check or not diff:
            output.line(f"{'would change' if check or diff else 'changed'} {shown_safely(file.path)}")
    if problems:
        raise RulesError(tuple(problems))
    output.document({"files": [{"file": shown(file.path), "changed": file.changes} for file in formatted]})
    output.say(f"{counted(len(changed), 'file')} {'would change' if check or diff else 'changed'} of {len(formatted)}")
    return Exit.NO if check and changed else Exit.YES


def _files(path: Path) -> list[Path]:
    """The file itself, or the files in a folder and in those below it."""
    if not path.is_dir():
        return [path]
    found = [file for suffix in SUFFIXES for file in files_below(path, suffix)]
    if not found:
        raise refusal(FILE, f"there are no `*.rules` or `*.puzzle` files in `{shown(path)}`")
    return found


def _format(path: Path) -> Formatted:
    if path.suffix not in SUFFIXES:
        raise refusal(USAGE, f"`{shown(path)}` is neither a `*.rules` nor a `*.puzzle` file")
    if not path.is_file():
        raise refusal(FILE, f"there is no file `{shown(path)}`")
    text = read_text(path)
    # What is read has no carriage returns; a file that has some changes.
    windows = b"\r\n" in path.read_bytes()
    return Formatted(path, text.replace("\n", "\r\n") if windows else text, format_text(text, str(path)))


def _difference(file: Formatted) -> Iterator[Line]:
    name = shown(file.path)
    before, after = file.before.splitlines(), file.after.splitlines()
    for text in difflib.unified_diff(before, after, name, f"{name} (formatted)", lineterm=""):
        style = {"+": Style.GREEN, "-": Style.RED, "@": Style.CYAN}.get(text[:1], Style.PLAIN)
        yield line(Styled(escape(text), style))
