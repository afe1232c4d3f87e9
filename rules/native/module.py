"""A grounded game written as one text in the native subset: legal moves, apply, flow, score.

The functions, each over the arrays of runtime.py (`w` is scratch room, `m` holds moves of WIDTH numbers each):

- `legal(s, g, w, x, m, at)` writes the legal moves from `m[at]` on and returns where they end.
- `apply(s, g, w, x, t, r, m, at)` carries out the move at `m[at]` and all that follows it, to the next choice or the end.
- `begin(s, g, w, x, t, r)` sets the game up.
- `value(s, g, w, x)` is what play is judged by.

Each may set the register FAULT; what it computed does not count then.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from attrs import field

from ...grammar.classes import define, frozen
from .. import effects, terms
from ..compile import Horizon
from ..evaluator import Evaluator
from ..executor import Executor
from ..flowgraph import Begin, Choice, End, Execute, Instruction, Jump, Leave, Next, Test, behind_choices
from ..game import Action
from ..ground import Ground
from .listing import Listing
from .machine import Machine
from .many import Many
from .runtime import COUNTED, FAULT, FULL, MOVES_END, OVER, POINT, STOPPED
from .slots import Slots
from .store import MachineStore
from .tables import Tables
from .text import Number, Text, constant

READING = "s: Ints, g: Ints, w: Ints, x: Longs"
CHANGING = "s: Ints, g: Ints, w: Ints, x: Longs, t: Ints, r: Longs"

RESUMED, LEFT, ENDED = 0, 1, 2
"""How an action ends: the flow goes on behind it, the repetition around it is left, the game is over."""


@frozen
class GameText:
    """The text of a game, the tables of constants in it, the tables it looks up, and how many numbers a move has."""

    text: str
    constants: dict[str, Any]
    tables: Tables
    width: int


def write_game(
    ground: Ground,
    slots: Slots,
    flow: Sequence[Instruction],
    values: Sequence[terms.Term],
    horizon: Horizon | None = None,
    from_start: bool = False,
) -> GameText:
    """Write the functions of a game, judged by the sum of `values`; with set-up and all only `from_start`.

    Raises `CannotCompile`.
    """
    writer = _Writer(ground, slots, tuple(flow), horizon, Tables(ground, slots.entries))
    writer.write(values, from_start)
    constants: dict[str, Any] = {"WIDTH": writer.width, **writer.constants}
    return GameText("\n".join(writer.text.lines) + "\n", constants, writer.tables, writer.width)


@define
class _Writer:
    ground: Ground
    slots: Slots
    flow: tuple[Instruction, ...]
    horizon: Horizon | None
    tables: Tables
    text: Text = field(factory=Text)
    constants: dict[str, tuple[int, ...]] = field(factory=dict)

    @property
    def choices(self) -> list[Choice]:
        return [i for i in self.flow if isinstance(i, Choice)]

    @property
    def actions(self) -> list[Action]:
        return list(self.ground.game.actions.values())

    @property
    def offered(self) -> list[int]:
        """The numbers of the actions that some choice offers."""
        names = {name for choice in self.choices for name in choice.actions}
        return [number for number, action in enumerate(self.actions) if action.name in names]

    @property
    def width(self) -> int:
        return 1 + max((len(self.actions[number].parameters) for number in self.offered), default=0)

    def write(self, values: Sequence[terms.Term], from_start: bool) -> None:
        for choice in self.choices:
            self._legal(choice, every=True)
            if not choice.stop:
                self._legal(choice, every=False)
        self._dispatch_legal()
        for number in self.offered:
            self._act(number)
        self._apply()
        self._flow(range(len(self.flow)) if from_start else behind_choices(self.flow))
        if from_start:
            with self.text.block(f"def begin({CHANGING}) -> int:"):
                self.text.line("return flow(s, g, w, x, t, r, 0)")
        with self.text.block(f"def value({READING}) -> int:"):
            evaluator = self._evaluator()
            total = constant(0)
            for term in values:
                code = self.text.named(evaluator.value(term, {}))
                total = Number(f"({total.text} + {code.text})", total.low + code.low, total.high + code.high)
            self.text.line(f"return {total.text}")

    def _evaluator(self) -> Evaluator[Number, Many]:
        machine = Machine(self.text, self.ground, self.slots, self.tables, self.constants)
        return Evaluator(self.ground, machine)

    # Legal moves ------------------------------------------------------------------------------

    def _legal(self, choice: Choice, every: bool) -> None:
        """The moves of a choice; without `every`, whether there is one."""
        arguments = f"{READING}, m: Ints, at: int" if every else READING
        with self.text.block(f"def {'legal' if every else 'any'}_{choice.number}({arguments}) -> int:"):
            for name in choice.actions:
                number = next(i for i, action in enumerate(self.actions) if action.name == name)

                def found(given: list[Number], number: int = number) -> None:
                    self._found(number, given, every)

                Listing(self._evaluator(), self.actions[number], found).write()
            if choice.stop:
                self._found(-1, [], every)
            self.text.line("return at" if every else "return 0")

    def _found(self, number: int, given: list[Number], every: bool) -> None:
        if not every:
            self.text.line("return 1")
            return
        with self.text.block(f"if at >= x[{MOVES_END}]:"):
            self.text.line(f"x[{FAULT}] = {FULL}")
            self.text.line("return at")
        self.text.line(f"m[at] = {number}")
        for place, value in enumerate(given, 1):
            self.text.line(f"m[at + {place}] = {value.text}")
        self.text.line(f"at += {self.width}")

    def _dispatch_legal(self) -> None:
        with self.text.block(f"def legal({READING}, m: Ints, at: int) -> int:"):
            for choice in self.choices:
                with self.text.block(f"if s[{POINT}] == {choice.number}:"):
                    self.text.line(f"return legal_{choice.number}(s, g, w, x, m, at)")
            self.text.line("return at")

    # Effects ----------------------------------------------------------------------------------

    def _act(self, number: int) -> None:
        action = self.actions[number]
        with self.text.block(f"def act_{number}({CHANGING}, m: Ints, at: int) -> int:"):
            env: dict[str, Number] = {}
            for place, parameter in enumerate(action.parameters, 1):
                name = f"p{place}"
                self.text.line(f"{name} = m[at + {place}]")
                low, high = self._range(parameter.type)
                env[parameter.name] = Number(name, low, high, True)
            store = self._run(action.effects, env)
            if store.may_finish:
                with self.text.block("if finished:"):
                    self.text.line(f"return {ENDED}")
            self.text.line(f"return {f'{LEFT} if stopped else {RESUMED}' if store.may_stop else RESUMED}")

    def _range(self, type: Any) -> tuple[int, int]:
        domain = self.ground.domain(type)
        if len(domain):
            return min(domain.start, self.ground.none(type)), max(domain.stop - 1, self.ground.none(type))
        return -(1 << 31), (1 << 31) - 1

    def _run(self, clauses: tuple[effects.Clause, ...], env: dict[str, Number]) -> MachineStore:
        evaluator = self._evaluator()
        assert isinstance(evaluator.algebra, Machine)
        store = MachineStore(evaluator.algebra)
        with self.text.aside() as kept:
            Executor(evaluator, store).run(clauses, env)
        for flag, used in (("stopped", store.may_stop), ("finished", store.may_finish)):
            if used:
                self.text.line(f"{flag} = 0")
        self.text.insert(kept)
        return store

    def _apply(self) -> None:
        arrays = "s, g, w, x, t, r"
        with self.text.block(f"def apply({CHANGING}, m: Ints, at: int) -> int:"):
            self.text.line("number = m[at]")
            for choice in self.choices:
                with self.text.block(f"if s[{POINT}] == {choice.number}:"):
                    if choice.stop:
                        with self.text.block("if number < 0:"):
                            self.text.line(f"return flow({arrays}, {choice.leave})")
                    for number in self.offered:
                        if self.actions[number].name not in choice.actions:
                            continue
                        with self.text.block(f"if number == {number}:"):
                            self.text.line(f"end = act_{number}({arrays}, m, at)")
                            with self.text.block(f"if end == {ENDED}:"):
                                self._stand(OVER)
                                self.text.line("return 0")
                            self.text.line(f"return flow({arrays}, {choice.leave} if end == {LEFT} else {choice.resume})")
            self.text.line("return 0")

    def _stand(self, point: int) -> None:
        self.text.line(f"change(s, x, t, r, {POINT}, {point})")

    # Flow -------------------------------------------------------------------------------------

    def _flow(self, wanted: Sequence[int]) -> None:
        with self.text.block(f"def flow({CHANGING}, at: int) -> int:"):
            self.text.line("steps = 0")
            with self.text.block(f"while steps < {self.ground.game.limits.flow}:"):
                self.text.line("steps += 1")
                for at in wanted:
                    with self.text.block(f"if at == {at}:"):
                        self._instruction(self.flow[at], at)
                    self.text.forget()
            self.text.line(f"x[{FAULT}] = {STOPPED}")
            self.text.line("return 0")

    def _instruction(self, instruction: Instruction, at: int) -> None:
        line = self.text.line
        match instruction:
            case Execute(procedure):
                store = self._run(self.ground.game.procedures[procedure], {})
                if store.may_finish:
                    with self.text.block("if finished:"):
                        self._stand(OVER)
                        line("return 0")
                line(f"at = {at + 1}")
            case Jump(target):
                line(f"at = {target}")
            case Test(condition, otherwise):
                line(f"at = {at + 1} if {self._evaluator().value(condition, {}).text} else {otherwise}")
            case Begin(variable, values, start):
                first = constant(values[0]) if start is None else self._evaluator().value(start, {})
                line(f"change(s, x, t, r, {self.slots.places[variable].slot}, {first.text})")
                line(f"at = {at + 1}")
            case Next(variable, values, start, again):
                self._next(variable, values, start, at, again)
            case Leave(point):
                if self.horizon is not None and self.horizon.point == point:
                    line(f"change(s, x, t, r, {COUNTED}, s[{COUNTED}] + 1)")
                    times = self.tables.number("times", lambda: self.horizon.times if self.horizon else 0)
                    with self.text.block(f"if s[{COUNTED}] >= {times}:"):
                        self._stand(OVER)
                        line("return 0")
                line(f"at = {at + 1}")
            case Choice():
                self._stand(instruction.number)
                if instruction.stop:
                    line("return 0")
                else:
                    with self.text.block(f"if any_{instruction.number}(s, g, w, x):"):
                        line("return 0")
                    line(f"at = {instruction.leave}")
            case End():
                self._stand(OVER)
                line("return 0")

    def _next(self, variable: str, values: Sequence[int], start: terms.Term | None, at: int, again: int) -> None:
        line, place = self.text.line, f"s[{self.slots.places[variable].slot}]"
        first = constant(values[0]) if start is None else self._evaluator().value(start, {})
        following = self.text.fresh("v")
        line(f"{following} = {values[0]}")
        for value, after in pairwise(values):
            with self.text.block(f"if {place} == {value}:"):
                line(f"{following} = {after}")
        line(f"change(s, x, t, r, {self.slots.places[variable].slot}, {following})")
        line(f"at = {at + 1} if {following} == {first.text} else {again}")
