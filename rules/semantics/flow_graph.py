"""The flow compiled to a list of instructions, which run between one choice and the next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import takewhile
from typing import assert_never

from rulewright.base.records import define, evolve, field, frozen
from rulewright.base.spans import Located
from rulewright.rules.model import game
from rulewright.rules.model.instance import Instance
from rulewright.rules.model.state import StateLayout, empty_state
from rulewright.rules.model.terms import Not, Term


@frozen
class RunProcedure:
    """Run a procedure."""

    procedure: str


@frozen
class Jump:
    target: int


@frozen
class JumpIfFalse(Located):
    """Continue if the condition holds, else jump to `otherwise`."""

    condition: Term
    otherwise: int


@frozen
class LoopStart(Located):
    """Set the loop variable to `start`, else to the first of `values`."""

    variable: str
    values: tuple[int, ...]
    start: Term | None


@frozen
class LoopNext(Located):
    """Set the loop variable to the next value, cyclically; jump to `again` unless it is the first one."""

    variable: str
    values: tuple[int, ...]
    start: Term | None
    again: int


@frozen
class LeavePoint:
    """Leave a named point; horizons count this."""

    point: str


@frozen
class ChoicePoint(Located):
    """Players choose. `resume` follows an action; `leave` follows `stop`, or a choice without legal actions."""

    number: int
    points: tuple[str, ...]
    actions: tuple[str, ...]
    stop: bool
    by: Term | None
    resume: int
    leave: int


@frozen
class Halt:
    """The game is over."""


Instruction = RunProcedure | Jump | JumpIfFalse | LoopStart | LoopNext | LeavePoint | ChoicePoint | Halt


@define
class _FlowCompiler:
    instance: Instance
    layout: StateLayout
    code: list[Instruction] = field(factory=list)
    choices: int = 0
    entries: dict[str, int] = field(factory=dict)

    def emit(self, instruction: Instruction) -> int:
        self.code.append(instruction)
        return len(self.code) - 1

    def body(self, flow: tuple[game.Flow, ...], points: tuple[str, ...], leaves: list[int]) -> None:
        for node in flow:
            self._node(node, points, leaves)

    def _node(self, node: game.Flow, points: tuple[str, ...], leaves: list[int]) -> None:
        match node:
            case game.Run(procedure):
                self.emit(RunProcedure(procedure))
            case game.Repeat(until, inner):
                head = len(self.code)
                test = None if until is None else self._test(Not(until, span=until.span), node)
                own: list[int] = []
                self.body(inner, points, own)
                self.emit(Jump(head))
                self._land(own)
                self._fail_here(test)
            case game.Each(variable, domain, start, where, inner):
                values = tuple(self._static(domain))
                if not values:
                    return
                self.emit(LoopStart(variable, values, start, span=node.span))
                head = len(self.code)
                test = None if where is None else self._test(where, node)
                self.body(inner, points, leaves)
                self._fail_here(test)
                self.emit(LoopNext(variable, values, start, head, span=node.span))
            case game.Branch(condition, then, otherwise):
                test = self._test(condition, node)
                self.body(then, points, leaves)
                end = self.emit(Jump(-1)) if otherwise else -1
                self._fail_here(test)
                self.body(otherwise, points, leaves)
                if end >= 0:
                    self.code[end] = Jump(len(self.code))
            case game.Point(name, inner):
                self.entries.setdefault(name, len(self.code))
                self.body(inner, (*points, name), leaves)
                self.emit(LeavePoint(name))
            case game.Choose(actions, stop, by):
                at = self.emit(ChoicePoint(self.choices, points, actions, stop, by, len(self.code) + 1, -1, span=node.span))
                self.choices += 1
                leaves.append(at)
            case _:
                assert_never(node)

    def _test(self, condition: Term, node: game.Flow) -> int:
        """A test of a node; where play goes on if it fails comes later."""
        return self.emit(JumpIfFalse(condition, -1, span=node.span))

    def _fail_here(self, test: int | None) -> None:
        """Let play go on at the next instruction if a test fails."""
        if test is not None:
            self.code[test] = evolve(self.code[test], otherwise=len(self.code))  # type: ignore[arg-type]

    def _land(self, leaves: list[int]) -> None:
        for at in leaves:
            self.code[at] = evolve(self.code[at], leave=len(self.code))  # type: ignore[arg-type]

    def _static(self, domain: Term) -> tuple[int, ...]:
        return tuple(self.instance.reader.value(domain, empty_state(self.instance, self.layout), {}))


def compile_flow(instance: Instance, layout: StateLayout) -> tuple[Instruction, ...]:
    """The instructions of a game's flow; the last one is `Halt`.

    A choice outside any `repeat` is made once: `stop` and an empty choice continue after it.
    """
    return tuple(_compiled(instance, layout).code)


def entries_of(instance: Instance, layout: StateLayout) -> Mapping[str, int]:
    """The first instruction inside each point of a game's flow, where it stands first."""
    return _compiled(instance, layout).entries


