"""Generates Python from a grounded game: queries of a state (legal moves, scores), moves, and the set-up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rulewright.base.diagnostics import Diagnostic, Label, RulesError
from rulewright.base.records import define, field
from rulewright.rules.codegen.algebra import CodeAlgebra
from rulewright.rules.codegen.code_evaluator import CodeStore, Zone
from rulewright.rules.codegen.game_writer import GameWriter
from rulewright.rules.codegen.writer import NO, Block, BlockKind, Code, TooLarge, Writer
from rulewright.rules.model import effects, terms, types
from rulewright.rules.model.effects import EffectClause
from rulewright.rules.model.game import Storage
from rulewright.rules.model.instance import Instance
from rulewright.rules.model.state import (
    COUNTED,
    POINT,
    SEED,
    StateLayout,
    value_range,
)
from rulewright.rules.semantics import flow_graph
from rulewright.rules.semantics.cost_bounds import largest_clause

from .algebra import PythonAlgebra, PythonSet
from .compiled_game import Part, PythonProgram, Wanted

# Effects as Python text on `t`, the list of columns -------------------------------------------------------------------


MAY_LEAVE = (types.Number, types.Enumeration, types.Direction, types.Place, types.Player)
"""Types of expressions whose value may be out of a variable's range: `side(nothing, d)`, `a -> b` off the line, none."""


@define
class PythonStore(CodeStore[PythonSet]):
    """A store in which effects that the state does not allow raise `PlayError`."""

    algebra: PythonAlgebra = field()

    def _clause(self, clause: EffectClause) -> str:
        return self.algebra.keep("CLAUSE", clause.name, clause)

    def assign(self, variable: str, index: Code | None, value: Code, clause: EffectClause) -> None:
        column = self.algebra.layout.columns[variable]
        allowed = value_range(self.algebra.instance, column.variable)
        if index is not None:
            index = self.existing(variable, index, clause)
        if len(allowed) == 1 and value.known == allowed.start and not column.over_cells:
            return
        if isinstance(column.variable.type, types.Truth) and value.known is None:
            value = Code(f"(1 if {value.text} else 0)")
        elif isinstance(column.variable.type, MAY_LEAVE) and (value.known is None or value.known not in allowed):
            value = self.writer.share(value)
            low, high = allowed.start, allowed.stop - 1
            self.line(f"if not {low} <= {value.text} <= {high}:")
            if column.variable.is_layer:
                self.line(f"    raise cannot_lay({self._clause(clause)}, {column.variable.pieces!r})")
            else:
                self.line(f"    raise out_of_range({self._clause(clause)}, {variable!r}, {value.text}, {low}, {high})")
        place = self.algebra.column(variable, index)
        if column.over_cells:
            assert index is not None
            self._write(place, index, value, column.as_bytes)
        else:
            self.change(f"{place} = {value.text}")

    def existing(self, variable: str, index: Code, clause: EffectClause) -> Code:
        """The index, tested to exist: a step may lead nowhere, and `nothing` shows no terrain."""
        kind, index = self.algebra.layout.columns[variable].variable.index, self.writer.share(index)
        if isinstance(kind, types.Cell | types.Pair) or kind in {types.TERRAIN, *self.algebra.instance.optional}:
            none = self.algebra.instance.absent(kind)
            self.line(f"if {index.text} == {none}: raise undefined_index({self._clause(clause)}, {variable!r})")
        return index

    def _write(self, place: str, index: Code, value: Code, as_bytes: bool) -> None:
        """Change one value of a column over cells."""
        at = self.writer.share(index).text
        if not as_bytes:
            self.change(f"{place} = {place}[:{at}] + ({value.text},) + {place}[{at} + 1 :]")
        elif value.known is not None:
            self.change(f"{place} = written({place}, {at}, {bytes((value.known,))!r})")
        else:
            table = self.algebra.keep("BYTE", "", tuple(bytes((number,)) for number in range(256)))
            self.change(f"{place} = written({place}, {at}, {table}[{value.text}])")

    def put(self, space: str, cell: Code, tile: Code, clause: EffectClause) -> None:
        cell, tile = self.writer.share(cell), self.writer.share(tile)
        place, nowhere = self.algebra.column(space, None), self.algebra.instance.windows[space].nowhere
        self.line(f"if {cell.text} == {nowhere} or {place}[{cell.text}]:")
        self.line(f"    raise cannot_put({self._clause(clause)}, {space!r})")
        self._write(place, cell, tile, self.algebra.layout.columns[space].as_bytes)

    def clear(self, space: str, cell: Code, clause: EffectClause) -> Code:
        cell = self.writer.share(cell)
        tile = self.writer.share(self.algebra.read(space, cell))
        self.line(f"if not {tile.text}:")
        self.line(f"    raise tile_missing({self._clause(clause)}, {space!r})")
        self._write(self.algebra.column(space, None), cell, NO, self.algebra.layout.columns[space].as_bytes)
        return tile

    def remove(self, source: Zone, tile: Code, clause: EffectClause) -> None:
        place = self.algebra.column(*source.zone)
        tile = self.writer.share(tile)
        at = self.writer.fresh("i")
        found = f"{place}.index({tile.text})"
        self.line("try:")
        self.line(f"    {at} = {f'len({place}) - 1 - {place}[::-1].index({tile.text})' if source.bottom else found}")
        self.line("except ValueError:")
        self.line(f"    raise tile_missing({self._clause(clause)}, {source.variable!r}) from None")
        self.change(f"{place} = {place}[:{at}] + {place}[{at} + 1:]")

    def add(self, target: Zone, tile: Code) -> None:
        self._gain(target, f"({tile.text},)", one=True)

    def _gain(self, zone: Zone, tiles: str, one: bool = False, in_order: bool = False) -> None:
        """Add tiles to a zone; `in_order` says that they are sorted as a set is."""
        place = self.algebra.column(*zone.zone)
        if zone.bottom:
            self.change(f"{place} = {place} + {tiles}")
        elif self._is_pile(zone):
            self.change(f"{place} = {tiles if one else tiles + '[::-1]'} + {place}")
        elif one or in_order:
            self.change(f"{place} = tuple(sorted({place} + {tiles})) if {place} else {tiles}")
        else:
            self.change(f"{place} = tuple(sorted({place} + {tiles}))")

    def _is_pile(self, zone: Zone) -> bool:
        return self.algebra.layout.columns[zone.variable].variable.storage is Storage.PILE

    def deal(self, number: Code | None, source: Zone, target: Zone) -> None:
        place, tiles = self.algebra.column(*source.zone), self.writer.fresh("w")
        turned = "[::-1]" if source.bottom else ""
        many = None if number is None else self.writer.share(number).text
        self.line(f"{tiles} = {place}{turned}")
        with self.writer.block(f"if {tiles}:" if many is None else f"if {tiles} and {many} > 0:", BlockKind.GUARD):
            self.line(f"{place} = ()" if many is None else f"{place} = {tiles}[{many}:]{turned}")
            in_order = many is None and not self._is_pile(source)
            self._gain(target, tiles if many is None else f"{tiles}[:{many}]", in_order=in_order)

    def shuffle(self, variable: str, index: Code | None) -> None:
        place = self.algebra.column(variable, index)
        self.change(f"{place}, t[{SEED}] = shuffled({place}, t[{SEED}])")

    def copied(self, domain: PythonSet) -> PythonSet:
        return PythonSet(f"tuple({domain.text})", interval=domain.interval)

    def listed(self, domain: PythonSet) -> PythonSet:
        name = self.writer.fresh("k")
        self.line(f"{name} = tuple({domain.text})")
        return PythonSet(name, domain.repeats, interval=domain.interval)


