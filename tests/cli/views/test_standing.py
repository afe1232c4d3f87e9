"""The lines that say whose turn it is and how players stand: only what counts."""

from __future__ import annotations

import pytest

from rulewright.cli.names import named
from rulewright.cli.views.state_view import standing_lines, turn_line
from rulewright.pictures.position_picture import picture
from rulewright.pictures.scene import Scene
from rulewright.pictures.svg import to_text
from rulewright.rules.play.move_notation import parse_move
from rulewright.rules.play.scores import told_standings


@pytest.mark.parametrize(("puzzle", "is_told"), [("rush_hour_hardest", False), ("overboard", True)])
def test_the_score_is_told_where_a_puzzle_asks_for_it(puzzle: str, is_told: bool) -> None:
    start = named(puzzle).start(None, 0)
    assert ("score" in "".join(part.text for part in turn_line(start.engine, start.state, start.viewer))) is is_told


def test_scores_that_say_who_has_won_are_told_at_the_end() -> None:
    start = named("classics.noughts_and_crosses").start(None, 0)
    engine, state = start.engine, start.state
    assert told_standings(engine, state) == {1: (), 2: ()}
    for move in ("place (0,0)", "place (0,1)", "place (1,0)", "place (1,1)", "place (2,0)"):
        state = engine.apply(state, parse_move(engine, state, move))
    assert told_standings(engine, state) == {1: ("wins",), 2: ()}
    assert [part.text for row in standing_lines(engine, state) for part in row] == ["player 1", "  wins", "player 2", ""]


@pytest.mark.parametrize(("name", "words"), [("classics.draughts", ("men 12",)), ("classics.othello", ("discs 2", "level"))])
def test_who_leads_is_told_where_scores_decide(name: str, words: tuple[str, ...]) -> None:
    start = named(name).start(None, 0)
    assert told_standings(start.engine, start.state) == {1: words, 2: words}


def test_nobody_wins_where_only_the_question_is_over() -> None:
    start = named("chess_opening").start(None, 0)
    engine, state = start.engine, start.state
    while not engine.over(state):
        state = engine.apply(state, engine.legal(state)[0])
    assert engine.is_at_horizon(state) and told_standings(engine, state) == {1: (), 2: ()}


def test_a_picture_names_no_player_of_whom_nothing_is_told() -> None:
    def panel(name: str) -> str:
        start = named(name).start(None, 0)
        return to_text(picture(Scene(start.engine, start.viewer, "board"), start.state))

    assert ">player 1<" not in panel("classics.noughts_and_crosses")
    assert ">player 1 · points" in panel("classics.go")
