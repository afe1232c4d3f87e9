"""Progress on standard error, if that is a terminal."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from rulewright.base.records import define, field

from .output import Output

if TYPE_CHECKING:
    from rich.text import Text

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

    def __rich__(self) -> Text:
        from rich.text import Text

        return Text(self.line())


@contextmanager
def watching(watch: Watch, output: Output) -> Iterator[None]:
    """Show the progress of a search on a line that is updated over time."""
    if not output.live:
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(watch):
        yield


@define
class _Status:
    """A text recomputed whenever it is shown."""

    text: Callable[[], str]

    def __rich__(self) -> Text:
        from rich.text import Text

        return Text(self.text())


@contextmanager
def status(text: Callable[[], str], output: Output) -> Iterator[None]:
    """Show a text on a line that is updated over time."""
    if not output.live:
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(_Status(text)):
        yield
