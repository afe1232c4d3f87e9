"""Whatever a name holds, SVG, pages and terminal show it as text: nothing becomes markup or control.

Rules and puzzles allow only plain names; titles, texts and the names of programs that build their own games may hold anything.
"""

from __future__ import annotations

import random
import unicodedata
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from attrs import evolve

from rulewright.api.start import Start
from rulewright.base.styled_text import escape, plain
from rulewright.cli.names import named
from rulewright.cli.views.board_view import BoardPicture
from rulewright.cli.views.tile_view import Symbols
from rulewright.pictures.pages.position import position_page
from rulewright.pictures.position_picture import picture
from rulewright.pictures.scene import Scene
from rulewright.pictures.svg import Attribute, Tag, to_text
from rulewright.rules.play.engine import Engine

NAMESPACE = "{http://www.w3.org/2000/svg}"
TAGS = {NAMESPACE + tag.value for tag in Tag}
ATTRIBUTES = {attribute.value for attribute in Attribute}
MARKUP = (
    "<script>",
    "</script>",
    "</svg>",
    "]]>",
    "<!--",
    "-->",
    "&lt;",
    "&#x0;",
    '"',
    "'",
    "`",
    "onload=x",
    "%s",
    "{x}",
    "url(#a)",
)
CONTROLS = ("\x00", "\x07", "\x1b[2J", "\x1b]0;x\x07", "\x7f", "\x85", "\x9b", "\n", "\t", "\ud800", "\U000e0001")
DIRECTIONS = ("\u200e", "\u202e", "\u2066", "\u061c", "\u2028", "\ufeff", "\u00ad")
OTHERS = ("a", "é", "日本", "\U0001f469\u200d\U0001f680", "\u0301" * 20, "x" * 5000, " ", "\\")
PIECES = (*MARKUP, *CONTROLS, *DIRECTIONS, *OTHERS)
"""Markup, control, direction, and what is long or wide."""

WHOLE = 10_000


def hostile(number: int) -> str:
    chance = random.Random(number)
    return "".join(chance.choice(PIECES) for _ in range(chance.randint(1, 6)))


def renamed(start: Start, number: int) -> Start:
    """The same position of a game in which every tile, set and marker has a name that means harm."""
    game = start.engine.game
    tiles = tuple(evolve(kind, name=hostile(number + at), group=hostile(number)) for at, kind in enumerate(game.tiles))
    enumerations = dict(game.enumerations)
    enumerations["marker"] = tuple(f"{hostile(number + 7 * at)}{at}" for at, _ in enumerate(game.enumerations["marker"]))
    engine = start.engine
    harmful = Engine(evolve(game, tiles=tiles, enumerations=enumerations), engine.instance, engine.layout, engine.flow)
    return evolve(start, engine=harmful, title=hostile(number + 1), text=hostile(number + 2))


def is_harmless(content: str) -> bool:
    return all(letter == "\n" or unicodedata.category(letter) not in ("Cc", "Cf", "Cs") for letter in content)


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.attributes: set[str] = set()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.found.append(tag)
        self.attributes |= {name for name, _ in attributes}


def tags_of(page: str) -> Tags:
    reader = Tags()
    reader.feed(page)
    return reader


def check_all(count: int, each_page: int) -> None:
    start = named("overboard").start(None, 1)
    tame = tags_of(position_page(Scene(start.engine, start.viewer, start.title), start.state, start.text, "?"))
    for number in range(count):
        harmful = renamed(start, 11 * number)
        scene = Scene(harmful.engine, harmful.viewer, harmful.title)
        svg = to_text(picture(scene, harmful.state))
        assert is_harmless(svg)
        elements = list(ElementTree.fromstring(svg).iter())
        assert {element.tag for element in elements} <= TAGS
        assert {name for element in elements for name in element.attrib} <= ATTRIBUTES
        symbols = Symbols.of(harmful.engine.game)
        lines = BoardPicture(harmful.engine, harmful.state, harmful.viewer, symbols).lines("sea") + symbols.legend()
        assert all(is_harmless(escape(plain(line))) for line in lines)
        if number % each_page == 0:
            page = position_page(scene, harmful.state, harmful.text, hostile(number))
            assert is_harmless(page)
            read = tags_of(page)
            assert read.found.count("script") == tame.found.count("script")
            assert set(read.found) == set(tame.found) and read.attributes == tame.attributes


def test_hostile_names_are_text():
    check_all(30, 10)


@pytest.mark.campaign
def test_ten_thousand_hostile_names_are_text():
    check_all(WHOLE // 10, 20)
