"""The tree of what was tried: its laws, and what the player types and sees."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulewright.base.styled_text import plain
from rulewright.cli.playing.game_session import UndoTree, branch_rows
from rulewright.cli.playing.play_commands import PlayCommand, read_command
from rulewright.puzzles.plan_replay import Ply


def ply(name: str) -> Ply:
    return Ply(name, 1, (name,), len(name))


def names(tree: UndoTree) -> str:
    return "".join(found.text for found in tree.plies)


@settings(max_examples=150)
@given(st.lists(st.one_of(st.sampled_from(["a", "b", "undo", "redo"]), st.integers(0, 30)), max_size=40))
def test_the_tree_keeps_every_line_of_play_that_was_tried(steps: list[str | int]) -> None:
    """Against a plain model: the current line, and the number that each line got when it was first reached."""
    tree, line, numbers = UndoTree(), "", {"": 0}
    for step in steps:
        match step:
            case "undo":
                assert tree.undo() is bool(line)
                line = line[:-1]
            case "redo":
                before = line
                if tree.redo():
                    line = names(tree)
                    assert line[:-1] == before and line in numbers
                else:
                    assert not any(other[:-1] == line for other in numbers if other)
            case int():
                known = [text for text, number in numbers.items() if number == step]
                assert tree.go_to(step) is bool(known)
                line = known[0] if known else line
            case _:
                tree.add(ply(step))
                line += step
                numbers.setdefault(line, len(numbers))
        assert names(tree) == line
        assert tree.current.number == numbers[line]
    assert sorted(node.number for _, node in tree.rows()) == sorted(numbers.values())


def test_redo_follows_the_way_that_was_gone_last() -> None:
    tree = UndoTree()
    for step in "abc":
        tree.add(ply(step))
    tree.go_to(1)
    tree.add(ply("d"))
    tree.go_to(3)
    tree.go_to(0)
    while tree.redo():
        pass
    assert names(tree) == "abc"


def test_a_long_line_of_play_is_shortened_to_its_ends_and_branches() -> None:
    tree = UndoTree()
    for step in "abcdefghij":
        tree.add(ply(step))
    tree.go_to(1)
    tree.add(ply("k"))
    rows = [plain(row).rstrip() for _, row in branch_rows(tree, True)]
    assert rows == [
        " 0  the start",
        " 1  a   score 1",
        " 2  b   score 1",
        "11*   k   score 1",
        "    … 7 actions",
        "10  j   score 1",
    ]


def test_what_was_tried_in_place_of_an_action_stands_below_it() -> None:
    tree = UndoTree()
    for step in "abc":
        tree.add(ply(step))
    for parent, step in ((1, "d"), (4, "e"), (1, "f"), (0, "g"), (4, "h")):
        tree.go_to(parent)
        tree.add(ply(step))
    rows = [(depth, node.ply.text if node.ply else "") for depth, node in tree.rows()]
    assert rows == [(0, ""), (0, "a"), (1, "g"), (0, "b"), (1, "d"), (1, "e"), (2, "h"), (1, "f"), (0, "c")]


TYPED = "lay plain south\nlay twins west\nundo 2\nlay bay south\nbranches\ngoto 2\nundo\nredo\n"


def test_what_was_taken_back_is_listed_and_gone_to_by_its_number(call) -> None:
    done = call("play", "narrows", typed=TYPED)
    assert "3*   lay bay south" in done.out
    assert done.out.endswith("score 6 so far  Deckhands\n")


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("redo\n", "there is nothing to redo here"),
        ("redo 0\n", "there is nothing to redo here"),
        ("goto 7\n", "there is no position 7  `branches` lists them"),
        ("goto\n", "`goto` is not a valid use of this command  write it as `goto NUMBER`"),
        ("hint now\n", "`hint now` is not a valid use of this command  write it as `hint` alone"),
        ("why\n", "write it as `why ACTION`, or `why NUMBER`"),
        ("why 99\n", "there is no action 99"),
        ("why 1\n", "is legal"),
        ("brances\n", "there is no action or command `brances`  did you mean `branches`?"),
        ("stop\n", "`why stop` explains why"),
        ("Lay\n", "did you mean `lay`?"),
        ("U\n", "there is nothing to take back"),
        ("²\n", "there is no action `²`"),
        (f"undo {'9' * 5000}\n", "write it as `undo`, or `undo NUMBER`"),
        (f"{'9' * 5000}\n", "there is no action `999"),
    ],
)
def test_what_cannot_be_gone_to_is_said(call, typed: str, said: str) -> None:
    done = call("play", "narrows", typed=typed)
    assert done.status == 0
    assert said in done.out


def test_replies_of_the_computer_come_back_with_the_action(call) -> None:
    typed = "place (1,1)\nplace (0,1)\nundo 2\nredo\nundo\nredo 9\nbranches\n"
    done = call("play", "classics.noughts_and_crosses", "--seed", "1", "--against", "greedy", typed=typed)
    listed = done.out.rpartition("the start")[2]
    assert listed.count("place") == 4
    assert "4* " in listed


def test_an_action_that_is_called_as_a_command_can_be_taken() -> None:
    actions = {"save", "u"}
    assert read_command("save (1,1)", actions) == (PlayCommand.SAVE, "(1,1)")
    assert read_command("save", actions) == (PlayCommand.ACTION, "save")
    assert read_command("u", actions) == (PlayCommand.ACTION, "u")
    assert read_command("Undo 2  # both", actions) == (PlayCommand.UNDO, "2")
    assert read_command("exit", actions) == read_command("q", actions) == (PlayCommand.QUIT, "")
