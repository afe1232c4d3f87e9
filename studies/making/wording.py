"""The name, the sentence and the file text of a made puzzle."""

from __future__ import annotations

import re

from attrs import evolve

from rulewright.base.choices import Sole
from rulewright.base.spans import NO_SPAN
from rulewright.grammar.to_text import print_puzzle
from rulewright.grammar.tree.puzzles import Grade, Puzzle

from .commission import Commission
from .maker import MadePuzzle
from .move_values import NO_PLAN
from .naive_play import GAMES

MADE_BY = "# Made by `rulewright make`"
"""The start of a made puzzle's file."""

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def stem_of(rules: tuple[str, ...]) -> str:
    """The default stem of puzzle names: `sea_mills` for `sea + sea.mills`."""
    parts = [part for name in rules for part in name.split(".")]
    return re.sub(r"\W", "_", "_".join(dict.fromkeys(parts)))


def named(made: MadePuzzle, name: str, commission: Commission) -> Puzzle:
    """The puzzle with a name and a sentence that reveals nothing of the solution."""
    parts = [f"{_counted(made.tiles, 'tile')} to come"] if commission.tiles is not None else []
    parts.append(_counted(len(made.proof.first), "first action"))
    sentence = " and ".join(parts) + _sole_text(made, commission.sole)
    text = f"{sentence[0].upper()}{sentence[1:]}."
    return evolve(made.puzzle, name=name, text=text, grade=Grade(made.grade.number, span=NO_SPAN))


def file_text(made: MadePuzzle, puzzle: Puzzle, commission: Commission, attempt: int) -> str:
    """The text of the file: what was proved and measured as comments, then the puzzle."""
    found = made.features
    reductions = _counted(made.removed, "reduction")
    uses = f"; uses {', '.join(commission.uses)}" if commission.uses else ""
    trap = f"the first sacrifice is move {found.first_sacrifice}" if found.first_sacrifice else "no sacrifice"
    return "\n".join(
        (
            f"{MADE_BY}, seed {commission.seed}, attempt {attempt}: {made.source.value}, {reductions}{uses}.",
            f"# {'Key' if len(made.keys) == 1 else 'Keys'}: {', '.join(made.keys)}. "
            f"Second best key: {worth_text(made, made.proof.second)}. {greedy_text(made).capitalize()}.",
            f"# Difficulty {made.grade.difficulty:.2f}: {found.moves} moves in {_counted(found.turns, 'turn')}, "
            f"{found.branching:.1f} choices a move, {found.luck:.0f} bits of luck, {trap}.",
            f"# Traps for greedy play at {found.greedy_traps:.0%} of the moves, for shallow search {found.shallow_traps:.0%}.",
            print_puzzle(puzzle),
        )
    )


def _sole_text(made: MadePuzzle, sole: Sole) -> str:
    """A text on what is unique, which does not reveal the solution."""
    keys = len(made.keys)
    if keys == 1 and sole is not Sole.NOTHING:
        return ", one of which is right"
    return (
        f", {_word(keys)} of which are right: in whatever order, there is one plan"
        if sole in (Sole.SOLUTION, Sole.PLAN)
        else ""
    )


def greedy_text(made: MadePuzzle) -> str:
    """A text on the best result of greedy play, and over which games."""
    greedy = made.proof.greedy
    solved = ", so greedy play solves it" if greedy.of_some >= made.proof.optimum else ""
    if greedy.of_some == greedy.of_all:
        return f"the best of all greedy games: {worth_text(made, greedy.of_all)}{solved}"
    every = "" if greedy.of_all is None else f", of all: {worth_text(made, greedy.of_all)}"
    return f"the best of {GAMES} greedy games: {worth_text(made, greedy.of_some)}{every}{solved}"


def worth_text(made: MadePuzzle, value: int) -> str:
    """A signed value as the question counts it; `none` if nothing is reached."""
    return "none" if value <= NO_PLAN // 2 else str(made.sign * value)


def _counted(number: int, thing: str) -> str:
    return f"{_word(number)} {thing}" if number == 1 else f"{_word(number)} {thing}s"


def _word(number: int) -> str:
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)
