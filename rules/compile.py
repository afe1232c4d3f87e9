"""A grounded game turned into Python: what is read off a state (legal moves, scores), what makes another, the set-up."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any

from attrs import field

from ..grammar.classes import define, frozen
from ..grammar.diagnostics import Diagnostic, RulesError
from . import effects, terms
from .blocks import Block, Code, Kind, TooLarge, Writer, constant
from .chance import shuffled
from .evaluator import Evaluator
from .executor import Executor
from .faults import cannot_put, clash, not_there, of_nothing, out_of_range, too_long
from .flowgraph import Begin, Choice, End, Execute, Instruction, Jump, Leave, Next, Test, behind, behind_choices
from .game import Action
from .ground import Ground
from .layout import COUNTED, OVER, POINT, Layout, State
from .source import CodeSet, Source
from .source_moves import MovesWriter
from .source_store import SourceStore

Move = tuple[int, ...]
"""The number of an action, then its arguments; `STOP` is the choice to stop."""

STOP: Move = (-1,)


@frozen
class Horizon:
    """Play ends when a named point of the flow has been left so often."""

    point: str
    times: int


@define(eq=False)
class Looks:
    """What is read off a state, compiled when first asked for: `legal(state)`, `scores[i](state)`. No horizon matters to it."""

    ground: Ground
    layout: Layout
    flow: tuple[Instruction, ...]

    @cached_property
    def space(self) -> dict[str, Any]:
        """The names that the compiled text defines. Raises `RulesError` as all that is compiled: RW252."""
        writer = _writer(self.ground, self.layout, self.flow)
        with _refusing():
            writer.looks()
            return writer.load()

    @property
    def legal(self) -> Callable[[State], list[Move]]:
        return self.space["legal"]  # type: ignore[no-any-return]

    @property
    def scores(self) -> tuple[Callable[[State], int], ...]:
        return tuple(self.space[f"score_{n}"] for n in range(len(self.ground.game.scores)))


_skip_vacant = re.compile(rb"\0*").match
_CHUNK = 512
_EMPTY = bytes(_CHUNK)


def occupied(column: bytes | tuple[int, ...]) -> list[int]:
    """The cells on which something stands. A large board is mostly empty: whole chunks are passed over."""
    if isinstance(column, tuple):
        return [cell for cell, tile in enumerate(column) if tile]
    found: list[int] = []
    for start in range(0, len(column), _CHUNK):
        if column[start : start + _CHUNK] != _EMPTY:
            stop = min(start + _CHUNK, len(column))
            cell = _skip_vacant(column, start, stop).end()  # type: ignore[union-attr]  # it matches anything
            while cell < stop:
                found.append(cell)
                cell = _skip_vacant(column, cell + 1, stop).end()  # type: ignore[union-attr]
    return found


def written(column: bytes, at: int, value: bytes) -> bytes:
    """The column with one value changed."""
    view = memoryview(column)
    return b"".join((view[:at], value, view[at + 1 :]))


def compile_apply(looks: Looks, horizon: Horizon | None = None) -> Callable[[State, Move], State]:
    """Moves, and the flow behind them, under a horizon. Raises `RulesError`: RW252."""
    return _compiled(looks, horizon, _ModuleWriter.moves)["apply"]  # type: ignore[no-any-return]


def compile_begin(looks: Looks, horizon: Horizon | None = None) -> Callable[[list[Any]], State]:
    """The flow from set-up on: from the columns of a state to the state of the first choice. Raises `RulesError`: RW252."""
    return _compiled(looks, horizon, _ModuleWriter.beginning)["begin"]  # type: ignore[no-any-return]


def _compiled(looks: Looks, horizon: Horizon | None, write: Callable[[_ModuleWriter], None]) -> dict[str, Any]:
    writer = _writer(looks.ground, looks.layout, looks.flow, horizon)
    with _refusing():
        write(writer)
        writer.constants |= {name: looks.space[name] for name in writer.asked}
        return writer.load()


def _writer(ground: Ground, layout: Layout, flow: tuple[Instruction, ...], horizon: Horizon | None = None) -> _ModuleWriter:
    return _ModuleWriter(ground, layout, flow, horizon, writer=Writer(limit=4 * ground.game.limits.written))


@contextmanager
def _refusing() -> Iterator[None]:
    """Python itself refuses a text that is nested too deeply, each part of it in a way of its own."""
    try:
        yield
    except (TooLarge, SyntaxError, MemoryError, RecursionError) as error:
        message = "the rules grow too large when their definitions are written out"
        raise RulesError((Diagnostic("RW252", message, help="let definitions call each other less"),)) from error


@define
class _ModuleWriter:
    ground: Ground
    layout: Layout
    flow: tuple[Instruction, ...]
    horizon: Horizon | None
    constants: dict[str, Any] = field(factory=dict)
    blocks: list[Block] = field(factory=list)
    writer: Writer = field(factory=Writer)
    asked: list[str] = field(factory=list)
    """The functions of the other text that this one calls."""

    def load(self) -> dict[str, Any]:
        """Run the text written so far; gives the names that it defines."""
        lines: list[str] = []
        for block in self.blocks:
            block.render(0, lines)
        text = "\n".join(lines) + "\n"
        space: dict[str, Any] = {
            "cannot_put": cannot_put,
            "not_there": not_there,
            "of_nothing": of_nothing,
            "occupied": occupied,
            "out_of_range": out_of_range,
            "clash": clash,
            "shuffled": shuffled,
            "too_long": too_long,
            "written": written,
            "STOP": STOP,
            **self.constants,
        }
        exec(compile(text, "<compiled rules>", "exec"), space)
        return space

    def looks(self) -> None:
        """Write what is read off a state."""
        actions = list(self.ground.game.actions.values())
        choices = [instruction for instruction in self.flow if isinstance(instruction, Choice)]
        for choice in choices:
            self._legal(choice, actions)
        for number, score in enumerate(self.ground.game.scores):
            evaluator = self._function(f"def score_{number}(s):", True)
            self._return(evaluator, score.value)
            self.writer.close()
        # OVER is -1: what is over comes last.
        self.blocks += [
            Block("def ended(s):", Kind.BODY, ["return []"]),
            Block("", Kind.BODY, [f"LEGAL = ({''.join(f'legal_{choice.number}, ' for choice in choices)}ended, )"]),
            Block("def legal(s):", Kind.BODY, [f"return LEGAL[s[{POINT}]](s)"]),
        ]

    def moves(self) -> None:
        """Write what a move makes of a state."""
        actions = list(self.ground.game.actions.values())
        choices = [instruction for instruction in self.flow if isinstance(instruction, Choice)]
        appliers: dict[tuple[int, int], str] = {}
        for instruction in choices:
            for number, action in enumerate(actions):
                if action.name in instruction.actions:
                    appliers[instruction.number, number] = self._applier(instruction, number, action)
            if instruction.stop:
                appliers[instruction.number, -1] = self._stopper(instruction)
        self._flow(behind_choices(self.flow))
        rows = [[appliers.get((choice.number, at)) for at in (*range(len(actions)), -1)] for choice in choices]
        table = "".join(f"({''.join(f'{name}, ' for name in row)}), " for row in rows)
        self.blocks += [
            Block("", Kind.BODY, [f"APPLY = ({table})"]),
            Block("def apply(s, m):", Kind.BODY, [f"return APPLY[s[{POINT}]][m[0]](s, m)"]),
        ]

    def beginning(self) -> None:
        """Write what sets the game up."""
        self._flow(behind(self.flow, (0,)))
        self.blocks.append(Block("def begin(t):", Kind.BODY, ["return flow(t, 0)"]))

    def _function(self, header: str, pure: bool) -> Evaluator[Code, CodeSet]:
        block = Block(header, Kind.BODY)
        self.blocks.append(block)
        self.writer.stack = [block]
        return Evaluator(self.ground, Source(self.writer, self.constants, self.ground, self.layout, pure))

    def _return(self, evaluator: Evaluator[Code, CodeSet], term: terms.Term) -> None:
        source, value = evaluator.algebra, evaluator.value(term, {})
        assert isinstance(source, Source)
        self.writer.line(f"return {source.exact(value).text}")

    # Legal moves ------------------------------------------------------------------------------

    def _legal(self, choice: Choice, actions: list[Action]) -> None:
        evaluator = self._function(f"def legal_{choice.number}(s):", True)
        self.writer.line("out = []")
        source = evaluator.algebra
        assert isinstance(source, Source)
        offered = [(n, action) for name in choice.actions for n, action in enumerate(actions) if action.name == name]
        writers = [MovesWriter(evaluator, source, self.writer, number, action) for number, action in offered]
        for writer in writers:
            writer.prepare()
        for writer in writers:
            writer.write()
        if choice.stop:
            self.writer.line("out.append(STOP)")
        self.writer.line("return out")
        self.writer.close()

    # Effects and flow -------------------------------------------------------------------------

    def _applier(self, choice: Choice, number: int, action: Action) -> str:
        name = f"apply_{choice.number}_{number}"
        evaluator = self._function(f"def {name}(s, m):", False)
        names = [f"p{i}" for i in range(len(action.parameters))]
        if names:
            self.writer.line(f"_, {', '.join(names)} = m")
        self.writer.line("t = list(s)")
        env = {p.name: Code(n, simple=True) for p, n in zip(action.parameters, names, strict=True)}
        store = self._run(evaluator, action.effects, env)
        if store.stops:
            self._straight(evaluator, choice.leave)
        elif store.may_stop:
            self.writer.line(f"return flow(t, {choice.leave} if stopped else {choice.resume})")
        else:
            self._go(choice.resume)
        self.writer.close()
        return name

    def _stopper(self, choice: Choice) -> str:
        name = f"stop_{choice.number}"
        evaluator = self._function(f"def {name}(s, m):", False)
        self.writer.line("t = list(s)")
        self._straight(evaluator, choice.leave)
        self.writer.close()
        return name

    def _run(
        self, evaluator: Evaluator[Code, CodeSet], clauses: tuple[effects.Clause, ...], env: dict[str, Code]
    ) -> SourceStore:
        source = evaluator.algebra
        assert isinstance(source, Source)
        store = SourceStore(source)
        at = len(self.writer.stack[-1].lines)
        Executor(evaluator, store).run(clauses, env)
        self.writer.forget()
        if store.may_finish:
            self.writer.stack[-1].lines.insert(at, "finished = 0")
            self.writer.line(f"if finished: t[{POINT}] = {OVER}; return tuple(t)")
        if store.may_stop:
            self.writer.stack[-1].lines.insert(at, "stopped = 0")
        return store

    def _go(self, target: int) -> None:
        """Continue at an instruction: at once when it is a choice that always has something to choose."""
        instruction = self.flow[target]
        while isinstance(instruction, Jump):
            target = instruction.target
            instruction = self.flow[target]
        if isinstance(instruction, Choice) and instruction.stop:
            self.writer.line(f"t[{POINT}] = {instruction.number}")
            self.writer.line("return tuple(t)")
        else:
            self.writer.line(f"return flow(t, {target})")

    def _straight(self, evaluator: Evaluator[Code, CodeSet], target: int) -> None:
        """Write out what follows in one line of instructions, as far as it does not come back to where it was."""
        seen: set[int] = set()
        while target not in seen:
            seen.add(target)
            match self.flow[target]:
                case Execute(procedure):
                    if any(isinstance(c.effect, effects.Finish) for c in self.ground.game.procedures[procedure]):
                        break
                    self._run(evaluator, self.ground.game.procedures[procedure], {})
                    target += 1
                case Jump(further):
                    target = further
                case Test(condition, otherwise):
                    code = evaluator.value(condition, {})
                    if code.known is None:
                        self.writer.line(f"if not {code.text}: return flow(t, {otherwise})")
                    target = otherwise if code.known == 0 else target + 1
                case Begin() | Next() as loop if len(loop.values) == 1:
                    target += 1
                case Leave(point) if self.horizon is None or self.horizon.point != point:
                    target += 1
                case _:
                    break
            self.writer.forget()
        self._go(target)

    def _flow(self, wanted: Sequence[int]) -> None:
        evaluator = self._function("def flow(t, at):", False)
        line, writer = self.writer.line, self.writer
        line("steps = 0")
        writer.open("while True:", Kind.LOOP)
        line("steps += 1")
        most = self.ground.game.limits.flow
        line(f"if steps > {most}: raise too_long(FLOW_SPAN, {most})")
        spans = [i.span for i in self.flow if isinstance(i, Test | Choice)]
        self.constants["FLOW_SPAN"] = spans[0] if spans else effects.Stop().span
        for at in wanted:
            writer.open(f"if at == {at}:", Kind.GUARD)
            self._instruction(self.flow[at], at, evaluator)
            writer.close()
            writer.forget()
        writer.close()
        writer.close()

    def _instruction(self, instruction: Instruction, at: int, evaluator: Evaluator[Code, CodeSet]) -> None:
        line = self.writer.line
        match instruction:
            case Execute(procedure):
                self._run(evaluator, self.ground.game.procedures[procedure], {})
                line(f"at = {at + 1}")
            case Jump(target):
                line(f"at = {target}")
            case Test(condition, otherwise):
                line(f"at = {at + 1} if {evaluator.value(condition, {}).text} else {otherwise}")
            case Begin(variable, values, start):
                first = constant(values[0]) if start is None else evaluator.value(start, {})
                line(f"t[{self.layout.position(variable, None)}] = {first.text}")
                line(f"at = {at + 1}")
            case Next(variable, values, start, again):
                first = constant(values[0]) if start is None else evaluator.value(start, {})
                after = dict(zip(values, (*values[1:], values[0]), strict=True))
                place = f"t[{self.layout.position(variable, None)}]"
                line(f"{place} = {after!r}[{place}]")
                line(f"at = {at + 1} if {place} == {first.text} else {again}")
            case Leave(point):
                if self.horizon is not None and self.horizon.point == point:
                    line(f"t[{COUNTED}] += 1")
                    line(f"if t[{COUNTED}] >= {self.horizon.times}: t[{POINT}] = {OVER}; return tuple(t)")
                line(f"at = {at + 1}")
            case Choice():
                line(f"t[{POINT}] = {instruction.number}")
                if instruction.stop:
                    line("return tuple(t)")
                else:
                    self.asked.append(f"legal_{instruction.number}")
                    line(f"if {self.asked[-1]}(t): return tuple(t)")
                    line(f"at = {instruction.leave}")
            case End():
                line(f"t[{POINT}] = {OVER}")
                line("return tuple(t)")


def compile_value(ground: Ground, layout: Layout, term: terms.Term) -> Callable[[State], int]:
    """A term without free names as a function of the state."""
    writer = _ModuleWriter(ground, layout, (), None)
    evaluator = writer._function("def value(s):", True)
    writer._return(evaluator, term)
    return writer.load()["value"]  # type: ignore[no-any-return]
