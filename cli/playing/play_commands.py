"""The commands of `play`, and their parser."""

from __future__ import annotations

from collections.abc import Collection
from enum import Enum
from pathlib import Path

from rulewright.base.diagnostics import did_you_mean, usage_error
from rulewright.rules.play.move_notation import STOP_WORD


class PlayCommand(Enum):
    """A command; the value is the word typed. A line that starts with none of them is an action."""

    NOTHING = ""
    ACTION = "action"
    ACTIONS = "actions"
    BOARD = "board"
    BRANCHES = "branches"
    GOTO = "goto"
    HELP = "?"
    HINT = "hint"
    HISTORY = "history"
    LINE = "line"
    QUIT = "quit"
    REDO = "redo"
    SAVE = "save"
    SCORE = "score"
    UNDO = "undo"
    WHY = "why"


HELP = Path(__file__).with_name("help.txt").read_text("utf-8").splitlines()

MOST_DIGITS = 9
"""The maximum number of digits; longer numbers are not valid counts."""

_FORMS = {
    PlayCommand.GOTO: "`goto NUMBER`",
    PlayCommand.HISTORY: "`history NAME`",
    PlayCommand.REDO: "`redo`, or `redo NUMBER`",
    PlayCommand.SAVE: "`save FILE`",
    PlayCommand.UNDO: "`undo`, or `undo NUMBER`",
    PlayCommand.WHY: "`why ACTION`, or `why NUMBER`",
}
"""The forms of commands that take an argument."""

_WORDS = {command.value: command for command in PlayCommand if command not in (PlayCommand.NOTHING, PlayCommand.ACTION)}
_SYNONYMS = {"help": "?", "u": "undo", "r": "redo", "h": "hint", "s": "score", "q": "quit", "exit": "quit"}


def read_command(text: str, actions: Collection[str] = ()) -> tuple[PlayCommand, str]:
    """A line as a command and its argument. Comments after `#` are dropped, so that scripts may have them.

    A line that starts with the name of one of a game's `actions` is a command only if it can be nothing else. Raises
    `RulesError` for a malformed command.
    """
    typed = text.split("#", maxsplit=1)[0].strip()
    if not typed:
        return PlayCommand.NOTHING, ""
    first, _, rest = (part.strip() for part in typed.partition(" "))
    is_action = first in actions
    word = first.lower() if is_action else _SYNONYMS.get(first.lower(), first.lower())
    command = _WORDS.get(word)
    if command is None:
        if not is_action and (help := did_you_mean(word, list(_WORDS))) and not did_you_mean(first, [*actions, STOP_WORD]):
            raise usage_error(f"there is no action or command `{first}`", help)
        return PlayCommand.ACTION, typed
    if _takes(command, rest):
        return command, rest
    if is_action:
        return PlayCommand.ACTION, typed
    raise usage_error(f"`{typed}` is not a valid use of this command", f"write it as {_FORMS.get(command, f'`{word}` alone')}")


def _takes(command: PlayCommand, argument: str) -> bool:
    """Whether a command accepts an argument; "" means none."""
    match command:
        case PlayCommand.HISTORY | PlayCommand.SAVE | PlayCommand.WHY:
            return argument != ""
        case PlayCommand.GOTO:
            return is_number(argument)
        case PlayCommand.UNDO | PlayCommand.REDO:
            return not argument or is_number(argument)
        case _:
            return not argument


def is_number(text: str) -> bool:
    """Whether a text is a valid count."""
    return text.strip().isdecimal() and len(text.strip()) <= MOST_DIGITS
