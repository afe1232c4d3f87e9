"""Writes the pages of the site and builds it: `python docs/build_site.py [--solve SECONDS] [--only WORD]`.

The pages (`build/pages`) are those of this folder, the README as the first, SECURITY.md, and a gallery of the puzzles that
ship: each with its picture, its text, the modules of its rules and how large it is. With `--solve`, each is answered, and its
solution is a page behind a link, where it is proved in time. Neither the build nor the site (`build/site`) loads anything from
afar.
"""

from __future__ import annotations

import argparse
import io
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from attrs import frozen

from rulewright.api.start import Start, describe_ask
from rulewright.base.diagnostics import RulesError
from rulewright.base.styled_text import counted
from rulewright.cli.main import run
from rulewright.cli.names import named
from rulewright.pictures.options import PictureOptions
from rulewright.pictures.position_picture import picture
from rulewright.pictures.scene import Scene
from rulewright.pictures.svg import to_text
from rulewright.puzzles.catalogue import Catalogue, PuzzleSummary
from rulewright.puzzles.plan_replay import replay
from rulewright.rules.linking.project import Project

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
PAGES, SITE = ROOT / "build" / "pages", ROOT / "build" / "site"

CELL = 36.0


@frozen
class Wish:
    """A request for puzzles with a word in their name or game, and for solutions found within `seconds`; 0 asks for none."""

    word: str = ""
    seconds: float = 0.0


def write_pages(wish: Wish) -> None:
    """The pages from which the site is built."""
    shutil.rmtree(PAGES, ignore_errors=True)
    shutil.copytree(DOCS, PAGES, ignore=shutil.ignore_patterns("*.py", "__pycache__"))
    for page in PAGES.glob("*.md"):
        page.write_text(_for_the_site(page.read_text("utf-8")), "utf-8")
    for source, page in (("README.md", "index.md"), ("SECURITY.md", "security.md")):
        inside = _without_links_out((ROOT / source).read_text("utf-8"), r"(?!docs/|SECURITY|#|https?:)")
        text = inside.replace("](docs/", "](")
        (PAGES / page).write_text(_for_the_site(text), "utf-8")
    (PAGES / "puzzles").mkdir()
    (PAGES / "gallery.md").write_text("\n".join(gallery(wish)), "utf-8")


def _without_links_out(page: str, way: str = r"\.\./") -> str:
    """A page with the names of files of the repository, where links begin with `way`, in place of links to them: they are not
    part of the site."""
    return re.sub(rf"\[([^]]*)\]\({way}([^)]*)\)", _named, page)


def _named(link: re.Match[str]) -> str:
    return f"`{link[2]}`" if link[1] == link[2] else f"{link[1]} (`{link[2]}`)"


def _for_the_site(page: str) -> str:
    """A page of the repository as a page of the site."""
    here = re.sub(r"\]\((?:\.\./)?SECURITY\.md\)", "](security.md)", page).replace("](../README.md", "](index.md")
    return _with_plain_fences(_without_links_out(here))


def _with_plain_fences(page: str) -> str:
    """A page whose samples are fenced by their language: the name of a file stands above, a word for the tests goes."""
    named = re.sub(r"^```(\w+) (\w+\.\w+)$", r"`\2`:\n\n```\1", page, flags=re.MULTILINE)
    return re.sub(r"^```(\w+) \w+$", r"```\1", named, flags=re.MULTILINE)


def gallery(wish: Wish) -> Iterator[str]:
    """The lines of the page, game by game, and the pictures that it shows."""
    known = Catalogue(Project(ROOT / "puzzles" / "library"))
    puzzles = [puzzle for puzzle in known.puzzles if puzzle.asks and "tests" not in puzzle.path.parts]
    games: dict[str, list[PuzzleSummary]] = {}
    for puzzle in puzzles:
        if wish.word in f"{known.game_of(puzzle)} {puzzle.name}":
            games.setdefault(known.game_of(puzzle), []).append(puzzle)
    yield "# Gallery\n"
    yield "The puzzles that ship, each with the number of ways in which play can begin and, where it was solved for this page,"
    yield "how long its best plan is, among how many moves one has to choose, and how many states it took to prove it.\n"
    for game in sorted(games):
        yield f"## {game}\n"
        for puzzle in games[game]:
            yield from _entry(puzzle, wish.seconds)


