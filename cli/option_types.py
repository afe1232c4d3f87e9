"""Types of options and arguments shared by several commands, and the limits of a call."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer.models import ArgumentInfo, OptionInfo

from rulewright.base.diagnostics import did_you_mean, usage_error
from rulewright.base.limits import Limits

if TYPE_CHECKING:
    from .picture_files import PictureFiles


# The limits of a call -------------------------------------------------------------------------------------------------
# For texts and games, raised by `--limits nesting=128,nodes=200000`.


SAID: ContextVar[str] = ContextVar("SAID", default="")
"""The option `--limits` of this call; `main.run` gives every call its own context."""


def limits_of_call() -> Limits:
    """The limits of this call. Raises `RulesError` for an unknown limit or a value that is not a number."""
    return read_limits(SAID.get())


def read_limits(text: str) -> Limits:
    """Limits from `name=number, …`. Raises `RulesError`."""
    return Limits(**dict(_pairs(text)))


def _pairs(text: str) -> Iterator[tuple[str, int]]:
    known = {attribute.name for attribute in Limits.__attrs_attrs__}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _, number = (piece.strip() for piece in part.partition("="))
        if name not in known:
            help = did_you_mean(name, known) or f"limits: {', '.join(sorted(known))}"
            raise usage_error(f"there is no limit `{name}`", help)
        if not number.isdigit():
            raise usage_error(f"`{part}` has no number", f"write `{name}=1000`")
        yield name, int(number)


# Types of options and arguments shared by several commands ------------------------------------------------------------


def complete_puzzle(incomplete: str) -> list[str]:
    """What a shell may put in place of the beginning of a puzzle's name."""
    from .completion import puzzles

    return puzzles(incomplete)


def complete_module(incomplete: str) -> list[str]:
    """As `complete_puzzle`, for modules."""
    from .completion import modules

    return modules(incomplete)


def complete_name(incomplete: str) -> list[str]:
    """As `complete_puzzle`, for puzzles and modules."""
    from .completion import names

    return names(incomplete)


def complete_code(incomplete: str) -> list[str]:
    """As `complete_puzzle`, for codes of errors."""
    from .completion import codes

    return codes(incomplete)


def name_argument(metavar: str, help: str | None = None, completes: Callable[[str], list[str]] = complete_name) -> ArgumentInfo:
    """An argument that names puzzles or modules; `completes` is what a shell may put there."""
    return typer.Argument(metavar=metavar, help=help, autocompletion=completes)  # type: ignore[no-any-return]


def name_option(option: str, metavar: str, help: str, completes: Callable[[str], list[str]] = complete_name) -> OptionInfo:
    """As `name_argument`, for an option."""
    return typer.Option(option, metavar=metavar, help=help, autocompletion=completes)  # type: ignore[no-any-return]


def file_option(help: str, metavar: str = "FILE") -> OptionInfo:
    """An option that names a file."""
    return typer.Option(metavar=metavar, help=help)  # type: ignore[no-any-return]


def output_option(metavar: str, help: str) -> OptionInfo:
    """The option that names what a command writes."""
    return typer.Option("-o", "--output", metavar=metavar, help=help)  # type: ignore[no-any-return]


def memory_option(help: str) -> OptionInfo:
    """An option that limits memory, in MiB."""
    return typer.Option(min=LEAST_MEMORY, metavar="MIB", help=help)  # type: ignore[no-any-return]


MOST_WORKERS, LEAST_MEMORY, MOST_DEPTH = 64, 320, 10_000
"""Most and least that an option takes; memory in MiB."""

Json = Annotated[bool, typer.Option("--json", help="Print a single JSON document and nothing else.")]
PuzzleName = Annotated[
    str, name_argument("PUZZLE", "A path or a name; `rulewright list` shows the names.", completes=complete_puzzle)
]
AnyName = Annotated[str, name_argument("PUZZLE|MODULE", "A path or a name; A+B links several modules.")]
ShownName = Annotated[str, name_argument("PUZZLE|MODULE|FOLDER", "A path or a name; a folder means all its files.")]
Players = Annotated[int | None, typer.Option(min=1, help="The number of players; by default the fewest the rules allow.")]
Seed = Annotated[int, typer.Option(help="The random seed.")]
Workers = Annotated[int, typer.Option(min=1, max=MOST_WORKERS, help="The number of processors to use.")]
Cluster = Annotated[
    str, typer.Option("--cluster", metavar="ADDRESS", help="Use a Dask cluster instead: tcp:// or tls://HOST:8786.")
]
Seconds = Annotated[float, typer.Option("--time", min=0, help="The time limit of each answer, in seconds.")]
Modules = Annotated[
    list[str], name_argument("MODULE…", "Modules, each by itself; a folder means all its modules.", completes=complete_module)
]
Evidence = Annotated[
    list[str] | None,
    name_option("--on", "FILES", "Puzzles, saved games or folders; by default all available.", completes=complete_puzzle),
]
Svg = Annotated[Path | None, file_option("Write an SVG picture to this file.")]
Png = Annotated[Path | None, file_option("Write a PNG picture to this file (needs the package resvg-py).")]
Ascii = Annotated[bool, typer.Option("--ascii", help="Draw with ASCII characters only.")]
Dark = Annotated[bool, typer.Option("--dark", help="Draw dark pictures and pages; by default, pages follow the system.")]
Caption = Annotated[str, typer.Option(metavar="TEXT", help="Write this below a picture, not the title and the question.")]
BoardOnly = Annotated[bool, typer.Option("--board-only", help="Draw only the boards, not what stands beside them.")]
Variant = Annotated[
    str, name_option("--variant", "FILE|MODULE", "Also apply the changes of this module.", completes=complete_module)
]


def files_of(
    svg: Path | None = None,
    png: Path | None = None,
    html: Path | None = None,
    dark: bool = False,
    csv: Path | None = None,
    caption: str = "",
    board_only: bool = False,
    moves: str = "",
) -> PictureFiles | None:
    """The picture files that the options name; None if there are none."""
    if not any((svg, png, html, csv)):
        return None
    from rulewright.cli.picture_files import PictureFiles
    from rulewright.pictures.scene import PictureOptions

    return PictureFiles(svg, png, html, PictureOptions(dark=dark, board_only=board_only), csv, caption, moves)
