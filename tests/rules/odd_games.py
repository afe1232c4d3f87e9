"""Games that nobody would play: every construct of the language in random company, and random states to read them in."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from attrs import define, field

from rulewright.rules.model import types
from rulewright.rules.model.game import Storage
from rulewright.rules.model.state import POINT, value_range
from rulewright.rules.play.engine import Engine, State

SPACES = (
    "square grid 3 x 3 of tiles",
    "square grid 4 x 3 of tiles, 8 neighbours",
    "square grid 3 x 4 of tiles, wrapped",
    "hex grid 3 x 3 of tiles",
    "hex grid radius 1 of tiles",
    "cube grid 2 x 3 x 2 of tiles",
)

HEAD = """
module odd:
    "Nobody would play this."

terrain water, land
marker buoy, house
enum colour: red, green, blue
players 1..3

space board: {space}
space circle: ring 5

tiles pieces:
    plain   x3
    marked  x2    buoy
    shore   x2    land {sides} (house 2), buoy
    isles   x2    land E (house), land W (buoy)

table prices by colour:
    colour: cost gain
    red:    1    2
    green:  0    -1
    blue:   3    5

state:
    pawn of player:    cell of board
    hand of player:    set of tiles
    heap:              pile of tiles
    purse of player:   0..3 = 1
    tally:             -2..4
    flag:              truth
    told of player:    truth
    mood of player:    colour
    heading:           direction of board
    height of board:   -1..3
    seen of board:     truth
    spot:              cell of circle
    reached:           set of cells of board
    gone of player:    set of cells of board
    worn of player:    set of colour
    price of player of colour: 0..3
    deep of board of colour:   -1..2
