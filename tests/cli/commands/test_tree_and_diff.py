"""`tree` and `diff`: clauses with who said them last, and what two sets of rules say otherwise."""

from __future__ import annotations

import pytest

LONE = """module lone:
    extends bright

change worth:
    lamp.lone: 1 when not some n in around(c): occupied(n)

change lay:
    drop by_water

drop score tiles_laid

score lamps: count c in sea where occupied(c) and at(c) has lamp
"""


@pytest.fixture
def lone(folder):
    (folder / "lone.rules").write_text(LONE)


TREES = ("worth", "worth.lamp", "lay", "flow", "marker", "shore", "boat", "score tiles_laid")


@pytest.mark.parametrize("name", TREES)
def test_tree(name, call, lone, snapshot):
    done = call("tree", name, "--of", "bright" if name == "score tiles_laid" else "lone")
    assert done.status == 0
    assert done.out == snapshot


def test_tree_without_a_name_lists_the_items(call, lone):
    done = call("tree", "--of", "lone")
    heads = [line.partition("   ")[0] for line in done.out.splitlines()]
    assert done.status == 0
    assert any(head.startswith("action lay") for head in heads) and any(head.startswith("score lamps") for head in heads)
    assert not any("lamp.lone" in head or "├─" in head for head in heads)


def test_tree_without_a_name_needs_a_game(call, lone):
    done = call("tree")
    assert (done.status, done.out) == (2, "")
    assert "name an item, or a game with `--of MODULE`" in done.err


def test_tree_finds_the_game_that_has_the_name(call, lone):
    """`lone` is the only module with a `lay` that no other extends."""
    assert call("tree", "lay").out == call("tree", "lay", "--of", "lone").out
    assert call("tree", "lay", "--of", "narrows").out == call("tree", "lay", "--of", "shoals").out


def test_tree_of_a_name_of_several_games(call):
    done = call("tree", "set_up")
    assert (done.status, done.out) == (2, "")
    assert "choose one with `--of MODULE`" in done.err


def test_tree_of_no_such_thing(call, lone):
    assert "did you mean `lay`?" in call("tree", "ly", "--of", "lone").err
    assert "did you mean `worth.lamp`?" in call("tree", "worth.lmp", "--of", "lone").err
    assert "did you mean `hand`?" in call("tree", "handd").err
    assert call("tree", "lone.rules").status == 2


def test_tree_as_json(call, lone):
    clauses = call("tree", "worth", "--of", "lone", "--json").json["clauses"]
    assert [(c["clause"], c["text"], c["module"], c["file"], c["line"]) for c in clauses] == [
        ("define worth", "(c)", "shoals", "shoals.rules", 25),
        ("worth.value", "1", "shoals", "shoals.rules", 27),
        ("worth.lamp", "5 when at(c) has lamp", "bright", "bright.rules", 6),
        ("worth.lamp.lone", "1 when not some n in around(c): occupied(n)", "lone", "lone.rules", 5),
    ]
    assert clauses[0]["cite"] == "sh.worth"


def test_diff(call, lone, snapshot):
    done = call("diff", "shoals", "lone")
    assert done.status == 0
    assert done.out == snapshot


def test_diff_of_a_word_is_a_line(call):
    assert call("diff", "shoals", "bright").out == "~ worth.lamp  {2 -> 5} when at(c) has lamp   bright  bright.rules:6\n"
    assert call("diff", "bright", "narrows").out == "~ worth.lamp  {5 -> 2} when at(c) has lamp   shoals  shoals.rules:28\n"


def test_diff_of_nothing(call):
    done = call("diff", "shoals", "shoals", "--exit-code")
    assert (done.status, done.out, done.err) == (0, "", "no differences\n")


def test_diff_may_say_no(call):
    assert call("diff", "shoals", "bright").status == 0
    assert call("diff", "shoals", "bright", "--exit-code").status == 1


