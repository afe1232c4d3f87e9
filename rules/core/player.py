"""Plays a game in the core: legal moves, effects, the flow from one choice to the next."""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, assert_never

from rulewright.base.records import define, frozen
from rulewright.rules.model.game import Storage
from rulewright.rules.model.state import STOP, Move
from rulewright.rules.semantics.rng import Seed, drawn, shuffled

from . import program
from .interpreter import Columns, Faulted, Interpreter, Locals
from .program import Core, Effect, Place


@frozen
class CoreState:
    """A state: the node of the flow, the source of chance, the values of each variable."""

    node: int
    seed: Seed
    columns: tuple[tuple[Any, ...], ...]


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
    """A state while effects change it."""

    seed: Seed
    columns: list[list[Any]]
    over: bool = False
    left: bool = False


@define(eq=False)
class CorePlayer:
    """Legal moves and successors; nothing is kept between calls."""

    core: Core

    @cached_property
    def interpreter(self) -> Interpreter:
        return Interpreter(self.core)

    def start(self, state: CoreState) -> CoreState:
        """The state at the first choice, or at the end, from a node of the flow on."""
        return self._flow(_changing(state), state.node)

    def legal(self, state: CoreState) -> list[Move]:
        """The legal moves in order: actions as the choice lists them, parameters in the order of their domains."""
        node = self.core.flow[state.node]
        return list(self._moves(node, state.columns)) if isinstance(node, program.Choose) else []

    def apply(self, state: CoreState, move: Move) -> CoreState:
        """The state at the next choice, after a legal move. Raises `Faulted`."""
        choice, changing = self.core.flow[state.node], _changing(state)
        assert isinstance(choice, program.Choose)
        if move == STOP:
            return self._flow(changing, choice.leave)
        self._run(self.core.actions[move[0]].effects, changing, move[1:])
        if changing.over:
            return self._over(changing)
        return self._flow(changing, choice.leave if changing.left else choice.resume)

    def scores(self, state: CoreState) -> tuple[int, ...]:
        return tuple(self.interpreter.value(term, state.columns) for term in self.core.scores.values())

    # Moves ----------------------------------------------------------------------------------------

    def _moves(self, choice: program.Choose, columns: Columns) -> Iterator[Move]:
        for number in choice.actions:
            action = self.core.actions[number]
            for arguments in self._bindings(action.parameters, columns, ()):
                if self._admits(action, arguments, columns):
                    yield (number, *arguments)
        if choice.stop:
            yield STOP

    def _admits(self, action: program.Action, arguments: Locals, columns: Columns) -> bool:
        """Whether all that an action requires holds, before its effects and, unless they are impossible, after them."""
        value = self.interpreter.value
        if not all(value(each.condition, columns, arguments) for each in action.requirements):
            return False
        if not action.afterwards:
            return True
        after = Changing(0, [list(column) for column in columns])
        try:
            self._run(action.effects, after, arguments)
        except Faulted:
            return True
        return all(value(each.condition, after.columns, arguments) for each in action.afterwards)

    def _bindings(self, parameters: Sequence[program.Parameter], columns: Columns, before: Locals) -> Iterator[Locals]:
        if not parameters:
            yield before
            return
        first, *rest = parameters
        for value in dict.fromkeys(self.interpreter.value(first.domain, columns, before)):
            given = (*before, value)
            if first.where is None or self.interpreter.value(first.where, columns, given):
                yield from self._bindings(rest, columns, given)

    # Flow -----------------------------------------------------------------------------------------

    def _flow(self, changing: Changing, at: int) -> CoreState:
        """The state at the next choice or the end. Raises `Faulted` if play comes to neither."""
        for _ in range(self.core.most):
            node = self.core.flow[at]
            match node:
                case program.Run(effects, following):
                    self._run(effects, changing, ())
                    if changing.over:
                        return self._over(changing)
                    at = following
                case program.Test(condition, then, otherwise):
                    at = then if self.interpreter.value(condition, changing.columns) else otherwise
                case program.Choose():
                    if node.stop or next(self._moves(node, changing.columns), None):
                        return _state(changing, at)
                    at = node.leave
                case program.Over():
                    return _state(changing, at)
                case _:
                    assert_never(node)
        raise Faulted(f"the flow ran for {self.core.most} steps without a choice", self.core.flow[at].span)

    def _over(self, changing: Changing) -> CoreState:
        return _state(changing, len(self.core.flow) - 1)

    # Effects --------------------------------------------------------------------------------------

    def _run(self, effects: Sequence[Effect], changing: Changing, env: Locals) -> None:
        for effect in effects:
            match effect:
                case program.Name(_, value, is_drawn):
                    named = self.interpreter.value(value, changing.columns, env)
                    if is_drawn:
                        if not named:
                            raise Faulted("the set to draw from is empty", effect.span)
                        named, changing.seed = drawn(named, changing.seed)
                    env = (*env, named)
                case program.If(condition, then, otherwise):
                    chosen = then if self.interpreter.value(condition, changing.columns, env) else otherwise
                    self._run(chosen, changing, env)
                case program.For(_, domain, body):
                    for element in self.interpreter.value(domain, changing.columns, env):
                        self._run(body, changing, (*env, element))
                case program.End(game):
                    changing.over, changing.left = changing.over or game, changing.left or not game
                case program.Write() | program.Transfer() | program.Deal() | program.Shuffle():
                    self.change(effect, changing, env)
                case _:
                    assert_never(effect)

    def change(self, effect: OnPlaces, changing: Changing, env: Locals) -> None:
        """An effect on one place or from one to another; all its terms are evaluated first."""
        columns, value = changing.columns, self.interpreter.value
        match effect:
            case program.Write(place, term):
                new, (number, at) = value(term, columns, env), self._slot(place, columns, env)
                if new not in self.core.variables[number].values:
                    raise Faulted(f"`{place.variable}` cannot be {new}", effect.span)
                columns[number][at] = new
            case program.Transfer(source, target, tile_term):
                tile = value(tile_term, columns, env)
                taken, put = self._slot(source, columns, env), self._slot(target, columns, env)
                self._take(source, taken, tile, columns)
                self._put(target, put, [tile], columns)
            case program.Deal(number_term, source, target):
                most = max(0, value(number_term, columns, env))
                (number, at), put = self._slot(source, columns, env), self._slot(target, columns, env)
                tiles = _from_end(columns[number][at], source)
                columns[number][at] = _as_lying(tiles[most:], source)
                self._put(target, put, tiles[:most], columns)
            case program.Shuffle(zone):
                number, at = self._slot(zone, columns, env)
                columns[number][at], changing.seed = shuffled(columns[number][at], changing.seed)
            case _:
                assert_never(effect)

    def _slot(self, place: Place, columns: Columns, env: Locals) -> tuple[int, int]:
        index = None if place.index is None else self.interpreter.value(place.index, columns, env)
        number, at = self.interpreter.slot(place.variable, index)
        if at is None:
            raise Faulted(f"`{place.variable}` has no index {index}", place.span)
        return number, at

    def _take(self, place: Place, slot: tuple[int, int], tile: int, columns: list[list[Any]]) -> None:
        number, at = slot
        if self.core.variables[number].storage is Storage.VALUE:
            if not tile or columns[number][at] != tile:
                raise Faulted(f"no such tile lies in `{place.variable}`", place.span)
            columns[number][at] = 0
            return
        tiles = _from_end(columns[number][at], place)
        if tile not in tiles:
            raise Faulted(f"no such tile is in `{place.variable}`", place.span)
        tiles.remove(tile)
        columns[number][at] = _as_lying(tiles, place)

    def _put(self, place: Place, slot: tuple[int, int], tiles: Sequence[int], columns: list[list[Any]]) -> None:
        """Put tiles into a zone, or onto a pile one by one; one tile on a vacant cell."""
        number, at = slot
        match self.core.variables[number].storage:
            case Storage.VALUE:
                if columns[number][at]:
                    raise Faulted(f"a tile lies there in `{place.variable}`", place.span)
                (columns[number][at],) = tiles
            case Storage.PILE:
                columns[number][at] = _as_lying([*reversed(tiles), *_from_end(columns[number][at], place)], place)
            case Storage.SET:
                held = list(columns[number][at])
                for tile in tiles:
                    insort(held, tile)
                columns[number][at] = tuple(held)
            case other:
                assert_never(other)


def _changing(state: CoreState) -> Changing:
    return Changing(state.seed, [list(column) for column in state.columns])


def _state(changing: Changing, node: int) -> CoreState:
    return CoreState(node, changing.seed, tuple(map(tuple, changing.columns)))


def _from_end(tiles: Sequence[int], place: Place) -> list[int]:
    """The tiles of a zone in the order in which they are taken."""
    return list(reversed(tiles) if place.bottom else tiles)


def _as_lying(tiles: Sequence[int], place: Place) -> tuple[int, ...]:
    """The tiles of a zone, top first, given the order in which they are taken."""
    return tuple(reversed(tiles) if place.bottom else tiles)
