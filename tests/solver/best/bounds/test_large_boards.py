"""What is read off the rules once, before a search, does not grow with the board."""

from __future__ import annotations

from unittest.mock import patch

import pytest

from rulewright.grammar.tree.puzzles import Goal
from rulewright.rules.analysis.dominance import MonotoneVariables
from rulewright.rules.linking.questions import Question, resolve_question
from rulewright.rules.model.state import Horizon
from rulewright.rules.play.engine import Engine
from rulewright.rules.static.abstract_algebra import AbstractAlgebra
from rulewright.solver.answer.portfolio import check_question
from rulewright.solver.best.problem import Problem
from tests.expressions import parse_expression
from tests.rules.playing import MODULES, linked


def shore(size: str) -> Engine:
    text = (MODULES / "shore.rules").read_text(encoding="utf-8")
    return Engine.of(linked(text.replace("9 x 9 x 6", size)), 2)


def reads_of_first_analysis(size: str, asked: str) -> int:
    """How many values of variables are read abstractly before a search."""
    engine = shore(size).with_horizon(Horizon("turn", 1))
    question = Question(Goal.MAXIMISE, (resolve_question(engine.game, parse_expression(asked, "here")),), 0, engine.horizon)
    problem, found, read = Problem(engine, engine.start(), question), 0, AbstractAlgebra.read

    def counted(algebra: AbstractAlgebra, variable: str, index: object) -> object:
        nonlocal found
        found += 1
        return read(algebra, variable, index)  # type: ignore[arg-type]

    with patch.object(AbstractAlgebra, "read", counted):
        check_question(engine, problem.root, question)
        assert problem.most is not None
    return found


@pytest.mark.parametrize("asked", ["earned of 1", "income(1)"])
def test_the_first_analysis_costs_as_much_on_any_board(asked: str) -> None:
    assert reads_of_first_analysis("9 x 9 x 6", asked) < 500


def test_what_is_summed_over_all_cells_is_known_not_to_fall() -> None:
    engine = shore("9 x 9 x 6")
    question = Question(Goal.MAXIMISE, (resolve_question(engine.game, parse_expression("earned of 1", "here")),))
    monotone = MonotoneVariables.of(engine, Problem(engine, engine.start(), question).analysis)
    assert "earned" in monotone.never_lowered - monotone.never_raised