# Generates Python from a grounded game --------------------------------------------------------------------------------


def write(instance: Instance, layout: StateLayout, flow: tuple[flow_graph.Instruction, ...], wanted: Wanted) -> PythonProgram:
    """Write and compile some functions. Raises `RulesError` RW252 if the rules grow too large."""
    writer = _PythonWriter(instance, flow, wanted.horizon, Writer(4 * instance.game.limits.written), layout)
    try:
        match wanted.what:
            case Part.QUERIES:
                writer.queries()
            case Part.MOVES:
                writer.moves()
            case Part.BEGINNING:
                writer.beginning()
            case term:
                writer.value("value", term)
        return PythonProgram.of(writer.text(), writer.constants, writer.asked)
    # Python itself rejects a text that is nested too deeply, with a different error for each part of it.
    except (TooLarge, SyntaxError, MemoryError, RecursionError) as error:
        message = "the rules grow too large when their definitions are expanded"
        label = Label(largest_clause(instance), "this clause contributes most")
        help = "reduce the number of times that definitions use each other"
        raise RulesError((Diagnostic("RW252", message, (label,), help),)) from error


@define
class _PythonWriter(GameWriter[PythonSet]):
    """Functions of a state `s`, a tuple of columns; those that change it work on `t`, a list of them."""

    layout: StateLayout
    point, counted, done = POINT, COUNTED, "return tuple(t)"
    fault = "raise "
    subject = "s"
    asked: list[str] = field(factory=list, init=False)
    """The queries that the text calls."""

    def begin_subroutine(self, name: str, parameters: Sequence[str]) -> tuple[str, Sequence[str]]:
        return f"def {name}({', '.join(('s', *parameters))}):", ()

    def algebra(self, pure: bool) -> PythonAlgebra:
        return PythonAlgebra(self.writer, self.constants, self.instance, self.subroutines, self.layout, pure)

    def store(self, algebra: CodeAlgebra[PythonSet]) -> PythonStore:
        assert isinstance(algebra, PythonAlgebra)
        return PythonStore(algebra)

    def place_of(self, variable: str) -> int:
        return self.layout.position(variable, None)

    def value_at(self, place: int) -> str:
        return f"t[{place}]"

    def assign(self, place: int, value: str) -> None:
        self.writer.line(f"t[{place}] = {value}")

    def has_legal(self, choice: flow_graph.ChoicePoint) -> str:
        self.asked.append(f"legal_{choice.number}")
        return f"{self.asked[-1]}(t)"

    @contextmanager
    def trial(self) -> Iterator[None]:
        self.writer.line("t = list(s)")
        with self.writer.block("try:", BlockKind.BODY):
            yield
        self.writer.line("except PlayError: return 1")

    def _define(self, text: str) -> None:
        """Add a line between the functions."""
        self.functions.append(Block("", BlockKind.BODY, [text]))

    def queries(self) -> None:
        """Write the functions that read a state."""
        self.write_trials(self._parameters)
        for choice in self.choices:
            with self.function(f"def legal_{choice.number}(s):"):
                self.writer.line("out = []")
                self.list_moves(choice, self._found)
                self.writer.line("return out")
        for number, score in enumerate(self.instance.game.scores):
            self.value(f"score_{number}", score.value)
        # OVER is -1, so the function for finished games comes last.
        with self.function("def ended(s):"):
            self.writer.line("return []")
        self._define(f"LEGAL = ({''.join(f'legal_{choice.number}, ' for choice in self.choices)}ended, )")
        with self.function("def legal(s):"):
            self.writer.line(f"return LEGAL[s[{POINT}]](s)")

    def _found(self, number: int, arguments: Sequence[Code]) -> None:
        move = "".join(f", {argument.text}" for argument in arguments)
        self.writer.line("out.append(STOP)" if number < 0 else f"out.append(({number}{move},))")

    def value(self, name: str, term: terms.Term) -> None:
        """Write a function that returns the value of a term without free names."""
        with self.function(f"def {name}(s):"):
            self.writer.line(f"return {self.computed(term, {}).text}")

    def moves(self) -> None:
        """Write the functions that apply moves."""
        appliers: dict[tuple[int, int], str] = {}
        for choice in self.choices:
            for number in self.offered(choice):
                appliers[choice.number, number] = self._applier(choice, number)
            if choice.stop:
                appliers[choice.number, -1] = name = f"stop_{choice.number}"
                with self.function(f"def {name}(s, m):"):
                    self.writer.line("t = list(s)")
                    self._go(choice.leave)
        self._flow(flow_graph.reachable_from_choices(self.flow))
        rows = [[appliers.get((choice.number, at)) for at in (*range(len(self.actions)), -1)] for choice in self.choices]
        table = "".join(f"({''.join(f'{name}, ' for name in row)}), " for row in rows)
        self._define(f"APPLY = ({table})")
        with self.function("def apply(s, m):"):
            self.writer.line(f"return APPLY[s[{POINT}]][m[0]](s, m)")

    def beginning(self) -> None:
        """Write the function that runs the set-up."""
        self._flow(flow_graph.reachable_from(self.flow, (0,)))
        with self.function("def begin(t):"):
            self.writer.line("return flow(t, 0)")

    def _parameters(self, number: int) -> dict[str, Code]:
        return {one.name: Code(f"p{at}", simple=True) for at, one in enumerate(self.actions[number].parameters)}

    def _applier(self, choice: flow_graph.ChoicePoint, number: int) -> str:
        name, action = f"apply_{choice.number}_{number}", self.actions[number]
        env = self._parameters(number)
        with self.function(f"def {name}(s, m):"):
            if env:
                self.writer.line(f"_, {', '.join(code.text for code in env.values())} = m")
            self.writer.line("t = list(s)")
            store = self.run(action.effects, env)
            if store.stops:
                self._go(choice.leave)
            elif store.may_stop:
                self.writer.line(f"return flow(t, {choice.leave} if stopped else {choice.resume})")
            else:
                self._go(choice.resume)
        return name

    def _go(self, target: int) -> None:
        """Continue at an instruction: inline if it is a choice that can always be stopped."""
        while isinstance(instruction := self.flow[target], flow_graph.Jump):
            target = instruction.target
        if isinstance(instruction, flow_graph.ChoicePoint) and instruction.stop:
            self.assign(POINT, str(instruction.number))
            self.writer.line(self.done)
        else:
            self.writer.line(f"return flow(t, {target})")

    def _flow(self, wanted: Sequence[int]) -> None:
        spans = [i.span for i in self.flow if isinstance(i, flow_graph.JumpIfFalse | flow_graph.ChoicePoint)]
        self.constants["FLOW_SPAN"] = spans[0] if spans else effects.End(False).span
        with self.function("def flow(t, at):"):
            self.follow(wanted)
            self.writer.line(f"raise endless_flow(FLOW_SPAN, {self.instance.game.limits.flow})")
