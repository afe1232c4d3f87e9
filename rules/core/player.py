"""Plays a game in the core: legal moves, effects, the flow from one choice to the next."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any, assert_never

from rulewright.base.records import define
from rulewright.rules.model.game import Storage
from rulewright.rules.model.state import OVER, POINT, SEED, STOP, Move, State, Tiles, dealt, with_more, without
from rulewright.rules.semantics import play_errors
from rulewright.rules.semantics.rng import drawn, shuffled

from . import program
from .interpreter import Columns, Interpreter, Locals, Slot, read, write
from .lower import Lowering
from .program import Effect, Origin, Place
from .terms import Term

OnPlaces = program.Write | program.Transfer | program.Deal | program.Shuffle
"""The effects that change values; the others say which of these happen."""


def places_of(effect: OnPlaces) -> tuple[Place, ...]:
    """The places that an effect may change."""
    match effect:
        case program.Write(place) | program.Shuffle(place):
            return (place,)
        case program.Transfer(source, target) | program.Deal(_, source, target):
            return source, target
        case _:
            assert_never(effect)


@define
class Changing:
    """The columns of a state while effects change it."""

    columns: list[Any]
    over: bool = False
    left: bool = False


@define(eq=False)
class CorePlayer:
    """Legal moves and successors; nothing is kept between calls."""

    lowering: Lowering

    @cached_property
    def interpreter(self) -> Interpreter:
        return Interpreter(self.lowering)

    def choice(self, number: int) -> program.Choose:
        """A choice of the flow."""
        node = self.lowering.node(self.lowering.nodes.choices[number])
        assert isinstance(node, program.Choose)
        return node

    def legal(self, state: State) -> list[Move]:
        """The legal moves in order: actions as the choice lists them, parameters in the order of their domains."""
        return [] if state[POINT] == OVER else list(self.moves(self.choice(state[POINT]), state))

    def apply(self, state: State, move: Move) -> State:
        """The state at the next choice, after a move, which may be illegal. Raises `PlayError`."""
        choice = self.choice(state[POINT])
        if move == STOP:
            return self.play_on(list(state), choice.leave)
        changing = self.after(state, move[0], move[1:])
        if changing.over:
            return over(changing.columns)
        return self.play_on(changing.columns, choice.leave if changing.left else choice.resume)

    def after(self, state: Columns, action: int, arguments: Locals) -> Changing:
        """What the effects of an action leave, before the flow goes on. Raises `PlayError`."""
        changing = Changing(list(state))
        self.run(self.lowering.action(action).effects, changing, arguments)
        return changing

    # Moves ----------------------------------------------------------------------------------------

    def moves(self, choice: program.Choose, state: Columns) -> Iterator[Move]:
        for number in choice.actions:
            for arguments in self.bindings(self.lowering.action(number).parameters, state):
                if self._admits(number, arguments, state):
                    yield (number, *arguments)
        if choice.stop:
            yield STOP

    def _admits(self, number: int, arguments: Locals, state: Columns) -> bool:
        """Whether all that an action requires holds, before its effects and, unless they are impossible, after them."""
        value, action = self.interpreter.value, self.lowering.action(number)
        if not all(value(each.condition, state, arguments) for each in action.requirements):
            return False
        if not action.afterwards:
            return True
        try:
            after = self.after(state, number, arguments).columns
        except play_errors.PlayError:
            return True
        return all(value(each.condition, after, arguments) for each in action.afterwards)

    def bindings(self, parameters: Sequence[program.Parameter], state: Columns, before: Locals = ()) -> Iterator[Locals]:
        """Every list of arguments, in order, regardless of requirements."""
        if not parameters:
            yield before
            return
        first, *rest = parameters
        for value in dict.fromkeys(self.interpreter.value(first.domain, state, before)):
            given = (*before, value)
            if first.where is None or self.interpreter.value(first.where, state, given):
                yield from self.bindings(rest, state, given)

    # Flow -----------------------------------------------------------------------------------------

    def play_on(self, columns: list[Any], at: int, end: int = -1) -> State:
        """The state at the next choice or the end, from a node of the flow on; before the node `end`, if play comes to it.

        Raises `PlayError`.
        """
        most = self.lowering.instance.game.limits.flow
        for _ in range(most):
            node = self.lowering.node(at)
            if at == end:
                return over(columns)
            match node:
                case program.Run(effects, following):
                    changing = Changing(columns)
                    self.run(effects, changing, ())
                    if changing.over:
                        return over(columns)
                    at = following
                case program.Test(condition, then, otherwise):
                    at = then if self.interpreter.value(condition, columns) else otherwise
                case program.Choose():
                    columns[POINT] = node.number
                    if node.stop or next(self.moves(node, columns), None):
                        return tuple(columns)
                    at = node.leave
                case program.Over():
                    return over(columns)
                case _:
                    assert_never(node)
        raise play_errors.endless_flow(self.lowering.node(at).span, most)

    # Effects --------------------------------------------------------------------------------------

    def run(self, effects: Sequence[Effect], changing: Changing, env: Locals) -> None:
        for effect in effects:
            match effect:
                case program.Name(_, value, is_drawn):
                    named = self.interpreter.value(value, changing.columns, env)
                    if is_drawn:
                        if not named:
                            raise play_errors.nothing_to_draw(effect.span)
                        named, changing.columns[SEED] = drawn(named, changing.columns[SEED])
                    env = (*env, named)
                case program.If(condition, then, otherwise):
                    chosen = then if self.interpreter.value(condition, changing.columns, env) else otherwise
                    self.run(chosen, changing, env)
                case program.For(_, domain, body):
                    for element in tuple(self.interpreter.value(domain, changing.columns, env)):
                        self.run(body, changing, (*env, element))
                case program.End(game):
                    changing.over, changing.left = changing.over or game, changing.left or not game
                case program.Write() | program.Transfer() | program.Deal() | program.Shuffle():
                    self.change(effect, changing.columns, env)
                case _:
                    assert_never(effect)

    def change(self, effect: OnPlaces, columns: list[Any], env: Locals) -> None:
        """An effect on one place or from one to another; all its terms are evaluated first."""
        origin = effect.origin or Origin("")

        def value(term: Term | None) -> Any:
            return None if term is None else self.interpreter.value(term, columns, env)

        match effect:
            case program.Write(place, term):
                new, slot = value(term), self._slot(place, value(place.index), origin)
                self._check(place.variable, new, origin)
                write(columns, slot, new)
            case program.Transfer(source, target, tile_term):
                tile, taken, put = value(tile_term), value(source.index), value(target.index)
                onto = None if self._is_board(target) else self._slot(target, put, origin)
                self._take(source, taken, tile, origin, columns)
                self._put(target, onto or self._slot(target, put, origin, play_errors.cannot_put), (tile,), origin, columns)
            case program.Deal(number_term, source, target):
                most = max(0, value(number_term))
                (column, _), put = (self._slot(place, value(place.index), origin) for place in (source, target))
                moved, columns[column] = dealt(columns[column], most, source.bottom)
                self._put(target, put, moved, origin, columns)
            case program.Shuffle(zone):
                column, _ = self._slot(zone, value(zone.index), origin)
                columns[column], columns[SEED] = shuffled(columns[column], columns[SEED])
            case _:
                assert_never(effect)

    def _check(self, name: str, value: int, origin: Origin) -> None:
        """Raise `PlayError` if a variable cannot have a value."""
        allowed = self.interpreter.variables[name].variable.values
        if value not in allowed:
            known = self.lowering.instance.game.variables[name]
            if known.is_layer:
                raise play_errors.cannot_lay(origin, known.pieces)
            raise play_errors.out_of_range(origin, name, value, allowed.start, allowed.stop - 1)

    def _is_board(self, place: Place) -> bool:
        return self.interpreter.variables[place.variable].over_cells

    def _slot(
        self,
        place: Place,
        index: int | None,
        origin: Origin,
        wrong: Callable[[Origin, str], play_errors.PlayError] = play_errors.undefined_index,
    ) -> Slot:
        found = self.interpreter.variables[place.variable].slot(index)
        if found is None:
            raise wrong(origin, place.variable)
        return found

    def _take(self, place: Place, index: int | None, tile: int, origin: Origin, columns: list[Any]) -> None:
        if self._is_board(place):
            slot = self._slot(place, index, origin, play_errors.tile_missing)
            if not tile or read(columns, slot) != tile:
                raise play_errors.tile_missing(origin, place.variable)
            write(columns, slot, 0)
            return
        column, _ = self._slot(place, index, origin)
        left = without(columns[column], tile, place.bottom)
        if left is None:
            raise play_errors.tile_missing(origin, place.variable)
        columns[column] = left

    def _put(self, place: Place, slot: Slot, tiles: Tiles, origin: Origin, columns: list[Any]) -> None:
        """Put tiles into a zone, or onto a pile one by one; one tile on a vacant cell."""
        column, _ = slot
        storage = self.interpreter.variables[place.variable].variable.storage
        if storage is not Storage.VALUE:
            columns[column] = with_more(columns[column], tiles, place.bottom, storage is Storage.PILE)
            return
        if read(columns, slot):
            raise play_errors.cannot_put(origin, place.variable)
        write(columns, slot, *tiles)


def over(columns: list[Any]) -> State:
    """The state at the end of the game."""
    columns[POINT] = OVER
    return tuple(columns)
