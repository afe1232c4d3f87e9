"""`rulewright replay`: is a saved game a legal game, with the scores that it says?"""

from __future__ import annotations

from pathlib import Path

from ..puzzles.catalogue import Catalogue
from ..puzzles.plans import PlanError
from ..puzzles.plays import begin_play, parse_play, verify_play
from ..rules.loading import Project, read_text
from .files import shown
from .output import Exit, Output
from .refusals import FILE, refusal
from .render_diagnostics import listed, render
from .session import project_folder
from .text import Style, Styled, counted, escape


def replay_file(path: Path, output: Output) -> int:
    """Replay a saved game and print its course; 1 at the first action that is not legal or not worth what it says."""
    if not path.is_file():
        raise refusal(FILE, f"there is no file `{shown(path)}`")
    play = parse_play(read_text(path), str(path))
    engine, state = begin_play(play, Catalogue(Project(project_folder(path, Path.cwd()))))
    try:
        steps = verify_play(play, engine, state)
    except PlanError as error:
        return _refuse(path, error, output)
    end = steps[-1].state if steps else state
    score = engine.score(end)
    output.document(
        {
            "file": shown(path),
            "legal": True,
            "over": engine.over(end),
            "score": score,
            "rank": engine.rank(score) or None,
            "actions": [{"player": step.player, "text": step.text, "score": step.score} for step in steps],
        }
    )
    width = max((len(step.text) for step in steps), default=0)
    for number, step in enumerate(steps, 1):
        who = f"player {step.player}  " if engine.ground.players > 1 else ""
        text = escape(step.text).ljust(width)
        output.line(f"{number:4}  {who}{text}  ", Styled(f"score {step.score}", Style.FAINT))
    over = "the game is over" if engine.over(end) else "the game goes on"
    output.line(Styled("legal", Style.GOOD), f": {counted(len(steps), 'action')}, score {score}, {over}")
    return Exit.YES


def _refuse(path: Path, error: PlanError, output: Output) -> int:
    errors = listed(error.diagnostics)
    output.document({"file": shown(path), "legal": False, "action": error.index + 1, "errors": errors})
    output.line(Styled("not legal", Style.ERROR), f": action {error.index + 1}")
    if not output.as_json:
        for diagnostic in error.diagnostics:
            for line in render(diagnostic):
                output.say(*line)
    return Exit.NO
