"""The automorphisms of a question: those of its spaces that the rules and the question respect (symmetry reduction: Emerson and
Sistla 1996; orbit search: Pochter, Zohar and Rosenschein 2011).

An automorphism maps plays to plays of the same length and value. So a search needs only one state of each orbit, a set of
states that automorphisms map to each other.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import product
from typing import Any, assert_never

from rulewright.base.records import define, evolve, field
from rulewright.grammar.tree.expressions import Comparison
from rulewright.grammar.tree.statements import Assignment
from rulewright.rules.model import effects, terms, types
from rulewright.rules.model.game import Action, Definition
from rulewright.rules.model.instance import FiniteMap, FiniteRows
from rulewright.rules.model.terms import Term
from rulewright.rules.model.traversal import free_names, nodes_of, operands
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.semantics import flow_graph
from rulewright.rules.semantics.play_errors import PlayError
from rulewright.rules.semantics.set_evaluator import rows_of
from rulewright.rules.spaces.window import Function
from rulewright.rules.static.dataflow import DataflowAnalysis, flat, reads

from .ground_folds import Grounding, rebuilt
from .space_maps import Automorphism, candidates
from .tabulation import OutOfTime, Tabulation

# Whether rules and a question respect an automorphism -----------------------------------------------------------------
# Whether the mapped state gets the mapped answer.
#
# By induction over terms: a term is equivariant if its parts are and its own meaning does not distinguish cells. Where it
# does (by a coordinate, or a named cell), a term that reads nothing that changes is evaluated for all values of its names,
# from the inside out: `column(a) = column(b)` is equivariant, though `column(a)` is not.


MOST_WRAPPED = 100
"""Cells of a wrapped space up to which directions from cell to cell are compared."""

Known = FiniteMap | FiniteRows
"""A function known before play."""

NUMBERS = types.Number | types.Truth
"""Types whose values have an order that no automorphism changes."""


@define(eq=False)
class Equivariance:
    """Checks one automorphism."""

    automorphism: Automorphism
    tabulation: Tabulation
    _known: dict[terms.Term, bool] = field(factory=dict, init=False)
    _definitions: dict[str, bool] = field(factory=dict, init=False)

    def of_play(self, objective: Iterable[terms.Term]) -> bool:
        """Whether all moves, the flow and the objective respect it."""
        analysis = self.tabulation.analysis
        engine = analysis.engine
        return (
            not analysis.uses_chance
            and all(map(self.of_term, objective))
            and all(map(self._of_variable, analysis.live_variables))
            and all(map(self._of_action, analysis.offered))
            and all(self._of_instruction(engine.flow[at]) for at in analysis.reachable)
        )

    def _of_variable(self, name: str) -> bool:
        """Whether a variable respects it. Zones whose index is mapped do not."""
        variable = self._engine.game.variables[name]
        if not self.automorphism.is_known(variable.index) or not self.automorphism.is_known(variable.type):
            return False
        return not self._moves(variable.index) or (not variable.is_zone and not variable.is_turn)

    def _of_instruction(self, instruction: object) -> bool:
        match instruction:
            case flow_graph.RunProcedure(name):
                return self._of_effects(self._engine.game.procedures[name])
            case flow_graph.LoopStart(variable) | flow_graph.LoopNext(variable) if self._moves(
                self._engine.game.variables[variable].type
            ):
                return False
            case _:
                return self._all(operands(instruction))

    def _of_action(self, action: Action) -> bool:
        return self._all(operands((action.parameters, action.every_requirement))) and self._of_effects(action.effects)

    # Effects ---------------------------------------------------------------------------------------

    def _of_effects(self, clauses: Sequence[effects.EffectClause]) -> bool:
        return all(self._of_effect(clause.effect) for clause in clauses)

    def _of_effect(self, effect: effects.Effect) -> bool:
        match effect:
            case effects.Transfer() | effects.Deal() | effects.Assign():
                return self._all(operands(effect))
            case effects.Shuffle():
                return False
            case effects.End():
                return True
            case effects.Keep(_, value, body):
                return self.of_term(value) and self._of_effects(body)
            case effects.When(condition, body, otherwise):
                return self.of_term(condition) and self._of_effects(body) and self._of_effects(otherwise)
            case effects.ForEach(binder, body):
                return self._all(operands(binder)) and self._of_effects(body) and self._is_in_any_order(binder, body)
            case _:
                assert_never(effect)

    def _is_in_any_order(self, binder: terms.Binder, body: Sequence[effects.EffectClause]) -> bool:
        """Whether the elements of a loop may come in another order: either their order is not mapped, or each element reads and
        changes only its own values, or counts."""
        if self._has_fixed_order(binder):
            return True
        game, own = self._engine.game, terms.Local(binder.name, binder.type)
        clauses = [clause.effect for clause in flat(body)]
        written = {name for effect in clauses for name in effects.changed_by(effect)}
        for effect in clauses:
            match effect:
                case effects.When():
                    continue
                case effects.Assign(effects.Location(_, (index,))) if index == own:
                    continue
                case effects.Assign(effects.Location(_, ()), Assignment.ADD | Assignment.SUBTRACT, terms.Constant()):
                    continue
                case _:
                    return False
        if any(reads(game, part) & written for part in (binder.domain, *_invoked(game.definitions, body))):
            return False
        where = (binder.where,) if binder.where is not None else ()
        read = (node for node in nodes_of({}, body, where) if isinstance(node, terms.Read) and node.variable in written)
        return all(node.index == (own,) for node in read)

    def _has_fixed_order(self, binder: terms.Binder) -> bool:
        """Whether the elements of a domain come in an order that is the same in the mapped state."""
        inside = nodes_of(self._engine.game.definitions, binder.domain)
        is_mixed = any(isinstance(node, terms.Image) or _is_named_set(node) for node in inside)
        return not self._moves(binder.type) and not is_mixed

    # Terms -----------------------------------------------------------------------------------------

    def of_term(self, term: terms.Term) -> bool:
        """Whether a term is equivariant, in every state and for all values of its names."""
        known = self._known.get(term)
        if known is None:
            is_known = self.automorphism.is_known(term.type)
            known = self._by_parts(term) or self._by_table(term) or self._by_elements(term) if is_known else False
            self._known[term] = known
        return known

    def _all(self, parts: Iterable[terms.Term]) -> bool:
        return all(map(self.of_term, parts))

    def _by_parts(self, term: terms.Term) -> bool:
        """Whether a term is equivariant because its parts are."""
        if isinstance(term, terms.And | terms.Or):
            odd = tuple(part for part in term.parts if not self.of_term(part))
            return not odd or (1 < len(odd) < len(term.parts) and self._by_table(evolve(term, parts=odd)))
        return self._all(operands(term)) and self._is_blind(term)

    def _is_blind(self, term: terms.Term) -> bool:  # noqa: PLR0912
        """Whether the meaning of a term, given its parts, does not distinguish cells."""
        instance = self._engine.instance
        match term:
            case terms.Constant(value, type=type):
                return self._image(type, value) == value
            case terms.Absent(type=type):
                return not isinstance(type, types.Enumeration) or not self._moves(type)
            case terms.Read(variable):
                return variable in self.tabulation.analysis.changing_variables or self._is_constant_alike(variable)
            case terms.Invoke(name):
                return self._of_definition(name)
            case terms.Lookup(terms.Markers() | terms.MarkersIn() | terms.Opposite() | terms.Sites() | terms.Step()):
                return True
            case terms.Lookup():
                return self._of_map(term)
            case terms.Origin(space):
                origin = instance.windows[space].origin
                return self._image(term.type, origin) == origin
            case terms.Compare(operator, left):
                return operator in (Comparison.EQUAL, Comparison.UNEQUAL) or not self._moves(left.type)
            case terms.Arithmetic(first) | terms.Interval(first):
                return not self._moves(first.type)
            case terms.Top(pile):
                return isinstance(pile, terms.Read)
            case terms.Drawn() | terms.CellAt():
                return False
            case terms.Apply(Function.TOWARD, space):
                return self._keeps_toward(space)
            case terms.Apply(Function.TURN, space):
                return self._keeps_clockwise(space)
            case terms.Row(rows, key):
                found = rows_of(instance, rows)
                return self._commutes(found, found, key.type, term.type)
            case terms.Fold(kind, binder, body):
                return self._has_fixed_order(binder) if kind.is_element else isinstance(body.type, NUMBERS)
            case (
                terms.Local() | terms.Paired() | terms.PlayerCount() | terms.Not() | terms.And() | terms.Or()
                | terms.If() | terms.Membership() | terms.Within() | terms.SetOperation() | terms.Apply() | terms.Neighbours()
                | terms.AllCells() | terms.AllDirections() | terms.AllMembers() | terms.SetLiteral()
                | terms.Those() | terms.Image() | terms.Closure() | terms.Let() | terms.Size()
            ):  # fmt: skip
                return True
            case _:
                assert_never(term)

    def _of_map(self, term: terms.Lookup) -> bool:
        """Whether a map, or one of several, has the mapped value for a mapped key, also for one that is not in it."""
        instance, none = self._engine.instance, self._engine.instance.map(term.map).otherwise
        kind = None if term.picking is None else term.picking.type
        picked = [(0, 0)] if kind is None else [(at, self._image(kind, at)) for at in instance.domain(kind)]
        return self._mapped(term.type, none) == none and all(
            self._commutes(instance.map(term.map, at), instance.map(term.map, to), term.key.type, term.type)
            for at, to in picked
        )

    def _of_definition(self, name: str) -> bool:
        if name not in self._definitions:
            self._definitions[name] = True  # definitions do not invoke themselves
            definition = self._engine.game.definitions[name]
            self._definitions[name] = self._all((definition.value, *_cases(definition)))
        return self._definitions[name]

    def _by_table(self, term: terms.Term) -> bool:
        """Whether a term that play does not change has the mapped value for mapped names."""
        domains = self.tabulation.names(term)
        if domains is None:
            return False
        kinds, names = list(free_names(term).values()), list(domains)
        if not all(map(self.automorphism.is_known, kinds)):
            return False
        mapped = [
            {value: self._image(kind, value) for value in domain} for kind, domain in zip(kinds, domains.values(), strict=True)
        ]
        try:
            return all(
                self._mapped(term.type, self.tabulation.value(term, names, values))
                == self.tabulation.value(term, names, tuple(map(dict.__getitem__, mapped, values)))
                for values in product(*domains.values())
            )
        except PlayError:
            return False

    def _by_elements(self, term: terms.Term) -> bool:
        """Whether the elements of a fold are mapped to each other, though not as the names of its binder are."""
        if not isinstance(term, terms.Fold) or term.kind.is_element or not isinstance(term.body.type, NUMBERS):
            return False
        found = () if free_names(term) else Grounding(self.tabulation).elements(term)
        mapped = ((self._turned(where), self._turned(value)) for where, value in found)
        nodes = (node for node in nodes_of({}, found) if isinstance(node, terms.Term) and not isinstance(node, terms.Constant))
        is_blind = all(self.automorphism.is_known(node.type) and self._is_blind(node) for node in nodes)
        return bool(found) and is_blind and Counter(found) == Counter(mapped)

    def _turned(self, term: terms.Term) -> terms.Term:
        """A ground term with mapped constants."""
        if isinstance(term, terms.Constant):
            return evolve(term, value=self._image(term.type, term.value))
        return rebuilt(term, self._turned)

    def _mapped(self, type: types.Type, value: Any) -> Any:
        if isinstance(type, types.SetOf):
            return tuple(sorted(self._image(type.element, one) for one in value))
        return self._image(type, value)

    def _is_constant_alike(self, variable: str) -> bool:
        """Whether a variable that play does not change holds the mapped values at mapped indices."""
        known = self._engine.game.variables[variable]
        if known.is_zone:
            return not self._moves(known.index)
        held = self.tabulation.values_of(variable)
        if known.index is None:
            return all(self._image(known.type, value) == value for value in held.values())
        return all(held[self._image(known.index, at)] == self._image(known.type, value) for at, value in held.items())

    def _commutes(self, one: Known, other: Known, key: types.Type, type: types.Type) -> bool:
        """Whether `other` has the mapped values of `one` at mapped keys. The keys of a table may be numbers."""
        keys = self._engine.instance.domain(key) or range(len(one.values) if isinstance(one, FiniteMap) else 0)
        return not isinstance(key, types.Place) and all(
            self._mapped(type, one(value)) == _unordered(other(self._image(key, value))) for value in keys
        )

    def _keeps_clockwise(self, space: str) -> bool:
        window, mapped = self._engine.instance.windows[space], types.Direction(space)
        return all(
            self._image(mapped, after) == window.clockwise[self._image(mapped, way)]
            for way, after in enumerate(window.clockwise)
        )

    def _keeps_toward(self, space: str) -> bool:
        """Whether the direction toward a cell is mapped: of equally long ways round a wrapped space the first is taken."""
        window, ways = self._engine.instance.windows[space], types.Direction(space)
        if not window.periods:
            return True
        cells = [self._image(types.Cell(space), cell) for cell in range(window.size)]
        return window.size <= MOST_WRAPPED and all(
            self._image(ways, window.toward(start, end)) == window.toward(cells[start], cells[end])
            for start in range(window.size)
            for end in range(window.size)
        )

    @property
    def _engine(self) -> Engine:
        return self.tabulation.engine

    def _moves(self, type: types.Type | None) -> bool:
        return self.automorphism.moves(type)

    def _image(self, type: types.Type, value: int) -> int:
        return self.automorphism.image(self._engine.instance, type, value)


def _cases(definition: Definition) -> Iterable[terms.Term]:
    """The values and conditions of all cases of a definition."""
    pending = list(definition.cases)
    for case in pending:
        yield case.value
        yield case.when
        pending += case.exceptions


def _is_named_set(node: object) -> bool:
    return isinstance(node, terms.Local) and isinstance(node.type, types.SetOf)


def _invoked(definitions: Mapping[str, Definition], body: object) -> list[object]:
    """The bodies of the definitions that effects invoke."""
    names = {node.definition for node in nodes_of(definitions, body) if isinstance(node, terms.Invoke)}
    return [(definitions[name].value, definitions[name].cases) for name in names]


def _unordered(value: Any) -> Any:
    return tuple(sorted(value)) if isinstance(value, tuple) else value


# The automorphisms of a question --------------------------------------------------------------------------------------


MOST_AUTOMORPHISMS = 16
"""Automorphisms used: each costs a hash of every state."""


SECONDS = 1.0
"""Most seconds for the search for automorphisms."""


def automorphisms_of(
    engine: Engine, root: State, analysis: DataflowAnalysis, objective: Iterable[Term], deadline: float
) -> Sequence[Automorphism]:
    """The automorphisms that play from a root and an objective respect, without the identity; as many as are found before
    `time.monotonic()` reaches the deadline."""
    terms = tuple(objective)
    tabulation = Tabulation(engine, root, analysis, min(deadline, time.monotonic() + SECONDS))
    found: list[Automorphism] = []
    live = [engine.game.variables[name] for name in analysis.live_variables]
    with suppress(OutOfTime):
        for candidate in candidates(engine.instance):
            if not any(candidate.moves(one.index) or candidate.moves(one.type) for one in live):
                continue  # each orbit would be a single state
            if candidate not in found and Equivariance(candidate, tabulation).of_play(terms):
                more = generated([*found, candidate])
                found = more if len(more) <= MOST_AUTOMORPHISMS else found
            if len(found) == MOST_AUTOMORPHISMS:
                break
    return found


def generated(some: Sequence[Automorphism]) -> list[Automorphism]:
    """The compositions of some automorphisms, without the identity: these need no check.

    The closure ends early, with more than `MOST_AUTOMORPHISMS`, if there are too many.
    """
    found = list(some)
    for one in found:
        for other in some:
            product = one.then(other)
            if not product.is_identity and product not in found:
                found.append(product)
        if len(found) > MOST_AUTOMORPHISMS:
            break
    return found
