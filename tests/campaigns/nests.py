"""Deep nests of every construct: how long the programs are that are written of them, how long that takes, and what is refused.

Text of strangers must come to programs in proportion to its length, or be refused at once.

    python -m tests.campaigns.nests                        programs, and the library
    python -m tests.campaigns.nests commands [DEPTH …]     check, the first move of play, and solve, each a process
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Sequence
from contextlib import suppress
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from attrs import frozen

from rulewright.base.diagnostics import RulesError
from rulewright.grammar.tree.puzzles import Ask, Goal
from rulewright.rules.codegen.game_writer import GameWriter
from rulewright.rules.linking.questions import question_of
from rulewright.rules.machine.from_game import write_game
from rulewright.rules.machine.machine_game import capacity_of
from rulewright.rules.machine.memory_layout import Slots
from rulewright.rules.play.engine import Engine
from rulewright.solver.answer.portfolio import answer
from rulewright.solver.result import Limits
from rulewright.subset.refusal import CannotCompile
from tests.rules.playing import linked

GAME = """
module nest:
    "A nest."

terrain water, land
marker buoy, house
enum colour: red, green, blue
players 1..2

space field: square grid 4 x 4 of tiles, 8 neighbours

tiles pieces:
    plain  x3
    shore  x2    land N E (house), buoy

table price by colour:
    colour: cost
    red:    1
    green:  2
    blue:   3

state:
    way of field:   direction of field
    tall of field:  0..9
    mood of player: colour
    heap:           pile of tiles
    here:           cell of field
    n:              0..9

define half(a) = a div 2
define beside(c in field) = least a in around(c) by tall of a

define holds(c in field, d in directions(field), m in colour) = {condition}

action go(c in field, d in directions(field), m in colour):
    require possible: holds(c, d, m) or n < 9
    effect go: {effect}
    effect rise: tall of c := (2 * tall of c + 1) mod 10
    effect look: way of c := d
    effect tally: n := (n + tall of c) mod 10

flow:
    repeat: choose go, or stop

