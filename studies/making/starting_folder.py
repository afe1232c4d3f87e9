"""A starting folder for an author: a variant of a game, a first puzzle, and a README with what to do next."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from rulewright.base.atomic_write import write_atomically
from rulewright.base.diagnostics import RulesError, file_error, usage_error
from rulewright.base.input_files import display_path, is_within
from rulewright.grammar.from_text import parse_puzzle
from rulewright.grammar.tree.puzzles import Ask, Goal
from rulewright.puzzles.catalogue import Catalogue
from rulewright.puzzles.from_tree import set_up_position
from rulewright.puzzles.position import Position
from rulewright.puzzles.to_text import write_position
from rulewright.rules.linking.project import SHIPPED, Project
from rulewright.rules.model.game import Game
from rulewright.rules.model.state import COUNTED
from rulewright.rules.play.engine import Engine, State
from rulewright.solver.best.turn_search import counting_turns
from rulewright.solver.playouts.policies import GREEDY, choosing, seeds
from rulewright.solver.result import Limits, Status
from rulewright.studies.variant_suggestions import suggestions
from rulewright.studies.verified_plan import solve_verified

ACTIONS = 20
"""The number of actions before the first puzzle's position."""

MORE_ACTIONS = 100
"""The number of actions after it within which another position is sought if its question is not answered soon."""

POSITIONS, PROOF_SECONDS = 3, 4.0
"""The number of positions tried, and the time limit of each in seconds: on a slower machine `solve` takes less than ten."""

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


def _write(folder: Path, texts: dict[str, str], root: Path | None, name: str, base: str) -> None:
    """Write all files to a temporary folder beside the target, then move it there. `root` is the project's folder if not its
    own."""
    parent = folder.resolve().parent
    draft = Path(tempfile.mkdtemp(prefix=f".{folder.name}.", dir=parent))
    try:
        for file, text in texts.items():
            write_atomically(draft / file, text)
        project, rules = Project(root or draft), draft / f"{name}.rules"
        first = _puzzle(project, rules, name, base)
        write_atomically(draft / "first.puzzle", first)
        if changes := [_as_comment(change) for change in suggestions(project, rules, parse_puzzle(first, "first.puzzle"))]:
            write_atomically(rules, texts[rules.name] + CHANGES + "".join(changes))
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
        if _is_proved(set_up_position(parse_puzzle(text, "first.puzzle"), game)):
            return text
        first = first or text
    return first


def _candidate_puzzles(project: Project, game: Game, rules: Path, name: str, base: str) -> Iterator[str]:
    """Positions in the first turns of the game, then later ones, with a question about one turn; then the position of a library
    puzzle, with its question. The latter comes alone where the set-up leaves no legal action."""
    engine = Engine.of(game, game.players.low)
    start = engine.start(1)
    shipped = None if engine.legal(start) else _shipped_position(project, rules, base)
    if shipped is None:
        counting = counting_turns(engine, start)
        turns, point = (1, counting.horizon.point) if counting.horizon else (None, "turn")
        ask = Ask(Goal.MAXIMISE, None, None, turns, point)
        for state in islice(_later_and_later(counting), POSITIONS):
            yield write_position(engine, state, "first", [name], text="A first position.", ask=ask)
        shipped = _shipped_position(project, rules, base)
    if shipped is not None:
        asked = shipped.puzzle.ask
        yield write_position(shipped.engine, shipped.state, "first", [name], text=shipped.puzzle.text, ask=asked)


def _is_proved(position: Position) -> bool:
    """Whether the question of a position is answered with a proof, soon enough for a first look."""
    assert position.question is not None
    try:
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
