"""`solve --all` and `--unique` of problems: what a problem page prints below the position."""

from __future__ import annotations

MORPHY = [
    "set play",
    "try  (0,7) (0,3)? but (0,1) (0,2)!",
    "key  (0,7) (0,2)!",
    "  1… (1,1) (0,2)   2. (1,2) (1,1)",
    "  1… otherwise   2. (0,2) (0,1)",
]


def test_a_direct_mate(call) -> None:
    done = call("solve", "morphy", "--all", "1", "--unique")
    assert done.status == 0
    lines = done.out.splitlines()
    assert [line for line in lines if line in MORPHY] == MORPHY
    assert "key: (0,7) (0,2), the only key" in lines and "unique: no other plan is as good" in lines


def test_for_scripts(call) -> None:
    found = call("solve", "morphy", "--all", "1", "--json").json["solution"]
    (key,) = found["variations"]
    assert (key["number"], key["text"], key["own"], len(key["replies"])) == (1, "(0,7) (0,2)", True, 7)
    assert found["tries"] == [{"text": "(0,7) (0,3)", "refutation": "(0,1) (0,2)"}]
    assert all(defence["replies"][0]["text"] == "(0,7) (0,1)" for defence in found["set_play"])


def test_a_help_mate_lists_its_lines(call) -> None:
    lines = call("solve", "help_mate", "--all", "5").out.splitlines()
    assert lines[1:3] == ["1 solution", "  1. (5,2) (4,3)  2. (7,3) (6,2)  3. (4,2) (3,3)  4. (5,0) (5,2)"]


def test_without_time_it_says_so(call) -> None:
    done = call("solve", "morphy", "--all", "1", "--time", "0", "--json")
    assert (done.status, done.json["solution"]) == (10, None)
