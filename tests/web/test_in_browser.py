"""Pages that play, in headless Chromium where there is one: each puzzle solved and played to its best on the page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from rulewright.cli.main import run
from rulewright.web.questions import titled
from tests.browser import Browser, headless_browser, needs_browser

pytestmark = [needs_browser, pytest.mark.nightly]

TEN = {
    "overboard": "The end: 7. That is the best possible.",
    "four_ships_one_coast": "The end: -29. That is the best possible.",
    "fourth_paw": "The end: 10. That is the best possible.",
    "behind_the_prince": "Reached!",
    "sokoban_bend": "The end: 2. That is the best possible.",
    "rush_hour_first": "Reached: 8. That is the best possible.",
    "peg_plus": "The end: 9. That is the best possible.",
    "lights_corner": "The end: 24. That is the best possible.",
    "connect_four_red": "Won. That is the best possible.",
}

DICE = "pig_ten"

TEXT = "document.getElementById('{}').textContent"


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
    with headless_browser(tmp_path / "profile") as opened:
        yield opened


def written(folder: Path, *names: str) -> str:
    page = folder / "page.html"
    assert run(("page", *names, "-o", str(page))) == 0
    return page.as_uri()


def is_quiet(browser: Browser) -> bool:
    """Whether the page has asked for nothing and complained of nothing."""
    asked = browser.value("performance.getEntriesByType('resource').filter(one => !one.name.startsWith('blob:')).length")
    return asked == 0 and browser.ask("POST", "/se/log", type="browser") == []


def play_to_the_best(browser: Browser, name: str, end: str) -> None:
    """Solve the puzzle that a book shows, play the solution, and go on to the next."""
    browser.wait_for(f"{TEXT.format('title')} === '{titled(name)}'")
    browser.click("#solve")
    browser.wait_for(f"{TEXT.format('state')}.includes('on this device')")
    browser.value(
        "new Promise(done => { const redo = document.getElementById('redo'); "
        "const go = () => redo.disabled ? done(1) : (redo.click(), setTimeout(go)); go(); })"
    )
    assert browser.wait_for(TEXT.format("end")) == end
    if name != [*TEN][-1]:
        browser.click("#next")


def play_with_dice(browser: Browser) -> None:
    """Throw until the dice have ended the turns of a puzzle, and see each throw."""
    browser.wait_for("document.querySelector('#menu button, .lit')")
    seen = set()
    while not browser.value(TEXT.format("end")):
        browser.wait_for("document.querySelector('#all button')")
        browser.value("document.querySelector('#all button').click()")
        browser.settle()
        seen.add(browser.value(TEXT.format("beside")))
    assert len(seen) > 1
    assert "die" in seen.pop()
    assert browser.value(TEXT.format("end")) in ("Reached!", "Not reached. Undo, and try another way.")


def test_dice_are_seen_and_thrown_to_the_end(browser: Browser, tmp_path: Path):
    browser.open(written(tmp_path, DICE))
    play_with_dice(browser)
    assert is_quiet(browser)


def test_nine_puzzles_are_solved_and_played_to_their_best(browser: Browser, tmp_path: Path):
    browser.open(written(tmp_path, *TEN))
    for name, end in TEN.items():
        play_to_the_best(browser, name, end)
    assert browser.value("document.querySelectorAll('#list button').length") == len(TEN)
    assert browser.value("document.querySelector('#chooser summary').textContent") == "Puzzle 9 of 9, 9 solved"
    assert is_quiet(browser)


def tab_to(browser: Browser, test: str) -> None:
    """Press Tab until the test holds for the focused element `a`."""
    for _ in range(400):
        if browser.value(f"(a => {test})(document.activeElement)"):
            return
        browser.press("tab")
    raise AssertionError(f"Tab does not lead to {test}")


@pytest.mark.parametrize("name", TEN)
def test_a_puzzle_is_solved_and_played_to_its_best_by_keys_alone(browser: Browser, tmp_path: Path, name: str):
    browser.open(written(tmp_path, name))
    browser.wait_for(f"{TEXT.format('title')} === '{titled(name)}'")
    tab_to(browser, "a.id === 'solve'")
    browser.press("enter")
    browser.wait_for(f"{TEXT.format('state')}.includes('on this device')")
    browser.press("r")
    browser.wait_for(f"!{TEXT.format('state')}.includes('thinks')")
    line = "[...document.querySelectorAll('#line button')]"
    made = browser.value(f"{line}.findIndex(one => one.getAttribute('aria-current')) + 1")
    for text in browser.value(f"{line}.map(one => one.textContent)")[made:]:
        if not browser.value("document.getElementById('all').open"):
            tab_to(browser, "a.matches('#all summary')")
            browser.press("enter")
        tab_to(browser, f"a.matches('#all button') && {text!r}.endsWith(a.textContent)")
        browser.press("enter")
        browser.settle()
    assert browser.wait_for(TEXT.format("end")) == TEN[name]


def test_taps_play_and_what_cannot_be_is_explained(browser: Browser, tmp_path: Path):
    browser.open(written(tmp_path, "overboard"))
    lit = browser.wait_for("document.querySelector('#board .lit')?.dataset.thing")
    dark = browser.value("[...document.querySelectorAll('#board [data-thing]:not(.lit)')].pop().dataset.thing")
    browser.click(f"[data-thing='{dark}']")
    browser.wait_for("document.querySelector('#about li')")
    assert "(beacon_patrol" in browser.value(TEXT.format("about"))
    browser.wait_for("document.querySelector('#board .reason')")
    assert "a ship cannot sail over land (beacon_patrol, bp.move.by_water): (3,1)" in browser.value(TEXT.format("about"))
    browser.click(f"[data-thing='{lit}']")
    browser.wait_for("document.querySelector('.selected, #line button')")
    assert is_quiet(browser)


@pytest.mark.parametrize("name", ["classics.connect_four", "classics.go"])
def test_a_telephone_shows_the_whole_board(browser: Browser, tmp_path: Path, name: str):
    browser.resize(360, 740)
    browser.open(written(tmp_path, name))
    browser.wait_for("document.querySelector('#board svg')")
    browser.settle()
    heights = "(one => [one.clientHeight, one.scrollHeight])(document.getElementById('board'))"
    assert len(set(browser.value(heights))) == 1


def test_keys_play_undo_and_redo(browser: Browser, tmp_path: Path):
    browser.open(written(tmp_path, "sokoban_bend"))
    browser.wait_for("document.querySelector('.lit, #menu button')")
    for key, count in {"left": 1, "u": 1, "y": 1, "r": 1}.items():
        browser.press(key)
        browser.settle()
        assert browser.value("document.querySelectorAll('#line button').length") == count
    assert browser.value("document.getElementById('undo').disabled")
    assert is_quiet(browser)


def test_an_arrow_plays_nothing_where_other_moves_are_no_directions(browser: Browser, tmp_path: Path):
    """East is named by one move of overboard's, and by that alone it is not steered."""
    browser.open(written(tmp_path, "overboard"))
    browser.wait_for("document.querySelector('.lit')")
    browser.value("document.querySelector('[data-thing]').focus()")
    browser.press("right")
    browser.settle()
    assert browser.value("document.getElementById('undo').disabled")


