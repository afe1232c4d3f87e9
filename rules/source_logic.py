"""Truth and numbers as Python text. What is known folds away, and what hangs on one value of few is looked up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Any

from attrs import evolve, field

from ..grammar.classes import define
from ..grammar.expressions import Comparison, Operator
from .blocks import Code, Image, Kind, Writer, constant
from .concrete import arithmetic, compare
from .images import Knowledge, merged, row


@define
class Logic:
    """Writes to `writer`; `constants` are what the text refers to by name, `knowledge` what tests left possible."""

    writer: Writer
    constants: dict[str, Any]
    knowledge: Knowledge = field(factory=Knowledge, init=False)

    def constant(self, value: int) -> Code:
        return constant(value)

    def share(self, value: Code, uses: int) -> Code:
        return self.writer.share(value) if uses > 1 else value

    def table(self, image: Image, level: int, loose: bool = False) -> Code:
        values = row(image)
        name = next((n for n, v in self.constants.items() if type(v) is tuple and v == values), None)
        name = name or self.keep("TABLE", str(len(self.constants)), values)
        return Code(f"{name}[{image.of}]", level, loose=loose, image=image)

    def keep(self, kind: str, name: str, value: Any) -> str:
        """Give a constant of the generated module a name of its own: the same for the same kind and name."""
        identifier = f"{kind}_{name.replace('_', '__').replace('.', '_o_')}"
        self.constants.setdefault(identifier, value)
        return identifier

    def negation(self, value: Code) -> Code:
        image = self.knowledge.merged([value], lambda v: not v)
        if isinstance(image, int):
            return constant(image)
        if value.negated is not None:
            return evolve(value.negated, loose=True)
        return Code(f"(not {value.text})", value.level, simple=value.simple, image=image, negated=value)

    def conjunction(self, parts: Sequence[Callable[[], Code]]) -> Code:
        return self._junction(parts, "and", 0)

    def disjunction(self, parts: Sequence[Callable[[], Code]]) -> Code:
        return self._junction(parts, "or", 1)

    def _junction(self, parts: Sequence[Callable[[], Code]], word: str, settles: int) -> Code:
        """`settles` is the truth value that decides at once; a part that needs lines of its own is put under an `if`."""
        with ExitStack() as known:
            return self._parts(parts, word, settles, known)

    def _parts(self, parts: Sequence[Callable[[], Code]], word: str, settles: int, known: ExitStack) -> Code:
        found: list[Code] = []
        name = ""
        for part in parts:
            block = self.writer.open("if True:", Kind.PART, attach=False)
            code = self.settled(part())
            self.writer.close()
            known.enter_context(self.knowledge.given(code, settles == 0))
            if block.lines and found:
                so_far = self._joined(found, word)
                if so_far.text != name:
                    name = name or self.writer.fresh("r")
                    self.writer.line(f"{name} = {so_far.text}")
                block.header = f"if {name}:" if word == "and" else f"if not {name}:"
                block.lines.append(f"{name} = {code.text}")
                self.writer.stack[-1].lines.append(block)
                found = [Code(name, self.writer.top, loose=True, simple=True)]
                continue
            for line in block.lines:
                self.writer.stack[-1].lines.append(line)
            self.writer.stack[-1].shared.update(block.shared)
            if code.known is not None:
                if bool(code.known) == bool(settles):
                    return constant(settles)
                continue
            found.append(code)
        if not found:
            return constant(1 - settles)
        return self._joined(found, word)

    def _joined(self, found: list[Code], word: str) -> Code:
        """Parts that hang on the same value are put together in one table, in the place of the first."""
        conjunct = word == "and"
        grouped: dict[str, list[Code]] = {}
        for code in (p for c in found for p in (c.parts if c.conjunct == conjunct and not c.simple else (c,))):
            grouped.setdefault(f"({code.text})" if code.image is None else code.image.of, []).append(code)
        tabled = [self._tabled(codes, all if conjunct else any) for codes in grouped.values()]
        if any(code.known == (not conjunct) for code in tabled):
            return constant(int(not conjunct))
        parts = [code for code in tabled if code.known is None]
        if len(parts) <= 1:
            return parts[0] if parts else constant(int(conjunct))
        text, level = f"({f' {word} '.join(c.text for c in parts)})", max(c.level for c in parts)
        return Code(text, level, loose=True, parts=tuple(parts), conjunct=conjunct)

    def _tabled(self, codes: list[Code], junction: Callable[[Sequence[int]], bool]) -> Code:
        image = merged(codes, lambda *values: junction(values)) if len(codes) > 1 else None
        if isinstance(image, int):
            return constant(image)
        return codes[0] if image is None else self.table(image, codes[0].level)

    def settled(self, code: Code) -> Code:
        """The constant that it comes to, if tests passed before leave but one."""
        if code.known is not None or code.image is None:
            return code
        only = self.knowledge.only(code.image)
        return code if only is None else constant(only)

    def choice(self, condition: Code, then: Callable[[], Code], otherwise: Callable[[], Code]) -> Code:
        condition = self.settled(condition)
        if condition.known is not None:
            return then() if condition.known else otherwise()
        name = self.writer.fresh("c")
        blocks = []
        for header, truth, thunk in ((f"if {condition.text}:", True, then), ("else:", False, otherwise)):
            block = self.writer.open(header, Kind.PART, attach=False)
            with self.knowledge.given(condition, truth):
                code = thunk()
            self.writer.close()
            blocks.append((block, code))
        (one, a), (other, b) = blocks
        if not one.lines and not other.lines:
            level, loose = max(condition.level, a.level, b.level), a.loose or b.loose
            image = self.knowledge.merged([condition, a, b], lambda c, x, y: x if c else y)
            if isinstance(image, int):
                return constant(image)
            if image is not None:
                return self.table(image, level, loose)
            return Code(f"({a.text} if {condition.text} else {b.text})", level, loose=loose)
        for block, code in blocks:
            block.lines.append(f"{name} = {code.text}")
            self.writer.stack[-1].lines.append(block)
        return Code(name, self.writer.top, loose=a.loose or b.loose, simple=True)

    def compare(self, operator: Comparison, left: Code, right: Code) -> Code:
        left, right = self.settled(self.exact(left)), self.settled(self.exact(right))
        image = self.knowledge.merged([left, right], lambda a, b: compare(operator, a, b))
        if isinstance(image, int):
            return constant(image)
        if left.known is not None and operator in (Comparison.EQUAL, Comparison.UNEQUAL):
            left, right = right, left
        if right.known == 0 and operator in (Comparison.EQUAL, Comparison.UNEQUAL):
            text, simple = left.bare or left.text, left.simple or left.bare.isidentifier()
            nonzero = evolve(left, text=text, loose=True, simple=simple, bare="")
            return nonzero if operator is Comparison.UNEQUAL else self.negation(nonzero)
        level = max(left.level, right.level)
        sign = "==" if operator is Comparison.EQUAL else operator.value
        return Code(f"({left.text} {sign} {right.text})", level, image=image)

    def exact(self, value: Code) -> Code:
        """A loose truth value made one that compares."""
        if not value.loose:
            return value
        image = None if value.image is None else evolve(value.image, values=tuple(int(bool(v)) for v in value.image.values))
        return Code(f"(not not {value.text})", value.level, image=image)

    def arithmetic(self, operator: Operator, left: Code, right: Code) -> Code:
        left, right = self.exact(left), self.exact(right)
        image = self.knowledge.merged([left, right], lambda a, b: arithmetic(operator, a, b))
        if isinstance(image, int):
            return constant(image)
        level = max(left.level, right.level)
        match operator:
            case Operator.PLUS | Operator.MINUS | Operator.TIMES:
                return Code(f"({left.text} {operator.value} {right.text})", level, image=image)
            case Operator.DIV | Operator.MOD:
                sign = "//" if operator is Operator.DIV else "%"
                right = self.writer.share(right)
                if right.known is not None:
                    return Code(f"({left.text} {sign} {right.text})", level) if right.known else constant(0)
                return Code(f"({left.text} {sign} {right.text} if {right.text} else 0)", level)
