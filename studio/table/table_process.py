"""The process that shows boards to one page; if rules without end hang it, it is killed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from rulewright.base.diagnostics import RulesError
from rulewright.base.refusals import Refused, number_in, object_in, refusal_of, text_in, texts_in
from rulewright.base.spans import Span
from rulewright.pictures.scene import PictureOptions, thing_of
from rulewright.rules.model import types
from rulewright.rules.play.history import history, subject_named
from rulewright.rules.play.move_notation import format_move
from rulewright.rules.play.why_illegal import Prospect, Prospects
from rulewright.studio.folder.studio_folder import StudioFolder
from rulewright.workers.line_server import Report, serve_lines

from .board import Board, Course, Table
from .board_view import Places, changes_between, entry_data, failure_data, view_of
from .new_puzzle import puzzle_text, text_with_answer

MEMORY_MIB = 2048
"""Most memory of the process."""

MOST_NAMED = 200
"""The maximum number of legal actions listed for a thing."""


def answered(tables: dict[Path, tuple[Table, Table]], request: dict[str, Any], report: Report) -> dict[str, Any]:
    """The answer to a request; `tables` keeps what was read, by folder."""
    folder = Path(text_in(request, "folder"))
    if folder not in tables:
        tables[folder] = Table(folder), Table(folder)
    table, saved = tables[folder]
    place = partial(_place, StudioFolder(folder))
    board = Board.from_data(object_in(request, "board"))
    return DUTIES[text_in(request, "do")](table, saved, board, request, place)


def _place(folder: StudioFolder, span: Span) -> dict[str, Any]:
    name = folder.name_of(Path(span.source))
    return {} if name is None else {"file": name, "line": span.line, "column": span.column}


def _show(table: Table, saved: Table, board: Board, request: dict[str, Any], place: Places) -> dict[str, Any]:
    """The board, and its differences from the texts before the latest edit."""
    course = table.course(board)
    options = PictureOptions(number_in(request, "cell", 16, 256, 56), bool(request.get("dark")), things=True)
    return {**view_of(course, options, place), "files": list(_files(table, board)), "changes": _changes(saved, request, course)}


def _files(table: Table, board: Board) -> dict[str, Path]:
    """The files of the folder that the start of a board depends on, itself among them, by name."""
    folder = StudioFolder(table.folder)
    paths = (*table.workspace.closure([board.start]).readings, board.start)
    return {name: path for path in paths if (name := folder.name_of(path)) and not name.startswith(":")}


def _changes(saved: Table, request: dict[str, Any], after: Course) -> dict[str, Any] | None:
    if request.get("before") is None:
        return None
    try:
        return changes_between(saved.course(Board.from_data(object_in(request, "before"))), after)
    except (RulesError, OSError) as error:
        return {"none": refusal_of(error)["message"]}


def _explain(table: Table, saved: Table, board: Board, request: dict[str, Any], place: Places) -> dict[str, Any]:
    """The legal actions with a thing of the picture, or why there are none, for each action."""
    course = table.course(board)
    engine, state = course.engine, course.state
    try:
        type, value = thing_of(text_in(request, "thing"))
    except ValueError:
        raise Refused("nothing on the board has this name") from None
    known = value in range(1, len(engine.game.tiles) + 1)
    if isinstance(type, types.Cell):
        known = type.space in engine.instance.windows and value in range(engine.instance.windows[type.space].size)
    if not known:
        raise Refused("nothing on the board has this name")

    def told(prospect: Prospect) -> dict[str, Any]:
        if prospect.legal:
            return {"legal": [format_move(engine, state, move) for move in prospect.legal[:MOST_NAMED]]}
        reasons = [failure_data(failure, place) for failure in prospect.failures]
        return {"attempt": format_move(engine, state, prospect.attempt), "reasons": reasons}

    return {"prospects": [told(prospect) for prospect in Prospects(engine, state).of(type, value)], "over": engine.over(state)}


def _history(table: Table, saved: Table, board: Board, request: dict[str, Any], place: Places) -> dict[str, Any]:
    """What wrote a variable, zone or cell since the start of play; in a game, since before its set-up."""
    course = table.course(board)
    name, engine = text_in(request, "name"), course.engine
    subject = subject_named(engine, name)
    seed = board.seed if course.start.position is None else None
    entries = history(engine, course.start.state, [ply.text for ply in course.plies], seed)
    found = (one for one in entries if subject.is_in(engine, course.state, course.start.viewer, one.change))
    return {"changes": [entry_data(course, one, place) for one in found]}


def _write_puzzle(table: Table, saved: Table, board: Board, request: dict[str, Any], place: Places) -> dict[str, Any]:
    """The text of a puzzle of the position on the board."""
    course = table.course(board)
    rules = texts_in(request, "rules") or list(course.start.rules)
    found = table.workspace.modules()
    if missing := [name for name in rules if name not in found]:
        raise Refused(f"there is no module `{missing[0]}`")
    game = table.workspace.link([found[name] for name in rules]).load()
    name, ask, text = text_in(request, "name"), text_in(request, "ask"), text_in(request, "text", "")
    return {"text": puzzle_text(course, game, name, ask, text)}


def _write_answer(table: Table, saved: Table, board: Board, request: dict[str, Any], place: Places) -> dict[str, Any]:
    """The text of a puzzle with an expected answer."""
    table.start(board)
    return {"text": text_with_answer(table.workspace, board.start, text_in(request, "answer"))}


def _texts(table: Table, saved: Table, board: Board, request: dict[str, Any], place: Places) -> dict[str, Any]:
    """The texts that the start of a board depends on, by name; also where they have errors."""
    table.workspace.open = dict(board.texts)
    table.workspace.files_changed()
    return {"files": {name: table.workspace.text(path) for name, path in _files(table, board).items()}}


Duty = Callable[[Table, Table, Board, dict[str, Any], Places], dict[str, Any]]

DUTIES: dict[str, Duty] = {
    "show": _show,
    "texts": _texts,
    "explain": _explain,
    "history": _history,
    "write_puzzle": _write_puzzle,
    "write_answer": _write_answer,
}
"""The handlers of the page's requests, by name."""


if __name__ == "__main__":
    serve_lines(partial(answered, {}), MEMORY_MIB)
