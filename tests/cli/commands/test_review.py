"""`review`: snapshots that changed, by the clause that changed them; one, a group or all accepted; nothing in CI."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

REST = """
action rest:
    "Let the tide pass."
    effect wait: first := player
"""


@pytest.fixture
def own(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A module, two puzzles of it and one of a variant."""
    monkeypatch.delenv("CI", raising=False)
    for path in folder.iterdir():
        if path.name not in {"shoals.rules", "bright.rules", "narrows.puzzle", "mute.puzzle"}:
            path.unlink()
    text = (
        (folder / "narrows.puzzle").read_text().replace("puzzle narrows", "puzzle lit").replace("rules shoals", "rules bright")
    )
    (folder / "lit.puzzle").write_text(text.replace("answer: 8", "answer: 14"))
    return folder


@pytest.fixture
def accepted(own: Path, call) -> Path:
    """The same, with everything accepted."""
    assert call("review", "--accept", "all").status == 0
    return own


def replace(path: Path, before: str, after: str) -> None:
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after))


def kept(folder: Path) -> dict[str, str]:
    return {path.relative_to(folder / "__snapshots__").as_posix(): path.read_text() for path in folder.rglob("*.txt")}


def causes(call) -> dict[str, list[str]]:
    """The puzzles that each cause changes."""
    groups = call("review", "--json").json["groups"]
    return {group["cause"]: [puzzle["puzzle"] for puzzle in group["puzzles"]] for group in groups}


def test_at_first_everything_is_new(own, call):
    done = call("review")
    assert done.status == 1
    assert "not accepted: `new`" in done.err
    assert causes(call) == {"new": []}
    assert call("review", "--accept", "new").status == 0
    names = ("legal_actions", "score", "accepted_plans", "best")
    assert set(kept(own)) == {
        *(f"{puzzle}/{name}.txt" for puzzle in ("narrows", "lit") for name in names),
        *("mute/legal_actions.txt", "mute/score.txt", "bright/linked_rules.txt", "shoals/linked_rules.txt"),
    }
    done = call("review")
    assert (done.status, done.out, done.err) == (0, "", "nothing to review\n")


def test_a_clause_and_the_puzzles_that_it_changes(accepted, call, snapshot):
    """The variant replaces the clause, so that its puzzle is not changed, and says so in its own rules no more than before."""
    replace(accepted / "shoals.rules", "lamp: 2 when", "lamp: 3 when")
    assert causes(call) == {"worth.lamp": ["mute", "narrows"]}
    done = call("review")
    assert done.status == 1
    assert done.out == snapshot


def test_records_and_boards_on_request(accepted, call, snapshot, tmp_path):
    replace(accepted / "shoals.rules", "lamp: 2 when", "lamp: 3 when")
    assert call("review", "--full", "--boards").out == snapshot
    call("review", "--svg", str(tmp_path / "pictures"))
    assert {path.name for path in (tmp_path / "pictures").iterdir()} == {"mute.svg", "narrows.svg"}
    assert (tmp_path / "pictures" / "narrows.svg").read_text().startswith("<svg")


def test_several_clauses_are_groups_of_their_own(accepted, call):
    """A puzzle that two clauses change is in a group of both; clauses of which nothing comes are a group without puzzles."""
    replace(accepted / "shoals.rules", "lamp: 2 when", "lamp: 3 when")
    replace(accepted / "shoals.rules", "choose lay\n", "choose lay, rest\n")
    replace(accepted / "shoals.rules", '"Deckhands"  0..9', '"Swabbies"   0..9')
    (accepted / "shoals.rules").write_text((accepted / "shoals.rules").read_text() + REST)
    assert causes(call) == {
        "flow.turn": ["lit"],
        "flow.turn + worth.lamp": ["mute", "narrows"],
        "action rest, rest.wait, rank#1": [],
    }
    groups = call("review", "--json").json["groups"]
    assert [change["clause"] for change in groups[1]["changes"]] == ["flow.turn", "worth.lamp"]


