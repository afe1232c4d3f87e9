"""Games made to deceive a search that takes two states for one: two roads lead to them, and only from the second is it far."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.grammar.from_text import parse_puzzle
from rulewright.puzzles.from_tree import set_up_position
from rulewright.puzzles.position import Position
from tests.rules.playing import linked

QUESTIONS = {
    "maximise money until end": 10,
    "fewest moves until money = 10": 2,
    "win for 1": 1,
}
"""The questions of a forged game, and their true answers. Who takes the rich state for the poor one says 2, 4 and -1."""

DECEIVED = {"maximise money until end": 2, "fewest moves until money = 10": 4, "win for 1": -1}


def forged(poor: Sequence[int], rich: Sequence[int], most: int) -> str:
    """The rules of a game with a counter up to `most` for each value, in which both states are met, the poor one first."""
    return _rules(poor, rich, most, len(poor))


def honest(number: int, most: int) -> str:
    """Rules of the same kind that name no value: a puzzle says which states the two roads lead to."""
    return _rules([f"poor{at}" for at in range(number)], [f"rich{at}" for at in range(number)], most, number)


def settings_of(poor: Sequence[int], rich: Sequence[int]) -> str:
    """The lines of such a puzzle."""
    rows = ("poor", poor), ("rich", rich)
    return "".join(f"    {name}{at}: {value}\n" for name, values in rows for at, value in enumerate(values))


def _rules(poor: Sequence[int | str], rich: Sequence[int | str], most: int, number: int) -> str:
    counters = [f"c{at}" for at in range(number)]
    given = [name for name in (*poor, *rich) if isinstance(name, str)]

    def road(name: str, values: Sequence[int | str]) -> str:
        effects = "\n".join(f"    effect {one}: {one} := {value}" for one, value in zip(counters, values, strict=True))
        return f"action {name}:\n    require first: stage = 0\n{effects}\n    effect on: stage := 1\n"

    is_rich = " and ".join(f"{one} = {value}" for one, value in zip(counters, rich, strict=True))
    return "\n".join(
        [
            "module forged:",
            '    "Two roads, one of them to riches."',
            "players 2",
            "state:",
            *(f"    {one}: 0..{most}" for one in (*counters, *given)),
            "    stage: 0..4",
            "    money: 0..10",
            "    saved of player: 0..10",
            road("poor", poor),
            road("rich", rich),
            "action cash:",
            "    require second: stage = 1",
            f"    require rich: {is_rich}",
            "    effect earn: money := 10",
            "    effect save: saved of 1 := 10",
            "    effect on: stage := 4",
            "action toil:",
            "    require second: stage >= 1 and stage < 4",
            "    effect earn:",
            "        if stage = 3: money := 10",
            "    effect on: stage += 1",
            "action rest:",
            "    require second: stage = 1",
            "    effect earn: money := 2",
            "    effect save: saved of 2 := 5",
            "    effect on: stage := 4",
            "flow:",
            "    repeat until stage = 4: choose poor, rich, cash, rest{toil}",
            "score money: money",
            "score saved of player: saved of player",
            "winner: most saved",
            "",
        ]
    )


def position_of(text: str, ask: str, settings: str = "") -> Position:
    """The start of a forged game with a question. Only in shortest plans is there another way to the money."""
    game = linked(text.replace("{toil}", ", toil" if ask.startswith("fewest") else ""))
    return set_up_position(parse_puzzle(f"puzzle p:\n    rules forged\n{settings}    ask: {ask}\n", "p.puzzle"), game)
