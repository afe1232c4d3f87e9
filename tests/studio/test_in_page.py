"""The studio without a server, driven in headless Chromium: files in the browser's storage, links, and what strangers send."""

from __future__ import annotations

import functools
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from rulewright.base.diagnostics import RulesError
from rulewright.cli.site.gallery import share_fragment
from rulewright.cli.site.studio_page import write_studio
from tests.browser import CONTROL, RELEASED, Browser, headless_browser, needs_browser

from .small_game import PUZZLE, RULES
from .test_in_browser import CHANGE, READY, click_thing, make_variant, open_file, save, shows, text

pytestmark = [needs_browser, pytest.mark.nightly]

END = f"{CONTROL}\ue010{RELEASED}"
FILES = {"shelf.rules": RULES, "two_left.puzzle": PUZZLE.format(name="two_left", board="red   blue  .     .", answer=3)}
LEGAL = "document.querySelectorAll('#moves li').length"


class Quiet(SimpleHTTPRequestHandler):
    extensions_map = SimpleHTTPRequestHandler.extensions_map | {".mjs": "text/javascript", ".wasm": "application/wasm"}

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a studio of static files."""
    folder = tmp_path_factory.mktemp("site")
    try:
        write_studio(folder)
    except RulesError as error:
        pytest.skip(str(error))
    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_address[1]}/index.html"
    server.shutdown()


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
    with headless_browser(tmp_path / "profile") as opened:
        yield opened


@contextmanager
def another(tmp_path: Path) -> Iterator[Browser]:
    """A browser that has never seen the page."""
    with headless_browser(tmp_path / "another") as opened:
        yield opened


def begin(browser: Browser, address: str) -> None:
    browser.open("about:blank")
    browser.open(address)
    browser.wait_for(READY)


def begin_with(browser: Browser, site: str, files: dict[str, str], start: str) -> None:
    """Open a link to a game, and accept it."""
    browser.open("about:blank")
    browser.open(site + share_fragment(files, start))
    browser.click("#open-link")
    browser.wait_for(READY)


def type_at_end(browser: Browser, what: str) -> None:
    browser.type(".cm-content", END)
    browser.type(".cm-content", what)


def link_of(browser: Browser) -> str:
    browser.click("#share")
    link: str = browser.wait_for("document.getElementById('link')?.value")
    return link


def faults(browser: Browser) -> list[str]:
    """What the browser complains of."""
    return [line["message"] for line in browser.ask("POST", "/se/log", type="browser") if line["level"] == "SEVERE"]


def test_from_an_empty_browser_to_a_variant_that_another_browser_opens(browser: Browser, site: str, tmp_path: Path):
    begin(browser, site)
    make_variant(browser)
    click_thing(browser, "(1,3)")
    browser.wait_for(shows("menu", "jump (1,3) east"))
    browser.click("#menu button")
    browser.wait_for(shows("tree", "1. jump (1,3) east"))

    # A puzzle of the position, with its answer, proved here.
    browser.click("#new-puzzle")
    browser.type("#field-name", "next")
    browser.click("#dialog-go")
    browser.wait_for(shows("verdict", "Best 21: proved best"))
    browser.wait_for("document.querySelector('.cm-content').innerText.includes('answer: 21')")
    browser.wait_for(shows("file-state", "saved"))

    # The rules are changed, and so is the answer; the effect is accepted.
    open_file(browser, "mine/mine.rules")
    type_at_end(browser, CHANGE)
    browser.wait_for(shows("edits", "next answer 21 → 42"))
    save(browser)
    browser.wait_for("document.querySelector('#edits .accept')")
    browser.click("#edits .accept")
    browser.wait_for("document.querySelector('#edits .good')")
    open_file(browser, "mine/next.puzzle")
    for there, answer in ((".accept", 21), (".good", 42)):
        browser.value("document.querySelector('#edits [data-of$=accept]').click()")
        browser.wait_for(f"document.querySelector('#edits {there}')")
        browser.wait_for(f"document.querySelector('.cm-content').innerText.includes('answer: {answer}')")
    open_file(browser, "mine/first.puzzle")
    browser.wait_for(shows("tree", "1. jump"))

    # It is there after a reload, and the same in a fresh browser by a link.
    link, played = link_of(browser), text(browser, "tree")
    begin(browser, site)
    open_file(browser, "mine/next.puzzle")
    browser.wait_for("document.querySelector('.cm-content').innerText.includes('answer: 42')")
    with another(tmp_path) as fresh:
        fresh.open(link)
        fresh.wait_for(shows("linked", "replace value: 2 * size(captured)"))
        assert fresh.value("document.body.dataset.ready") != "yes", "nothing runs before it is accepted"
        fresh.click("#open-link")
        fresh.wait_for(READY)
        fresh.wait_for(shows("tree", "1. jump"))
        assert text(fresh, "tree") == played
        fresh.click("#undo")
        fresh.wait_for("!document.getElementById('solve').disabled")
        fresh.click("#solve")
        fresh.wait_for(shows("verdict", "Best 42: proved best"))
        assert faults(fresh) == []
    assert faults(browser) == []


def test_another_tab_hears_at_once_of_what_is_saved(browser: Browser, site: str):
    begin(browser, site)
    make_variant(browser)
    one = browser.ask("GET", "/window")
    other = browser.ask("POST", "/window/new", type="tab")["handle"]
    browser.ask("POST", "/window", handle=other)
    begin(browser, site)
    open_file(browser, "mine/mine.rules")
    type_at_end(browser, "# of the other")
    save(browser)
    browser.ask("POST", "/window", handle=one)
    begun = time.monotonic()
    browser.wait_for("document.querySelector('.cm-content').innerText.includes('# of the other')")
    assert time.monotonic() - begun < 8, "by itself, the worker looks only every ten seconds"
    assert text(browser, "conflict") == "" and text(browser, "file-state") == "saved"


def test_a_text_with_an_error_says_so_and_the_board_waits(browser: Browser, site: str):
    begin_with(browser, site, FILES, "two_left.puzzle")
    open_file(browser, "shelf.rules")
    type_at_end(browser, "score more: wort")
    browser.wait_for("document.querySelector('.cm-lintRange-error')?.innerText === 'wort'")
    browser.wait_for(shows("wrong", "wort"))
    assert browser.value("document.getElementById('board').classList.contains('waiting')")


def test_a_puzzle_of_the_library_is_played_while_its_text_is_checked(browser: Browser, site: str):
    """Random games by its rules, a part of the check, would take the worker minutes if nothing ended them."""
    begin_with(browser, site, {}, ":puzzles/classics/chess/fools_mate.puzzle")
    browser.wait_for(LEGAL)
    time.sleep(5)
    browser.click("#moves button")
    browser.wait_for(shows("tree", "1. "))
    assert text(browser, "busy") == ""


def test_a_search_that_is_cancelled_ends_and_another_one_begins(browser: Browser, site: str):
    begin_with(browser, site, {}, ":rules/classics/peg_solitaire.rules")
    browser.wait_for(LEGAL)
    browser.click("#solve")
    browser.wait_for(shows("solving", "states"))
    browser.value("document.querySelector('#moves button').focus()")
    browser.click("#cancel")
    browser.wait_for(shows("solving", "The search was cancelled."))
    browser.click("#hint")
    browser.wait_for("document.querySelector('#solving')?.innerText.match(/Hint|No plan found/)")


def test_what_the_browser_does_not_store_is_said_and_stays_in_the_page(browser: Browser, site: str):
    begin_with(browser, site, FILES, "two_left.puzzle")
    origin = browser.value("location.origin")
    full = {"origin": origin, "quotaSize": 1}
    browser.ask("POST", "/goog/cdp/execute", cmd="Storage.overrideQuotaForOrigin", params=full)
    time.sleep(32)  # for 30 seconds Chromium remembers how much room there was
    open_file(browser, "shelf.rules")
    type_at_end(browser, "# as before\n")
    browser.type(".cm-content", f"{CONTROL}s{RELEASED}")
    browser.wait_for(shows("note", "the browser did not store it"))
    assert text(browser, "file-state") == "not saved"
    assert "# as before" in browser.value("document.querySelector('.cm-content').innerText")
    browser.ask("POST", "/goog/cdp/execute", cmd="Storage.overrideQuotaForOrigin", params={"origin": origin})
    save(browser)


SUM = "sum (sum (sum a * b * c for c in 1..180) for b in 1..180) for a in 1..180"
SLOW = "".join(f"score slow_{number}: {SUM}\n" for number in range(6))


def test_rules_that_take_long_can_be_stopped_and_nothing_typed_is_lost(browser: Browser, site: str):
    begin_with(browser, site, FILES, "two_left.puzzle")
    open_file(browser, "shelf.rules")
    type_at_end(browser, SLOW)
    browser.wait_for(shows("busy", "The rules are taking long. What you typed is safe."))
    browser.press("z", CONTROL)  # what was typed is taken back, else it takes long again
    browser.click("#stop-worker")
    browser.wait_for("document.getElementById('busy').hidden")
    browser.wait_for(LEGAL)
    assert "score books" in browser.value("document.querySelector('.cm-content').innerText")


def test_a_folder_of_this_machine_is_read_and_written(browser: Browser, site: str):
    """The browser's own folder stands for one that its dialog would give."""
    begin(browser, site)
    given = json.dumps(FILES)
    browser.value(f"""(async () => {{
        const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle("games", {{ create: true }});
        for (const [name, text] of Object.entries({given})) {{
            const file = await (await folder.getFileHandle(name, {{ create: true }})).createWritable();
            await file.write(text);
            await file.close();
        }}
        window.folder = folder;
        window.showDirectoryPicker = async () => folder;
        document.getElementById("open-folder").hidden = false;
    }})()""")
    browser.click("#open-folder")
    browser.wait_for("[...document.querySelectorAll('#files button')].some(one => one.dataset.name === 'shelf.rules')")
    open_file(browser, "shelf.rules")
    type_at_end(browser, "# from the page\n")
    save(browser)
    read = "window.folder.getFileHandle('shelf.rules').then(one => one.getFile()).then(one => one.text())"
    assert browser.value(read).rstrip().endswith("# from the page")


