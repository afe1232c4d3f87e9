"""A game in progress: its start and every line of play tried since, with undo and redo; saved as a `*.play` file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path

from rulewright.api.named import Named
from rulewright.api.start import Start
from rulewright.base.atomic_write import write_atomically
from rulewright.base.diagnostics import file_error, usage_error
from rulewright.base.input_files import display_path
from rulewright.base.named_texts import is_path
from rulewright.base.records import define, field
from rulewright.base.spans import NO_SPAN
from rulewright.base.styled_text import Line, Style, Styled, counted, escape, line
from rulewright.puzzles.plan_replay import Ply
from rulewright.puzzles.saved_games import SavedGame, recorded_actions, write_saved_game
from rulewright.rules.model.state import Move
from rulewright.rules.play.engine import Engine, State, describe_turn
from rulewright.rules.play.move_notation import format_move, parse_move, split_turn

from .play_commands import PlayCommand, is_number, read_command

# An undo tree of every line of play tried -----------------------------------------------------------------------------
# Undone plies stay, are listed in numbered rows, and can be revisited.


@define(eq=False)
class Node:
    """A position reached by `ply` from `parent`, both None at the start; numbered in the order of reaching."""

    number: int
    ply: Ply | None = None
    parent: Node | None = None
    children: list[Node] = field(factory=list, init=False)
    latest: Node | None = field(default=None, init=False)
    """The child visited last."""


@define
class UndoTree:
    """The positions reached, and the current one."""

    nodes: list[Node] = field(factory=lambda: [Node(0)], init=False)
    current: Node = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.current = self.nodes[0]

    @property
    def plies(self) -> list[Ply]:
        """The plies from the start to the current position."""
        found: list[Ply] = []
        node: Node | None = self.current
        while node is not None and node.ply is not None:
            found.append(node.ply)
            node = node.parent
        return found[::-1]

    def add(self, ply: Ply) -> None:
        """Advance by a ply, to the existing child if this ply was taken here before."""
        known = next((child for child in self.current.children if child.ply == ply), None)
        if known is None:
            known = Node(len(self.nodes), ply, self.current)
            self.nodes.append(known)
            self.current.children.append(known)
        self.current.latest = known
        self.current = known

    def undo(self) -> bool:
        """Go back by one ply; False at the start."""
        if self.current.parent is None:
            return False
        self.current = self.current.parent
        return True

    def redo(self) -> bool:
        """Advance to the child visited last; False if there is none."""
        if self.current.latest is None:
            return False
        self.current = self.current.latest
        return True

    def go_to(self, number: int) -> bool:
        """Go to a position by its number; False if there is none. `redo` then follows the path that leads there."""
        if not 0 <= number < len(self.nodes):
            return False
        self.current = node = self.nodes[number]
        while node.parent is not None:
            node.parent.latest = node
            node = node.parent
        return True

    def rows(self) -> Iterator[tuple[int, Node]]:
        """Every position with its depth in the tree, in the order of annotated games: a position, then its alternatives, one
        deeper, then its continuation."""
        waiting: list[tuple[int, Node, tuple[Node, ...]]] = [(0, self.nodes[0], ())]
        while waiting:
            depth, node, instead = waiting.pop()
            yield depth, node
            if node.children:
                first, *others = node.children
                waiting.append((depth, first, tuple(others)))
            waiting += [(depth + 1, other, ()) for other in reversed(instead)]


# As lines -------------------------------------------------------------------------------------------------------------

SHORTEST_GAP = 6
"""Drawn as one row: at least this many consecutive unremarkable positions."""


def branch_rows(tree: UndoTree, has_score: bool) -> Iterator[tuple[Node | None, Line]]:
    """A row for each position reached; for a long line of play, only its ends and branch points."""
    width = len(str(len(tree.nodes) - 1))
    for depth, nodes in _runs(tree):
        if len(nodes) >= SHORTEST_GAP:
            yield None, line(" " * (width + 2), "  " * depth, Styled(f"… {counted(len(nodes), 'action')}", Style.FAINT))
            continue
        for node in nodes:
            here = node is tree.current
            row = line(
                Styled(f"{node.number:>{width}}{'*' if here else ' '} ", Style.STRONG if here else Style.PLAIN),
                "  " * depth,
                Styled("the start" if node.ply is None else escape(node.ply.text), Style.STRONG if here else Style.PLAIN),
                Styled(f"   score {node.ply.score}" if node.ply is not None and has_score else "", Style.FAINT),
            )
            yield node, row


def _runs(tree: UndoTree) -> Iterator[tuple[int, list[Node]]]:
    """The positions in order, consecutive unremarkable ones together."""

    def run(row: tuple[int, Node]) -> tuple[int, int | None]:
        depth, node = row
        is_one_of_several = node.parent is None or len(node.parent.children) > 1
        is_remarkable = node is tree.current or is_one_of_several or len(node.children) != 1
        return depth, node.number if is_remarkable else None

    for (depth, _), rows in groupby(tree.rows(), run):
        yield depth, [node for _, node in rows]


# A game in progress ---------------------------------------------------------------------------------------------------


_COMMA = re.compile(r",\s*(?![^(]*\))")
"""A comma between actions: outside parentheses, which hold a cell."""


@define
class GameSession:
    """The plies from a start position to the current state, and all plies undone."""

    start: Start
    tree: UndoTree = field(factory=UndoTree, init=False)

    @property
    def engine(self) -> Engine:
        return self.start.engine

    @property
    def plies(self) -> list[Ply]:
        return self.tree.plies

    @property
    def state(self) -> State:
        ply = self.tree.current.ply
        return self.start.state if ply is None else ply.state

    @property
    def legal(self) -> list[Move]:
        return self.engine.legal(self.state)

    def command(self, text: str) -> tuple[PlayCommand, str]:
        """The command and argument in a line of input; the argument of `why` verbatim. Raises `RulesError`."""
        names = {action.notation[0] for action in self.engine.game.actions.values()}
        command, argument = read_command(text, names)
        if command is PlayCommand.WHY and is_number(argument):
            argument = format_move(self.engine, self.state, self._numbered(argument, self.state))
        return command, argument

    def take(self, text: str) -> None:
        """Take a legal action, given by its number in the list or as text, or several of a turn, written as one (`d1-d7xg7`) or
        with commas between them: all or none. Raises `RulesError` if there is no such action, or if somebody else is to choose
        before the last one."""
        engine, state, plies = self.engine, self.state, list[Ply]()
        waiting = _COMMA.split(text)[::-1]
        while waiting:
            action = waiting.pop()
            if plies and engine.player(state) != plies[0].player:
                raise usage_error(f"the turn is over before `{action}`", "a line holds the actions of one turn")
            first, rest = split_turn(engine, state, action)
            waiting += [rest] if rest else []
            plies.append(self._ply(state, first))
            state = plies[-1].state
        for ply in plies:
            self.tree.add(ply)

    def _ply(self, state: State, text: str) -> Ply:
        """A legal action in a state, and where it leads. Raises `RulesError`."""
        engine = self.engine
        if is_number(text):
            move = self._numbered(text, state)
        elif engine.over(state):
            raise usage_error(describe_turn(engine, state), "`undo` takes back the last action, `quit` exits")
        else:
            move = parse_move(engine, state, text, asking=f"why {text}")
        after = engine.apply(state, move)
        return Ply(format_move(engine, state, move), engine.player(state), after, engine.score(after))

    def _numbered(self, number: str, state: State) -> Move:
        """A legal action of a state by its number in the list."""
        legal = self.engine.legal(state)
        if not 1 <= int(number) <= len(legal):
            raise usage_error(f"there is no action {number}", f"choose a number from 1 to {len(legal)}" if legal else "")
        return legal[int(number) - 1]

    def undo(self, number: int) -> None:
        """Undo `number` actions, at least one, or as many as there are. Raises `RulesError` if there is none."""
        if not _repeated(self.tree.undo, number):
            raise usage_error("there is nothing to take back")

    def redo(self, number: int) -> None:
        """Redo `number` undone actions, at least one, or as many as there are. Raises `RulesError` if there is none."""
        if not _repeated(self.tree.redo, number):
            raise usage_error("there is nothing to redo here", "`branches` lists the lines of play tried so far")

    def go_to(self, number: int) -> None:
        """Go to a position by its number in the tree. Raises `RulesError` if there is none."""
        if not self.tree.go_to(number):
            raise usage_error(f"there is no position {number}", "`branches` lists them")


def _repeated(step: Callable[[], bool], number: int) -> int:
    """Take a step `number` times, or as often as it can be taken; returns how often."""
    return next((done for done in range(number) if not step()), number)


# Saved ----------------------------------------------------------------------------------------------------------------

SUFFIX = ".play"


def save_game(path: Path, game: GameSession, session: Named, seed: int) -> str:
    """Write a game to a `*.play` file, adding a missing suffix; returns the file's name as displayed."""
    path = path if path.suffix == SUFFIX else path.with_name(path.name + SUFFIX)
    if not path.parent.is_dir():
        raise file_error(f"there is no folder `{display_path(path.parent)}`")
    write_atomically(path, write_saved_game(_saved_game(path, game, session, seed)))
    return display_path(path)


def _saved_game(path: Path, game: GameSession, session: Named, seed: int) -> SavedGame:
    name = re.sub(r"\W", "_", path.stem, flags=re.ASCII) or "game"
    name = name if name[0].isalpha() else f"game_{name}"
    actions = recorded_actions(game.plies) if game.plies else ()
    if session.is_puzzle:
        begun = display_path(Path(session.name).resolve()) if is_path(session.name) else session.name
        own = {module for module, _ in session.puzzle.rules}
        variant = tuple((root, NO_SPAN) for root in session.rules if root not in own)
        return SavedGame(name, variant, begun=begun, actions=actions)
    rules = tuple((root, NO_SPAN) for root in game.engine.game.roots)
    return SavedGame(name, rules, game.engine.instance.players, seed, actions=actions)
