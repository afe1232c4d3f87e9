"""Every claim of a made puzzle, confirmed without the solver: by play that is followed to all its ends.

It stands on `legal`, `apply` and `over` alone; what is claimed is read from the puzzle as it is written, and from its proof.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from heapq import heappop, heappush
from itertools import count

from attrs import evolve

from rulewright.base.choices import Sole
from rulewright.base.records import define, field
from rulewright.grammar.from_text import parse_puzzle
from rulewright.grammar.to_text import print_puzzle
from rulewright.grammar.tree.puzzles import Goal
from rulewright.puzzles.from_tree import set_up_position
from rulewright.puzzles.plan_replay import replay
from rulewright.puzzles.position import Position
from rulewright.rules.linking.project import Project
from rulewright.rules.model.state import Move
from rulewright.rules.play.engine import Engine, State
from rulewright.studies.making.commission import Commission
from rulewright.studies.making.maker import MadePuzzle
from rulewright.studies.making.move_values import GREEDY, NO_PLAN, MoveValues, NaivePlayer
from rulewright.studies.making.proof import without
from rulewright.studies.verdicts import check_verdicts

MOST_STATES = 400_000


MOST_PLANS = 50_000


Worths = Callable[[State], int | None]


class TooMany(Exception):
    """There are more states than are looked at."""


def confirmed(made: MadePuzzle, commission: Commission, project: Project) -> Counter[str]:
    """What of the claims was confirmed; `too many states` where enumeration does not end. Raises AssertionError."""
    game = project.load(commission.rules)
    position = set_up_position(parse_puzzle(print_puzzle(made.puzzle), "made"), game)
    check_verdicts(position)
    found = Counter({"read": 1})
    engine, root, sign = position.asked, position.root, made.sign
    moves, step = engine.legal(root), int(commission.ask.goal is Goal.LEAST)
    assert len(moves) == len(made.proof.first)
    try:
        worths = _worths(position, sign, engine.legal)
        found_worths = [worths(engine.apply(root, move)) for move in moves]
        values = [NO_PLAN if worth is None else worth - step for worth in found_worths]
        assert sorted(values) == sorted(made.proof.first.values()), "first moves"
        best = max(values)
        assert best == made.proof.optimum and sum(value == best for value in values) >= 1
        assert position.puzzle.answer in (sign * best, *_words(sign * best))
        found["answer"] += 1
        if values.count(best) == 1:
            found["one key"] += 1
        elif commission.sole is not Sole.NOTHING:
            assert _plans_up_to_order(engine, root, worths, step) == 1, "plans"
            found["one plan"] += 1
        assert all(value == best or best - value >= commission.lead for value in values)
        found["lead"] += 1
        (accepted, *_) = position.puzzle.plans
        last = replay(engine, root, accepted.actions)[-1].state
        assert _worth_at(position, sign)(last) - step * len(accepted.actions) == best
        found["solution"] += 1
        for used in commission.uses:
            bare = set_up_position(evolve(position.puzzle, allow_impossible=True), without(used, game, project))
            assert _worths(bare, sign, bare.asked.legal)(bare.root) != best, used
            found["uses"] += 1
        found += _confirmed_greedy(made, commission, position)
    except TooMany:
        found["too many states"] += 1
    return found


def _plans_up_to_order(engine: Engine, root: State, worths: Worths, step: int) -> int:
    """How many best plans there are, those counted once that exchanges of two neighbours turn into each other.

    Both orders of the two must be plans, and lead to the same state.
    """
    plans: dict[tuple[Move, ...], list[State]] = {}
    rest: list[tuple[tuple[Move, ...], list[State]]] = [((), [root])]
    while rest:
        plan, states = rest.pop()
        state = states[-1]
        after = [(move, engine.apply(state, move)) for move in engine.legal(state)] if not engine.over(state) else []
        ways = [(move, child) for move, child in after if worths(child) == (worths(state) or 0) + step]
        if not ways:
            plans[plan] = states
        rest += [((*plan, move), [*states, child]) for move, child in ways]
        if len(plans) + len(rest) > MOST_PLANS:
            raise TooMany
    left, number = set(plans), 0
    while left:
        number += 1
        front = [left.pop()]
        for plan in front:
            for at in range(len(plan) - 1):
                other = (*plan[:at], plan[at + 1], plan[at], *plan[at + 2 :])
                if other in left and plans[other][at + 2] == plans[plan][at + 2]:
                    left.remove(other)
                    front.append(other)
    return number


def _confirmed_greedy(made: MadePuzzle, commission: Commission, position: Position) -> Counter[str]:
    """What greedy play comes to: in the games that were played, and in all where that is claimed; counts gaps to all."""
    player, greedy = NaivePlayer(MoveValues.of(position, commission), GREEDY), made.proof.greedy
    assert player.of_some() == greedy.of_some and made.proof.optimum - greedy.of_some >= commission.gap
    if greedy.of_all is None:
        return Counter({"gap": 1})
    offered = position.asked.legal
    worths = _worths(position, made.sign, lambda state: player.choices(state, moves) if (moves := offered(state)) else moves)
    worth = worths(position.root)
    assert (NO_PLAN if worth is None else worth) == greedy.of_all >= greedy.of_some
    return Counter({"gap": 1, "all greedy games": 1, "gap to all": int(made.proof.optimum - greedy.of_all >= commission.gap)})


def _words(value: int) -> Iterable[object]:
    from rulewright.grammar.tree.puzzles import OUTCOMES

    return [OUTCOMES[value]] if value in OUTCOMES else []


def _worth_at(position: Position, sign: int) -> Callable[[State], int]:
    """What a state is worth that play ends in; of a shortest plan, nothing."""
    engine, question = position.asked, position.question
    assert question is not None
    if question.goal is Goal.LEAST:
        return lambda state: 0
    worths = [engine.compile_value(term) for term in question.values]
    return lambda state: sign * sum(worth(state) for worth in worths)


def _worths(position: Position, sign: int, offered: Callable[[State], Sequence[Move]]) -> Worths:
    """The best that a state can come to by the moves that are offered; None where it comes to no end."""
    question = position.question
    assert question is not None
    if question.goal is Goal.LEAST:
        return _Distances(position, offered).of
    return _all_worths(position, sign, offered).get


@define(eq=False)
class _Distances:
    """Moves to what is asked, as less than nothing: all states are looked at, the nearest first, until one is reached."""

    position: Position
    offered: Callable[[State], Sequence[Move]]
    _known: dict[State, int | None] = field(factory=dict, init=False)

    def of(self, state: State) -> int | None:
        if state not in self._known:
            self._known[state] = self._searched(state)
        return self._known[state]

    def _searched(self, state: State) -> int | None:
        engine, question = self.position.asked, self.position.question
        assert question is not None and question.until is not None
        reached = engine.compile_value(question.until)
        front, met, steps = [state], {state}, 0
        while front:
            if any(reached(one) for one in front):
                return -steps
            after = (engine.apply(one, move) for one in front if not engine.over(one) for move in self.offered(one))
            front, steps = [child for child in dict.fromkeys(after) if child not in met], steps + 1
            met.update(front)
            if len(met) > MOST_STATES:
                raise TooMany
        return None


def _all_worths(position: Position, sign: int, offered: Callable[[State], Sequence[Move]]) -> dict[State, int]:
    """The worths of all states: they are found forwards, then the worths of ends are handed back, the best first."""
    engine, worth_at = position.asked, _worth_at(position, sign)
    before: dict[State, list[State]] = {position.root: []}
    pending: list[tuple[int, int, State]] = []
    numbers, rest = count(), [position.root]
    while rest:
        state = rest.pop()
        if engine.over(state):
            heappush(pending, (-worth_at(state), next(numbers), state))
            continue
        for move in offered(state):
            child = engine.apply(state, move)
            if child not in before:
                before[child] = []
                rest.append(child)
            before[child].append(state)
        if len(before) > MOST_STATES:
            raise TooMany
    found: dict[State, int] = {}
    while pending:
        worth, _, state = heappop(pending)
        if state in found:
            continue
        found[state] = -worth
        for earlier in before[state]:
            if earlier not in found:
                heappush(pending, (worth, next(numbers), earlier))
    return found
