"""Boards in the terminal: as wide as a terminal, in the colours of `look`, and only what a person needs."""

from __future__ import annotations

from rulewright.cli.commands.show import board_lines
from rulewright.cli.session import Session
from rulewright.cli.views.board_view import abbreviated
from rulewright.cli.views.state_view import state_lines
from rulewright.cli.views.styled_text import Style, plain
from rulewright.cli.views.symbols import Symbols


def test_a_wide_board_of_hexes_fits_a_terminal():
    start = Session("kraken_garden").start(None, 1)
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
    symbols = Symbols.of(Session("overboard").start(None, 1).engine.game)
    assert [symbol.style for symbol in symbols.terrains] == [Style.BLUE, Style.GREEN]
    assert symbols.players[1] is Style.RED and symbols.players[3] is Style.YELLOW


def test_a_large_state_tells_what_is_needed_and_counts_the_rest():
    start = Session("kraken_garden").start(None, 1)
    few = [plain(parts) for parts in state_lines(start.engine, start.state, start.viewer, everything=False)]
    every = [plain(parts) for parts in state_lines(start.engine, start.state, start.viewer)]
    assert set(few[:-1]) <= set(every)
    assert few[-1].startswith("and ") and "`--all`" in few[-1]
    assert not any("owner only" in line or "middle" in line for line in few)
    assert any("card_5" in line for line in few)


def test_of_a_small_state_nothing_is_left_out():
    start = Session("overboard").start(None, 1)
    few, every = (list(state_lines(start.engine, start.state, start.viewer, everything)) for everything in (False, True))
    assert few == every
