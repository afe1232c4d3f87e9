"""Expressions in English: questions and rules as those read them who never saw a rule text."""

from __future__ import annotations

import pytest

from rulewright.cli.names import named
from rulewright.rules.model.game import Game
from rulewright.web.questions import in_plain_words
from rulewright.web.wording import Wording
from tests.expressions import parse_expression


@pytest.fixture(scope="module")
def beach() -> Game:
    return named("castles_by_the_sea.basic").combination.linked


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("dollars of 1", "player 1's sand dollars"),
        ("dollars of 1 - dollars of 2", "player 1's lead over player 2 in sand dollars"),
        ("wealth of 1 + 10 * income(2)", "player 1's wealth plus 10 times player 2's income"),
        ("size(mat of 1)", "the number of player 1's stored blocks"),
        ("size(figures of 2)", "the number of tiles in player 2's figures"),
        ("open_alerts(giant)", "the open alerts of giant"),
        ("turn_board.rounds(player_count)", "the rounds of the turn board for the number of players"),
        ("count c in shore where at(c) = sand", "the number of cells of the shore with sand"),
        ("count c in shore where room(c)", "the number of cells of the shore where a block or a piece may come"),
        ("count c in shore where occupied(c)", "the number of cells of the shore with something on them"),
        ("not some c in shore: at(c) in {sand, stone}", "there is no sand or stone on the shore"),
        ("is_figure(cell(shore, 7, 7, 2), archer)", "the archer stands on (7, 7, 2)"),
        ("sum level(c) for c in shore", "the sum of its level over the cells of the shore"),
        ("if due then 0 else size(supply)", "0 if a hazard is due to strike, otherwise the number of blocks in the supply"),
        ("3 * (sun + 1)", "3 times (the rounds over plus 1)"),
        ("gathered of 1 = 1", "player 1 has 1 seaweed"),
        ("dollars of 1 >= 3 and empty(hand of 1)", "player 1 has at least 3 sand dollars and player 1's hand is empty"),
        ("dollars of 1 > dollars of 2", "player 1 has more sand dollars than player 2"),
        ("not empty(hand of player)", "the player's hand is not empty"),
        ("owed = 0 or not due", "the blocks owed are 0 or it is not so that a hazard is due to strike"),
        ("latest is none", "there is no block built last"),
        ("deep_study not in completed of 1", "deep study is not in player 1's scored castle cards"),
        ("puck of giant in {dragon, giant}", "the puck of giant is dragon or giant"),
        ("latest = cell(shore, 3, 4, 0)", "the block built last is at (3, 4, 0)"),
        ("not some c in shore: my_figure(c)", "for none of the cells of the shore, a figure of the player's stands there"),
        ("every p in players: sun > 2", "for all of the players, the rounds over are more than 2"),
        ("pillar(latest, 3)", "so many blocks at least stand under the cell, for the block built last and 3"),
        ("special_round", "all rounds are over but the one in which only hazards move"),
        ("room(c)", "a block or a piece may come there"),
        ("latest in beside(c)", "the block built last is one of the cells beside c"),
        ("some p in players: dollars of p = 3", "one of the players has 3 sand dollars"),
        ("step(c, north)", "the next cell from c towards north"),
        ("step(c, north, 2)", "the cell from c towards north by 2"),
        ("turn(c -> latest, -1)", "the direction from c to the block built last turned by -1"),
        (
            "greatest level(c) for c in shore where occupied(c)",
            "the greatest level of the cells of the shore with something on them",
        ),
        ("least c in shore by level(c)", "the one of the cells of the shore with the least level"),
        ("first c in shore", "the first of the cells of the shore"),
        ("count n in 1..3 where n = sun", "the number of numbers from 1 to 3 that are the rounds over"),
        ("none of shore", "none"),
    ],
)
def test_an_expression_in_words(beach: Game, expression: str, words: str) -> None:
    assert Wording(beach).say(parse_expression(expression, "test")) == words


@pytest.mark.parametrize(
    ("puzzle", "words"),
    [
        (
            "go_catch_two",
            "Make player 1's lead over player 2 in captured stones as high as you can, in 5 turns, against best play.",
        ),
        ("overboard", "Get the highest score you can."),
        (
            "ready_to_build",
            "Bring this about: the set of boards on the beach is empty, the board to be laid next is two a and the number of "
            "its quarter turns is 0, in 1 building.",
        ),
        ("bear_off_five_two", "Make this as likely as you can: all men are borne off, in 1 turn."),
        ("amazons_last", "Bring this about: player 1 has a win, in 1 turn."),
        (
            "reti",
            "Bring this about: there is a white queen on the board or there is no black pawn or black queen on the board, "
            "in 11 turns, against best play.",
        ),
        ("made_crates_1", "With as few moves as you can, bring this about: every crate is on a goal."),
    ],
)
def test_a_question_in_words(puzzle: str, words: str) -> None:
    position = named(puzzle).position
    assert in_plain_words(position.puzzle, position.engine.game) == words
