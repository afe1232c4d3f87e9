"""`rulewright play --tui`: the entry point, which reports missing requirements before loading Textual."""

from __future__ import annotations

import sys

from rulewright.base.diagnostics import usage_error
from rulewright.cli.commands.play import finish
from rulewright.cli.executors import require_extra
from rulewright.cli.playing.table import Table
from rulewright.cli.views.output import Output


def play_on_screen(table: Table, output: Output) -> None:
    """Play in full screen until the user quits, then print the score. Raises `RulesError` if there is no screen."""
    require_extra("`--tui`", "tui", "textual")
    if output.as_json or not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise usage_error("`--tui` needs a terminal", "omit it to play over a pipe or with `--json`")
    from .game_app import GameApp

    GameApp(table).run()
    finish(table.game, output)
