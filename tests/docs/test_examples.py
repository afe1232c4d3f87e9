"""Every example in the documentation parses, links, stands and has the answer it is said to have."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rulewright.grammar.from_text import parse_module, parse_puzzle
from rulewright.grammar.tree.modules import Module, Need
from rulewright.puzzles.from_tree import set_up_position
from rulewright.rules.linking.from_modules import combine, link
from rulewright.rules.linking.project import Project
from rulewright.rules.merging.needs import stand_ins
from rulewright.rules.model.game import Game
from rulewright.rules.static.static_checks import check_game
from rulewright.studies.verdicts import check_verdicts
from tests.docs.pages import FILE, Block, blocks, pages
from tests.paths import ROOT

EXAMPLES = [block for page in pages() for block in blocks(page)]


def of_kind(kind: str) -> list[Any]:
    """The examples by their first lines, which stay where those of the page move."""
    return [pytest.param(one, id=f"{one.page}: {one.text.partition(chr(10))[0]}") for one in EXAMPLES if one.kind == kind]


@cache
def shipped() -> Project:
    return Project(ROOT / "rules" / "library")


@cache
def modules_of(page: str) -> dict[str, Module]:
    """The whole modules of a page by name."""
    found = [parse_module(b.text, str(b)) for b in EXAMPLES if b.page == page and b.kind == "rules module"]
    return {module.header.name: module for module in found}


def linked(page: str, roots: list[str], more: dict[str, Module]) -> Game:
    """The game of some modules: those of the page and those that ship."""
    known = modules_of(page) | more
    needed: dict[str, Module] = {}
    waiting = list(roots)
    while waiting:
        name = waiting.pop()
        if name not in needed:
            needed[name] = known[name] if name in known else shipped().parse(shipped().modules()[name])
            waiting += [extended for extended, _ in needed[name].header.extends]
    return link(needed, roots)


def answer(block: Block, command: str, folder: Path) -> Any:
    """What a command says of a block, in a folder with the modules of its page."""
    for other in EXAMPLES:
        if other.page == block.page and other.kind == "rules module":
            (folder / f"line_{other.line}.rules").write_text(other.text, "utf-8")
    name = f"the.{block.kind}"
    (folder / name).write_text(block.text, "utf-8")
    call = [sys.executable, "-m", "rulewright", command, name, "--json"]
    run = subprocess.run(call, cwd=folder, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    return json.loads(run.stdout)


@pytest.mark.parametrize("block", of_kind("rules module"))
def test_modules_link(block: Block) -> None:
    module = parse_module(block.text, str(block))
    if any(isinstance(item, Need) for item in module.items):
        more = stand_ins(*combine({module.header.name: module}), [module.header.name])
        assert linked(block.page, [more.header.name], {more.header.name: more})
    else:
        game = linked(block.page, [module.header.name], {})
        assert [d for d in check_game(game).diagnostics if d.code != "RW264"] == []


@pytest.mark.parametrize("block", of_kind("rules part"))
def test_parts_link(block: Block) -> None:
    sample = next(iter(modules_of(block.page)))
    part = parse_module(f"module part: \n    extends {sample}\n{block.text}", str(block))
    linked(block.page, ["part"], {"part": part})


@pytest.mark.parametrize("block", of_kind("rules items"))
def test_items_parse(block: Block) -> None:
    parse_module(f"module items:\n{block.text}", str(block))


@pytest.mark.parametrize("block", of_kind("puzzle"))
def test_puzzles_stand_and_have_their_answer(block: Block, tmp_path: Path) -> None:
    puzzle = parse_puzzle(block.text, str(block))
    check_verdicts(set_up_position(puzzle, linked(block.page, [name for name, _ in puzzle.rules], {})))
    assert answer(block, "solve", tmp_path)["status"] == "optimal"


@pytest.mark.parametrize("block", of_kind("play"))
def test_saved_games_can_be_replayed(block: Block, tmp_path: Path) -> None:
    answer(block, "replay", tmp_path)


def test_every_block_says_what_it_is() -> None:
    known = {
        "rules module",
        "rules part",
        "rules items",
        "puzzle",
        "play",
        "console",
        "text",
        "lark",
        "python",
        "pycon",
        "sh",
        "yaml",
        "json",
    }
    assert [str(block) for block in EXAMPLES if block.kind not in known and not FILE.fullmatch(block.kind)] == []


@pytest.mark.parametrize("page", pages(), ids=lambda path: path.name)
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#\s]+)(?:#[^)]*)?\)", page.read_text("utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []
