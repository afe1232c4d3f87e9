"""The commands of `play`, and how a line of input is read as one."""

from __future__ import annotations

from enum import Enum


class PlayCommand(Enum):
    """The value is the word that is typed; a line that begins with none of them is an action."""

    NOTHING = ""
    ACTION = "action"
    ACTIONS = "actions"
    BOARD = "board"
    BRANCHES = "branches"
    GOTO = "goto"
    HELP = "?"
    HINT = "hint"
    LINE = "line"
    QUIT = "quit"
    REDO = "redo"
    SAVE = "save"
    SCORE = "score"
    UNDO = "undo"
    WHY = "why"


HELP = (
    "NUMBER or ACTION   do it: `3`, or the action as it is written",
    "undo [NUMBER]      take back one action or several",
    "redo [NUMBER]      take again what was taken back",
    "branches           every line of play that was tried, its positions numbered",
    "goto NUMBER        go to the position of that number",
    "why ACTION         which rules an action breaks here",
    "hint               the next action of a best plan",
    "actions, board     show them again",
    "score              where the points come from",
    "save FILE          save the game; `replay` reads it",
    "line               this position as a line to share",
    "quit               leave (so does the end of the input)",
    "?, help            these words, and what can be done now",
)

MOST_DIGITS = 9
"""Longer numbers count nothing here."""

_WITH_ARGUMENT = (PlayCommand.SAVE, PlayCommand.WHY)
_ALONE = (
    PlayCommand.ACTIONS,
    PlayCommand.BOARD,
    PlayCommand.BRANCHES,
    PlayCommand.HELP,
    PlayCommand.HINT,
    PlayCommand.LINE,
    PlayCommand.QUIT,
    PlayCommand.SCORE,
)
_COUNTED = (PlayCommand.UNDO, PlayCommand.REDO)
_SYNONYMS = {"help": "?"}


def read_command(text: str) -> tuple[PlayCommand, str]:
    """A line as a command and its argument. Comments after `#` are left out, so that scripts can have some."""
    typed = text.split("#", maxsplit=1)[0].strip()
    typed = _SYNONYMS.get(typed, typed)
    word, _, rest = typed.partition(" ")
    for command in _WITH_ARGUMENT:
        if word == command.value and rest:
            return command, rest.strip()
    for command in _ALONE:
        if typed == command.value:
            return command, ""
    if word == PlayCommand.GOTO.value and is_number(rest):
        return PlayCommand.GOTO, rest.strip()
    for command in _COUNTED:
        if word == command.value and (not rest or is_number(rest)):
            return command, rest.strip()
    return (PlayCommand.ACTION, typed) if typed else (PlayCommand.NOTHING, "")


def is_number(text: str) -> bool:
    """Whether a text is a number that something could be counted by."""
    return text.strip().isdecimal() and len(text.strip()) <= MOST_DIGITS
