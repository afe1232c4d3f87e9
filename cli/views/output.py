"""Output streams: answers on standard output, messages about the run and its progress on standard error."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout, suppress
from enum import IntEnum
from io import StringIO, TextIOWrapper
from itertools import chain
from typing import TYPE_CHECKING, Protocol, TextIO, TypeVar

from rulewright.base.diagnostics import Diagnostic
from rulewright.base.records import define, evolve, field, frozen
from rulewright.base.render_diagnostics import render
from rulewright.base.styled_text import Line, Styled, escape, line
from rulewright.cli.option_types import limits_of_call

if TYPE_CHECKING:
    from rich.text import Text


STANDARD_OUTPUT = "standard output"

_ASCII = str.maketrans("─│┌┐└┘├┤┬┴┼╴╵╶╷·", "-|+++++++++-|-|.")


class Exit(IntEnum):
    """The exit statuses, as docs/exit_codes.md explains them. A run that is stopped ends with the number of the signal."""

    YES = 0
    NO = 1
    WRONG = 2
    BUG = 3
    UNPROVED = 10

    @staticmethod
    def worst(found: Iterable[Exit]) -> Exit:
        """The status of a run with several results."""
        return max(found, key=_GRAVITY.index, default=Exit.YES)


_GRAVITY = (Exit.YES, Exit.UNPROVED, Exit.NO, Exit.WRONG, Exit.BUG)


@frozen
class Output:
    """The two streams of a run. With `as_json`, `line` prints nothing and `document` is all of standard output."""

    as_json: bool = False

    def line(self, *parts: str | Styled) -> None:
        """Print a line of the answer."""
        if not self.as_json:
            with naming_standard_output():
                write(sys.stdout, line(*parts))

    def lines(self, lines: Iterable[Line]) -> None:
        for parts in lines:
            self.line(*parts)

    def blocks(self, blocks: Iterable[Iterable[Line]]) -> None:
        """Print lines with an empty one between blocks."""
        for number, lines in enumerate(blocks):
            self.lines(chain([line()] if number else [], lines))

    def text(self, text: str) -> None:
        """Print a text, line by line."""
        self.lines(line(escape(row)) for row in text.splitlines())

    def say(self, *parts: str | Styled) -> None:
        """Print a line about the run, if there is room for it."""
        with suppress(OSError):
            write(sys.stderr, line(*parts))

    def document(self, kind: type, /, *about: object, **given: object) -> None:
        """Print the JSON document, with `--json`; it is made by `document_of`."""
        if self.as_json:
            from rulewright.cli.documents.document import document_of

            document: object = document_of(kind, *about, **given)
            with naming_standard_output():
                print(json.dumps(document), flush=True)

    @contextmanager
    def paged(self) -> Iterator[None]:
        """Show the lines of the block page by page on a terminal, in the user's pager."""
        import shutil
        import subprocess

        pager = os.environ.get("PAGER") or shutil.which("less") or shutil.which("more")
        if self.as_json or not pager or not is_interactive(sys.stdout):
            yield
            return
        page = _Page()
        with redirect_stdout(page):
            yield
        # As git does: what fits on the screen stays there, colours are shown.
        environment = {"LESS": "FRX", **os.environ}
        subprocess.run(pager, shell=True, input=page.getvalue(), env=environment, check=False, encoding="utf-8")

    def wipe(self) -> None:
        """Clear a terminal and its scrollback."""
        if not self.as_json and is_interactive(sys.stdout):
            sys.stdout.write("\x1b[2J\x1b[3J\x1b[H")

    @property
    def live(self) -> bool:
        """Whether progress may be shown."""
        return not self.as_json and is_interactive(sys.stderr)


class _Page(StringIO):
    """What goes to a pager, as to the terminal."""

    encoding = "utf-8"

    def isatty(self) -> bool:
        return True


@contextmanager
def naming_standard_output() -> Iterator[None]:
    """Let an error of writing say where."""
    try:
        yield
    except OSError as error:
        error.filename = STANDARD_OUTPUT
        raise


def keep_to_ascii() -> None:
    """Write standard output in ASCII, whatever the terminal can show."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="ascii", errors="replace")


def is_interactive(stream: TextIO) -> bool:
    """Whether a stream is a terminal with colour and cursor control, and NO_COLOR is not set."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def write(stream: TextIO, parts: Line) -> None:
    """Write a line: coloured on a terminal, in ASCII if the encoding has nothing else."""
    # Whoever printed a name has escaped it; if not, it does no harm here.
    safe = [evolve(part, text=escape(part.text)) for part in parts]
    text = "".join(part.coloured() if is_interactive(stream) else part.text for part in safe).rstrip()
    if not (stream.encoding or "").lower().startswith("utf"):
        text = text.translate(_ASCII)
        text = text.encode(stream.encoding or "ascii", "replace").decode(stream.encoding or "ascii")
    stream.write(text + "\n")


def report(diagnostics: Sequence[Diagnostic], output: Output) -> None:
    """Report the errors that stopped a run: rendered on standard error, or as the JSON document."""
    from rulewright.cli.documents.common import Errors

    output.document(Errors, errors=[one for one in diagnostics if not one.warning])
    say_diagnostics(diagnostics, output)


def say_diagnostics(diagnostics: Iterable[Diagnostic], output: Output) -> None:
    """Render diagnostics on standard error, unless a JSON document lists them."""
    if not output.as_json:
        for diagnostic in diagnostics:
            for parts in render(diagnostic, limits_of_call()):
                output.say(*parts)


# Progress -------------------------------------------------------------------------------------------------------------


Item = TypeVar("Item")


def track(
    items: Iterable[Item], total: int, what: str, output: Output, size: Callable[[Item], int] = lambda _: 1
) -> Iterator[Item]:
    """The items as they arrive, with a progress bar that advances by their sizes."""
    if not output.live:
        yield from items
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=total)
        for item in items:
            progress.advance(task, size(item))
            yield item


@define
class Watch:
    """The progress of a search: called with new values, shown as a line."""

    what: str
    best: int | None = None
    bound: int | None = None
    states: int = 0
    began: float = field(factory=time.monotonic)

    def __call__(self, best: int | None, bound: int | None, states: int) -> None:
        self.best, self.bound, self.states = best, bound, states

    def line(self) -> str:
        """`searching  best 12, bound 14, gap 2 (14 %)  8 s  40,960 states`"""
        parts = [self.what]
        known = [] if self.best is None else [f"best {self.best}"]
        known += [] if self.bound is None else [f"bound {self.bound}"]
        if self.best is not None and self.bound is not None:
            gap = abs(self.bound - self.best)
            known.append(f"gap {gap} ({gap / max(1, abs(self.bound)):.0%})".replace("%", " %"))
        parts += [", ".join(known)] if known else []
        parts.append(f"{time.monotonic() - self.began:.0f} s")
        parts += [f"{self.states:,} states"] if self.states else []
        return "  ".join(parts)


class Watched(Protocol):
    """Work whose progress is a line of text."""

    def line(self) -> str: ...


@define
class _Status:
    """The line of some work, made anew whenever it is shown."""

    work: Watched

    def __rich__(self) -> Text:
        from rich.text import Text

        return Text(self.work.line())


@contextmanager
def watching(work: Watched, output: Output) -> Iterator[None]:
    """Show the progress of some work on a line that is updated over time."""
    if not output.live:
        yield
        return
    print(work.line(), end="\r", file=sys.stderr, flush=True)  # before the import, which takes a while
    from rich.console import Console

    with Console(stderr=True).status(_Status(work)):
        yield