MARKUP = '<img src=x onerror="window.hurt=1"><script>window.hurt=1</script>'


@pytest.mark.parametrize(
    ("fragment", "said"),
    [
        ("#share=1.AAAAAAAAAAAAAAAAAAAAAA.q1YqLkksSgUA", "does not agree with its digest"),
        ("#share=1.x.!!!", "damaged"),
        ("#share=9.x.y", "of version 9"),
        (share_fragment({"../away.rules": "x"}, "../away.rules"), "holds no game"),
        (share_fragment({"constructor": "x"}, "constructor"), "holds no game"),
        (share_fragment({"a.rules": "x" * (1 << 21)}, "a.rules"), "too much for a page"),
    ],
    ids=["forged", "no_text", "newer", "outside", "no_file", "bomb"],
)
def test_a_link_that_is_none_is_refused_and_the_page_begins(browser: Browser, site: str, fragment: str, said: str):
    browser.open("about:blank")
    browser.open(site + fragment)
    browser.wait_for(shows("note", said))
    browser.wait_for(READY)


def test_who_comes_back_to_the_page_finds_it_at_work(browser: Browser, site: str):
    """Its worker has ended meanwhile, also where the browser kept the page: it is loaded anew and asks about the link again."""
    begin_with(browser, site, FILES, "two_left.puzzle")
    browser.open("about:blank")
    browser.ask("POST", "/back")
    browser.click("#open-link")
    browser.wait_for(READY)
    open_file(browser, "two_left.puzzle")
    browser.wait_for(shows("asked", "in 2 turns"))