def _entry(puzzle: PuzzleSummary, seconds: float) -> Iterator[str]:
    """A puzzle: text, picture, question, rules, size, and the way to its solution."""
    try:
        start = named(str(puzzle.path)).start(None, 0)
    except RulesError as error:
        raise SystemExit(f"{puzzle.name}: {error.diagnostics[0].message}") from error
    scene = Scene(start.engine, start.viewer, start.title, PictureOptions(CELL, None, coordinates=False))
    (PAGES / "puzzles" / f"{puzzle.name}.svg").write_text(to_text(picture(scene, start.state)), "utf-8")
    asked = start.position.puzzle.ask if start.position is not None else None
    solution = PAGES / "puzzles" / f"{puzzle.name}.html"
    answer = _answer(puzzle, seconds, solution) if seconds else None
    yield f"### {puzzle.name.replace('_', ' ')}\n"
    yield f"{puzzle.text}\n"
    yield f"![{puzzle.name}](puzzles/{puzzle.name}.svg)\n"
    question = f"*{describe_ask(asked)}* · " if asked is not None else ""
    yield f"{question}`{' + '.join(puzzle.rules)}`\n"
    yield f"{difficulty(start, answer)}\n"
    if solution.exists():
        yield f"[Think first, then look](puzzles/{puzzle.name}.html)\n"


def _answer(puzzle: PuzzleSummary, seconds: float, page: Path) -> dict[str, Any] | None:
    """The answer to a puzzle, with its page; None, and no page, where it is not proved in time."""
    said = io.StringIO()
    with redirect_stdout(said):
        status = run(("solve", str(puzzle.path), "--time", str(seconds), "--html", str(page), "--json"))
    if status != 0:
        page.unlink(missing_ok=True)
        return None
    answer: dict[str, Any] = json.loads(said.getvalue())
    return answer


def difficulty(start: Start, answer: dict[str, Any] | None) -> str:
    """How hard a puzzle is, as far as can be measured: how long its best plan is, among how many ways, and the proof."""
    engine, state = start.engine, start.state
    first = counted(len(engine.legal(state)), "first move")
    steps = answer["plan"] if answer is not None else []
    if answer is None or not steps:
        return f"Difficulty: {first}" + (f", {answer['states']:,} states to prove that nothing is better." if answer else ".")
    ways = []
    for ply in replay(engine, state, [step["text"] for step in steps]):
        ways.append(len(engine.legal(state)))
        state = ply.state
    length = f"{counted(len(ways), 'move')} in {counted(max(step['turn'] for step in steps), 'turn')}"
    among = f"among {sum(ways) / len(ways):.1f} a move on average"
    return f"Difficulty: {first}; the best plan takes {length}, {among}; {answer['states']:,} states until that was proved."


def build() -> int:
    """The site from its pages, those that mkdocs.yml does not list last; the exit status of MkDocs, which is strict."""
    configuration = PAGES.parent / "mkdocs.yml"
    said = (ROOT / "mkdocs.yml").read_text("utf-8").replace("build/pages", str(PAGES)).replace("build/site\n", f"{SITE}\n")
    others = [page.name for page in sorted(PAGES.glob("*.md")) if f": {page.name}" not in said]
    configuration.write_text(said + "".join(f"  - {name}\n" for name in others), "utf-8")
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--config-file", str(configuration)]
    return subprocess.run(command, cwd=ROOT, check=False).returncode


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--solve", type=float, default=0.0, metavar="SECONDS", help="answer each puzzle, in this time at most")
    parser.add_argument("--only", default="", metavar="WORD", help="only puzzles with this in their name or game")
    wish = parser.parse_args()
    write_pages(Wish(wish.only, wish.solve))
    raise SystemExit(build())


if __name__ == "__main__":
    main()
