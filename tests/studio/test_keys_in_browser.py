"""The studio's menu, dialogues and words under the keys of somebody quick, with answers of the server held back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser import CONTROL, RELEASED, SHIFT, Browser, headless_browser, needs_browser

from .small_game import RULES, write_game
from .studio_process import running_studio
from .test_in_browser import READY, open_file, open_shipped, save, shows, text

pytestmark = needs_browser

HOLDING = """
    window.held = [];
    window.holds = null;
    const {send} = WebSocket.prototype;
    WebSocket.prototype.send = function (text) {
        if (window.holds && text.includes(window.holds)) window.held.push(() => send.call(this, text));
        else send.call(this, text);
    };
    window.letGo = () => { window.holds = null; window.held.splice(0).forEach(go => go()); };
"""
"""Requests that contain the text `holds` wait until `letGo()`."""

FOCUSED = "document.activeElement.innerText"
DOC = "document.querySelector('.cm-content').innerText"


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
    with headless_browser(tmp_path / "profile") as opened:
        opened.ask("POST", "/goog/cdp/execute", cmd="Page.addScriptToEvaluateOnNewDocument", params={"source": HOLDING})
        yield opened


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = tmp_path / "shelves"
    found.mkdir()
    write_game(found)
    return found


def hold(browser: Browser, what: str) -> None:
    browser.ask("POST", "/execute/sync", script=f"window.holds = {what!r}", args=[])


def let_go(browser: Browser) -> None:
    browser.ask("POST", "/execute/sync", script="window.letGo()", args=[])


def test_enter_runs_the_command_that_was_seen(browser: Browser, folder: Path) -> None:
    with running_studio(folder) as studio:
        browser.open(studio.url)
        browser.wait_for(READY)
        browser.type(".cm-content", f"{CONTROL}\ue010{RELEASED}")
        browser.type(".cm-content", "score more: sum wort(c) for c in board")
        browser.wait_for("document.querySelector('.cm-lintRange-error')?.innerText === 'wort(c)'")
        before = browser.value(DOC)

        # While fixes are looked for, Enter does nothing: neither another command nor a new line.
        hold(browser, "textDocument/codeAction")
        browser.type(".cm-content", f"{CONTROL}.{RELEASED}")
        browser.press("enter")
        browser.wait_for(shows("menu", "Looking for quick fixes"))
        browser.press("enter")
        assert text(browser, "said") == "" and browser.value(DOC) == before
        assert browser.value(FOCUSED).startswith("Looking for quick fixes")

        # Once they are there, the first has the focus; a key pressed before it is drawn does not choose it.
        browser.ask(
            "POST",
            "/execute/sync",
            script="""
                const menu = document.getElementById("menu");
                new MutationObserver((_, observer) => {
                    const early = new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true });
                    window.isTaken = document.activeElement.dispatchEvent(early);
                    window.early = document.activeElement.innerText;
                    observer.disconnect();
                }).observe(menu, { childList: true });
            """,
            args=[],
        )
        let_go(browser)
        browser.wait_for(f"{FOCUSED}.startsWith('Change to')")
        assert browser.value("[window.early, window.isTaken]") == ["Change to `worth`", False]
        browser.settle()
        browser.press("enter")
        browser.wait_for(f"{DOC}.includes('sum worth(c) for c in board')")
        browser.wait_for("!document.querySelector('.cm-lintRange-error')")

        # Who has gone on to another command stays there.
        browser.type(".cm-content", "\n\ndrop worth.res")
        browser.wait_for("document.querySelector('.cm-lint-marker-error')")
        hold(browser, "textDocument/codeAction")
        browser.type(".cm-content", f"{CONTROL}.{RELEASED}")
        browser.wait_for(shows("menu", "Looking for quick fixes"))
        while not browser.value(f"{FOCUSED}.startsWith('Find all uses')"):
            browser.press("down")
        let_go(browser)
        browser.wait_for(shows("menu", "Explain RW"))
        assert browser.value(FOCUSED).startswith("Find all uses")
        browser.press("escape")
        assert browser.value("document.activeElement.classList.contains('cm-content')")


def test_a_puzzle_without_a_name_is_refused_in_our_words(browser: Browser, folder: Path) -> None:
    with running_studio(folder) as studio:
        browser.open(studio.url)
        browser.wait_for(READY)
        browser.wait_for("!document.getElementById('new-puzzle').disabled")
        browser.click("#new-puzzle")
        browser.wait_for("document.activeElement.id === 'field-name'")
        browser.press("enter")
        warning = "document.querySelector('#dialog .warning').innerText"
        assert browser.value(warning) == "Give the puzzle a name."
        browser.type("#field-name", "two words")
        browser.press("enter")
        assert browser.value(warning).startswith("two words cannot be a name")
        assert browser.value("document.getElementById('dialog').open && document.activeElement.id") == "field-name"
        browser.value("document.getElementById('field-name').value = ''")
        browser.type("#field-name", "next")
        browser.press("enter")
        browser.wait_for(shows("start-name", "next.puzzle"))
        assert (folder / "next.puzzle").is_file()


def test_what_wrote_a_value_leads_to_its_clause(browser: Browser, folder: Path) -> None:
    with running_studio(folder) as studio:
        browser.open(studio.url)
        browser.wait_for(READY)
        open_file(browser, "two_left.puzzle")
        browser.wait_for(shows("start-name", "two_left"))
        browser.wait_for("document.querySelectorAll('#moves li').length === 3")
        browser.type("#history-of", "board")
        browser.press("enter")
        browser.wait_for(shows("writes", "0 changes"))
        browser.click("#moves button")
        browser.wait_for(shows("writes", "1. put red (2,0) board of (2,0) nothing → red put.put shelf.rules:"))
        browser.click("#writes .clause")
        browser.wait_for(shows("file-name", "shelf.rules"))
        assert browser.wait_for("document.querySelector('.shown-line')?.innerText").strip().startswith("effect put:")


def test_effects_are_told_from_the_last_text_that_linked(browser: Browser, folder: Path) -> None:
    with running_studio(folder) as studio:
        browser.open(studio.url)
        browser.wait_for(READY)
        browser.type(".cm-content", f"{CONTROL}\ue010{RELEASED}")
        browser.wait_for("document.querySelector('.cm-content')")

        # Nothing is said of puzzles before they are looked at.
        hold(browser, '"impact"')
        browser.type(".cm-content", "score more: wort")
        browser.wait_for("document.querySelector('.cm-lintRange-error')")
        browser.wait_for("window.held.length")
        assert "No puzzle" not in text(browser, "edits")
        let_go(browser)
        browser.wait_for(shows("edits", "unknown"))

        # A text that does not link is saved; the next that does is compared with the one before.
        save(browser)
        browser.wait_for(shows("edits", "saved"))
        for _ in "wort":
            browser.type(".cm-content", "\ue003")
        browser.type(".cm-content", "count c in board where at(c) = blue")
        browser.wait_for("!document.querySelector('.cm-lintRange-error')")
        browser.wait_for(shows("edits", "answer 3 → 4"))
        save(browser)
        newest = "document.querySelector('#edits article').innerText"
        browser.wait_for(f"{newest}.includes('rules, saved') && {newest}.includes('answer 3 → 4')")
        assert (folder / "shelf.rules").read_text("utf-8").startswith(RULES)


def test_panes_move_by_keys_and_stay_where_they_were_left(browser: Browser, folder: Path) -> None:
    def widths() -> list[float]:
        found = browser.value("[...document.querySelectorAll('nav, #playing')].map(one => one.getBoundingClientRect().width)")
        return list(found)

    def height() -> float:
        return float(browser.value("document.getElementById('effects').getBoundingClientRect().height"))

    with running_studio(folder) as studio:
        browser.resize(1280, 800)
        browser.open(studio.url)
        browser.wait_for(READY)
        (files, game), effects = widths(), height()
        for divider, key in (("game-edge", "left"), ("files-edge", "right"), ("effects-edge", "up")):
            browser.value(f"document.getElementById('{divider}').focus()")
            browser.press(key)
        assert widths() == pytest.approx([files + 24, game + 24], abs=1)
        assert height() == pytest.approx(effects + 24, abs=1)
        browser.open(studio.url)
        browser.wait_for(READY)
        assert widths() == pytest.approx([files + 24, game + 24], abs=1)
        undo = "new KeyboardEvent('keydown', {key: 'Delete', cancelable: true})"
        browser.value(f"document.getElementById('game-edge').dispatchEvent({undo})")
        assert widths()[0] == files + 24 and widths()[1] != game + 24
        wide = "document.querySelector('#board svg:last-child').getBoundingClientRect().width"
        browser.wait_for("document.querySelector('#board svg')")
        before = float(browser.value(wide))
        browser.click("#closer")
        assert float(browser.value(wide)) > 1.3 * before
        browser.value("document.getElementById('farther').focus()")
        browser.press("enter")
        assert float(browser.value(wide)) == pytest.approx(before, abs=1)
        assert browser.value("document.activeElement.id") == "closer", "the button that can still be pressed"
        browser.click("#wrap")
        browser.wait_for("document.querySelector('.cm-lineWrapping')")


def test_keys_lead_to_what_asks_for_an_answer(browser: Browser, folder: Path) -> None:
    """A conflict is settled by keys; what was told of another text goes, and nothing is called unsaved that is not."""
    active = "document.activeElement.id"
    with running_studio(folder) as studio:
        browser.open(studio.url)
        browser.wait_for(READY)
        browser.type(".cm-content", "#")
        browser.wait_for(shows("edits", "not saved yet"))
        browser.type(".cm-content", f"{SHIFT}\ue03c{RELEASED}")
        browser.wait_for(shows("said", "There is no name here"))
        (folder / "shelf.rules").write_text(RULES.replace("Books", "All books"), "utf-8")
        browser.wait_for(shows("conflict", "changed on disk"))
        browser.type(".cm-content", f"{CONTROL}s{RELEASED}")
        browser.wait_for(shows("note", "nothing was written"))
        browser.press("f6")
        assert browser.value(active) == "take-theirs"
        browser.press("enter")
        browser.wait_for(f"{DOC}.includes('All books')")
        assert browser.value("document.activeElement.classList.contains('cm-content')")
        assert [browser.value(f"document.getElementById('{id}').hidden") for id in ("note", "conflict")] == [True, True]
        browser.wait_for("!document.getElementById('edits').innerText.includes('not saved')")
        open_file(browser, "empty.puzzle")
        browser.wait_for(shows("file-name", "empty.puzzle"))
        assert browser.value("document.getElementById('said').hidden")


def test_the_focus_stays_where_tiles_are_picked_up(browser: Browser, folder: Path) -> None:
    with running_studio(folder) as studio:
        browser.open(studio.url)
        browser.wait_for(READY)
        top = browser.wait_for("document.querySelector('#board .lit')?.getBoundingClientRect().top")
        browser.click("#arrange")
        browser.wait_for(shows("arranging", "In the box"))
        assert browser.value("document.querySelector('#board .lit').getBoundingClientRect().top") == top, "nothing moves"

        # No move is played meanwhile: neither by a key nor from the list.
        browser.press("s")
        assert text(browser, "solving") == "" and browser.value("document.querySelector('#moves').inert")
        browser.value("document.querySelector('[data-kind]').focus()")
        browser.press("enter")
        assert browser.value("document.activeElement.matches('[data-kind].chosen')")
        browser.value("document.getElementById('arrange-off').focus()")
        browser.press("enter")
        assert browser.value("Boolean(document.activeElement.closest('#board'))")


def test_what_was_found_is_outdated_by_its_own_rules_only(browser: Browser, folder: Path) -> None:
    with running_studio(folder) as studio:
        browser.open(studio.url)
        browser.wait_for(READY)
        open_shipped(browser, "sokoban_bend", "move east")
        for name, is_of in (("", False), ("two_left.puzzle", True)):
            if name:
                open_file(browser, name)
                browser.wait_for(shows("moves", "put red"))
            browser.click("#solve")
            browser.wait_for(shows("verdict", "proved"))
            open_file(browser, "shelf.rules")
            browser.type(".cm-content", "#")
            save(browser)
            assert ("before the rules were changed" in text(browser, "verdict")) == is_of

        # Ctrl+Z takes back an accepted answer, if there is one; what was typed stays, though Chromium would undo it.
        typed = browser.value(DOC)
        browser.value("document.querySelector('#board [tabindex=\"0\"]').focus()")
        browser.press("z", CONTROL)
        browser.settle()
        assert browser.value(DOC) == typed and text(browser, "file-state") == "saved"


def test_arrows_steer_where_every_move_is_a_direction(browser: Browser, folder: Path) -> None:
    with running_studio(folder) as studio:
        browser.open(studio.url)
        browser.wait_for(READY)
        open_shipped(browser, "sokoban_bend", "move east")
        browser.value("document.querySelector('#board [data-thing]').focus()")
        browser.press("right")
        browser.wait_for(shows("tree", "1. move east"))
        browser.press("left")
        browser.wait_for(shows("tree", "2. move west"))
