"""`solve --engine`: who answers, and what is said where CP-SAT does not read the rules."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(("engine", "proof"), [("search", "search"), ("cpsat", "cpsat"), ("both", "search+cpsat")])
def test_the_engine_asked_for_has_proved_it(call, engine: str, proof: str) -> None:
    found = call("solve", "narrows", "--engine", engine, "--json").json
    assert (found["status"], found["score"], found["proof"], found["verified"]) == ("optimal", 8, proof, True)


def test_a_second_opinion_is_of_both_engines(call) -> None:
    done = call("solve", "narrows", "--second-opinion", "--engine", "search")
    assert done.status == 2 and "`--second-opinion` is of both engines, not of `--engine search`" in done.err
    assert call("solve", "narrows", "--second-opinion", "--json").json["proof"] == "search+cpsat"


def test_what_is_refused_has_a_name_and_a_line(call) -> None:
    done = call("solve", "knights_five", "--engine", "cpsat")
    said = "nothing but the board shows that play ends: give the question a horizon, in line 32 of knights_tour.rules"
    assert f"CP-SAT: unsupported: {said}" in done.out
