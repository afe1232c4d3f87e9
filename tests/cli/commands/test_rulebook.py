"""`rulewright rulebook`: every rule is told, what a variant changes is marked, and the figures are true."""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from rulewright.cli.names import named
from rulewright.cli.rulebook.assembly import entries_of
from rulewright.cli.rulebook.chapters import CHAPTERS, Mark, chapters_of
from rulewright.cli.rulebook.examples import Examples
from rulewright.cli.rulebook.page import RulebookPage
from rulewright.rules.clauses.decompose import parts_of
from rulewright.rules.linking.project import Combination

Calling = Callable[..., Any]

GAMES = ("beacon_patrol", "classics.chess", "penguin_pirates", "classics.pig", "classics.sudoku", "castles_by_the_sea.basic")


class _Reader(HTMLParser):
    """The text of a page, its anchors, and the targets of its links."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.text, self.anchors, self.targets = "", set[str](), set[str]()
        self.feed(page)

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if tag == "section":
            self.anchors.add(found["id"] or "")
        if tag == "a":
            self.targets.add((found["href"] or "").removeprefix("#"))


def _combined(name: str) -> Combination:
    return named(name).combination


def _page(game: Combination, base: Combination) -> _Reader:
    """The page without figures, which need play."""
    known = {module.header.name for module in base.family.modules}
    variants = [module.header.name for module in game.family.modules if module.header.name not in known]
    page = RulebookPage("A game", game, base, chapters_of(game, base), entries_of(game), Examples(), variants=variants)
    return _Reader(page.html)


@pytest.mark.parametrize("game", GAMES)
def test_every_clause_has_its_place_in_one_chapter(game: str) -> None:
    combination = _combined(game)
    told = [
        passage.clause.place
        for chapter in chapters_of(combination, combination)
        for section in chapter.sections
        for passage in section.all_passages
    ]
    kinds = {kind for kinds in CHAPTERS.values() for kind in kinds}
    templates = {name for name, action in combination.book.actions.items() if action.base}
    wanted = [place for place in parts_of(combination.book) if place.key.kind in kinds and place.key.name not in templates]
    assert len(told) == len(set(told))
    assert set(told) == set(wanted)


@pytest.mark.parametrize("game", ["beacon_patrol", "penguin_pirates", "castles_by_the_sea.basic"])
def test_every_clause_of_the_printed_rulebook_is_told(game: str) -> None:
    combination = _combined(game)
    page, entries = _page(combination, combination), entries_of(combination)
    said = " ".join(page.text.split())
    assert len(entries) > 30
    assert [name for name, entry in entries.items() if entry.statement not in said] == []
    assert page.targets <= page.anchors


def test_a_variant_is_marked_where_it_changes_something() -> None:
    base, game = _combined("beacon_patrol"), _combined("beacon_patrol+house.rotating")
    touched = {
        str(passage.clause.place): passage.mark
        for chapter in chapters_of(game, base)
        for section in chapter.sections
        for passage in section.all_passages
        if passage.mark is not Mark.SAME
    }
    assert touched == {
        "place(quarter)": Mark.NEW,
        "place.matching": Mark.CHANGED,
        "place.by_water": Mark.CHANGED,
        "place.face": Mark.NEW,
        "shows.value": Mark.CHANGED,
        "part_at.value": Mark.CHANGED,
    }
    page = _page(game, base)
    assert "What house.rotating changes" in page.text
    assert "side(at(c), d)" in page.text, "what was before is shown"
    never, warning = page.text.index("Tiles are never turned"), page.text.index("They know nothing of the variant")
    assert warning < never
    assert "They know nothing" not in _page(base, base).text


def test_what_a_variant_drops_is_told_as_gone() -> None:
    base, game = _combined("beacon_patrol"), _combined("beacon_patrol+house.rotating")
    gone = [
        str(passage.clause.place)
        for chapter in chapters_of(base, game)
        for section in chapter.sections
        for passage in section.all_passages
        if passage.mark is Mark.GONE
    ]
    assert sorted(gone) == ["place(quarter)", "place.face"]


def test_what_a_variant_changes_is_told_by_numbers_and_messages(call: Calling, tmp_path: Path) -> None:
    rules = tmp_path / "far.rules"
    rules.write_text(
        "module far:\n    extends beacon_patrol\n\nchange allowance: tokens[1] = 5\n\n"
        "change worth:\n    replace lighthouse: 7 when at(c) has lighthouse\n\n"
        'change sail:\n    replace token: tokens of player >= 2 else "two tokens are too many"\n'
        '    require near: distance(to, origin of sea) < 9 else "it is too far"\n\n'
        "score coast: 2 * count c in sea where occupied(c)\n",
        "utf-8",
    )
    file = tmp_path / "book.html"
    assert call("rulebook", "beacon_patrol", "--variant", str(rules), "-o", str(file)).status == 0
    text = " ".join(_Reader(file.read_text("utf-8")).text.split())
    told = [
        "4 → 5",
        "3 → 7",
        "✗ no movement token is left → two tokens are too many.",
        "✗ it is too far.",
        "It is 2 times the number",
    ]
    assert [one for one in told if one not in text] == []
    assert "For Set up, End turn, Supply" in text, "a table says where it is looked up"


def _told(page: str) -> str:
    """The text of a page without rule text; what is struck is in braces, names of a rule's own in stars."""
    page = re.sub(r'<li class="gone">(.*?)(?=</li>|<ol>)', r"{\1}", re.sub(r"<i>(.*?)</i>", r"*\1*", page))
    page = re.sub(r"<del>(.*?)</del>", r"{\1}", page)
    return " ".join(_Reader(page).text.split())


