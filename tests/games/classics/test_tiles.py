"""Classics of turned tiles: their answers found again by short programs that know nothing of Rulewright but its texts."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from rulewright.grammar.from_text import parse_puzzle
from rulewright.grammar.tree import puzzles
from rulewright.grammar.tree.puzzles import OUTCOMES
from rulewright.puzzles.catalogue import Catalogue
from rulewright.rules.linking.project import Project
from rulewright.rules.play.move_notation import format_move
from rulewright.rules.play.scores import standings
from rulewright.solver.answer.portfolio import answer
from rulewright.solver.result import Limits, Status
from rulewright.studies.verified_plan import proved_answer
from tests.games.classics import paths
from tests.paths import ROOT

FOLDER = ROOT / "puzzles" / "library" / "classics" / "tiles"
RULES = ROOT / "rules" / "library" / "classics"
SIDES = "NESW"
STEPS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}

Cell = tuple[int, int]


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.puzzle")), ids=lambda path: path.stem)
def test_the_answer_is_proved(path: Path) -> None:
    position = Catalogue(Project(path.parent)).position(path)
    assert position.question is not None
    result = answer(position.asked, position.state, position.question, Limits(seconds=120))
    assert result.status is Status.OPTIMAL
    assert proved_answer(result, position.question) == position.puzzle.answer


def puzzle(name: str) -> puzzles.Puzzle:
    return parse_puzzle((FOLDER / f"{name}.puzzle").read_text("utf-8"), name)


def drawn(name: str) -> dict[Cell, tuple[str, int]]:
    (drawing,) = puzzle(name).drawings
    rows = enumerate(drawing.rows)
    return {(x, y): (cell.tile, cell.turn) for y, row in rows for x, cell in enumerate(row) if cell.tile}


def listed(name: str, zone: str) -> tuple[str, ...]:
    (setting,) = (one for one in puzzle(name).settings if one.name == zone)
    return tuple(piece.tile for piece in setting.values if isinstance(piece, puzzles.Piece) for _ in range(piece.count))


def faces(module: str) -> dict[str, list[tuple[str, list[str]]]]:
    """By tile its regions: terrain and sides, or ports."""
    text = (RULES / f"{module}.rules").read_text("utf-8")
    lines = re.findall(r"^    (\w+) +x\d+ +(.*)$", text, re.MULTILINE)
    return {name: [(words.split()[0], words.split()[1:]) for words in rest.split(", ")] for name, rest in lines}


TSURO = paths.faces((RULES / "tsuro.rules").read_text("utf-8"))


def tsuro(name: str) -> paths.Position:
    """A position of Tsuro as its judge knows it."""
    found = puzzle(name)
    settings = {(one.name, *(getattr(index, "number", 0) for index in one.of)): one for one in found.settings}
    players = range(1, (found.players or 1) + 1)
    hands = tuple(tuple(piece.tile for piece in settings["hand", player].values) for player in players)  # type: ignore[union-attr]
    stones = [str(settings["stone", player].values[0].text) for player in players]  # type: ignore[union-attr]
    places = [((int(word[0]), int(word[2])), paths.port(word[4:])) for word in stones]
    return paths.Position(frozenset(drawn(name).items()), tuple(places), hands, listed(name, "stock"))


def test_tsuro_alone() -> None:
    assert paths.most_tiles(TSURO, tsuro("tsuro_alone")) == puzzle("tsuro_alone").answer


@pytest.mark.parametrize("name", ["tsuro_two", "tsuro_corner"])
def test_tsuro_of_two(name: str) -> None:
    """Every play of both: the only first move that wins is the one that the solver finds."""
    here = tsuro(name)
    found = OUTCOMES[paths.outcome(TSURO, here, 0)]
    assert found == puzzle(name).answer
    good = [text for text, after in paths.moves(TSURO, here) if OUTCOMES[paths.outcome(TSURO, after, 0)] == found]
    position = Catalogue(Project(FOLDER)).position(FOLDER / f"{name}.puzzle")
    assert position.question is not None
    result = answer(position.asked, position.root, position.question, Limits(seconds=60))
    assert [format_move(position.asked, position.root, result.plan[0])] == good


@pytest.mark.parametrize("seed", range(5))
def test_random_games_of_tsuro(seed: int) -> None:
    """From the puzzles on, with other hands: the judge offers the same moves and ends with the same stones on the board."""
    rng = random.Random(seed)
    position = Catalogue(Project(FOLDER)).position(FOLDER / f"{rng.choice(('tsuro_two', 'tsuro_corner'))}.puzzle")
    engine, state, here = position.engine, position.state, tsuro(position.puzzle.name)
    while not engine.over(state):
        texts = {format_move(engine, state, move): move for move in engine.legal(state)}
        known = dict(paths.moves(TSURO, here))
        assert texts.keys() == known.keys()
        text = rng.choice(sorted(texts))
        state, here = engine.apply(state, texts[text]), known[text]
    assert here.player == -1
    on_board = [bool(standing.leads) for standing in standings(engine, state)]
    first = [stone is not None for stone in here.stones]
    assert on_board == [place == max(first) for place in first]


def test_carcassonne() -> None:
    """`carcassonne_four`: every order of turns and places, features followed side by side."""
    kinds = faces("carcassonne")
    width, height = 4, 3

    def side(board: dict[Cell, tuple[str, int]], cell: Cell, which: str) -> tuple[str, int]:
        """The terrain of a side of a cell, and the number of its region on the tile."""
        tile, turn = board[cell]
        printed = SIDES[(SIDES.index(which) - turn) % 4]
        found = ((terrain, n) for n, (terrain, sides) in enumerate(kinds[tile]) if printed in sides)
        return next(found, ("field", -1))

    def beside(cell: Cell, which: str) -> Cell:
        return cell[0] + STEPS[which][0], cell[1] + STEPS[which][1]

    def other(which: str) -> str:
        return SIDES[(SIDES.index(which) + 2) % 4]

    def worth(board: dict[Cell, tuple[str, int]]) -> int:
        total = 0
        for cell, (tile, _) in board.items():
            for number, (terrain, _) in enumerate(kinds[tile]):
                front, seen, is_open = [(cell, number)], {(cell, number)}, False
                while front:
                    here, region = front.pop()
                    for which in SIDES:
                        if side(board, here, which)[1] == region:
                            there = beside(here, which)
                            is_open |= there not in board
                            if there in board and (step := (there, side(board, there, other(which))[1])) not in seen:
                                seen.add(step)
                                front.append(step)
                total += 0 if is_open else {"city": 2, "road": 1}[terrain]
        return total

    def most(board: dict[Cell, tuple[str, int]], stack: tuple[str, ...]) -> int:
        best = -1
        for cell in ((x, y) for x in range(width) for y in range(height) if stack and (x, y) not in board):
            near = [(which, beside(cell, which)) for which in SIDES if beside(cell, which) in board]
            for turn in range(4) if near else ():
                after = {**board, cell: (stack[0], turn)}
                if all(side(after, cell, way)[0] == side(after, there, other(way))[0] for way, there in near):
                    best = max(best, most(after, stack[1:]))
        return worth(board) if best < 0 else best

    name = "carcassonne_four"
    assert most(drawn(name), listed(name, "stack")) == puzzle(name).answer
