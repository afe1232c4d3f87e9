"""What docs/five_minutes.md tells a newcomer to do in the studio, done at the pace of one who reads and types."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.browser import CONTROL, RELEASED, Browser, headless_browser, needs_browser

from .studio_process import running_studio
from .test_in_browser import READY, SAVED, choose, open_file, press_lens, save, shows

KEYS_A_SECOND = 4
READING = 5.0
"""Seconds before each step."""

COMMAND = Path(sys.executable).parent / "rulewright"


def slowly(browser: Browser, text: str) -> None:
    for letter in text:
        time.sleep(1 / KEYS_A_SECOND)
        browser.type(".cm-content", letter)


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
        press_lens(browser, "solve and update the answer")
        browser.wait_for("document.querySelector('.cm-content').innerText.includes('answer: 21')")
        save(browser)
        step("the answer is 21")
        open_file(browser, "mine.rules")
        browser.type(".cm-content", f"{CONTROL}\ue010{RELEASED}")
        slowly(browser, "\nchange captures:\nreplace value: 2 * size(captred)\n")
        browser.wait_for("document.querySelector('.cm-lintRange-error')")
        step("a misspelt change")
        browser.press("up")
        choose(browser, "Change to `captured`")
        browser.wait_for(shows("changes", "score 20 \u2192 40"))
        browser.wait_for(shows("edits", "first answer 21 \u2192 42"))
        step("the answer is 42")
        browser.type(".cm-content", f"{CONTROL}s{RELEASED}")
        browser.wait_for(SAVED)
        browser.wait_for("document.querySelector('#edits .accept')")
        browser.click("#edits .accept")
        browser.wait_for("document.querySelector('#edits .good')")
        step("accepted")
    assert "score 42" in run("solve", "mine/first.puzzle")
    step("the terminal says the same")
    print(f"{last - began:5.1f} s  in all")
