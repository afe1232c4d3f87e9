"""Effects as code: the control flow common to all languages."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence

from rulewright.base.records import define, field
from rulewright.rules.semantics.executor import Store, ZoneEnd

from .algebra import Body, CodeAlgebra, CodeSetT, Item, Test
from .writer import BlockKind, Code, Writer

Zone = ZoneEnd[Code]


@define
class CodeStore(Store[Code, CodeSetT]):
    """`may_stop` and `may_finish` say whether an effect sets `stopped` or `finished`; `stops`, whether one always stops."""

    algebra: CodeAlgebra[CodeSetT]
    may_stop: bool = field(default=False, init=False)
    stops: bool = field(default=False, init=False)
    may_finish: bool = field(default=False, init=False)
    is_long: bool = field(default=False, init=False)
    """Whether the effects may take so long that loops look whether time is over."""
    depth: int = field(default=0, init=False)
    """The nesting of the next effect in conditions and loops."""

    @abstractmethod
    def copied(self, domain: CodeSetT) -> CodeSetT:
        """A copy of a set without items, to iterate while effects change the state."""

    @abstractmethod
    def listed(self, domain: CodeSetT) -> CodeSetT:
        """A permanent copy of a set without items, which effects do not change."""

    @property
    def writer(self) -> Writer:
        return self.algebra.writer

    def line(self, text: str) -> None:
        self.writer.line(text)

    def change(self, text: str) -> None:
        """Write a line that changes the state."""
        self.writer.line(text)
        self.writer.forget()

    def when(self, condition: Code, then: Callable[[], None], otherwise: Callable[[], None] | None) -> None:
        if condition.known is not None:
            chosen = then if condition.known else otherwise
            if chosen is not None:
                chosen()
            return
        condition = self.writer.share(condition)
        self._inside(f"if {condition.text}:", then)
        if otherwise is not None:
            self._inside(f"if not {condition.text}:", otherwise)

    def _inside(self, header: str, body: Callable[[], None]) -> None:
        self.depth += 1
        with self.writer.block(header, BlockKind.GUARD):
            body()
        self.depth -= 1
        self.writer.forget()

    def for_each(self, domain: CodeSetT, where: Test | None, body: Body) -> None:
        """Iterate over the elements as of before the first iteration. Nothing is hoisted: each iteration changes the state."""
        domain = self.copied(domain) if domain.items is None else self._known_now(domain.items)

        def turn(value: Code) -> None:
            self.writer.forget()
            self._inside("", lambda: body(value) if where is None else self.when(where(value), lambda: body(value), None))

        if len(domain.items or ()) > 1 and self._is_long(domain, turn):
            domain = self.algebra.rolled(domain)
        domain.is_long = domain.is_long or self.is_long
        self.algebra.for_each(domain, None, turn, 2, ordered=True)

    def _is_long(self, domain: CodeSetT, turn: Body) -> bool:
        """Whether the effects for one of the unrolled elements take many lines."""
        before = self.depth, self.may_stop, self.stops, self.may_finish
        (first, _), *_ = domain.items or ()
        found = self.writer.is_long(lambda: turn(first))
        self.depth, self.may_stop, self.stops, self.may_finish = before
        return found

    def kept(self, domain: CodeSetT) -> CodeSetT:
        return self.listed(domain) if domain.items is None else self._known_now(domain.items)

    def _known_now(self, items: Sequence[Item]) -> CodeSetT:
        """The elements and their conditions, evaluated before anything changes."""
        share = self.writer.share
        return self.algebra.of_items([(share(item), None if guard is None else share(guard)) for item, guard in items])

    def end(self, game: bool) -> None:
        self.may_finish = self.may_finish or game
        self.may_stop = self.may_stop or not game
        self.stops = self.stops or (not game and self.depth == 0)
        self.line("finished = 1" if game else "stopped = 1")
