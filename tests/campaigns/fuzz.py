"""Damaged texts from end to end: whatever a text says, it is played or refused, soon and in little memory.

A case is its number: the same number is the same text in every run.

    python -m tests.campaigns.fuzz [CASES [FIRST]]
"""

from __future__ import annotations

import json
import random
import re
import resource
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from typing import TypeVar

from attrs import define, field, frozen
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.strategies import SearchStrategy

from rulewright.base.diagnostics import RulesError
from rulewright.grammar.from_text import parse_module, parse_puzzle
from rulewright.grammar.to_text import print_module, print_puzzle
from rulewright.grammar.tree.modules import Module
from rulewright.pictures.position_picture import picture
from rulewright.pictures.scene import PictureOptions, Scene
from rulewright.pictures.svg import to_text
from rulewright.puzzles.from_tree import set_up_position
from rulewright.rules.linking.from_modules import link
from rulewright.rules.model.game import Game
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.visibility import Viewer
from rulewright.rules.static.static_checks import check_game
from rulewright.solver.answer.portfolio import check_question
from rulewright.studies.verdicts import check_verdicts
from tests.campaigns.clock import Clock, TooSlow, too_slow
from tests.campaigns.hostile import HOSTILE
from tests.grammar import strategies
from tests.paths import ROOT

CONSTRUCTS = ("tests/cases/good", "tests/rules/modules")
"""Folders of small texts, which together have every construct."""

FOLDERS = ("rules/library", "puzzles/library", *CONSTRUCTS)

TOO_LARGE = ("castles_by_the_sea",)
"""Folders of games whose undamaged puzzles already take longer than a case may; they have tests of their own."""

MEGABYTES = 200
"""That a process which runs cases may ever have in use."""

SHARE = 0.3
"""Of the texts that are played, those that are drawn, and asked their question; not answered."""

MOVES = 5
TREES = 60
BATCH = 250

Tree = TypeVar("Tree")

STAGES = ("text", "parsed", "linked", "checked", "compiled", "played", "asked")


@frozen
class Text:
    """A module or a puzzle; `root` is the module to link when it is not the text's own."""

    puzzle: bool
    text: str
    root: str = ""


@frozen
class Fault:
    """A case that broke the promise."""

    number: int
    what: str
    text: str


@define
class Tally:
    """What many cases came to. `megabytes` is the most that any process ever had in use."""

    cases: int = 0
    reached: Counter[str] = field(factory=Counter)
    codes: Counter[str] = field(factory=Counter)
    slowest: float = 0.0
    slowest_case: int = -1
    megabytes: float = 0.0
    faults: list[Fault] = field(factory=list)

    def add(self, other: Tally) -> None:
        self.cases += other.cases
        self.reached += other.reached
        self.codes += other.codes
        if other.slowest > self.slowest:
            self.slowest, self.slowest_case = other.slowest, other.slowest_case
        self.megabytes = max(self.megabytes, other.megabytes)
        self.faults += other.faults

    def shares(self) -> dict[str, float]:
        """The share of cases that came at least so far."""
        counts = [self.reached[stage] for stage in STAGES]
        return {stage: round(sum(counts[n:]) / max(self.cases, 1), 4) for n, stage in enumerate(STAGES)}


# Texts to damage ----------------------------------------------------------------------------------


@cache
def library() -> dict[str, Module]:
    """The modules that texts may extend, by name."""
    paths = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.rules"))]
    modules = [parse_module(path.read_text("utf-8"), str(path)) for path in paths]
    return {module.header.name: module for module in modules}


@cache
def good() -> tuple[Text, ...]:
    """Texts without fault, rules and puzzles; a module without a flow of its own is linked by one that extends it."""
    return (*_texts_in(FOLDERS), *(Text(False, rogue.text) for rogue in HOSTILE.values()))


@cache
def constructs() -> tuple[Text, ...]:
    """Those that are there for a construct each."""
    return tuple(_texts_in(CONSTRUCTS))


