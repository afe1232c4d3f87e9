"""What a page has to know of a game beside its code: names, notation, choices and the messages of its rules, as JSON.

Whatever depends on the state is asked of the compiled game by number (`Asked`): whether an argument lies in its domain, whether
a requirement holds, a score, a definition that the picture shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, assert_never

from rulewright.api.start import Start
from rulewright.base.records import define, field
from rulewright.base.styled_text import spaced
from rulewright.grammar.tree.expressions import Comparison
from rulewright.pictures.scene import TILE
from rulewright.rules.linking.questions import question_of
from rulewright.rules.machine.machine_game import Asked
from rulewright.rules.machine.memory_layout import Arrangement, Place
from rulewright.rules.model import terms, types
from rulewright.rules.model.game import SCORE, Action, Case, Definition, Parameter, Requirement, Score
from rulewright.rules.model.instance import is_optional
from rulewright.rules.model.standing import PLAYER, outcome, sum_of
from rulewright.rules.play.engine import Engine, describe_value
from rulewright.rules.play.move_notation import neighbours_of
from rulewright.rules.play.scores import has_flags, tells_leader
from rulewright.rules.spaces.window import Window
from rulewright.rules.static.look_checks import drawn_definitions

from .questions import Suspects

TRUTH, NUMBER = types.Truth(), types.Number()

Data = dict[str, Any]


@define(eq=False)
class GameData:
    """The data of a game at a start; `asked` collects the terms that they refer to by number."""

    start: Start
    asked: list[Asked] = field(factory=list, init=False)
    windows: set[str] = field(factory=set, init=False)

    @property
    def engine(self) -> Engine:
        return self.start.engine

    def ask(self, term: terms.Term, parameters: Sequence[tuple[str, types.Type]] = (), after: Action | None = None) -> int:
        """The number by which a page asks for the value of a term, `after` the effects of an action if one is given."""
        asked = Asked(term, tuple(parameters), after)
        if asked not in self.asked:
            self.asked.append(asked)
        return self.asked.index(asked)

    def data(self) -> Data:
        """Everything but the layout in memory, which `columns_of` tells."""
        engine, game = self.engine, self.engine.game
        found: Data = {
            "asked": self._asked(),
            "players": engine.instance.players,
            "horizon": None if engine.horizon is None else [spaced(engine.horizon.point), engine.horizon.times],
            "actions": [self._action(action) for action in game.actions.values()],
            "choices": [
                {"name": spaced(engine.choice_name(choice.number)) if choice.points else "", "by": choice.by is not None}
                | {"stop": choice.stop}
                | {"actions": [engine.action_numbers[name] for name in choice.actions]}
                for choice in engine.choices
            ],
            "scores": [self._score(score) for score in game.scores],
            "has_flags": has_flags(game),
            "tells_leader": tells_leader(game),
            "rank": self._rank(),
            "outcomes": self._outcomes(),
            "drawn": [self._drawn(definition) for definition in drawn_definitions(game)],
            "enumerations": {name: list(members) for name, members in game.enumerations.items()},
            "tiles": [kind.name for kind in game.tiles],
            "places": {
                name: [
                    [describe_value(engine, types.Place(name), at), *(cell for role in place.cells for cell in role)]
                    for at, place in enumerate(pattern.places)
                ]
                for name, pattern in game.patterns.items()
                if any(self._ranges_over(action, types.Place(name)) for action in game.actions.values())
            },
        }
        found["windows"] = {name: window_data(engine.instance.windows[name]) for name in sorted(self.windows)}
        return found

    def _asked(self) -> Data | None:
        """The question: what is compared, and when; a least cost without a value counts moves, or `turns`."""
        position = self.start.position
        if position is None or position.question is None or position.puzzle.ask is None:
            return None
        question = position.question
        if position.reduced is not None:  # about the game that is played
            question = question_of(position.engine.game, position.puzzle.ask, position.engine.instance.players)
        found: Data = {}
        if question.until is not None:
            found |= {"until": self.ask(question.until), "turns": question.counts_turns}
        if question.values:
            found["value"] = self.ask(sum_of(question.values))
        return found

    # Types ----------------------------------------------------------------------------------------

    def _ranges_over(self, action: Action, type: types.Type) -> bool:
        return any(parameter.type == type for parameter in action.parameters)

    def type(self, type: types.Type) -> list[Any]:
        """A type as its name, what it ranges over, and its first and last values."""
        domain = self.engine.instance.domain(type)
        ends = [domain.start, domain.stop]
        match type:
            case types.Truth() | types.Number() | types.Player() | types.Tile() | types.SetOf():
                return [type.__class__.__name__.lower(), "", *ends]
            case types.Enumeration(name):
                return ["enumeration", name, *ends]
            case types.Cell(space) | types.Direction(space):
                self.windows.add(space)
                return [type.__class__.__name__.lower(), space, *ends]
            case types.Region(space):
                self.windows.add(space)
                return ["region", space, *ends, self.engine.instance.most_regions]
            case types.Place(pattern):
                self.windows.add(self.engine.game.patterns[pattern].space)
                return ["place", pattern, *ends, self.engine.game.patterns[pattern].space]
            case types.Pair(first, second):
                return ["pair", "", *ends, self.type(first), self.type(second)]
            case _:
                assert_never(type)

    def word(self, type: types.Type) -> str:
        """The first word of the names of things of a type; "" if these are no things."""
        match type:
            case types.Cell(space):
                self.windows.add(space)
                return space
            case types.Tile():
                return TILE
            case _:
                return ""

    # Actions --------------------------------------------------------------------------------------

    def _action(self, action: Action) -> Data:
        names = [(parameter.name, parameter.type) for parameter in action.parameters]
        other = action.other_notation
        return {
            "name": action.name,
            "module": action.module,
            "cite": action.cite,
            "notation": list(action.notation),
            "other": None if other is None else {"parts": list(other.parts), "when": self.ask(other.when, names)},
            "parameters": [self._parameter(parameter, names[:at]) for at, parameter in enumerate(action.parameters)],
            "requirements": [self._requirement(broken, names) for broken in action.requirements],
            "afterwards": [self._requirement(broken, names, action) for broken in action.afterwards],
        }

    def _parameter(self, parameter: Parameter, before: Sequence[tuple[str, types.Type]]) -> Data:
        names = (*before, (parameter.name, parameter.type))
        found: Data = {"name": parameter.name, "type": self.type(parameter.type), "inside": self.ask(_inside(parameter), names)}
        if is_optional(parameter):
            found["none"] = self.engine.instance.absent(parameter.type)
        toward = self._toward(parameter)
        if toward is not None:
            found["toward"] = self.ask(toward, names)
        return found

    def _toward(self, parameter: Parameter) -> terms.Term | None:
        """The direction as which a cell is written: that of its step from the cell whose neighbours are meant; -1 if none."""
        domain = neighbours_of(parameter)
        if domain is None or self.engine.instance.windows[domain.space].names:
            return None
        own = terms.Local(parameter.name, parameter.type)
        found: terms.Term = terms.Constant(-1, type=NUMBER)
        window = self.engine.instance.windows[domain.space]
        for number in reversed(range(len(window.directions))):
            direction = terms.Constant(number, type=types.Direction(domain.space))
            step = terms.Lookup(terms.Step(domain.space), domain.cell, direction, type=parameter.type)
            same = terms.Compare(Comparison.EQUAL, step, own)
            found = terms.If(same, terms.Constant(number, type=NUMBER), found, type=NUMBER)
        return found

    def _requirement(self, broken: Requirement, names: Sequence[tuple[str, types.Type]], after: Action | None = None) -> Data:
        found: Data = {
            "name": broken.name,
            "message": broken.message,
            "module": broken.module,
            "cite": broken.cite,
            "holds": self.ask(broken.condition, names, after),
        }
        condition = broken.condition
        ask = partial(self.ask, after=after)
        suspects = Suspects(self.engine.instance, ask, self.word, tuple(names), {name: name for name, _ in names})
        if (about := suspects.node(condition)) is not None:
            found["about"] = about
        if isinstance(condition, terms.Invoke):
            definition = self.engine.game.definitions[condition.definition]
            default = f"`{broken.name.rpartition('.')[2]}` does not hold"
            if definition.reasons and isinstance(definition.value, terms.And) and broken.message == default:
                found["parts"] = [
                    {"message": reason.message}
                    | {"holds": self.ask(self._given(definition.parameters, condition, part), names, after)}
                    for part, reason in zip(definition.value.parts, definition.reasons, strict=True)
                ]
        return found

    @staticmethod
    def _given(parameters: Sequence[tuple[str, types.Type]], call: terms.Invoke, body: terms.Term) -> terms.Term:
        """A part of a definition's value with the arguments of a call for its parameters."""
        for (name, _), argument in zip(parameters, call.arguments, strict=True):
            if argument != terms.Local(name, argument.type):
                body = terms.Let(name, argument, body, body.type)
        return body

    # Scores ---------------------------------------------------------------------------------------

    def _score(self, score: Score) -> Data:
        found: Data = {"name": score.name, "value": self.ask(score.value)}
        if score.of_player is not None:
            found["of_player"] = self.ask(score.of_player, ((PLAYER, types.Player()),))
        match score.value:
            case terms.Fold(terms.Kind.SUM, binder, value) if not isinstance(binder.type, types.Number):
                points = terms.If(_inside(binder), value, terms.Constant(0, type=NUMBER), type=NUMBER)
                found["each"] = self.type(binder.type)
                found["points"] = self.ask(points, ((binder.name, binder.type),))
                if isinstance(value, terms.Invoke) and (cases := self.engine.game.definitions[value.definition].cases):
                    found["cases"] = [each.name for case in cases for each in case.and_exceptions()]
                    body = _case_number(cases, found["cases"], terms.Constant(-1, type=NUMBER))
                    parameters = self.engine.game.definitions[value.definition].parameters
                    found["case"] = self.ask(self._given(parameters, value, body), ((binder.name, binder.type),))
        return found

    def _rank(self) -> Data | None:
        """The number that is ranked, of the game or of a player, and the names of its ranges."""
        game, ranking = self.engine.game, self.engine.game.ranking
        if ranking is None:
            return None
        value, parameters = ranking.value, list[tuple[str, types.Type]]()
        if ranking.of_players:
            parameters = [(PLAYER, types.Player())]
            for score in game.scores:
                if score.of_player is not None:
                    value = terms.Let(score.name, score.of_player, value, NUMBER)
        value = terms.Let(SCORE, sum_of([score.value for score in game.scores]), value, NUMBER)
        lines = [[line.name, line.low, line.high] for line in ranking.lines]
        return {"value": self.ask(value, parameters), "of_players": ranking.of_players, "lines": lines}

    def _outcomes(self) -> list[int]:
        """Each player's outcome, if the game names who wins."""
        winner, players = self.engine.game.winner, range(1, self.engine.instance.players + 1)
        return [self.ask(outcome(winner, terms.Constant(player, type=types.Player()))) for player in players] if winner else []

    def _drawn(self, definition: Definition) -> int:
        """Whether a definition that pictures show holds for a cell."""
        ((_, cell),) = definition.parameters
        call = terms.Invoke(definition.name, (terms.Local("cell", cell),), type=TRUTH)
        return self.ask(call, [("cell", cell)])


