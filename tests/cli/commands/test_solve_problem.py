"""`solve --all` and `--unique` of problems: what a problem page prints below the position."""

from __future__ import annotations

from pathlib import Path

from rulewright.studies.problem_solution import ProblemSolution, Variation

MORPHY = [
    "set play",
    "try  a1-a5? but a7-a6!",
    "key  a1-a6!",
    "  1… b7xa6   2. b6-b7",
    "  1… otherwise   2. a6xa7",
]


def test_a_direct_mate(call) -> None:
    done = call("solve", "morphy", "--all", "1", "--unique")
    assert done.status == 0
    lines = done.out.splitlines()
    assert [line for line in lines if line in MORPHY] == MORPHY
    assert "key: a1-a6, the only key" in lines and "unique: no other plan is as good" in lines


def test_for_scripts(call) -> None:
    found = call("solve", "morphy", "--all", "1", "--json").json["solution"]
    (key,) = found["variations"]
    assert (key["number"], key["text"], key["own"], len(key["replies"])) == (1, "a1-a6", True, 7)
    assert found["tries"] == [{"text": "a1-a5", "refutation": "a7-a6"}]
    assert all(defence["replies"][0]["text"] == "a1xa7" for defence in found["set_play"])


def test_the_page_of_the_solution_has_them_too(call) -> None:
    assert call("solve", "morphy", "--all", "1", "--html", "morphy.html").status == 0
    page = Path("morphy.html").read_text("utf-8")
    assert "Keys and variations" in page and "key  a1-a6!" in page and "1… b7xa6   2. b6-b7" in page


def test_a_help_mate_lists_its_lines(call) -> None:
    lines = call("solve", "help_mate", "--all", "5").out.splitlines()
    assert lines[1:3] == ["1 solution", "  1. f6-e5  2. h5-g6  3. e6-d5  4. f8-f6"]


def test_without_time_it_says_so(call) -> None:
    done = call("solve", "morphy", "--all", "1", "--time", "0", "--json")
    assert (done.status, done.json["solution"]) == (10, None)


def test_two_ways_to_help_are_no_unique_solution() -> None:
    second = tuple(Variation(2, 1, text, True, ()) for text in ("g7-f6", "g7-f7"))
    found = ProblemSolution((Variation(1, 2, "h4-h5", True, second),), (), (), True).uniqueness
    assert found is not None and not found.is_unique
    assert [(dual.text, dual.others) for dual in found.duals] == [("g7-f6", ("g7-f7",))]


def test_each_answer_to_a_defence_but_the_first_is_a_dual() -> None:
    answers = tuple(Variation(3, 1, text, True, ()) for text in ("a", "b"))
    defences = (Variation(2, 2, "x", False, answers), Variation(2, 2, "y", False, answers[:1]))
    found = ProblemSolution((Variation(1, 1, "key", True, defences),), (), ()).uniqueness
    assert found is not None and [(dual.number, dual.others) for dual in found.duals] == [(3, ("b",))]