def _texts_in(folders: Iterable[str]) -> Iterator[Text]:
    below = {name: module.header.name for module in library().values() for name, _ in module.header.extends}
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix not in (".rules", ".puzzle") or not set(TOO_LARGE).isdisjoint(path.parts):
                continue
            text = path.read_text("utf-8")
            name = re.search(r"^module (\S+):", text, re.MULTILINE)
            plain = name is not None and "\nflow:" not in text and name[1] in below
            yield Text(path.suffix == ".puzzle", text, below[name[1]] if plain and name else "")


@cache
def trees() -> tuple[Text, ...]:
    """Texts printed from trees at random."""
    modules = [Text(False, print_module(tree)) for tree in _generated(strategies.modules)]
    return (*modules, *(Text(True, print_puzzle(tree)) for tree in _generated(strategies.puzzles)))


def _generated(strategy: SearchStrategy[Tree]) -> list[Tree]:
    found: list[Tree] = []

    @seed(1)
    @settings(
        max_examples=TREES, database=None, phases=[Phase.generate], deadline=None, suppress_health_check=list(HealthCheck)
    )
    @given(strategy)
    def collect(tree: Tree) -> None:
        found.append(tree)

    collect()
    return found


# Damage -------------------------------------------------------------------------------------------

Damage = Callable[[random.Random, str, Text], str]

TOKEN = re.compile(r"\w+|[^\w\s]|\n *| +")
NUMBERS = ("0", "1", "2", "9", "63", "64", "65", "512", "4096", "65536", "999999999", "9999999999", "-1")
BYTES = (b"\t", b"\x00", b"\xff", b"\xc3", b"\r", b"\n", b'"', b"(", b":", b"#", "\u202e".encode(), "é".encode())


def bytes_changed(dice: random.Random, text: str, other: Text) -> str:
    raw = text.encode("utf-8", "surrogateescape")
    at = dice.randrange(len(raw) + 1)
    new = dice.choice((b"", dice.randbytes(1), dice.choice(BYTES), raw[at : at + dice.randrange(9)]))
    return (raw[:at] + new + raw[at + dice.choice((0, 1, 1, 4)) :]).decode("utf-8", "surrogateescape")


def token_deleted(dice: random.Random, text: str, other: Text) -> str:
    tokens = TOKEN.findall(text)
    at = dice.randrange(len(tokens) or 1)
    return "".join(tokens[:at] + tokens[at + 1 :])


def token_doubled(dice: random.Random, text: str, other: Text) -> str:
    tokens = TOKEN.findall(text) or [" "]
    at = dice.randrange(len(tokens))
    return "".join([*tokens[:at], tokens[at] * 2, *tokens[at + 1 :]])


def tokens_swapped(dice: random.Random, text: str, other: Text) -> str:
    tokens = TOKEN.findall(text) or [" "]
    one, two = dice.randrange(len(tokens)), dice.randrange(len(tokens))
    tokens[one], tokens[two] = tokens[two], tokens[one]
    return "".join(tokens)


def word_replaced(dice: random.Random, text: str, other: Text) -> str:
    """A word becomes another word of the same text or of another: often a text that reads well and means something else."""
    words = list(re.finditer(r"\w+", text))
    if not words:
        return text
    old = dice.choice(words)
    new = dice.choice([w[0] for w in words] if dice.random() < 0.8 else re.findall(r"\w+", other.text) or ["x"])
    return text[: old.start()] + new + text[old.end() :]


def number_replaced(dice: random.Random, text: str, other: Text) -> str:
    numbers = list(re.finditer(r"\b[0-9]+\b", text))
    if not numbers:
        return text
    old = dice.choice(numbers)
    return text[: old.start()] + dice.choice(NUMBERS) + text[old.end() :]


def lines_shuffled(dice: random.Random, text: str, other: Text) -> str:
    lines = text.split("\n")
    at, length = dice.randrange(len(lines)), dice.randint(2, 6)
    part = lines[at : at + length]
    dice.shuffle(part)
    return "\n".join(lines[:at] + part + lines[at + length :])


