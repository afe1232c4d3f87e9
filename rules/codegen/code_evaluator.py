"""Terms as code: a loop over few elements is unrolled, unless the code would grow too long."""

from __future__ import annotations

from typing import Generic

from rulewright.base.records import define
from rulewright.rules.model import terms
from rulewright.rules.semantics.algebra import Env, Function
from rulewright.rules.semantics.cost_bounds import length_of
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
        return self.bounded(domain, binder.where, *bodies), test

    def bounded(self, domain: CodeSetT, *code: terms.Term | None) -> CodeSetT:
        """A domain to loop over, if unrolling terms for each element would produce too much code."""
        times = len(domain.items or ())
        too_long = times > 1 and times * length_of(self.instance, *code) > MOST_UNROLLED
        return self.algebra.rolled(domain) if too_long else domain