"""

SCALARS = ("number", "truth", "cell", "tile", "player", "colour", "direction", "terrain", "region", "spot")


@define
class Writer:
    """Random expressions of a wanted type; `names` are the bound names by type."""

    rng: random.Random
    clashing: bool = False
    fresh: int = 0
    names: dict[str, list[str]] = field(factory=dict)

    def any_of(self, *makers: Callable[[], str]) -> str:
        return self.rng.choice(makers)()

    def bound(self, element: str, depth: int, body: Callable[[str], str], several: bool = False) -> str:
        """`x in …` with or without `where`, now and then of `several` names, and then what `body` says of `x`."""
        self.fresh += 1
        name, domain = f"x{self.fresh}", self.set(element, depth)
        self.names.setdefault(element, []).append(name)
        if several and self.rng.random() < 0.15:
            other = self.rng.choice(["number", "player", "colour", element])
            text = self.bound(other, depth, lambda rest: body(f"{name} in {domain}, {rest}"))
            self.names[element].pop()
            return text
        where = f" where {self.truth(depth - 1)}" if self.rng.random() < 0.5 else ""
        text = body(f"{name} in {domain}{where}")
        self.names[element].pop()
        return text

    def let(self, depth: int, body: Callable[[], str]) -> str:
        """A value under a name that `body` may use."""
        self.fresh += 1
        name, kept = f"x{self.fresh}", self.rng.choice(SCALARS)
        given = self.value(kept, depth)
        self.names.setdefault(kept, []).append(name)
        text = f"(let {name} = {given}: {body()})"
        self.names[kept].pop()
        return text

    def value(self, type: str, depth: int) -> str:
        known = self.names.get(type, [])
        if depth > 0 and self.rng.random() < 0.06:
            return self.let(depth - 1, lambda: self.value(type, depth - 1))
        if known and self.rng.random() < (0.45 if depth > 0 else 0.8):
            return self.rng.choice(known)
        if type != "spot" and depth > 0 and self.rng.random() < 0.12:
            one, other = self.value(type, depth - 1), self.value(type, depth - 1)
            return f"(if {self.truth(depth - 1)} then {one} else {other})"
        made: str = getattr(self, type)(depth)
        return made

    def number(self, depth: int) -> str:
        if depth <= 0:
            return self.rng.choice(["0", "1", "2", "3", "(-1)", "tally", "player_count"])
        d = depth - 1
        element = self.rng.choice(["cell", "number", "tile", "player", "colour", "direction", "region", "spot"])
        extreme = self.rng.choice(["least", "greatest"])
        return self.any_of(
            lambda: self.number(0),
            lambda: f"purse of {self.value('player', d)}",
            lambda: f"height of {self.value('cell', d)}",
            lambda: f"price of {self.value('player', d)} of {self.value('colour', d)}",
            lambda: f"deep of {self.value('cell', d)} of {self.value('colour', d)}",
            lambda: f"({self.value('number', d)} {self.rng.choice(['+', '-', '*', 'div', 'mod'])} {self.value('number', d)})",
            lambda: self.bound(element, d, lambda b: f"(count {b})", several=True),
            lambda: self.bound(element, d, lambda b: f"(sum {self.value('number', d)} for {b})", several=True),
            lambda: self.bound(element, d, lambda b: f"({extreme} {self.value('number', d)} for {b})", several=True),
            lambda: f"size({self.set(element, d)})",
            lambda: f"number({self.value('tile', d)}, {self.rng.choice(['buoy', 'house'])})",
            lambda: f"number({self.region(d)}, {self.rng.choice(['buoy', 'house'])})",
            lambda: f"distance({self.value('cell', d)}, {self.value('cell', d)})",
            lambda: f"{self.rng.choice(['row', 'column', 'level'])}({self.value('cell', d)})",
            lambda: f"prices.{self.rng.choice(['cost', 'gain'])}({self.value('colour', d)})",
            lambda: f"{self.rng.choice(['min', 'max'])}({self.value('number', d)}, {self.value('number', d)})",
            lambda: f"{'clashing' if self.clashing else 'worth'}({self.value('cell', d)})",
            lambda: f"mixed({self.value('number', d)}, {self.value('cell', d)}, {self.truth(d)})",
        )

    def truth(self, depth: int) -> str:
        if depth <= 0:
            return self.rng.choice([*self.names.get("truth", []), "yes", "no", "flag"])
        d, sort = depth - 1, self.rng.choice(SCALARS)
        element = self.rng.choice(["cell", "number", "tile", "player", "colour", "direction", "region", "spot"])
        word = self.rng.choice(["every", "some"])
        junction = self.rng.choice([" and ", " or "])
        sign = self.rng.choice(["=", "!=", "<", "<=", ">", ">="])
        return self.any_of(
            lambda: self.truth(0),
            lambda: f"(not {self.truth(d)})",
            lambda: "(" + junction.join(self.truth(d) for _ in range(self.rng.choice([2, 2, 3]))) + ")",
            lambda: f"({self.value('number', d)} {sign} {self.value('number', d)})",
            lambda: f"({self.value(sort, d)} {self.rng.choice(['=', '!='])} {self.value(sort, d)})",
            lambda: f"({self.value(element, d)} in {self.set(element, d)})",
            lambda: f"({self.value('tile', d)} has {self.rng.choice(['buoy', 'house'])})",
            lambda: f"occupied({self.value('cell', d)})",
            lambda: f"seen of {self.value('cell', d)}",
            lambda: f"told of {self.value('player', d)}",
            lambda: self.bound(element, d, lambda b: f"({word} {b}: {self.truth(d)})", several=True),
            lambda: f"empty({self.rng.choice(['heap', self.hand(d)])})",
            lambda: f"tame({self.value('cell', d)})",
            lambda: f"({self.truth(d)} = {self.truth(d)})",
            lambda: f"({self.set(element, d)} {sign} {self.set(element, d)})",
        )

    def cell(self, depth: int) -> str:
        if depth <= 0:
            return self.rng.choice(["origin of board", "pawn of player"])
        d = depth - 1
        return self.any_of(
            lambda: f"pawn of {self.value('player', d)}",
            lambda: f"step({self.value('cell', d)}, {self.value('direction', d)})",
            lambda: f"cell({self.value('region', d)})",
            lambda: self.extreme_by("cell", d),
        )

    def region(self, depth: int) -> str:
        d = max(depth - 1, 0)
        return self.any_of(
            lambda: f"region({self.value('cell', d)}, {self.value('direction', d)})",
            lambda: f"site({self.value('cell', d)}, {self.rng.choice(['buoy', 'house'])})",
        )

    def extreme_by(self, type: str, depth: int) -> str:
        word = self.rng.choice(["least", "greatest"])
        return self.bound(type, depth, lambda b: f"({word} {b} by {self.value('number', depth)})")

    def spot(self, depth: int) -> str:
        return self.rng.choice(["spot", "origin of circle", f"step(spot, {self.rng.choice(['forward', 'back'])})"])

    def tile(self, depth: int) -> str:
        if depth <= 0:
            return self.rng.choice(["plain", "marked", "shore", "nothing", "top(heap)", "bottom(heap)"])
        return self.any_of(lambda: f"at({self.value('cell', depth - 1)})", lambda: self.extreme_by("tile", depth - 1))

    def player(self, depth: int) -> str:
        return self.extreme_by("player", depth - 1) if depth > 0 and self.rng.random() < 0.4 else "player"

    def colour(self, depth: int) -> str:
        if depth <= 0 or self.rng.random() < 0.5:
            return self.rng.choice(["red", "green", "blue", "mood of player"])
        return f"mood of {self.value('player', depth - 1)}"

    def direction(self, depth: int) -> str:
        if depth <= 0:
            return self.rng.choice(["heading", "east", "west"])
        d = depth - 1
        return self.any_of(
            lambda: self.direction(0),
            lambda: f"({self.value('cell', d)} -> {self.value('cell', d)})",
            lambda: f"opposite({self.value('direction', d)})",
            lambda: f"turn({self.value('direction', d)}, {self.value('number', 0)})",
        )

    def terrain(self, depth: int) -> str:
        if depth <= 0:
            return self.rng.choice(["water", "land"])
        return f"side({self.value('tile', depth - 1)}, {self.value('direction', depth - 1)})"

    def hand(self, depth: int) -> str:
        return f"hand of {self.value('player', depth)}"

    def set(self, element: str, depth: int) -> str:
        if depth > 0 and self.rng.random() < 0.2:
            return self.bound(element, depth - 1, lambda b: f"(those {b})")
        if depth > 0 and self.rng.random() < 0.05:
            return self.let(depth - 1, lambda: self.set(element, depth - 1))
        if depth > 0 and self.rng.random() < 0.1:
            other = self.rng.choice(["cell", "number", "tile", "player", "colour", "direction", "region", "spot"])
            return self.bound(other, depth - 1, lambda b: f"(those {self.value(element, depth - 1)} for {b})")
        if depth > 0 and self.rng.random() < 0.12:
            one, other = self.set(element, depth - 1), self.set(element, depth - 1)
            if self.rng.random() < 0.25:
                return f"(if {self.truth(depth - 1)} then {one} else {other})"
            return f"({one} {self.rng.choice(['and', 'or', '-'])} {other})"
        d = max(depth - 1, 0)
        listed = f"{{{self.value(element, d)}, {self.value(element, d)}}}"
        match element:
            case "cell":
                near = self.rng.choice(["around", "diagonals", "nearby", "both"])
                return self.any_of(
                    lambda: self.rng.choice(["board", "reached", f"gone of {self.value('player', d)}"]),
                    lambda: listed,
                    lambda: f"{near}({self.value('cell', d)})",
                    lambda: f"{near}({self.value('cell', d)})",
                    lambda: f"line({self.value('cell', d)}, {self.value('direction', d)})",
                    lambda: self.closure(d, "cell"),
                )
            case "number":
                return self.rng.choice([listed, "(0..2)", "(-1..tally)", f"(tally..{self.value('number', 0)})"])
            case "tile":
                return self.rng.choice([listed, "heap", "hand of player", self.hand(d), "tiles", "box"])
            case "player":
                return self.rng.choice(["players", listed])
            case "colour":
                return self.rng.choice(["colour", listed, f"worn of {self.value('player', d)}"])
            case "direction":
                return self.rng.choice(["directions(board)", listed])
            case "region":
                return self.any_of(lambda: listed, lambda: self.closure(d, "region"))
            case _:
                return self.rng.choice(["circle", listed, "around(spot)"])

    def closure(self, depth: int, type: str) -> str:
        self.fresh += 1
        origin, start = f"x{self.fresh}", self.value(type, depth)
        self.names.setdefault(type, []).append(origin)
        text = self.bound(type, depth, lambda b: f"(closure of {start} under {origin} to {b})")
        self.names[type].pop()
        return text

    # Effects ----------------------------------------------------------------------------------

    def statement(self, depth: int, margin: str) -> list[str]:
        rng, d = self.rng, depth - 1
        kept = f"max(0, min(3, {self.value('number', depth)}))"
        player = self.value("player", depth)
        simple = [
            f"tally := {kept}",
            f"tally {rng.choice([':=', '+=', '-='])} {self.value('number', 1)}",
            f"purse of {player} := {kept}",
            f"height of {self.value('cell', depth)} := {kept}",
            f"seen of {self.value('cell', 1)} := {self.truth(depth)}",
            f"flag := {self.truth(depth)}",
            f"price of {player} of {self.value('colour', depth)} := {kept}",
            f"deep of {self.value('cell', depth)} of {self.value('colour', depth)} += 1",
            f"add {self.value('cell', depth)} to reached",
            f"reached := {self.set('cell', depth)}",
            f"worn of {player} := {self.set('colour', depth)}",
            f"remove {self.value('cell', 1)} from gone of {player}",
            f"add {self.value('colour', 1)} to worn of {player}",
            f"clear {rng.choice(['reached', f'worn of {player}', f'gone of {player}'])}",
            f"told of {player} := {self.truth(depth)}",
            f"pawn of {player} := {self.value('cell', depth)}",
            f"mood of {player} := {self.value('colour', depth)}",
            f"heading := {self.value('direction', depth)}",
            f"spot := {self.value('spot', depth)}",
            f"put top(heap) at {self.value('cell', depth)} from heap",
            f"take {self.value('cell', depth)} to hand of {player}",
            f"slide {self.value('cell', depth)} to {self.value('cell', depth)}",
            f"move top(heap) to hand of {player} from heap",
            f"move {self.value('tile', 1)} to heap from hand of {player}",
            f"move all hand of {player} to {rng.choice(['heap', self.hand(1)])}",
            f"deal {self.value('number', 1)} from heap to hand of {player}",
            f"deal {self.value('number', 1)} from {rng.choice(['', 'bottom of '])}heap to {rng.choice(['', 'bottom of '])}heap",
            f"move bottom(heap) to {rng.choice(['bottom of heap', self.hand(1)])} from {rng.choice(['', 'bottom of '])}heap",
            "shuffle heap",
            rng.choice(["stop", "end game"]) if rng.random() < 0.2 else "flag := not flag",
        ]
        if depth > 0 and rng.random() < 0.35:
            inner = margin + "    "
            if rng.random() < 0.5:
                element = rng.choice(["cell", "number", "tile", "player", "colour"])
                body: list[str] = []
                head = self.bound(element, depth, lambda b: body.extend(self.block(d, inner)) or f"{margin}for {b}:", True)
                return [head, *body]
            lines = [f"{margin}if {self.truth(depth)}:", *self.block(d, inner)]
            return [*lines, f"{margin}else:", *self.block(d, inner)] if rng.random() < 0.5 else lines
        return [margin + rng.choice(simple)]

    def block(self, depth: int, margin: str) -> list[str]:
        lines, kept = [], []
        for _ in range(self.rng.choice([1, 2, 2, 3])):
            if self.rng.random() < 0.1:
                self.fresh += 1
                name, type = f"x{self.fresh}", self.rng.choice(SCALARS)
                lines.append(f"{margin}let {name} = {self.value(type, depth)}")
                self.names.setdefault(type, []).append(name)
                kept.append(type)
            lines += self.statement(depth, margin)
        for type in kept:
            self.names[type].pop()
        return lines

    # The module -------------------------------------------------------------------------------

    def define(self, head: str, names: dict[str, list[str]], type: str, cases: int) -> list[str]:
        self.names = names
        lines = [f"define {head}:", f"    = {self.value(type, 2)}"]
        for number in range(cases):
            lines.append(f"    case{number}: {self.value(type, 2)} when {self.truth(2)}{':' if number == 0 else ''}")
            if number == 0:
                lines.append(f"        inner: {self.value(type, 1)} when {self.truth(1)}")
        self.names = {}
        return [*lines, ""]

    def action(self, name: str) -> list[str]:
        elements = [self.rng.choice(["cell", "tile", "number", "player", "direction"]) for _ in range(self.rng.randrange(4))]
        self.names, parameters = {}, []
        for number, element in enumerate(elements):
            domain, parameter = self.set(element, 1), f"p{number}"
            self.names.setdefault(element, []).append(parameter)
            where = f" where {self.truth(2)}" if self.rng.random() < 0.3 else ""
            none = " or none" if element != "number" and self.rng.random() < 0.2 else ""
            parameters.append(f"{parameter} in {domain}{where}{none}")
        lines = [f"action {name}({', '.join(parameters)}):" if parameters else f"action {name}:"]
        lines += [f"    require r{n}: {self.truth(3)}" for n in range(self.rng.randrange(3))]
        self.clashing = True
        lines += [line for n in range(5) for line in (f"    effect e{n}:", *self.statement(2, "        "))]
        self.names, self.clashing = {}, False
        return [*lines, ""]

    def trial(self) -> list[str]:
        """An action with requirements after its effects, which never fail: they are carried out to list the moves."""
        rng, self.names = self.rng, {"cell": ["c"], "number": ["n"]}
        gentle = [
            f"tally := max(-2, min(4, {self.number(2)}))",
            f"purse of player := max(0, min(3, {self.number(1)}))",
            "height of c := n",
            f"for x in {self.set('cell', 2)} where x in board: seen of x := {self.truth(1)}",
            f"reached := those x in board where {self.truth(1)}",
            f"for p in players: told of p := {self.truth(1)}",
            "if occupied(c): take c to hand of player",
            "if not empty(heap) and not occupied(c): put top(heap) at c from heap",
            f"for x in {self.set('cell', 1)} where x in board: if occupied(c) and not occupied(x): slide c to x",
            f"move all hand of player to {rng.choice(['heap', 'bottom of heap'])}",
            f"deal n from {rng.choice(['', 'bottom of '])}heap to hand of player",
            rng.choice(["if n = 2: stop", "if n = 2: end game", "spot := step(spot, forward)"]),
        ]
        lines = ["action trial(c in board, n in 0..2):", f"    require before: {self.truth(2)}"]
        lines += [f"    require a{at} after: {self.truth(3)}" for at in range(rng.randrange(1, 3))]
        lines += [f"    effect e{at}: {statement}" for at, statement in enumerate(rng.sample(gentle, 4))]
        return [*lines, ""]

    def draw(self) -> str:
        return self.any_of(
            lambda: f"draw pawn of {self.value('player', 1)} from {self.set('cell', 2)}",
            lambda: f"draw mood of {self.value('player', 1)} from {self.set('colour', 2)}",
            lambda: f"draw heading from {self.set('direction', 1)}",
            lambda: f"draw spot from {self.set('spot', 1)}",
            lambda: f"draw tally from {{1, {self.value('number', 1)}, 2, 2}}",
            lambda: "roll tally",
            lambda: "roll flag",
            lambda: f"roll mood of {self.value('player', 1)}",
        )


def odd_game(seed: int) -> str:
    """The text of a module."""
    rng = random.Random(seed)
    space = SPACES[seed % len(SPACES)]
    writer = Writer(rng)
    lines = HEAD.format(space=space, sides="E W").splitlines()
    lines += ["define both(c in board) = those n in nearby(c) where n in around(c) or occupied(n)", ""]
    lines += ["define tame(c in board) = occupied(c) and at(c) has buoy or height of c > 1", ""]
    lines += ["define worth(c in board):", "    = height of c", "    high: 3 when occupied(c) and tally > 1", ""]
    lines += ["define mixed(n, c in board, t) = if t then n + height of c else n * size(around(c))", ""]
    lines += writer.define("odd_number(n in 0..3, c in board)", {"number": ["n"], "cell": ["c"]}, "number", 1)
    lines += writer.define("odd_truth(c in board)", {"cell": ["c"]}, "truth", 1)
    lines += writer.define("clashing(c in board)", {"cell": ["c"]}, "number", 2)
    for number in range(3):
        lines += writer.action(f"act{number}")
    lines.insert(-1, f"    effect chance: {Writer(random.Random(f'{seed} chance')).draw()}")
    lines += Writer(random.Random(f"{seed} trial")).trial()
    for number in range(6):
        writer.clashing = number > 3
        lines.append(f"score s{number}: {writer.number(4)}")
    lines += ["score s6: sum odd_number(tally, c) for c in board where odd_truth(c)", ""]
    lines += ["flow:", "    repeat:", "        for player in players:"]
    lines += ["            repeat: choose trial, act0, act1, act2, or stop"]
    return "\n".join(lines) + "\n"


def random_state(engine: Engine, rng: random.Random) -> State:
    """A state with anything anywhere, at the first choice."""
    state: list[Any] = list(engine.unset)
    for column in engine.layout.columns.values():
        variable, allowed = column.variable, list(value_range(engine.instance, column.variable))
        for at in range(column.start, column.start + column.count):
            if variable.storage is Storage.SET:
                state[at] = tuple(sorted(rng.choices(allowed[1:], k=rng.randrange(4))))
            elif variable.storage is Storage.PILE:
                state[at] = tuple(rng.choices(allowed[1:], k=rng.randrange(4)))
            elif column.over_cells:
                cells = [rng.choice(allowed) for _ in state[at][:-1]]
                if isinstance(variable.type, types.Tile):
                    cells = [c if rng.random() < 0.6 else 0 for c in cells]
                state[at] = bytes([*cells, 0]) if column.as_bytes else (*cells, state[at][-1])
            else:
                state[at] = rng.choice(allowed)
    state[POINT] = 0
    return tuple(state)
