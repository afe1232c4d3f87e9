"""The screen of a game: boards, information beside them, legal actions, and the tree of lines tried."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import ClassVar

from rich.text import Text
from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, ScrollableContainer, Vertical, VerticalScroll
from textual.widgets import Footer, Input, OptionList, Static
from textual.widgets.option_list import Option

from rulewright.base.diagnostics import RulesError
from rulewright.base.styled_text import Line, Style, Styled, escape, line
from rulewright.cli.commands.actions import reason_lines
from rulewright.cli.commands.play import go, told
from rulewright.cli.commands.show import hand_pictures
from rulewright.cli.playing.game_session import branch_rows
from rulewright.cli.playing.opponents import HINT_LIMITS, hint_lines, hint_question
from rulewright.cli.playing.play_commands import HELP, PlayCommand
from rulewright.cli.playing.table import Table
from rulewright.cli.views.state_view import state_lines, turn_line
from rulewright.rules.linking.questions import Question
from rulewright.rules.model.state import STOP, Move
from rulewright.rules.play.move_notation import format_move
from rulewright.rules.play.why_illegal import Prospect
from rulewright.web.questions import in_plain_words

from .widgets import BoardMap, BoardWidget, Cell, Choice, Curtain, rich_line, rich_lines

LEAST_VALUES, MOST_VALUES, MARGINS = 24, 42, 4
"""In columns: the least and the greatest width of the values beside the board, and what is between the parts of the screen."""

LEAST_LISTS, FEWER_LISTS, MOST_LISTS, AROUND_BOARD = 22, 26, 32, 3
"""In columns: the widths of the lists where the board needs the room, on a narrow screen and otherwise; the board's margins."""

NARROW = 100
"""In columns: a screen with fewer is narrow."""

MOST_REFUSALS, MOST_REASONS = 3, 3
"""The maximum number of illegal actions explained for a cell, and of reasons for each."""

KEYED = (PlayCommand.UNDO, PlayCommand.REDO, PlayCommand.HINT, PlayCommand.SCORE)
"""The commands with a key of their own, their first letter."""

KEYS = Path(__file__).with_name("keys.txt").read_text("utf-8").splitlines()