def test_the_other_side_answers_by_best_play(browser: Browser, tmp_path: Path):
    browser.open(written(tmp_path, "noughts_draw"))
    browser.wait_for("document.querySelector('#all button')")
    browser.value("document.querySelector('#all button').click()")
    browser.wait_for("document.querySelectorAll('#line button').length === 2")
    browser.wait_for(f"{TEXT.format('turn')}.startsWith('Player 1')")
    browser.click("#undo")
    browser.wait_for("document.querySelectorAll('#line button[aria-current]').length === 0")
    assert is_quiet(browser)


def test_a_link_opens_on_a_move(browser: Browser, tmp_path: Path):
    page = written(tmp_path, "overboard", "rush_hour_first")
    browser.open(f"{page}#rush_hour_first")
    browser.wait_for("document.querySelector('#all button')")
    browser.value("document.querySelector('#all button').click()")
    browser.wait_for("document.querySelectorAll('#line button').length === 1")
    link = browser.value("location.hash")
    browser.open("about:blank")
    browser.open(f"{page}{link}.0")
    browser.wait_for("document.querySelectorAll('#line button').length === 2")
    assert browser.value("location.hash") == f"{link}.0"
    assert browser.value(TEXT.format("title")) == "Rush hour first"
    assert is_quiet(browser)


def test_a_link_to_dice_throws_the_same(browser: Browser, tmp_path: Path):
    page, go = written(tmp_path, DICE), "document.querySelector('#all button')?.click()"
    drawn = "document.getElementById('board').innerHTML + document.getElementById('beside').innerHTML"
    link = ""
    seen: list[list[str]] = [[], []]
    for throws in seen:
        browser.open("about:blank")
        browser.open(page + link)
        browser.wait_for("document.querySelector('#all button')")
        link = browser.value("location.hash")
        for _ in range(4):
            browser.value(go)
            browser.settle()
            throws.append(browser.value(drawn))
    assert seen[0] == seen[1] and len({*seen[0]}) > 1
    assert is_quiet(browser)


def test_a_line_of_another_version_is_not_played(browser: Browser, tmp_path: Path):
    browser.open(f"{written(tmp_path, 'overboard', 'rush_hour_first')}#rush_hour_first/000000/0.0")
    browser.wait_for(f"{TEXT.format('about')}.includes('another version of this puzzle')")
    assert browser.value("document.querySelectorAll('#line button').length") == 0
    assert browser.value(TEXT.format("title")) == "Rush hour first"
    assert is_quiet(browser)


def test_names_and_moves_are_told_to_those_who_do_not_see(browser: Browser, tmp_path: Path):
    browser.open(written(tmp_path, "rush_hour_first"))
    browser.wait_for("document.querySelector('.lit')")
    tree = browser.ask("POST", "/goog/cdp/execute", cmd="Accessibility.getFullAXTree", params={})["nodes"]
    named = {(node["role"]["value"], node.get("name", {}).get("value", "")) for node in tree if not node["ignored"]}
    assert any(role == "button" and ": " in name for role, name in named), "a lit cell names its moves"
    assert {("heading", "Rush hour first"), ("button", "Undo"), ("button", "Solve here")} <= named