score n: sum row(c) * tall of c for c in field where holds(c, N, red) or n < 9
"""

NUMBERS, TRUTHS, FIXED, CELLS, TILES, DIRECTIONS, EFFECTS = "n", "n > 3", "row(c) > 1", "c", "at(c)", "d", "n := 3"
NESTS: dict[str, tuple[str, str]] = {
    "sum": (NUMBERS, "({} + tall of c)"),
    "product": (NUMBERS, "(min(9, {}) * 2)"),
    "div": (NUMBERS, "({} div (n + 1))"),
    "mod": (NUMBERS, "(tall of c mod ({}))"),
    "negative": (NUMBERS, "-({})"),
    "min": (NUMBERS, "min({}, tall of c)"),
    "max": (NUMBERS, "max(tall of c, {})"),
    "if_then": (NUMBERS, "(if n > 3 then {} else 2)"),
    "if_condition": (NUMBERS, "(if {} > 3 then n else 2)"),
    "index": (NUMBERS, "price.cost(if {} > 2 then red else m)"),
    "total": (NUMBERS, "(sum {} for x in 1..2)"),
    "long_total": (NUMBERS, "(sum {} for x in 1..9)"),
    "least": (NUMBERS, "(least {} for x in {{1, n, 3}})"),
    "where": (NUMBERS, "(count x in 1..2 where x > {})"),
    "size": (NUMBERS, "size(those x in 1..9 where x > {})"),
    "image": (NUMBERS, "size(those {} for x in {{1, n}})"),
    "interval": (NUMBERS, "size({{{}, n}})"),
    "call": (NUMBERS, "half({})"),
    "coordinate": (NUMBERS, "row(if {} > 1 then c else here)"),
    "not": (TRUTHS, "not ({})"),
    "and": (TRUTHS, "({} and tall of c > n)"),
    "or": (TRUTHS, "(tall of c > n or {})"),
    "both": (TRUTHS, "(({} and n > 1) or (n > 2 and tall of c = 1))"),
    "every": (TRUTHS, "(every x in directions(field): {})"),
    "stateless": (FIXED, "(every x in directions(field): {} or side(shore, x ) = land)"),
    "some": (TRUTHS, "(some x in around(c) where {}: occupied(x))"),
    "compared": (TRUTHS, "(({}) = (n > 2))"),
    "member": (TRUTHS, "(if {} then n else 2) in {{n, 3}}"),
    "step": (CELLS, "step({}, d)"),
    "computed_step": (CELLS, "step({}, way of here)"),
    "step_of_itself": (CELLS, "step(c, way of {})"),
    "chosen_cell": (CELLS, "(if n > 2 then {} else here)"),
    "extreme_cell": (CELLS, "(least x in around({}) by tall of x)"),
    "called_cell": (CELLS, "beside({})"),
    "closure": (CELLS, "(greatest y in closure of {} under a to b in around(a) where occupied(b) by tall of y)"),
    "line": (CELLS, "(least x in line({}, d) by tall of x)"),
    "side": (TRUTHS, "side(at(step(c, if {} then N else way of here)), d) = land"),
    "marker": (TRUTHS, "number(at(if {} then here else c), buoy) > 0"),
    "region": (TRUTHS, "number(region(if {} then here else c, d), house) > 0"),
    "turn": (DIRECTIONS, "turn({}, n)"),
    "opposite": (DIRECTIONS, "opposite({})"),
    "toward": (DIRECTIONS, "(c -> step(here, {}))"),
    "distance": (NUMBERS, "distance(c, step(here, turn(d, {})))"),
    "effect_if": (EFFECTS, "if n > {level}:"),
    "effect_for": (EFFECTS, "for x{level} in directions(field):"),
    "effect_near": (EFFECTS, "for x{level} in around(c) where n > {level}:"),
}
CONDITIONS = {NUMBERS: "{} > 4", TRUTHS: "{}", FIXED: "{}", CELLS: "{} != here", DIRECTIONS: "{} != N"}


@frozen
class Measured:
    """The length of both programs; what was refused, if anything was. `seconds` are of processor time, for all of it.

    `linked` and `written` are the most bytes in use at once while the text becomes a game, and while programs are written of it
    for every cell and tile.
    """

    characters: int
    refused: str
    seconds: float
    linked: int = 0
    written: int = 0


def nest(name: str, depth: int) -> str:
    """A game with so deep a nest of a construct."""
    seed, form = NESTS[name]
    if seed == EFFECTS:
        lines = ["    " * (2 + level) + form.format(level=level) for level in range(depth)]
        effect = "\n" + "\n".join([*lines, f"{'    ' * (2 + depth)}n := 3"])
        return GAME.format(condition="yes", effect=effect)
    text = seed
    for level in range(depth):
        text = form.replace("x ", f"x{level} ").replace("x:", f"x{level}:").replace("(x)", f"(x{level})").format(text)
        text = text.replace("of x)", f"of x{level})")
    return GAME.format(condition=CONDITIONS[seed].format(text), effect="here := c")


def measured(text: str, memory: bool = False) -> Measured:
    """What is written of a game, in Python and in the subset; to measure `memory` as well takes several times as long."""
    began, lengths, refused = time.process_time(), list[int](), ""
    plain = GameWriter.text

    def counted(writer: GameWriter) -> str:  # type: ignore[type-arg]
        found = plain(writer)
        lengths.append(len(found))
        return found

    linking = writing = 0
    if memory:
        tracemalloc.start()
    try:
        game = linked(text)
        if memory:
            linking = tracemalloc.get_traced_memory()[1]
            tracemalloc.reset_peak()
        with patch.object(GameWriter, "text", counted):
            engine = Engine.of(game, 1)
            engine.compile()
            slots = Slots.of(engine.instance, engine.layout, capacity_of(engine.game, engine.layout, engine.unset))
            write_game(engine.instance, slots, engine.flow, [score.value for score in engine.game.scores])
    except (RulesError, CannotCompile) as error:
        refused = str(error)[:60]
    finally:
        if memory:
            writing = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
    return Measured(sum(lengths), refused, time.process_time() - began, linking, writing)


def overrun(text: str, seconds: float) -> float:
    """By how many seconds the question of a game for its highest score exceeds the time that it is given.

    The nest stands in a requirement and in the score, and no search comes to an end of its states.
    """
    engine = Engine.of(linked(text), 1)
    ask = Ask(Goal.MAXIMISE, None, None, None)
    began = time.monotonic()
    with suppress(RulesError):
        answer(engine, engine.start(1), question_of(engine.game, ask, 1), Limits(seconds))
    return max(0.0, time.monotonic() - began - seconds)


@frozen
class Run:
    """A command in a process of its own: processor seconds and MiB at most in use; by the clock, and how it failed."""

    seconds: float
    megabytes: float
    clock: float
    fault: str


COMMANDS = {"check": ("check",), "play": ("play", "--players", "1"), "solve": ("solve", "--players", "1", "--time", "5")}
"""The commands that read a text: the first move is played, and the natural question is asked for five seconds."""


def run(command: str, path: Path) -> Run:
    """Run a command on a text."""
    name, *options = COMMANDS[command]
    began = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "-m", "rulewright", name, str(path), *options],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    assert process.stdin is not None and process.stdout is not None
    with suppress(BrokenPipeError):
        process.stdin.write("1\nquit\n")
        process.stdin.close()
    printed = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    code = os.waitstatus_to_exitcode(status)
    fault = "traceback" if "Traceback" in printed else f"ended by signal {-code}" if code < 0 else ""
    return Run(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, time.monotonic() - began, fault)


def commands(depths: Sequence[int]) -> bool:
    """Print what the commands take on every nest; whether none ended badly."""
    print(
        "nest             depth  characters; seconds and MiB to be linked; of check, play, solve: processor seconds, MiB, clock"
    )
    good = True
    with TemporaryDirectory() as folder:
        path = Path(folder) / "nest.rules"
        for name, depth in product(NESTS, depths):
            path.write_text(nest(name, depth), "utf-8")
            began, bytes_linked = time.process_time(), measured_linking(nest(name, depth))
            linking = f"{time.process_time() - began:6.2f} {bytes_linked / 2**20:6.1f}"
            found = {command: run(command, path) for command in COMMANDS}
            good &= not any(one.fault for one in found.values())
            cells = "  ".join(f"{one.seconds:6.2f} {one.megabytes:4.0f} {one.clock:6.2f}{one.fault}" for one in found.values())
            print(name.ljust(16), f"{depth:5} {len(path.read_text('utf-8')):9} {linking}  {cells}", flush=True)
    return good


def measured_linking(text: str) -> int:
    """The most bytes in use at once while a text becomes a game: before anything is grounded."""
    tracemalloc.start()
    try:
        with suppress(RulesError):
            linked(text)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def programs() -> None:
    """Print how long the programs of every nest are, and how late an answer comes."""
    print("nest             characters at depth 1, 2, 3, 4, 6; most seconds, MiB linked and written, seconds over `--time 2`")
    for name in NESTS:
        found = [measured(nest(name, depth)) for depth in (1, 2, 3, 4, 6)]
        lengths = " ".join(f"{one.characters:8}" for one in found)
        memory = f"{max(one.linked for one in found) / 2**20:6.1f} {max(one.written for one in found) / 2**20:6.1f}"
        asked = [nest(name, depth) for depth, one in ((3, found[2]), (6, found[4])) if not one.refused]
        late = max((overrun(text, 2.0) for text in asked), default=0.0)
        figures = f"{max(one.seconds for one in found):6.2f} {memory} {late:6.2f}"
        print(name.ljust(16), lengths, figures, found[-1].refused, flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["commands"]:
        sys.exit(not commands([int(word) for word in sys.argv[2:]] or [1, 6]))
    programs()
