"""A starting folder for an author: a variant of a game, a first puzzle, and a README with what to do next."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator
from itertools import chain, islice, zip_longest
from pathlib import Path

from rulewright.base.atomic_write import write_atomically
from rulewright.base.diagnostics import RulesError, file_error, usage_error
from rulewright.base.input_files import display_path, is_within
from rulewright.grammar.from_text import parse_puzzle
from rulewright.grammar.printing.print_expressions import print_expression
from rulewright.grammar.tree.puzzles import Ask, Goal, Puzzle
from rulewright.puzzles.catalogue import Catalogue
from rulewright.puzzles.from_tree import set_up_position
from rulewright.puzzles.position import Position
from rulewright.puzzles.to_text import write_position
from rulewright.rules.linking.project import SHIPPED, Project
from rulewright.rules.merging.rulebook import Rulebook
from rulewright.rules.model.game import Game
from rulewright.rules.model.state import COUNTED
from rulewright.rules.model.types import Number
from rulewright.rules.play.engine import Engine, State
from rulewright.solver.playouts.policies import GREEDY, RANDOM, Choose, choosing, seeds
from rulewright.solver.result import Limits, Status
from rulewright.studies.rule_checks import OverlapSearch, check_rules
from rulewright.studies.verified_plan import solve_verified

from .commission import parsed_goal

# Changes for an author to start from ----------------------------------------------------------------------------------
# Each has been tried: it links, it plays, and play differs.


SUGGESTED = 4
"""The maximum number of changes."""

TRIED = 12
"""The maximum number of candidates: each is linked and played."""

GAMES, LONGEST = 4, 60
"""Most playouts that try a change, and most moves of each."""


def suggestions(project: Project, path: Path, puzzle: Puzzle) -> Iterator[str]:
    """Changes of the game in a file, as text; each is also tried on a puzzle of the game. Empty if the game itself stops
    with an error."""
    game, book = project.load(path), project.combine(path).book
    try:
        before = _course(game, puzzle)
    except RulesError:
        return iter(())
    tried = islice(_candidates(game, book), TRIED)
    return islice((change for change in tried if _plays_otherwise(project, game, puzzle, change, before)), SUGGESTED)


def _plays_otherwise(project: Project, game: Game, puzzle: Puzzle, change: str, before: list[object]) -> bool:
    try:
        changed = project.changed(game, change)
        if check_rules(lambda: changed, search=OverlapSearch.NONE).errors:
            return False
        return _course(changed, puzzle) != before
    except RulesError:
        return False


def _course(game: Game, puzzle: Puzzle) -> list[object]:
    """The legal moves and the score at each choice of some playouts, from the puzzle and from the set-up.

    Raises `RulesError` if there is no such position, or a rule stops the game.
    """
    position = set_up_position(puzzle, game)
    choose = choosing(RANDOM, position.engine)
    course: list[object] = []
    for number, seed in zip(range(GAMES), seeds(1), strict=False):
        course += _playout(position.engine, position.state, choose, seed)
        course += _playout(position.engine, position.engine.start(number), choose, seed)
    return course


def _playout(engine: Engine, state: State, choose: Choose, seed: int) -> Iterator[object]:
    chance = seeds(seed)
    for _ in range(LONGEST):
        moves = engine.legal(state)
        yield tuple(moves), engine.score(state)
        if engine.over(state) or not moves:
            return
        _, state = choose(state, moves, next(chance))


def _candidates(game: Game, book: Rulebook) -> Iterator[str]:
    """Changes of numbers, requirements, exceptions and scores, in turn."""
    kinds = (_numbers(game), _requirements(game), _exceptions(game), _scores(book))
    return (change for change in chain.from_iterable(zip_longest(*kinds)) if change is not None)


def _numbers(game: Game) -> Iterator[str]:
    """Add one in the first row of each table of numbers."""
    for table in game.tables.values():
        if table.key == Number():
            for (column, values), kind in zip(table.columns, table.types, strict=True):
                if kind == Number():
                    yield f"change {table.name}: {column}[{table.keys[0]}] = {values[0] + 1}\n"


def _requirements(game: Game) -> Iterator[str]:
    """Drop an action's last requirement."""
    for action in game.actions.values():
        for requirement in action.requirements[-1:]:
            yield f"change {action.name}:\n    drop {requirement.name.rpartition('.')[2]}\n"


