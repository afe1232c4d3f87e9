"""What docs/five_minutes.md tells a newcomer to do in the studio, by keyboard alone, at the pace of one who reads and types."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.browser import CONTROL, Browser, headless_browser, needs_browser

from .studio_process import running_studio
from .test_in_browser import LENSES, READY, SAVED, shows

KEYS_A_SECOND = 4
READING = 5.0
"""Seconds before each step."""

COMMAND = Path(sys.executable).parent / "rulewright"


def slowly(browser: Browser, text: str) -> None:
    for letter in text:
        time.sleep(1 / KEYS_A_SECOND)
        browser.press("enter" if letter == "\n" else letter)


def complete(browser: Browser, typed: str, name: str) -> None:
    """Type, and take a name that the list offers."""
    slowly(browser, typed)
    options = "[...document.querySelectorAll('.cm-tooltip-autocomplete .cm-completionLabel')].map(one => one.innerText)"
    browser.wait_for(f"{options}.includes({name!r})")
    while browser.value("document.querySelector('[aria-selected] .cm-completionLabel').innerText") != name:
        time.sleep(1 / KEYS_A_SECOND)
        browser.press("down")
    time.sleep(1)
    browser.press("enter")


def go_to(browser: Browser, area: str) -> None:
    """Press F6 until the focus is in an area of the page."""
    for _ in range(6):
        if browser.value(f"document.activeElement.closest('{area}') !== null"):
            return
        browser.press("f6")
    raise AssertionError(area)


def press_button(browser: Browser, text: str) -> None:
    """Press Tab until a button has the focus, then Enter."""
    for _ in range(20):
        if browser.value("document.activeElement.innerText").startswith(text):
            browser.press("enter")
            return
        browser.press("tab")
    raise AssertionError(text)


def open_file(browser: Browser, name: str) -> None:
    go_to(browser, "#files")
    press_button(browser, name)
    browser.wait_for(shows("file-name", name))
    assert browser.value("document.activeElement.dataset.name") == name, "a file that is opened keeps the focus"
    go_to(browser, "#editor")


def choose(browser: Browser, title: str) -> None:
    """Choose in the menu at the cursor."""
    browser.press(".", CONTROL)
    browser.wait_for(shows("menu", title))
    while not browser.value("document.activeElement.innerText").startswith(title):
        browser.press("down")
    time.sleep(1)
    browser.press("enter")


@needs_browser
@pytest.mark.campaign
def test_five_minutes(tmp_path: Path) -> None:
    """Prints the seconds of each step, without the installation."""
    began = last = time.monotonic()

    def step(name: str) -> None:
        nonlocal last
        now = time.monotonic()
        print(f"{now - last:5.1f} s  {name}")
        time.sleep(READING)
        last = now

    def run(*words: str) -> str:
        time.sleep(len(" ".join(words)) / KEYS_A_SECOND)
        return subprocess.run([str(COMMAND), *words], cwd=tmp_path, check=True, capture_output=True, text=True).stdout

    time.sleep(READING)
    run("new", "mine", "--of", "classics.peg_solitaire")
    step("new")
    folder = tmp_path / "mine"
    with running_studio(folder) as studio, headless_browser(tmp_path / "profile") as browser:
        browser.open(studio.url)
        browser.wait_for(READY)
        browser.wait_for("document.querySelector('#board svg')")
        step("the studio is open")
        open_file(browser, "first.puzzle")
        browser.wait_for(f"{LENSES}.some(one => one.innerText === 'solve and update the answer')")
        choose(browser, "solve and update the answer")
        browser.wait_for("document.querySelector('.cm-content').innerText.includes('answer: 21')")
        browser.press("s", CONTROL)
        browser.wait_for(SAVED)
        step("the answer is 21")
        open_file(browser, "mine.rules")
        browser.press("end", CONTROL)
        complete(browser, "\nchange c", "captures")
        slowly(browser, ":\n")
        complete(browser, "replace v", "value")
        slowly(browser, ": 2 * size(captred)\n")
        browser.wait_for("document.querySelector('.cm-lintRange-error')")
        step("a misspelt change")
        browser.press("up")
        choose(browser, "Change to `captured`")
        browser.wait_for(shows("changes", "score 20 \u2192 40"))
        browser.wait_for(shows("edits", "first answer 21 \u2192 42"))
        step("the answer is 42")
        browser.press("s", CONTROL)
        browser.wait_for(SAVED)
        browser.wait_for("document.querySelector('#edits .accept')")
        go_to(browser, "#effects")
        press_button(browser, "Accept 1 answer")
        browser.wait_for("document.querySelector('#edits .good')")
        step("accepted")
    assert "score 42" in run("solve", "mine/first.puzzle")
    step("the terminal says the same")
    print(f"{last - began:5.1f} s  in all")
