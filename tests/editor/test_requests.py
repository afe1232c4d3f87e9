"""What an editor asks, over standard input and output: of a small project to the letter, of shipped modules all of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rulewright.rules.linking.project import SHIPPED

from .client import Editor, EditorError, in_editor
from .ponds import GAME, PUZZLE, VARIANT, make_project, place_of

SHIPPED_MODULES = sorted(SHIPPED.rglob("*.rules"))
A_FEW = SHIPPED_MODULES[::60]
STEP = 7
"""Every so many names of a module are asked about."""


def lines_of(locations: list[dict[str, Any]]) -> list[tuple[str, int]]:
    return [(Path(one["uri"]).name, one["range"]["start"]["line"] + 1) for one in locations]


def applied(text: str, edits: list[dict[str, Any]]) -> str:
    """A text after the edits of an answer."""
    lines = text.split("\n")
    starts = [sum(len(line) + 1 for line in lines[:number]) for number in range(len(lines) + 1)]
    for edit in sorted(
        edits, key=lambda one: (one["range"]["start"]["line"], one["range"]["start"]["character"]), reverse=True
    ):
        first, last = edit["range"]["start"], edit["range"]["end"]
        begin, end = starts[first["line"]] + first["character"], starts[last["line"]] + last["character"]
        text = text[:begin] + edit["newText"] + text[end:]
    return text


def test_names_are_found_across_files(tmp_path: Path) -> None:
    game, variant, puzzle = make_project(tmp_path)

    async def work(editor: Editor) -> None:
        await editor.open(variant)
        found = await editor.at("definition", variant, *place_of(VARIANT, "far.edge"))
        assert lines_of(found) == [("ponds.rules", 17)]
        found = await editor.at("definition", puzzle, *place_of(PUZZLE, "frog"))
        assert lines_of(found) == [("ponds.rules", 7)]
        context = {"includeDeclaration": True}
        found = await editor.at("references", game, *place_of(GAME, "hop(here"), context=context)
        assert lines_of(found) == [("one_hop.puzzle", 14), ("ponds.rules", 19), ("ponds.rules", 31), ("twice.rules", 4)]
        found = await editor.at("references", game, *place_of(GAME, "there in"), context={"includeDeclaration": False})
        assert lines_of(found) == [("ponds.rules", 21), ("ponds.rules", 22), ("ponds.rules", 23)]
        found = await editor.request("workspace/symbol", {"query": "wrth"})
        assert [one["name"] for one in found] == ["worth"]

    in_editor(tmp_path, work)


def test_rename_changes_every_file_and_refuses_what_would_not_link(tmp_path: Path) -> None:
    game, variant, puzzle = make_project(tmp_path)

    async def work(editor: Editor) -> None:
        edit = await editor.at("rename", game, *place_of(GAME, "hop(here"), newName="leap")
        new = {path: applied(path.read_text("utf-8"), edit["changes"][path.as_uri()]) for path in (game, variant, puzzle)}
        assert "action leap(here" in new[game]
        assert "choose leap" in new[game]
        assert "change leap:" in new[variant]
        assert "accept: leap (1,1)" in new[puzzle]
        edit = await editor.at("rename", variant, *place_of(VARIANT, "far.edge"), newName="lonely")
        assert "lonely.edge: 3" in applied(VARIANT, edit["changes"][variant.as_uri()])
        with pytest.raises(EditorError, match=r"`near` is already in ponds\.rules, line 12"):
            await editor.at("rename", game, *place_of(GAME, "worth(c):"), newName="near")
        with pytest.raises(EditorError, match="a reserved word"):
            await editor.at("rename", game, *place_of(GAME, "frog  x1"), newName="every")
        assert await editor.at("prepareRename", game, *place_of(GAME, "around(c)")) is None

    in_editor(tmp_path, work)


def test_hover_says_what_all_modules_together_say(tmp_path: Path) -> None:
    game, variant, puzzle = make_project(tmp_path)

    async def work(editor: Editor) -> None:
        text = (await editor.at("hover", variant, *place_of(VARIANT, "worth")))["contents"]["value"]
        assert "Comes to a number, for c: a cell of pond." in text
        assert "far: 2 when near(c) = 0  # ponds:17\n    edge: 3 when column(c) = 0  # ponds.twice:8" in text
        text = (await editor.at("hover", game, *place_of(GAME, "around(c)")))["contents"]["value"]
        assert "The neighbours of `c`" in text
        text = (await editor.at("hover", puzzle, *place_of(PUZZLE, "frog")))["contents"]["value"]
        assert "![frog](data:image/svg+xml;base64," in text
        await editor.open(game, GAME.replace("near(c) = 0", "neer(c) = 0"))
        await editor.idle()
        text = (await editor.at("hover", game, *place_of(GAME, "near(c) = 0")))["contents"]["value"]
        assert text.startswith("**RW111")

    in_editor(tmp_path, work)


def test_completion_knows_what_can_stand_there(tmp_path: Path) -> None:
    _, variant, puzzle = make_project(tmp_path)

    async def labels(editor: Editor, path: Path, text: str) -> list[str]:
        offset = text.index("|")
        await editor.change(path, text.replace("|", ""))
        before = text[:offset]
        answer = await editor.at("completion", path, before.count("\n"), len(before) - before.rfind("\n") - 1)
        return [one["label"] for one in answer["items"]]

    async def work(editor: Editor) -> None:
        await editor.open(variant)
        await editor.open(puzzle)
        assert {"free", "go", "note"} <= set(await labels(editor, variant, VARIANT.replace("drop free", "drop |")))
        assert "free" in await labels(editor, variant, VARIANT.replace("drop free", "drop f|"))
        found = await labels(editor, variant, VARIANT + "\ndefine odd(c) = every n in around(c): |")
        assert set(found[:2]) == {"c", "n"}
        assert {"worth", "occupied", "hops", "frog"} <= set(found)
        assert "hop" not in found
        assert {"change", "action", "define"} <= set(await labels(editor, variant, VARIANT + "\n|"))
        assert await labels(editor, variant, VARIANT + "\nflow:\n    choose |") == ["hop", "stop"]
        assert await labels(editor, variant, VARIANT + "\ndefine odd = 1  # |") == []
        assert {"ponds", "ponds.twice"} <= set(await labels(editor, puzzle, PUZZLE.replace("rules ponds", "rules p|")))
        assert "classics.pig" in await labels(editor, puzzle, PUZZLE.replace("rules ponds", "rules pig|"))
        assert len(await labels(editor, puzzle, PUZZLE.replace("rules ponds", "rules |"))) == 30
        found = await labels(editor, variant, VARIANT + "\ndefine odd(c) = hops + |")
        assert found.index("worth") < found.index("hops_made") < found.index("frog"), "a number near, one far, a tile"
        assert "frog" in await labels(editor, puzzle, PUZZLE.replace(".  frog", ".  |"))
        assert await labels(editor, puzzle, PUZZLE.replace("start: turn", "start: |")) == ["turn", "before"]
        assert {"answer", "grade", "themes"} <= set(await labels(editor, puzzle, PUZZLE.replace("start: turn of 1", "|")))
        assert "grade" in await labels(editor, puzzle, PUZZLE.replace("start: turn of 1", "gr|"))

    in_editor(tmp_path, work)


def test_what_is_wrong_can_be_put_right(tmp_path: Path) -> None:
    game, variant, puzzle = make_project(tmp_path)

    async def fixes(editor: Editor, path: Path, text: str, words: str) -> dict[str, Any]:
        await editor.change(path, text)
        await editor.idle()
        line, character = place_of(text, words)
        place = {"line": line, "character": character}
        found = await editor.of("codeAction", path, range={"start": place, "end": place}, context={"diagnostics": []})
        return {one["title"]: one for one in found}

    async def work(editor: Editor) -> None:
        for path in (game, variant, puzzle):
            await editor.open(path)
        damaged = GAME.replace("near(c) = 0", "neer(c) = 0")
        found = await fixes(editor, game, damaged, "neer")
        edit = found["Change to `near`"]["edit"]["changes"][game.as_uri()]
        assert applied(damaged, edit) == GAME
        (explain,) = [one for title, one in found.items() if title.startswith("Explain RW111")]
        page = await editor.request("workspace/executeCommand", explain["command"])
        assert page.startswith("**RW111")
        await editor.change(game, GAME)
        found = await fixes(editor, variant, VARIANT, "drop free")
        restored = applied(VARIANT, found["Restore `free`"]["edit"]["changes"][variant.as_uri()])
        assert "drop" not in restored
        assert "change hop" not in restored
        alone = "module alone:\n\nchange worth:\n    far: 3 when yes\n"
        found = await fixes(editor, variant, alone, "worth")
        edit = found["Extend `ponds`, which declares `worth`"]["edit"]["changes"][variant.as_uri()]
        assert applied(alone, edit).startswith("module alone:\n    extends ponds\n")

    in_editor(tmp_path, work)


def test_the_rest_of_a_text(tmp_path: Path) -> None:
    game, variant, _ = make_project(tmp_path)

    async def work(editor: Editor) -> None:
        (module, *_) = found = await editor.of("documentSymbol", game)
        assert module["name"] == "ponds"
        names = {one["name"]: [inner["name"] for inner in one["children"]] for one in found}
        assert names["worth"] == ["far"]
        assert names["hop"] == ["free", "go", "note"]
        assert names["flow"] == ["turn"]
        found = await editor.of("documentSymbol", variant)
        assert {one["name"] for one in found} > {"change worth", "change hop"}
        folds = await editor.of("foldingRange", game)
        assert (13, 16) in {(one["startLine"], one["endLine"]) for one in folds}
        everything = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
        hints = await editor.of("inlayHint", game, range=everything)
        assert [(one["position"]["line"], one["label"]) for one in hints] == [(11, ": cell of pond"), (13, ": cell of pond")]
        line, character = place_of(GAME, "near(c) = 0", 5)
        (signature,) = (await editor.at("signatureHelp", game, line, character))["signatures"]
        assert signature["label"] == "near(c: a cell of pond)"
        await editor.open(variant, VARIANT.replace("    far.edge:", "  far.edge:  "))
        (edit,) = await editor.of("formatting", variant, options={"tabSize": 4, "insertSpaces": True})
        assert edit["newText"] == VARIANT
        tokens = await editor.of("semanticTokens/full", variant)
        assert len(tokens["data"]) == 5 * 9

    in_editor(tmp_path, work)


def test_edits_have_the_line_ends_of_the_text_and_leave_its_byte_order_mark(tmp_path: Path) -> None:
    _, variant, puzzle = make_project(tmp_path)
    options = {"tabSize": 4, "insertSpaces": True}
    untidy = VARIANT.replace("    far.edge:", "  far.edge:  ")

    async def work(editor: Editor) -> None:
        await editor.open(variant, untidy.replace("\n", "\r\n"))
        (edit,) = await editor.of("formatting", variant, options=options)
        assert edit["newText"] == VARIANT.replace("\n", "\r\n")
        await editor.change(variant, VARIANT.replace("\n", "\r\n"))
        assert await editor.of("formatting", variant, options=options) == []
        await editor.change(variant, "\ufeff" + untidy)
        assert await editor.of("formatting", variant, options=options) is None
        # Not open: the answer is about the file on disk.
        variant.write_bytes(b"\xef\xbb\xbf" + untidy.replace("\n", "\r\n").encode())
        await editor.close(variant)
        (edit,) = await editor.of("formatting", variant, options=options)
        assert edit["newText"] == VARIANT.replace("\n", "\r\n")
        await editor.open(puzzle, PUZZLE.replace("\n", "\r\n").replace("    answer: 2\r\n", ""))
        await editor.request("workspace/executeCommand", {"command": "rulewright.acceptAnswer", "arguments": [puzzle.as_uri()]})
        (asked,) = [one for one in editor.notifications if one["method"] == "workspace/applyEdit"]
        ((written,),) = asked["params"]["edit"]["changes"].values()
        assert written["newText"].count("\r\n") == written["newText"].count("\n") == 1

    in_editor(tmp_path, work)


def test_puzzles_are_scored_shown_and_solved(tmp_path: Path) -> None:
    game, _, puzzle = make_project(tmp_path)

    async def run(editor: Editor, command: dict[str, Any]) -> Any:
        return await editor.request("workspace/executeCommand", command)

    async def work(editor: Editor) -> None:
        await editor.open(puzzle)
        await editor.open(game, GAME.replace("far: 2", "far: 5"))
        lenses = {one["command"]["title"]: one["command"] for one in await editor.of("codeLens", puzzle)}
        assert list(lenses) == ["score", "show", "solve", "solve and update the answer"]
        assert (await run(editor, lenses["score"])).startswith("score 0")
        assert (await run(editor, lenses["show"])).startswith("<svg")
        # The text of the editor is solved, not that on disk.
        solved = await run(editor, lenses["solve"])
        assert (solved["answer"], solved["error"]) == ("5", "")
        await run(editor, lenses["solve and update the answer"])
        (applied_edit,) = [one for one in editor.notifications if one["method"] == "workspace/applyEdit"]
        edit = applied_edit["params"]["edit"]["changes"][puzzle.as_uri()]
        assert "answer: 5\n" in applied(PUZZLE, edit)

    in_editor(tmp_path, work)


async def ask_everything(editor: Editor, path: Path) -> int:
    """Every request about a text, and about every few of its names; how many were asked."""
    text = path.read_text("utf-8")
    await editor.open(path, text)
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": text.count("\n"), "character": 0}}
    for method in ("documentSymbol", "foldingRange", "semanticTokens/full", "codeLens"):
        assert await editor.of(method, path) is not None
    await editor.of("formatting", path, options={"tabSize": 4, "insertSpaces": True})
    await editor.of("inlayHint", path, range=whole)
    await editor.of("codeAction", path, range=whole, context={"diagnostics": []})
    asked = 7
    tokens = (await editor.of("semanticTokens/full", path))["data"]
    line = character = 0
    for number in range(0, len(tokens), 5):
        character = tokens[number + 1] + (0 if tokens[number] else character)
        line += tokens[number]
        if number // 5 % STEP:
            continue
        is_library = bool(tokens[number + 4] & 4)
        assert await editor.at("hover", path, line, character), (path.name, line, character)
        if not is_library:
            assert await editor.at("definition", path, line, character), (path.name, line, character)
            assert await editor.at("documentHighlight", path, line, character)
        await editor.at("completion", path, line, character)
        await editor.at("signatureHelp", path, line, character)
        await editor.at("prepareRename", path, line, character)
        asked += 6
    await editor.idle()
    assert editor.codes(path) == [], path.name
    await editor.close(path)
    return asked


def test_every_request_on_shipped_modules(tmp_path: Path) -> None:
    async def work(editor: Editor) -> None:
        for path in A_FEW:
            assert await ask_everything(editor, path) > 7

    in_editor(tmp_path, work)


@pytest.mark.campaign
def test_every_request_on_every_shipped_module(tmp_path: Path) -> None:
    async def work(editor: Editor) -> None:
        asked = 0
        for path in SHIPPED_MODULES:
            asked += await ask_everything(editor, path)
        print(f"\n{asked} requests on {len(SHIPPED_MODULES)} modules")

    in_editor(tmp_path, work)
