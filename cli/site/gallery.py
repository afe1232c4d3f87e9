"""The gallery of a site: a page for each game, with its rules and its puzzles, and the list of games."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any
from urllib.parse import quote

from rulewright.api.start import Start, start_of_puzzle
from rulewright.base.records import define, field, frozen
from rulewright.base.styled_text import counted
from rulewright.cli.main import run
from rulewright.cli.rulebook.assembly import rulebook_of
from rulewright.cli.rulebook.rule_text import highlighted
from rulewright.pictures.pages.frame import Page, html_of, text_of
from rulewright.pictures.position_picture import picture
from rulewright.pictures.scene import PictureOptions, Scene
from rulewright.pictures.svg import to_text
from rulewright.puzzles.catalogue import SHIPPED, Catalogue, PuzzleSummary
from rulewright.puzzles.plan_replay import replay
from rulewright.subset.refusal import CannotCompile
from rulewright.web.questions import in_plain_words, titled

CELL = 36.0
"""In pixels: the width of a cell."""

STYLE = Path(__file__).with_name("gallery.css").read_text("utf-8")

SHARE_VERSION = "1"
"""The version of a link that holds rules: see editors/studio/source/share.js, which reads it."""


@frozen
class Effort:
    """How much is made for each puzzle: a page that plays, and with `seconds` a page with its solution."""

    plays: bool = True
    seconds: float = 0.0


@define
class Gallery:
    """The pages of the games of a catalogue whose puzzles ask something; `own` is the folder shown, if not the library."""

    catalogue: Catalogue
    folder: Path
    effort: Effort
    own: Path | None = None
    has_manual: bool = False
    has_studio: bool = True
    said: list[str] = field(factory=list)

    def write(self, word: str = "") -> dict[str, list[str]]:
        """Write the pages of the games with a word in their name or in those of their puzzles; returns puzzles by game."""
        games: dict[str, list[PuzzleSummary]] = {}
        for puzzle in self.catalogue.puzzles:
            game = self.catalogue.game_of(puzzle.rules)
            if self._is_shown(puzzle) and word in f"{game} {puzzle.name}":
                games.setdefault(game, []).append(puzzle)
        for place in ("games", "play", "pictures"):
            (self.folder / place).mkdir(parents=True, exist_ok=True)
        for game, puzzles in games.items():
            cards = [self._card(game, puzzle) for puzzle in sorted(puzzles, key=lambda one: (one.grade or 0, one.name))]
            combination = self.catalogue.project.combine(game)
            book = rulebook_of(combination, combination, self.catalogue)
            (self.folder / "games" / f"{game}_rulebook.html").write_text(book.html, "utf-8")
            self._write(f"games/{game}.html", titled(game), self._game(game, cards))
        self._write("index.html", "Rulewright: games and puzzles", self._index(games))
        return {game: [puzzle.name for puzzle in puzzles] for game, puzzles in sorted(games.items())}

    def _is_shown(self, puzzle: PuzzleSummary) -> bool:
        if self.own is not None:
            return puzzle.asks and not puzzle.path.is_relative_to(SHIPPED)
        return puzzle.asks and "tests" not in puzzle.path.parts

    def _write(self, name: str, title: str, body: Iterator[str]) -> None:
        page = Page(title, "\n".join(body), rules=STYLE, loads_pictures=True)
        (self.folder / name).write_text(html_of(page), "utf-8")

    # Pages ------------------------------------------------------------------------------------------------------------

    def _index(self, games: Mapping[str, Sequence[PuzzleSummary]]) -> Iterator[str]:
        yield "<header><h1>Games and puzzles</h1>"
        studio = '<a href="studio/index.html">Studio</a>' if self.has_studio else ""
        change = "The studio shows what a changed rule does to every answer. " if self.has_studio else ""
        yield f"<nav>{studio}{self._manual('')}</nav>"
        yield f"<p>Every puzzle plays in the page, by rules that are a text beside it. {change}Nothing is sent anywhere.</p>"
        yield '</header>\n<ul class="cards">'
        for game, puzzles in sorted(games.items()):
            yield f'<li><h2><a href="games/{quote(game)}.html">{text_of(titled(game))}</a></h2>'
            yield f'<a href="games/{quote(game)}.html">{_image("pictures/", puzzles[0].name)}</a>'
            yield f'<p>{text_of(self._text_of(game))}</p><p class="faint">{counted(len(puzzles), "puzzle")}</p></li>'
        yield "</ul>"

    def _game(self, game: str, cards: Sequence[str]) -> Iterator[str]:
        yield f'<header><nav><a href="../index.html">All games</a>{self._manual("../")}</nav>'
        yield f"<h1>{text_of(titled(game))}</h1><p>{text_of(self._text_of(game))}</p></header>"
        yield f'<h2>Puzzles</h2>\n<ul class="cards">{"".join(cards)}</ul>\n<h2>Rules</h2>'
        yield f'<p><a class="act" href="{quote(game)}_rulebook.html">Read the rulebook</a></p>'
        for number, (name, text) in enumerate(self._modules(game)):
            is_open = " open" if number == 0 else ""
            yield f"<details{is_open}><summary>{text_of(name)}</summary><pre>{highlighted(text)}</pre></details>"

    def _card(self, game: str, puzzle: PuzzleSummary) -> str:
        start = start_of_puzzle(self.catalogue.position(puzzle.path), None, now=False)
        options = PictureOptions(CELL, None, coordinates=False)
        scene = Scene(start.engine, start.viewer, start.title, options)
        (self.folder / "pictures" / f"{puzzle.name}.svg").write_text(to_text(picture(scene, start.state)), "utf-8")
        told = "" if start.position is None else in_plain_words(start.position.puzzle, start.engine.game)
        asked = f"<p><em>{text_of(told)}</em></p>" if told else ""
        answer = self._answer(puzzle)
        ways = [(f"../play/{puzzle.name}.html", "Play")] if self._plays(puzzle, start) else []
        ways += [(f"../studio/index.html{self._change(game, puzzle)}", "Change the rules")] if self.has_studio else []
        ways += [(f"../play/{puzzle.name}_solution.html", "Think first, then look")] if answer is not None else []
        links = " ".join(f'<a class="act" href="{text_of(where)}">{what}</a>' for where, what in ways)
        facts = [f"grade {puzzle.grade}"] if puzzle.grade is not None else []
        return (
            f'<li id="{text_of(puzzle.name)}"><h3>{text_of(titled(puzzle.name))}</h3>{_image("../pictures/", puzzle.name)}'
            f"<p>{text_of(puzzle.text)}</p>{asked}"
            f'<p class="faint">{", ".join([*facts, " + ".join(map(text_of, puzzle.rules))])}</p>'
            f'<p class="faint">{difficulty(start, answer)}</p><p>{links}</p></li>'
        )

    def _manual(self, way: str) -> str:
        return f' <a href="{way}manual/index.html">Manual</a>' if self.has_manual else ""

    # What they show ---------------------------------------------------------------------------------------------------

    def _text_of(self, game: str) -> str:
        return self.catalogue.modules[game].text if game in self.catalogue.modules else ""

    def _modules(self, game: str) -> Iterator[tuple[str, str]]:
        """The module of a game and those that it extends, with their texts."""
        waiting, seen = [game], set[str]()
        while waiting:
            name = waiting.pop(0)
            if name in seen or name not in self.catalogue.modules:
                continue
            seen.add(name)
            module = self.catalogue.modules[name]
            waiting += module.extends
            yield name, module.path.read_text("utf-8")

    def _plays(self, puzzle: PuzzleSummary, start: Start) -> bool:
        """Whether there is a page that plays a puzzle."""
        if not self.effort.plays or start.position is None:
            return False
        from rulewright.web.page import Playable, page_of

        try:
            page = page_of([Playable.of(start)], puzzle.name)
        except CannotCompile as reason:
            self.said.append(f"{puzzle.name} does not play on a page: {reason}")
            return False
        (self.folder / "play" / f"{puzzle.name}.html").write_text(page, "utf-8")
        return True

    def _answer(self, puzzle: PuzzleSummary) -> dict[str, Any] | None:
        """The answer to a puzzle, with its page; None, and no page, where it is not proved in time."""
        if not self.effort.seconds:
            return None
        page, said = self.folder / "play" / f"{puzzle.name}_solution.html", io.StringIO()
        with redirect_stdout(said):
            status = run(("solve", str(puzzle.path), "--time", str(self.effort.seconds), "--html", str(page), "--json"))
        if status != 0:
            page.unlink(missing_ok=True)
            return None
        answer: dict[str, Any] = json.loads(said.getvalue())
        return answer

    def _change(self, game: str, puzzle: PuzzleSummary) -> str:
        """The fragment by which the studio opens on a puzzle: by its name, or where it is not of the library, by its texts."""
        if self.own is None:
            return f"#puzzle={quote(puzzle.path.relative_to(SHIPPED).with_suffix('').as_posix())}&of={quote(game)}"
        own = {
            f"{name.rpartition('.')[2]}.rules": text
            for rule in puzzle.rules
            for name, text in self._modules(rule)
            if self.catalogue.modules[name].path.is_relative_to(self.own)
        }
        start = f"{puzzle.name}.puzzle"
        return share_fragment({**own, start: puzzle.path.read_text("utf-8")}, start)


def share_fragment(files: Mapping[str, str], start: str) -> str:
    """A link's fragment with the texts of a game, which the studio shows before it opens them."""
    text = json.dumps({"files": files, "start": start}, ensure_ascii=False)
    packing = zlib.compressobj(9, wbits=-15)
    packed = packing.compress(text.encode()) + packing.flush()
    return f"#share={SHARE_VERSION}.{_base64(hashlib.sha256(text.encode()).digest()[:16])}.{_base64(packed)}"


def _base64(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


def _image(way: str, name: str) -> str:
    return f'<img src="{way}{quote(name)}.svg" alt="{text_of(titled(name))}" loading="lazy">'


def difficulty(start: Start, answer: Mapping[str, Any] | None) -> str:
    """How hard a puzzle is, as far as can be measured: how long its best plan is, among how many ways, and the proof."""
    engine, state = start.engine, start.state
    first = counted(len(engine.legal(state)), "first move")
    steps = answer["plan"] if answer is not None else []
    if answer is None or not steps:
        return f"Difficulty: {first}" + (f", {answer['states']:,} states to prove that nothing is better." if answer else ".")
    states = [state, *(ply.state for ply in replay(engine, state, [step["text"] for step in steps]))]
    ways = [len(engine.legal(state)) for state in states[:-1]]
    length = f"{counted(len(ways), 'move')} in {counted(max(step['turn'] for step in steps), 'turn')}"
    among = f"among {sum(ways) / len(ways):.1f} a move on average"
    return f"Difficulty: {first}; the best plan takes {length}, {among}; {answer['states']:,} states until that was proved."
