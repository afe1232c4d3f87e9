"""What a change reaches, by the protocol: from a definition over actions and the flow to the puzzles, and back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .client import Editor, in_editor
from .ponds import GAME, VARIANT, make_project, place_of


async def called(editor: Editor, path: Path, text: str, words: str) -> dict[str, Any]:
    (item,) = await editor.at("prepareCallHierarchy", path, *place_of(text, words))
    return item


async def reach(editor: Editor, item: dict[str, Any], way: str = "incoming") -> dict[str, dict[str, Any]]:
    """The items that one leads to, by file and name."""
    side = "from" if way == "incoming" else "to"
    found = await editor.request(f"callHierarchy/{way}Calls", {"item": item})
    return {f"{one[side]['detail']} {one[side]['name']}": one[side] for one in found}


def test_a_change_reaches_what_uses_it_up_to_the_puzzles(tmp_path: Path) -> None:
    game, _, _ = make_project(tmp_path)

    async def work(editor: Editor) -> None:
        item = await called(editor, game, GAME, "near(c) =")
        assert item["name"] == "near"
        users = await reach(editor, item)
        assert set(users) == {"ponds.rules worth"}
        users = await reach(editor, users["ponds.rules worth"])
        assert set(users) == {"ponds.rules hop", "twice.rules change worth"}
        users = await reach(editor, users["ponds.rules hop"])
        assert set(users) == {"ponds.rules flow", "twice.rules change hop", "one_hop.puzzle one_hop"}
        flow = await called(editor, game, GAME, "flow:")
        assert flow["name"] == "flow"
        assert set(await reach(editor, flow)) == {"one_hop.puzzle one_hop"}
        score = await called(editor, game, GAME, "hops_made")
        assert set(await reach(editor, score)) == {"one_hop.puzzle one_hop"}

    in_editor(tmp_path, work)


def test_what_an_item_uses(tmp_path: Path) -> None:
    game, variant, _ = make_project(tmp_path)

    async def work(editor: Editor) -> None:
        used = await reach(editor, await called(editor, game, GAME, "hop(here"), "outgoing")
        assert set(used) == {"ponds.rules pond", "ponds.rules hops", "ponds.rules worth"}
        used = await reach(editor, await called(editor, variant, VARIANT, "worth"), "outgoing")
        assert set(used) == {"ponds.rules worth"}
        # The clause of a definition stands for the definition.
        assert (await called(editor, game, GAME, "far: 2"))["name"] == "worth"
        assert await editor.at("prepareCallHierarchy", game, *place_of(GAME, "The frog hops")) is None

    in_editor(tmp_path, work)


def test_a_text_with_errors_is_answered(tmp_path: Path) -> None:
    """Every item of a text that is damaged still has an answer."""
    game, _, _ = make_project(tmp_path)
    damaged = GAME.replace("near(c) = 0", "near(c = 0").replace("choose hop", "choose")

    async def work(editor: Editor) -> None:
        await editor.open(game, damaged)
        for number, row in enumerate(damaged.split("\n")):
            for item in await editor.at("prepareCallHierarchy", game, number, len(row) // 2) or ():
                await reach(editor, item)
                await reach(editor, item, "outgoing")

    in_editor(tmp_path, work)
