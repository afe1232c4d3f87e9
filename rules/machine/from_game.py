"""A grounded game written as one text in the compiled subset.

The functions (see solver/native/kernels/game_interface.py, which declares them for the type checker):

- `legal(game, moves, at)` writes the legal moves from `moves[at]` on, each WIDTH numbers, and returns where they end.
- `apply(game, moves, at)` carries out the move at `moves[at]` and all that follows it, to the next choice or the end.
- `begin(game)` sets the game up.
- `value(game)` is what play is judged by.

Each may set `game.fault`; what it computed does not count then.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from types import ModuleType
from typing import Any

from attrs import field

from rulewright.base.records import define, frozen
from rulewright.rules.model import effects, terms
from rulewright.rules.model.game import Action
from rulewright.rules.model.instance import Instance
from rulewright.rules.model.moves import Horizon
from rulewright.rules.semantics.evaluator import Evaluator
from rulewright.rules.semantics.executor import Executor
from rulewright.rules.semantics.flow_graph import (
    ChoicePoint,
    Halt,
    Instruction,
    Jump,
    JumpIfFalse,
    LeavePoint,
    LoopNext,
    LoopStart,
    RunProcedure,
    reachable_from_choices,
)
from rulewright.subset.to_llvm import Source

from . import runtime
from .algebra import Machine
from .lookup_tables import Tables
from .memory_layout import Slots
from .move_generator import Listing
from .runtime import OVER
from .set_code import Many
from .store import MachineStore
from .writer import Number, Text, constant

ARRAYS = ("state", "tables", "scratch")
"""What functions call by a name of its own."""

RESUMED, LEFT, ENDED = 0, 1, 2
"""How an action ends: the flow goes on behind it, the repetition around it is left, the game is over."""


@frozen
class GameText:
    """The text of a game, the tables of constants in it, the tables it looks up, and how many numbers a move has."""

    text: str
    constants: dict[str, Any]
    tables: Tables
    width: int

    def sources(self, kernels: Sequence[ModuleType]) -> list[Source]:
        """The text with what it calls, and the kernels that call it."""
        modules = [runtime, *kernels]
        return [Source(self.text, {**vars(runtime), **self.constants})] + [
            Source(inspect.getsource(module), {**vars(module), "WIDTH": self.width}) for module in modules
        ]


def write_game(
    instance: Instance,
    slots: Slots,
    flow: Sequence[Instruction],
    values: Sequence[terms.Term],
    horizon: Horizon | None = None,
    from_start: bool = False,
) -> GameText:
    """Write the functions of a game, judged by the sum of `values`; with set-up and all only `from_start`.

    Raises `CannotCompile`.
    """
    writer = _Writer(instance, slots, tuple(flow), horizon, Tables(instance, slots.entries))
    writer.write(values, from_start)
    constants: dict[str, Any] = {"WIDTH": writer.width, **writer.constants}
    return GameText("\n".join(writer.text.lines) + "\n", constants, writer.tables, writer.width)


@define
class _Writer:
    instance: Instance
    slots: Slots
    flow: tuple[Instruction, ...]
    horizon: Horizon | None
    tables: Tables
    text: Text = field(factory=Text)
    constants: dict[str, tuple[int, ...]] = field(factory=dict)

    @property
    def choices(self) -> list[ChoicePoint]:
        return [i for i in self.flow if isinstance(i, ChoicePoint)]

    @property
    def actions(self) -> list[Action]:
        return list(self.instance.game.actions.values())

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
        self._flow(range(len(self.flow)) if from_start else reachable_from_choices(self.flow))
        if from_start:
            with self._function("begin(game: GameMemory) -> int:"):
                self.text.line("return flow(game, 0)")
        with self._function("value(game: GameMemory) -> int:"):
            evaluator = self._evaluator()
            total = constant(0)
            for term in values:
                code = self.text.named(evaluator.value(term, {}))
                total = Number(f"({total.text} + {code.text})", total.low + code.low, total.high + code.high)
            self.text.line(f"return {total.text}")

    @contextmanager
    def _function(self, header: str) -> Iterator[None]:
        with self.text.block(f"def {header}"):
            for array in ARRAYS:
                self.text.line(f"{array} = game.{array}")
            yield

    def _evaluator(self) -> Evaluator[Number, Many]:
        machine = Machine(self.text, self.instance, self.slots, self.tables, self.constants)
        return Evaluator(self.instance, machine)

    # Legal moves ------------------------------------------------------------------------------

    def _legal(self, choice: ChoicePoint, every: bool) -> None:
        """The moves of a choice; without `every`, whether there is one."""
        arguments = "game: GameMemory, moves: Ints, at: int" if every else "game: GameMemory"
        with self._function(f"{'legal' if every else 'any'}_{choice.number}({arguments}) -> int:"):
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
        with self.text.block("if at >= game.moves_limit:"):
            self.text.line("game.fault = Fault.FULL")
            self.text.line("return at")
        self.text.line(f"moves[at] = {number}")
        for place, value in enumerate(given, 1):
            self.text.line(f"moves[at + {place}] = {value.text}")
        self.text.line(f"at += {self.width}")

    def _dispatch_legal(self) -> None:
        with self._function("legal(game: GameMemory, moves: Ints, at: int) -> int:"):
            for choice in self.choices:
                with self.text.block(f"if game.point == {choice.number}:"):
                    self.text.line(f"return legal_{choice.number}(game, moves, at)")
            self.text.line("return at")

    # Effects ----------------------------------------------------------------------------------

    def _act(self, number: int) -> None:
        action = self.actions[number]
        with self._function(f"act_{number}(game: GameMemory, moves: Ints, at: int) -> int:"):
            env: dict[str, Number] = {}
            for place, parameter in enumerate(action.parameters, 1):
                name = f"p{place}"
                self.text.line(f"{name} = moves[at + {place}]")
                low, high = self._range(parameter.type)
                env[parameter.name] = Number(name, low, high, True)
            store = self._run(action.effects, env)
            if store.may_finish:
                with self.text.block("if finished:"):
                    self.text.line(f"return {ENDED}")
            self.text.line(f"return {f'{LEFT} if stopped else {RESUMED}' if store.may_stop else RESUMED}")

    def _range(self, type: Any) -> tuple[int, int]:
        domain = self.instance.domain(type)
        if len(domain):
            return min(domain.start, self.instance.none(type)), max(domain.stop - 1, self.instance.none(type))
        return -(1 << 31), (1 << 31) - 1

    def _run(self, clauses: tuple[effects.EffectClause, ...], env: dict[str, Number]) -> MachineStore:
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
        with self._function("apply(game: GameMemory, moves: Ints, at: int) -> int:"):
            self.text.line("number = moves[at]")
            for choice in self.choices:
                with self.text.block(f"if game.point == {choice.number}:"):
                    if choice.stop:
                        with self.text.block("if number < 0:"):
                            self.text.line(f"return flow(game, {choice.leave})")
                    for number in self.offered:
                        if self.actions[number].name not in choice.actions:
                            continue
                        with self.text.block(f"if number == {number}:"):
                            self.text.line(f"end = act_{number}(game, moves, at)")
                            with self.text.block(f"if end == {ENDED}:"):
                                self._stand(OVER)
                                self.text.line("return 0")
                            self.text.line(f"return flow(game, {choice.leave} if end == {LEFT} else {choice.resume})")
            self.text.line("return 0")

    def _stand(self, point: int) -> None:
        self.text.line(f"change(game, POINT, {point})")

    # Flow -------------------------------------------------------------------------------------

    def _flow(self, wanted: Sequence[int]) -> None:
        with self._function("flow(game: GameMemory, at: int) -> int:"):
            self.text.line("steps = 0")
            with self.text.block(f"while steps < {self.instance.game.limits.flow}:"):
                self.text.line("steps += 1")
                for at in wanted:
                    with self.text.block(f"if at == {at}:"):
                        self._instruction(self.flow[at], at)
                    self.text.forget()
            self.text.line("game.fault = Fault.STOPPED")
            self.text.line("return 0")

    def _instruction(self, instruction: Instruction, at: int) -> None:
        line = self.text.line
        match instruction:
            case RunProcedure(procedure):
                store = self._run(self.instance.game.procedures[procedure], {})
                if store.may_finish:
                    with self.text.block("if finished:"):
                        self._stand(OVER)
                        line("return 0")
                line(f"at = {at + 1}")
            case Jump(target):
                line(f"at = {target}")
            case JumpIfFalse(condition, otherwise):
                line(f"at = {at + 1} if {self._evaluator().value(condition, {}).text} else {otherwise}")
            case LoopStart(variable, values, start):
                first = constant(values[0]) if start is None else self._evaluator().value(start, {})
                line(f"change(game, {self.slots.places[variable].slot}, {first.text})")
                line(f"at = {at + 1}")
            case LoopNext(variable, values, start, again):
                self._next(variable, values, start, at, again)
            case LeavePoint(point):
                if self.horizon is not None and self.horizon.point == point:
                    line("change(game, COUNTED, game.counted + 1)")
                    times = self.tables.number("times", lambda: self.horizon.times if self.horizon else 0)
                    with self.text.block(f"if game.counted >= {times}:"):
                        self._stand(OVER)
                        line("return 0")
                line(f"at = {at + 1}")
            case ChoicePoint():
                self._stand(instruction.number)
                if instruction.stop:
                    line("return 0")
                else:
                    with self.text.block(f"if any_{instruction.number}(game):"):
                        line("return 0")
                    line(f"at = {instruction.leave}")
            case Halt():
                self._stand(OVER)
                line("return 0")

    def _next(self, variable: str, values: Sequence[int], start: terms.Term | None, at: int, again: int) -> None:
        line, place = self.text.line, f"state[{self.slots.places[variable].slot}]"
        first = constant(values[0]) if start is None else self._evaluator().value(start, {})
        following = self.text.fresh("v")
        line(f"{following} = {values[0]}")
        for value, after in pairwise(values):
            with self.text.block(f"if {place} == {value}:"):
                line(f"{following} = {after}")
        line(f"change(game, {self.slots.places[variable].slot}, {following})")
        line(f"at = {at + 1} if {following} == {first.text} else {again}")
