"""`share`: a line that other commands take, and what is said of one that is damaged."""

from __future__ import annotations

from tests.puzzles.test_share_line import LONE, OLD


def test_a_line_is_taken_where_a_puzzle_is(call) -> None:
    line = call("share", "narrows").out.strip()
    assert call("share", "narrows", "--json").json["line"] == line
    solved = call("solve", "narrows", "--json").json
    assert call("solve", line, "--json").json["score"] == solved["score"]
    assert solved["line"] == call("show", "narrows", "--json").json["line"] == line
    assert call("show", line).out == call("show", "narrows").out
    assert call("actions", line, "--json").json == call("actions", "narrows", "--json").json


def test_a_line_is_printed_as_a_puzzle(call, folder) -> None:
    text = call("share", call("share", "narrows").out.strip(), "--text").out
    (folder / "again.puzzle").write_text(text.replace("puzzle narrows:", "puzzle again:"))
    assert call("check", "again").status == 0
    assert call("actions", "again", "--json").json == call("actions", "narrows", "--json").json


def test_a_game_in_progress_is_shared_and_saved(call, folder) -> None:
    line = call("share", "narrows").out.strip()
    played = call("play", line, typed="1\nline\nsave saved.play\n").out
    later = next(row for row in played.splitlines() if row.startswith("rw2:"))
    assert later != line
    assert call("replay", "saved.play").status == 0
    assert call("show", later).status == 0


def test_a_game_is_shared_from_its_set_up(call) -> None:
    line = call("share", "shoals", "--seed", "5").out.strip()
    assert call("show", line, "--json").json["boards"] == call("show", "shoals", "--seed", "5", "--json").json["boards"]


def test_a_damaged_line_is_refused_with_its_place(call) -> None:
    line = call("share", "narrows").out.strip()
    damaged = call("solve", line[:50] + ("A" if line[50] != "A" else "B") + line[51:])
    assert damaged.status == 2
    assert "error[RW356]: the line is damaged at symbols 30 to 54" in damaged.err


def test_text_is_asked_of_a_line(call) -> None:
    refused = call("share", "narrows", "--text")
    assert refused.status == 2
    assert "a share line begins with `rw2:`" in refused.err


def test_a_line_is_what_puzzles_are_made_from(call, folder) -> None:
    line = call("share", "narrows").out.strip()
    done = call("make", line, "--count", "1", "--gap", "0", "--unique", "nothing", "--workers", "1", "--json")
    assert done.status == 0
    made = done.json["puzzles"][0]
    assert call("show", made["line"], "--json").json["line"] == made["line"]


def test_a_line_of_the_first_form_is_taken_and_said_to_be_one(call, folder) -> None:
    (folder / "lone.rules").write_text(LONE)
    old = call("show", OLD)
    assert old.status == 0
    assert old.err.startswith("the share line has a short digest of its rules (64 bits)")
    new = call("share", OLD)
    assert new.out.startswith("rw2:") and "64 bits" in new.err
    again = call("show", new.out.strip())
    assert (again.out, again.err) == (old.out, "")
