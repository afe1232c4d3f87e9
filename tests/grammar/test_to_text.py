"""Parsing what is printed gives the same tree; formatting keeps comments and is idempotent."""

from __future__ import annotations

import os
import random
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulewright.grammar.formatter import format_text
from rulewright.grammar.from_text import parse_module, parse_puzzle
from rulewright.grammar.to_text import print_expression, print_module, print_puzzle
from rulewright.grammar.tree.modules import Module
from tests.expressions import parse_expression
from tests.grammar import strategies
from tests.grammar.shipped import SHIPPED

EXAMPLES = int(os.environ.get("RULEWRIGHT_EXAMPLES", "50"))  # more in the fuzz campaign
quick = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))


@quick
@given(strategies.expressions)
def test_expressions_survive_printing(tree):
    text = print_expression(tree)
    assert parse_expression(text, "generated") == tree, text


@quick
@given(strategies.modules)
def test_modules_survive_printing(tree):
    text = print_module(tree)
    assert parse_module(text, "generated.rules") == tree, text


@quick
@given(strategies.puzzles)
def test_puzzles_survive_printing(tree):
    text = print_puzzle(tree)
    assert parse_puzzle(text, "generated.puzzle") == tree, text


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_shipped_files_survive_printing_and_formatting(path: Path):
    text = path.read_text("utf-8")
    if path.suffix == ".rules":
        module = parse_module(text, path.name)
        assert parse_module(print_module(module), path.name) == module
    else:
        puzzle = parse_puzzle(text, path.name)
        assert parse_puzzle(print_puzzle(puzzle), path.name) == puzzle
    formatted = format_text(text, path.name)
    assert format_text(formatted, path.name) == formatted


DRAWN = """module hexes:

table faces by boards:
    boards:     nw      ne
            w       mid     e
                sw      se
    lagoon:     calm    reef
            calm    fish    calm
                calm    gusts  # windy
    bay:        calm    calm
            reef    calm    calm
                -1      yes
"""


def test_a_table_that_is_drawn_stays_drawn():
    assert format_text(DRAWN, "hexes.rules") == DRAWN
    crooked = re.sub(r"^ {9,}", " " * 9, DRAWN, flags=re.MULTILINE)
    assert crooked != DRAWN
    assert format_text(crooked, "hexes.rules") == DRAWN


def test_a_table_that_is_drawn_is_a_table():
    flat = re.sub(r"\n {9,}", " ", DRAWN)
    assert parse_module(flat, "hexes.rules") == parse_module(DRAWN, "hexes.rules")
    assert "\n    bay:    calm  calm  reef" in format_text(flat, "hexes.rules")


@pytest.mark.parametrize(("written", "printed"), [("2", "2"), ("2..2", "2"), ("1..4", "1..4")])
def test_one_number_of_players_is_a_range_too(written: str, printed: str):
    text = f"module a:\n\nplayers {written}\n"
    assert f"players {printed}\n" in print_module(parse_module(text, "a"))
    assert parse_module(print_module(parse_module(text, "a")), "a") == parse_module(text, "a")


@quick
@given(strategies.modules | strategies.puzzles, st.randoms(use_true_random=False))
def test_formatting_keeps_comments_and_is_idempotent(tree, dice: random.Random):
    name = "generated.rules" if isinstance(tree, Module) else "generated.puzzle"
    text = print_module(tree) if isinstance(tree, Module) else print_puzzle(tree)
    formatted = format_text(_commented(text, dice), name)
    assert format_text(formatted, name) == formatted


def _commented(text: str, dice: random.Random) -> str:
    lines: list[str] = []
    for number, line in enumerate(text.split("\n")):
        if dice.random() < 0.2:
            lines.append(" " * dice.choice([0, 4, 8]) + f"# alone {number}")
        if dice.random() < 0.1:
            lines.append("")
        lines.append(line + (f" # beside {number}" if line and dice.random() < 0.2 else ""))
    return "\n".join(lines)


COMMENTED = """\
# about the module
module a:   # a
  "Text."
  # before extends
  extends b


# --- heading
define f(c):
    # before the default
    = 1 and   # one
        2     # two
    x: 1 when c    # three

    # closes the definition

state:
  x: 0..9   # four
  yy: truth # five
# the end
"""

FORMATTED = """\
# about the module
module a:  # a
    "Text."
    # before extends
    extends b

# --- heading
define f(c):
    # before the default
    # one
    = 1 and 2    # two
    x: 1 when c  # three

    # closes the definition

state:
    x:  0..9   # four
    yy: truth  # five
# the end
"""


def test_comments_stay_where_they_belong():
    assert format_text(COMMENTED, "a.rules") == FORMATTED


def test_comments_know_an_else_from_the_else_of_a_continued_expression():
    broken = "module a:\n\nprocedure b:\n    if 0 < 1:\n        put 0 at if 0 < 1 then 0  # one\n            else 1\n"
    formatted = format_text(f"{broken}    # two\n    else :  # three\n        put 0 at 0\n", "a.rules")
    assert formatted.splitlines()[4:] == [
        "        put 0 at if 0 < 1 then 0 else 1  # one", "    # two", "    else:  # three", "        put 0 at 0",
    ]  # fmt: skip
    assert format_text(formatted, "a.rules") == formatted


def test_long_lines_are_broken_at_sensible_places():
    terms = " and ".join(f"occupied(step(c, direction_{i}))" for i in range(9))
    printed = print_module(parse_module(f"module a:\n    extends b\n\ndefine f(c) = {terms}\n", "a.rules"))
    assert all(len(line) <= 120 for line in printed.split("\n"))
    assert "\n    and occupied(" in printed


@pytest.mark.parametrize("effect", ["add -1 to seen", "add (-1) to seen", "remove -1 from seen"])
def test_an_element_may_begin_with_a_sign(effect: str):
    """But `add -= 1` lowers a variable called `add`."""
    text = f'module signs:\n    "X."\n\nprocedure set_up:\n    note: {effect}\n    lower: add -= 1\n'
    module = parse_module(text, "signs.rules")
    assert parse_module(print_module(module), "signs.rules") == module
    formatted = format_text(text, "signs.rules")
    assert parse_module(formatted, "signs.rules") == module and format_text(formatted, "signs.rules") == formatted
