"""The properties proved of a position before it becomes a puzzle, and the faults of those that fail.

The words are those of problem composers: the key is the first action of the solution, a cook another first action that solves
the problem too, a dual an equally good alternative to a later one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum

from rulewright.base.choices import Sole
from rulewright.base.diagnostics import RulesError, did_you_mean, usage_error
from rulewright.base.records import evolve, frozen
from rulewright.grammar.tree.puzzles import Goal
from rulewright.puzzles.from_tree import set_up_position
from rulewright.puzzles.position import Position
from rulewright.rules.linking.project import Project
from rulewright.rules.model.game import Game, TileKind, TileRegion
from rulewright.rules.model.state import SEED, Move
from rulewright.solver.plans.best_plans import best_plans_of
from rulewright.solver.result import Limits

from .commission import Commission
from .move_values import GREEDY, NO_PLAN, Endless, MoveValues, NaivePlayer, NaiveResult, Unproved
from .solution import Solution, TooLong

MOST_KEYS = 40
"""Positions with more first moves are skipped: refuting all but one takes a proof each."""


MARKER = "marker"
"""The enumeration of markers on tiles."""


class Fault(Enum):
    """Why a position does not become a puzzle; the values are texts for people."""

    NO_POSITION = "no position"
    NO_CHOICE = "nothing to choose"
    TOO_WIDE = "too many first actions"
    REPEATS = "play may go round in circles"
    IMPOSSIBLE = "what is asked cannot be reached"
    CHANCE = "chance decides"
    LENGTH = "too many moves, or too few"
    NOTHING_TO_DO = "nothing is to be gained"
    GREEDY = "greedy play does as well"
    KEYS = "more than one key"
    LEAD = "the second best key is nearly as good"
    DUALS = "duals"
    NOT_USED = "what was to be used is not needed"
    UNPROVED = "not proved in time"
    GRADE = "another grade"
    TWICE = "made before"


class Faulty(Exception):
    """A position has a fault."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.value)
        self.fault = fault


@frozen
class Proof:
    """Values, signed so that more is better: proved for the position and each first move, and the best of greedy play."""

    optimum: int
    first: Mapping[Move, int]
    greedy: NaiveResult

    @property
    def keys(self) -> tuple[Move, ...]:
        """The first moves that keep the optimum."""
        return tuple(move for move, value in self.first.items() if value == self.optimum)

    @property
    def second(self) -> int:
        """The best value after any other first move; `NO_PLAN` if there is none."""
        return max((value for value in self.first.values() if value != self.optimum), default=NO_PLAN)


def proved(position: Position, commission: Commission) -> Proof:
    """The proof that a position meets the demands of a commission, except `uses`. Raises `Faulty`."""
    try:
        return _proved(position, commission)
    except Endless as error:
        raise Faulty(Fault.REPEATS) from error
    except Unproved as error:
        raise Faulty(Fault.UNPROVED) from error
    except TooLong as error:
        raise Faulty(Fault.LENGTH) from error


def _proved(position: Position, commission: Commission) -> Proof:
    values = MoveValues.of(position, commission)
    engine, root, question = values.engine, position.root, values.question
    moves = engine.legal(root)
    if len(moves) < 2 or (question.is_against and engine.player(root) != question.player):
        raise Faulty(Fault.NO_CHOICE)
    if len(moves) > MOST_KEYS:
        raise Faulty(Fault.TOO_WIDE)
    if any(engine.apply(root, move)[SEED] != root[SEED] for move in moves):
        raise Faulty(Fault.CHANCE)
    optimum = values.optimum
    if optimum == NO_PLAN:
        raise Faulty(Fault.IMPOSSIBLE)
    if question.goal is Goal.MAXIMISE and not question.is_against and optimum <= values.standing(root):
        raise Faulty(Fault.NOTHING_TO_DO)
    if question.counts_moves and commission.moves is not None and -optimum not in commission.moves:
        raise Faulty(Fault.LENGTH)
    if question.counts_moves and commission.bits is not None and -optimum > commission.bits:
        raise Faulty(Fault.LENGTH)  # where nothing is forced, a move is a bit at least
    if not question.is_against and not _plays_all(values, commission.uses):
        raise Faulty(Fault.NOT_USED)
    player = NaivePlayer(values, GREEDY)
    of_some = player.of_some()
    if commission.gap and optimum - of_some < commission.gap:
        raise Faulty(Fault.GREEDY)
    first = _first_values(values, moves, optimum, commission)
    keys = [move for move, value in first.items() if value == optimum]
    if question.is_against and commission.sole is not Sole.NOTHING and set(player.choices(root, moves)) <= set(keys):
        raise Faulty(Fault.GREEDY)
    if commission.sole is Sole.PLAN or (commission.sole is Sole.SOLUTION and len(keys) > 1):
        _require_one_plan(values, optimum, commission)
    if commission.sole is Sole.TURN and any(len(decision.right) > 1 for decision in Solution(values).first_turn()):
        raise Faulty(Fault.DUALS)
    return Proof(optimum, first, NaiveResult(of_some, player.of_all()))


