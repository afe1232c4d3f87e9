"""One attempt: a position from play, proved, reduced, measured and written. It depends only on seed and number."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import accumulate

from rulewright.base.choices import Engines
from rulewright.base.diagnostics import RulesError
from rulewright.base.records import define, evolve, frozen
from rulewright.grammar.from_text import parse_puzzle
from rulewright.grammar.tree.puzzles import OUTCOMES, Goal, PlanLine, Puzzle, Verdict
from rulewright.puzzles.from_tree import set_up_position
from rulewright.puzzles.near_misses import NearMisses
from rulewright.puzzles.plan_replay import replay
from rulewright.puzzles.position import Position
from rulewright.rules.linking.project import Project
from rulewright.rules.model.game import Game
from rulewright.rules.model.state import FOREVER, SEED, STOP, Horizon, Move
from rulewright.rules.play.engine import Engine, State
from rulewright.rules.play.move_notation import action_of, format_move
from rulewright.solver.answer.portfolio import answer
from rulewright.solver.playouts.policies import Kind, Policy, choosing
from rulewright.solver.result import Limits
from rulewright.solver.shortest.problem import truth_value
from rulewright.studies.verdicts import check_verdicts

from .commission import Commission
from .composition import Composer, Traits, canonical_digest, laid_open, traits_of
from .move_values import GREEDY, MoveValues, NaivePlayer, Unproved
from .proof import Fault, Faulty, Proof, is_used, proved
from .reduction import Reducer
from .solution import LONGEST, Features, Grade, Solution, TooLong, graded, measured
from .sources import Candidate, CandidateSource, Source, turns_counted

EARLY = 0.25
"""The share of a proof's time spent on a position that another can replace."""

SOLUTION_SECONDS = 5.0
"""Most seconds to search for a plan to the goal, beside which positions may lie."""

BEAM = Policy(Kind.BEAM, 64)
"""The policy of play if no plan was found."""

MOST_REFUSED = 2
"""The maximum number of refused actions in a puzzle."""


@frozen
class MadePuzzle:
    """A puzzle with its answer and plans, but without name and text. `canonical` is the same for puzzles that a symmetry of
    the space maps onto each other; `tiles` are those to come, `removed` is the number of reductions."""

    puzzle: Puzzle
    source: Source
    proof: Proof
    features: Features
    grade: Grade
    keys: tuple[str, ...]
    sign: int
    tiles: int
    removed: int
    canonical: str
    traits: Traits


@frozen
class Attempt:
    """The result of attempt `number`: a fault of the position, or a puzzle, and perhaps another that begins later in the
    same turn, with another action."""

    number: int
    made: tuple[MadePuzzle, ...]
    fault: Fault | None = None


def lost_attempt(number: int, reason: str) -> Attempt:
    """The result of an attempt at which workers died, or that exceeded its limits."""
    return Attempt(number, (), Fault.UNPROVED)