def test_diff_as_json(call):
    document = call("diff", "shoals", "shoals+bright", "--json").json
    assert (document["a"], document["b"]) == (["shoals"], ["shoals", "bright"])
    assert document["changes"] == [
        {
            "clause": "worth.lamp",
            "kind": "define",
            "change": "changed",
            "a": "2 when at(c) has lamp",
            "b": "5 when at(c) has lamp",
            "module": "bright",
            "file": "bright.rules",
            "line": 6,
        }
    ]


def test_diff_of_versions_of_a_file(call, folder):
    """Two files with one module name in two folders are two versions of it."""
    (folder / "before").mkdir()
    (folder / "before" / "bright.rules").write_text((folder / "bright.rules").read_text().replace("5", "7"))
    assert "{7 -> 5}" in call("diff", "before/bright.rules", "bright.rules").out


# Clashes --------------------------------------------------------------------------------------------------------------

CLASHING = """module clashing:
    extends shoals

define busy(c) = 2 <= count n in around(c) where occupied(n)

change worth:
    busy: 3 when busy(c)
"""


def test_check_prints_a_position_that_shows_a_clash(call, folder):
    """A lamp with two neighbours: the puzzle that is printed can be saved, and its score cannot be counted."""
    (folder / "clashing.rules").write_text(CLASHING)
    done = call("check", "clashing")
    assert done.status == 2
    first, place, *_ = done.err.splitlines()
    assert first == "error[RW266]: the exceptions `worth.lamp` and `worth.busy` both apply in a position"
    assert place.strip() == "--> clashing.rules:7:5"
    text = done.out[done.out.index("puzzle ") :]
    (folder / "worth_lamp_and_busy.puzzle").write_text(text)
    assert "RW360" in call("score", "worth_lamp_and_busy").err
    document = call("check", "clashing", "--json").json
    assert [error["code"] for error in document["errors"]] == ["RW266"]
    assert document["positions"] == [text]


LADDER = """module ladder:
    "Nobody gets to the top by chance."

state:
    height: 0..40

define worth(n):
    = 1
    high:   2 when height > 30
    beacon: 3 when height > 32 and n = 1

action up:
    require room: height < 40
    effect more: height += 1

action fall:
    require off: height > 0
    effect all: height := 0

flow:
    repeat: choose up, fall, or stop

score steps: worth(0) + worth(1)
"""


def test_check_asks_the_solver_for_what_play_does_not_come_upon(call, folder):
    """The position that is printed is a puzzle in which the rules contradict themselves."""
    (folder / "ladder.rules").write_text(LADDER)
    done = call("check", "ladder")
    assert "error[RW266]: the exceptions `worth.high` and `worth.beacon` both apply in a position" in done.err
    (position,) = call("check", "ladder", "--json").json["positions"]
    (folder / "top.puzzle").write_text(position)
    assert "height: 33" in position
    assert "RW360" in call("score", "top.puzzle").err


def test_a_clash_is_mended_by_a_module_that_extends_both(call, folder):
    (folder / "clashing.rules").write_text(CLASHING)
    mended = "module mended:\n    extends clashing\n\nchange worth:\n    drop busy\n    lamp.busy: 4 when busy(c)\n"
    (folder / "mended.rules").write_text(mended)
    assert call("check", "mended").status == 0


def test_many_modules_are_named_at_once(call, folder):
    """More letters than a file name may have."""
    names = "+".join(f"beacon_patrol.ships.{name}" for name in ("construction", "ferry", "hovercraft", "research", "submarine"))
    together = f"{names}+{names}+beacon_patrol.windmills"
    assert len(together) > 255
    assert call("check", together).status == 0


def test_modules_of_another_folder_are_named_together(call, folder, tmp_path_factory):
    """The folder of a path is looked in for `A+B` as it is for `A`."""
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "base.rules").write_text(LADDER.replace("ladder", "base"))
    (elsewhere / "more.rules").write_text("module more:\n    extends base\n\nchange worth:\n    drop beacon\n")
    assert call("check", f"{elsewhere}/more.rules+{elsewhere}/base.rules").status == 0
