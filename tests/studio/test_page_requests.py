"""What a page asks and gets: files, boards, reasons, answers, what an edit does."""

from __future__ import annotations

import asyncio
import hashlib
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rulewright.base.refusals import Refused
from rulewright.rules.linking.project import SHIPPED, Project
from rulewright.studies.records.file_review import FileReviewer
from rulewright.studies.records.snapshot_review import SnapshotReview
from rulewright.studio.answers.impact_process import accept, answered
from rulewright.workers.line_client import Responder
from tests.paths import ROOT

from .small_game import PUZZLE, RULES, write_game
from .studio_process import PATIENCE, Page, Studio

LONG = ":rules/classics/peg_solitaire.rules"
"""A game whose best play is not found in a while."""

DOUBLED = RULES.replace("red: 1 when", "red: 2 when")
FORBIDDING = RULES.replace(
    "    effect put: put book", '    require lone: book = red else "only red books are put"\n    effect put: put book'
)


@pytest.fixture(scope="module")
def opened(studio: Studio) -> Iterator[Page]:
    with studio.page() as page:
        yield page


@pytest.fixture
def page(opened: Page, folder: Path) -> Page:
    """A page on the folder as it is at first."""
    write_game(folder)
    return opened


def board(*actions: str, start: str = "two_left.puzzle", **texts: str) -> dict[str, Any]:
    return {"texts": {f"{name}.rules": text for name, text in texts.items()}, "start": start, "actions": list(actions)}


# Files ----------------------------------------------------------------------------------------------------------------


def test_a_file_is_written_only_over_what_the_page_has_seen(page: Page, folder: Path) -> None:
    read = page.done("read", name="shelf.rules")
    assert read["text"] == RULES
    (folder / "shelf.rules").write_text(RULES + "# theirs\n", "utf-8")
    refused = page.ask("write", name="shelf.rules", text=RULES + "# mine\n", version=read["version"])["refused"]
    assert refused["conflict"] and refused["theirs"]["text"].endswith("# theirs\n")
    assert (folder / "shelf.rules").read_text("utf-8").endswith("# theirs\n")
    page.done("write", name="shelf.rules", text=RULES + "# mine\n", version=refused["theirs"]["version"])
    assert (folder / "shelf.rules").read_text("utf-8").endswith("# mine\n")


def test_a_new_file_is_not_written_over_another_and_a_deleted_one_is_not_made_again(page: Page, folder: Path) -> None:
    assert "already exists" in page.refused("write", name="shelf.rules", text="", version="")
    version = page.done("write", name="new.rules", text="module new:\n", version="")["version"]
    (folder / "new.rules").unlink()
    assert "was deleted" in page.refused("write", name="new.rules", text="module new:\n    ", version=version)
    assert not (folder / "new.rules").exists()


def test_a_variant_of_no_game_is_refused_with_the_reason(page: Page, folder: Path) -> None:
    assert "nothing_like_this" in page.refused("new_variant", name="mine", of="nothing_like_this")
    assert not (folder / "mine").exists()
    assert "mine" in page.refused("changes_to_try", name="mine")
    assert "not a valid file name" in page.refused("changes_to_try", name="../other")


def test_ends_of_lines_and_the_byte_order_mark_stay(page: Page, folder: Path) -> None:
    (folder / "dos.rules").write_bytes(b"\xef\xbb\xbfmodule dos:\r\n    extends shelf\r\n")
    read = page.done("read", name="dos.rules")
    assert read["text"] == "module dos:\n    extends shelf\n"
    page.done("write", name="dos.rules", text=read["text"] + "# more\n", version=read["version"])
    assert (folder / "dos.rules").read_bytes() == b"\xef\xbb\xbfmodule dos:\r\n    extends shelf\r\n# more\r\n"
    (folder / "dos.rules").unlink()


