"""The effects of moves on single slots and tiles, over all reachable states: actions run by abstract interpretation.

An action is run once for each way to guess what it depends on (guessing.py). A run records what it may have changed, and
follows a tile known to be on a cell. The state after an uncertain effect is joined with that without it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from rulewright.base.records import define, field, frozen
from rulewright.rules.model import effects
from rulewright.rules.model.game import Action
from rulewright.rules.semantics.executor import Executor, Store, ZoneEnd
from rulewright.rules.static.abstract_algebra import Function
from rulewright.rules.static.abstract_values import AbstractSet, AbstractValue, exactly, one_of

from .guessing import Guesses, GuessingEvaluator, GuessKey, Impossible, may_be, pins
from .partial_state import MOST_VALUES, NO_INDEX, Frame, PartialState, Slot, among, partial_algebra

OFF = -2
"""Stands for a cell: off the board."""


@define
class Changes:
    """What one run of an action may have changed.

    `slots` are those that a tile may have left or that may have been set, with `counts` for each variable; `laid` those on
    which a tile may have been put; `anywhere` the variables changed at unknown slots. `places` are the possible cells of the
    followed tile.
    """

    slots: set[Slot] = field(factory=set)
    laid: set[Slot] = field(factory=set)
    counts: Counter[str] = field(factory=Counter)
    anywhere: set[str] = field(factory=set)
    board: str = ""
    places: frozenset[int] = frozenset()


@define
class AbstractStore(Store[AbstractValue, AbstractSet]):
    """Executes effects on a partially known state."""

    evaluator: GuessingEvaluator
    state: PartialState
    changes: Changes
    _is_followed: bool = False
    """Whether the sliding tile may be the followed one."""

    def assign(self, variable: str, index: AbstractValue | None, value: AbstractValue, clause: effects.EffectClause) -> None:
        self._note(variable)
        allowed = self.state.frame.anything(variable)
        if index is None:
            slot = variable, NO_INDEX
        elif index.low == index.high:
            slot = variable, index.low
            if not self.state.frame.is_slot(slot):
                raise Impossible
        else:
            self._change_anywhere(variable)
            return
        if value.high < allowed.low or value.low > allowed.high:
            raise Impossible
        exact = None if value.exact is None else frozenset(v for v in value.exact if allowed.low <= v <= allowed.high)
        if exact is not None and not exact:
            raise Impossible
        within = AbstractValue(max(value.low, allowed.low), min(value.high, allowed.high))
        self.changes.slots.add(slot)
        self.state.known[slot] = within if exact is None else one_of(exact)

    def put(self, space: str, cell: AbstractValue, tile: AbstractValue, clause: effects.EffectClause) -> None:
        self.evaluator.effects += 1
        if cell.low != cell.high:
            self._change_anywhere(space)
            return
        slot = space, cell.low
        if not self.state.frame.is_slot(slot) or self.state.value(slot).low > 0:
            raise Impossible
        self.changes.laid.add(slot)
        self.state.known[slot] = _present(tile)
        if self._is_followed:
            self.changes.places |= {cell.low}
            self._is_followed = False

    def clear(self, space: str, cell: AbstractValue, clause: effects.EffectClause) -> AbstractValue:
        self._note(space)
        if cell.low != cell.high:
            self._change_anywhere(space)
            anything = self.state.frame.anything(space)
            return AbstractValue(1, max(anything.high, 1))
        slot = space, cell.low
        tile = self.state.value(slot)
        if tile.high == 0 or not self.state.frame.is_slot(slot):
            raise Impossible
        self.changes.slots.add(slot)
        self.state.known[slot] = exactly(0)
        if space == self.changes.board and cell.low in self.changes.places:
            if len(self.changes.places) == 1:
                self.changes.places = frozenset()
            if isinstance(clause.effect, effects.Transfer) and clause.effect.target.variable == space:
                self._is_followed = True
            else:
                self.changes.places |= {OFF}
        return _present(tile)

    def _note(self, variable: str) -> None:
        self.evaluator.effects += 1
        self.changes.counts[variable] += 1

    def _change_anywhere(self, variable: str) -> None:
        self.changes.anywhere.add(variable)
        self.state.forget(variable)

    # Zones are not followed: any tile may be in any of them ----------------------------------------

    def remove(self, source: ZoneEnd[AbstractValue], tile: AbstractValue, clause: effects.EffectClause) -> None:
        self.evaluator.effects += 1

    def add(self, target: ZoneEnd[AbstractValue], tile: AbstractValue) -> None:
        self.evaluator.effects += 1

    def deal(self, number: AbstractValue | None, source: ZoneEnd[AbstractValue], target: ZoneEnd[AbstractValue]) -> None:
        self.evaluator.effects += 1

    def shuffle(self, variable: str, index: AbstractValue | None) -> None:
        self.evaluator.effects += 1

    # Conditions and loops --------------------------------------------------------------------------

    def when(self, condition: AbstractValue, then: Callable[[], None], otherwise: Callable[[], None] | None) -> None:
        if condition.always:
            then()
        elif condition.never:
            if otherwise is not None:
                otherwise()
        else:
            self._either(then, otherwise or _nothing)

    def _either(self, then: Callable[[], None], otherwise: Callable[[], None]) -> None:
        """Execute one of two bodies, not known which. Raises `Impossible` if both are."""
        ends = [end for body in (then, otherwise) if (end := self._end_of(body)) is not None]
        if not ends:
            raise Impossible
        state, counts, places = ends[0]
        for other_state, other_counts, other_places in ends[1:]:
            state.join(other_state)
            counts, places = counts | other_counts, places | other_places
        self._restore(state)
        self.changes.counts, self.changes.places = counts, places
        self.evaluator.effects += 1

    def _end_of(self, body: Callable[[], None]) -> tuple[PartialState, Counter[str], frozenset[int]] | None:
        """The state, counts and places after a body; None if it is impossible. The present ones are restored."""
        before, counts, places = self.state.copy(), Counter(self.changes.counts), self.changes.places
        try:
            body()
            return self.state.copy(), self.changes.counts, self.changes.places
        except Impossible:
            return None
        finally:
            self._restore(before)
            self.changes.counts, self.changes.places = counts, places
            self.evaluator.effects += 1

    def _restore(self, state: PartialState) -> None:
        self.state.known, self.state.absent = state.known, state.absent

    def for_each(self, domain: AbstractSet, where: Function | None, body: Callable[[AbstractValue], None]) -> None:
        if domain.items is None:
            self._any_number(domain.element, body)
            return
        for item, inside in domain.items:
            if inside.never:
                continue
            passes = inside if where is None else where(item)
            certain = passes if inside.always else AbstractValue(0, passes.high)
            self.when(certain, lambda item=item: body(item), None)  # type: ignore[misc]

    def _any_number(self, element: AbstractValue, body: Callable[[AbstractValue], None]) -> None:
        """Execute a body for unknown elements: the variables that it changes may then have any value."""
        before = Counter(self.changes.counts)
        self._either(lambda: body(element), _nothing)
        for variable in self.changes.counts - before:
            self._change_anywhere(variable)


def _nothing() -> None: ...


def _present(tile: AbstractValue) -> AbstractValue:
    """The kinds of a tile known to be present: without 0."""
    if tile.exact is not None and len(tile.exact - {0}) > 0:
        return one_of(tile.exact - {0})
    return AbstractValue(max(tile.low, 1), max(tile.high, 1))


@frozen(eq=False)
class Runs:
    """The runs of an action that begin with the same guesses."""

    action: Action
    guesses: Mapping[GuessKey, int]

    @cached_property
    def pins(self) -> Mapping[Slot, int]:
        """The slots whose values the guesses give."""
        return pins(self.guesses)


@frozen(eq=False)
class MoveClass(Runs):
    """Runs, and what any of them may change."""

    slots: frozenset[Slot]
    counts: Counter[str]
    anywhere: frozenset[str]
    laid: frozenset[Slot]
    read: frozenset[Slot]
    """The slots that the runs read before any effect, except of elements of loops."""

    @cached_property
    def touched(self) -> frozenset[Slot]:
        """The slots that the runs may change, or depend on."""
        return self.slots | self.laid | self.read | self.pins.keys()


@define
class AbstractMoves:
    """Runs actions in a frame. `tick` is called before each run and may raise an exception to end the work."""

    frame: Frame
    tick: Callable[[], None]

    def classes(self, actions: Sequence[Action]) -> list[MoveClass]:
        """The move classes of some actions: together all that they can do."""
        found: dict[tuple[str, frozenset[tuple[GuessKey, int]]], MoveClass] = {}
        for action in actions:
            for evaluator, _, changes in self._run_all(Runs(action, {}), PartialState(self.frame), Changes):
                guesses = evaluator.first_guesses
                key = action.name, frozenset(guesses.items())
                slots, laid = frozenset(changes.slots), frozenset(changes.laid)
                counts, anywhere = changes.counts, frozenset(changes.anywhere)
                read = frozenset(evaluator.seen)
                if (known := found.get(key)) is not None:
                    slots, laid = slots | known.slots, laid | known.laid
                    counts, anywhere = counts | known.counts, anywhere | known.anywhere
                    read |= known.read
                found[key] = MoveClass(action, guesses, slots, counts, anywhere, laid, read)
        return list(found.values())

    def values_after(self, runs: Runs, slot: Slot, values: Collection[int]) -> set[int] | None:
        """The values that a slot with one of some values may have after some runs; empty if there is no such move, None if
        unknown."""
        found: set[int] = set()
        state = PartialState(self.frame, {slot: among(frozenset(values))})
        for _, after, changes in self._run_all(runs, state, Changes):
            if slot[0] in changes.anywhere:
                return None
            here = after.value(slot)
            found.update(range(here.low, here.high + 1) if here.exact is None else here.exact)
        return found

    def slots_after(self, moves: MoveClass, slot: Slot, value: int) -> set[Slot] | None:
        """The slots where a value that occurs once may be after the moves of a class.

        Empty if there is no such move; None if the value may occur never or several times then, or if that is unknown.
        """
        found: set[Slot] = set()
        state = PartialState(self.frame, {slot: exactly(value)}, {slot[0]: value})
        for _, after, changes in self._run_all(moves, state, Changes):
            if slot[0] in changes.anywhere:
                return None
            changed = {slot, *(other for other in changes.slots | changes.laid if other[0] == slot[0])}
            values = {other: after.value(other) for other in changed}
            holding = [other for other, here in values.items() if may_be(here, value)]
            if len(holding) != 1 or values[holding[0]].low != values[holding[0]].high:
                return None
            found.add(holding[0])
        return found

    def may_bring(self, moves: MoveClass, variable: str, value: int) -> bool:
        """Whether a slot of a variable may have a value after the moves of a class though none of the changed ones had it."""
        changed = {slot for slot in moves.slots | moves.laid if slot[0] == variable}
        runs = self._runs_without(moves, variable, value, changed)
        if runs is None:
            return True
        for _, after, changes in runs:
            now = {slot for slot in changes.slots | changes.laid if slot[0] == variable}
            if any(may_be(after.value(slot), value) for slot in changed | now):
                return True
        return False

    def needs(self, moves: MoveClass, variable: str, value: int) -> bool:
        """Whether no move of a class is possible where none of the slots of a variable that it touches has a value."""
        touched = {slot for slot in moves.touched if slot[0] == variable}
        runs = self._runs_without(moves, variable, value, touched)
        return runs is not None and next(runs, None) is None

    def _runs_without(
        self, moves: MoveClass, variable: str, value: int, slots: Iterable[Slot]
    ) -> Iterator[tuple[GuessingEvaluator, PartialState, Changes]] | None:
        """The runs of a class where slots of a variable have other values; None if these are too many."""
        allowed = self.frame.anything(variable)
        if len(range(allowed.low, allowed.high)) > MOST_VALUES:
            return None
        other = one_of(frozenset(range(allowed.low, allowed.high + 1)) - {value})
        return self._run_all(moves, PartialState(self.frame, dict.fromkeys(slots, other)), Changes)

    def cells_after(self, moves: MoveClass, slot: Slot, kind: int) -> set[int]:
        """The cells, or `OFF`, where a tile on a cell may be after a move of a class; empty if there is no such move."""
        board, cell = slot
        found: set[int] = set()
        absent = {board: kind} if (board, kind) in self.frame.single else {}
        state = PartialState(self.frame, {slot: exactly(kind)}, absent)
        for _, _, changes in self._run_all(moves, state, lambda: Changes(board=board, places=frozenset((cell,)))):
            found |= changes.places
        return found

    def ends(self, runs: Runs, known: Mapping[Slot, AbstractValue]) -> Iterator[tuple[PartialState, Changes]]:
        """The states after some runs where something is known before, with their changes."""
        for _, after, changes in self._run_all(runs, PartialState(self.frame, dict(known)), Changes):
            yield after, changes

    def are_possible(self, runs: Runs, known: Mapping[Slot, AbstractValue]) -> bool:
        """Whether some run is possible where something is known."""
        return next(self.ends(runs, known), None) is not None

    def _run_all(
        self, runs: Runs, start: PartialState, changes_of: Callable[[], Changes]
    ) -> Iterator[tuple[GuessingEvaluator, PartialState, Changes]]:
        """Every possible run from a state, with the state after it and its changes."""
        start = start.with_clear_cells() if self.frame.clear else start
        if not all(may_be(start.value(slot), value) for slot, value in runs.pins.items()):
            return
        state = start.copy()
        evaluator = GuessingEvaluator(self.frame.instance, partial_algebra(state), Guesses(dict(runs.guesses)))
        while True:
            self.tick()
            begun = start.copy()
            state.known, state.absent = begun.known, begun.absent
            evaluator.effects = 0
            evaluator.seen.clear()
            changes = changes_of()
            try:
                self._run(runs.action, evaluator, AbstractStore(evaluator, state, changes))
                yield evaluator, state, changes
            except Impossible:
                pass
            if not evaluator.guesses.advance():
                return

    def _run(self, action: Action, evaluator: GuessingEvaluator, store: AbstractStore) -> None:
        env: dict[str, AbstractValue] = {}
        for parameter in action.parameters:
            env[parameter.name] = evaluator.argument(parameter, env)
            if parameter.where is not None:
                evaluator.assume(parameter.where, env)
        for requirement in action.requirements:
            evaluator.assume(requirement.condition, env)
        Executor(evaluator, store).run(action.effects, env)
