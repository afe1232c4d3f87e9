"""The table of exit codes in the documentation, held for every command."""

from __future__ import annotations

import functools
import re
from pathlib import Path

import pytest

from rulewright.base import ending
from rulewright.cli.app import _name, app
from rulewright.cli.views.output import Exit
from tests.cli.test_contract import PLAY
from tests.paths import ROOT

PAGE = (ROOT / "docs" / "exit_codes.md").read_text()
COMMANDS = sorted(_name(command) for command in app.registered_commands)

DONE = {
    "actions": ("actions", "narrows"),
    "check": ("check", "shoals"),
    "core": ("core", "narrows"),
    "diff": ("diff", "shoals", "bright"),
    "explain": ("explain", "RW012"),
    "fmt": ("fmt", "shoals.rules"),
    "list": ("list",),
    "make": ("make", "shoals", "--tiles", "2..4", "--count", "1", "--gap", "0", "--unique", "nothing", "--workers", "1"),
    "mutate": ("mutate", "shoals", "--workers", "1", "--sample", "1", "--seed", "1"),
    "new": ("new", "mine"),
    "page": ("page", "narrows"),
    "export": ("export", "sokoban_first_room"),
    "import": ("import", "levels.xsb", "--as", "classics.sokoban"),
    "perft": ("perft", "narrows", "2"),
    "play": ("play", "narrows"),
    "replay": ("replay", ".hidden/saved.play"),
    "score": ("score", "narrows"),
    "rulebook": ("rulebook", "classics.pig"),
    "share": ("share", "narrows"),
    "show": ("show", "narrows"),
    "simulate": ("simulate", "shoals", "--games", "3"),
    "solve": ("solve", "narrows"),
    "tree": ("tree", "worth", "--of", "bright"),
}
"""A call of each command with status 0; `lsp` and `studio` go on until they are ended, and the project has gaps and changes."""

NO = {
    "actions": [("--why", "lay bay north")],
    "diff": [("shoals", "bright", "--exit-code")],
    "fmt": [("--check", ".hidden/uneven.rules")],
    "make": [("shoals", "--tiles", "2..4", "--count", "9", "--time", "0")],
    "mutate": [("bright", "--workers", "1")],
    "replay": [(".hidden/ill.play",)],
    "review": [()],
    "solve": [("wrong_answer",), ("too_far",), (".", "--time", "0"), ("--many", "wrong_answer.puzzle", "too_far.puzzle")],
    "trace": [("combs",)],
}

UNPROVED = {
    "perft": [("narrows", "3", "--time", "0")],
    "solve": [
        ("narrows", "--time", "0"),
        ("unsaid", "--time", "0"),
        ("unsaid", "--time", "0", "--json"),
        ("unsaid", "--time", "0", "--engine", "cpsat"),
        ("narrows_counted", "--time", "0"),
        ("fair", "--time", "0"),
        ("--many", "fair", "--time", "0"),
        ("--many", "fair", "--time", "0"),  # known by now
    ],
}


@pytest.fixture
def files(folder: Path) -> None:
    """What the calls name besides the project."""
    hidden = folder / ".hidden"  # from commands that read the whole folder
    hidden.mkdir()
    (hidden / "saved.play").write_text(PLAY)
    (hidden / "ill.play").write_text(PLAY.replace("south", "north"))
    (hidden / "uneven.rules").write_text((folder / "shoals.rules").read_text().replace("shoals", "uneven") + "\n\n\n")
    (folder / "levels.xsb").write_text("#####\n#@$.#\n#####\n")
    narrows = (folder / "narrows.puzzle").read_text()
    (folder / "fair").mkdir()
    (folder / "fair" / "unsaid.puzzle").write_text(re.sub(" *answer:.*\n", "", narrows).replace("narrows:", "unsaid:"))


def rows(header: str) -> dict[str, list[str]]:
    """The rows of the table whose header begins so, by their first cell."""
    table = PAGE.partition(f"| {header} |")[2].partition("\n\n")[0]
    cells = [[cell.strip() for cell in row.strip("|").split("|")] for row in table.splitlines()[2:]]
    return {first.strip("`"): rest for first, *rest in cells}


def test_the_table_has_every_status() -> None:
    stopped = {ending.SIGNALED + number for number in (ending.signal.SIGINT, ending.signal.SIGTERM)}
    assert set(map(int, rows("Status"))) == {*map(int, Exit), *stopped}


def test_the_table_has_every_command() -> None:
    table = rows("Command")
    assert sorted(table) == COMMANDS
    assert {name for name, (no, _) in table.items() if no} == set(NO)
    assert {name for name, (_, unproved) in table.items() if unproved} == set(UNPROVED)


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("name", DONE)
def test_done(name: str, call) -> None:
    done = call(*DONE[name])
    assert done.status == 0, done


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(("name", "arguments"), [(name, call) for name, calls in NO.items() for call in calls])
def test_no(name: str, arguments: tuple[str, ...], call) -> None:
    arguments = ("narrows", *arguments) if name == "actions" else arguments
    done = call(name, *arguments)
    assert done.status == 1, done


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("name", UNPROVED)
def test_unproved(name: str, call) -> None:
    for arguments in UNPROVED[name]:
        done = call(name, *arguments)
        assert done.status == 10, (arguments, done)


@pytest.mark.parametrize("name", COMMANDS)
def test_wrong(name: str, call) -> None:
    done = call(name, "--no-such-option")
    assert done.status == 2
    assert not done.out and len(done.err.splitlines()) <= 2


def bug() -> None:
    raise RuntimeError("stumbled")


def interrupt() -> None:
    raise KeyboardInterrupt


def terminate() -> None:
    run = ending._of_this_run.get()
    assert run is not None
    run.status = 143  # as the handler does
    raise ending.Stopped


ENDS = ((bug, 3), (interrupt, 130), (terminate, 143))


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("name", COMMANDS)
def test_ends_of_all_commands(name: str, call, monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = DONE.get(name) or (name, *(NO[name][0] if name in NO else ()))
    command = next(one for one in app.registered_commands if _name(one) == name)
    for end, status in ENDS:

        def ended(*_: object, end=end, **__: object) -> int:
            end()
            return 0

        with monkeypatch.context() as patch:
            patch.setattr(command, "callback", functools.wraps(command.callback)(ended))
            done = call(*arguments)
        assert done.status == status, done
        assert "Traceback" not in done.err


@pytest.mark.parametrize(
    ("found", "worst"),
    [
        ((), Exit.YES),
        ((Exit.YES, Exit.UNPROVED), Exit.UNPROVED),
        ((Exit.UNPROVED, Exit.NO), Exit.NO),
        ((Exit.NO, Exit.WRONG, Exit.UNPROVED), Exit.WRONG),
        ((Exit.BUG, Exit.WRONG), Exit.BUG),
    ],
)
def test_the_gravest_status_holds(found: tuple[Exit, ...], worst: Exit) -> None:
    assert Exit.worst(found) is worst
