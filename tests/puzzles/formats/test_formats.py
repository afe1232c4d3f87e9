"""Positions in formats of modules: read as puzzles, checked, and written back."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from rulewright.base.diagnostics import Diagnostic, RulesError, Sink
from rulewright.grammar.from_text import parse_module, parse_puzzle
from rulewright.grammar.to_text import print_puzzle
from rulewright.puzzles.formats.read import read_record, records, with_box
from rulewright.puzzles.formats.write import write_record
from rulewright.puzzles.from_tree import set_up_position
from rulewright.puzzles.position import Position
from rulewright.rules.linking.alphabets import TruthField, alphabet_of
from rulewright.rules.linking.from_modules import link
from rulewright.rules.model.game import Game
from rulewright.rules.play.perft import lines_of_play
from tests.puzzles.formats.pieces import PIECES
from tests.rules.playing import shipped


def pieces() -> Game:
    return link({"pieces": parse_module(PIECES, "pieces.rules")}, ["pieces"])


GAMES: dict[str, Callable[[], Game]] = {
    "pieces": pieces,
    "xsb": lambda: shipped("classics.sokoban"),
    "line": lambda: shipped("classics.sudoku"),
    "letters": lambda: shipped("classics.rush_hour"),
    "discs": lambda: shipped("classics.othello"),
}


def read(text: str, game: Game, format: str = "") -> list[Position]:
    """The positions of a text, each from the puzzle that is printed. Raises `RulesError`."""
    sink = Sink()
    alphabet = alphabet_of(game, game.formats[format or next(iter(game.formats))], sink)
    assert alphabet is not None
    found = []
    for record in list(records(text, "text", alphabet, sink)):
        puzzle = read_record(record, alphabet, game, "one", sink)
        sink.stop()
        assert puzzle is not None
        puzzle = with_box(puzzle, game)
        found.append(set_up_position(parse_puzzle(print_puzzle(puzzle), "one.puzzle"), game))
    sink.stop()
    return found


def written(position: Position, format: str = "") -> str:
    game = position.engine.game
    alphabet = alphabet_of(game, game.formats[format or next(iter(game.formats))], Sink())
    assert alphabet is not None
    return write_record(position, alphabet)


TEXTS = {
    "pieces": "k6k/8/p1p5/8/8/5P2/8/K6K b KQk c6 17 1 id \"a study\";\n8/8/8/8/8/8/8/8 w - - 0 1\n",
    "xsb": "; First\n    ####\n###  #\n#@$. #\n#  *.#\n######\n\n; Second room\n#####\n#+$ #\n#####\n",
    "line": "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79 easy\n",
    "letters": "BBoooCDooEoCDAAEoCDooEooFoooGGFoHHHo\n",
    "discs": f"{'-' * 26}XXX-----XO{'-' * 28} O\n",
}  # fmt: skip


@pytest.mark.parametrize("name", TEXTS)
def test_texts_are_read_and_written_back(name: str) -> None:
    positions = read(TEXTS[name], GAMES[name]())
    between = "\n" if name == "xsb" else ""
    assert between.join(map(written, positions)) == TEXTS[name]


def test_what_is_read_is_where_it_is_written() -> None:
    first, second = read(TEXTS["pieces"], pieces())
    assert first.engine.player(first.state) == 2 and second.engine.player(second.state) == 1
    text = print_puzzle(first.puzzle)
    assert "passed: (2,2)" in text and "quiet: 17" in text and "id ”a study”;" in text
    assert "home: (4,0), (7,0), (0,7), (4,7), (7,7)" in text
    (level, _) = read(TEXTS["xsb"], GAMES["xsb"]())
    text = print_puzzle(level.puzzle)
    assert '"First"' in text and "goal: (3,2), (3,3), (4,3)" in text and "pusher 1: (1,2)" in text


CHESS = {
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1": (48,),
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1": (14, 191),
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1": (6, 264),
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 0 1": (44,),
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 1": (46,),
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 1": (31,),
}
"""Positions from the Chess Programming Wiki with published counts; in the last, a pawn may be taken in passing."""


def test_diagrams_of_chess_have_their_published_counts() -> None:
    game = shipped("classics.chess")
    positions = read("".join(f"{line}\n" for line in CHESS), game, "fen")
    assert [written(position, "fen").strip() for position in positions] == list(CHESS)
    for position, counts in zip(positions, CHESS.values(), strict=True):
        assert lines_of_play(position.engine, position.state, len(counts)).counts[1:] == counts


def test_named_cells_are_read_by_name() -> None:
    (position,) = read("r3k2r/8/8/8/4P3/8/8/R3K2R b KQkq e3 0 1\n", shipped("classics.chess"), "fen")
    text = print_puzzle(position.puzzle)
    assert "passed: e3" in text and "home: a8, e8, h8, a1, e1, h1" in text


def test_the_smaller_board_of_a_variant_lacks_the_words_for_other_cells() -> None:
    alphabet = alphabet_of(shipped("chess.gardner"), shipped("chess.gardner").formats["epd"], Sink())
    assert alphabet is not None
    assert [len(field.words) for field in alphabet.fields if isinstance(field, TruthField)] == [1]
    with pytest.raises(RulesError, match="`board` has no cell `e9`"):
        link({"pieces": parse_module(PIECES.replace("field home: ", 'field home: "X" e9, '), "pieces.rules")}, ["pieces"])


def test_what_play_takes_from_the_box_is_there() -> None:
    (position,) = read('8/P6k/8/8/8/8/8/K7 w - - bm a8=Q; id "x";\n', shipped("classics.chess"), "epd")
    assert position.puzzle.text == "bm a8=Q; id ”x”;" and "box: rest" in print_puzzle(position.puzzle)
    assert written(position, "epd") == '8/P6k/8/8/8/8/8/K7 w - - bm a8=Q; id "x";\n'


def test_remarks_belong_to_the_level_that_they_touch() -> None:
    text = "Title: one\n\n###\n#@#\n###\nAuthor: A\n\nTitle: two\n###\n#@#\n###\n"
    assert [one.puzzle.text for one in read(text, GAMES["xsb"]())] == ["one; A", "two"]


def test_a_variant_has_room_for_a_larger_level() -> None:
    text = "#" * 30 + "\n#@$" + " " * 26 + ".#\n" + "#" * 30 + "\n"
    with pytest.raises(RulesError):
        read(text, GAMES["xsb"]())
    (position,) = read(text, shipped("classics.sokoban_large"))
    assert written(position) == text


def test_alternatives_are_written_as_the_first() -> None:
    (position,) = read("#####\n#@_-#\n#####\n", GAMES["xsb"]())
    assert written(position) == "#####\n#@  #\n#####\n"


ROW = "k6k/8/8/8/8/8/8/K6K"
DAMAGED = [
    ("pieces", "k6k/8/8/8/8/8/8/K5K w - - 0 1", 17, "expected 8, found 7"),
    ("pieces", "k6k/8/8/8/8/8/8/K7K w - - 0 1", 19, "expected 8, found 9"),
    ("pieces", "k6k/8/8/8/8/8/K6K w - - 0 1", 1, "expected 8, found 7"),
    ("pieces", "k6x/8/8/8/8/8/8/K6K w - - 0 1", 3, "`x` is no character"),
    ("pieces", f"{ROW} x - - 0 1", 21, "`x` says nothing"),
    ("pieces", f"{ROW} w Kx - 0 1", 23, "`Kx` says nothing"),
    ("pieces", f"{ROW} w K e9 0 1", 25, "`e9` says nothing"),
    ("pieces", f"{ROW} w K - many 1", 27, "`many` says nothing"),
    ("pieces", f"{ROW} w", 21, "the word for `home` is missing"),
    ("pieces", f"{ROW} w - - 101 1", 27, "is not in 0..100"),
    ("line", "53..7", 1, "expected 81, found 5"),
    ("line", "5" * 80 + "x", 81, "`x` is no character"),
    ("letters", "B" * 4 + "o" * 32, 1, "no tile of 4 cells"),
    ("xsb", "##!#", 3, "`!` is no character"),
    ("xsb", "@@", 2, "one cell only"),
    ("xsb", "#" * 17, 17, "expected 16, found 17"),
]


@pytest.mark.parametrize(("name", "text", "column", "words"), DAMAGED)
def test_damage_is_refused_where_it_is(name: str, text: str, column: int, words: str) -> None:
    with pytest.raises(RulesError) as caught:
        read(f"\n{text}\n", GAMES[name]())
    places = [(flaw.span.line, flaw.span.column) for flaw in caught.value.diagnostics if flaw.span is not None]
    first: Diagnostic = caught.value.diagnostics[0]
    assert words in first.message and places[0] == (2, column)
    assert first.help


def test_what_has_no_character_is_refused() -> None:
    (position,) = read("#####\n#@$.#\n#####\n", GAMES["xsb"]())
    text = print_puzzle(position.puzzle).replace("goal: (3,1)", "goal: (0,0), (3,1)\n    allow impossible position")
    with pytest.raises(RulesError) as caught:
        written(set_up_position(parse_puzzle(text, "one.puzzle"), position.engine.game))
    assert "has no character for wall, goal" in caught.value.diagnostics[0].message


def grids(rng: random.Random, characters: str, width: int, height: int) -> list[str]:
    return ["".join(rng.choices(characters, k=width)) for _ in range(height)]


def random_text(name: str, rng: random.Random) -> str:
    """A position in canonical form."""
    if name == "line":
        return "".join(rng.choices("........123456789", k=81)) + "\n"
    if name == "discs":
        return f"{''.join(rng.choices('--XO', k=64))} {rng.choice('XO')}\n"
    if name == "xsb":
        width, height = rng.randint(3, 14), rng.randint(1, 10)
        floor = [list(f"#{row}#") for row in grids(rng, "     #$...", width, height)]
        crates, goals = (sum(row.count(one) for row in floor) for one in "$.")
        for row in floor:
            for at, one in enumerate(row):
                if one == "$" and crates > min(goals, 16):
                    row[at], crates = " ", crates - 1
        free = [(row, at) for row in floor for at, one in enumerate(row) if one in " ."]
        row, at = rng.choice(free) if free else (floor[0], 1)
        row[at] = "+" if row[at] == "." else "@"
        return "\n".join("".join(row) for row in floor) + "\n"
    if name == "letters":
        cells = [["o"] * 6 for _ in range(6)]
        letters = iter("BCDEFGHIJKL")
        cells[2][0] = cells[2][1] = "A"
        taken: dict[int, int] = {2: 1, 3: 0}
        for _ in range(rng.randint(0, 30)):
            size, row, column, down = rng.choice([2, 2, 3]), rng.randrange(6), rng.randrange(6), rng.random() < 0.5
            spots = [(row + n * down, column + n * (not down)) for n in range(size)]
            if max(map(max, spots)) < 6 and all(cells[y][x] == "o" for y, x in spots) and taken[size] < (12, 4)[size - 2]:
                letter = next(letters, "")
                if not letter:
                    break
                taken[size] += 1
                for y, x in spots:
                    cells[y][x] = letter
        return canonical("".join("".join(row) for row in cells)) + "\n"
    rows = [list(row) for row in grids(rng, "      Pp", 8, 8)]
    for man in "KKkk":
        rows[rng.randrange(8)][rng.randrange(8)] = man
    counts = {man: sum(row.count(man) for row in rows) for man in "Pp"}
    if max(counts.values()) > 16:
        return random_text(name, rng)
    board = "/".join("".join(runs(row)) for row in rows)
    homes = rng.choice(["-", "K", "Q", "KQ", "k", "Kk", "KQk"])
    cell = rng.choice(["-", rng.choice("abcdefgh") + rng.choice("12345678")])
    return f"{board} {rng.choice('wb')} {homes} {cell} {rng.randint(0, 100)} 1\n"


def runs(row: list[str]) -> list[str]:
    found: list[str] = []
    empty = 0
    for man in [*row, ""]:
        if man == " ":
            empty += 1
            continue
        found += [str(empty)] * bool(empty) + [man]
        empty = 0
    return found


def canonical(text: str) -> str:
    """The letters of other cars in the order in which they first occur."""
    names: dict[str, str] = {"o": "o", "A": "A"}
    for letter in text:
        names.setdefault(letter, "BCDEFGHIJKLMNOPQRSTUVWXYZ"[len(names) - 2])
    return "".join(names[letter] for letter in text)


def agree(name: str, count: int, seed: int) -> None:
    rng, game = random.Random(seed), GAMES[name]()
    texts = [random_text(name, rng) for _ in range(count)]
    between = "\n" if name == "xsb" else ""
    found = read(between.join(texts), game)
    assert [written(position) for position in found] == texts


@pytest.mark.parametrize("name", GAMES)
def test_random_positions_are_written_back(name: str) -> None:
    agree(name, 12, 5)


@pytest.mark.campaign
@pytest.mark.parametrize("name", GAMES)
def test_a_thousand_positions_are_written_back(name: str) -> None:
    agree(name, 1000, 7)


def damaged(text: str, rng: random.Random) -> str:
    """A text with one to three characters changed, lost or added."""
    found = list(text)
    for _ in range(rng.randint(1, 3)):
        at, other = rng.randrange(len(found)), chr(rng.choice([*range(32, 127), 233, 9, 0x200B]))
        found[at : at + rng.randrange(2)] = [other] * rng.randrange(2)
        found = found or ["x"]
    return "".join(found)


@pytest.mark.campaign
@pytest.mark.parametrize("name", GAMES)
def test_damaged_texts_are_read_or_refused_where_they_are_damaged(name: str) -> None:
    rng, game = random.Random(11), GAMES[name]()
    refused = 0
    for _ in range(250):
        try:
            read(damaged(random_text(name, rng), rng), game)
        except RulesError as error:
            refused += 1
            span = error.diagnostics[0].span
            assert span is not None and span.source == "text" and span.line > 0
    assert refused > 100