def test_a_group_is_accepted_with_its_clauses(accepted, call):
    """The clause that a group shares with another is accepted when that is, the puzzles at once."""
    replace(accepted / "shoals.rules", "lamp: 2 when", "lamp: 3 when")
    replace(accepted / "shoals.rules", "choose lay\n", "choose lay, rest\n")
    (accepted / "shoals.rules").write_text((accepted / "shoals.rules").read_text() + REST)
    before = kept(accepted)
    assert call("review", "--accept", "flow.turn").status == 1
    after = kept(accepted)
    changed = {name for name in before if before[name] != after[name]}
    assert "lit/legal_actions.txt" in changed
    assert not any(name.startswith(("mute", "narrows")) for name in changed)
    assert "choose lay, rest" not in after["shoals/linked_rules.txt"]
    assert "lit" not in [name for names in causes(call).values() for name in names]
    assert call("review", "--accept", "flow.turn + worth.lamp").status == 1
    assert "choose lay, rest" in kept(accepted)["shoals/linked_rules.txt"]
    assert call("review", "--accept", "all").status == 0
    assert causes(call) == {}


def test_one_puzzle_of_a_group(accepted, call, monkeypatch):
    """Typed at a terminal: each, accept the first, reject the second. The clause is not accepted before all are."""
    replace(accepted / "shoals.rules", "lamp: 2 when", "lamp: 3 when")
    rules = kept(accepted)["shoals/linked_rules.txt"]
    monkeypatch.setattr("rulewright.cli.commands.review._is_interactive", lambda: True)
    done = call("review", typed="e\na\nr\n")
    assert done.status == 1
    assert kept(accepted)["mute/score.txt"].endswith("score 3\n")
    assert kept(accepted)["narrows/score.txt"].endswith("score 4\n")
    assert kept(accepted)["shoals/linked_rules.txt"] == rules
    assert causes(call) == {"worth.lamp": ["narrows"]}
    assert call("review", typed="nonsense\nq\n").status == 1
    assert call("review", typed="").status == 1
    assert causes(call) == {"worth.lamp": ["narrows"]}
    assert call("review", typed="a\n").status == 0
    assert causes(call) == {}
    assert "    lamp: 3 when" in kept(accepted)["shoals/linked_rules.txt"]


def test_a_puzzle_that_was_changed_itself(accepted, call):
    replace(accepted / "mute.puzzle", "sea:", "sea:\n        # moved")
    assert causes(call) == {}
    replace(accepted / "narrows.puzzle", "hand 1: bay, plain", "hand 1: plain")
    assert causes(call) == {"narrows": ["narrows"]}
    assert "the puzzle itself changed" in call("review").out
    assert call("review", "--accept", "narrows").status == 0
    assert "lay bay south" not in kept(accepted)["narrows/legal_actions.txt"]


def test_saved_games(accepted, call):
    """A game goes otherwise because of a clause, or because it is another game."""
    (accepted / "alone.play").write_text("play alone:\n    rules shoals\n    players 1\n    seed 2\n")
    assert causes(call) == {"new": []}
    assert call("review", "--accept", "all").status == 0
    before = kept(accepted)["alone/game.txt"]
    assert before.endswith("score 2 Deckhands\n")
    for puzzle in accepted.glob("*.puzzle"):
        puzzle.unlink()
    assert call("review", "--accept", "gone").status == 0
    replace(accepted / "shoals.rules", "lamp: 2 when", "lamp: 3 when")
    replace(accepted / "shoals.rules", '"Pilots"    10..', '"Masters"   10..')
    assert causes(call) == {"worth.lamp": [], "rank#2": []}
    said = call("review").out
    assert "worth.lamp: 1 saved game" in said
    assert "score 2 Deckhands -> 3 Deckhands" in said
    assert call("review", "--accept", "worth.lamp").status == 1
    assert kept(accepted)["alone/game.txt"] == before.replace("score 2", "score 3")
    assert call("review", "--accept", "all").status == 0
    replace(accepted / "alone.play", "seed 2", "seed 4")
    assert causes(call) == {"alone.play": []}
    assert "alone.play: the saved game itself changed" in call("review").out
    (accepted / "alone.play").unlink()
    assert causes(call) == {"gone": []}


CRLF = (
    "play told:\r\n    from narrows   # as it was\r\n\r\n    1: lay plain south   =   5 # five\r\n    2: lay twins west = 6\r\n"
)


