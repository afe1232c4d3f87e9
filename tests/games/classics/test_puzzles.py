"""The answers of the shipped puzzles, each found twice without the solver: by hand-written simulators that know nothing of
Rulewright, and by looking at every position that the engine can reach.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from attrs import frozen

from rulewright.grammar.from_text import parse_puzzle
from rulewright.grammar.tree import puzzles
from rulewright.grammar.tree.expressions import Name
from rulewright.puzzles.from_tree import set_up_position
from rulewright.rules.model.state import COUNTED
from rulewright.rules.play.engine import State
from tests.games.classics import simulators as sim
from tests.games.classics.tables import Table, table
from tests.games.classics.test_counts import BOARDS, NUMBERS
from tests.paths import ROOT

LIBRARY = ROOT / "puzzles" / "library" / "classics"
FILES = sorted(LIBRARY.glob("*.puzzle"))


@frozen
class Sheet:
    """A puzzle as plain cells and numbers."""

    tiles: dict[sim.Cell, str]
    pusher: sim.Cell | None
    lists: dict[str, list[sim.Cell]]
    numbers: dict[str, int]

    def at(self, tile: str) -> frozenset[sim.Cell]:
        return frozenset(cell for cell, name in self.tiles.items() if name == tile)


def read(puzzle: puzzles.Puzzle) -> Sheet:
    """Drawings begin in the corner of the board."""
    cells = {(x, y): cell for drawing in puzzle.drawings for y, row in enumerate(drawing.rows) for x, cell in enumerate(row)}
    lists: dict[str, list[sim.Cell]] = {}
    numbers: dict[str, int] = {}
    for setting in puzzle.settings:
        for value in setting.values:
            match value:
                case puzzles.Coordinate((x, y)):
                    lists.setdefault(setting.name, []).append((x, y))
                case puzzles.Amount(number):
                    numbers[setting.name] = number
                case _:
                    raise ValueError(setting.name)
    pusher = next((cell for cell, drawn in cells.items() if drawn.players), None)
    return Sheet({cell: drawn.tile for cell, drawn in cells.items() if drawn.tile}, pusher, lists, numbers)


def outcomes(start: sim.P, moves: Callable[[sim.P], Iterable[sim.P]], limit: int) -> Iterable[tuple[int, sim.P]]:
    """Every position where play may end, with the number of moves; after `limit` moves it ends anywhere.

    A position is looked at once for each number of moves that leads to it.
    """
    front = {start}
    for depth in range(limit + 1):
        following: set[sim.P] = set()
        for position in front:
            after = list(moves(position)) if depth < limit else []
            if not after:
                yield depth, position
            following.update(after)
        front = following


# By hand --------------------------------------------------------------------------------------------

Ends = Iterable[dict[str, int]]
"""What can be asked about, by name, for every way in which play may end."""


def pegs(module: str, sheet: Sheet, limit: int) -> Ends:
    board, _ = BOARDS[module]
    men, (target,) = sheet.at("peg"), sheet.lists["target"]
    assert sheet.tiles.keys() == men | sheet.at("rim")
    assert not board.holes & sheet.at("rim")
    for jumps, left in outcomes(men, board.moves, min(limit, len(men))):
        free = {a for a, over, b in board.lines if a in left and over in left and b not in left}
        yield {"score": jumps + (left == {target}), "free_men": len(free)}


def sokoban(module: str, sheet: Sheet, limit: int) -> Ends:
    goals = frozenset(sheet.lists["goal"])
    assert sheet.pusher is not None
    start = sheet.pusher, sheet.at("crate")
    for steps, (_, crates) in outcomes(start, sim.sokoban(sheet.at("wall"), goals, 16, 12), limit):
        yield {"score": len(crates & goals), "steps": steps}


def sliding(module: str, sheet: Sheet, limit: int) -> Ends:
    width = {"sliding": 3, "fifteen": 4}[module]
    slides, solved = sim.sliding(width), (*range(1, width * width), 0)
    cells = [(x, y) for y in range(width) for x in range(width)]
    start = tuple(NUMBERS.index(sheet.tiles.get(cell, "")) for cell in cells)
    for number, frame in outcomes(start, lambda f: [] if f == solved else slides(f), limit):
        yield {"score": sum(tile == place for place, tile in enumerate(frame, 1)), "slides": number}


def lights_out(module: str, sheet: Sheet, limit: int) -> Ends:
    """What counts is which buttons are pressed; presses that are left over go to one button, two at a time."""
    lit = frozenset(sheet.lists["lit"])
    for number in range(limit + 1):
        for lights in sim.after_presses(lit, number):
            if not lights or (limit - number) % 2 == 0:
                yield {"score": 25 - len(lights), "presses": limit if lights else number}


BY_HAND: dict[str, Callable[[str, Sheet, int], Ends]] = {
    **dict.fromkeys(BOARDS, pegs),
    "sokoban": sokoban,
    "sliding": sliding,
    "fifteen": sliding,
    "lights_out": lights_out,
}


def fewest_steps(sheet: Sheet) -> int:
    goals = frozenset(sheet.lists["goal"])
    assert sheet.pusher is not None
    moves = sim.sokoban(sheet.at("wall"), goals, 16, 12)
    return sim.distance((sheet.pusher, sheet.at("crate")), moves, lambda level: level[1] <= goals)


def fewest_slides(sheet: Sheet) -> int:
    """Within the limit; -1 when that does not do."""
    width = 3 if len(sheet.tiles) == 8 else 4
    solved = (*range(1, width * width), 0)
    start = tuple(NUMBERS.index(sheet.tiles.get((x, y), "")) for y in range(width) for x in range(width))
    ends = outcomes(start, lambda frame: [] if frame == solved else sim.sliding(width)(frame), sheet.numbers.get("limit", 31))
    return min((slides for slides, frame in ends if frame == solved), default=-1)


def fewest_presses(sheet: Sheet) -> int:
    lit = frozenset(sheet.lists["lit"])
    return next(number for number in range(26) if frozenset() in sim.after_presses(lit, number))


FEWEST: dict[str, Callable[[Sheet], int]] = {
    "sokoban": fewest_steps,
    "sliding": fewest_slides,
    "fifteen": fewest_slides,
    "lights_out": fewest_presses,
    "hanoi": lambda sheet: 2**7 - 1,  # Lucas 1883
}
"""The fewest moves until a level is solved."""


def number_of(puzzle: puzzles.Puzzle) -> puzzles.Answer | None:
    """The expected answer; -1 stands for `impossible`."""
    return -1 if puzzle.answer is puzzles.Verdict.IMPOSSIBLE else puzzle.answer


UNLIMITED = 1_000
BEST = {puzzles.Goal.MAXIMISE: max, puzzles.Goal.MINIMISE: min}


def given(path: Path) -> tuple[puzzles.Puzzle, puzzles.Ask, str, Sheet]:
    """A puzzle, what it asks, the module it is for, and what it shows."""
    puzzle = parse_puzzle(path.read_text(encoding="utf-8"), str(path))
    (name, _), *others = puzzle.rules
    assert not others
    assert puzzle.ask is not None
    assert puzzle.name == path.stem
    assert puzzle.text.endswith((".", "?"))
    return puzzle, puzzle.ask, name.removeprefix("classics."), read(puzzle)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_answer_by_hand(path: Path) -> None:
    puzzle, ask, module, sheet = given(path)
    if ask.until is not None:
        assert FEWEST[module](sheet) == number_of(puzzle)
        return
    assert isinstance(ask.value, Name)
    limit = ask.turns or sheet.numbers.get("limit", UNLIMITED)
    asked = {end[ask.value.text] for end in BY_HAND[module](module, sheet, limit)}
    assert BEST[ask.goal](asked) == puzzle.answer
    assert len(asked) > 1, "every way to play is the best"


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_answer_of_the_engine(path: Path) -> None:
    puzzle, ask, module, sheet = given(path)
    one = table(module, ask.turns)
    start = laid(one, sheet)
    assert not one.holds(start)
    if ask.until is not None:
        assert isinstance(ask.until, Name)
        assert sim.distance(start, one.after, meaning(one, ask.until.text)) == number_of(puzzle)
        return
    assert isinstance(ask.value, Name)
    asked = meaning(one, ask.value.text)
    ends = {asked(state) for layer in sim.layers(start, one.after) for state in layer if one.engine.over(state)}
    assert BEST[ask.goal](ends) == puzzle.answer


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_puzzle_is_set_up_as_it_is_drawn(path: Path) -> None:
    puzzle, _, module, sheet = given(path)
    one = table(module)
    assert set_up_position(puzzle, one.engine.game).state == laid(one, sheet)


def laid(one: Table, sheet: Sheet) -> State:
    """The position of a sheet; as after set-up where nothing is drawn."""
    if not sheet.tiles and not sheet.lists:
        return (*(start := one.engine.start(0))[:COUNTED], 0, *start[COUNTED + 1 :])
    cells = {"pusher": sheet.pusher} if sheet.pusher else {}
    if "target" in sheet.lists:
        (cells["target"],) = sheet.lists["target"]
    return one.lay(sheet.tiles, sheet.lists, sheet.numbers, cells)


def meaning(one: Table, name: str) -> Callable[[State], int]:
    """What is asked about by that name: the score, a definition or a state variable."""
    engine = one.engine
    if name == "score":
        return engine.score
    if name in engine.game.definitions:
        return engine.compile_value(engine.game.definitions[name].value)
    return lambda state: one.number(state, name)
