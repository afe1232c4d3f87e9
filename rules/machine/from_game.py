"""Generates the subset source of a grounded game.

The functions (see solver/kernel/game_interface.py, which declares them for the type checker):

- `legal(game, moves, at)` writes the legal moves from `moves[at]` on, each WIDTH numbers, and returns where they end.
- `apply(game, moves, at)` carries out the move at `moves[at]` and all that follows it, to the next choice or the end.
- `begin(game)` sets the game up.
- `value(game)` is the value that searches maximise.
- `chooser(game)` is the player who chooses.
- `measure(game, number)` and `ask(game, moves, at)` are further terms: without parameters, and with arguments like moves'.

Each may set `game.fault`; its result is invalid then.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import reduce

from rulewright.base.records import define, field
from rulewright.grammar.tree.expressions import Operator
from rulewright.rules.codegen.algebra import CodeAlgebra
from rulewright.rules.codegen.code_evaluator import CodeEvaluator
from rulewright.rules.codegen.game_writer import FEW, GameWriter
from rulewright.rules.codegen.intervals import Interval
from rulewright.rules.codegen.writer import BlockKind, Code, TooLarge, Writer
from rulewright.rules.model import terms, types
from rulewright.rules.model.game import Parameter
from rulewright.rules.model.instance import Instance, is_optional
from rulewright.rules.model.state import Horizon
from rulewright.rules.semantics.flow_graph import ChoicePoint, Instruction, reachable_from_choices
from rulewright.subset.refusal import CannotCompile

from .algebra import MachineAlgebra
from .lookup_tables import Tables
from .machine_game import Asked, GameText
from .memory_layout import INT32, Slots, require_int32
from .runtime import COUNTED, POINT
from .set_code import MachineSet
from .store import MachineStore

MOST_LINES = 60_000


def write_game(
    instance: Instance,
    slots: Slots,
    flow: Sequence[Instruction],
    values: Sequence[terms.Term],
    horizon: Horizon | None = None,
    from_start: bool = False,
    measures: Sequence[terms.Term] = (),
    asked: Sequence[Asked] = (),
) -> GameText:
    """Write the functions of a game whose value is the sum of `values`; the set-up is included only if `from_start`.

    `measures` are further values that can be queried of a state, by number, and `asked` those that depend on arguments.

    Raises `CannotCompile`.
    """
    slots.require_words()
    tables = Tables(instance, slots.entries)
    writer = _MachineWriter(instance, tuple(flow), horizon, Writer(MOST_LINES), slots, tables)
    try:
        writer.write(values, from_start)
        writer.write_measures(measures)
        writer.write_asked(asked)
    except TooLarge as error:
        raise CannotCompile("rules that grow too large when their definitions are written out") from error
    return GameText(writer.text(), {"WIDTH": writer.width, **writer.constants}, tables.filled, writer.width)


@define
class _MachineWriter(GameWriter[MachineSet]):
    """Functions of `game`, a `GameMemory`; each begins by naming its arrays."""

    slots: Slots
    tables: Tables
    reach: dict[tuple[int, int], Interval] = field(factory=dict, init=False)
    """The range of each parameter of an action in the move lists, by action and position."""
    point, counted, done = POINT, COUNTED, "return 0"
    fault = "game.fault"
    prologue = ("state = game.state", "tables = game.tables", "scratch = game.scratch")
    subject = "game"

    def begin_subroutine(self, name: str, parameters: Sequence[str]) -> tuple[str, Sequence[str]]:
        return (
            f"def {name}({', '.join(('game: GameMemory', *(f'{given}: int' for given in parameters)))}) -> int:",
            self.prologue,
        )

    def algebra(self, pure: bool) -> MachineAlgebra:
        return MachineAlgebra(self.writer, self.constants, self.instance, self.subroutines, self.slots, self.tables)

    def store(self, algebra: CodeAlgebra[MachineSet]) -> MachineStore:
        assert isinstance(algebra, MachineAlgebra)
        return MachineStore(algebra)

    def place_of(self, variable: str) -> int:
        return self.slots.places[variable].slot

    def value_at(self, place: int) -> str:
        return f"state[{place}]"

    def assign(self, place: int, value: str) -> None:
        self.writer.line(f"{'change_wide' if place in self.slots.wide else 'change'}(game, {place}, {value})")

    def has_legal(self, choice: ChoicePoint) -> str:
        return f"any_{choice.number}(game)"

    @contextmanager
    def trial(self) -> Iterator[None]:
        for name, register in (("mark", "trail_length"), *((same, same) for same in ("hash", "other_hash", "seed", "fault"))):
            self.writer.line(f"{name} = game.{register}")
        yield
        with self.writer.block("if fault == Fault.NONE and game.fault == Fault.STOPPED:"):
            self.writer.line("game.fault = Fault.NONE")
            self.end_trial()
            self.writer.line("return 1")

    def end_trial(self) -> None:
        self.writer.line("undo_to(game, mark, hash, other_hash, seed)")

    @contextmanager
    def steps(self, most: int) -> Iterator[None]:
        with self.writer.block(f"while steps < {most}:", BlockKind.EFFECT):
            self.algebra(pure=False).look_up()
            self.writer.line(f"end = min(steps + {FEW}, {most})")
            with self.writer.block("while steps < end:", BlockKind.EFFECT):
                yield

    def horizon_times(self, horizon: Horizon) -> str:
        return self.tables.number("times", lambda: horizon.times)

    @property
    def width(self) -> int:
        return 1 + max((len(self.actions[number].parameters) for number in self.offered(*self.choices)), default=0)

    def write(self, values: Sequence[terms.Term], from_start: bool) -> None:
        self._legal()
        self.write_trials(self._parameters)
        for number in self.offered(*self.choices):
            self._act(number)
        self._apply()
        with self.function("def flow(game: GameMemory, at: int) -> int:"):
            self.follow(range(len(self.flow)) if from_start else reachable_from_choices(self.flow))
            self.writer.line("game.fault = Fault.STOPPED")
            self.writer.line("return 0")
        if from_start:
            with self.function("def begin(game: GameMemory) -> int:"):
                self.writer.line("return flow(game, 0)")
        with self.function("def value(game: GameMemory) -> int:"):
            algebra = self.algebra(pure=True)
            evaluator = CodeEvaluator(self.instance, algebra)
            codes = []
            for number, term in enumerate(values):
                if number >= FEW:
                    algebra.look_up()
                codes.append(self.writer.share(algebra.exact(evaluator.value(term, {}))))
            total = reduce(lambda one, other: algebra.arithmetic(Operator.PLUS, one, other), codes, algebra.constant(0))
            self.writer.line(f"return {total.text}")
        with self.function("def chooser(game: GameMemory) -> int:"):
            for choice in self.choices:
                with self.writer.block(f"if game.point == {choice.number}:"):
                    by = terms.Constant(1, type=types.Player()) if choice.by is None else choice.by
                    self.writer.line(f"return {self.computed(by, {}).text}")
            self.writer.line("return 1")

    def write_measures(self, measures: Sequence[terms.Term]) -> None:
        """Write the function that returns a measure by number."""
        with self.function("def measure(game: GameMemory, number: int) -> int:"):
            for number, measure in enumerate(measures):
                with self.writer.block(f"if number == {number}:"):
                    self.writer.line(f"return {self.computed(measure, {}).text}")
            self.writer.line("return 0")

    def write_asked(self, asked: Sequence[Asked]) -> None:
        """Write the function that returns a term by number, each in a function of its own: the number and the arguments are
        read as `apply` reads a move."""
        for number, one in enumerate(asked):
            with self.function(f"def ask_{number}(game: GameMemory, moves: Ints, at: int) -> int:"):
                env: dict[str, Code] = {}
                for place, (name, type) in enumerate(one.parameters, 1):
                    env[name] = Code(f"p{place}", self._range(type), simple=True)
                    self.writer.line(f"p{place} = moves[at + {place}]")
                if one.after is not None:
                    self.try_out(one.after, one.term, env)
                    continue
                self.writer.line(f"return {self.computed(one.term, env).text}")
        with self.function("def ask(game: GameMemory, moves: Ints, at: int) -> int:"):
            for number in range(len(asked)):
                with self.writer.block(f"if moves[at] == {number}:"):
                    self.writer.line(f"return ask_{number}(game, moves, at)")
            self.writer.line("return 0")

    # Legal moves ------------------------------------------------------------------------------

    def _legal(self) -> None:
        for choice in self.choices:
            with self._listing(f"legal_{choice.number}"):
                self.list_moves(choice, self._found)
            if not choice.stop:
                with self.function(f"def any_{choice.number}(game: GameMemory) -> int:"):
                    self.list_moves(choice, lambda *_: self.writer.line("return 1"))
                    self.writer.line("return 0")
        with self._listing("legal"):
            for choice in self.choices:
                with self.writer.block(f"if game.point == {choice.number}:"):
                    self.writer.line(f"return legal_{choice.number}(game, moves, at)")

    @contextmanager
    def _listing(self, name: str) -> Iterator[None]:
        with self.function(f"def {name}(game: GameMemory, moves: Ints, at: int) -> int:"):
            yield
            self.writer.line("return at")

    def _found(self, number: int, arguments: Sequence[Code]) -> None:
        """Add a move to the list; words that it does not need are 0, so that equal moves have equal words."""
        with self.writer.block("if at >= game.moves_limit:"):
            self.writer.line("game.fault = Fault.FULL")
            self.writer.line("return at")
        self.writer.line(f"moves[at] = {number}")
        for place, value in enumerate(arguments, 1):
            require_int32(value.bounds, "arguments")
            known = self.reach.get((number, place), value.bounds)
            self.reach[number, place] = Interval(min(known.low, value.bounds.low), max(known.high, value.bounds.high))
            self.writer.line(f"moves[at + {place}] = {value.text}")
        for place in range(len(arguments) + 1, self.width):
            self.writer.line(f"moves[at + {place}] = 0")
        self.writer.line(f"at += {self.width}")

    # Effects ----------------------------------------------------------------------------------

    def _act(self, number: int) -> None:
        """Write the code of an action: the flow continues at `resume`, or at `leave` if its repetition was stopped."""
        env = self._parameters(number)
        with self.function(f"def act_{number}(game: GameMemory, moves: Ints, at: int, resume: int, leave: int) -> int:"):
            for place in range(1, len(env) + 1):
                self.writer.line(f"p{place} = moves[at + {place}]")
            store = self.run(self.actions[number].effects, env)
            self.writer.line(f"return flow(game, {'leave if stopped else resume' if store.may_stop else 'resume'})")

    def _parameters(self, number: int) -> dict[str, Code]:
        """The parameters of an action by name."""
        env: dict[str, Code] = {}
        for place, parameter in enumerate(self.actions[number].parameters, 1):
            interval = self._interval(parameter)
            if isinstance(parameter.type, types.Number):
                interval = self.reach.get((number, place), interval)
            env[parameter.name] = Code(f"p{place}", interval, simple=True)
        return env

    def _interval(self, parameter: Parameter) -> Interval:
        return self._range(parameter.type, is_optional(parameter))

    def _range(self, type: types.Type, or_none: bool = True) -> Interval:
        instance = self.instance
        domain, none = instance.domain(type), instance.absent(type) if or_none else instance.none(type)
        if not domain:
            return INT32
        return Interval(min(domain.start, none), max(domain.stop - 1, none))

    def _apply(self) -> None:
        with self.function("def apply(game: GameMemory, moves: Ints, at: int) -> int:"):
            self.writer.line("number = moves[at]")
            for choice in self.choices:
                with self.writer.block(f"if game.point == {choice.number}:"):
                    if choice.stop:
                        with self.writer.block("if number < 0:"):
                            self.writer.line(f"return flow(game, {choice.leave})")
                    for number in self.offered(choice):
                        with self.writer.block(f"if number == {number}:"):
                            self.writer.line(f"return act_{number}(game, moves, at, {choice.resume}, {choice.leave})")
            self.writer.line("return 0")