@pytest.fixture
def expecting(own: Path, call) -> Path:
    """A puzzle and a saved game that expect what holds, in a layout of their own; everything accepted."""
    replace(own / "narrows.puzzle", "    answer: 8\n", "    answer :   8   # eight\n")
    (own / "told.play").write_bytes(CRLF.encode())
    assert call("review", "--accept", "all").status == 0
    replace(own / "shoals.rules", "lamp: 2 when", "lamp: 3 when")
    return own


def test_expectations_are_corrected_on_acceptance(expecting, call):
    """The number alone is written anew: comments, spaces and ends of lines stay."""
    puzzle = (expecting / "narrows.puzzle").read_text()
    done = call("review")
    assert "answer +2 (8 -> 10), score +1 (4 -> 5); outdated: answer: 8 -> 10\n" in done.out
    assert "told.play  score 6 Deckhands -> 7 Deckhands; outdated: lay plain south = 5 -> 6, " in done.out
    assert "2 files expect outdated results" in done.err
    assert call("review", "--accept", "all", "--correct").status == 0
    assert (expecting / "narrows.puzzle").read_text() == puzzle.replace("answer :   8   # eight", "answer :   10   # eight")
    corrected = CRLF.replace("=   5 # five", "=   6 # five").replace("west = 6", "west = 7")
    assert (expecting / "told.play").read_bytes() == corrected.encode()
    assert call("solve", "narrows").status == 0
    assert call("replay", "told.play").status == 0
    assert call("review").err == "nothing to review\n"


def test_expectations_are_corrected_later(expecting, call):
    """Accepted without a correction, the files are a group of their own: of those who ask to correct."""
    assert call("review", "--accept", "all").status == 0
    assert "outdated" not in (done := call("review")).out
    assert "nothing to review\n2 files expect outdated results" in done.err
    left = call("review", "--correct", "--json").json["groups"]
    assert [(group["cause"], len(group["corrections"])) for group in left] == [("outdated", 2)]
    assert call("review", "--correct", "--accept", "outdated").status == 0
    assert "answer :   10   # eight" in (expecting / "narrows.puzzle").read_text()


def test_all_is_written_or_nothing(expecting, call, monkeypatch):
    """A file that cannot be moved into place: the ones before it get their old content back."""
    before = {path: path.read_bytes() for path in expecting.rglob("*") if path.is_file()}
    moved = os.replace

    def failing(source, target):
        if Path(target).name == "told.play":
            raise PermissionError("told.play cannot be written")
        moved(source, target)

    monkeypatch.setattr(os, "replace", failing)
    assert call("review", "--accept", "all", "--correct").status == 2
    assert {path: path.read_bytes() for path in expecting.rglob("*") if path.is_file()} == before


def test_a_file_that_was_edited_meanwhile_is_not_overwritten(expecting, call, monkeypatch):
    edited = (expecting / "narrows.puzzle").read_text() + "    refuse: lay bay north\n"

    def typing(question):
        (expecting / "narrows.puzzle").write_text(edited)
        return "accept"

    monkeypatch.setattr("rulewright.cli.commands.review._is_interactive", lambda: True)
    monkeypatch.setattr("builtins.input", typing)
    done = call("review", "--correct")
    assert done.status == 2
    assert "was edited in the meantime" in done.err
    assert (expecting / "narrows.puzzle").read_text() == edited
    assert kept(expecting)["narrows/best.txt"] == "8\n"


def test_a_game_that_cannot_be_played_any_more(expecting, call):
    """It is named, with the first action that is not legal; the rest is reviewed."""
    replace(expecting / "told.play", "lay twins west", "lay twins east")
    done = call("review", "--json")
    assert [error["code"] for error in done.json["errors"]] == ["RW335"]
    assert causes(call) == {"worth.lamp": ["mute", "narrows"]}


def test_several_processes_come_to_the_same_review(expecting, call):
    for number in range(6):
        text = (expecting / "mute.puzzle").read_text().replace("puzzle mute", f"puzzle mute_{number}")
        (expecting / f"mute_{number}.puzzle").write_text(text)
    one, two = (call("review", "--workers", number, "--json").json for number in ("1", "2"))
    assert one == two


def test_records_of_what_is_no_more(accepted, call):
    (accepted / "lit.puzzle").unlink()
    assert causes(call) == {"gone": []}
    assert call("review", "--accept", "gone").status == 0
    assert not any(name.startswith("lit/") for name in kept(accepted))


