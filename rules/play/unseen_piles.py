"""Reduces an expectation over piles whose order nobody sees to one over sets from which chance draws.

Shuffling a pile beforehand and drawing each tile at random when it is dealt have the same probabilities, as long as nobody
looks at the order. An unseen pile therefore becomes a set of tiles from which tiles are drawn; shuffling it has no effect.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.base.diagnostics import Diagnostic, Label, RulesError
from rulewright.base.records import define, evolve, field
from rulewright.base.spans import NO_SPAN, Span
from rulewright.grammar.tree.declarations import Visibility
from rulewright.grammar.tree.expressions import Comparison
from rulewright.grammar.tree.statements import Assignment
from rulewright.rules.model import effects as ef
from rulewright.rules.model import game as model
from rulewright.rules.model import terms
from rulewright.rules.model.game import Storage
from rulewright.rules.model.state import State
from rulewright.rules.model.traversal import nodes_of
from rulewright.rules.model.types import Number, SetOf, Tile

from .engine import Engine
from .given_plans import ReducedGame

DRAWN = "the tile that chance draws"
"""The name of a variable; like the other names here, no text can contain it."""

TURN = "which of the tiles that are dealt"

NUMBER, TILE = Number(), Tile()


def hidden_piles(engine: Engine) -> frozenset[str]:
    """The piles that nobody may look into. A pile visible to its owner does not count: the owner knows the order."""
    variables = engine.game.variables.values()
    return frozenset(v.name for v in variables if v.storage is Storage.PILE and v.visibility is Visibility.HIDDEN)


def shuffled_piles(engine: Engine) -> frozenset[str]:
    """The piles that some effect shuffles."""
    bodies = list(_bodies(engine.game))
    return frozenset(node.zone.variable for node in nodes_of({}, bodies) if isinstance(node, ef.Shuffle))


@define(eq=False)
class UnseenPiles(ReducedGame):
    """A game in which some piles are sets from which chance draws.

    Raises `RulesError` RW383 if somebody would learn their order: if the rules look at the next tile, leave tiles on a pile in
    a known order, or move some to another hidden pile.
    """

    piles: frozenset[str] = field()

    def __attrs_post_init__(self) -> None:
        game = self.original.game
        for definition in game.definitions.values():
            self._require_unread(definition.name, definition, definition.span)
        for action in game.actions.values():
            asked = action.parameters, action.every_requirement, action.other_notation
            self._require_unread(action.name, asked, action.span)
            if action.afterwards and (taken := {place.variable for place in _places(action)} & self.piles):
                raise _seen(min(taken), f"`{action.afterwards[0].name}` would learn what comes", action.afterwards[0].span)
        self._require_unread("flow", game.flow, game.flow[0].span if game.flow else NO_SPAN)
        for body in _bodies(game):
            for name, span in self._known_after(body, {}).items():
                raise _seen(name, "it is left with tiles in a known order", span)
        sets = {name: evolve(game.variables[name], storage=Storage.SET) for name in self.piles}
        self.game = evolve(
            game,
            variables={**game.variables, **sets, DRAWN: model.Variable(DRAWN, None, TILE, visibility=Visibility.HIDDEN)},
            actions={name: evolve(action, effects=self._clauses(action.effects)) for name, action in game.actions.items()},
            procedures={name: self._clauses(body) for name, body in game.procedures.items()},
        )

    def state(self, state: State) -> State:
        """The state with the tiles of unseen piles in no particular order."""
        found = list(super().state(state))
        for name in self.piles:
            column = self.engine.layout.columns[name]
            for at in range(column.start, column.start + column.count):
                found[at] = tuple(sorted(found[at]))
        return tuple(found)

    # Effects ------------------------------------------------------------------------------------------

    def _clauses(self, clauses: Sequence[ef.EffectClause]) -> tuple[ef.EffectClause, ...]:
        return tuple(made for clause in clauses for made in self._clause(clause))

    def _clause(self, clause: ef.EffectClause) -> Iterator[ef.EffectClause]:
        match clause.effect:
            case ef.Shuffle(zone) if zone.variable in self.piles:
                return
            case ef.Deal(number, source, target) if number is not None and source.variable in self.piles:
                yield from self._dealt(clause, number, source, target)
            case ef.Transfer(_, source, target) if self._takes_next(clause.effect):
                yield from _drawn(clause, source, ef.Transfer(_DRAWN_TILE, _whole(source), _whole(target)))
            case ef.ForEach(_, body) | ef.Keep(_, _, body):
                yield evolve(clause, effect=evolve(clause.effect, body=self._clauses(body)))
            case ef.When(_, body, otherwise):
                inner = evolve(clause.effect, body=self._clauses(body), otherwise=self._clauses(otherwise))
                yield evolve(clause, effect=inner)
            case _:
                yield clause

    def _dealt(
        self, clause: ef.EffectClause, number: terms.Term, source: ef.Location, target: ef.Location
    ) -> Iterator[ef.EffectClause]:
        """Deal `number` tiles one by one, or all if there are fewer."""
        one = tuple(_drawn(clause, source, ef.Transfer(_DRAWN_TILE, _whole(source), self._end(target))))
        left = terms.Size(_tiles_of(source))
        some = terms.Compare(Comparison.GREATER, left, terms.Constant(0, type=NUMBER))
        body = (evolve(clause, effect=ef.When(some, one, ())),)
        if number == terms.Constant(1, type=NUMBER):
            yield from body
            return
        times = terms.Binder(TURN, terms.Interval(terms.Constant(1, type=NUMBER), number, type=SetOf(NUMBER)), None, NUMBER)
        yield evolve(clause, effect=ef.ForEach(times, body))

    def _end(self, place: ef.Location) -> ef.Location:
        return _whole(place) if place.variable in self.piles else place

    def _takes_next(self, effect: ef.Effect) -> bool:
        """Whether an effect takes the next tile, from either end of an unseen pile."""
        match effect:
            case ef.Transfer(terms.Top(pile), source):
                return source.variable in self.piles and pile == _tiles_of(source)
            case _:
                return False

    # What would reveal the order ----------------------------------------------------------------------

    def _known_after(self, clauses: Sequence[ef.EffectClause], known: dict[str, Span]) -> dict[str, Span]:
        """The piles on which tiles lie in a known order after some effects, each with the effect that laid them there."""
        for clause in clauses:
            match clause.effect:
                case ef.Shuffle(zone):
                    known = {name: span for name, span in known.items() if name != zone.variable}
                case ef.ForEach(binder, body):
                    self._require_unread(clause.name, binder, clause.span)
                    if any(self._is_unseen(node) for node in nodes_of({}, binder.domain)):
                        raise _seen(self._first_of(binder.domain), f"`{clause.name}` iterates over it in order", clause.span)
                    # Twice, since each iteration starts from what the one before left.
                    known = self._known_after(body, self._known_after(body, known))
                case ef.Keep(_, value, body):
                    self._require_unread(clause.name, value, clause.span)
                    if any(self._is_unseen(node) for node in nodes_of({}, value)):
                        raise _seen(self._first_of(value), f"`{clause.name}` stores its order", clause.span)
                    known = self._known_after(body, known)
                case ef.When(condition, body, otherwise):
                    self._require_unread(clause.name, condition, clause.span)
                    known = self._known_after(body, known) | self._known_after(otherwise, known)
                case _:
                    known = self._known_after_one(clause, known)
        return known

    def _known_after_one(self, clause: ef.EffectClause, known: dict[str, Span]) -> dict[str, Span]:
        effect = clause.effect
        # An effect that takes the next tile reads the pile for that alone.
        self._require_unread(clause.name, ef.places_of(effect) if self._takes_next(effect) else effect, clause.span)
        if not isinstance(effect, ef.Transfer | ef.Deal):
            return known
        source, target, all_at_once = effect.source, effect.target, isinstance(effect, ef.Deal) and effect.number is None
        if source.variable in known and not all_at_once:
            raise _seen(source.variable, "it holds tiles in a known order", known[source.variable])
        if source.variable in self.piles and target.variable not in self.piles:
            gaining = self.original.game.variables[target.variable]
            if gaining.storage is Storage.PILE and (all_at_once or gaining.visibility is not Visibility.OPEN):
                message = f"its tiles move to `{target.variable}` in an order that stays hidden"
                raise _seen(source.variable, message, clause.span)
        return {**known, target.variable: clause.span} if target.variable in self.piles else known

    def _require_unread(self, name: str, node: object, span: Span) -> None:
        """Raise `RulesError` if a term depends on the order of an unseen pile."""
        for inner in nodes_of({}, node):
            match inner:
                case terms.Top(terms.Read(pile)) if pile in self.piles:
                    raise _seen(pile, f"`{name}` looks at its next tile", span)
                case terms.Fold(kind, binder) if kind.is_element and any(map(self._is_unseen, nodes_of({}, binder.domain))):
                    message = f"`{name}` breaks ties by its order"
                    raise _seen(self._first_of(binder.domain), message, span)

    def _is_unseen(self, node: object) -> bool:
        return isinstance(node, terms.Read) and node.variable in self.piles

    def _first_of(self, node: object) -> str:
        return next(part.variable for part in nodes_of({}, node) if isinstance(part, terms.Read) and self._is_unseen(part))


_DRAWN_TILE = terms.Read(DRAWN, (), type=TILE)


def _drawn(clause: ef.EffectClause, source: ef.Location, then: ef.Effect) -> Iterator[ef.EffectClause]:
    """Draw a tile by chance, apply an effect to it, and forget which tile it was."""
    for value in (terms.Drawn(_tiles_of(source), type=TILE), None, terms.Constant(0, type=TILE)):
        assigned = then if value is None else ef.Assign(ef.Location(DRAWN), Assignment.SET, value)
        yield evolve(clause, effect=assigned)


def _tiles_of(place: ef.Location) -> terms.Read:
    return terms.Read(place.variable, place.index, type=SetOf(TILE))


def _whole(place: ef.Location) -> ef.Location:
    """A zone regardless of its ends."""
    return evolve(place, bottom=False)


def _bodies(game: model.Game) -> Iterator[Sequence[ef.EffectClause]]:
    yield from (action.effects for action in game.actions.values())
    yield from game.procedures.values()


def _places(action: model.Action) -> Iterator[ef.Location]:
    """The places that an action's effects take from or change."""
    yield from (node for node in nodes_of({}, action.effects) if isinstance(node, ef.Location))


def _seen(pile: str, why: str, span: Span) -> RulesError:
    message = f"the order of `{pile}` is hidden, but {why}"
    help = "make it a set and `draw` from it, or ask `knowing what comes`"
    return RulesError((Diagnostic("RW383", message, (Label(span),), help),))
