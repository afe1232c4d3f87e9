"""The functions of a game as program text: legal moves, effects, and the flow between one choice and the next."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import Any, ClassVar, Generic, assert_never

from rulewright.base.records import define, field
from rulewright.rules.model import effects, terms
from rulewright.rules.model.game import Action
from rulewright.rules.model.instance import Instance
from rulewright.rules.model.state import OVER, Horizon
from rulewright.rules.semantics import flow_graph
from rulewright.rules.semantics.cost_bounds import is_long
from rulewright.rules.semantics.executor import Executor

from .algebra import CodeAlgebra, CodeSetT
from .code_evaluator import CodeEvaluator, CodeStore
from .move_generator import MoveGenerator
from .subroutines import Subroutines
from .tabulated import ValueTable
from .writer import Block, BlockKind, Code, Writer, constant

FEW = 8
"""Actions listed, values computed, and steps of the flow, without a look at whether time is over. Measured: to list the moves
of one action, in as many steps as the limits allow, takes 0.01 s in baseline code."""


@define
class GameWriter(ABC, Generic[CodeSetT]):
    """Writes the functions of a game. A language defines how a state is read and changed, and how a function returns.

    Variables that the flow changes have an index in the state: `point`, the number of the current choice, `counted`, how often
    the horizon's point was left, and those of loops.
    """

    instance: Instance
    flow: tuple[flow_graph.Instruction, ...]
    horizon: Horizon | None
    writer: Writer
    constants: dict[str, Any] = field(factory=dict, init=False)
    functions: list[Block] = field(factory=list, init=False)
    subroutines: Subroutines = field(init=False)

    point: ClassVar[int]
    counted: ClassVar[int]
    done: ClassVar[str]
    """The statement by which a function returns the state."""
    prologue: ClassVar[tuple[str, ...]] = ()
    """The first lines of every function."""
    subject: ClassVar[str]
    """The state, as functions that only read it name it."""

    def __attrs_post_init__(self) -> None:
        self.subroutines = Subroutines(
            self.writer, self.functions, lambda: self.evaluator(pure=True), self.begin_subroutine, self.fault
        )

    fault: ClassVar[str]
    """A text that occurs in every line that stops the game."""

    @abstractmethod
    def begin_subroutine(self, name: str, parameters: Sequence[str]) -> tuple[str, Sequence[str]]:
        """The header of a function of the state and some parameters, and its first lines."""

    @abstractmethod
    def algebra(self, pure: bool) -> CodeAlgebra[CodeSetT]:
        """The algebra that writes to `writer`; a `pure` one only reads the state."""

    @abstractmethod
    def store(self, algebra: CodeAlgebra[CodeSetT]) -> CodeStore[CodeSetT]: ...

    @abstractmethod
    def place_of(self, variable: str) -> int:
        """The index of a variable of the flow."""

    @abstractmethod
    def value_at(self, place: int) -> str: ...

    @abstractmethod
    def assign(self, place: int, value: str) -> None: ...

    @abstractmethod
    def has_legal(self, choice: flow_graph.ChoicePoint) -> str:
        """A text for whether there is a legal move at a choice."""

    @abstractmethod
    def trial(self) -> AbstractContextManager[None]:
        """Code around effects that are tried out, in a function that only reads the state: it returns 1 if they fail."""

    def end_trial(self) -> None:
        """Write code that undoes what was tried out, if the language needs any."""

    @property
    def choices(self) -> list[flow_graph.ChoicePoint]:
        return [instruction for instruction in self.flow if isinstance(instruction, flow_graph.ChoicePoint)]

    @property
    def actions(self) -> list[Action]:
        return list(self.instance.game.actions.values())

    def offered(self, *choices: flow_graph.ChoicePoint) -> list[int]:
        """The numbers of the actions that some of the choices offer."""
        names = {name for choice in choices for name in choice.actions}
        return [number for number, action in enumerate(self.actions) if action.name in names]

    def text(self) -> str:
        lines: list[str] = []
        for function in self.functions:
            function.render(0, lines)
        return "\n".join(lines) + "\n"

    @contextmanager
    def function(self, header: str, first: Sequence[str] | None = None) -> Iterator[None]:
        """A function of the program, whose `first` lines are the prologue if they are not given."""
        block = Block(header, BlockKind.BODY, list(self.prologue if first is None else first))
        self.functions.append(block)
        self.writer.stack = [block]
        yield

    def evaluator(self, pure: bool) -> CodeEvaluator[CodeSetT]:
        return CodeEvaluator(self.instance, self.algebra(pure))

    def computed(self, term: terms.Term, env: Mapping[str, Code], pure: bool = True) -> Code:
        """The value of a term, as a number."""
        algebra = self.algebra(pure)
        return algebra.exact(CodeEvaluator(self.instance, algebra).value(term, env))

    # Legal moves ------------------------------------------------------------------------------

    def list_moves(self, choice: flow_graph.ChoicePoint, found: Callable[[int, Sequence[Code]], None]) -> None:
        """Write code that lists the moves of a choice, in order, after the tests that several actions share."""
        algebra = self.algebra(pure=True)
        evaluator = CodeEvaluator(self.instance, algebra)
        numbers = {action.name: number for number, action in enumerate(self.actions)}
        admitted = partial(self._admit, found)
        generators = [
            MoveGenerator(evaluator, algebra, self.actions[numbers[name]], partial(admitted, numbers[name]))
            for name in choice.actions
        ]
        for generator in generators:
            generator.prepare()
        for number, generator in enumerate(generators):
            if number >= FEW:
                algebra.look_up()
            generator.write()
        if choice.stop:
            found(-1, [])

    def _admit(self, found: Callable[[int, Sequence[Code]], None], number: int, arguments: Sequence[Code]) -> None:
        """Write the use of a move for which all holds that its action requires before its effects."""
        if not self.actions[number].afterwards:
            found(number, arguments)
            return
        given = ", ".join((self.subject, *(argument.text for argument in arguments)))
        with self.writer.block(f"if after_{number}({given}):"):
            found(number, arguments)

    def write_trials(self, env_of: Callable[[int], Mapping[str, Code]]) -> None:
        """Write for each action the function that says whether what it requires after its effects will hold; `env_of` gives
        its parameters by number."""
        for number in self.offered(*self.choices):
            action = self.actions[number]
            if action.afterwards:
                env = env_of(number)
                header, first = self.begin_subroutine(f"after_{number}", [code.text for code in env.values()])
                with self.function(header, first):
                    self.try_out(action, terms.And(tuple(r.condition for r in action.afterwards)), env)

    def try_out(self, action: Action, term: terms.Term, env: Mapping[str, Code]) -> None:
        """Write code that returns the value of a term in the state that an action's effects would leave, 1 if they fail."""
        with self.trial():
            self._carry_out(action.effects, env)
        found = self.writer.share_here(self.computed(term, env, pure=False))
        self.end_trial()
        self.writer.line(f"return {found.text}")

    # Effects ----------------------------------------------------------------------------------

    def run(self, clauses: Sequence[effects.EffectClause], env: Mapping[str, Code]) -> CodeStore[CodeSetT]:
        """Write code that carries out effects; a flag records whether one has stopped the repetition."""
        lines = self.writer.stack[-1].lines
        start = len(lines)
        store = self._carry_out(clauses, env)
        if store.may_finish:
            lines.insert(start, "finished = 0")
            self._finish("finished")
        if store.may_stop:
            lines.insert(start, "stopped = 0")
        return store

    def _carry_out(self, clauses: Sequence[effects.EffectClause], env: Mapping[str, Code]) -> CodeStore[CodeSetT]:
        """Write code that carries out effects, whatever they stop."""
        algebra = self.algebra(pure=False)
        store = self.store(algebra)
        store.is_long = is_long(self.instance, *clauses)
        Executor(CodeEvaluator(self.instance, algebra), store).run(clauses, env)
        self.writer.forget()
        return store

    def _finish(self, condition: str) -> None:
        """Write code that ends the game if a condition holds."""
        with self.writer.block(f"if {condition}:"):
            self.assign(self.point, str(OVER))
            self.writer.line(self.done)

    # Flow -------------------------------------------------------------------------------------

    def follow(self, wanted: Sequence[int]) -> None:
        """Write the loop that carries out the instruction `at`, one of `wanted`, and those that follow."""
        self.writer.line("steps = 0")
        with self.steps(self.instance.game.limits.flow):
            self.writer.line("steps += 1")
            for at in wanted:
                with self.writer.block(f"if at == {at}:"):
                    self._instruction(self.flow[at], at)
                self.writer.forget()

    @contextmanager
    def steps(self, most: int) -> Iterator[None]:
        """A loop until `steps` is `most`."""
        with self.writer.block(f"while steps < {most}:", BlockKind.EFFECT):
            yield

    def _instruction(self, instruction: flow_graph.Instruction, at: int) -> None:
        line = self.writer.line
        match instruction:
            case flow_graph.RunProcedure(procedure):
                self.run(self.instance.game.procedures[procedure], {})
                line(f"at = {at + 1}")
            case flow_graph.Jump(target):
                line(f"at = {target}")
            case flow_graph.JumpIfFalse(condition, otherwise):
                line(f"at = {at + 1} if {self.evaluator(False).value(condition, {}).text} else {otherwise}")
            case flow_graph.LoopStart(variable, values, start):
                self.assign(self.place_of(variable), self._first(values, start).text)
                line(f"at = {at + 1}")
            case flow_graph.LoopNext(variable, values, start, again):
                self._next(variable, values, self._first(values, start), at + 1, again)
            case flow_graph.LeavePoint(point):
                if self.horizon is not None and self.horizon.point == point:
                    self.assign(self.counted, f"{self.value_at(self.counted)} + 1")
                    self._finish(f"{self.value_at(self.counted)} >= {self.horizon_times(self.horizon)}")
                line(f"at = {at + 1}")
            case flow_graph.ChoicePoint():
                self.assign(self.point, str(instruction.number))
                if instruction.stop:
                    line(self.done)
                else:
                    with self.writer.block(f"if {self.has_legal(instruction)}:"):
                        line(self.done)
                    line(f"at = {instruction.leave}")
            case flow_graph.Halt():
                self.assign(self.point, str(OVER))
                line(self.done)
            case _:
                assert_never(instruction)

    def horizon_times(self, horizon: Horizon) -> str:
        return str(horizon.times)

    def _first(self, values: Sequence[int], start: terms.Term | None) -> Code:
        """The first value of a loop."""
        return constant(values[0]) if start is None else self.writer.share(self.evaluator(False).value(start, {}))

    def _next(self, variable: str, values: Sequence[int], first: Code, after: int, again: int) -> None:
        """Set a loop variable to the next value, cyclically; continue at `after` if it is the first one, else at `again`."""
        place = self.place_of(variable)
        domain, following = range(min(values), max(values) + 1), dict(zip(values, (*values[1:], values[0]), strict=True))
        here = self.writer.share(Code(self.value_at(place)))
        table = ValueTable(here.text, domain, tuple(following.get(value, values[0]) for value in domain))
        new = self.writer.share(self.algebra(False).lookup_in(table))
        self.assign(place, new.text)
        self.writer.line(f"at = {after} if {new.text} == {first.text} else {again}")
