"""`rulewright rulebook`: the rules of a game in reading order, with pictures, as a page to read or to print."""

from __future__ import annotations

from pathlib import Path

from rulewright.base.atomic_write import write_atomically
from rulewright.base.input_files import display_path
from rulewright.cli.documents.rules import WrittenRulebook
from rulewright.cli.names import named
from rulewright.cli.rulebook.assembly import rulebook_of
from rulewright.cli.views.output import Output
from rulewright.cli.views.paths import check_writable


def write_rulebook(name: str, variant: str, file: Path | None, output: Output) -> None:
    """Write the rulebook of a game; what the modules of `variant` change is marked. Raises `RulesError` and `OSError`."""
    subject = named(name, variant)
    base = subject.combination
    game = subject.project.combine("+".join((*base.roots, variant))) if variant else base
    target = file or Path(f"{base.roots[0].rpartition('.')[2]}_rulebook.html")
    check_writable(target)
    book = rulebook_of(game, base, subject.catalogue)
    write_atomically(target, book.html)
    output.document(
        WrittenRulebook,
        file=display_path(target),
        rules=game.roots,
        chapters={chapter.title: len(chapter.sections) for chapter in book.chapters},
        figures=len(book.examples.allowed) + len(book.examples.refused),
    )
    output.say(f"wrote {display_path(target)}")