@define(eq=False)
class Maker:
    """Makes puzzles of a commission in a project. `attempt` is a function of the number."""

    project: Project
    commission: Commission

    @cached_property
    def game(self) -> Game:
        """The rules, linked. Raises `RulesError`."""
        return self.project.load(self.commission.rules)

    @cached_property
    def start(self) -> Position | None:
        """The position that play starts from; None for the set-up. Raises `RulesError`."""
        if not self.commission.start:
            return None
        return set_up_position(parse_puzzle(self.commission.start, "the start"), self.game)

    @cached_property
    def engine(self) -> Engine:
        """The engine for play before a position, which counts turns. Raises `RulesError`."""
        start = self.start
        engine = Engine.of(self.game, self.commission.players) if start is None else start.engine
        if self.commission.ask.turns is not None:
            return engine.with_horizon(Horizon(self.commission.ask.point, FOREVER))
        return turns_counted(engine, engine.start(0) if start is None else start.state)

    @cached_property
    def can_begin(self) -> bool:
        """Whether there is a choice where play starts. Raises `RulesError`."""
        state = self.engine.start(self.commission.seed) if self.start is None else self.start.state
        return bool(self.engine.legal(state))

    @cached_property
    def _source(self) -> CandidateSource:
        start, commission = None if self.start is None else self.start.state, self.commission
        solve = self._solution_from if commission.ask.goal is Goal.LEAST else None
        question = commission.question(self.game)
        mover = question.player if question.is_against else None
        return CandidateSource(self.engine, start, commission.tiles, commission.moves, solve, self._reached, mover)

    def _solution_from(self, state: State) -> list[State]:
        """The states of a short plan; if none was found in time, of beam play that reaches the goal."""
        question = self.commission.question(self.game)
        engine = self.engine if question.horizon is None else self.engine.with_horizon(question.horizon)
        seconds = min(self.commission.seconds, SOLUTION_SECONDS)
        try:
            result = answer(engine, state, question, Limits(seconds, 1, self.commission.memory_mib, Engines.SEARCH))
        except RulesError:
            return []
        return list(accumulate(result.plan, engine.apply, initial=state)) if result.plan else self._played_by_beams(state)

    @cached_property
    def _reached(self) -> Callable[[State], object] | None:
        """The test for the goal; None if the question is about the end of play."""
        until = self.commission.question(self.game).until
        return None if until is None else self.engine.compile_value(truth_value(until))

    def _played_by_beams(self, state: State) -> list[State]:
        engine, reached = self.engine, self._reached
        assert reached is not None
        choose, found = choosing(BEAM, engine), [state]
        while not reached(found[-1]):
            moves = engine.legal(found[-1])
            if not moves or len(found) > LONGEST:
                return []
            found.append(choose(found[-1], moves, 0)[1])
        return found

    @cached_property
    def _start_digest(self) -> str:
        """The canonical form of the puzzle that play starts from, with the same question; empty for a set-up."""
        if self.start is None:
            return ""
        position = self._composer.position(evolve(self.start.puzzle, ask=self.commission.ask))
        return "" if position is None else canonical_digest(position)

    @cached_property
    def _composer(self) -> Composer:
        return Composer(self.game, self.commission)

    @cached_property
    def _sooner(self) -> Maker | None:
        """A maker of puzzles from the same games with a nearer horizon, which takes less time."""
        goal, seconds = self.commission.sooner, EARLY * self.commission.seconds
        return Maker(self.project, evolve(self.commission, goal=goal, sooner="", seconds=seconds)) if goal else None

    def attempt(self, number: int) -> Attempt:
        """The puzzle of an attempt, or the fault of its position."""
        found = self._attempt(number)
        if self._sooner is not None and found.fault in (Fault.UNPROVED, Fault.REPEATS):
            return self._sooner.attempt(number)
        return found

    @cached_property
    def _elsewhere(self) -> tuple[Maker, ...]:
        return tuple(Maker(self.project, commission) for commission in self.commission.elsewhere)

    def attempt_elsewhere(self, number: int) -> Attempt:
        """As `attempt`, but play starts from one of the known positions of these rules."""
        try:
            return self._elsewhere[number % len(self._elsewhere)].attempt(number)
        except RulesError:  # for a position known to be impossible
            return Attempt(number, (), Fault.NO_POSITION)

    def _attempt(self, number: int) -> Attempt:
        try:
            candidate = self._source.candidate(self.commission.seed, number)
            if candidate is None:
                raise Faulty(Fault.NO_POSITION)
            position, proof = self._proved(candidate)
            made, solution = self._made(candidate.source, position, proof)
            return Attempt(number, (made, *self._begun_later(made, solution)))
        except Faulty as error:
            return Attempt(number, (), error.fault)
        except Unproved:
            return Attempt(number, (), Fault.UNPROVED)
        except TooLong:
            return Attempt(number, (), Fault.LENGTH)

    def _proved(self, candidate: Candidate) -> tuple[Position, Proof]:
        """The first position of a candidate that is proved in time. A position with others behind it is given up early, and
        so is one that may lead nowhere. Raises `Faulty`."""
        early = evolve(self.commission, seconds=EARLY * self.commission.seconds)
        *earlier, last = candidate.states
        for state in earlier:
            try:
                return self._proved_of(self.engine, state, early)
            except Faulty as error:
                if error.fault is not Fault.UNPROVED:
                    raise
        is_doubtful = candidate.source is Source.SCRAMBLED or self._sooner is not None
        return self._proved_of(self.engine, last, early if is_doubtful else self.commission)

    def _begun_later(self, made: MadePuzzle, solution: Solution) -> Iterator[MadePuzzle]:
        """The puzzle that begins within the first turn of a solution at the only right move, if that is of another action
        than the key."""
        values = solution.values
        if values.question.is_against:
            return
        early = evolve(self.commission, seconds=EARLY * self.commission.seconds)
        for decision in solution.first_turn():
            is_other = decision.move != STOP and action_of(values.engine, decision.move) != made.traits.key
            if is_other and decision.right == (decision.move,):
                try:
                    position, proof = self._proved_of(values.engine, decision.state, early)
                    if self.commission.tiles is None or self._tiles_of(position) in self.commission.tiles:
                        yield self._made(made.source, position, proof)[0]
                except (Faulty, Unproved, TooLong):
                    continue
                return

    @staticmethod
    def _tiles_of(position: Position) -> int:
        return CandidateSource(position.engine, None, None).tiles_to_come(position.state)

    def _proved_of(self, engine: Engine, state: State, commission: Commission) -> tuple[Position, Proof]:
        position = self._composer.position(self._composer.puzzle(engine, state, "made"))
        if position is None:
            raise Faulty(Fault.NO_POSITION)
        return position, proved(position, commission)

    def _made(self, source: Source, position: Position, proof: Proof) -> tuple[MadePuzzle, Solution]:
        composer, commission = self._composer, self.commission
        if not all(is_used(name, position, proof.optimum, self.project, commission) for name in commission.uses):
            raise Faulty(Fault.NOT_USED)
        removed = 0
        if commission.reduces:
            position, proof, removed = Reducer(composer, self.project).reduced(position, proof)
        if removed:
            position = self._drawn_anew(position)
        values = MoveValues.of(position, commission)
        solution = Solution(values)
        if any(decision.state[SEED] != position.root[SEED] for decision in solution.decisions):
            raise Faulty(Fault.CHANCE)
        features = measured(solution, proof.first)
        is_long = commission.bits is not None and features.choice > commission.bits
        if is_long or (commission.moves is not None and features.moves not in commission.moves):
            raise Faulty(Fault.LENGTH)
        grade = graded(features)
        if grade.number not in commission.grades:
            raise Faulty(Fault.GRADE)
        puzzle = self._answered(position, values, solution.plan)
        right = [position.played_move(move) for move in solution.decisions[0].right]
        keys = tuple(format_move(position.asked, position.root, move) for move in right)
        canonical = canonical_digest(position)
        if canonical == self._start_digest:
            raise Faulty(Fault.TWICE)
        tiles, traits = self._tiles_of(position), traits_of(solution, proof.optimum - proof.second)
        made = MadePuzzle(puzzle, source, proof, features, grade, keys, values.sign, tiles, removed, canonical, traits)
        return made, solution

    def _drawn_anew(self, position: Position) -> Position:
        """The same position, drawn without margins."""
        puzzle = self._composer.puzzle(position.engine, position.state, "made")
        found = self._composer.position(evolve(puzzle, ask=position.puzzle.ask))
        assert found is not None, "a position that was reduced cannot be written"
        return found

    @staticmethod
    def _tempting(position: Position, values: MoveValues) -> Callable[[State], bool]:
        """Whether a state looks at least as good as one after any legal move."""
        player, engine = NaivePlayer(values, GREEDY), position.asked
        best = max(player.worth(engine.apply(position.root, move)) for move in engine.legal(position.root))
        return lambda state: player.worth(state) >= best

    def _answered(self, position: Position, values: MoveValues, plan: tuple[Move, ...]) -> Puzzle:
        """The puzzle with its answer, the plan as `accept:`, and refused actions; the interpreter checks all of them."""
        engine = position.asked
        states = accumulate(plan, engine.apply, initial=position.root)
        texts = [format_move(engine, state, move) for state, move in zip(states, plan, strict=False)]
        replay(engine, position.root, texts)
        refused = NearMisses(position.engine, position.state, self._tempting(position, values)).texts(MOST_REFUSED)
        plans = (PlanLine(True, tuple(texts)), *(PlanLine(False, (text,)) for text in refused))
        value = values.sign * values.optimum
        goal = values.question.goal
        answer = OUTCOMES[value] if goal is Goal.WIN else Verdict.YES if goal is Goal.REACH else value
        try:
            written = evolve(laid_open(position.puzzle, self.game), answer=answer, plans=plans)
            check_verdicts(evolve(position, puzzle=written))
        except RulesError as error:
            raise AssertionError(f"what was made is refused: {error}") from error
        return written