class GameApp(App[None]):
    """Plays a game at a table. Messages appear in the pane at the bottom."""

    ENABLE_COMMAND_PALETTE = False
    CSS_PATH = "game_app.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(command.value[0], f"execute('{command.value}')", command.value) for command in KEYED),
        Binding("v", "values", "all values"),
        Binding("colon", "type", "type"),
        Binding("f1", "keys", "keys"),
        Binding("q", "quit", "quit"),
    ]

    def __init__(self, table: Table) -> None:
        super().__init__()
        self.table = table
        self.is_busy = False
        self.shows_all = False

    # Display ------------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        boards = self._boards()
        yield Static(rich_lines([self._question()]), id="asked")
        with Horizontal():
            with ScrollableContainer(id="known"):
                yield Static(id="state")
            with ScrollableContainer(id="middle", can_focus=False):
                yield BoardWidget(boards, self.at_cell, self.take, self.why_blocked)
                yield Static(id="hand")
                yield Static(id="legend")
                yield Static(id="state_below")
            with Vertical(id="lists"):
                yield OptionList(id="actions")
                yield OptionList(id="branches")
        with VerticalScroll(id="said"):
            yield Static(id="lines")
        yield Input(placeholder="a command or an action; Escape cancels", id="typed")
        yield Footer()

    def on_mount(self) -> None:
        start = self.table.game.start
        self.title = start.title
        self.query_one("#actions", OptionList).border_title = "actions"
        self.query_one("#branches", OptionList).border_title = "tried"
        self.say([line(escape(start.text))] if start.text else [])
        board = self.query_one(BoardWidget)
        (board if board.boards.moves else self.query_one("#actions")).focus()
        self.show_game()
        self._let_others_play()

    def on_resize(self) -> None:
        self.call_after_refresh(self._share_width)

    def _share_width(self) -> None:
        """Put values beside the board where that leaves the board its width, else below it; then the lists, too, make room."""
        board, lists = self.query_one(BoardWidget).width_of_lines, MOST_LISTS if self.size.width >= NARROW else FEWER_LISTS
        room = self.size.width - board - lists - MARGINS
        if room < LEAST_VALUES:
            lists = max(min(self.size.width - board - AROUND_BOARD, lists), LEAST_LISTS)
        self.query_one("#lists").styles.width = lists
        self.query_one("#known").styles.width = max(min(room, MOST_VALUES), LEAST_VALUES)
        self.screen.set_class(room >= LEAST_VALUES, "beside")
        self.screen.set_class(room < LEAST_VALUES, "below")

    def _question(self) -> Line:
        """The title, and what is asked."""
        start = self.table.game.start
        asked = "" if start.position is None else in_plain_words(start.position.puzzle, start.engine.game)
        return line(Styled(start.title, Style.STRONG), f"  {escape(asked)}" if asked else "")

    def _boards(self) -> BoardMap:
        game = self.table.game
        return BoardMap(game.engine, game.state, self.table.viewer)

    def show_game(self) -> None:
        """Show the current state of the game."""
        game = self.table.game
        engine, state, viewer = game.engine, game.state, self.table.viewer
        boards = self._boards()
        self.query_one(BoardWidget).show_boards(boards)
        known = [turn_line(engine, state, viewer), *state_lines(engine, state, viewer, self.shows_all, "v")]
        self.query_one("#state", Static).update(rich_lines(known, wraps=True))
        self.query_one("#state_below", Static).update(rich_lines(known))
        self.query_one("#hand", Static).update(rich_lines(hand_pictures(engine, state, viewer, boards.symbols)))
        self.query_one("#legend", Static).update(rich_lines(boards.symbols.legend(), wraps=True))
        self._fill("actions", (Option(Text(f"{n:>3} {text}", no_wrap=True)) for n, text in enumerate(self._texts(), 1)))
        rows = [*branch_rows(game.tree, viewer.has_score and bool(engine.game.scores))]
        options = (Option(rich_line(parts), id=None if node is None else f"to_{node.number}") for node, parts in rows)
        self._fill("branches", options, next((n for n, (node, _) in enumerate(rows) if node is game.tree.current), None))

    def _fill(self, name: str, options: Iterable[Option], highlighted: int | None = None) -> None:
        found = self.query_one(f"#{name}", OptionList)
        found.clear_options()
        found.add_options(options)
        found.highlighted = highlighted

    def _texts(self) -> list[str]:
        game = self.table.game
        return [escape(format_move(game.engine, game.state, move)) for move in game.legal]

    def say(self, lines: Iterable[Line]) -> None:
        """Replace the contents of the pane at the bottom."""
        self.query_one("#lines", Static).update(rich_lines(lines, wraps=True))
        self.query_one("#said").scroll_home(animate=False)

    # Actions of the player ----------------------------------------------------------------------

    def attempt(self, deed: Callable[[], object], shows: bool = True) -> None:
        """Do something the game may refuse, then show its current state."""
        if self.is_busy:
            self.say([line(Styled("the computer is thinking", Style.WARNING))])
            return
        before = self.table.game.engine.player(self.table.game.state)
        try:
            deed()
        except RulesError as error:
            self.say(_error_lines(error))
            return
        except OSError as error:
            self.say([line(Styled(escape(f"{error.filename}: {error.strerror}"), Style.ERROR))])
            return
        if shows:
            after = self.table.game.engine.player(self.table.game.state)
            if self.table.passes_on and after not in (0, before):
                self.push_screen(Curtain(after))
            self.show_game()
            self._let_others_play()

    def take(self, move: Move) -> None:
        """Take a legal move."""
        game = self.table.game
        text = format_move(game.engine, game.state, move)

        def deed() -> None:
            game.take(str(game.legal.index(move) + 1))
            score = f"   score {game.plies[-1].score}" if game.engine.game.scores else ""
            self.say([line(Styled(escape(text), Style.STRONG), score)])

        self.attempt(deed)

    def at_cell(self, cell: Cell, asks: bool) -> None:
        """Play on a cell, or say why not."""
        boards = self.query_one(BoardWidget).boards
        moves = boards.moves.get(cell, ())
        if asks or not moves:
            self.say(self._refusals(boards, cell))
        elif len(moves) == 1:
            self.take(moves[0])
        else:
            self._choose(boards, cell, moves)

    def why_blocked(self, text: str) -> None:
        """Say why an action, as text, is not legal."""
        boards = self.query_one(BoardWidget).boards
        self.attempt(lambda: self.say(_reasons(boards, boards.blocked(text))), shows=False)

    def _choose(self, boards: BoardMap, cell: Cell, moves: tuple[Move, ...]) -> None:
        texts = [escape(format_move(boards.engine, boards.state, move)) for move in moves]

        def take(number: int | None) -> None:
            if number is not None:
                self.take(moves[number])

        self.push_screen(Choice(f"at {boards.name(cell)}", texts), take)

    def _refusals(self, boards: BoardMap, cell: Cell) -> Iterator[Line]:
        """The actions that are legal on a cell, then those that are not, and why."""
        legal, refused = boards.moves.get(cell, ()), boards.refused(cell)
        texts = [escape(format_move(boards.engine, boards.state, move)) for move in legal]
        if texts:
            yield line(f"{boards.name(cell)}: ", Styled(", ".join(texts), Style.GOOD))
        if not texts and not refused:
            yield line(f"{boards.name(cell)}: no legal action involves this cell")
        yield from _reasons(boards, refused)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Select the first action of the list, so that Enter takes the selected one."""
        if isinstance(event.widget, OptionList) and event.widget.highlighted is None:
            event.widget.action_first()

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """Mark the cells of the selected action."""
        if event.option_list.id == "actions" and event.option_list.has_focus:
            board = self.query_one(BoardWidget)
            legal = self.table.game.legal
            move = legal[event.option_index] if event.option_index < len(legal) else STOP
            board.mark(frozenset(cell for cell, moves in board.boards.moves.items() if move in moves))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        match event.option_list.id:
            case "actions":
                self.take(self.table.game.legal[event.option_index])
            case "branches" if event.option_id is not None:
                number = int(event.option_id.removeprefix("to_"))
                self.attempt(lambda: self.table.game.go_to(number))

    def action_values(self) -> None:
        """Toggle between all values and those a player mostly needs."""
        self.shows_all = not self.shows_all
        self.show_game()

    def action_keys(self) -> None:
        self.say(line(row) for row in (*KEYS, *HELP))

    # Typed commands -----------------------------------------------------------------------------

    def action_type(self) -> None:
        typed = self.query_one("#typed", Input)
        typed.add_class("open")
        typed.focus()

    def on_key(self, event: events.Key) -> None:
        typed = self.query_one("#typed", Input)
        if event.key == "escape" and typed.has_class("open"):
            self._close_input(typed)

    def _close_input(self, typed: Input) -> None:
        typed.value = ""
        typed.remove_class("open")
        self.query_one(BoardWidget).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        self._close_input(event.input)
        self.action_execute(event.value)

    def action_execute(self, text: str) -> None:
        """Execute a command, as read by `play` without a screen."""
        try:
            command, argument = self.table.game.command(text)
        except RulesError as error:
            self.say(_error_lines(error))
            return
        match command:
            case PlayCommand.QUIT:
                self.exit()
            case PlayCommand.HELP:
                self.action_keys()
            case PlayCommand.HINT:
                self._think_of_a_hint()
            case PlayCommand.WHY | PlayCommand.HISTORY | PlayCommand.SCORE | PlayCommand.LINE | PlayCommand.SAVE:
                self.attempt(lambda: self.say(told(command, argument, self.table)), shows=False)
            case PlayCommand.UNDO | PlayCommand.REDO | PlayCommand.GOTO | PlayCommand.ACTION:
                self.attempt(lambda: go(command, argument, self.table))
            case PlayCommand.ACTIONS:
                self.query_one("#actions").focus()
            case PlayCommand.BRANCHES:
                self.query_one("#branches").focus()
            case PlayCommand.BOARD | PlayCommand.NOTHING:
                self.query_one(BoardWidget).focus()

    # Background work ----------------------------------------------------------------------------

    def _think_of_a_hint(self) -> None:
        def deed() -> None:
            question = hint_question(self.table.game, self.table.opponents)
            self.think("searching", lambda: self._hint(question))

        self.attempt(deed, shows=False)

    def _hint(self, question: Question) -> Callable[[], None]:
        from rulewright.studies.verified_plan import solve_verified

        game = self.table.game
        result, steps = solve_verified(game.engine, game.state, question, HINT_LIMITS)
        return lambda: self.say(hint_lines(game, result, steps))

    def _let_others_play(self) -> None:
        """Let the computer play if it is to move."""
        opponents = self.table.opponents
        if opponents is not None and opponents.are_to_move:
            self.think("thinking", self._replies)

    def _replies(self) -> Callable[[], None]:
        opponents = self.table.opponents
        replies = [] if opponents is None else [*opponents.replies()]

        def shown() -> None:
            self.show_game()
            self.say(reply.line for reply in replies)

        return shown

    def think(self, doing: str, work: Callable[[], Callable[[], None]]) -> None:
        """Work in a separate thread and show the result when it is done; the user can do nothing else meanwhile."""
        self.is_busy = True
        self.say([line(Styled(f"{doing} …", Style.FAINT))])

        def done(shown: Callable[[], None]) -> None:
            self.is_busy = False
            shown()

        def working() -> None:
            try:
                shown = work()
            except RulesError as error:
                shown = partial(self.say, [*_error_lines(error)])
            self.call_from_thread(done, shown)

        self.run_worker(working, thread=True)


def _reasons(boards: BoardMap, refused: Sequence[Prospect]) -> Iterator[Line]:
    for prospect in refused[:MOST_REFUSALS]:
        text = format_move(boards.engine, boards.state, prospect.attempt)
        yield from reason_lines(text, prospect.failures[:MOST_REASONS])


def _error_lines(error: RulesError) -> Iterator[Line]:
    for diagnostic in error.diagnostics:
        yield line(Styled(escape(diagnostic.message), Style.ERROR), f"  {escape(diagnostic.help)}")
