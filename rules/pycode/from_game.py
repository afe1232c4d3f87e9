"""A grounded game turned into Python: what is read off a state (legal moves, scores), what makes another, the set-up."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any

from attrs import field

from rulewright.base.diagnostics import Diagnostic, RulesError
from rulewright.base.records import define
from rulewright.rules.codegen.algebra import CodeAlgebra
from rulewright.rules.codegen.code import Code
from rulewright.rules.codegen.game_writer import GameWriter
from rulewright.rules.codegen.writer import Block, BlockKind, TooLarge, Writer
from rulewright.rules.model import effects, terms
from rulewright.rules.model.instance import Instance
from rulewright.rules.model.moves import STOP, Horizon, Move
from rulewright.rules.model.state import COUNTED, POINT, State, StateLayout, occupied_cells
from rulewright.rules.semantics.evaluator import Evaluator
from rulewright.rules.semantics.flow_graph import (
    ChoicePoint,
    Instruction,
    Jump,
    JumpIfFalse,
    LeavePoint,
    LoopNext,
    LoopStart,
    RunProcedure,
    reachable_from,
    reachable_from_choices,
)
from rulewright.rules.semantics.play_errors import cannot_put, clash, endless_flow, out_of_range, tile_missing, undefined_index
from rulewright.rules.semantics.rng import shuffled

from .algebra import PythonAlgebra, PythonSet
from .store import PythonStore


@define(eq=False)
class Looks:
    """What is read off a state, compiled when first asked for: `legal(state)`, `scores[i](state)`. No horizon matters to it."""

    instance: Instance
    layout: StateLayout
    flow: tuple[Instruction, ...]

    @cached_property
    def space(self) -> dict[str, Any]:
        """The names that the compiled text defines. Raises `RulesError` as all that is compiled: RW252."""
        writer = _writer(self.instance, self.layout, self.flow)
        with _refusing():
            writer.looks()
            return writer.load()

    @property
    def legal(self) -> Callable[[State], list[Move]]:
        return self.space["legal"]  # type: ignore[no-any-return]

    @property
    def scores(self) -> tuple[Callable[[State], int], ...]:
        return tuple(self.space[f"score_{n}"] for n in range(len(self.instance.game.scores)))


def written(column: bytes, at: int, value: bytes) -> bytes:
    """The column with one value changed."""
    view = memoryview(column)
    return b"".join((view[:at], value, view[at + 1 :]))


def compile_apply(looks: Looks, horizon: Horizon | None = None) -> Callable[[State, Move], State]:
    """Moves, and the flow reachable_from them, under a horizon. Raises `RulesError`: RW252."""
    return _compiled(looks, horizon, _ModuleWriter.moves)["apply"]  # type: ignore[no-any-return]


def compile_begin(looks: Looks, horizon: Horizon | None = None) -> Callable[[list[Any]], State]:
    """The flow from set-up on: from the columns of a state to the state of the first choice. Raises `RulesError`: RW252."""
    return _compiled(looks, horizon, _ModuleWriter.beginning)["begin"]  # type: ignore[no-any-return]


def _compiled(looks: Looks, horizon: Horizon | None, write: Callable[[_ModuleWriter], None]) -> dict[str, Any]:
    writer = _writer(looks.instance, looks.layout, looks.flow, horizon)
    with _refusing():
        write(writer)
        writer.constants |= {name: looks.space[name] for name in writer.asked}
        return writer.load()


def _writer(
    instance: Instance, layout: StateLayout, flow: tuple[Instruction, ...], horizon: Horizon | None = None
) -> _ModuleWriter:
    return _ModuleWriter(instance, flow, horizon, Writer(limit=4 * instance.game.limits.written), layout)


@contextmanager
def _refusing() -> Iterator[None]:
    """Python itself refuses a text that is nested too deeply, each part of it in a way of its own."""
    try:
        yield
    except (TooLarge, SyntaxError, MemoryError, RecursionError) as error:
        message = "the rules grow too large when their definitions are written out"
        raise RulesError((Diagnostic("RW252", message, help="let definitions call each other less"),)) from error


@define
class _ModuleWriter(GameWriter[PythonSet]):
    """Functions of a state `s`, a tuple of columns; those that change it work on `t`, a list of them."""

    layout: StateLayout
    point, counted, done = POINT, COUNTED, "return tuple(t)"
    asked: list[str] = field(factory=list, init=False)
    """The functions of the other text that this one calls."""

    def algebra(self, pure: bool) -> PythonAlgebra:
        return PythonAlgebra(self.writer, self.constants, self.instance, self.layout, pure)

    def store(self, algebra: CodeAlgebra[PythonSet]) -> PythonStore:
        assert isinstance(algebra, PythonAlgebra)
        return PythonStore(algebra)

    def place_of(self, variable: str) -> int:
        return self.layout.position(variable, None)

    def value_at(self, place: int) -> str:
        return f"t[{place}]"

    def assign(self, place: int, value: str) -> None:
        self.writer.line(f"t[{place}] = {value}")

    def has_legal(self, choice: ChoicePoint) -> str:
        self.asked.append(f"legal_{choice.number}")
        return f"{self.asked[-1]}(t)"

    def load(self) -> dict[str, Any]:
        """Run the text written so far; gives the names that it defines."""
        space: dict[str, Any] = {
            "cannot_put": cannot_put,
            "tile_missing": tile_missing,
            "undefined_index": undefined_index,
            "occupied_cells": occupied_cells,
            "out_of_range": out_of_range,
            "clash": clash,
            "shuffled": shuffled,
            "endless_flow": endless_flow,
            "written": written,
            "STOP": STOP,
            **self.constants,
        }
        exec(compile(self.text(), "<compiled rules>", "exec"), space)
        return space

    def _define(self, text: str) -> None:
        """A line between the functions."""
        self.functions.append(Block("", BlockKind.BODY, [text]))

    def looks(self) -> None:
        """Write what is read off a state."""
        for choice in self.choices:
            with self.function(f"def legal_{choice.number}(s):"):
                self.writer.line("out = []")
                self.list_moves(choice, self._found)
                self.writer.line("return out")
        for number, score in enumerate(self.instance.game.scores):
            self.value(f"score_{number}", score.value)
        # OVER is -1: what is over comes last.
        with self.function("def ended(s):"):
            self.writer.line("return []")
        self._define(f"LEGAL = ({''.join(f'legal_{choice.number}, ' for choice in self.choices)}ended, )")
        with self.function("def legal(s):"):
            self.writer.line(f"return LEGAL[s[{POINT}]](s)")

    def _found(self, number: int, arguments: Sequence[Code]) -> None:
        move = "".join(f", {argument.text}" for argument in arguments)
        self.writer.line("out.append(STOP)" if number < 0 else f"out.append(({number}{move},))")

    def value(self, name: str, term: terms.Term) -> None:
        """Write a function that gives the value of a term without free names."""
        with self.function(f"def {name}(s):"):
            algebra = self.algebra(pure=True)
            self.writer.line(f"return {algebra.exact(Evaluator(self.instance, algebra).value(term, {})).text}")

    def moves(self) -> None:
        """Write what a move makes of a state."""
        appliers: dict[tuple[int, int], str] = {}
        for choice in self.choices:
            for number in self.offered(choice):
                appliers[choice.number, number] = self._applier(choice, number)
            if choice.stop:
                appliers[choice.number, -1] = name = f"stop_{choice.number}"
                with self.function(f"def {name}(s, m):"):
                    self.writer.line("t = list(s)")
                    self._straight(choice.leave)
        self._flow(reachable_from_choices(self.flow))
        rows = [[appliers.get((choice.number, at)) for at in (*range(len(self.actions)), -1)] for choice in self.choices]
        table = "".join(f"({''.join(f'{name}, ' for name in row)}), " for row in rows)
        self._define(f"APPLY = ({table})")
        with self.function("def apply(s, m):"):
            self.writer.line(f"return APPLY[s[{POINT}]][m[0]](s, m)")

    def beginning(self) -> None:
        """Write what sets the game up."""
        self._flow(reachable_from(self.flow, (0,)))
        with self.function("def begin(t):"):
            self.writer.line("return flow(t, 0)")

    def _applier(self, choice: ChoicePoint, number: int) -> str:
        name, action = f"apply_{choice.number}_{number}", self.actions[number]
        env = {parameter.name: Code(f"p{at}", simple=True) for at, parameter in enumerate(action.parameters)}
        with self.function(f"def {name}(s, m):"):
            if env:
                self.writer.line(f"_, {', '.join(code.text for code in env.values())} = m")
            self.writer.line("t = list(s)")
            store = self.run(action.effects, env)
            if store.stops:
                self._straight(choice.leave)
            elif store.may_stop:
                self.writer.line(f"return flow(t, {choice.leave} if stopped else {choice.resume})")
            else:
                self._go(choice.resume)
        return name

    def _go(self, target: int) -> None:
        """Continue at an instruction: at once when it is a choice that always has something to choose."""
        while isinstance(instruction := self.flow[target], Jump):
            target = instruction.target
        if isinstance(instruction, ChoicePoint) and instruction.stop:
            self.assign(POINT, str(instruction.number))
            self.writer.line(self.done)
        else:
            self.writer.line(f"return flow(t, {target})")

    def _straight(self, target: int) -> None:
        """Write out what follows in one line of instructions, as far as it does not come back to where it was."""
        seen: set[int] = set()
        while target not in seen:
            seen.add(target)
            match self.flow[target]:
                case RunProcedure(procedure):
                    clauses = self.instance.game.procedures[procedure]
                    if any(isinstance(clause.effect, effects.Finish) for clause in clauses):
                        break
                    self.run(clauses, {})
                    target += 1
                case Jump(further):
                    target = further
                case JumpIfFalse(condition, otherwise):
                    code = self.evaluator(pure=False).value(condition, {})
                    if code.known is None:
                        self.writer.line(f"if not {code.text}: return flow(t, {otherwise})")
                    target = otherwise if code.known == 0 else target + 1
                case LoopStart() | LoopNext() as loop if len(loop.values) == 1:
                    target += 1
                case LeavePoint(point) if self.horizon is None or self.horizon.point != point:
                    target += 1
                case _:
                    break
            self.writer.forget()
        self._go(target)

    def _flow(self, wanted: Sequence[int]) -> None:
        spans = [i.span for i in self.flow if isinstance(i, JumpIfFalse | ChoicePoint)]
        self.constants["FLOW_SPAN"] = spans[0] if spans else effects.Stop().span
        with self.function("def flow(t, at):"):
            self.follow(wanted)
            self.writer.line(f"raise endless_flow(FLOW_SPAN, {self.instance.game.limits.flow})")


def compile_value(instance: Instance, layout: StateLayout, term: terms.Term) -> Callable[[State], int]:
    """A term without free names as a function of the state. Raises `RulesError`: RW252."""
    writer = _writer(instance, layout, ())
    with _refusing():
        writer.value("value", term)
        return writer.load()["value"]  # type: ignore[no-any-return]
