"""`solve --engine`: who answers, and what is said where CP-SAT does not read the rules."""

from __future__ import annotations

import pytest

from rulewright.puzzles.catalogue import SHIPPED


@pytest.mark.parametrize(("engine", "proof"), [("search", "search"), ("cpsat", "cpsat"), ("both", "search+cpsat")])
def test_the_engine_asked_for_has_proved_it(call, engine: str, proof: str) -> None:
    found = call("solve", "narrows", "--engine", engine, "--json").json
    assert (found["status"], found["score"], found["proof"], found["verified"]) == ("optimal", 8, proof, True)


def test_a_second_opinion_is_of_both_engines(call) -> None:
    done = call("solve", "narrows", "--second-opinion", "--engine", "search")
    assert (
        done.status == 2 and "`--second-opinion` needs both engines and cannot be combined with `--engine search`" in done.err
    )
    assert call("solve", "narrows", "--second-opinion", "--json").json["proof"] == "search+cpsat"


REFUSED = (
    "CP-SAT, plans as sets: unsupported: `knight`, by which the order of actions matters, in line 23 of knights_tour.rules",
    "CP-SAT, plans as rounds: unsupported: a question for `count best`, in line 6 of knights_five.puzzle",
    "CP-SAT, the final board: unsupported: a question that a bound does not answer, in line 6 of knights_five.puzzle",
    "CP-SAT, all states listed: unsupported: more than 60,000 states or 250,000 moves, in line 37 of knights_tour.rules",
    "CP-SAT, plans of a number of moves: unsupported: a question that does not count moves, in line 6 of knights_five.puzzle",
    "CP-SAT, whole plays: unsupported: play that only the board ends: give the question a horizon,"
    " in line 37 of knights_tour.rules",
)


def test_each_model_says_what_it_refuses_and_where(call) -> None:
    text = call("solve", "knights_five", "--engine", "cpsat").out
    assert [line for line in text.splitlines() if line.startswith("CP-SAT")] == list(REFUSED)
    assert call("solve", "knights_five", "--engine", "cpsat", "--json").json["remarks"] == list(REFUSED)


def test_a_second_opinion_says_of_each_model_what_it_refuses(call) -> None:
    """Here the final board was asked for a bound."""
    told = call("solve", "knights_five", "--second-opinion", "--json").json["remarks"]
    unlaid = "a question that is not about one board on which tiles are only laid, in line 37 of knights_tour.rules"
    assert told == [*REFUSED[:2], f"CP-SAT, the final board: unsupported: {unlaid}", *REFUSED[3:]]


def test_what_an_earlier_model_refuses_is_not_told_where_a_later_one_answers(call) -> None:
    found = call("solve", "bishops_eight", "--engine", "cpsat", "--json").json
    assert (found["status"], found["remarks"]) == ("optimal", [])


def test_what_models_refuse_is_not_told_where_the_search_answers(call) -> None:
    assert call("solve", "knights_five", "--json").json["remarks"] == []


@pytest.mark.parametrize(("puzzle", "asked"), [("pig_ten", "in expectation"), ("noughts_draw", "against best play")])
@pytest.mark.parametrize("engine", ["cpsat", "both"])
def test_a_question_that_no_model_reads_is_refused_by_its_line(call, puzzle: str, asked: str, engine: str) -> None:
    (path,) = SHIPPED.rglob(f"{puzzle}.puzzle")
    line = next(
        number for number, text in enumerate(path.read_text("utf-8").splitlines(), 1) if text.strip().startswith("ask:")
    )
    said = f"CP-SAT does not read questions {asked}, in line {line} of {puzzle}.puzzle"
    assert said in call("solve", puzzle, "--engine", engine, "--json").json["remarks"]


COUNTING = """module counting:
players 1

state:
    number: 0..9 = 3

action add(step in 1..2):
    require room: number + step <= 9 else "too far"
    effect go: number += step

flow:
    repeat: choose add
"""


@pytest.mark.parametrize(
    ("asked", "seconds", "said"),
    [
        ("reach number >= 8 until end", "9", "no second opinion: a plan that the rules replay is its own proof"),
        ("fewest moves until number >= 3", "9", "no second opinion: the answer takes no move"),
        ("maximise number until end", "0", "no second opinion: there is no proof that CP-SAT could confirm"),
    ],
)
def test_why_there_is_no_second_opinion_where_there_is_nothing_to_confirm(
    call, folder, asked: str, seconds: str, said: str
) -> None:
    (folder / "counting.rules").write_text(COUNTING, "utf-8")
    puzzle = f"puzzle here:\n    rules counting\n\n    ask: {asked}\n"
    (folder / "here.puzzle").write_text(puzzle, "utf-8")
    command = ("solve", "here", "--time", seconds, "--json")
    assert said in call(*command, "--engine", "both").json["remarks"]
    assert said not in call(*command).json["remarks"]
