"""Journals named on the command line, opened with errors in the user's words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rulewright.base.diagnostics import file_error, usage_error
from rulewright.base.input_files import display_path
from rulewright.base.styled_text import Style, Styled, counted
from rulewright.cli.views.output import Output
from rulewright.cli.views.paths import check_writable
from rulewright.studies.journal import Journal, JournalInUse, Kept, NoJournal


@contextmanager
def open_journal(path: Path, from_json: Callable[[dict[str, Any]], Kept], what: str, output: Output) -> Iterator[Journal[Kept]]:
    """A journal of `what`, a word in the plural; skipped lines are mentioned. Raises `RulesError`."""
    check_writable(path)
    try:
        with Journal(path, from_json) as journal:
            yield journal
    except JournalInUse:
        raise usage_error(
            f"another run is writing to `{display_path(path)}`", "wait for it, or use another `--journal`"
        ) from None
    except NoJournal:
        raise file_error(f"`{display_path(path)}` is not a journal of {what}", "choose another file with `--journal`") from None
    if journal.unread:
        output.say(Styled("skipped", Style.WARNING), f" {counted(journal.unread, 'line')} of `{display_path(path)}`: no {what}")
