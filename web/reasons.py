"""What a reason is about: how a page finds the cells and tiles for which a requirement fails, as `why_illegal` does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import evolve

from rulewright.base.records import frozen
from rulewright.grammar.tree.expressions import Quantifier
from rulewright.rules.model import terms, types
from rulewright.rules.model.instance import Instance
from rulewright.rules.model.traversal import locals_in, nodes_of

Names = Sequence[tuple[str, types.Type]]
Node = dict[str, Any]
"""One of four: `at`: things by their words and the places of their values among those given; `all`: parts, each with the number
that says whether it holds; `each`: values of a type, with the numbers that say whether they count and whether the body holds;
`call`: numbers of values that the node `of` it takes in addition."""


@frozen
class Suspects:
    """Finds what a term is about. `names` are the values given in a page, `scope` has the local names of the term by those;
    `ask` gives a term of `names` its number, `word` the things of a type their first word, or none."""

    instance: Instance
    ask: Callable[[terms.Term, Names], int]
    word: Callable[[types.Type], str]
    names: tuple[tuple[str, types.Type], ...]
    scope: Mapping[str, str]

    def node(self, term: terms.Term) -> Node | None:
        """How to find what makes a term fail; None if that is no cell and no tile."""
        match term:
            case terms.And(parts):
                found = [[self._number(part), node] for part in parts if (node := self.node(part)) is not None]
                return {"all": found} if found else None
            case terms.Quantified(Quantifier.EVERY, binder, body):
                return self._each(binder, body)
            case terms.Let(name, value, body):
                return self._with({name: value}, self, body)
            case terms.Invoke(name, arguments):
                definition = self.instance.game.definitions[name]
                given = {own: value for (own, _), value in zip(definition.parameters, arguments, strict=True)}
                return self._with(given, evolve(self, scope={}), definition.value)
            case _:
                read = {node.name for node in nodes_of({}, term) if isinstance(node, terms.Local)}
                order = [name for name, _ in self.names]
                at = sorted(order.index(self.scope[name]) for name in read & self.scope.keys())
                things = [[word, place] for place in at if (word := self.word(self.names[place][1]))]
                return {"at": things} if things else None

    def _each(self, binder: terms.Binder, body: terms.Term) -> Node | None:
        if isinstance(binder.type, types.Number):
            return None
        inner = self._named(binder.name, binder.type)
        word, node = self.word(binder.type), inner.node(body)
        if not word and node is None:
            return None
        inside: terms.Term = terms.Membership(terms.Local(binder.name, binder.type), binder.domain, types.Truth())
        if binder.where is not None:
            inside = terms.And((inside, binder.where), types.Truth())
        ends = self.instance.domain(binder.type)
        found = {"each": [ends.start, ends.stop], "inside": inner._number(inside), "holds": inner._number(body)}
        return found | {"word": word, "of": node}

    def _with(self, given: Mapping[str, terms.Term], inner: Suspects, body: terms.Term) -> Node | None:
        """The node of a body in which names stand for values; None where these are sets, which a page cannot give."""
        if any(isinstance(value.type, types.SetOf) for value in given.values()):
            return None
        for name, value in given.items():
            inner = inner._named(name, value.type)
        node = inner.node(body)
        return None if node is None else {"call": [self._number(value) for value in given.values()], "of": node}

    def _named(self, name: str, type: types.Type) -> Suspects:
        own = f"about {len(self.names)}"
        return evolve(self, names=(*self.names, (own, type)), scope={**self.scope, name: own})

    def _number(self, term: terms.Term) -> int:
        for name in sorted(locals_in(term) & self.scope.keys()):
            if self.scope[name] != name:
                kind = dict(self.names)[self.scope[name]]
                term = terms.Let(name, terms.Local(self.scope[name], kind), term, term.type)
        return self.ask(term, self.names)
