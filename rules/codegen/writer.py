"""Program text under construction: nested blocks, named common subexpressions, loop-invariant code motion."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from enum import Enum

from rulewright.base.records import define, evolve, field, frozen

from .intervals import TRUTH, Interval
from .tabulated import ValueTable

LONGEST = 200_000
"""The most characters of an expression."""


class TooLarge(Exception):
    """The program is longer than the rules of a game may make it."""


@frozen(eq=False)
class Code:
    """An expression as text. Its value lies in `interval`, if known.

    `simple` text is free to repeat. A `loose` truth value may be any number, with nonzero meaning true. `table` has the value
    for each value of a variable that alone determines it. `negated` is the expression that this one negates; `parts` are the
    operands of a junction, a conjunction if `is_conjunction`. `nonzero` is text that is true where the value is not 0. With a
    `neighbour`, the value is the cell next to that one in the direction `direction`.
    """

    text: str
    interval: Interval | None = None
    simple: bool = False
    loose: bool = False
    table: ValueTable | None = None
    negated: Code | None = None
    parts: tuple[Code, ...] = ()
    is_conjunction: bool = False
    nonzero: str = ""
    neighbour: Code | None = None
    direction: int = -1

    def __attrs_post_init__(self) -> None:
        if len(self.text) > LONGEST:
            raise TooLarge(LONGEST)

    @property
    def known(self) -> int | None:
        """The value, if only one is possible."""
        interval = self.interval
        return interval.low if interval is not None and interval.low == interval.high else None

    @property
    def bounds(self) -> Interval:
        """The interval, which languages of machine words know for every value."""
        if self.loose:
            return TRUTH
        assert self.interval is not None
        return self.interval

    def named(self, name: str) -> Code:
        """The same value, held by a variable of that name."""
        return evolve(self, text=name, simple=True, nonzero="")


def constant(value: int) -> Code:
    return Code(str(value) if value >= 0 else f"({value})", Interval(value, value), simple=True)


YES, NO = constant(1), constant(0)


def truth(text: str) -> Code:
    """A truth value, 0 or 1."""
    return Code(text, TRUTH)


NAMES = re.compile(r"\b[a-z]\d+\b")
"""The variables that a writer creates."""

LOOPS = re.compile(r"^(?:for|while) |\bdefine_\d+\(")
"""What takes longer than to look whether it was done before: loops, and calls of functions."""

LONG = 60
"""Longer code is written once, in a loop, instead of for each of a few known elements."""


class BlockKind(Enum):
    """Whether a computation may leave a block: leaving a loop pays, leaving a guard does not. An effect changes the state."""

    BODY = "body"
    EFFECT = "effect"
    LOOP = "loop"
    GUARD = "guard"
    PART = "part"


@define(eq=False)
class Block:
    """Lines and inner blocks under one header. `shared` maps expressions to their variables; `names` are bound here."""

    header: str
    kind: BlockKind
    lines: list[str | Block] = field(factory=list)
    shared: dict[str, str] = field(factory=dict)
    names: list[str] = field(factory=list)

    @property
    def is_idle(self) -> bool:
        """Whether the block does nothing: conditions and domains have no effects of their own."""
        tests = self.kind in (BlockKind.EFFECT, BlockKind.GUARD, BlockKind.LOOP)
        return tests and all(isinstance(line, Block) and line.is_idle for line in self.lines)

    def mentions(self, names: Collection[str]) -> bool:
        """Whether a line of the block, or of an inner block, mentions one of the variables."""
        if not names:
            return False
        texts = (line.header if isinstance(line, Block) else line for line in self.lines)
        return any(not set(names).isdisjoint(NAMES.findall(text)) for text in texts) or any(
            line.mentions(names) for line in self.lines if isinstance(line, Block)
        )

    def texts(self) -> Iterator[str]:
        """All lines and headers, with those of inner blocks."""
        for line in self.lines:
            if isinstance(line, Block):
                yield line.header
                yield from line.texts()
            else:
                yield line

    def render(self, indent: int, out: list[str]) -> None:
        """Append the text of the block: nothing if it is idle, `pass` if it is empty."""
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
    """The open blocks, outermost first. Names are unique in the whole text, so equal texts have equal values.

    `levels` has the stack index of the block that binds a variable; code that does not depend on it may leave that block.
    Raises `TooLarge` beyond `limit` lines.
    """

    limit: int
    stack: list[Block] = field(factory=list)
    levels: dict[str, int] = field(factory=dict)
    size: int = 0
    is_trying: bool = False
    most: int = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.most = self.limit

    @property
    def top(self) -> int:
        return len(self.stack) - 1

    def level_of(self, text: str) -> int:
        """The stack index of the innermost block that binds a variable of some text."""
        return max((self.levels.get(name, 0) for name in NAMES.findall(text)), default=0)

    def fresh(self, prefix: str, level: int | None = None) -> str:
        """A new variable, in the innermost block unless a level is given."""
        level = self.top if level is None else level
        name = f"{prefix}{len(self.levels) + 1}"
        self.levels[name] = level
        if level <= self.top:
            self.stack[level].names.append(name)
        return name

    def line(self, text: str) -> None:
        self._count()
        self.stack[-1].lines.append(text)

    def _count(self) -> None:
        self.size += 1
        if self.size > self.limit:
            raise TooLarge(self.limit)

    def is_long(self, write: Callable[[], None]) -> bool:
        """Whether `write` writes more than LONG lines. Its text is discarded, except what has left its block."""
        if self.is_trying:
            return False
        stack, size, limit = list(self.stack), self.size, self.limit
        self.is_trying, self.limit = True, min(limit, size + LONG)
        try:
            with self.aside():
                write()
        except TooLarge:
            return True
        finally:
            self.stack[:], self.size, self.limit, self.is_trying = stack, size, limit, False
        return False

    # Blocks -----------------------------------------------------------------------------------

    def open(self, header: str, kind: BlockKind) -> Block:
        """Open a block inside the innermost one."""
        block = Block(header, kind)
        self.stack[-1].lines.append(block)
        self.stack.append(block)
        return block

    @contextmanager
    def block(self, header: str, kind: BlockKind = BlockKind.GUARD) -> Iterator[Block]:
        block = self.open(header, kind)
        yield block
        self.stack.pop()

    @contextmanager
    def loop(self, prefix: str, elements: str, kind: BlockKind = BlockKind.LOOP) -> Iterator[str]:
        """A `for` loop; yields the name of the loop variable."""
        name = self.fresh(prefix, self.top + 1)
        with self.block(f"for {name} in {elements}:", kind):
            yield name

    @contextmanager
    def aside(self, header: str = "") -> Iterator[Block]:
        """A block not yet in the text: `attach` or `splice` it, or discard it."""
        block = Block(header, BlockKind.PART)
        self.stack.append(block)
        yield block
        self.stack.pop()

    @contextmanager
    def into(self, block: Block) -> Iterator[None]:
        """Go on with a block that was written aside."""
        self.stack.append(block)
        yield
        self.stack.pop()

    @contextmanager
    def elsewhere(self, block: Block) -> Iterator[None]:
        """Write into a separate block, which counts in no trial."""
        stack, size, limit, is_trying = self.stack, self.size, self.limit, self.is_trying
        self.stack, self.is_trying = [block], False
        if is_trying:
            self.limit = self.most
        try:
            yield
        finally:
            self.stack, self.limit, self.is_trying = stack, limit, is_trying
            if is_trying:
                self.size = size

    def attach(self, block: Block) -> None:
        """Append a block that was written aside to the innermost one."""
        self.stack[-1].lines.append(block)

    def splice(self, block: Block) -> None:
        """Append the lines of a block that was written aside to the innermost one."""
        here = self.stack[-1]
        here.lines += block.lines
        here.shared.update(block.shared)
        here.names += block.names
        self.levels.update(dict.fromkeys(block.names, self.top))

    # Common subexpressions --------------------------------------------------------------------

    def forget(self) -> None:
        """Invalidate all shared values, because the state has changed."""
        for block in self.stack:
            block.shared.clear()

    def recall(self, code: Code) -> Code:
        """The variable that holds the value of an expression, if there is one, else the expression."""
        for block in self.stack:
            if code.text in block.shared:
                return code.named(block.shared[code.text])
        return code

    def share(self, code: Code, always: bool = True, prefix: str = "v") -> Code:
        """Assign an expression to a variable, before the outermost loop that it does not depend on.

        Without `always`, only if it thereby leaves a loop. An expression without variables also leaves the parts of a
        condition: it is cheap, and other parts will use it.
        """
        if code.simple or code.known is not None:
            return code
        found = self.recall(code)
        if found is not code:
            return found
        target = self._place(self.level_of(code.text), always)
        if target == self.top and not always:
            return code
        name = self.fresh(prefix, target)
        self._insert(target, f"{name} = {code.text}")
        self.stack[target].shared[code.text] = name
        return code.named(name)

    def keep(self, code: Code, known_as: str, is_total: bool) -> Code:
        """Assign an expression to a variable under another text, which `recall` finds; before loops if it is total."""
        target = self._place(self.level_of(code.text), False) if is_total else self.top
        name = self.fresh("l", target)
        self._insert(target, f"{name} = {code.text}")
        self.stack[target].shared[known_as] = name
        return code.named(name)

    def share_here(self, code: Code) -> Code:
        """Assign an expression to a variable at the current position."""
        name = self.fresh("v")
        self.line(f"{name} = {code.text}")
        self.stack[-1].shared[code.text] = name
        return code.named(name)

    def once(self, compute: Callable[[], Code]) -> Code:
        """A value that code computes by a loop, or by a function: when it is first needed, for all turns of the loops that it
        does not depend on."""
        with self.aside() as block:
            code = compute()
        texts = [*block.texts(), code.text]
        levels = (self.levels.get(name, 0) for text in texts for name in NAMES.findall(text))
        target = self._outside_loops(max((level for level in levels if level <= self.top), default=0))
        interval = TRUTH if code.loose else code.interval
        if target is None or interval is None or not any(LOOPS.search(text) for text in texts):
            self.splice(block)
            return code
        name, unknown = self.fresh("k", target), interval.low - 1
        self._insert(target, f"{name} = {unknown}")
        block.header = f"if {name} == {unknown}:"
        block.lines.append(f"{name} = (not not {code.text})" if code.loose else f"{name} = {code.text}")
        self.attach(block)
        # Under a name of this block, which what depends on it does not leave: before, the value is not known.
        return self.share_here(Code(name, interval))

    def _outside_loops(self, level: int) -> int | None:
        """The outermost block of that level or more with only loops and conditions between it and the innermost; None if there
        is no loop."""
        target = None
        for at in range(self.top, level, -1):
            match self.stack[at].kind:
                case BlockKind.BODY | BlockKind.EFFECT:
                    break
                case BlockKind.LOOP:
                    target = at - 1
                case BlockKind.GUARD | BlockKind.PART:
                    pass
        return target

    def _place(self, level: int, always: bool) -> int:
        """The block in which to compute something of that level; the innermost if leaving it gains nothing."""
        target = at = self.top
        while at > level:
            kind = self.stack[at].kind
            if kind is BlockKind.LOOP or (kind is BlockKind.PART and level == 0 and always):
                target = at - 1
            elif kind is not BlockKind.PART or not always:
                break
            at -= 1
        return target

    def _insert(self, target: int, text: str) -> None:
        """Insert a line at the end of an open block, before its open inner block."""
        self._count()
        lines, inner = self.stack[target].lines, self.stack[target + 1 :]
        at = next((n for n in range(len(lines) - 1, -1, -1) if any(lines[n] is block for block in inner)), len(lines))
        lines.insert(at, text)
