"""Terms as code: a loop over few elements is unrolled, unless the code would grow too long; sets are called, chosen, united."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Generic

from attrs import evolve

from rulewright.base.records import define
from rulewright.rules.model import terms
from rulewright.rules.model.traversal import conjuncts, locals_in
from rulewright.rules.model.types import SetOperator, Truth
from rulewright.rules.semantics.algebra import Env, Function
from rulewright.rules.semantics.cost_bounds import is_long, length_of
from rulewright.rules.semantics.costs import MOST_UNROLLED
from rulewright.rules.semantics.evaluator import Evaluator

from .algebra import CodeAlgebra, CodeSetT
from .writer import Code


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
            case terms.Invoke(name, arguments):
                definition = self.instance.game.definitions[name]
                names = [parameter for parameter, _ in definition.parameters]

                def body(given: Sequence[Any]) -> CodeSetT:
                    return self.set(definition.value, dict(zip(names, given, strict=True)))

                return algebra.invoke_set(definition, [self.any(argument, env) for argument in arguments], body)
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
                    narrowed = evolve(binder, where=terms.And(tuple(rest), Truth()) if rest else None)
                    inside = terms.Those(narrowed, term.type)
                    with algebra.writer.aside() as block:
                        test = algebra.conjunction([partial(self.value, part, env) for part in fixed])
                    if not algebra.subroutines.stops(block):
                        algebra.writer.splice(block)
                        found = algebra.chosen(test, partial(self.set, inside, env), lambda: algebra.of_items([]))
            case terms.Closure(start, origin, terms.Binder(_, terms.SetLiteral((terms.Step() as step,))) as binder):
                if self._leads_on(step, origin):
                    way = partial(self._successor, origin, binder, env)
                    return algebra.path(self.value(start, env), way)
            case _:
                pass
        return super().set(term, env) if found is None else found

    def _leads_on(self, step: terms.Step, origin: str) -> bool:
        """Whether steps from a cell, each in the same direction, never come back."""
        window = self.instance.windows[step.space]
        is_onward = isinstance(step.cell, terms.Local) and step.cell.name == origin
        return is_onward and origin not in locals_in(step.direction) and not window.periods and not window.names

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
