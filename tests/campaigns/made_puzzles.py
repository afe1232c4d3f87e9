"""Every claim of a made puzzle, confirmed without the solver: by play that is followed to all its ends.

It stands on `legal`, `apply` and `over` alone; what is claimed is read from the puzzle as it is written, and from its proof.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from attrs import evolve

from rulewright.grammar.from_text import parse_puzzle
from rulewright.grammar.to_text import print_puzzle
from rulewright.grammar.tree.puzzles import Goal
from rulewright.puzzles.from_tree import set_up_position
from rulewright.puzzles.plan_replay import check_verdicts, replay
from rulewright.puzzles.position import Position
from rulewright.rules.linking.project import Project
from rulewright.rules.play.engine import State
from rulewright.studies.making.ablation import without
from rulewright.studies.making.commission import Commission
from rulewright.studies.making.maker import MadePuzzle
from rulewright.studies.making.move_values import NO_PLAN, MoveValues
from rulewright.studies.making.naive_play import GREEDY, NaivePlayer

MOST_STATES = 400_000


class TooMany(Exception):
    """There are more states than are looked at."""


def confirmed(made: MadePuzzle, commission: Commission, project: Project) -> Counter[str]:
    """What of the claims was confirmed; `too many states` where enumeration does not end. Raises AssertionError."""
    game = project.load(commission.rules)
    position = set_up_position(parse_puzzle(print_puzzle(made.puzzle), "made"), game)
    check_verdicts(position)
    found = Counter({"read": 1})
    engine, root, sign = position.asked, position.root, made.sign
    moves = engine.legal(root)
    assert len(moves) == len(made.proof.first)
    try:
        values = [_value_after(position, engine.apply(root, move), sign) for move in moves]
        assert sorted(values) == sorted(made.proof.first.values()), "first moves"
        best = max(values)
        assert best == made.proof.optimum and sum(value == best for value in values) >= 1
        assert position.puzzle.answer in (sign * best, *_words(sign * best))
        found["answer"] += 1
        if commission.sole.value != "nothing":
            assert values.count(best) == 1
            found["one key"] += 1
        assert all(value == best or best - value >= commission.lead for value in values)
        found["lead"] += 1
        (accepted, *_) = position.puzzle.plans
        last = replay(engine, root, accepted.actions)[-1].state
        assert _worth(position, last, sign, len(accepted.actions)) == best
        found["solution"] += 1
        for used in commission.uses:
            bare = set_up_position(evolve(position.puzzle, allow_impossible=True), without(used, game, project))
            others = [_value_after(bare, bare.asked.apply(bare.root, move), sign) for move in bare.asked.legal(bare.root)]
            assert max(others) != best, used
            found["uses"] += 1
        if commission.gap:
            found["gap"] += 1
            found["gap to every greedy game"] += best - _best_greedy(position, commission) >= commission.gap
    except TooMany:
        found["too many states"] += 1
    return found


def _words(value: int) -> Iterable[object]:
    from rulewright.grammar.tree.puzzles import OUTCOMES

    return [OUTCOMES[value]] if value in OUTCOMES else []


def _worth(position: Position, end: State, sign: int, length: int) -> int:
    question = position.question
    assert question is not None
    if question.goal is Goal.LEAST:
        return -length
    return sign * sum(position.asked.value(term, end) for term in question.values)


def _value_after(position: Position, state: State, sign: int) -> int:
    """The best that can be had from a state one move on; of a shortest plan, with that move."""
    engine, question = position.asked, position.question
    assert question is not None
    reached = None if question.until is None else engine.compile_value(question.until)
    worths = [engine.compile_value(term) for term in question.values]
    best, layer, seen, length = NO_PLAN, [state], {state}, 1
    while layer:
        if reached is not None and any(map(reached, layer)):
            return -length
        following: list[State] = []
        for here in layer:
            if engine.over(here):
                if reached is None:
                    best = max(best, sign * sum(worth(here) for worth in worths))
                continue
            for move in engine.legal(here):
                child = engine.apply(here, move)
                if child not in seen:
                    seen.add(child)
                    following.append(child)
        if len(seen) > MOST_STATES:
            raise TooMany
        layer, length = following, length + 1
    return best


def _best_greedy(position: Position, commission: Commission) -> int:
    """The most that greedy play may come to, whatever it chooses among equals."""
    values = MoveValues.of(position, commission)
    player, engine, shortest = NaivePlayer(values, GREEDY), values.engine, values.shortest
    best, layer, seen, length = NO_PLAN, [position.root], {position.root}, 0
    while layer:
        following: list[State] = []
        for here in layer:
            if shortest is not None and shortest.reached(here):
                return -length
            moves = [] if engine.over(here) else engine.legal(here)
            if not moves and shortest is None and engine.over(here):
                best = max(best, values.standing(here))
            for move in player.choices(here, moves) if moves else ():
                child = engine.apply(here, move)
                if child not in seen:
                    seen.add(child)
                    following.append(child)
        if len(seen) > MOST_STATES:
            raise TooMany
        layer, length = following, length + 1
    return best