def test_another_page_hears_of_a_written_file(studio: Studio, page: Page) -> None:
    with studio.page() as other:
        other.done("files")
        deadline = time.monotonic() + PATIENCE
        # What is written before its first look at the folder it has seen already.
        while not other.events and time.monotonic() < deadline:
            version = page.done("read", name="empty.puzzle")["version"]
            page.done(
                "write",
                name="empty.puzzle",
                text=PUZZLE.format(name=f"at_{time.time_ns()}", board=". . . .", answer=1),
                version=version,
            )
            time.sleep(0.5)
            other.done("files")
    assert other.events[0]["changed"] == ["empty.puzzle"]


# Boards ---------------------------------------------------------------------------------------------------------------


def test_a_board_shows_legal_moves_with_what_they_name(page: Page) -> None:
    view = page.done("show", board=board("put red (2,0)"), dark=True)
    assert [move["text"] for move in view["legal"]] == ["put red (3,0)", "put blue (3,0)", "stop"]
    assert {"board 3"} < set(view["legal"][0]["things"]) and view["legal"][-1]["things"] == []
    assert view["scores"] == [2]
    assert [(item["points"], item["rule"], item["file"]) for item in view["items"]] == [(1, "worth.red", "shelf.rules")] * 2
    assert RULES.splitlines()[view["items"][0]["line"] - 1].strip() == "red: 1 when at(c) = red"
    shapes, drawn, beside = view["svg"]
    assert shapes.startswith("<svg") and "data-thing=" in drawn and "score 2" not in beside


def test_what_is_not_legal_is_explained_with_the_line(page: Page) -> None:
    found = page.done("explain", board=board(), thing="board 0")
    (prospect,) = found["prospects"]
    (reason,) = prospect["reasons"]
    assert (reason["message"], reason["requirement"], reason["file"]) == (
        "a book stands there already",
        "put.free",
        "shelf.rules",
    )
    assert "require free:" in RULES.splitlines()[reason["line"] - 1]
    for thing in ("board 99", "tile 0", "elsewhere 1", "board", "board -1", ""):
        assert page.refused("explain", board=board(), thing=thing) == "nothing on the board has this name"


def test_a_value_has_a_history_with_clauses_and_lines(page: Page) -> None:
    assert "board" in page.done("show", board=board())["values"]
    played = board("put red (2,0)", "put blue (3,0)")
    (change,) = page.done("history", board=played, name="board (2,0)")["changes"]
    assert (change["ply"], change["action"], change["change"]) == (1, "put red (2,0)", "nothing → red")
    assert (change["clause"], change["file"]) == ("put.put", "shelf.rules")
    assert "effect put:" in RULES.splitlines()[change["line"] - 1]
    assert len(page.done("history", board=played, name="board")["changes"]) == 2
    assert page.refused("history", board=played, name="bord") == "there is no variable, zone or cell `bord`"


def test_an_edit_keeps_the_position_and_says_what_is_other(page: Page) -> None:
    edited = board("put red (2,0)", shelf=DOUBLED)
    changes = page.done("show", board=edited, before=board("put red (2,0)"))["changes"]
    assert changes["score"] == [2, 4] and changes["legal"] == {"new": [], "gone": []}
    edited = board("put red (2,0)", shelf=FORBIDDING)
    changes = page.done("show", board=edited, before=board("put red (2,0)"))["changes"]
    assert changes["legal"] == {"new": [], "gone": ["put blue (3,0)"]}


def test_play_stops_before_an_action_that_an_edit_forbids(page: Page) -> None:
    view = page.done("show", board=board("put blue (2,0)", "put red (3,0)", shelf=FORBIDDING))
    assert view["scores"] == [] and view["refused"]
    assert view["refused"]["reasons"][0]["message"] == "only red books are put"
    assert page.done("show", board=board())["refused"] is None


def test_a_text_with_errors_gives_no_board_but_the_place(page: Page) -> None:
    refused = page.ask("show", board=board(shelf=RULES.replace("worth(c)", "wort(c)", 1)))["refused"]
    assert {one["file"] for one in refused["diagnostics"]} == {"shelf.rules"}
    assert page.done("show", board=board())["score"] == 1
    headless = RULES.replace("module", "modul", 1)
    refused = page.ask("show", board=board(shelf=headless))["refused"]
    assert {one["file"] for one in refused["diagnostics"]} == {"shelf.rules"}, "it keeps the name that it has on disk"
    told = page.ask("impact", texts_before={"shelf.rules": RULES}, texts={"shelf.rules": headless}, seconds=60)["all"]
    assert {one["puzzle"] for one in told if one.get("refused")} == {"two_left", "empty"}