def _plays_all(values: MoveValues, names: Sequence[str]) -> bool:
    """Whether a best plan plays all actions among some names. A plan without an action proves it needless, but not against
    opponents, where a threat counts."""
    engine = values.engine
    played = {move[0] for move in values.plan}
    return all(engine.action_numbers[name] in played for name in names if name in engine.action_numbers)


def _first_values(values: MoveValues, moves: list[Move], optimum: int, commission: Commission) -> dict[Move, int]:
    """The value of every first move. With one key, no other first move keeps the optimum, in whatever order its plans continue.

    If the plan may be unique instead, keys must commute: they may then be the same actions in another order.
    """
    root, found, keys = values.position.root, dict[Move, int](), list[Move]()
    for move in moves:
        found[move] = values.after(root, move)
        if found[move] == optimum:
            if keys and commission.sole in (Sole.KEY, Sole.TURN):
                raise Faulty(Fault.KEYS)
            if commission.sole is Sole.SOLUTION and not all(_commute(values, key, move) for key in keys):
                raise Faulty(Fault.KEYS)
            keys.append(move)
        if found[move] < optimum and optimum - found[move] < commission.lead:
            raise Faulty(Fault.LEAD)
    assert max(found.values()) == optimum, "the best first move is worth another value than the position"
    if len(set(found.values())) == 1:
        raise Faulty(Fault.KEYS)
    return found


def _commute(values: MoveValues, one: Move, other: Move) -> bool:
    """Whether two moves of one player are legal in both orders and lead to the same state."""
    engine, root = values.engine, values.position.root
    if values.question.is_against:
        return False
    ends = []
    for first, second in ((one, other), (other, one)):
        between = engine.apply(root, first)
        if engine.over(between) or second not in engine.legal(between):
            return False
        ends.append(engine.apply(between, second))
    return bool(ends[0] == ends[1])


def _require_one_plan(values: MoveValues, optimum: int, commission: Commission) -> None:
    """Require that all optimal plans are one, up to the order of commuting moves."""
    limits = Limits(commission.seconds, 1, commission.memory_mib)
    plans = best_plans_of(values.engine, values.position.root, values.question, values.sign * optimum, limits)
    if plans.number is None:
        raise Faulty(Fault.UNPROVED if not plans.endless else Fault.DUALS)
    if plans.number != 1:
        raise Faulty(Fault.DUALS)


def is_used(name: str, position: Position, optimum: int, project: Project, commission: Commission) -> bool:
    """Whether the value of a position differs without an action, a marker or a clause. Raises `Unproved`.

    A position that the changed rules do not allow is not evidence.
    """
    game = without(name, position.engine.game, project)
    try:
        other = set_up_position(evolve(position.puzzle, allow_impossible=True), game)
    except RulesError:
        return False
    return MoveValues.of(other, commission).optimum != optimum


def without(name: str, game: Game, project: Project) -> Game:
    """A game in which an action is never legal, a marker stands on no tile, or a clause is dropped. Raises `RulesError`."""
    markers = game.enumerations[MARKER]
    if name in game.actions:
        return project.changed(game, f'change action {name}:\n    require withheld: no else "it is withheld"\n')
    if name in markers:
        return evolve(game, tiles=tuple(_unmarked(kind, markers.index(name)) for kind in game.tiles))
    item, _, label = name.partition(".")
    if not label:
        known = [*game.actions, *markers]
        help = did_you_mean(name, known) or "name an action, a marker, or a clause such as `ITEM.LABEL` (see `rulewright tree`)"
        raise usage_error(f"the rules have no action or marker `{name}`", help)
    return project.changed(game, f"change {item}:\n    drop {label}\n")


def _unmarked(kind: TileKind, marker: int) -> TileKind:
    def bare(region: TileRegion) -> TileRegion:
        return evolve(region, markers=tuple((other, count) for other, count in region.markers if other != marker))

    return evolve(kind, regions=tuple(map(bare, kind.regions)))
