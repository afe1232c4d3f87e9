"""What a set of puzzles is chosen by."""

from __future__ import annotations

from pathlib import Path

from attrs import evolve

from rulewright.rules.linking.project import Project
from rulewright.studies.making.composition import Selection, Traits, WrittenPuzzle, traits_of
from rulewright.studies.making.maker import Maker
from rulewright.studies.making.move_values import MoveValues
from rulewright.studies.making.solution import Solution
from tests.studies.making.orchard import ORDER, orchard, standing

SAIL = Traits("sail", "place sail", "house", "worth", 1)
DIVE = Traits("dive", "dive", "", "worth", 2)


def written(attempt: int, traits: Traits) -> WrittenPuzzle:
    return WrittenPuzzle(attempt, f"one_{attempt}", f"{attempt} {traits.key}", 1, "1", "", "", traits, "")


def test_a_key_that_acts_otherwise_is_kept_first() -> None:
    selection = Selection()
    offered: list[tuple[WrittenPuzzle, ...]] = [(written(number, SAIL),) for number in range(7)]
    offered[5] = (*offered[5], written(5, DIVE))
    kept = [found.attempt for choices in offered if (found := selection.offer(choices)) is not None]
    assert kept == [0, 1, 2, 3, 5] and selection.kept[-1].traits == DIVE
    assert [one.attempt for (one,) in selection.aside] == [4, 6]
    assert selection.holds("4 sail") and not selection.holds("5 sail")  # one of an attempt


def test_of_alike_ones_the_less_usual_is_kept() -> None:
    deep, selection = evolve(SAIL, lead=3), Selection()
    for number, traits in enumerate((SAIL, SAIL, SAIL, deep, SAIL)):
        selection.offer((written(number, traits),))
    assert [one.attempt for one in selection.kept] == [0, 1, 3, 2]


def test_more_puzzles_never_change_the_first_ones() -> None:
    traits = [evolve(SAIL, lead=number % 3, markers="house" * (number % 2)) for number in range(12)]
    short, long = Selection(), Selection()
    for number, one in enumerate(traits):
        long.offer((written(number, one),))
        if number < 7:
            short.offer((written(number, one),))
    assert long.kept[: len(short.kept)] == short.kept and len(long.kept) > len(short.kept)


def test_what_a_puzzle_is_about(tmp_path: Path) -> None:
    """The ladder first; then what hangs high counts five while the sun shines."""
    solution = Solution(MoveValues.of(standing(orchard(tmp_path)), ORDER))
    assert traits_of(solution, 3) == Traits("fetch", "fetch", "", "apples", 3)


def test_a_solution_of_other_actions_gives_another_puzzle(tmp_path: Path) -> None:
    """Where a turn has several actions, a puzzle may begin in the middle of it."""
    orchard(tmp_path)
    path, daily = tmp_path / "orchard.rules", "repeat until days = 0:\n        turn:\n            choose"
    text = path.read_text()
    assert daily in text
    path.write_text(text.replace(daily, "turn:\n        repeat until days = 0: choose"))
    maker = Maker(Project(tmp_path), evolve(ORDER, gap=0))
    first, later = next(made for made in (maker.attempt(number).made for number in range(20)) if len(made) == 2)
    assert (first.traits.key, later.traits.key) == ("fetch", "climb") and first.canonical != later.canonical
