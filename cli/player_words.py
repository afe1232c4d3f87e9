"""What a player can type: an action, its number, or a word about the game."""

from __future__ import annotations

from enum import Enum


class Command(Enum):
    """The value is the word that is typed; a text that begins with none of them is an action."""

    NOTHING = ""
    ACTION = "action"
    ACTIONS = "actions"
    BOARD = "board"
    HELP = "help"
    QUIT = "quit"
    SAVE = "save"
    SCORE = "score"
    UNDO = "undo"
    WHY = "why"


HELP = (
    "NUMBER or ACTION   do it: `3`, or the action as it is written",
    "undo [NUMBER]      take back one action or several",
    "why ACTION         which rules an action breaks here",
    "actions, board     show them again",
    "score              where the points come from",
    "save FILE          save the game; `replay` reads it",
    "quit               leave (so does the end of the input)",
)

_WITH_A_WORD = (Command.SAVE, Command.WHY)
_ALONE = (Command.ACTIONS, Command.BOARD, Command.HELP, Command.QUIT, Command.SCORE)


def read_command(text: str) -> tuple[Command, str]:
    """A line as a command and the rest of it. Comments after `#` are left out, so that scripts can have some."""
    said = text.split("#", maxsplit=1)[0].strip()
    word, _, rest = said.partition(" ")
    for command in _WITH_A_WORD:
        if word == command.value and rest:
            return command, rest.strip()
    for command in _ALONE:
        if said == command.value:
            return command, ""
    if word == Command.UNDO.value and (not rest or rest.strip().isdigit()):
        return Command.UNDO, rest.strip()
    return (Command.ACTION, said) if said else (Command.NOTHING, "")