def line_moved(dice: random.Random, text: str, other: Text) -> str:
    lines = text.split("\n")
    line = lines.pop(dice.randrange(len(lines)))
    copies = dice.choice((0, 1, 1, 2))
    at = dice.randrange(len(lines) + 1)
    return "\n".join(lines[:at] + [line] * copies + lines[at:])


def indented(dice: random.Random, text: str, other: Text) -> str:
    lines = text.split("\n")
    at = dice.randrange(len(lines))
    lines[at] = dice.choice((" ", "    ", "\t")) + lines[at] if dice.random() < 0.5 else lines[at].strip()
    return "\n".join(lines)


def spliced(dice: random.Random, text: str, other: Text) -> str:
    """An item of another text comes in; it is never the head of a module or puzzle."""
    items = [item for item in re.split(r"\n(?=\S)", other.text) if not item.startswith(("module", "puzzle", "#"))] or [""]
    lines = re.split(r"\n(?=\S)" if dice.random() < 0.6 else r"\n", text)
    at = dice.randrange(1, len(lines) + 1)
    return "\n".join([*lines[:at], dice.choice(items), *lines[at:]])


def cut(dice: random.Random, text: str, other: Text) -> str:
    return text[: dice.randrange(len(text) + 1)]


GENTLE: tuple[Damage, ...] = (word_replaced, number_replaced, tokens_swapped, line_moved, spliced)
ROUGH: tuple[Damage, ...] = (bytes_changed, token_deleted, token_doubled, lines_shuffled, indented, cut)


def case(number: int) -> Text:
    """The text of that number."""
    dice = random.Random(number)
    kind = dice.random()
    start = dice.choice(trees() if kind < 0.1 else constructs() if kind < 0.5 else good())
    text = start.text
    for _ in range(dice.choice((1, 1, 1, 1, 2, 2, 3, 6))):
        damage = dice.choice(GENTLE if dice.random() < 0.8 else ROUGH)
        text = damage(dice, text, dice.choice(constructs() if dice.random() < 0.5 else good()))
    return Text(start.puzzle, text, start.root)


# The way of a text --------------------------------------------------------------------------------


def way(text: Text, dice: random.Random, clock: Clock) -> Iterator[str]:
    """The stages that a text reaches, one by one; raises `RulesError` where it is refused."""
    yield "text"
    yield from _way_of_puzzle(text, dice, clock) if text.puzzle else _way_of_module(text, dice, clock)


def _way_of_module(text: Text, dice: random.Random, clock: Clock) -> Iterator[str]:
    module = parse_module(text.text, "case.rules")
    yield "parsed"
    name = module.header.name
    game = _linked({**library(), name: module}, (text.root or name,))
    yield "linked"
    check_game(game).stop()
    yield "checked"
    players = dice.choice((game.players.low, min(game.players.low + 1, game.players.high)))
    engine = Engine.of(game, players)
    yield "compiled"
    clock.allow(engine)
    state = engine.start(dice.randrange(9))
    _play(engine, state, dice)
    yield "played"
    _draw(engine, state, dice)


def _way_of_puzzle(text: Text, dice: random.Random, clock: Clock) -> Iterator[str]:
    puzzle = parse_puzzle(text.text, "case.puzzle")
    yield "parsed"
    game = _shipped(tuple(name for name, _ in puzzle.rules))
    yield "linked"
    yield "checked"
    position = set_up_position(puzzle, game)
    yield "compiled"
    clock.allow(position.engine)
    check_verdicts(position)
    _play(position.played, position.begun, dice)
    yield "played"
    _draw(position.engine, position.state, dice)
    if position.question is not None and dice.random() < SHARE:
        check_question(position.asked, position.root, position.question)
        yield "asked"


@cache
def _shipped(names: tuple[str, ...]) -> Game:
    return _linked(library(), names)


