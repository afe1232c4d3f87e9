"""Terms and effects as code: a loop over few elements is unrolled, unless the code would grow too long; sets are called."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Generic

from rulewright.base.records import define, evolve, field
from rulewright.rules.model import terms
from rulewright.rules.model.traversal import conjuncts, locals_in
from rulewright.rules.model.types import SetOperator
from rulewright.rules.semantics.algebra import Env, Function
from rulewright.rules.semantics.cost_bounds import is_long, length_of
from rulewright.rules.semantics.costs import MOST_UNROLLED
from rulewright.rules.semantics.evaluator import Evaluator
from rulewright.rules.semantics.executor import Store, ZoneEnd

from .algebra import Body, CodeAlgebra, CodeSetT, Item, Test
from .writer import BlockKind, Code, Writer


@define
class CodeEvaluator(Evaluator[Code, CodeSetT], Generic[CodeSetT]):
    """Evaluates terms in an algebra of code."""

    algebra: CodeAlgebra[CodeSetT]

    def domain_and_test(self, binder: terms.Binder, env: Env, *bodies: terms.Term) -> tuple[CodeSetT, Function[Code] | None]:
        domain, test = super().domain_and_test(binder, env, *bodies)
        domain = self.bounded(domain, binder.where, *bodies)
        if domain.items is None and is_long(self.instance, binder, *bodies):
            domain = evolve(domain, is_long=True)
        return domain, test

    def bounded(self, domain: CodeSetT, *code: terms.Term | None) -> CodeSetT:
        """A domain to loop over, if unrolling terms for each element would produce too much code."""
        times = len(domain.items or ())
        too_long = times > 1 and times * length_of(self.instance, *code) > MOST_UNROLLED
        return self.algebra.rolled(domain) if too_long else domain

    def set(self, term: terms.Term, env: Env) -> CodeSetT:
        """The value of a set: by a call if a definition has a function, and without what is not needed of it."""
        algebra, found = self.algebra, None
        match term:
            case terms.If(condition, then, otherwise):
                test = self.value(condition, env)
                found = algebra.chosen(test, partial(self.set, then, env), partial(self.set, otherwise, env))
            case terms.SetOperation(SetOperator.EITHER):
                with algebra.writer.aside() as block:
                    found = algebra.united([self.set(part, env) for part in _united(term)])
                if found is not None:
                    algebra.writer.splice(block)
            case terms.Those(terms.Binder(name, _, where) as binder) if where is not None:
                fixed = [part for part in conjuncts(where) if name not in locals_in(part)]
                if fixed:
                    rest = [part for part in conjuncts(where) if name in locals_in(part)]
                    narrowed = evolve(binder, where=terms.And(tuple(rest)) if rest else None)
                    inside = terms.Those(narrowed, type=term.type)
                    with algebra.writer.aside() as block:
                        test = algebra.conjunction([partial(self.value, part, env) for part in fixed])
                    if not algebra.subroutines.stops(block):
                        algebra.writer.splice(block)
                        found = algebra.chosen(test, partial(self.set, inside, env), lambda: algebra.of_items([]))
            case terms.Closure(
                start,
                origin,
                terms.Binder(_, terms.SetLiteral((terms.Lookup(terms.Step(space), terms.Local(cell), direction),))) as binder,
            ):
                if cell == origin and self._leads_on(space) and origin not in locals_in(direction):
                    way = partial(self._successor, origin, binder, env)
                    return algebra.path(self.value(start, env), way)
        return super().set(term, env) if found is None else found

    def _leads_on(self, space: str) -> bool:
        """Whether steps in the same direction never come back."""
        window = self.instance.windows[space]
        return not window.periods and not window.names

    def _successor(self, origin: str, binder: terms.Binder, env: Env, here: Code) -> tuple[Code, Code]:
        """The only element after another, and the condition on which it counts."""
        inside = {**env, origin: here}
        assert isinstance(binder.domain, terms.SetLiteral)
        after = self.algebra.share(self.value(binder.domain.items[0], inside), 3)
        if binder.where is None:
            return after, self.algebra.constant(1)
        return after, self.value(binder.where, {**inside, binder.name: after})


def _united(term: terms.Term) -> Iterator[terms.Term]:
    """The sets of which a term is the union, in order."""
    match term:
        case terms.SetOperation(SetOperator.EITHER, first, second):
            yield from _united(first)
            yield from _united(second)
        case _:
            yield term


# Effects as code: the control flow common to all languages ------------------------------------------------------------


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
        with self.writer.block(header, BlockKind.EFFECT):
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
