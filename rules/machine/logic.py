"""Truth and numbers as text in the native subset. What is known folds away."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulewright.base.records import define
from rulewright.grammar.tree.expressions import Comparison, Operator
from rulewright.rules.semantics.concrete_algebra import arithmetic, compare

from .writer import NO, Number, Text, constant, span_of, truth


@define
class Logic:
    """The part of an algebra that looks at values alone."""

    text: Text

    def constant(self, value: int) -> Number:
        return constant(value)

    def share(self, value: Number, uses: int) -> Number:
        return self.text.named(value) if uses > 1 else value

    def inside(self, value: Number, low: int, high: int) -> Number:
        """The value where it must be in a range; a fault, and the least, where it is not."""
        if low <= value.low and value.high <= high:
            return value
        name = self.text.fresh("i")
        self.text.line(f"{name} = {value.text}")
        with self.text.block(f"if {name} < {low} or {name} > {high}:"):
            self.text.line("game.fault = Fault.STOPPED")
            self.text.line(f"{name} = {low}")
        return Number(name, low, high, True)

    def negation(self, value: Number) -> Number:
        if value.known is not None:
            return constant(int(not value.known))
        return truth(f"(not {value.text})")

    def conjunction(self, parts: Sequence[Callable[[], Number]]) -> Number:
        return self._junction(parts, "and", 0)

    def disjunction(self, parts: Sequence[Callable[[], Number]]) -> Number:
        return self._junction(parts, "or", 1)

    def _junction(self, parts: Sequence[Callable[[], Number]], word: str, settles: int) -> Number:
        """`settles` is the truth that decides at once; a part that needs lines of its own is put under an `if`."""
        found: list[str] = []
        for part in parts:
            with self.text.aside() as kept:
                code = part()
            if kept.lines and code.known is None and found:
                name = self.text.fresh("r")
                self.text.line(f"{name} = {f' {word} '.join(found)}")
                with self.text.block(f"if {name}:" if word == "and" else f"if not {name}:"):
                    self.text.insert_inside(kept)
                    self.text.line(f"{name} = {code.text}")
                found = [name]
                continue
            self.text.insert(kept)
            if code.known is not None:
                if bool(code.known) == bool(settles):
                    return constant(settles)
                continue
            found.append(code.text)
        if not found:
            return constant(1 - settles)
        return truth(found[0] if len(found) == 1 else f"({f' {word} '.join(found)})")

    def choice(self, condition: Number, then: Callable[[], Number], otherwise: Callable[[], Number]) -> Number:
        if condition.known is not None:
            return then() if condition.known else otherwise()
        with self.text.aside() as kept:
            one = then()
        with self.text.aside() as other_kept:
            other = otherwise()
        low, high = span_of(one, other)
        if not kept.lines and not other_kept.lines:
            return Number(f"({one.text} if {condition.text} else {other.text})", low, high)
        name = self.text.fresh("c")
        with self.text.block(f"if {condition.text}:"):
            self.text.insert_inside(kept)
            self.text.line(f"{name} = {one.text}")
        with self.text.block("else:"):
            self.text.insert_inside(other_kept)
            self.text.line(f"{name} = {other.text}")
        return Number(name, low, high, True)

    def compare(self, operator: Comparison, left: Number, right: Number) -> Number:
        known = _decided(operator, left, right)
        if known is not None:
            return constant(known)
        sign = {Comparison.EQUAL: "==", Comparison.UNEQUAL: "!="}.get(operator, operator.value)
        return truth(f"({left.text} {sign} {right.text})")

    def arithmetic(self, operator: Operator, left: Number, right: Number) -> Number:
        if left.known is not None and right.known is not None:
            return constant(arithmetic(operator, left.known, right.known))
        match operator:
            case Operator.PLUS | Operator.MINUS | Operator.TIMES:
                corners = [arithmetic(operator, a, b) for a in (left.low, left.high) for b in (right.low, right.high)]
                return Number(f"({left.text} {operator.value} {right.text})", min(corners), max(corners))
            case Operator.DIV | Operator.MOD:
                return self._divided(operator, left, right)

    def _divided(self, operator: Operator, left: Number, right: Number) -> Number:
        if right.known == 0:
            return NO
        if operator is Operator.DIV:
            sign, most = "//", max(abs(left.low), abs(left.high))
            low, high = (0, most) if left.low >= 0 and right.low >= 0 else (-most - 1, most)
        else:
            sign, low, high = "%", min(right.low + 1, 0), max(right.high - 1, 0)
        if right.low > 0 or right.high < 0:
            return Number(f"({left.text} {sign} {right.text})", low, high)
        right = self.text.named(right)
        return Number(f"({left.text} {sign} {right.text} if {right.text} else 0)", low, high)


def _decided(operator: Comparison, left: Number, right: Number) -> int | None:
    """What a comparison comes to when the ranges tell."""
    if left.known is not None and right.known is not None:
        return compare(operator, left.known, right.known)
    below, above = left.high < right.low, left.low > right.high
    match operator:
        case Comparison.EQUAL | Comparison.UNEQUAL:
            return int(operator is Comparison.UNEQUAL) if below or above else None
        case Comparison.LESS:
            return 1 if below else 0 if left.low >= right.high else None
        case Comparison.AT_MOST:
            return 1 if left.high <= right.low else 0 if above else None
        case Comparison.GREATER:
            return 1 if above else 0 if left.high <= right.low else None
        case Comparison.AT_LEAST:
            return 1 if left.low >= right.high else 0 if below else None
