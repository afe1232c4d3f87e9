"""Progress on standard error, for those who watch: nothing where nobody does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Protocol

from .output import Output
from .tally import Tally


class Report(Protocol):
    """Says how far the work is."""

    def __call__(self, text: str) -> None: ...


def track(tallies: Iterable[Tally], total: int, what: str, output: Output) -> Iterator[Tally]:
    """The tallies as they come, with a bar that grows by their games."""
    if not output.live:
        yield from tallies
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=total)
        for tally in tallies:
            progress.advance(task, tally.games)
            yield tally


@contextmanager
def status(what: str, output: Output) -> Iterator[Report]:
    """A line that says what is going on and how far it is."""
    if not output.live:
        yield lambda text: None
        return
    from rich.console import Console
    from rich.text import Text

    with Console(stderr=True).status(Text(what)) as shown:
        yield lambda text: shown.update(Text(f"{what} {text}"))
