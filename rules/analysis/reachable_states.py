"""All states that play can reach from a root, over-approximated by abstract interpretation (Cousot and Cousot 1977)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from rulewright.base.records import define, frozen
from rulewright.rules.model import effects as ef
from rulewright.rules.model import terms
from rulewright.rules.model.game import Action, laid_name
from rulewright.rules.model.terms import Neighbourhood
from rulewright.rules.model.traversal import locals_in
from rulewright.rules.model.types import Type
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.semantics.algebra import Env
from rulewright.rules.semantics.cost_bounds import steps_of
from rulewright.rules.semantics.evaluator import Evaluator
from rulewright.rules.static.abstract_algebra import SUMMARISED, AbstractAlgebra
from rulewright.rules.static.abstract_values import HUGE, AbstractSet, AbstractValue, exactly
from rulewright.rules.static.dataflow import DataflowAnalysis, flat, reads, sources_of, tile_moves
from rulewright.rules.static.sums_by_kind import EvaluatorByKind

from .dominance import AbstractEvaluator, MonotoneAlgebra, MonotoneVariables

# The most tiles that a zone ever holds --------------------------------------------------------------------------------
# The most tiles that a zone ever holds, where requirements of actions limit it: a hand of at most three cards.
#
# By induction over play: a zone begins with no more than its limit, and each action that brings one more tile requires what
# no state with as many tiles as that satisfies.


@define
class _Full(Evaluator[AbstractValue, AbstractSet]):
    """Abstract values of terms in the states in which a zone holds a number of tiles."""

    full: tuple[str, tuple[terms.Term, ...]]
    number: int

    def value(self, term: terms.Term, env: Env) -> AbstractValue:
        match term:
            case terms.Size(terms.Read(variable, index)) if (variable, index) == self.full:
                return exactly(self.number)
            case _:
                return Evaluator.value(self, term, env)


@frozen
class _Arrival:
    """An action that brings one tile to a zone, and the index of that zone."""

    action: Action
    index: tuple[terms.Term, ...]


@define
class ZoneLimits:
    """The limits of zones in the states reachable from a root, in which at most `coming` tiles can be in each."""

    engine: Engine
    analysis: DataflowAnalysis
    root: State
    coming: Mapping[str, int]

    @cached_property
    def most(self) -> Mapping[str, int]:
        """The most tiles that each zone (of a player, where each has one) ever holds; only of zones that have a limit."""
        limits = {zone: self._limit(zone, coming) for zone, coming in self.coming.items()}
        return {zone: limit for zone, limit in limits.items() if limit is not None}

    def _limit(self, zone: str, coming: int) -> int | None:
        arrivals = self._arrivals(zone)
        if arrivals is None:
            return None
        column = self.engine.layout.columns[zone]
        begins = max(map(len, self.root[column.start : column.start + column.count]))
        full = (number for number in range(begins, coming) if all(self._is_refused(zone, one, number) for one in arrivals))
        return next(full, None)

    def _arrivals(self, zone: str) -> list[_Arrival] | None:
        """The actions that bring tiles to a zone; None if some effect may bring several, or brings one outside of actions."""
        if any(_arriving(zone, self.analysis.procedure_clauses)):
            return None
        found = []
        for action in self.analysis.offered:
            targets = list(_arriving(zone, flat(action.effects)))
            if not targets:
                continue
            index = targets[0].index
            changed = {clause.effect.target.variable for clause in flat(action.effects) if isinstance(clause.effect, ef.Assign)}
            unrepeated = [target for clause in _unrepeated(action.effects) for target in _arriving(zone, [clause])]
            is_one = len(targets) == len(unrepeated) == 1
            if not is_one or any(map(locals_in, index)) or reads(self.engine.game, index) & changed:
                return None
            found.append(_Arrival(action, index))
        return found

    def _is_refused(self, zone: str, arrival: _Arrival, number: int) -> bool:
        """Whether the action is never legal when the zone holds so many tiles."""
        instance, layout = self.engine.instance, self.engine.layout
        algebra = AbstractAlgebra(instance, layout, largest=SUMMARISED)
        evaluator = _Full(instance, algebra, (zone, arrival.index), number)
        environment: dict[str, AbstractValue] = {}
        for parameter in arrival.action.parameters:
            values = instance.domain(parameter.type)
            known = (values.start, values.stop - 1, instance.none(parameter.type), instance.absent(parameter.type))
            environment[parameter.name] = AbstractValue(min(known), max(known)) if values else AbstractValue(-HUGE, HUGE)
        conditions = [requirement.condition for requirement in arrival.action.requirements]
        conditions += [parameter.where for parameter in arrival.action.parameters if parameter.where is not None]
        return any(evaluator.value(condition, environment).never for condition in conditions)


def _unrepeated(body: Iterable[ef.EffectClause]) -> Iterator[ef.EffectClause]:
    """The clauses that run at most once."""
    for clause in body:
        yield clause
        match clause.effect:
            case ef.Keep(_, _, inner):
                yield from _unrepeated(inner)
            case ef.When(_, then, otherwise):
                yield from _unrepeated((*then, *otherwise))


def _arriving(zone: str, clauses: Iterable[ef.EffectClause]) -> Iterator[ef.Location]:
    """Where clauses bring tiles to a zone; twice for those that may bring several."""
    for clause in clauses:
        match clause.effect:
            case ef.Transfer(_, _, target) | ef.Deal(_, _, target) if target.variable == zone:
                yield from (target,) if isinstance(clause.effect, ef.Transfer) else (target, target)


# All states that play can reach from a root ---------------------------------------------------------------------------


MOST_STEPS = 30_000
"""Terms that take more evaluation steps are evaluated with large sets summarised."""


@frozen
class BoardSums:
    """An objective that sums over the cells of one append-only board; `constant` bounds its other addends."""

    board: str
    sums: tuple[terms.Fold, ...]
    constant: int


@define
class ReachableStates:
    """The states reachable from `root`: append-only boards keep their tiles and may gain more; all else may have changed.

    Each fact about them is derived once, on first use.
    """

    engine: Engine
    analysis: DataflowAnalysis
    root: State

    @cached_property
    def append_only(self) -> frozenset[str]:
        """The append-only boards with few kinds of tile (those stored as bytes)."""
        columns = self.engine.layout.columns
        return frozenset(name for name in self.analysis.append_only_boards if columns[name].as_bytes)

    @cached_property
    def supplies(self) -> tuple[int, ...]:
        """The state columns of the zones that tiles may still be laid from."""
        names = self.analysis.live_variables & self.analysis.feeding
        return tuple(
            at
            for name, place in self.engine.layout.columns.items()
            if place.variable.is_zone and name in names
            for at in range(place.start, place.start + place.count)
        )

    @cached_property
    def kinds_to_come(self) -> frozenset[int]:
        """The kinds of tile that may still be laid."""
        return frozenset(tile for at in self.supplies for tile in self.root[at])

    @cached_property
    def lays_beside(self) -> Mapping[str, Neighbourhood | None]:
        """For each append-only board, how near to another tile each tile is laid; None if the rules do not show it."""
        return {board: self.analysis.lays_beside(board, self.root) for board in sorted(self.append_only)}

    @cached_property
    def monotone(self) -> MonotoneVariables:
        """The variables that change in one direction only, or not at all."""
        return MonotoneVariables.of(self.engine, self.analysis)

    @cached_property
    def changing(self) -> frozenset[str]:
        """The variables that change in one direction only, append-only boards among them."""
        return self.monotone.changing | self.append_only

    @cached_property
    def _invariant(self) -> dict[str, AbstractValue | None]:
        game = self.engine.game
        return {d.name: None for d in game.definitions.values() if not d.parameters and not reads(game, d) & self.changing}

    def tiles(self, board: str) -> bytes:
        """The tile on each cell of a board at the root."""
        column: bytes = self.root[self.engine.layout.columns[board].start]
        return column

    def board_sums(self, values: Iterable[terms.Term]) -> BoardSums | None:
        """The sums among `values`; None unless they are over one append-only board and the other values are bounded."""
        sums: list[terms.Fold] = []
        boards: set[str] = set()
        constant = 0
        for value in values:
            match value:
                case terms.Fold(terms.Kind.SUM, terms.Binder(_, terms.AllCells(board), where)) if (
                    where and board in self.append_only
                ):
                    sums.append(value)
                    boards.add(board)
                case _:
                    constant += self.evaluator(exact=self.is_light([value], {})).value(value, {}).high
        return BoardSums(boards.pop(), tuple(sums), constant) if len(boards) == 1 and constant < HUGE // 2 else None

    def evaluator(self, board: str = "", tiles: Sequence[int] = b"", exact: bool = True) -> AbstractEvaluator:
        """An evaluator over these states; with `tiles` on one board, over the states that extend those.

        Large sets are summarised unless `exact`.
        """
        instance, layout, largest = self.engine.instance, self.engine.layout, HUGE if exact else SUMMARISED
        boards: dict[str, Sequence[int]] = {name: self.tiles(name) for name in self.append_only}
        if board:
            boards[board] = tiles
        return Evaluator(instance, AbstractAlgebra(instance, layout, boards, self.kinds_to_come, largest=largest))

    @cached_property
    def most_of_kind(self) -> Mapping[str, Sequence[int]]:
        """For each board and set of pieces, the most tiles of each kind (by kind number) that can be there.

        Tiles move from place to place; none is created.
        """
        moves = tile_moves(self.analysis.clauses)
        boards = [name for name, place in self.engine.layout.columns.items() if place.variable.is_board]
        pieces = [name for name, pattern in self.engine.game.patterns.items() if pattern.kinds]
        lying = {name: self._most_in(laid_name(name), moves) for name in pieces}
        return {**lying, **{name: self._most_in(name, moves) for name in boards}}

    @cached_property
    def most_in_zone(self) -> Mapping[str, Sequence[int]]:
        """For each zone, the most tiles of each kind; players' zones of one name count together."""
        moves = tile_moves(self.analysis.clauses)
        zones = (v.name for v in self.engine.game.variables.values() if v.is_zone and not v.is_board)
        return {name: self._most_in(name, moves) for name in zones}

    @cached_property
    def room_in_zone(self) -> Mapping[str, int]:
        """For each zone that requirements limit, the most tiles that it ever holds; of players' zones, each."""
        coming = {zone: sum(tiles) for zone, tiles in self.most_in_zone.items()}
        return ZoneLimits(self.engine, self.analysis, self.root, coming).most

    def _most_in(self, variable: str, moves: set[tuple[str, str]]) -> list[int]:
        found = [0] * (len(self.engine.game.tiles) + 1)
        for name in sources_of(variable, moves):
            place = self.engine.layout.columns[name]
            for tiles in self.root[place.start : place.start + place.count]:
                for tile in tiles:
                    found[tile] += 1
        return found

    def is_light(self, values: Iterable[terms.Term], environment: Mapping[str, Type]) -> bool:
        """Whether terms are cheap to evaluate, given the types of their free names."""
        return sum(steps_of(self.engine.instance, value, environment, by_kind=False) for value in values) <= MOST_STEPS

    def evaluator_from(self, state: State, exact: bool, given: Mapping[str, int] | None = None) -> EvaluatorByKind:
        """An evaluator over the states reachable from `state`, one of these, which uses monotone variables.

        Large sets are summarised unless `exact`. `given` fixes the values of some variables, to restrict the evaluation to
        states with those values.
        """
        instance, layout = self.engine.instance, self.engine.layout
        boards = {name: state[layout.columns[name].start] for name in self.append_only}
        algebra = MonotoneAlgebra(
            instance,
            layout,
            boards,
            self.kinds_to_come,
            largest=HUGE if exact else SUMMARISED,
            state=state,
            variables=self.monotone,
            invariant={} if given else self._invariant,
            given=given or {},
        )
        most, most_in = self.most_of_kind, self.most_in_zone
        return EvaluatorByKind(instance, algebra, most=most, most_in=most_in, room_in=self.room_in_zone)
