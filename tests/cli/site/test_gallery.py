"""A site: a page for each game with its rules and puzzles, which play, and links that open the studio on them."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from pathlib import Path
from unittest.mock import patch

import pytest

from rulewright.cli.main import run
from rulewright.cli.site.gallery import share_fragment
from tests.studio.small_game import write_game


def made(target: Path, *arguments: str) -> dict[str, str]:
    """The texts of the pages of a site, whose studio is left out (npm would fetch Python for it)."""
    with patch("rulewright.cli.commands.site.write_studio"), patch("rulewright.cli.commands.site.require_node"):
        assert run(("site", *arguments, "--output", str(target))) == 0
    return {path.relative_to(target).as_posix(): path.read_text("utf-8") for path in target.rglob("*.html")}


def test_a_game_has_its_rules_and_its_puzzles_each_with_a_page(tmp_path: Path):
    pages = made(tmp_path, "--only", "overboard", "--solve", "20", "--no-play")
    assert sorted(pages) == [
        "games/beacon_patrol.html", "games/beacon_patrol_rulebook.html", "index.html", "play/overboard_solution.html"
    ]  # fmt: skip
    assert 'href="games/beacon_patrol.html"' in pages["index.html"]
    game = pages["games/beacon_patrol.html"]
    assert 'src="../pictures/overboard.svg"' in game and (tmp_path / "pictures" / "overboard.svg").is_file()
    assert "../studio/index.html#puzzle=beacon_patrol/overboard&amp;of=beacon_patrol" in game
    assert re.search(r'<span class="\w+">module</span> beacon_patrol:\n    <span', game)
    assert "\ufffd" not in game
    assert re.search(r"11 first moves; the best plan takes 19 moves in 3 turns, among \d\.\d a move on average", game)
    assert not re.search(r"(?:src|href)=\"(?:https?:)?//", "".join(pages.values()))


def test_a_folder_of_ones_own_takes_its_rules_along_in_the_link(tmp_path: Path):
    write_game(tmp_path)
    game = made(tmp_path / "out", str(tmp_path))["games/shelf.html"]
    assert 'href="../play/two_left.html"' in game
    found = re.search(r"#share=1\.([^.]+)\.([^\"]+)", game)
    assert found is not None
    text = zlib.decompress(base64.urlsafe_b64decode(found[2] + "=" * (-len(found[2]) % 4)), wbits=-15)
    assert hashlib.sha256(text).digest()[:16] == base64.urlsafe_b64decode(found[1] + "==")
    assert sorted(json.loads(text)["files"]) in (["empty.puzzle", "shelf.rules"], ["shelf.rules", "two_left.puzzle"])


def test_without_a_studio_nothing_links_to_one(tmp_path: Path):
    write_game(tmp_path)
    assert "studio/" not in "".join(made(tmp_path / "out", str(tmp_path), "--no-play", "--no-studio").values())


def test_names_and_texts_are_no_markup(tmp_path: Path):
    write_game(tmp_path)
    rules = tmp_path / "shelf.rules"
    rules.write_text(rules.read_text("utf-8").replace("Books are put", "<script>alert(1)</script>"), "utf-8")
    pages = made(tmp_path / "out", str(tmp_path), "--no-play")
    assert "<script>alert" not in "".join(pages.values()) and "&lt;script&gt;alert" in pages["games/shelf.html"]


def test_a_folder_that_is_no_site_is_not_written_into(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    (tmp_path / "mine.txt").write_text("mine", "utf-8")
    assert run(("site", "--output", str(tmp_path), "--no-studio")) == 2
    assert "is no site" in capsys.readouterr().err


def test_a_link_is_the_same_for_the_same_texts():
    assert share_fragment({"a.rules": "x"}, "a.rules") == share_fragment({"a.rules": "x"}, "a.rules")
