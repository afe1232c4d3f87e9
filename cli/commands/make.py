"""`rulewright make`: new puzzles of a game, each with a proof; after a run that made none, why, and what to write instead."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path

from rulewright.api.named import Named
from rulewright.base.deadline import TimeUp, deadline
from rulewright.base.diagnostics import RulesError, usage_error
from rulewright.base.ending import until_stopped
from rulewright.base.input_files import display_path
from rulewright.base.records import define, evolve, field, frozen
from rulewright.base.styled_text import Line, Style, Styled, counted, escape, line
from rulewright.cli.documents.answers import MadePuzzle, Make
from rulewright.cli.documents.document import document_of
from rulewright.cli.names import named
from rulewright.cli.views.output import Exit, Output, watching
from rulewright.grammar.printing.print_puzzles import ask_text
from rulewright.grammar.to_text import print_puzzle
from rulewright.grammar.tree.puzzles import GRADES, Goal
from rulewright.rules.model.game import Game
from rulewright.rules.static.dataflow import feeding_zones
from rulewright.rules.static.natural_question import natural_goal, sooner_goal
from rulewright.studies.making.commission import GOALS, Commission, Interval, interval_of
from rulewright.studies.making.composition import WrittenPuzzle
from rulewright.studies.making.maker import Maker
from rulewright.studies.making.proof import Fault, without
from rulewright.studies.making.run import MakingRun
from rulewright.studies.making.solution import LONGEST
from rulewright.workers.executor import Executor

FEW_TILES = Interval(2, 9)
"""The default number of tiles to come, in games of tiles."""

EVERY_GRADE = Interval(1, GRADES)

MOVES = Interval(3, LONGEST)
"""The default number of moves, for questions of the fewest moves."""

MOST_BITS = 60.0
"""The most choice in a solution of the fewest moves, unless the number of moves is given: 18 slides of four robots, or 40 moves
in a warehouse. The longest that ships, of 34 moves, has 50.5."""

MOST_ELSEWHERE = 8
"""The maximum number of known puzzles whose positions serve as starts."""

LATE = 0.5
"""Most seconds after the time limit; then attempts still under way are given up."""

FEWEST_MEMORY = 512
"""The least memory of one worker, in MiB."""


@frozen
class MakeResources:
    """The number of puzzles, their folder, the time, and the executor."""

    count: int
    folder: Path
    stem: str
    seconds: float
    executor: Executor


def make_puzzles(
    name: str, wished: Commission, players: int | None, gap: int | None, resources: MakeResources, output: Output
) -> int:
    """Make puzzles of a game, or from a puzzle's position. Exit status 1 if there are fewer than wanted.

    `wished` is as the options say, without rules and players; `players` and `gap` are None where they say nothing.
    """
    session = named(name)
    commission = commission_of(session, wished, players, gap)
    maker = Maker(session.project, commission)
    if not maker.can_begin and not commission.elsewhere:
        help = "name a puzzle to start play from; `rulewright list` shows them"
        raise usage_error(f"the game of `{session.name}` ends before the first choice", help)
    if not maker.can_begin:
        positions = counted(len(commission.elsewhere), "puzzle")
        output.line(Styled(f"the set-up leaves no choice, so play starts from {positions} of these rules", Style.FAINT))
    run = MakingRun(session.project, commission, resources.folder, resources.count, resources.stem)
    if known := len(run.journal.made):
        output.line(Styled(f"{counted(known, 'puzzle')} made before, in {display_path(resources.folder)}", Style.FAINT))
    progress = _Progress(run, resources.seconds)
    in_time = deadline(resources.seconds + LATE)
    with suppress(TimeUp), in_time, resources.executor, watching(progress, output):
        for kept in until_stopped(run.go(resources.executor, resources.seconds)):
            if kept is not None:
                output.lines(_puzzle_lines(kept))
    journal = run.journal
    output.document(
        Make,
        run,
        puzzles=[document_of(MadePuzzle, entry, file=run.file_of(entry.puzzle)) for entry in journal.made],
        aside=len(journal.selection.aside),
        attempts=len(journal.entries),
        faults=journal.faults,
    )
    output.lines(_summary(run, progress))
    if not run.journal.made and run.journal.faults:
        point = maker.engine.horizon.point if maker.engine.horizon is not None else ""
        start = next(iter(_starts_of(session)), "")
        output.line(Styled(escape(advice(maker.game, commission, run.journal.faults, point, start)), Style.WARNING))
    return Exit.NO if run.missing else Exit.YES


def commission_of(session: Named, wished: Commission, players: int | None, gap: int | None) -> Commission:
    """The commission, with defaults filled in, and alternative starts of play. Raises `RulesError`."""
    elsewhere = tuple(islice(_elsewhere(session, wished, players, gap), MOST_ELSEWHERE))
    try:
        commission = _commission(session, wished, players, gap)
    except RulesError:
        if not elsewhere:
            raise
        commission = elsewhere[0]
    return evolve(commission, elsewhere=elsewhere)


def _elsewhere(session: Named, wished: Commission, players: int | None, gap: int | None) -> Iterator[Commission]:
    """The commission for some known puzzles of these rules, each with its own question if none is given."""
    for name in _starts_of(session):
        with suppress(RulesError):
            yield _commission(named(name), wished, players, gap)


def _commission(session: Named, wished: Commission, asked: int | None, gap: int | None) -> Commission:
    game = session.game
    rules, start = session.rules, ""
    players = game.players.low if asked is None else asked
    goal = wished.goal
    if session.is_puzzle:
        puzzle = session.puzzle
        start, players = print_puzzle(puzzle), session.start(asked, 0).engine.instance.players
        goal = goal or (ask_text(puzzle.ask) if puzzle.ask is not None and puzzle.ask.goal in GOALS else "")
    elif not game.players.low <= players <= game.players.high:
        raise usage_error(f"this game is for {game.players}, not {players}")
    is_natural = not goal
    goal = goal or natural_goal(game, players)
    if not goal:
        raise usage_error(
            f"`{session.name}` defines neither a score nor a winner", "give a question, as in `--goal 'fewest moves until …'`"
        )
    commission = evolve(wished, rules=tuple(rules), players=players, goal=goal, start=start)
    question = commission.question(game)
    if is_natural and question.goal is not Goal.LEAST and commission.tiles is None:
        horizon = Maker(session.project, commission).engine.horizon
        commission = evolve(commission, sooner=sooner_goal(game, players, horizon.point) if horizon is not None else "")
    gap = int(question.goal is not Goal.WIN) if gap is None else gap
    moves, bits = commission.moves, None
    if question.counts_moves and moves is None:
        moves, bits = MOVES, MOST_BITS
    tiles = FEW_TILES if commission.tiles is None and _is_of_tiles(game, commission) else commission.tiles
    commission = evolve(commission, gap=gap, moves=moves, bits=bits, tiles=tiles)
    for used in commission.uses:
        without(used, game, session.project)
    return commission


def _starts_of(session: Named) -> list[str]:
    """The puzzles of the same rules that have a question; empty if a puzzle is named."""
    if session.is_puzzle:
        return []
    return [puzzle.name for puzzle in session.catalogue.puzzles if puzzle.asks and "+".join(puzzle.rules) == session.name]


def read_interval(text: str, option: str) -> Interval | None:
    """The interval that an option says; None if it says none. Raises `RulesError`."""
    if not text:
        return None
    found = interval_of(text)
    if found is None:
        raise usage_error(f"`{option} {escape(text)}` is not a range of numbers", f"write `{option} 6..9` or `{option} 7`")
    return found


def _is_of_tiles(game: Game, commission: Commission) -> bool:
    """Whether tiles come from piles to be laid, and the question depends on them."""
    piles = [game.variables[name] for name in feeding_zones(game) if game.variables[name].storage.value == "pile"]
    return bool(piles) and commission.ask.goal is not Goal.LEAST and not commission.start


@define
class _Progress:
    """The progress of a run, as shown to the user."""

    run: MakingRun
    seconds: float
    _began: float = field(factory=time.monotonic, init=False)
    _tried_before: int = field(init=False)
    _made_before: int = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._tried_before, self._made_before = len(self.run.journal.entries), len(self.run.journal.made)

    @property
    def tried(self) -> int:
        """The number of attempts of this call."""
        return len(self.run.journal.entries) - self._tried_before

    @property
    def elapsed(self) -> float:
        return time.monotonic() - self._began

    def line(self) -> str:
        """`made 3 of 20  41 attempts  12 s  about 70 s to go`"""
        made, now = len(self.run.journal.made), len(self.run.journal.made) - self._made_before
        parts = [f"made {made} of {self.run.wanted}", counted(self.tried, "attempt"), f"{self.elapsed:.0f} s"]
        if now:
            left = self.run.missing * self.elapsed / now
            parts.append(f"about {min(left, max(self.seconds - self.elapsed, 0.0)):.0f} s to go")
        return "  ".join(parts)


def _puzzle_lines(kept: WrittenPuzzle) -> Iterator[Line]:
    told = f"  key {kept.traits.key}  grade {kept.grade}  answer {kept.answer}  "
    yield line(Styled(escape(kept.puzzle), Style.STRONG), escape(told), kept.told)
    yield line("  ", Styled(kept.line, Style.FAINT))


def _summary(run: MakingRun, progress: _Progress) -> Iterator[Line]:
    made = run.journal.made
    has_worked = progress.tried or run.missing
    took = f"{counted(progress.tried, 'attempt')} in {progress.elapsed:.0f} s" if has_worked else "nothing left to try"
    yield line(f"{counted(len(made), 'puzzle')} in {display_path(run.folder)}: {took}")
    if made:
        grades = [sum(entry.grade == grade for entry in made) for grade in range(1, GRADES + 1)]
        yield line("grades    ", ", ".join(f"{number} of {grade}" for grade, number in enumerate(grades, 1) if number))
    if run.journal.faults:
        faults = (f"{fault.value} {number}" for fault, number in run.journal.faults.items())
        yield line("left out  ", "; ".join(faults))
    if aside := len(run.journal.selection.aside):
        yield line(f"aside     {aside} more like those, to choose from")
    if run.missing and not run.is_hopeless:
        yield line(Styled(f"{run.missing} missing; repeat the command with more `--time` to continue", Style.WARNING))


# Advice for a run that made no puzzle ---------------------------------------------------------------------------------


def advice(game: Game, commission: Commission, faults: Mapping[Fault, int], point: str, start: str) -> str:
    """Why most attempts failed, and what to ask for instead. `point` is the flow point at which turns are counted, `start` a
    puzzle that play may start from; both may be empty."""
    most = max(faults, key=faults.__getitem__)
    wider = "--gap 0" if commission.gap else "--unique nothing"
    soon = _soon(game, commission, point)
    elsewhere = f"name a puzzle to start play from{f', such as `{start}`' if start else ''}"
    return {
        Fault.NO_POSITION: f"Play from the set-up rarely reaches a suitable position: {elsewhere}"
        + (", or change `--tiles`." if commission.tiles is not None else "."),
        Fault.NO_CHOICE: f"Play from the set-up leaves no choice: name modules that form a complete game, or {elsewhere}.",
        Fault.TOO_WIDE: f"There are too many first actions to refute all but one: {elsewhere}.",
        Fault.REPEATS: f"Positions may repeat, so play may never end: use `{soon}`.",
        Fault.IMPOSSIBLE: f"The goal cannot be reached from these positions: {elsewhere}.",
        Fault.CHANCE: "Chance decides in every solution, and a puzzle needs a best plan that is sure: "
        "use rules without chance after the set-up, or ask `solve` for a value `in expectation`.",
        Fault.LENGTH: "Solutions are too long or too short: change `--moves`.",
        Fault.NOTHING_TO_DO: f"No action gains anything: {elsewhere}, or change `--goal`.",
        Fault.GREEDY: f"Greedy play usually did as well: use `{wider}` to keep such positions.",
        Fault.KEYS: "There was usually more than one key: use `--unique nothing` to keep such positions.",
        Fault.LEAD: "The second-best key was usually almost as good: lower `--lead`.",
        Fault.DUALS: "There were usually duals: use `--unique key` to keep such positions.",
        Fault.NOT_USED: "What `--uses` requires was usually not needed: use `--unique nothing` to widen the choice, "
        "or change `--uses` or `--goal`.",
        Fault.UNPROVED: f"Proofs take too long: {elsewhere}"
        + (f", shorten the horizon, as in `{soon}`," if soon else "")
        + " or allow more time with `--proof 60`.",
        Fault.GRADE: "All puzzles have another grade: change `--grades`.",
        Fault.TWICE: "All puzzles found have been made before.",
    }[most]


def _soon(game: Game, commission: Commission, point: str) -> str:
    """The option that asks about the next turns instead of the end, or about one turn fewer; empty if there is none."""
    question, turns = commission.question(game), commission.ask.turns
    if turns == 1:
        return ""
    if question.goal is Goal.LEAST:
        return "--goal 'fewest moves until …'"
    if turns is None and not commission.sooner:
        goal = sooner_goal(game, commission.players, point) if point else ""
        return f"--goal '{goal}'" if goal else "--goal 'maximise … until …'"
    if turns is None and question.is_against:  # that was tried as well
        return f"--goal 'maximise … of 1 for 1 {point}'"
    fewer = 1 if turns is None else turns - 1
    return f"--goal 'maximise {'score' if game.scores else '…'} for {fewer} {point}{'s' if fewer > 1 else ''}'"
