"""Pages that play, in headless Firefox where there is one: what test_in_browser.py sees in Chromium, seen once more."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.firefox import Firefox, headless_firefox, needs_firefox

from .test_in_browser import DICE, TEN, TEXT, play_to_the_best, play_with_dice, written

pytestmark = [needs_firefox, pytest.mark.nightly]


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    with headless_firefox(tmp_path_factory.mktemp("firefox") / "profile") as opened:
        yield opened


def is_quiet(browser: Firefox) -> bool:
    """Whether nothing was logged, and nothing asked for but the page and what it holds."""
    return browser.logged == [] and all(one.startswith(("file:", "about:", "blob:", "data:")) for one in browser.requests)


def test_nine_puzzles_are_solved_and_played_to_their_best(browser: Firefox, tmp_path: Path):
    browser.open(written(tmp_path, *TEN))
    for name, end in TEN.items():
        play_to_the_best(browser, name, end)
    assert is_quiet(browser)


def test_dice_are_seen_and_thrown_to_the_end(browser: Firefox, tmp_path: Path):
    browser.open(written(tmp_path, DICE))
    play_with_dice(browser)
    assert is_quiet(browser)


def test_a_refused_move_is_explained_and_an_arrow_moves(browser: Firefox, tmp_path: Path):
    browser.open(written(tmp_path, "sokoban_bend"))
    browser.wait_for("document.querySelector('.lit, #menu button')")
    browser.press("left")
    browser.wait_for("document.querySelectorAll('#line button').length === 1")
    dark = browser.value("[...document.querySelectorAll('#board [data-thing]:not(.lit)')].pop().dataset.thing")
    browser.click(f"[data-thing='{dark}']")
    browser.wait_for("document.querySelector('#about li')")
    assert "(classics.sokoban" in browser.value(TEXT.format("about"))
    assert is_quiet(browser)