def _linked(known: dict[str, Module], roots: Iterable[str]) -> Game:
    found: dict[str, Module] = {}
    pending = list(roots)
    while pending:
        name = pending.pop()
        if name in known and name not in found:
            found[name] = known[name]
            pending += [extended for extended, _ in known[name].header.extends]
    present = [name for name in roots if name in found]
    return link(found, present) if present else _refuse(tuple(roots))


def _refuse(names: tuple[str, ...]) -> Game:
    raise RulesError(()) if names else AssertionError("a puzzle names no rules")


def _play(engine: Engine, state: State, dice: random.Random) -> None:
    for _ in range(MOVES):
        moves = engine.legal(state)
        if not moves:
            break
        state = engine.apply(state, dice.choice(moves))
    engine.score(state)


def _draw(engine: Engine, state: State, dice: random.Random) -> None:
    """The picture of a state, of some texts: what they look like is said by strangers too."""
    if dice.random() < SHARE:
        to_text(picture(Scene(engine, Viewer(), "case", PictureOptions()), state))


# Many cases ---------------------------------------------------------------------------------------


def try_case(number: int, tally: Tally) -> None:
    """Send a case its way and count it."""
    text = case(number)
    reached, fault = "text", ""
    clock = Clock()
    clock.start()
    try:
        for stage in way(text, random.Random(number), clock):
            reached = stage
    except RulesError as error:
        tally.codes.update({diagnostic.code for diagnostic in error.diagnostics})
    except (Exception, TooSlow):
        fault = traceback.format_exc(limit=-6)
    finally:
        clock.stop()
    seconds = clock.seconds
    if seconds > clock.allowed and not fault:
        fault = f"{seconds:.2f} seconds"
    tally.cases += 1
    tally.reached[reached] += 1
    if seconds > tally.slowest:
        tally.slowest, tally.slowest_case = seconds, number
    if fault:
        tally.faults.append(Fault(number, fault, text.text))


def try_cases(numbers: range) -> Tally:
    """Try cases in this process."""
    tally = Tally()
    before = signal.signal(signal.SIGPROF, too_slow)
    try:
        for number in numbers:
            try_case(number, tally)
    finally:
        signal.signal(signal.SIGPROF, before)
    tally.megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return tally


def _limit_memory() -> None:
    """Beyond this a process gets a `MemoryError`, which is a fault."""
    resource.setrlimit(resource.RLIMIT_DATA, (MEGABYTES << 20, MEGABYTES << 20))


def campaign(count: int, first: int = 0, workers: int = 2) -> Tally:
    """Try so many cases, spread over processes."""
    good(), constructs(), trees()  # read once, before the processes part
    tally = Tally()
    batches = [range(at, min(at + BATCH, first + count)) for at in range(first, first + count, BATCH)]
    with ProcessPoolExecutor(workers, initializer=_limit_memory) as pool:
        for part in pool.map(try_cases, batches):
            tally.add(part)
            if sys.stderr.isatty():
                print(f"\r{tally.cases} cases, {len(tally.faults)} faults", end="", file=sys.stderr)
    return tally


def figures(tally: Tally) -> dict[str, object]:
    """What is worth writing down."""
    return {
        "cases": tally.cases,
        "reached": tally.shares(),
        "slowest": {"seconds": round(tally.slowest, 3), "case": tally.slowest_case},
        "megabytes": round(tally.megabytes),
        "faults": len(tally.faults),
        "codes": dict(tally.codes.most_common()),
    }


def main() -> int:
    count, first = [int(word) for word in (*sys.argv[1:], *("1000", "0")[len(sys.argv) - 1 :])]
    began = time.perf_counter()
    tally = campaign(count, first)
    for fault in tally.faults:
        print(f"--- case {fault.number}\n{fault.what}")
    print(json.dumps({**figures(tally), "seconds": round(time.perf_counter() - began)}, indent=2))
    return int(bool(tally.faults))


if __name__ == "__main__":
    sys.exit(main())
