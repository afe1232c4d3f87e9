"""The flow of a game as a graph of the core: loops become writes and tests, the count of a horizon a variable."""

from __future__ import annotations

from bisect import bisect_right
from functools import cached_property
from itertools import accumulate
from typing import assert_never

from rulewright.base.records import define
from rulewright.base.spans import Span
from rulewright.grammar.tree.expressions import Comparison, Operator
from rulewright.rules.model import terms
from rulewright.rules.model.state import Horizon
from rulewright.rules.semantics import flow_graph

from .algebra import Tables
from .evaluator import CoreEvaluator, effects_of
from .program import Choose, End, If, Map, Node, Origin, Over, Place, Run, Test, Write
from .terms import Arithmetic, Compare, Constant, Lookup, Read, Term


def counter_name(point: str) -> str:
    """The name of the variable that counts how often play has left a point; no text can contain it."""
    return f"ends of {point}"


@define
class FlowLowering:
    """Lowers the instructions of a flow; `horizon` is where play ends before the game does."""

    tables: Tables
    flow: tuple[flow_graph.Instruction, ...]
    horizon: Horizon | None

    @cached_property
    def _starts(self) -> list[int]:
        """The number of nodes before each instruction, and of all."""
        return [0, *accumulate(map(self._length, self.flow))]

    @property
    def number(self) -> int:
        """The number of nodes, in the order of the instructions; the first one begins the game."""
        return self._starts[-1]

    def of(self, node: int) -> dict[int, Node]:
        """The nodes of the instruction that a node belongs to, by number."""
        at = bisect_right(self._starts, node) - 1
        return dict(enumerate(self._lowered(self.flow[at], at), self._starts[at]))

    @cached_property
    def choices(self) -> dict[int, int]:
        """The nodes of choices by number."""
        return {step.number: self._starts[at] for at, step in enumerate(self.flow) if isinstance(step, flow_graph.ChoicePoint)}

    def node_of(self, at: int) -> int:
        """The first node of an instruction, or of the one that follows if it has none."""
        while isinstance(instruction := self.flow[at], flow_graph.Jump | flow_graph.LeavePoint) and not self._length(
            instruction
        ):
            at = instruction.target if isinstance(instruction, flow_graph.Jump) else at + 1
        return self._starts[at]

    def _length(self, instruction: flow_graph.Instruction) -> int:
        match instruction:
            case flow_graph.Jump():
                return 0
            case flow_graph.LeavePoint(point):
                return int(self.horizon is not None and self.horizon.point == point)
            case flow_graph.LoopNext():
                return 3
            case _:
                return 1

    def _lowered(self, instruction: flow_graph.Instruction, at: int) -> list[Node]:
        evaluator, here = CoreEvaluator.of(self.tables), self._starts[at]
        match instruction:
            case flow_graph.Jump():
                return []
            case flow_graph.RunProcedure(name):
                clauses = self.tables.instance.game.procedures[name]
                return [Run(effects_of(evaluator, clauses, {}), self.node_of(at + 1))]
            case flow_graph.JumpIfFalse(condition, otherwise, span=span):
                return [Test(evaluator.whole(condition, {}), self.node_of(at + 1), self.node_of(otherwise), span=span)]
            case flow_graph.LoopStart(variable, values, start, span=span):
                first = self._first(evaluator, values, start)
                return [Run(_step(variable, first, span), self.node_of(at + 1), span=span)]
            case flow_graph.LoopNext(variable, values, start, again, span=span):
                following, first = self._following(variable, values), self._first(evaluator, values, start)
                step = _step(variable, following, span)
                test = Test(Compare(Comparison.UNEQUAL, following, first), here + 1, here + 2, span=span)
                return [test, Run(step, self.node_of(again), span=span), Run(step, self.node_of(at + 1), span=span)]
            case flow_graph.LeavePoint(point):
                return [self._count(point, self.node_of(at + 1))] if self._length(instruction) else []
            case flow_graph.ChoicePoint(number, _, actions, stop, by, resume, leave, span=span):
                names = list(self.tables.instance.game.actions)
                numbers = tuple(names.index(name) for name in actions)
                player: Term = Constant(1) if by is None else evaluator.whole(by, {})
                return [Choose(number, numbers, stop, player, self.node_of(resume), self.node_of(leave), span=span)]
            case flow_graph.Halt():
                return [Over()]
            case _:
                assert_never(instruction)

    def _first(self, evaluator: CoreEvaluator, values: tuple[int, ...], start: terms.Term | None) -> Term:
        """The value with which a loop begins."""
        return Constant(values[0]) if start is None else evaluator.whole(start, {})

    def _following(self, variable: str, values: tuple[int, ...]) -> Term:
        """The value that follows the present one, cyclically."""
        low, read = min(values), Read(variable, None)
        after = dict(zip(values, (*values[1:], values[0]), strict=True))
        name = f"{variable}_following_{'_'.join(map(str, values))}"
        row = tuple(after.get(value, values[0]) for value in range(low, max(values) + 1))
        self.tables.maps[name] = Map((row,), values[0])
        key: Term = Arithmetic(Operator.MINUS, read, Constant(low)) if low else read
        return Lookup(name, (key,))

    def _count(self, point: str, following: int) -> Run:
        assert self.horizon is not None
        counter = counter_name(point)
        more = Arithmetic(Operator.PLUS, Read(counter, None), Constant(1))
        is_last = Compare(Comparison.AT_LEAST, Read(counter, None), Constant(self.horizon.times))
        return Run((Write(Place(counter, None), more), If(is_last, (End(True),), ())), following)


def _step(variable: str, value: Term, span: Span) -> tuple[Write]:
    """The effect that sets the variable of a loop."""
    return (Write(Place(variable, None, span=span), value, span=span, origin=Origin(f"flow.{variable}", span=span)),)
