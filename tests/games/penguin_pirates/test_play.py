"""By hand, over a pipe: what each player is shown while the others have chosen in secret."""

from __future__ import annotations

import io
import re

import pytest

from rulewright.cli.main import run


def pages(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, players: int, typed: str) -> list[str]:
    """What is printed at each choice."""
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    assert run(["play", "penguin_pirates", "--players", str(players), "--seed", "5"]) == 0
    return re.split(r"planning(?: 2)? of player ", capsys.readouterr().out)[1:]


def test_a_choice_is_shown_when_all_have_chosen(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    *asked, last = pages(capsys, monkeypatch, 4, "1\n1\n1\n1\n")
    assert [page[0] for page in (*asked, last)] == ["1", "2", "3", "4"]
    for number, page in enumerate((*asked, last.split("movement of player")[0]), 1):
        people = page.split("\nall\n")[0]
        plans = [line.split()[1:] for line in people.splitlines() if line.startswith("  plan ")]
        cards = [line.split(maxsplit=1)[1] for line in people.splitlines() if re.match(r"  card +(?!of the fourth)", line)]
        assert plans == [["undecided"] if player == number else ["owner", "only"] for player in range(1, 5)]
        assert [card == "1 tile, owner only" for card in cards] == [player != number for player in range(1, 5)]
        announced = next(line.split()[1] for line in page.splitlines() if line.startswith("  announced "))
        assert (announced == "undecided") == (number == 1)  # the captain's choice is open
    shown = last.split("movement of player")[1]
    waiting = {line.split()[1]: int(line.split()[2]) for line in shown.splitlines() if line.startswith("  waiting ")}
    assert sum(waiting.values()) == 4


WIPED = "\x1b[2J"


def test_a_terminal_is_wiped_before_the_next_player_looks(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not any(WIPED in page for page in pages(capsys, monkeypatch, 4, "1\n1\n"))
    monkeypatch.setattr("rulewright.cli.views.output.is_interactive", lambda stream: True)
    first, second, third = pages(capsys, monkeypatch, 4, "1\n1\n")
    assert first.count(WIPED) == second.count(WIPED) == 1 and WIPED not in third


def test_the_captain_of_three_chooses_twice(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    found = pages(capsys, monkeypatch, 3, "1\n1\n1\n1\n")
    assert [page[0] for page in found] == ["1", "2", "3", "1"]
    assert "stand in" in found[3] and "stand in" not in found[2]
    label = "  card of the fourth "
    spare = [line.removeprefix(label).strip() for line in found[1].splitlines() if line.startswith(label)]
    assert spare[0] == "1 tile, owner only" and spare[1] == "none"
