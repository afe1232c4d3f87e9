"""What puzzles expect of their positions: plans accepted and refused, and counts of lines of play."""

from __future__ import annotations

import pytest
from attrs import evolve

from rulewright.base.diagnostics import RulesError
from rulewright.rules.play.perft import Lines
from rulewright.solver.perft.count import LineCounter
from rulewright.studies.verdicts import check_verdicts
from tests.puzzles.positions import at_sea

BOARD = """
sea:
    .     buoy  .
    buoy  hq@1  open

hand 1: open, e_house
draw: buoy
tokens 1: 3
"""


def test_verdicts_of_a_puzzle() -> None:
    check_verdicts(at_sea(BOARD + "\naccept: place open south, stop\nrefuse: sail south\n"))
    for line in ("accept: sail south", "refuse: sail north"):
        with pytest.raises(RulesError) as caught:
            check_verdicts(at_sea(BOARD + f"\n{line}\n"))
        assert [flaw.code for flaw in caught.value.diagnostics] == ["RW337"]
        assert caught.value.diagnostics[0].span is not None


@pytest.mark.parametrize(("text", "code", "help"), [("sial north", "RW350", "`sail north`"), ("sail nroth", "RW351", "north")])
def test_what_is_no_plan_is_not_refused(text: str, code: str, help: str) -> None:
    with pytest.raises(RulesError) as caught:
        check_verdicts(at_sea(BOARD + f"\nrefuse: {text}\n"))
    (flaw,) = caught.value.diagnostics
    assert flaw.code == code and help in flaw.help
    assert flaw.span is not None and flaw.span.line == 12


def test_lines_of_play_are_counted() -> None:
    check_verdicts(at_sea(BOARD + "\npositions: 1\n"))
    with pytest.raises(RulesError) as caught:
        check_verdicts(at_sea(BOARD + "\npositions: 1, 99\n"))
    assert [flaw.code for flaw in caught.value.diagnostics] == ["RW338"]
    assert caught.value.diagnostics[0].message.endswith("lines of play at depth 1: expected 99, found 14")
    assert "--divide" in caught.value.diagnostics[0].help


def test_the_first_wrong_depth_is_told() -> None:
    with pytest.raises(RulesError) as caught:
        check_verdicts(at_sea(BOARD + "\npositions: 1, 14, 9, 9\n"))
    assert "at depth 2: expected 9, found " in caught.value.diagnostics[0].message
    assert "2 --divide" in caught.value.diagnostics[0].help


def test_a_first_move_that_engines_count_differently_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = LineCounter._lines

    def wrong(counter: LineCounter, state: tuple[object, ...], length: int) -> Lines | None:
        lines = honest(counter, state, length)
        if lines is None or state != after:
            return lines
        return evolve(lines, counts=(*lines.counts[:-1], lines.counts[-1] + 1))

    position = at_sea(BOARD + "\npositions: 1, 14\n")
    engine = position.engine
    after = engine.apply(position.state, engine.legal(position.state)[1])
    monkeypatch.setattr(LineCounter, "_lines", wrong)
    with pytest.raises(RulesError) as caught:
        check_verdicts(at_sea(BOARD + "\npositions: 1, 14, 9\n"))
    help = caught.value.diagnostics[0].help
    assert "a bug in Rulewright" in help and f"after `{position.legal_actions[1]}`" in help
