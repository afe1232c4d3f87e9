"""Code that lists the legal moves of an action: loops over parameters, each requirement tested once its names are bound."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from typing import Generic

from rulewright.base.diagnostics import RulesError
from rulewright.base.records import define, field
from rulewright.rules.model import terms
from rulewright.rules.model.game import Action, Parameter
from rulewright.rules.model.traversal import locals_in
from rulewright.rules.semantics.cost_bounds import LONGEST_WAIT, is_long, steps_of

from .algebra import CodeAlgebra, CodeSetT
from .anchors import anchor_of
from .code_evaluator import CodeEvaluator
from .writer import Block, BlockKind, Code, Writer

Env = dict[str, Code]


def _split(condition: terms.Term | None, name: str) -> tuple[list[terms.Term], list[terms.Term]]:
    """The conjuncts of a condition that do not depend on a name, and one condition for those that do, in their order."""
    parts = condition.parts if isinstance(condition, terms.And) else () if condition is None else (condition,)
    own = tuple(part for part in parts if name in locals_in(part))
    return [part for part in parts if part not in own], [terms.And(own, type=own[0].type)] if len(own) > 1 else list(own)


@define
class MoveGenerator(Generic[CodeSetT]):
    """Writes the loops over the parameters of an action; `found` writes the use of a legal move's arguments."""

    evaluator: CodeEvaluator[CodeSetT]
    algebra: CodeAlgebra[CodeSetT]
    action: Action
    found: Callable[[list[Code]], None]
    pending: list[terms.Term] = field(factory=list, init=False)
    """Requirements not yet tested."""
    moves: int = field(default=0, init=False)
    """How many times `found` was called."""

    @property
    def writer(self) -> Writer:
        return self.algebra.writer

    def prepare(self) -> None:
        """Compute the tests of a single parameter's elements ahead of all loops, to share them with other actions."""
        if len(self.action.parameters) != 1:
            return
        parameter = self.action.parameters[0]
        own = [r.condition for r in self.action.requirements if parameter.name in locals_in(r.condition)]
        domain = self.evaluator.bounded(self._domain(parameter, {}), *own)
        for item, _ in domain.items or ():
            with self.writer.aside() as block:
                test = self._all(own, {parameter.name: self.writer.share(item)})
            if not block.lines:
                self.writer.share(test)

    def write(self) -> None:
        self.pending = [requirement.condition for requirement in self.action.requirements]
        with self._under({}, self._ready(())) as possible:
            if possible:
                self._nest(0, {})

    def _domain(self, parameter: Parameter, env: Env) -> CodeSetT:
        """The domain of a parameter; for a space only the occupied cells, if its test shows that no other can pass.

        Only values near a set of cells, if a requirement demands that.
        """
        anchor = anchor_of(self.evaluator.instance, self.action, parameter)
        if anchor is not None:
            tests = [partial(self.evaluator.value, condition, env) for condition in anchor.otherwise]
            found = self.algebra.anchored(anchor, self.algebra.disjunction(tests))
            if found is not None:
                return found
        return self.evaluator.domain(parameter, env)

    def _ready(self, bound: Sequence[str]) -> list[terms.Term]:
        """Remove and return the pending requirements whose names are all bound."""
        names = {parameter.name for parameter in self.action.parameters}
        ready = [condition for condition in self.pending if not (locals_in(condition) & names) - set(bound)]
        self.pending = [condition for condition in self.pending if condition not in ready]
        return ready

    def _all(self, conditions: Sequence[terms.Term], env: Env, *first: Code) -> Code:
        """The conjunction of conditions, cheapest first."""
        tests = [partial(self.evaluator.value, condition, env) for condition in sorted(conditions, key=self._steps)]
        return self.algebra.conjunction([*(lambda code=code: code for code in first), *tests])

    def _steps(self, condition: terms.Term) -> int:
        """The most steps of a test; LONGEST_WAIT if that is unbounded."""
        types = {parameter.name: parameter.type for parameter in self.action.parameters}
        try:
            return steps_of(self.evaluator.instance, condition, types)
        except RulesError:
            return LONGEST_WAIT

    @contextmanager
    def _under(self, env: Env, conditions: Sequence[terms.Term], *first: Code) -> Iterator[bool]:
        """An `if` block for conditions; yields False if they can never hold."""
        code = self.writer.recall(self._all(conditions, env, *first))
        with nullcontext() if code.known is not None else self.writer.block(f"if {code.text}:"):
            yield code.known != 0

    def _nest(self, at: int, env: Env) -> None:
        """Write the loops from a parameter on."""
        parameters = self.action.parameters
        if at == len(parameters):
            self.moves += 1
            self.found([env[parameter.name] for parameter in parameters])
            return
        where = parameters[at].where
        fixed, own = _split(where, parameters[at].name)
        ahead = self._harmless(env, fixed)
        if ahead is None:
            self._loop(at, env, [] if where is None else [where])
            return
        test, block = ahead
        self.writer.splice(block)
        with nullcontext() if test.known is not None else self.writer.block(f"if {test.text}:"):
            if test.known != 0:
                self._loop(at, env, own)

    def _harmless(self, env: Env, conditions: Sequence[terms.Term]) -> tuple[Code, Block] | None:
        """The test of conditions that are the same for all values of a parameter, and what to compute for it; None if there are
        none, or if the test may stop the game, which it must not where the parameter has no value."""
        if not conditions:
            return None
        with self.writer.aside() as block:
            test = self._all(conditions, env)
        whole = Block("", BlockKind.PART, [block, test.text])
        return None if self.algebra.subroutines.stops(whole) else (test, block)

    def _loop(self, at: int, env: Env, where: Sequence[terms.Term]) -> None:
        """Write the loop over a parameter's values that pass, and those over the parameters after it."""
        parameters = self.action.parameters
        parameter = parameters[at]
        bound = [known.name for known in parameters[: at + 1]]
        domain = self.evaluator.bounded(self._domain(parameter, env), *where, *self.pending)
        last = None if domain.items is not None else self._last_parameter(at + 1, env)
        pending = self.pending

        def turn(value: Code, *guard: Code) -> None:
            self.pending = list(pending)
            inner = {**env, parameter.name: value}
            with self._under(inner, [*where, *self._ready(bound)], *guard) as possible:
                if possible and last is None:
                    self._nest(at + 1, inner)
                elif possible and last is not None:
                    self._last_tests(inner, last, domain, depth, tests)

        looped = self.algebra.looped(domain)
        if looped is not None and self._is_long(turn, domain):
            domain = looped
        if is_long(self.evaluator.instance, self.action):
            domain.is_long = True
        if domain.items is not None:
            for item, guard in domain.items:
                turn(self.writer.share(item), *(() if guard is None else (guard,)))
            return
        before, depth, tests = self.moves, len(self.writer.stack), list[Code]()
        with self.writer.aside() as block:
            self.algebra.distinct(domain, turn)
        if self.moves == before:
            return
        if not tests or any(test.known for test in tests):
            self.writer.splice(block)
        else:
            block.header = f"if {' or '.join(test.text for test in tests)}:"
            self.writer.attach(block)

    def _is_long(self, turn: Callable[[Code], None], domain: CodeSetT) -> bool:
        """Whether the moves for one of the unrolled elements take many lines."""
        before = self.moves, self.pending
        (first, _), *_ = domain.items or ()
        found = self.writer.is_long(lambda: turn(first))
        self.moves, self.pending = before
        return found

    # The last parameter, when its elements are known before the loop over the one before it -----------

    def _last_parameter(self, at: int, env: Env) -> list[tuple[Code, Code]] | None:
        """The elements of the last parameter, each with the tests that do not depend on the preceding parameter.

        None if this is not the last parameter, if its domain depends on the preceding one, or if there are too many elements.
        """
        if at != len(self.action.parameters) - 1:
            return None
        outer, parameter = self.action.parameters[at - 1 :]
        if outer.name in locals_in(parameter.domain):
            return None
        with self.writer.aside() as block:
            tests = self.pending if parameter.where is None else [parameter.where, *self.pending]
            domain = self.evaluator.bounded(self._domain(parameter, env), *tests)
        if domain.items is None:
            return None
        self.writer.splice(block)
        own = self._ready([*(known.name for known in self.action.parameters[: at - 1]), parameter.name])
        if parameter.where is not None:
            (self.pending if outer.name in locals_in(parameter.where) else own).append(parameter.where)
        found = []
        for item, guard in domain.items:
            value = self.writer.share(item)
            test = self._all(own, {**env, parameter.name: value}, *(() if guard is None else (guard,)))
            if test.known != 0:
                found.append((value, self.writer.share(test)))
        return found

    def _last_tests(self, env: Env, last: list[tuple[Code, Code]], domain: CodeSetT, depth: int, tests: list[Code]) -> None:
        """Write, in the loop over the last parameter but one, the tests of each element of the last.

        Lookups that do not depend on that loop are moved ahead of it, guarded by whether the element can qualify (unguarded if
        lines inside the loop use them before that test). `depth` is the index in the stack of the block for such lines. The
        tests ahead are added to `tests`.
        """
        writer, pending = self.writer, self.pending
        outer, name = writer.stack[depth - 1], self.action.parameters[-1].name
        for value, test in last:
            self.pending = list(pending)
            writer.stack[depth], holder = Block("", BlockKind.GUARD), writer.stack[depth]
            ahead, both = writer.stack[depth], {**env, name: value}
            code = self._all(self._ready([parameter.name for parameter in self.action.parameters]), both)
            parts = code.parts if code.is_conjunction else (code,)
            fixed = [part for part in parts if writer.level_of(part.text) < depth]
            inside, writer.stack[depth:] = writer.stack[depth:], []
            first = writer.share(self._all([], {}, test, *fixed))
            if first.known != 0:
                if not any(block.mentions(ahead.names) for block in inside[1:2]):
                    ahead.header = f"if {self._all([], {}, first, self.algebra.is_any(domain)).text}:"
                outer.lines.append(ahead)
                tests.append(first)
            writer.stack += [holder, *inside[1:]]
            if first.known == 0:
                continue
            looped = [part.text for part in (first, *parts) if part.known is None and part not in fixed]
            with writer.block(f"if {' and '.join(looped) or 'True'}:"):
                self._nest(len(self.action.parameters), both)
