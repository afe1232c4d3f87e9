"""`rulewright replay`: replays a saved game and verifies its recorded scores."""

from __future__ import annotations

from pathlib import Path

from rulewright.api.named import project_folder
from rulewright.base.diagnostics import file_error
from rulewright.base.input_files import display_path, require_regular
from rulewright.base.styled_text import Style, Styled, counted, escape
from rulewright.cli.documents.positions import History, Replay, ReplayRefused
from rulewright.cli.views.output import Exit, Output, say_diagnostics
from rulewright.cli.views.state_document import change_of, course_of
from rulewright.cli.views.state_view import history_lines, standing_lines
from rulewright.puzzles.catalogue import Catalogue
from rulewright.puzzles.plan_replay import PlanError
from rulewright.puzzles.saved_games import SavedGame, begin_saved_game, read_saved_game, replay_saved_game
from rulewright.rules.linking.project import Project
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.history import history, subject_named
from rulewright.rules.play.visibility import Viewer


def replay_file(path: Path, name: str, output: Output) -> int:
    """Replay a saved game and print its actions or, with the name of a variable, zone or cell, its history.

    Exit status 1 at the first illegal action or wrong score.
    """
    require_regular(path)
    if not path.is_file():
        raise file_error(f"there is no file `{display_path(path)}`")
    project = Project(project_folder(path, Path.cwd()))
    play = read_saved_game(path, project.texts)
    engine, state = begin_saved_game(play, Catalogue(project))
    try:
        steps = replay_saved_game(play, engine, state)
    except PlanError as error:
        return _refuse(path, error, output)
    end = steps[-1].state if steps else state
    if name:
        return _show_history(name, play, engine, (state, end), output)
    score = engine.score(end)
    output.document(Replay, file=path, **course_of(engine, end, steps))
    width = max((len(step.text) for step in steps), default=0)
    for number, step in enumerate(steps, 1):
        who = f"player {step.player}  " if engine.instance.players > 1 else ""
        text = escape(step.text).ljust(width)
        output.line(f"{number:4}  {who}{text}  ", Styled(f"score {step.score}", Style.FAINT))
    over = "the game is over" if engine.over(end) else "the game goes on"
    output.line(Styled("legal", Style.GOOD), f": {counted(len(steps), 'action')}, score {score}, {over}")
    output.lines(standing_lines(engine, end))
    return Exit.YES


def _show_history(name: str, play: SavedGame, engine: Engine, ends: tuple[State, State], output: Output) -> int:
    subject, everyone = subject_named(engine, name), Viewer(everything=True)
    actions, seed = [action.text for action in play.actions], None if play.begun else play.seed
    entries = [
        entry for entry in history(engine, ends[0], actions, seed) if subject.is_in(engine, ends[1], everyone, entry.change)
    ]
    output.document(History, history=name, changes=[change_of(engine, ends[1], everyone, entry) for entry in entries])
    output.lines(history_lines(engine, ends[1], everyone, name, entries))
    return Exit.YES


def _refuse(path: Path, error: PlanError, output: Output) -> int:
    output.document(ReplayRefused, file=path, action=error.index + 1, errors=error.diagnostics)
    output.line(Styled("not legal", Style.ERROR), f": action {error.index + 1}")
    say_diagnostics(error.diagnostics, output)
    return Exit.NO
