"""The search that answers a question on a page: the kernels, laid out as at the root. JavaScript calls them slice by slice.

What the question asks decides which kernel: branch and bound for the best value, best-first search for the least cost, null
windows for best play. All of the memory is laid out beforehand, so that tables have the size that a page may have.
"""

from __future__ import annotations

import time
from contextlib import suppress
from typing import Any

from rulewright.grammar.tree.puzzles import Goal
from rulewright.puzzles.position import Position
from rulewright.rules.linking.questions import Question
from rulewright.rules.machine.machine_game import MachineGame
from rulewright.solver.best import kernel_problem
from rulewright.solver.best.dual import dual_bound
from rulewright.solver.best.kernel_problem import DEEPEST, KernelProblem, SharedState
from rulewright.solver.best.kernels.depth_first import DepthFirst
from rulewright.solver.best.kernels.transposition_table import TranspositionTable
from rulewright.solver.best.problem import Problem
from rulewright.solver.kernel.compiled_game import CompiledGame
from rulewright.solver.kernel.game_interface import ENDLESS, SearchEnd
from rulewright.solver.kernel.packed_states import NUMBER
from rulewright.solver.result import Limits
from rulewright.solver.shortest import game as shortest
from rulewright.solver.shortest.estimates.cached_distances import CachedDistances
from rulewright.solver.shortest.estimates.distance_layout import words_of as distance_words
from rulewright.solver.shortest.estimates.distance_tables import OutOfTime
from rulewright.solver.shortest.problem import ShortestPlanProblem
from rulewright.solver.versus.kernel_search import KernelSearch
from rulewright.solver.versus.problem import MinimaxProblem
from rulewright.subset.buffers import longs
from rulewright.subset.bundles import with_parts
from rulewright.subset.memory_image import CallWriter, ImageKey, MemoryImage
from rulewright.subset.program import Program
from rulewright.subset.refusal import CannotCompile

from .game_module import Packed, memory_of, place_of, words_of
from .questions import within

ROOM = 192 << 20
"""Bytes of a search's tables on a page: a telephone of 2026 lends a page a multiple of it."""

BEST_PLAY_MIB = 256

BUCKETS, BOUNDS = 1 << 20, 1 << 18
BEAM_WIDTH = 300

PREPARING = 2.0
"""Seconds for what is derived when the page is written: distances to the goal, and the order of actions that commute."""

ENDS = {end.name.lower(): end.value for end in SearchEnd}


def search_module(position: Position) -> Packed | None:
    """The search for the answer to a position's question, for a best plan where plans are counted; None without a question.

    Raises `CannotCompile` if a page cannot search for it.
    """
    question = position.question
    if question is None:
        return None
    if question.in_expectation:
        raise CannotCompile("a page does not average over what chance may bring")
    recipe = _best
    entries: tuple[str, ...] = kernel_problem.ENTRIES
    if question.goal is Goal.LEAST:
        recipe, entries = _shortest, shortest.ENTRIES
    elif question.is_against or question.own_turns is not None:
        recipe, entries = _versus, (*KernelSearch.entries, "chooser")
    image, calls = MemoryImage(), CallWriter(entries)
    with image.laid_out():
        game, machine, data = recipe(position, question, calls.program)
        calls.program.apply(machine.memory, machine.moves, 0)
        calls.program.legal(machine.memory, machine.moves, 0)
        code = image.module(game.sources, [*calls.calls])
    words = [1 + len(action.parameters) for action in position.asked.game.actions.values()]
    played = {number: position.played_move((number,))[0] for number in range(len(words))}
    data["copies"] = {number: original for number, original in played.items() if original != number}
    found = {"memory": memory_of(machine), "search": data, "ends": ENDS, "words_of_moves": words}
    return Packed(code, image, calls.calls, found)


Laid = tuple[CompiledGame, MachineGame, dict[str, Any]]
"""What a recipe has laid out, having called all entries that the page calls but `apply` and `legal`; the data tell the rest."""


def _best(position: Position, question: Question, program: Program) -> Laid:
    problem = Problem(position.asked, position.root, question, hash_key=ImageKey())
    kernels = KernelProblem.of(problem)
    machine = kernels.game.machine(program)
    worker = kernels.worker(machine)
    worker.order = kernels.increasing_order(PREPARING, machine)
    reach = question.threshold if question.goal is Goal.REACH else None
    enough = reach if reach is not None else ENDLESS if problem.most is None else problem.most
    shared = SharedState.of(BUCKETS, BOUNDS, -ENDLESS if reach is None else reach - 1, enough)
    table = TranspositionTable(shared.visited, shared.bucket_count, kernels.tables.guards, 1)
    search = DepthFirst(worker.context(shared.cache, shared.words), table, worker.stack, worker.children, worker.order)
    program.depth_first_search(search, DEEPEST)
    program.beam_search(worker.beam(shared, BEAM_WIDTH), 0)
    if kernels.has_dual_bound:
        program.bound_by_dual_costs(worker.state_bound, 0, dual_bound.SWEEPS)
    worker.begin()
    words = words_of(shared.words, "stop", "target")
    words |= words_of(worker.progress, "nodes", "has_plan", "plan_value", "plan_length", "node_limit")
    data = {"kind": "best", "sign": problem.sign, "most": problem.most, "reach": reach, "words": words}
    return kernels.game, machine, data | {"plan": place_of(worker.plan_moves)}


def _shortest(position: Position, question: Question, program: Program) -> Laid:
    problem = ShortestPlanProblem(position.asked, position.root, question, hash_key=ImageKey())
    game = shortest.CostGame(problem)
    machine = game.compiled.machine(program)
    most = shortest.most_states_in(ROOM, shortest.bytes_of_state(game.layout))
    states = game.states(machine, most)
    count = 1 << (4 * most // 3).bit_length()
    search = with_parts(states.search, known=longs(count), known_count=count, room=most)
    with suppress(OutOfTime):
        tables = CachedDistances(problem, game.compiled.identity(machine)).found(time.monotonic() + PREPARING)
        search = with_parts(search, distances=distance_words(tables, (), machine))
    program.enter_root(search, problem.root_cost)
    program.estimate_again(search)
    program.best_first_search(search)
    program.move_to(search, 0)
    words = words_of(search, "expanded", "expansion_limit", "cost", "slack")
    words |= words_of(search, "has_goal", "goal_cost", "goal_parent")
    data: dict[str, Any] = {"kind": "shortest", "origins": place_of(search.array_named("origins")), "words": words}
    return game.compiled, machine, data | {"number": NUMBER, "goal": place_of(search.array_named("goal_move"))}


def _versus(position: Position, question: Question, program: Program) -> Laid:
    problem = MinimaxProblem(position.asked, position.root, question)
    judge = KernelSearch(problem, 0.0, Limits(memory_mib=BEST_PLAY_MIB, hash_key=ImageKey()))
    machine = judge.game.machine(program)
    search = judge.arrays(machine)
    program.minimax_search(search)
    program.chooser(machine.memory)
    program.value(machine.memory)
    words = words_of(search, "goal", "depth", "has_result", "result", "nodes", "node_limit", "left", "turn")
    data: dict[str, Any] = {"kind": "versus", "player": problem.player, "sign": problem.sign, "words": words}
    data |= {"threshold": question.threshold if question.goal is Goal.REACH else None, "together": problem.is_together}
    return judge.game, machine, data | {"within": within(question), "extremes": problem.extremes}