def _exceptions(game: Game) -> Iterator[str]:
    """Drop a definition's first exception."""
    for definition in game.definitions.values():
        for case in definition.cases[:1]:
            yield f"change {definition.name}:\n    drop {case.name.rpartition('.')[2]}\n"


def _scores(book: Rulebook) -> Iterator[str]:
    """Double a score."""
    for score in book.scores.values():
        yield f"change {score.name}:\n    replace value: 2 * ({print_expression(score.value)})\n"


# A starting folder for an author --------------------------------------------------------------------------------------


ACTIONS = 20
"""By definition of the first puzzle: the number of actions before its position."""

MORE_ACTIONS = 100
"""Most actions after it within which another position is sought if its question is not answered soon."""

POSITIONS, PROOF_SECONDS = 3, 4.0
"""Most positions tried, and most seconds for each: on a slower machine `solve` takes less than ten."""

README, VARIANT = (Path(__file__).with_name(name).read_text("utf-8") for name in ("starting_readme.md", "starting_variant.txt"))

CHANGES = "\n# Changes to try: uncomment these lines.\n"


def make_folder(folder: Path, of: str, around: Path) -> list[str]:
    """Make a folder with a module, a puzzle and a README; returns their names.

    `of` names a game of the library or of the folder `around`; the first of the library, if empty. Raises `RulesError`, also
    if the folder exists and is not empty.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise file_error(f"`{display_path(folder)}` already exists and is not empty", "choose another name")
    if not folder.resolve().parent.is_dir():
        raise file_error(f"there is no folder `{display_path(folder.resolve().parent)}`")
    name = _module_name(folder)
    base = of or _first_game()
    project = Project(around)
    game = project.load(base)
    ships = all(is_within(project.found[module][0], SHIPPED) for module in game.modules)
    if not ships and not is_within(folder, project.folder):
        message = f"`{base}` is a module of this folder, but `{display_path(folder)}` is outside it"
        raise usage_error(message, "create the new folder inside this one")
    texts = {
        f"{name}.rules": VARIANT.format(name=name, base=base),
        "README.md": README.format(name=name, base=base, place="this folder" if ships else "the folder above"),
    }
    _write(folder, texts, None if ships else project.folder, name, base)
    return sorted([*texts, "first.puzzle"])


def changes_to_try(folder: Path, around: Path) -> str:
    """Changes for an author to start from, as comments for the end of the module that `make_folder` has made; "" if none was
    found. Raises `RulesError`."""
    rules, first = folder / f"{_module_name(folder)}.rules", folder / "first.puzzle"
    project = Project(around if is_within(folder, around) else folder)
    found = suggestions(project, rules, parse_puzzle(first.read_text("utf-8"), first.name))
    comments = [_as_comment(change) for change in found]
    return CHANGES + "".join(comments) if comments else ""


def _write(folder: Path, texts: dict[str, str], root: Path | None, name: str, base: str) -> None:
    """Write all files to a temporary folder beside the target, then move it there. `root` is the project's folder if not its
    own."""
    parent = folder.resolve().parent
    draft = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=parent))
    try:
        for file, text in texts.items():
            write_atomically(draft / file, text)
        project, rules = Project(root or draft), draft / f"{name}.rules"
        write_atomically(draft / "first.puzzle", _puzzle(project, rules, name, base))
        draft.chmod(0o755)
        draft.replace(folder.resolve())
    except BaseException:
        shutil.rmtree(draft, ignore_errors=True)
        raise


def _as_comment(change: str) -> str:
    return "".join(f"#{line}\n" for line in ("", *change.splitlines()))


def _puzzle(project: Project, rules: Path, name: str, base: str) -> str:
    """The first candidate that is answered with a proof within seconds; if there is none, the first."""
    game, first = project.load(rules), ""
    for text in _candidate_puzzles(project, game, rules, name, base):
        if _is_proved(text, game):
            return text
        first = first or text
    return first


def _candidate_puzzles(project: Project, game: Game, rules: Path, name: str, base: str) -> Iterator[str]:
    """Whether the player to move wins in the latest position that is tried, if the rules name a winner; then positions in the
    first turns of the game, then later ones, with a question about one turn; then the position of a library puzzle, with its
    question. The latter comes alone where the set-up leaves no legal action."""
    engine = Engine.of(game, game.players.low)
    start = engine.start(1)
    shipped = None if engine.legal(start) else _shipped_position(project, rules, base)
    if shipped is None:
        counting = engine.counting_turns(start)
        turns, point = (1, counting.horizon.point) if counting.horizon else (None, "turn")
        ask = Ask(Goal.MAXIMISE, None, None, turns, point)
        states = list(islice(_later_and_later(counting), POSITIONS))
        late = states[-1:] if game.winner and game.players.low > 1 else []  # the nearer to the end, the sooner proved
        won = [(state, parsed_goal(f"win for {engine.player(state)}")) for state in late]
        for state, question in (*won, *((state, ask) for state in states)):
            yield write_position(engine, state, "first", [name], text="A first position.", ask=question)
        shipped = _shipped_position(project, rules, base)
    if shipped is not None:
        asked = shipped.puzzle.ask
        yield write_position(shipped.engine, shipped.state, "first", [name], text=shipped.puzzle.text, ask=asked)


def _is_proved(text: str, game: Game) -> bool:
    """Whether the question of a puzzle is answered with a proof, soon enough for a first look."""
    try:
        position = set_up_position(parse_puzzle(text, "first.puzzle"), game)
        assert position.question is not None
        found = solve_verified(position.asked, position.root, position.question, Limits(PROOF_SECONDS))[0]
    except RulesError:
        return False
    return found.status is Status.OPTIMAL


def _shipped_position(project: Project, rules: Path, base: str) -> Position | None:
    """The position of the first puzzle of a game, under a variant of it."""
    for puzzle in Catalogue(project).puzzles:
        if puzzle.rules == (base,) and puzzle.asks:
            return Catalogue(project).position(puzzle.path, variant=str(rules))
    return None


def _later_and_later(engine: Engine) -> Iterator[State]:
    """States of a game: some way on, or the set-up if nothing counts turns; then ever nearer to the end, where less is left to
    search."""
    game = _greedy_game(engine)
    *_, first = engine.start(1), *islice(game, ACTIONS if engine.horizon else 0)
    yield first
    later = [state for state in dict.fromkeys(islice(game, MORE_ACTIONS)) if state != first]
    while later:
        later = later[len(later) // 2 :]
        yield later.pop(0)


def _greedy_game(engine: Engine) -> Iterator[State]:
    """For each action of a game by a greedy player, the last start of a turn before the game is over; if nothing counts turns,
    the state after it."""
    choose, chance = choosing(GREEDY, engine), seeds(1)
    begun = state = engine.start(1)
    while moves := engine.legal(state):
        _, after = choose(state, moves, next(chance))
        if engine.over(after):
            break
        if engine.horizon is None or after[COUNTED] != state[COUNTED]:
            begun = after
        state = after
        yield begun


def _module_name(folder: Path) -> str:
    """The folder's name as an identifier of the language."""
    name = re.sub(r"[^a-z0-9_]+", "_", folder.resolve().name.lower()).strip("_")
    if not name or not name[0].isalpha():
        raise usage_error(f"`{folder.name}` cannot be the name of a module", "start it with a letter")
    return name


def _first_game() -> str:
    """The alphabetically first library module."""
    return next(iter(Project(SHIPPED).modules()))
