"""Authors' files as tests: what is collected, what fails and how that is said, snapshots, and nothing accepted in CI."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.testing.authors import Run, run_pytest

GOOD_PLAY = "play saved:\n    from narrows\n\n    1: lay plain south = 5\n    2: lay twins west = 6\n"


@pytest.fixture
def own(folder: Path) -> Path:
    """Modules, a puzzle and a saved game."""
    for path in folder.iterdir():
        if path.name not in {"shoals.rules", "bright.rules", "narrows.puzzle"}:
            path.unlink()
    (folder / "saved.play").write_text(GOOD_PLAY)
    return folder


@pytest.fixture
def accepted(own: Path) -> Path:
    """The same, with all snapshots accepted."""
    assert run_pytest(own, "--snapshot-update").status == 0
    return own


def replace(path: Path, before: str, after: str) -> None:
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after))


def test_what_is_collected(accepted: Path) -> None:
    done = run_pytest(accepted, "--collect-only")
    names = {line for line in done.said.splitlines() if "::" in line}
    promises = "position", "accept_1", "refuse_2", "answer"
    puzzle = {f"narrows.puzzle::{name}" for name in (*promises, "legal_actions", "score", "accepted_plans", "best")}
    rules = {f"{module}.rules::{name}" for module in ("bright", "shoals") for name in ("checks", "linked_rules")}
    assert names == puzzle | rules | {"saved.play::replay", "saved.play::game"}
    assert run_pytest(accepted).counts == {"passed": len(names)}


def test_plans_and_counts_are_tests(accepted: Path) -> None:
    puzzle = accepted / "narrows.puzzle"
    extra = "    accept: lay plain south, lay twins west\n    refuse: lay bay north\n    positions: 1, 3\n"
    puzzle.write_text(puzzle.read_text().rstrip() + "\n" + extra)
    assert run_pytest(accepted).failed == {"narrows.puzzle::accepted_plans"}
    assert run_pytest(accepted, "--snapshot-update").status == 0
    wrong = extra
    for right, instead in (("1, 3", "1, 4"), ("bay north", "bay south"), ("lay plain", "lay spit")):
        wrong = wrong.replace(right, instead)
    replace(puzzle, extra, wrong)
    done = run_pytest(accepted)
    assert done.failed == {f"narrows.puzzle::{name}" for name in ("accept_3", "refuse_4", "positions", "accepted_plans")}
    assert "error[RW337]" in done.said
    assert "error[RW338]: wrong number of lines of play at depth 1: expected 4, found 3" in done.said
    assert "Traceback" not in done.said


def test_every_snapshot_is_new_at_first(own: Path) -> None:
    done = run_pytest(own)
    assert done.failed == {
        *(f"narrows.puzzle::{name}" for name in ("legal_actions", "score", "accepted_plans", "best")),
        *("bright.rules::linked_rules", "shoals.rules::linked_rules", "saved.play::game"),
    }
    assert "7 snapshots new or changed: `rulewright review` shows which rules caused it, and accepts the changes" in done.said


def test_snapshots_are_plain_texts(accepted: Path) -> None:
    folder = accepted / "__snapshots__"
    assert (folder / "narrows" / "best.txt").read_text() == "8\n"
    assert (folder / "narrows" / "accepted_plans.txt").read_text() == "lay plain south = 5\n"
    assert (folder / "narrows" / "score.txt").read_text() == (
        "1  (1,0)  cape  tiles_laid\n2  (1,1)  rock  worth.lamp\n1  (2,1)  spit  tiles_laid\nscore 4\n"
    )
    assert (folder / "narrows" / "legal_actions.txt").read_text() == "lay plain south\nlay plain west\nlay bay south\n"
    assert (folder / "saved" / "game.txt").read_text() == (
        "1: lay plain south  of 3, score 5\n2: lay twins west  of 1, score 6\n3 actions are legal, score 6 Deckhands\n"
    )
    assert "    lamp: 5 when at(c) has lamp\n" in (folder / "bright" / "linked_rules.txt").read_text()


def test_a_changed_rule_fails_what_it_changes(accepted: Path) -> None:
    replace(accepted / "shoals.rules", "lamp: 2 when", "lamp: 3 when")
    done = run_pytest(accepted)
    assert done.failed == {
        *(f"narrows.puzzle::{name}" for name in ("answer", "score", "accepted_plans", "best")),
        *("shoals.rules::linked_rules", "saved.play::replay", "saved.play::game"),
    }
    assert "the puzzle expects 8, but score 10 is possible" in done.said
    assert "-    lamp: 2 when at(c) has lamp\n" in done.said.replace(" cite sh.worth", "")
    assert "error[RW345]: the recorded score is 5" in done.said


def test_wrong_texts_are_said_as_the_command_says_them(accepted: Path) -> None:
    replace(accepted / "bright.rules", "replace lamp", "replace lmp")
    done = run_pytest(accepted)
    assert done.failed == {"bright.rules::checks"}
    assert "did you mean `lamp`?" in done.said
    (accepted / "narrows.puzzle").write_text("puzzle narrows:\n    rules shoals\n    players\n")
    done = run_pytest(accepted)
    assert done.status != 0
    assert "error[RW" in done.said
    assert "Traceback" not in done.said


def with_three_puzzles(folder: Path) -> int:
    """Two more puzzles, one under a variant; how many tests stand on the rules of `shoals`."""
    text = (folder / "narrows.puzzle").read_text()
    for name, rules in (("channel", "shoals"), ("dazzle", "bright")):
        text_of = text.replace("puzzle narrows", f"puzzle {name}").replace("rules shoals", f"rules {rules}")
        (folder / f"{name}.puzzle").write_text(text_of)
    done = run_pytest(folder, "--collect-only")
    return sum("::" in line for line in done.said.splitlines())


def test_one_misspelt_name_is_one_error(accepted: Path) -> None:
    tests = with_three_puzzles(accepted)
    replace(accepted / "shoals.rules", "not occupied(to) else", "not ocupied(to) else")
    done = run_pytest(accepted)
    assert done.failed == {"shoals.rules::checks"}
    assert done.said.count("did you mean `occupied`?") == 1
    assert done.counts == {"failed": 1, "skipped": tests - 1}
    skipped = [line for line in done.said.splitlines() if line.startswith("SKIPPED")]
    assert all("ocupied" in line and line.endswith("(see shoals.rules::checks)") for line in skipped)
    alone = run_pytest(accepted, "narrows.puzzle")
    assert (alone.status, alone.failed) == (1, {"narrows.puzzle::position"})
    assert "did you mean `occupied`?" in alone.said


def test_an_error_that_only_puzzles_show_is_theirs(accepted: Path) -> None:
    """Two modules that do well alone and not together."""
    text = (accepted / "bright.rules").read_text()
    (accepted / "dim.rules").write_text(text.replace("module bright", "module dim"))
    replace(accepted / "narrows.puzzle", "rules shoals", "rules bright + dim")
    done = run_pytest(accepted)
    assert {name for name in done.failed if "linked_rules" not in name} == {"narrows.puzzle::position"}
    assert "error[RW104]" in done.said


def test_what_is_not_proved_in_time_is_skipped(accepted: Path) -> None:
    done = run_pytest(accepted, "--rulewright-seconds", "0")
    assert done.counts["skipped"] == 2
    assert "not proved in 0 seconds" in done.said
    (accepted / "pytest.ini").write_text("[pytest]\nrulewright_seconds = 0\n")
    assert run_pytest(accepted).counts["skipped"] == 2


def test_nothing_is_accepted_in_ci(accepted: Path) -> None:
    before = {path: path.read_text() for path in accepted.rglob("*.txt")}
    replace(accepted / "shoals.rules", "lamp: 2 when", "lamp: 3 when")
    done = run_pytest(accepted, "--snapshot-update", ci=True)
    assert done.status == 4
    assert "snapshots cannot be updated in CI" in done.said
    assert {path: path.read_text() for path in accepted.rglob("*.txt")} == before
    assert run_pytest(accepted, ci=True).status == 1


def test_files_that_are_not_ours_are_left_alone(accepted: Path) -> None:
    (accepted / "jigsaw.puzzle").write_text("1000 pieces\n")
    (accepted / "hamlet.play").write_text("Enter Barnardo and Francisco, two sentinels.\n")
    assert run_pytest(accepted).status == 0


def test_folders_below_and_several_processes(accepted: Path) -> None:
    (accepted / "below").mkdir()
    text = (accepted / "narrows.puzzle").read_text()
    for before, after in (("puzzle narrows", "puzzle deeper"), ("rules shoals", "rules bright"), ("answer: 8", "answer: 14")):
        text = text.replace(before, after)
    (accepted / "below" / "deeper.puzzle").write_text(text)
    assert run_pytest(accepted, "--snapshot-update").status == 0
    assert (accepted / "below" / "__snapshots__" / "deeper" / "best.txt").read_text() == "14\n"
    done: Run = run_pytest(accepted, "-n", "2")
    assert (done.status, set(done.counts)) == (0, {"passed"})


def test_a_puzzle_of_a_shipped_game_keeps_its_rules_itself(own: Path) -> None:
    """Its rules are in no file of the folder, and may change with the next release."""
    (own / "pegs.puzzle").write_text("puzzle pegs:\n    rules classics.lights_out\n\n    lit: (0,0)\n")
    assert run_pytest(own, "--snapshot-update").status == 0
    assert (own / "__snapshots__" / "pegs" / "linked_rules.txt").read_text().startswith("module classics.lights_out:")
