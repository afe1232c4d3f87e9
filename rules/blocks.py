"""Python text under construction: nested blocks, shared subexpressions, what does not change in a loop moved before it."""

from __future__ import annotations

from enum import Enum

from attrs import evolve, field

from ..grammar.classes import define, frozen


class Kind(Enum):
    """What a block is for whoever moves a computation outwards: out of a loop it pays, out of a guard it does not."""

    BODY = "body"
    LOOP = "loop"
    GUARD = "guard"
    PART = "part"


@frozen
class Image:
    """What something comes to for each value that the text `of` may have, which is of few values."""

    of: str
    domain: range
    values: tuple[int, ...]


@define(eq=False)
class Code:
    """A value as Python text. `level` is the block that binds the names in it; `known` is its value when it is constant.

    `base` and `direction` say that it is the cell one step from another. `loose` truth values may be anything that
    Python takes for true. A `simple` text costs nothing to repeat. `image` says what it hangs on when that is one value
    of few. `parts` are those of a junction: of a conjunction if `conjunct` is true. `bare` is a text that is true when
    the number is not 0.
    """

    text: str
    level: int = 0
    known: int | None = None
    base: Code | None = None
    direction: int = -1
    loose: bool = False
    simple: bool = False
    image: Image | None = None
    negated: Code | None = None
    parts: tuple[Code, ...] = ()
    conjunct: bool | None = None
    bare: str = ""


def constant(value: int) -> Code:
    return Code(str(value) if value >= 0 else f"({value})", 0, value, simple=True)


YES, NO = constant(1), constant(0)


@define(eq=False)
class Block:
    """Lines and inner blocks under one header."""

    header: str
    kind: Kind
    lines: list[str | Block] = field(factory=list)
    shared: dict[str, str] = field(factory=dict)

    @property
    def is_idle(self) -> bool:
        """Whether leaving the block out changes nothing: conditions and domains have no effect of their own."""
        tests = self.kind in (Kind.GUARD, Kind.LOOP)
        return tests and all(isinstance(line, Block) and line.is_idle for line in self.lines)

    def render(self, indent: int, out: list[str]) -> None:
        """Append the text of the block; an empty one becomes `pass`, or nothing at all where it only tests."""
        if self.is_idle:
            return
        if self.header:
            out.append("    " * indent + self.header)
            indent += 1
        if not self.lines and self.header:
            out.append("    " * indent + "pass")
        for line in self.lines:
            if isinstance(line, Block):
                line.render(indent, out)
            else:
                out.append("    " * indent + line)


@define
class Writer:
    """The blocks open now, outermost first. Names are unique in the whole text."""

    stack: list[Block] = field(factory=list)
    names: int = 0
    size: int = 0
    limit: int = 200_000

    @property
    def top(self) -> int:
        return len(self.stack) - 1

    def fresh(self, prefix: str) -> str:
        self.names += 1
        return f"{prefix}{self.names}"

    def line(self, text: str) -> None:
        self._count()
        self.stack[-1].lines.append(text)

    def _count(self) -> None:
        self.size += 1
        if self.size > self.limit:
            raise TooLarge(self.limit)

    def open(self, header: str, kind: Kind, attach: bool = True) -> Block:
        """Open a block inside the innermost one; `attach` puts it into the text at once."""
        block = Block(header, kind)
        if attach:
            self.stack[-1].lines.append(block)
        self.stack.append(block)
        return block

    def close(self) -> None:
        self.stack.pop()

    def forget(self) -> None:
        """The state has changed: nothing computed before may stand for what is computed after."""
        for block in self.stack:
            block.shared.clear()

    def share(self, code: Code, always: bool = True) -> Code:
        """Give a computation a name, before the outermost loop that it does not depend on.

        Without `always`, only if it leaves a loop by that. What depends on nothing bound is not put into a part of a
        condition either: it is cheap, and other parts will want it.
        """
        if code.simple or code.known is not None:
            return code
        for block in self.stack:
            if code.text in block.shared:
                return self._named(code, block.shared[code.text], self.stack.index(block))
        target = self._place(code.level, always)
        if target == self.top and not always:
            return code
        name = self.fresh("v")
        self._insert(target, f"{name} = {code.text}")
        self.stack[target].shared[code.text] = name
        return self._named(code, name, target)

    def recall(self, code: Code) -> Code:
        """The name of a computation that has one already, else the computation."""
        for level, block in enumerate(self.stack):
            if code.text in block.shared:
                return self._named(code, block.shared[code.text], level)
        return code

    def share_all(self, codes: list[Code], text: str) -> list[Code]:
        """Name several computations at once: `text` gives all of their values together."""
        for block in self.stack:
            if all(code.text in block.shared for code in codes):
                return [self._named(code, block.shared[code.text], self.stack.index(block)) for code in codes]
        target = self._place(max(code.level for code in codes), True)
        names = [self.fresh("v") for _ in codes]
        self._insert(target, f"{', '.join(names)}, = {text}" if len(names) == 1 else f"{', '.join(names)} = {text}")
        self.stack[target].shared.update((code.text, name) for code, name in zip(codes, names, strict=True))
        return [self._named(code, name, target) for code, name in zip(codes, names, strict=True)]

    def _place(self, level: int, always: bool) -> int:
        """The block to compute something of that level in; the innermost when nothing is won by leaving it."""
        target = at = self.top
        while at > level:
            kind = self.stack[at].kind
            if kind is Kind.LOOP or (kind is Kind.PART and level == 0 and always):
                target = at - 1
            elif kind is not Kind.PART or not always:
                break
            at -= 1
        return target

    def _named(self, code: Code, name: str, level: int) -> Code:
        return evolve(code, text=name, level=level, simple=True, bare="")

    def _insert(self, target: int, text: str) -> None:
        self._count()
        lines = self.stack[target].lines
        inner = next((b for b in self.stack[target + 1 :] if any(line is b for line in lines)), None)
        at = len(lines) if inner is None else next(i for i, line in enumerate(lines) if line is inner)
        lines.insert(at, text)


class TooLarge(Exception):
    """The text written out is larger than a rule text may make it."""
