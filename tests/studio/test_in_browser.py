"""The studio driven in headless Chromium: from an empty folder to an answer that a variant changes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser import CONTROL, ELEMENT, RELEASED, Browser, headless_browser, needs_browser

from .small_game import PUZZLE, write_game
from .studio_process import running_studio

pytestmark = needs_browser

READY = "document.body.dataset.ready === 'yes'"
PAPER = "document.querySelector('#board svg path').getAttribute('fill')"
SAVED = "document.getElementById('file-state').innerText === 'saved'"
CHANGE = "change captures:\nreplace value: 2 * size(captured)\n"

STATE = "document.querySelector('#state').getBoundingClientRect().top"
TOLD = "document.querySelector('#told')"
WITHOUT_TOLD = f"(told => {{ told.hidden = true; const top = {STATE}; told.hidden = false; return top; }})({TOLD})"
"""Where what stands below the board begins, with and without what is told of it."""


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
    with headless_browser(tmp_path / "profile") as opened:
        yield opened


def text(browser: Browser, name: str) -> str:
    """What an element shows; "" while it is hidden."""
    found: str = browser.value(f"(one => one.checkVisibility() ? one.innerText : '')(document.getElementById('{name}'))")
    return found


def shows(name: str, words: str) -> str:
    """The script that is true once an element shows some words."""
    return f"(one => one?.checkVisibility() && one.innerText.includes({words!r}))(document.getElementById('{name}'))"


ASKED = """
    window.asked = [];
    const {send} = WebSocket.prototype;
    WebSocket.prototype.send = function (text) { window.asked.push(JSON.parse(text).do); send.call(this, text); };
