"""Measures drawing: a board full of tiles as SVG, PNG and page. `python bench/pictures.py [--page]`.

The board holds every tile of the base set, whether it fits or not. PNG is made by resvg of the same SVG, in the same run.
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
import time
from collections.abc import Callable, Sequence

from page import environment, row, write_section

from rulewright.api.start import Start
from rulewright.cli.names import named
from rulewright.pictures.pages.position import position_page
from rulewright.pictures.png import to_png
from rulewright.pictures.position_picture import picture
from rulewright.pictures.scene import Scene
from rulewright.pictures.svg import to_text
from rulewright.rules.play.engine import State

TILES, SPACE = 54, "sea"


def full_board() -> tuple[Start, State]:
    """A state with all tiles on the board, placed at random with a fixed seed."""
    start = named("beacon_patrol").start(1, 1)
    engine, chance = start.engine, random.Random(1)
    window, column = engine.instance.windows[SPACE], engine.layout.columns[SPACE]
    kinds = [number for number, kind in enumerate(engine.game.tiles, 1) for _ in range(kind.count)][:TILES]
    chance.shuffle(kinds)
    side = math.ceil(math.sqrt(TILES))
    cells = list(start.state[column.start])
    for at, kind in enumerate(kinds):
        cells[window.cell((at % side, at // side))] = kind
    state = list(start.state)
    state[column.start] = bytes(cells) if column.as_bytes else tuple(cells)
    return start, tuple(state)


def milliseconds(work: Callable[[], object], rounds: int) -> list[float]:
    """The time of each round, after an uncounted one."""
    work()
    found = []
    for _ in range(rounds):
        began = time.process_time()
        work()
        found.append(1000 * (time.process_time() - began))
    return found


def measured(rounds: int) -> Sequence[str]:
    start, state = full_board()
    scene = Scene(start.engine, start.viewer, start.title)
    svg = to_text(picture(scene, state))
    page = position_page(scene, state, start.text, "")
    times = {
        "SVG": milliseconds(lambda: to_text(picture(scene, state)), rounds),
        "PNG of that SVG, by resvg": milliseconds(lambda: to_png(svg), rounds),
        "page with the actions of each cell": milliseconds(lambda: position_page(scene, state, start.text, ""), rounds),
    }
    ratio = statistics.median(times["PNG of that SVG, by resvg"]) / statistics.median(times["SVG"])
    return [
        f"{TILES} tiles, {rounds} rounds each, milliseconds of processor time. "
        f"The SVG has {len(svg) // 1000} kB, the page {len(page) // 1000} kB. "
        f"Rendering the SVG as PNG takes {ratio:.1f} times as long as writing it.",
        "",
        "| What | Median | Least | Greatest |",
        "|---|---:|---:|---:|",
        *(row(name, values) for name, values in times.items()),
        "",
        *environment(),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--page", action="store_true", help="write the section of docs/performance.md")
    wish = parser.parse_args()
    lines = measured(wish.rounds)
    print("\n".join(lines))
    if wish.page:
        write_section("pictures", lines)


if __name__ == "__main__":
    main()
