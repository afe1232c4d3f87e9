"""Boards in the terminal: as wide as a terminal, in the colours of `look`, and only what a person needs."""

from __future__ import annotations

import os
import subprocess
import sys
from io import BytesIO, TextIOWrapper

from rulewright.base.styled_text import Style, plain, width
from rulewright.cli.commands.show import board_lines
from rulewright.cli.names import named
from rulewright.cli.views.board_view import abbreviated
from rulewright.cli.views.state_view import state_lines
from rulewright.cli.views.tile_view import Symbols
from rulewright.grammar.from_text import parse_module
from rulewright.grammar.tree.looks import Drawing
from rulewright.rules.linking.from_modules import link
from rulewright.rules.model.game import Game
from rulewright.rules.play.engine import Engine
from rulewright.rules.play.visibility import Viewer


def test_a_wide_board_of_hexes_fits_a_terminal():
    start = named("kraken_garden").start(None, 1)
    symbols = Symbols.of(start.engine.game)
    lines = [plain(parts) for parts in board_lines(start.engine, start.state, start.viewer, symbols)]
    drawn = [line for line in lines if "│" in line]
    assert len(drawn) == 24 and max(map(len, drawn)) <= 100
    assert any("krake" in line for line in drawn)
    assert "krake kraken" in "\n".join(plain(parts) for parts in symbols.legend())


def test_names_that_are_cut_stay_apart():
    assert abbreviated(["harbour_a", "harbour_b", "sea"], 5) == {"harbour_a": "harbo", "harbour_b": "harb2", "sea": "sea"}
    assert len(set(abbreviated([f"harbour_{number}" for number in range(30)], 4).values())) == 30


def test_colours_are_those_of_the_looks():
    symbols = Symbols.of(named("overboard").start(None, 1).engine.game)
    assert [symbol.style for symbol in symbols.terrains] == [Style.BLUE, Style.GREEN]
    assert symbols.players[1] is Style.RED and symbols.players[3] is Style.YELLOW


def test_a_large_state_tells_what_is_needed_and_counts_the_rest():
    start = named("kraken_garden").start(None, 1)
    few = [plain(parts) for parts in state_lines(start.engine, start.state, start.viewer, everything=False)]
    every = [plain(parts) for parts in state_lines(start.engine, start.state, start.viewer)]
    words = [{" ".join(line.split()) for line in lines} for lines in (few[:-1], every)]
    assert words[0] <= words[1], "but for the width of the names"
    assert few[-1].startswith("and ") and "`--all`" in few[-1]
    assert not any("owner only" in line or "middle" in line for line in few)
    assert any("card_5" in line for line in few)


def test_of_a_small_state_only_what_its_look_hides_is_left_out():
    start = named("overboard").start(None, 1)
    few, every = (
        [plain(parts) for parts in state_lines(start.engine, start.state, start.viewer, everything)]
        for everything in (False, True)
    )
    names = {"dealt", "swapped", "first"}
    assert [line for line in every if not names & {*line.split()}] == [" ".join(line.split()) and line for line in few[:-1]]
    assert len(every) == len(few[:-1]) + len(names)
    assert few[-1] == "and 3 values hidden, empty or on the board: `--all`"
    assert any(line.startswith("  movement tokens  ") for line in every)


CARDS = """module cards:
    "Cards on a table."

players 2
enum robot: ada, bob

space table: square grid 3 x 1 of tiles

tiles deck:
    knave  x1
    queen  x1
    ten    x1

look deck: brown
look queen: glyph "Q", red
look bob: green

state:
    place of robot: cell of table

procedure set_up:
    one:   put knave at (0,0) from box
    two:   put queen at (1,0) from box
    three: for r in robot: place of r := cell(2, 0)

flow:
    set_up
    turn:
        choose stop
"""


def test_tiles_and_pieces_have_the_glyphs_and_colours_of_their_looks():
    game = link({"cards": parse_module(CARDS, "cards.rules")}, ("cards",))
    engine = Engine.of(game, 2)
    symbols = Symbols.of(game)
    (row,) = [parts for parts in board_lines(engine, engine.start(1), Viewer(), symbols) if "knave" in plain(parts)][:1]
    styles = {part.text.strip(): part.style for part in row}
    assert styles["knave"] is Style.YELLOW
    assert styles["Q"] is Style.RED
    assert styles["Pbob"] is Style.GREEN
    assert styles["Pada"] is Style.PIECE
    assert "Q queen" in "\n".join(plain(parts) for parts in symbols.legend())


SHAPED = CARDS.replace("look bob: green", "look bob: tower, green\nlook ada: star").replace(
    "state:", "state:\n    seen of table: robot"
)


def test_pieces_have_the_shapes_of_their_looks(monkeypatch):
    game = link({"cards": parse_module(SHAPED, "cards.rules")}, ("cards",))
    assert symbols_of_members(game) == {"bob": "♜", "ada": "★"}
    twins = link({"cards": parse_module(SHAPED.replace("tower", "star"), "cards.rules")}, ("cards",))
    assert symbols_of_members(twins) == {"bob": "b", "ada": "a"}, "one shape for two is none"
    monkeypatch.setattr("sys.stdout", TextIOWrapper(BytesIO(), encoding="ascii"))
    assert symbols_of_members(game) == {"bob": "b", "ada": "a"}


def symbols_of_members(game: Game) -> dict[str, str]:
    return {symbol.name: symbol.letter.lower() for symbol in Symbols.of(game).members.values()}


def test_every_shape_has_a_character_of_one_column():
    glyphs = [drawing.glyph for drawing in Drawing]
    assert len(set(glyphs)) == len(glyphs)
    assert all(len(glyph) == 1 and width(glyph) == 1 and glyph.isprintable() for glyph in glyphs)


def test_ascii_is_kept_to_where_it_is_asked_for():
    command = [sys.executable, "-m", "rulewright", "show", "overboard", "--ascii"]
    shown = subprocess.run(command, capture_output=True, check=True, env={**os.environ, "PYTHONUTF8": "1"}).stdout
    assert b"h house" in shown and shown.isascii()


SPACES = """module spaces:
    "Marks on large and high spaces."

space hill: cube grid 3 x 3 x 5 of tiles
space plain: square grid 30 x 30
space track: ring 200
{graph}
tiles blocks:
    block  x9

state:
    mark of plain: truth
    seen of track: truth
    port of lines: truth

procedure set_up:
    first:  put block at origin of hill from box
    second: mark of cell(20, 15) := yes
    third:  seen of origin of track := yes
    fourth: port of n60 := yes

flow:
    set_up
    turn:
        choose stop
"""


def test_empty_margins_are_left_out_on_every_space():
    edges = "\n".join(f"    n{number} - n{number + 1}" for number in range(120))
    text = SPACES.replace("{graph}", f"space lines: graph:\n{edges}\n")
    game = link({"spaces": parse_module(text, "spaces.rules")}, ("spaces",))
    engine = Engine.of(game, 1)
    lines = [plain(parts) for parts in board_lines(engine, engine.start(1), Viewer(), Symbols.of(game))]
    assert [line for line in lines if line.startswith("level")] == ["level 0"]
    assert sum(line.count("│") for line in lines if line[:2] in ("14", "15", "16")) == 12
    assert [line for line in lines if ":" in line] == ["0: s", "n60: p"]