"""


def listen(browser: Browser) -> None:
    """Keep what the page asks, in `asked`."""
    browser.ask("POST", "/goog/cdp/execute", cmd="Page.addScriptToEvaluateOnNewDocument", params={"source": ASKED})


def click_thing(browser: Browser, title: str) -> None:
    """Click a cell or a tile by the beginning of its title."""
    things = "[...document.querySelectorAll('#board [data-thing]')]"
    browser.value(
        f"{things}.find(one => one.querySelector('title').textContent.startsWith({title!r}))"
        ".dispatchEvent(new MouseEvent('click', {bubbles: true, detail: 1}))"
    )


def open_file(browser: Browser, name: str) -> None:
    browser.value(f"[...document.querySelectorAll('#files button')].find(one => one.dataset.name === {name!r}).click()")
    browser.wait_for(shows("file-name", name))


def open_shipped(browser: Browser, name: str, move: str) -> None:
    """Open the puzzle of the library with a name, of which a move is legal at first."""
    browser.click("#library > summary")
    browser.type("#library-filter", name)
    browser.click("#library-games button")
    browser.wait_for(shows("moves", move))


def save(browser: Browser) -> None:
    browser.type(".cm-content", f"{CONTROL}s{RELEASED}")
    browser.wait_for(SAVED)


def make_variant(browser: Browser) -> None:
    browser.click("#new-variant")
    browser.wait_for("document.getElementById('field-of')")
    browser.value("document.getElementById('field-of').value = 'classics.peg_solitaire'")
    browser.click("#dialog-go")
    browser.wait_for("document.querySelector('#board svg') && document.querySelectorAll('#moves li').length")
    browser.wait_for("document.querySelector('.cm-content').innerText.includes('Changes to try') && " + SAVED)


def test_from_an_empty_folder_to_an_answer_that_a_variant_changes(browser: Browser, tmp_path: Path) -> None:
    folder = tmp_path / "empty"
    folder.mkdir()
    with running_studio(folder) as studio:
        browser.open(studio.url)
        browser.wait_for(READY)

        # What ships is listed by game, with a picture each; what is typed opens the games with a match.
        browser.wait_for("document.querySelector('#library-games img')?.naturalWidth > 0")
        browser.type("#library-filter", "european_crown")
        browser.wait_for("document.querySelector('#library-games [data-name]')?.innerText === 'european_crown'")
        assert text(browser, "library-games").splitlines() == ["Peg solitaire", "1 puzzle", "european_crown"]
        make_variant(browser)
        assert browser.value("document.querySelectorAll('#board .lit').length") > 0

        # The same position drawn anew leaves its menu open.
        click_thing(browser, "(1,3)")
        browser.wait_for(shows("menu", "jump (1,3) east"))
        browser.value("document.querySelector('#board svg').id = 'before'")
        browser.type(".cm-content", f"{CONTROL}\ue010{RELEASED}")
        browser.type(".cm-content", "# as before\n")
        browser.wait_for("document.querySelector('#board svg').id !== 'before'")
        assert "jump (1,3) east" in text(browser, "menu")

        # A refused move is explained, and its clause is a click from its line.
        click_thing(browser, "(6,2)")
        browser.wait_for(shows("about", "there is no empty hole behind the neighbour"))
        browser.click("#about .clause")
        browser.wait_for("document.querySelector('.shown-line')")
        assert browser.value("document.querySelector('.shown-line').innerText").strip().startswith("require hole:")

        # Of two legal ones one is chosen, taken back, and stays in the tree.
        click_thing(browser, "(1,3)")
        browser.wait_for(shows("menu", "jump (2,3) west"))
        box = browser.value("document.getElementById('menu').getBoundingClientRect().toJSON()")
        assert box["left"] >= 0 and box["right"] <= browser.value("innerWidth"), "the menu is in sight"
        browser.click("#menu button")
        browser.wait_for(shows("tree", "1. jump (1,3) east"))
        browser.click("#undo")
        browser.wait_for("document.querySelectorAll('#moves li').length === 5")
        assert "1. jump (1,3) east" in text(browser, "tree")

        # A puzzle is made of the position, with its answer.
        browser.click("#new-puzzle")
        browser.type("#field-name", "next")
        browser.click("#dialog-go")
        browser.wait_for(shows("start-name", "mine/next.puzzle"))
        browser.wait_for(shows("verdict", "Best 21: proved best"))
        assert browser.value(WITHOUT_TOLD) == browser.value(STATE), "what is told of the board moves nothing"
        browser.wait_for("document.querySelector('.cm-content').innerText.includes('answer: 21')")
        puzzle = folder / "mine" / "next.puzzle"
        browser.wait_for(SAVED)

        # The rules are changed: the position stays and differs, and so does the answer, by the clause.
        open_file(browser, "mine/mine.rules")
        browser.type(".cm-content", f"{CONTROL}\ue010{RELEASED}")
        browser.type(".cm-content", CHANGE)
        browser.wait_for(shows("changes", "score 20 → 40"))
        browser.wait_for(shows("edits", "next answer 21 → 42"))
        assert "answer: 21" in puzzle.read_text("utf-8")
        save(browser)
        browser.wait_for("document.querySelector('#edits .accept')")
        assert "captures" in text(browser, "edits")
        browser.click("#edits .accept")
        browser.wait_for("document.querySelector('#edits .good')")
        assert "answer: 42" in puzzle.read_text("utf-8")

        # What was accepted is taken back by one key, where the focus is, and accepted again.
        for answer, there in (("21", ".accept"), ("42", ".good")):
            browser.press("enter")
            browser.wait_for(f"document.querySelector('#edits {there}')")
            assert f"answer: {answer}" in puzzle.read_text("utf-8")
        browser.press("z", CONTROL)
        browser.wait_for("document.querySelector('#edits .accept')")
        assert "answer: 21" in puzzle.read_text("utf-8")
        assert [line for line in browser.ask("POST", "/se/log", type="browser") if line["level"] != "DEBUG"] == []


def test_the_server_is_killed_and_comes_back_and_nothing_typed_is_lost(browser: Browser, tmp_path: Path) -> None:
    write_game(tmp_path)
    with running_studio(tmp_path) as studio:
        browser.open(studio.url)
        browser.wait_for(READY)
        browser.type(".cm-content", f"{CONTROL}\ue010{RELEASED}")
        browser.type(".cm-content", "# before\n")
        studio.kill()
        browser.wait_for(shows("banner", "The server has stopped"))
        assert "shelf.rules" in text(browser, "banner")
        browser.type(".cm-content", "# meanwhile\n")
    rules = tmp_path / "shelf.rules"
    assert "# before" not in rules.read_text("utf-8")
    with running_studio(tmp_path) as studio:
        assert browser.value("location.href") == studio.url
        browser.wait_for(READY)
        assert text(browser, "banner") == ""
        assert text(browser, "file-state") == "not saved"
        save(browser)
        assert rules.read_text("utf-8").endswith("# before\n# meanwhile\n")

        # What another program writes meanwhile is shown, and neither text is lost.
        browser.type(".cm-content", "# mine\n")
        rules.write_text(rules.read_text("utf-8") + "# theirs\n", "utf-8")
        browser.wait_for(shows("conflict", "was changed on disk (by another program or another tab)"))
        browser.type(".cm-content", f"{CONTROL}s{RELEASED}")
        browser.wait_for(shows("note", "was changed by another program or another tab"))
        assert rules.read_text("utf-8").endswith("# theirs\n")
        browser.click("#keep-mine")
        save(browser)
        assert rules.read_text("utf-8").endswith("# meanwhile\n# mine\n")


@pytest.mark.campaign
def test_two_pages_on_one_folder(browser: Browser, tmp_path: Path) -> None:
    write_game(tmp_path)
    with running_studio(tmp_path) as studio:
        one = browser.ask("GET", "/window")
        other = browser.ask("POST", "/window/new", type="tab")["handle"]
        for page in (one, other):
            browser.ask("POST", "/window", handle=page)
            browser.open(studio.url)
            browser.wait_for(READY)
            browser.wait_for(shows("file-name", "shelf.rules"))
        browser.type(".cm-content", f"{CONTROL}\ue010{RELEASED}")
        browser.type(".cm-content", "# of the other\n")
        save(browser)
        browser.ask("POST", "/window", handle=one)
        browser.wait_for("document.querySelector('.cm-content').innerText.includes('# of the other')")
        assert text(browser, "conflict") == "" and text(browser, "file-state") == "saved"
        assert (tmp_path / "shelf.rules").read_text("utf-8").endswith("# of the other\n")


def test_errors_are_shown_while_one_types_and_keys_alone_play(browser: Browser, tmp_path: Path) -> None:
    write_game(tmp_path)
    listen(browser)
    with running_studio(tmp_path) as studio:
        browser.open(studio.url)
        browser.wait_for(READY)
        assert browser.value("asked.filter(one => one).slice(0, 3)") == ["files", "read", "show"], (
            "what is in sight comes first"
        )
        browser.type(".cm-content", f"{CONTROL}\ue010{RELEASED}")
        browser.type(".cm-content", "score more: wort")
        browser.wait_for("document.querySelector('.cm-lintRange-error')?.innerText === 'wort'")
        browser.wait_for(shows("wrong", "wort"))
        fill = browser.value(PAPER)
        browser.click("#theme")  # the board that waits follows
        browser.wait_for(f"{PAPER} !== '{fill}' && document.getElementById('board').classList.contains('waiting')")
        browser.click("#theme")
        browser.wait_for(f"{PAPER} === '{fill}'")
        while browser.value("document.querySelector('.cm-content').innerText.includes('score more')"):
            browser.type(".cm-content", f"{CONTROL}z{RELEASED}")
        browser.wait_for("!document.querySelector('.cm-lintRange-error')")
        browser.wait_for(f"!{shows('wrong', '')}")
        browser.press("f6")
        assert browser.value("document.activeElement.closest('#board') !== null")
        browser.press("right")
        assert browser.value("document.activeElement.querySelector('title').textContent").startswith("(1,0)")
        browser.press("enter")
        browser.wait_for(shows("about", "books stand from the left"))
        browser.press("left")
        browser.press("enter")
        browser.wait_for(shows("menu", "put blue (0,0)"))
        browser.press("down")
        assert browser.value("document.activeElement.closest('#menu') !== null")
        browser.press("escape")
        browser.wait_for("document.getElementById('menu').hidden")
        browser.press("h")
        browser.wait_for(shows("solving", "put red (0,0)"))
        browser.press("f6")
        browser.press("enter")
        browser.wait_for(shows("tree", "1. put"))
        assert browser.value("document.activeElement.closest('#moves, #board') !== null"), "the focus stays where one plays"
        browser.press("u")
        browser.wait_for("document.querySelector('#tree .here').innerText.startsWith('start')")


@pytest.mark.campaign
def test_five_hundred_puzzles_are_looked_at_while_one_plays(browser: Browser, tmp_path: Path) -> None:
    write_game(tmp_path)
    for number in range(500):
        text_of = PUZZLE.format(name=f"many_{number}", board=".     .     .     .", answer=2)
        (tmp_path / f"many_{number}.puzzle").write_text(text_of, "utf-8")
    with running_studio(tmp_path) as studio:
        browser.open(studio.url)
        browser.wait_for(READY)
        assert browser.value("document.querySelectorAll('#files li').length") == 503
        open_file(browser, "many_77.puzzle")
        open_file(browser, "shelf.rules")
        browser.type(".cm-content", f"{CONTROL}\ue010{RELEASED}")
        browser.type(".cm-content", "score more: 1\n")
        browser.wait_for("document.querySelector('#edits progress')?.value > 0")
        browser.wait_for(shows("edits", "many_77 answer 2 → 3"))
        assert browser.value("document.querySelector('#edits li').innerText").startswith("many_77"), "what is open comes first"
        browser.value("document.querySelector('#moves button').click()")
        browser.wait_for(shows("tree", "1. "))
        assert browser.value("document.querySelector('#edits progress') !== null"), "the move did not wait for the rest"
        browser.value("document.querySelector('#edits .stop').focus()")
        seen = browser.value("document.querySelector('#edits progress').value")
        browser.wait_for(f"document.querySelector('#edits progress').value > {seen}")
        assert browser.value("document.activeElement.className") == "stop", "what has the focus keeps it"
        browser.press("enter")
        browser.wait_for(shows("edits", "stopped after"))
        assert browser.value("document.querySelector('#edits progress') === null")
        save(browser)
        browser.wait_for("document.querySelector('#edits .accept')")


LENSES = "[...document.querySelectorAll('.lenses button')]"


def press_lens(browser: Browser, title: str) -> None:
    browser.wait_for(f"{LENSES}.some(one => one.innerText === {title!r})")
    browser.value(f"{LENSES}.find(one => one.innerText === {title!r}).click()")


IN_MENU = "document.activeElement.closest('#menu:not([hidden])') !== null"


def open_menu(browser: Browser, title: str) -> None:
    """Open the menu of what can be done at the cursor, and wait until it offers something."""
    browser.type(".cm-content", f"{CONTROL}.{RELEASED}")
    browser.wait_for(f"{shows('menu', title)} && {IN_MENU}")


def choose(browser: Browser, title: str) -> None:
    """Choose in the menu of what can be done at the cursor."""
    open_menu(browser, title)
    for _ in range(10):
        if browser.value("document.activeElement.innerText").startswith(title):
            break
        browser.press("down")
    browser.settle()
    browser.press("enter")
    browser.wait_for("document.getElementById('menu').hidden")


def test_lenses_and_quick_fixes_do_what_they_offer(browser: Browser, tmp_path: Path) -> None:
    write_game(tmp_path)
    wrong = tmp_path / "two_left.puzzle"
    wrong.write_text(wrong.read_text("utf-8").replace("answer: 3", "answer: 2"), "utf-8")
    with running_studio(tmp_path) as studio:
        browser.open(studio.url)
        browser.wait_for(READY)
        press_lens(browser, "which puzzles show each clause?")
        press_lens(browser, "exercised by 2 puzzles and games")
        browser.wait_for(shows("said", "action put: empty, two_left"))

        # A misspelt name is mended by keys alone, and by the pointer.
        browser.type(".cm-content", f"{CONTROL}\ue010{RELEASED}")
        browser.type(".cm-content", "score more: sum wort(c) for c in board")
        browser.wait_for("document.querySelector('.cm-lintRange-error')?.innerText === 'wort(c)'")
        choose(browser, "Explain RW111")
        browser.wait_for(shows("said", "RW111: unknown function"))
        choose(browser, "Change to `worth`")
        browser.wait_for("document.querySelector('.cm-content').innerText.includes('sum worth(c) for c in board')")
        browser.wait_for("!document.querySelector('.cm-lintRange-error')")
        browser.type(".cm-content", "\n\ndrop worth.res")
        browser.wait_for("document.querySelector('.cm-lint-marker-error')")
        browser.point_until(".cm-lint-marker-error", "document.querySelector('.cm-diagnosticAction')")
        browser.click(".cm-diagnosticAction")
        browser.wait_for(shows("menu", "Explain RW"))
        browser.press("escape")
        assert browser.value("document.activeElement.classList.contains('cm-content')")
        while browser.value("document.querySelector('.cm-content').innerText.includes('drop')"):
            browser.type(".cm-content", f"{CONTROL}z{RELEASED}")

        # A board that is drawn meanwhile leaves the menu of the text open, with the focus in it.
        open_menu(browser, "What is this?")
        browser.value("document.querySelector('#board svg').id = 'old'")
        browser.value("document.getElementById('theme').click()")
        browser.wait_for("document.querySelector('#board svg').id !== 'old'")
        assert browser.value(IN_MENU)
        browser.press("escape")

        # What a name is, where it is used, and another one for it, also in files that were never opened.
        browser.value("document.querySelector('#files .dirty, #files .here').click()")
        browser.type(".cm-content", f"{CONTROL}\ue011{RELEASED}" + "\ue015" * 6 + "\ue014" * 5)
        choose(browser, "What is this?")
        browser.wait_for(shows("said", "red"))
        choose(browser, "Find all uses")
        browser.wait_for(shows("said", "two_left.puzzle:8"))
        browser.type(".cm-content", "\ue032")
        browser.wait_for("document.getElementById('dialog').open")
        browser.value("document.getElementById('field-name').value = 'blue'")
        browser.click("#dialog-go")
        browser.wait_for("document.querySelector('#dialog .warning').innerText.includes('blue')")
        browser.value("document.getElementById('field-name').value = 'ruby'")
        browser.click("#dialog-go")
        browser.wait_for("document.querySelectorAll('#files .dirty').length === 3")
        open_file(browser, "two_left.puzzle")
        browser.wait_for("document.querySelector('.cm-content').innerText.includes('box: ruby, ruby, blue')")

        # A puzzle's lenses: the board beside the text does what it can do better than a message.
        press_lens(browser, "score")
        browser.wait_for(shows("said", "score 2"))
        press_lens(browser, "solve")
        browser.wait_for(shows("verdict", "Best 6: proved best"))
        press_lens(browser, "solve and update the answer")
        browser.wait_for("document.querySelector('.cm-content').innerText.includes('answer: 6')")
        assert "answer: 2" in wrong.read_text("utf-8"), "nothing is saved that nobody saved"
        assert [line for line in browser.ask("POST", "/se/log", type="browser") if line["level"] != "DEBUG"] == []


def test_tiles_are_dragged(browser: Browser, tmp_path: Path) -> None:
    write_game(tmp_path)
    with running_studio(tmp_path) as studio:
        browser.open(studio.url)
        browser.wait_for(READY)
        open_file(browser, "two_left.puzzle")
        browser.wait_for(shows("start-name", "two_left.puzzle"))
        browser.wait_for(shows("asked", "in 2 turns"))
        browser.click("#arrange")
        browser.wait_for(shows("arranging", "red \u00d72"))
        places = [browser.find(f"#board [data-thing='board {cell}']") for cell in (1, 3)]
        moves = [{"type": "pointerMove", "duration": 50, "x": 0, "y": 0, "origin": {ELEMENT: place}} for place in places]
        down, up = {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}
        drag = [{"type": "pointer", "id": "mouse", "actions": [moves[0], down, moves[1], up]}]
        browser.ask("POST", "/actions", actions=drag)
        titles = "[...document.querySelectorAll('#board [data-thing^=board] > title')].map(one => one.textContent).join(' ')"
        browser.wait_for(f"{titles} === '(0,0) red (1,0) (2,0) (3,0) blue'")
        browser.click("#arranging [data-kind='tile 1']")
        click_thing(browser, "(1,0)")
        both = f"{titles} === '(0,0) red (1,0) red (2,0) (3,0) blue'"
        browser.wait_for(both)
        browser.value("document.querySelector('#board [tabindex=\"0\"]').focus()")
        browser.press("z", CONTROL)
        browser.wait_for(f"{titles} === '(0,0) red (1,0) (2,0) (3,0) blue'")
        browser.click("#arranging [data-kind='tile 1']")
        click_thing(browser, "(1,0)")
        browser.wait_for(both)
        browser.click("#new-puzzle")
        browser.type("#field-name", "laid")
        browser.click("#dialog-go")
        browser.wait_for(shows("file-name", "laid.puzzle"))
        browser.wait_for("document.querySelector('.cm-content').innerText.includes('answer: 3')")
        browser.wait_for(SAVED)
        written = (tmp_path / "laid.puzzle").read_text("utf-8")
        assert "red   red   .     blue" in written and written.endswith("answer: 3\n")


def test_nothing_is_wider_than_the_window(browser: Browser, tmp_path: Path) -> None:
    write_game(tmp_path)
    with running_studio(tmp_path) as studio:
        browser.open(studio.url)
        browser.wait_for(READY)
        for theme in ("dark", "light"):
            browser.click("#theme")
            light = "document.querySelector('#board svg path').getAttribute('fill') === '#fbfaf7'"
            browser.wait_for(f"({light}) === {'true' if theme == 'light' else 'false'}")
            for width in (1280, 800, 480):
                browser.resize(width, 800)
                assert browser.value("document.documentElement.scrollWidth") <= width
