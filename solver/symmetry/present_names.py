"""Names that are never none (nowhere, no direction): for these, an automorphism need not respect what rules say of none."""

from __future__ import annotations

from functools import cached_property

from rulewright.base.records import define
from rulewright.rules.model import effects, terms
from rulewright.rules.model.instance import Instance
from rulewright.rules.model.optional import is_optional
from rulewright.rules.model.set_operators import SetOperator
from rulewright.rules.model.traversal import nodes_of


@define(eq=False)
class PresentNames:
    """The names of a game that are never none; equal names count as one."""

    instance: Instance

    @cached_property
    def names(self) -> frozenset[str]:
        """The greatest set of names each of whose sources is never none, given that no name in the set is."""
        present = frozenset(self._sources)
        while True:
            smaller = frozenset(
                name
                for name in present
                if all(source is not None and is_present(source, present) for source in self._sources[name])
            )
            if smaller == present:
                return present
            present = smaller

    @cached_property
    def _sources(self) -> dict[str, list[terms.Term | None]]:
        """The terms each name may stand for, or the sets it ranges over; None where unknown."""
        game = self.instance.game
        found: dict[str, list[terms.Term | None]] = {}
        everything = (game.actions, game.procedures, game.definitions, game.flow, game.scores)
        parts = [list(part.values()) if isinstance(part, dict) else part for part in everything]
        for node in nodes_of({}, *parts):
            match node:
                case terms.Binder(name, domain):
                    found.setdefault(name, []).append(domain)
                case terms.Let(name, value) | effects.Keep(name, value):
                    found.setdefault(name, []).append(value)
                case terms.Closure(start, origin, binder):
                    found.setdefault(origin, []).extend((start, binder.domain))
                case terms.Invoke(definition, arguments):
                    parameters = game.definitions[definition].parameters
                    for (name, _), argument in zip(parameters, arguments, strict=True):
                        found.setdefault(name, []).append(argument)
                case _:
                    pass
        for action in game.actions.values():
            for parameter in action.parameters:
                found.setdefault(parameter.name, []).append(None if is_optional(parameter) else parameter.domain)
        return found


def is_present(term: terms.Term | None, names: frozenset[str]) -> bool:
    """Whether a term, or each element of a set, is never none, given that these names are not."""
    match term:
        case terms.Local(name):
            return name in names
        case terms.AllCells() | terms.AllDirections() | terms.AllPlayers() | terms.AllMembers() | terms.Interval():
            return True
        case terms.Neighbours() | terms.Line() | terms.Row():
            return True
        case terms.Those(binder):
            return is_present(binder.domain, names)
        case terms.SetOperation(SetOperator.EITHER, first, second) | terms.SetChoice(_, first, second):
            return is_present(first, names) and is_present(second, names)
        case terms.SetOperation(_, first):
            return is_present(first, names)
        case terms.Image(value):
            return is_present(value, names)
        case terms.SetLiteral(items):
            return all(is_present(item, names) for item in items)
        case _:
            return False