def test_rules_that_change_no_puzzle(accepted, call):
    replace(accepted / "shoals.rules", "    plain  x3", "    plain  x4")
    assert causes(call) == {"shore.plain": []}
    assert "shore.plain: changes no puzzle" in call("review").out
    assert call("review", "--accept", "shore.plain").status == 0
    assert "plain  x4" in kept(accepted)["shoals/linked_rules.txt"]


def test_nothing_is_accepted_in_ci(accepted, call, monkeypatch):
    replace(accepted / "shoals.rules", "lamp: 2 when", "lamp: 3 when")
    before = kept(accepted)
    monkeypatch.setenv("CI", "true")
    done = call("review", "--accept", "all")
    assert (done.status, done.out) == (2, "")
    assert "snapshots cannot be accepted in CI" in done.err
    monkeypatch.setattr("rulewright.cli.commands.review._is_interactive", lambda: True)
    assert call("review", typed="a\n").status == 1
    assert kept(accepted) == before


def test_what_there_is_to_accept_is_named(accepted, call):
    replace(accepted / "shoals.rules", "lamp: 2 when", "lamp: 3 when")
    done = call("review", "--accept", "worth.lmp")
    assert done.status == 2
    assert "did you mean `worth.lamp`?" in done.err


def test_texts_with_errors_are_reported_and_the_rest_reviewed(accepted, call):
    replace(accepted / "bright.rules", "replace lamp", "replace lmp")
    replace(accepted / "shoals.rules", "lamp: 2 when", "lamp: 3 when")
    done = call("review", "--json")
    assert {error["code"] for error in done.json["errors"]} == {"RW105"}
    assert causes(call) == {"worth.lamp": ["mute", "narrows"]}
    assert call("review", "--accept", "all").status == 2
    assert "lit/best.txt" in kept(accepted), "what cannot be recorded now is not gone"


TOO_FEW = """module boats:
    "A boat for each of two players, and one boat."

players 2

tiles kinds:
    boat x1

state:
    boats of player: set of tiles

procedure set_up:
    deal: for p in players: move boat to boats of p from box

action wait:
    effect wait: move all box to box

flow:
    set_up
    choose wait or stop
"""


def test_a_set_up_that_fails_is_reported(own, call):
    for path in own.iterdir():
        path.unlink()
    (own / "boats.rules").write_text(TOO_FEW)
    done = call("review")
    assert done.status == 2 and "RW363" in done.err
    (own / "boats.rules").write_text(TOO_FEW.replace("boat x1", "boat x2"))
    assert call("review", "--accept", "all").status == 0


def test_what_is_not_proved_in_time_is_left(accepted, call):
    replace(accepted / "shoals.rules", "lamp: 2 when", "lamp: 3 when")
    done = call("review", "--time", "0", "--json")
    assert len(done.json["undecided"]) == 2
    assert "best.txt" not in done.out


def test_review_and_pytest_keep_the_same_records(accepted, call):
    from tests.cli.testing.authors import run_pytest

    replace(accepted / "narrows.puzzle", "    answer: 8\n", "")
    replace(accepted / "shoals.rules", "lamp: 2 when", "lamp: 3 when")
    assert run_pytest(accepted).counts["failed"] == 5
    assert call("review", "--accept", "worth.lamp").status == 0
    assert run_pytest(accepted).status == 0
    assert run_pytest(accepted, "--snapshot-update").status == 0
    assert causes(call) == {}


@pytest.mark.parametrize("is_folder", [True, False])
def test_a_planted_link_is_not_written_through(accepted, call, tmp_path_factory, is_folder):
    elsewhere = tmp_path_factory.mktemp("elsewhere") / "home"
    planted = accepted / "__snapshots__" / "narrows"
    if is_folder:
        planted.rename(elsewhere)
        planted.symlink_to(elsewhere)
    else:
        elsewhere.mkdir()
        (planted / "score.txt").rename(elsewhere / "score.txt")
        (planted / "score.txt").symlink_to(elsewhere / "score.txt")
    before = {path.name: path.read_bytes() for path in elsewhere.iterdir()}
    replace(accepted / "shoals.rules", "lamp: 2 when", "lamp: 3 when")
    done = call("review", "--accept", "all")
    assert done.status == 2
    assert "is a link that leads out of the folder" in done.err
    assert {path.name: path.read_bytes() for path in elsewhere.iterdir()} == before