def test_a_game_is_played_from_its_set_up(page: Page) -> None:
    view = page.done("show", board=board(start="shelf.rules"))
    assert view["rules"] == ["shelf"] and "put red (0,0)" in [move["text"] for move in view["legal"]]
    with_library = page.done("show", board=board(start=LONG))
    assert with_library["legal"]
    view = page.done("show", board=board(start=":rules/classics/connect_four.rules"))
    assert view["turn"] == "player 1 to move" and view["score"] is None, "what each player has stands beside the board"
    view = page.done("show", board=board(start=":rules/classics/othello.rules"))
    assert "player 2 · discs 2 · level" in view["svg"][-1]


# Answers --------------------------------------------------------------------------------------------------------------


def test_the_best_play_is_found_from_where_the_board_is(page: Page) -> None:
    found = page.done("solve", board=board())
    assert (found["status"], found["value"], found["answer"]) == ("optimal", "3", "3")
    assert [step["text"] for step in found["plan"]] == ["put red (2,0)", "put red (3,0)"]
    found = page.done("solve", board=board("put blue (2,0)"))
    assert (found["status"], found["value"], found["answer"]) == ("optimal", "2", None)
    assert "over" in page.refused("solve", board=board("stop"))


def test_an_answer_is_checked_by_the_rules_alone(page: Page) -> None:
    assert page.done("solve", board=board())["checked"] is None
    assert page.done("solve", board=board(), checks=True)["checked"] == "the greatest value at the end is 3"
    assert page.done("solve", board=board("put blue (2,0)"), checks=True)["checked"] == "the greatest value at the end is 2"
    assert page.done("solve", board=board(start=LONG), checks=True, seconds=1)["checked"] is None


def test_a_search_that_would_not_end_has_a_limit(page: Page) -> None:
    begun = time.monotonic()
    found = page.done("solve", board=board(start=LONG), seconds=1)
    assert found["status"] != "optimal" and found["answer"] is None
    assert time.monotonic() - begun < PATIENCE


def test_a_process_that_does_not_answer_is_ended_and_started_anew(folder: Path) -> None:
    asked = {"id": 1, "folder": str(folder), "seconds": 400, "board": board(start=str(SHIPPED / LONG.removeprefix(":rules/")))}

    async def outlived() -> bool:
        child = Responder("rulewright.studio.answers.solve_process")
        for _ in range(2):
            with pytest.raises(Refused, match="no answer within 1 s"):
                await child.ask(asked, 1.0)
        return child.runs

    assert not asyncio.run(outlived())


