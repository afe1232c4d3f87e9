"""Forty pictures of twenty games on a page, before and now: `python -m bench.forty_pictures FOLDER [--before CHECKOUT]`.

Each position is drawn light and dark, and its page opened in Chromium at the widths of a desk and a telephone, where texts are
measured: whether each is inside its shape, how small the smallest is, and the least contrast of a text with what lies behind.
`--before` draws the same puzzles with another checkout. Beside each game stands what its anchor does better still.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

from rulewright.cli.main import run
from tests.browser import Browser, headless_browser

GAMES = {
    "overboard all_hands": "Ravensburger: the tiles are painted, and a figure shows one idea.",
    "over_the_lane behind_bars": "Board Game Arena: the cards of each player stand at that player's side of the table.",
    "all_of_them kraken_garden": "A printed board shows all of the sea as water, and the wind as a rose.",
    "reti every_move": "Lichess: the last move is marked, captured men stand at the edge, pieces slide.",
    "go_ladder go_ko": "OGS: stones have light and shade, star points are marked.",
    "hex_bridges hex_short_diagonal": "HexWiki: each player's sides are painted in the player's colour.",
    "morris_fork morris_shut_in": "Lichess has none; Board Game Arena shows the men in hand beside the board.",
    "santorini_fork santorini_hemmed": "Board Game Arena: buildings in perspective, of which the height is seen at a glance.",
    "cannon_screen two_chariots": "Chess.com and Xiangqi.com: carved pieces of pale wood, and the name of the river.",
    "noughts_edge noughts_draw": "Tatham: nothing but the board; ours has a panel.",
    "dots_and_boxes_four dots_and_boxes_last": "Board Game Arena: a box that was won has the colour of its winner.",
    "connect_four_red four_by_four": "A real rack has round holes through which one looks.",
    "microban_1 made_crates_1": "Sokoban Online: the floor ends at the walls, and a crate at home changes colour.",
    "rush_hour_first rush_hour_hardest": "ThinkFun: cars have a front and windows, and differ from lorries.",
    "slide_ten fifteen_ten": "Tatham's Fifteen: tiles are bevelled and fill their cells.",
    "sudoku_last sudoku_thirty": "Tatham's Solo: given digits differ from those entered, and pencil marks are small.",
    "peg_central european_crown": "Tatham's Pegs: holes are round, and nothing is drawn outside the board.",
    "lights_corner lights_fewest": "Tatham's Flip: each square shows what it will change.",
    "hanoi_seven pentomino_box": "A drawing of Hanoi has rods, and discs of differing widths.",
    "whist_squeeze kuhn_value": "Bridge Base: hands lie in the four directions of the table, sorted by suit.",
}

MEASURE = """
(() => {
  const light = (colour) => {
    const part = (x) => (x /= 255) <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4;
    const [r, g, b] = colour.match(/[\\d.]+/g).map(Number);
    return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
  };
  const fill = (shape) => getComputedStyle(shape).fill;
  for (let use; (use = document.querySelector(".board svg:not([aria-hidden]) use")); ) {
    const drawn = document.createElementNS("http://www.w3.org/2000/svg", "g");
    if (use.hasAttribute("transform")) drawn.setAttribute("transform", use.getAttribute("transform"));
    drawn.append(document.querySelector(use.getAttribute("href")).cloneNode(true));
    use.replaceWith(drawn); // texts of sprites are measured where they stand
  }
  const found = { outside: [], smallest: 99, contrast: 99, wide: document.documentElement.scrollWidth };
  for (const text of document.querySelectorAll(".board svg:not([aria-hidden]) text")) {
    text.scrollIntoView({ block: "center", inline: "center" });
    const box = text.getBoundingClientRect(), shape = text.previousElementSibling;
    const on = shape?.tagName === "title" || shape === null ? null : shape.getBoundingClientRect();
    const x = (box.left + box.right) / 2, y = (box.top + box.bottom) / 2;
    const isWithin = on !== null && on.left < x && x < on.right && on.top < y && y < on.bottom;
    const isOnShape = isWithin && on.width < 80 && shape.tagName !== "text" && !shape.querySelector("title");
    const around = isOnShape ? on : text.ownerSVGElement.getBoundingClientRect();
    const across = box.left < around.left - 1 || box.right > around.right + 1;
    if (across || box.top < around.top - 1 || box.bottom > around.bottom + 1)
      found.outside.push(text.textContent);
    found.smallest = Math.min(found.smallest, box.height);
    const stack = document.elementsFromPoint(x, y);
    const behind = stack.filter((one) => one.tagName === "path").map(fill).find((one) => one !== "none");
    if (behind === undefined) continue;
    const [a, b] = [light(getComputedStyle(text).fill), light(behind)].sort((x, y) => y - x);
    found.contrast = Math.min(found.contrast, (a + 0.05) / (b + 0.05));
  }
  return found;
})()
"""
STYLE = "<style>figure{display:inline-block;margin:8px;vertical-align:top}img{max-width:480px}</style><h1>Twenty games</h1>"
WIDTHS = {"desk": (1280, 900), "telephone": (360, 740)}


def drawn(folder: Path, name: str, before: Path | None) -> bool:
    """Draw a position and write its page; whether it could be drawn before."""
    for more, end in ((), "light"), (("--dark",), "dark"):
        assert run(("show", name, "--svg", str(folder / f"{name}_{end}.svg"), *more)) == 0
    assert run(("show", name, "--html", str(folder / f"{name}.html"))) == 0
    if before is None:
        return False
    command = [sys.executable, "-m", "rulewright", "show", name, "--svg", str(folder / f"{name}_before.svg")]
    there = {**os.environ, "PYTHONPATH": str(before / "src")}
    return subprocess.run(command, env=there, cwd=before, capture_output=True, timeout=120, check=False).returncode == 0


def measured(browser: Browser, folder: Path, name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for width, size in WIDTHS.items():
        browser.resize(*size, mobile=width == "telephone")
        for scheme in ("light", "dark"):
            browser.prefer(scheme)
            browser.open((folder / f"{name}.html").as_uri())
            browser.picture(folder / f"{name}_{width}_{scheme}.png")  # before texts are scrolled to
            yield f"{width}, {scheme}", browser.value(MEASURE.strip())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--before", type=Path)
    wish = parser.parse_args()
    wish.folder.mkdir(parents=True, exist_ok=True)
    parts = [STYLE]
    with tempfile.TemporaryDirectory() as profile, headless_browser(Path(profile)) as browser:
        for names, better in GAMES.items():
            for name in names.split():
                ends = ["before.svg"] if drawn(wish.folder, name, wish.before and wish.before.resolve()) else []
                told = ""
                for where, found in measured(browser, wish.folder, name):
                    said = f"{found['outside'] or 'none'} outside, smallest {found['smallest']:.1f} px"
                    said += f", least contrast {found['contrast']:.1f}, page {found['wide']} px"
                    print(f"| {name}, {where} | {said} |", flush=True)
                    told += f"<br>{where}: {escape(said)}"
                parts.append(f"<h2>{name}{'' if ends else ' (not there before, or not drawn)'}</h2>")
                pages = [f"{width}_{scheme}.png" for width in WIDTHS for scheme in ("light", "dark")]
                for end in [*ends, "light.svg", "dark.svg", *pages]:
                    parts.append(f'<figure><img src="{name}_{end}"><figcaption>{end}</figcaption></figure>')
                parts.append(f"<p>{told}<p>")
            parts.append(f"<p><b>Better still:</b> {escape(better)}</p><hr>")
    (wish.folder / "index.html").write_text("\n".join(parts), "utf-8")


if __name__ == "__main__":
    main()
