"""Truth values and numbers as code: folds constants, and tabulates expressions of one variable with few values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Any

from rulewright.base.deadline import check_deadline
from rulewright.base.records import define, evolve, field
from rulewright.grammar.tree.expressions import Comparison, Operator
from rulewright.rules.semantics.algebra import arithmetic, compare

from . import intervals
from .intervals import EQUALITY, TRUTH
from .tabulated import PathConditions, ValueTable, combined
from .writer import Code, Writer, constant, truth

Thunk = Callable[[], Code]


@define
class Logic:
    """Part of the algebra of code. The text refers to `constants` by name."""

    writer: Writer
    constants: dict[str, Any]
    conditions: PathConditions = field(factory=PathConditions, init=False)

    def constant(self, value: int) -> Code:
        return constant(value)

    def share(self, value: Code, uses: int) -> Code:
        return self.writer.share(value) if uses > 1 else value

    def keep(self, kind: str, name: str, value: Any) -> str:
        """Register a constant of the program; returns its name, the same for the same kind and name."""
        identifier = f"{kind}_{''.join(c if c.isalnum() else '__' if c == '_' else f'_{ord(c):x}_' for c in name)}"
        self.constants.setdefault(identifier, value)
        return identifier

    def lookup_in(self, table: ValueTable, loose: bool = False) -> Code:
        """The value of a table, stored as a constant tuple."""
        start, values = table.domain.start, table.values
        index = table.argument if start >= 0 else f"{table.argument} + {-start}"
        content = (0,) * start + values
        name = next((n for n, v in self.constants.items() if type(v) is tuple and v == content), None)
        name = name or self.keep("TABLE", str(len(self.constants)), content)
        return Code(f"{name}[{index}]", table.interval, loose=loose, table=table)

    def checked(self, code: Code) -> Code:
        """A computed number that fits the language. Raises if it may not."""
        return code

    def settled(self, code: Code) -> Code:
        """The constant that a code equals under the path conditions, else the code."""
        if code.known is not None or code.table is None:
            return code
        only = self.conditions.only_value(code.table)
        return code if only is None else constant(only)

    def exact(self, value: Code) -> Code:
        """A loose truth value as 0 or 1."""
        if not value.loose:
            return value
        table = value.table and evolve(value.table, values=tuple(int(bool(v)) for v in value.table.values))
        return Code(f"(not not {value.text})", TRUTH, table=table)

    # Truth ------------------------------------------------------------------------------------

    def negation(self, value: Code) -> Code:
        table = self.conditions.combined([value], lambda number: not number)
        if isinstance(table, int):
            return constant(table)
        if value.negated is not None:
            return evolve(value.negated, loose=True)
        return Code(f"(not {value.text})", TRUTH, simple=value.simple, table=table, negated=value)

    def conjunction(self, parts: Sequence[Thunk]) -> Code:
        return self._junction(parts, "and", 0)

    def disjunction(self, parts: Sequence[Thunk]) -> Code:
        return self._junction(parts, "or", 1)

    def _junction(self, parts: Sequence[Thunk], word: str, settles: int) -> Code:
        """A conjunction or disjunction; `settles` ends its evaluation. A part that needs statements is put under an `if`."""
        found: list[Code] = []
        name = ""
        with ExitStack() as path:
            for part in parts:
                check_deadline()
                with self.writer.aside() as block:
                    code = self.settled(part())
                path.enter_context(self.conditions.assuming(code, settles == 0))
                if block.lines and found:
                    so_far = self._joined(found, word)
                    if so_far.text != name:
                        name = name or self.writer.fresh("r")
                        self.writer.line(f"{name} = {so_far.text}")
                    block.header = f"if {name}:" if word == "and" else f"if not {name}:"
                    block.lines.append(f"{name} = {code.text}")
                    self.writer.attach(block)
                    found = [Code(name, loose=True, simple=True)]
                    continue
                self.writer.splice(block)
                if code.known is None:
                    found.append(code)
                elif bool(code.known) == bool(settles):
                    return constant(settles)
        return self._joined(found, word)

    def _joined(self, found: list[Code], word: str) -> Code:
        """Merge the parts that depend on the same variable into one table, at the position of the first."""
        is_conjunction = word == "and"
        grouped: dict[str, list[Code]] = {}
        for code in found:
            for part in code.parts if code.parts and code.is_conjunction == is_conjunction and not code.simple else (code,):
                grouped.setdefault(f"({part.text})" if part.table is None else part.table.argument, []).append(part)
        tabled = [self._tabled(codes, all if is_conjunction else any) for codes in grouped.values()]
        if any(code.known is not None and bool(code.known) != is_conjunction for code in tabled):
            return constant(int(not is_conjunction))
        parts = [code for code in tabled if code.known is None]
        if len(parts) <= 1:
            return parts[0] if parts else constant(int(is_conjunction))
        text = f"({f' {word} '.join(code.text for code in parts)})"
        return Code(text, loose=True, parts=tuple(parts), is_conjunction=is_conjunction)

    def _tabled(self, codes: list[Code], junction: Callable[[Sequence[int]], bool]) -> Code:
        table = combined(codes, lambda *values: junction(values)) if len(codes) > 1 else None
        if isinstance(table, int):
            return constant(table)
        return codes[0] if table is None else self.lookup_in(table)

    def choice(self, condition: Code, then: Thunk, otherwise: Thunk) -> Code:
        condition = self.settled(condition)
        if condition.known is not None:
            return then() if condition.known else otherwise()
        with self.writer.aside(f"if {condition.text}:") as one, self.conditions.assuming(condition, True):
            yes = then()
        with self.writer.aside("else:") as other, self.conditions.assuming(condition, False):
            no = otherwise()
        loose, interval = yes.loose or no.loose, intervals.hull(yes.interval, no.interval)
        if one.lines or other.lines:
            name = self.writer.fresh("c")
            for block, code in ((one, yes), (other, no)):
                block.lines.append(f"{name} = {code.text}")
                self.writer.attach(block)
            return Code(name, interval, loose=loose, simple=True)
        table = self.conditions.combined([condition, yes, no], lambda test, one, other: one if test else other)
        if isinstance(table, int):
            return constant(table)
        if table is not None:
            return self.lookup_in(table, loose)
        return Code(f"({yes.text} if {condition.text} else {no.text})", interval, loose=loose)

    # Numbers ----------------------------------------------------------------------------------

    def compare(self, operator: Comparison, left: Code, right: Code) -> Code:
        left, right = self.settled(self.exact(left)), self.settled(self.exact(right))
        table = self.conditions.combined([left, right], lambda one, other: compare(operator, one, other))
        decided = table if isinstance(table, int) else intervals.decided(operator, left.interval, right.interval)
        if decided is not None:
            return constant(decided)
        if left.known is not None and operator in EQUALITY:
            left, right = right, left
        if right.known == 0 and operator in EQUALITY:
            simple = left.simple or left.nonzero.isidentifier()
            nonzero = evolve(left, text=left.nonzero or left.text, loose=True, simple=simple, nonzero="")
            return nonzero if operator is Comparison.UNEQUAL else self.negation(nonzero)
        sign = {Comparison.EQUAL: "==", Comparison.UNEQUAL: "!="}.get(operator, operator.value)
        assert not isinstance(table, int)
        return evolve(truth(f"({left.text} {sign} {right.text})"), table=table)

    def arithmetic(self, operator: Operator, left: Code, right: Code) -> Code:
        left, right = self.exact(left), self.exact(right)
        table = self.conditions.combined([left, right], lambda one, other: arithmetic(operator, one, other))
        if isinstance(table, int):
            return self.constant(table)
        interval = intervals.combined(operator, left.interval, right.interval)
        match operator:
            case Operator.PLUS | Operator.MINUS | Operator.TIMES:
                return self.checked(Code(f"({left.text} {operator.value} {right.text})", interval, table=table))
            case Operator.DIV | Operator.MOD:
                if right.known == 0:
                    return constant(0)
                sign = "//" if operator is Operator.DIV else "%"
                if right.interval is not None and not right.interval.low <= 0 <= right.interval.high:
                    return Code(f"({left.text} {sign} {right.text})", interval)
                right = self.writer.share(right)
                return Code(f"({left.text} {sign} {right.text} if {right.text} else 0)", interval)