def test_a_process_whose_answer_is_too_long_is_ended(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulewright.workers.line_client.MOST_LINE", 16)
    write_game(folder)

    async def outlived() -> bool:
        child = Responder("rulewright.studio.answers.solve_process")
        with pytest.raises(Refused, match="the answer is longer than 0 MiB"):
            await child.ask({"id": 1, "folder": str(folder), "seconds": 10, "board": board()}, PATIENCE)
        return child.runs

    assert not asyncio.run(outlived())


def test_a_puzzle_is_made_of_the_position(page: Page, folder: Path) -> None:
    question = {"name": "made", "ask": "maximise score for 1 turn", "text": "One book more."}
    made = page.done("write_puzzle", board=board("put blue (2,0)"), **question)["text"]
    assert "ask: maximise score for 1 turn" in made and '"One book more."' in made
    page.done("write", name="made.puzzle", text=made, version="")
    answer = page.done("solve", board=board(start="made.puzzle"))["answer"]
    text = page.done("write_answer", board=board(start="made.puzzle"), answer=answer)["text"]
    assert text.endswith("    ask: maximise score for 1 turn\n    answer: 2\n")
    (folder / "made.puzzle").unlink()
    for wrong in (
        {"ask": "maximise nothing at all"},
        {"name": "no name"},
        {"rules": ["elsewhere"]},
        {"ask": "x\n    box: red"},
    ):
        page.refused("write_puzzle", board=board(), **{**question, **wrong})


def test_tiles_are_laid_by_hand_and_made_a_puzzle(page: Page) -> None:
    laid = {**board("put blue (2,0)"), "steps": [["board 1", "board 3"], ["tile 1", "board 1"], ["board 0", ""]]}
    view = page.done("show", board=laid)
    assert view["score"] == 1 and {one["name"]: one["count"] for one in view["palette"]} == {"red": 2}
    made = page.done("write_puzzle", board=laid, name="laid", ask="maximise score until end")["text"]
    assert [line.split() for line in made.splitlines() if "red" in line and "box" not in line] == [[".", "red", "blue", "blue"]]
    for wrong in (
        ["board 3", ""],
        ["board 0", "tile 1"],
        ["board 0", "board 4"],
        ["tile 9", "board 3"],
        ["x", "y"],
        ["board 0"],
    ):
        page.refused("show", board={**board(), "steps": [wrong]})


def test_an_edit_is_weighed_on_every_puzzle_by_its_clause(page: Page, folder: Path) -> None:
    said = page.ask("impact", texts_before={"shelf.rules": RULES}, texts={"shelf.rules": DOUBLED}, seconds=60)
    assert said["done"] == {"all": 2}
    effects = {one["puzzle"]: one for one in said["all"] if "puzzle" in one}
    assert {name: (one["before"]["answer"], one["after"]["answer"]) for name, one in effects.items()} == {
        "empty": ("2", "4"),
        "two_left": ("3", "6"),
    }
    (cause,) = effects["empty"]["causes"]
    assert cause["clauses"] == ["define worth red"] or "worth" in cause["clauses"][0]
    assert [span["file"] for span in cause["spans"]] == ["shelf.rules"]
    assert (folder / "empty.puzzle").read_text("utf-8").endswith("answer: 2\n")


def test_what_is_looked_at_is_weighed_first_then_what_was_written_last_each_read_in_its_turn(tmp_path: Path) -> None:
    write_game(tmp_path)
    (tmp_path / "other.rules").write_text(RULES.replace("module shelf", "module other"), "utf-8")
    for age, name in enumerate(("oldest", "elsewhere", "older", "newer")):
        path = tmp_path / f"{name}.puzzle"
        path.write_text(PUZZLE.format(name=name, board=". . . .", answer=2), "utf-8")
        os.utime(path, (age, age))
    (tmp_path / "elsewhere.puzzle").write_text(
        PUZZLE.format(name="elsewhere", board=". . . .", answer=2).replace("shelf", "other")
    )
    os.utime(tmp_path / "elsewhere.puzzle", (1, 1))
    rules, said = str(tmp_path / "shelf.rules"), []

    def report(progress: dict[str, Any]) -> None:
        said.append(progress)
        if "puzzle" in progress:
            (tmp_path / "oldest.puzzle").write_text("puzzle oldest:\n    rules shelf\n\n    nonsense\n", "utf-8")

    request = {"do": "impact", "folder": str(tmp_path), "files": [str(tmp_path / "older.puzzle")]}
    done = answered({}, {**request, "texts_before": {rules: RULES}, "texts": {rules: DOUBLED}, "seconds": 60}, report)
    assert said[0] == {"seen": 0, "all": 6} and done == {"all": 6}
    assert [one["seen"] for one in said if "seen" in one] == [0, 1, 2, 3, 4, 5]
    effects = [one for one in said if "puzzle" in one]
    (first, *newest, second, last) = [one["puzzle"] for one in effects]
    assert (first, set(newest), second, last) == ("older", {"empty", "two_left"}, "newer", "oldest")
    assert effects[-1]["refused"] == "the puzzle has errors", "it was read when its turn had come"


def test_what_an_edit_did_is_accepted(page: Page, folder: Path) -> None:
    (folder / "shelf.rules").write_text(DOUBLED, "utf-8")
    before = (folder / "empty.puzzle").read_bytes()
    keys = []
    for _ in range(2):
        accepted = page.done("accept", files=["empty.puzzle"], seconds=60)
        assert accepted["accepted"] == ["empty.puzzle"]
        assert (folder / "empty.puzzle").read_text("utf-8").endswith("answer: 4\n")
        keys.append(accepted["key"])
    page.done("take_back", key=keys.pop())
    page.done("take_back", key=keys[0])
    assert (folder / "empty.puzzle").read_bytes() == before
    assert "not known any more" in page.refused("take_back", key=keys[0])
    accepted = page.done("accept", files=["empty.puzzle"], seconds=60)
    (folder / "empty.puzzle").write_text((folder / "empty.puzzle").read_text("utf-8") + "# edited\n", "utf-8")
    assert "was changed after" in page.refused("take_back", key=accepted["key"])
    assert (folder / "empty.puzzle").read_text("utf-8").endswith("answer: 4\n# edited\n")
    assert (folder / "two_left.puzzle").read_text("utf-8").endswith("answer: 3\n"), "it was not accepted"
    assert not list(folder.rglob("__snapshots__")), "nobody asked for snapshots"


def test_what_is_recorded_is_accepted_too_where_the_folder_has_records(tmp_path: Path) -> None:
    write_game(tmp_path)
    reviewer = FileReviewer(Project(tmp_path), 10)
    first = SnapshotReview(reviewer, [reviewer.review(path) for path in tmp_path.glob("*.*")], [])
    for group in first.groups:
        first.accept(group)
    best = {name: tmp_path / "__snapshots__" / name / "best.txt" for name in ("empty", "two_left")}
    before = {name: path.read_text("utf-8") for name, path in best.items()}
    (tmp_path / "shelf.rules").write_text(DOUBLED, "utf-8")
    accepted = accept(tmp_path, [tmp_path / "empty.puzzle"], 10)
    assert accepted.puzzles == (tmp_path / "empty.puzzle",)
    after = {name: path.read_text("utf-8") for name, path in best.items()}
    assert "4" in after["empty"] != before["empty"] and after["two_left"] == before["two_left"]
    assert (tmp_path / "empty.puzzle").read_text("utf-8").endswith("answer: 4\n")
    accepted.take_back(tmp_path)
    assert {name: path.read_text("utf-8") for name, path in best.items()} == before
    assert (tmp_path / "empty.puzzle").read_text("utf-8").endswith("answer: 2\n")


def test_a_folder_with_five_hundred_puzzles(page: Page, folder: Path) -> None:
    for number in range(500):
        text = PUZZLE.format(name=f"many_{number}", board=".     .     .     .", answer=2)
        (folder / f"many_{number}.puzzle").write_text(text, "utf-8")
    try:
        begun = time.monotonic()
        assert len(page.done("files")["names"]) >= 502
        assert page.done("show", board=board(start="many_7.puzzle"))["legal"]
        number = page.begin("impact", texts_before={"shelf.rules": RULES}, texts={"shelf.rules": DOUBLED}, seconds=60)
        assert page.done("show", board=board("put red (2,0)"))["score"] == 2, "the board does not wait for it"
        accepted = page.done("accept", files=["empty.puzzle"], seconds=60)
        assert accepted["accepted"] == ["empty.puzzle"], "nor does what is accepted"
        assert time.monotonic() - begun < PATIENCE
        page.socket.send(f'{{"id": 900, "cancel": {number}}}')
        assert page.answer(number)["refused"]["cancelled"]
    finally:
        for path in folder.glob("many_*.puzzle"):
            path.unlink()


# The page -------------------------------------------------------------------------------------------------------------


def test_the_bundle_is_built_from_the_scripts_as_they_are() -> None:
    source = ROOT / "editors" / "studio"
    inputs = [
        *sorted((source / "source").iterdir()),
        ROOT / "editors" / "codemirror" / "rulewright.js",
        source / "package-lock.json",
    ]
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in inputs)).hexdigest()
    first = (ROOT / "studio" / "page" / "studio.js").read_text("utf-8").partition("\n")[0]
    assert digest in first, "build it: `npm ci && npm run build` in editors/studio"