def _inside(bound: terms.Binder) -> terms.Term:
    """Whether what is chosen or bound is within its domain."""
    inside = terms.Membership(terms.Local(bound.name, bound.type), bound.domain)
    return terms.And((inside, bound.where)) if bound.where is not None else inside


def columns_of(engine: Engine, arrangement: Arrangement) -> list[list[Any]]:
    """Where the memory of a game has the columns of its state: name, kind, count, and slots.

    A value has its first slot; cells have it and their number, with `nowhere`; a zone that of its first length, of its first
    tile, and the capacity; a pile's last tile is its top.
    """
    slots, header = arrangement.slots, arrangement.header

    def column(name: str, place: Place) -> list[Any]:
        declared = place.column
        if declared.over_cells:
            return [name, "cells", 1, header[place.entry], arrangement.cells(declared) + 1]
        if place.is_zone:
            kind = "pile" if place.is_pile else "set"
            return [name, kind, declared.count, place.slot, header[place.entry], slots.capacity]
        return [name, "value", declared.count, place.slot]

    return [column(name, place) for name, place in slots.places.items()]


def window_data(window: Window) -> Data:
    """The names of cells and directions: cells by name, or by their coordinates one after another."""
    found: Data = {"words": list(window.words), "nowhere": window.nowhere}
    if window.names:
        return found | {"names": list(window.names)}
    return found | {"coordinates": [number for cell in window.coordinates for number in cell]}


def _case_number(cases: Sequence[Case], names: Sequence[str], otherwise: terms.Term) -> terms.Term:
    """The index of the case that sets a value."""
    found = otherwise
    for case in reversed(cases):
        own = _case_number(case.exceptions, names, terms.Constant(names.index(case.name), type=NUMBER))
        found = terms.If(case.when, own, found, type=NUMBER)
    return found