def _compiled(instance: Instance, layout: StateLayout) -> _FlowCompiler:
    builder = _FlowCompiler(instance, layout)
    loose: list[int] = []
    builder.body(instance.game.flow, (), loose)
    builder.emit(Halt())
    for at in loose:
        choice = builder.code[at]
        assert isinstance(choice, ChoicePoint)
        builder.code[at] = evolve(choice, leave=choice.resume)
    return builder


SET_UP = "set_up"
"""The procedure that ends a set-up, where the flow begins by it and others."""


def end_of_set_up(flow: Sequence[Instruction]) -> int:
    """The instruction after set-up: behind the procedures with which the flow begins, up to `set_up` if it is one of them."""
    leading = list(takewhile(lambda instruction: isinstance(instruction, RunProcedure), flow))
    named = RunProcedure(SET_UP)
    return leading.index(named) + 1 if named in leading else len(leading)


def reachable_from_choices(flow: Sequence[Instruction]) -> list[int]:
    """The instructions that may follow a choice, in order."""
    return reachable_from(
        flow, (at for choice in flow if isinstance(choice, ChoicePoint) for at in (choice.resume, choice.leave))
    )


def reachable_after(flow: Sequence[Instruction], number: int) -> list[int]:
    """The choice of a number and every instruction that may run once play has come to it, in order."""
    return _through_choices(
        flow, {at for at, choice in enumerate(flow) if isinstance(choice, ChoicePoint) and choice.number == number}
    )


def reachable_in_play(flow: Sequence[Instruction], start: int) -> list[int]:
    """Every instruction that may run once play has come to an instruction, through any number of choices, in order."""
    return _through_choices(flow, set(reachable_from(flow, [start])))


def _through_choices(flow: Sequence[Instruction], found: set[int]) -> list[int]:
    """The instructions in `found` and those that may follow, in order."""
    while True:
        choices = [choice for at in found if isinstance(choice := flow[at], ChoicePoint)]
        more = set(reachable_from(flow, (at for choice in choices for at in (choice.resume, choice.leave)))) - found
        if not more:
            return sorted(found)
        found = found | more


def reachable_from(flow: Sequence[Instruction], starts: Iterable[int]) -> list[int]:
    """The instructions reachable from `starts`, in order, without passing a choice that always has a move."""
    seen: set[int] = set()
    pending = list(starts)
    while pending:
        at = pending.pop()
        if at in seen:
            continue
        seen.add(at)
        match flow[at]:
            case ChoicePoint(stop=stop, leave=leave):
                pending += [] if stop else [leave]
            case _:
                pending += following(flow, at)
    return sorted(seen)


def following(flow: Sequence[Instruction], at: int) -> tuple[int, ...]:
    """The instructions that may run next; after a choice, those that an action and the lack of one lead to."""
    match flow[at]:
        case Jump(target):
            return (target,)
        case JumpIfFalse(_, otherwise):
            return at + 1, otherwise
        case LoopNext(again=again):
            return at + 1, again
        case ChoicePoint(resume=resume, leave=leave):
            return resume, leave
        case RunProcedure() | LoopStart() | LeavePoint():
            return (at + 1,)
        case Halt():
            return ()
        case never:
            assert_never(never)
