"""`rulewright fmt`: the formatter."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path

from rulewright.base.atomic_write import write_atomically
from rulewright.base.diagnostics import Diagnostic, RulesError, file_error, usage_error
from rulewright.base.input_files import SUFFIXES, decoded, display_path, encoded_as, files_below, read_bytes, require_regular
from rulewright.base.records import frozen
from rulewright.base.styled_text import Line, Style, Styled, counted, escape, escaped_path, line
from rulewright.cli.documents.rules import Fmt
from rulewright.cli.views.output import Exit, Output
from rulewright.grammar.formatter import format_text


@frozen
class Formatted:
    """A file before and after."""

    path: Path
    before: bytes
    after: bytes

    @property
    def changes(self) -> bool:
        return self.before != self.after


def format_files(paths: Sequence[Path], check: bool, diff: bool, output: Output) -> int:
    """Format files and folders in place; with `check` or `diff` only print what would change. Files with errors are left
    unchanged."""
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
            write_atomically(file.path, file.after)
        if check or not diff:
            output.line(f"{'would change' if check or diff else 'changed'} {escaped_path(file.path)}")
    if problems:
        raise RulesError(tuple(problems))
    output.document(Fmt, files=formatted)
    output.say(f"{counted(len(changed), 'file')} {'would change' if check or diff else 'changed'} of {len(formatted)}")
    return Exit.NO if check and changed else Exit.YES


def _files(path: Path) -> list[Path]:
    """The file itself, or the files in a folder and its subfolders."""
    if not path.is_dir():
        return [path]
    found = [file for suffix in SUFFIXES for file in files_below(path, suffix)]
    if not found:
        raise file_error(f"there are no `*.rules` or `*.puzzle` files in `{display_path(path)}`")
    return found


def _format(path: Path) -> Formatted:
    if path.suffix not in SUFFIXES:
        raise usage_error(f"`{display_path(path)}` is neither a `*.rules` nor a `*.puzzle` file")
    require_regular(path)
    if not path.is_file():
        raise file_error(f"there is no file `{display_path(path)}`")
    content = read_bytes(path)
    return Formatted(path, content, encoded_as(format_text(decoded(content, str(path)), str(path)), content))


def _difference(file: Formatted) -> Iterator[Line]:
    name = display_path(file.path)
    before, after = (decoded(content, name).split("\n") for content in (file.before, file.after))
    for text in difflib.unified_diff(before, after, name, f"{name} (formatted)", lineterm=""):
        style = {"+": Style.GREEN, "-": Style.RED, "@": Style.CYAN}.get(text[:1], Style.PLAIN)
        yield line(Styled(escape(text), style))
