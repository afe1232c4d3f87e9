"""`rulewright new`: a starting folder for an author."""

from __future__ import annotations

from pathlib import Path

from rulewright.base.atomic_write import write_atomically
from rulewright.base.input_files import display_path
from rulewright.base.styled_text import Style, Styled, escape
from rulewright.cli.documents.rules import New
from rulewright.cli.views.output import Output
from rulewright.studies.making import starting_folder


def make_folder(folder: Path, of: str, output: Output) -> None:
    """Make the folder. Raises `RulesError`."""
    files = starting_folder.make_folder(folder, of, Path.cwd())
    rules = next(folder / file for file in files if file.endswith(".rules"))
    write_atomically(rules, rules.read_text("utf-8") + starting_folder.changes_to_try(folder, Path.cwd()))
    output.document(New, folder=folder, files=files)
    output.line(Styled("made", Style.GOOD), f" {escape(display_path(folder))}: see its README.md for the next steps")