def test_the_texts_of_a_stranger_hurt_nothing(browser: Browser, site: str):
    begin_with(browser, site, FILES, "two_left.puzzle")
    hostile = {
        "shelf.rules": RULES.replace("Books are put", MARKUP.replace('"', "'") + " Books are put"),
        "two_left.puzzle": PUZZLE.format(name="two_left", board="red   blue  .     .", answer=9),
    }
    browser.open("about:blank")
    browser.open(site + share_fragment(hostile, "two_left.puzzle"))
    browser.wait_for(shows("linked", "onerror"))
    browser.click("#open-link")
    browser.wait_for(READY)
    browser.wait_for(LEGAL)
    browser.click("#solve")
    browser.wait_for(shows("verdict", "Best 3: proved best"))  # whatever answer the text claims
    browser.wait_for(shows("checked", "Checked here, by the rules alone: the greatest value at the end is 3"))
    assert browser.value("window.hurt === undefined")
    assert faults(browser) == []
    # The first game is as it was: each link has a folder of its own.
    begin_with(browser, site, FILES, "two_left.puzzle")
    open_file(browser, "two_left.puzzle")
    browser.wait_for("document.querySelector('.cm-content').innerText.includes('answer: 3')")


@pytest.mark.campaign
def test_a_hundred_edits_leave_no_worker_behind(browser: Browser, site: str):
    begin_with(browser, site, FILES, "two_left.puzzle")
    open_file(browser, "shelf.rules")
    for number in range(100):
        type_at_end(browser, f"# {number}\n")
        browser.settle()
    browser.wait_for("document.querySelector('.cm-content').innerText.includes('# 99')")
    browser.wait_for("document.querySelector('#edits progress') === null")
    targets = browser.ask("POST", "/goog/cdp/execute", cmd="Target.getTargets", params={})["targetInfos"]
    assert sum(one["type"] == "worker" for one in targets) <= 3