@pytest.mark.parametrize(
    ("base", "variant", "sentences"),
    [
        (
            "beacon_patrol",
            "house.rotating",
            (
                "*quarter*: one of the numbers from 0 to 3",
                "Set the quarter turns of *to* to *quarter*.",
                "{The side of what is on *c* towards *d*.} → The side of what is on *c* towards *d* turned by minus",
                "by water: {The side that the new tile shares with the current tile must be water. That it fits elsewhere is "
                "not enough. [Place Tiles, rule 5]} → The side of *tile* towards the direction from *to* to the player's ship",
            ),
        ),
        ("beacon_patrol", "house.storm", ("If *to* is open ocean, take 1 from the player's movement tokens.",)),
        ("beacon_patrol", "house.round_sea", ("Square grid 9 x 9 of tiles, wrapped.",)),
        (
            "beacon_patrol",
            "house.towing",
            ("{Choose: Place, Sail, Jettison, Swap, Keep or stop.}Choose: Place, Sail, Jettison, Swap, Keep, Tow or stop."),
        ),
        (
            "classics.chess",
            "chess.atomic",
            (
                "If a man was taken, explode, for *to*.",
                "Whenever what is on *c* goes to the box and *c* is owned (for the foe of the player):",
                "{Never.} → For one of the players, there is no king of it.",
                "For each of the cells beside *c* and *c* (*x*) where something is on *x* and",
            ),
        ),
        ("classics.chess", "chess.three_check", ("One of the players has 3 checks.", "add 1 to the player's checks.")),
        ("classics.chess", "chess.crazyhouse", ("9 → 18",)),
        (
            "castles_by_the_sea.basic",
            "castles_by_the_sea.solo",
            ("For {2 to 4 players} → 1 player.", "{Choose: Move hazard.}", "→ The three hazards are at random spots."),
        ),
    ],
)
def test_what_a_variant_changes_is_told_in_words(base: str, variant: str, sentences: tuple[str, ...]) -> None:
    before, now = _combined(base), _combined(f"{base}+{variant}")
    text = _told(RulebookPage("A game", now, before, chapters_of(now, before), entries_of(now), Examples()).html)
    assert [one for one in sentences if one not in text] == []


def test_figures_show_moves_that_are_allowed_and_refused() -> None:
    examples = Examples()
    examples.collect([named("shoals").start(None, 0), named("overboard").start(None, 0)])
    assert {"place", "sail"} <= set(examples.allowed)
    assert examples.refused
    for requirement, figure in examples.refused.items():
        assert "✗" in figure
        action, _, _ = requirement.partition(".")
        assert f"</b> {action.split('_')[0]}" in figure


def test_a_hostile_text_stays_text(call: Calling, tmp_path: Path) -> None:
    rules = tmp_path / "hostile.rules"
    rules.write_text(
        'module hostile:\n    "<script>alert(1)</script>"\n\nplayers 1\n\nstate:\n    steps: 0..3\n\n'
        'action go:\n    "<b onclick=x>"\n    require low: steps < 3 else "</p><img src=x>"\n    effect go: steps += 1\n\n'
        "flow:\n    repeat: choose go or stop\n\nscore steps: steps\n",
        "utf-8",
    )
    file = tmp_path / "book.html"
    assert call("rulebook", str(rules), "-o", str(file)).status == 0
    page = file.read_text("utf-8")
    assert "<script>alert" not in page and "<img" not in page and "<b onclick" not in page
    assert not re.search(r'(?:href|src)="(?!#)', page), "the page loads nothing"


def test_a_variant_is_written_by_the_command(call: Calling, tmp_path: Path) -> None:
    file = tmp_path / "book.html"
    assert call("rulebook", "classics.noughts_and_crosses", "--variant", "classics.misere_noughts", "-o", str(file)).status == 0
    page = _Reader(file.read_text("utf-8"))
    assert "What classics.misere_noughts changes" in page.text
    assert page.targets <= page.anchors


def test_the_document_counts_sections_and_figures(call: Calling, tmp_path: Path) -> None:
    file = tmp_path / "book.html"
    told = call("rulebook", "classics.pig", "-o", str(file), "--json").json
    assert told["schema"] == "rulewright/rulebook/1"
    assert told["rules"] == ["classics.pig"]
    assert told["chapters"]["What you may do"] >= 1 and told["figures"] >= 1


def test_without_a_name_for_the_file_it_is_that_of_the_game(
    call: Calling, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert call("rulebook", "classics.pig").status == 0
    assert (tmp_path / "pig_rulebook.html").is_file()
