"""The screen of `play --tui`, driven by Textual's pilot: keys go in, what is shown comes out."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

pytest.importorskip("textual")

from rich.text import Text
from textual.pilot import Pilot
from textual.widgets import OptionList, Static

from rulewright.base.diagnostics import RulesError
from rulewright.base.styled_text import plain
from rulewright.cli.playing.table import Table
from rulewright.cli.screen import run
from rulewright.cli.screen.game_app import LEAST_LISTS, MOST_LISTS, GameApp
from rulewright.cli.screen.widgets import DOT, STEPS, BoardMap, BoardWidget, Choice, Curtain
from rulewright.cli.views.output import Output
from rulewright.rules.play.move_notation import format_move

Script = Callable[[GameApp, Pilot[None]], Awaitable[None]]


def table_of(name: str, players: int | None = None, against: str = "") -> Table:
    return Table.open(name, "", players, 5, against, 1, 1.0)


def driven(table: Table, script: Script, size: tuple[int, int] = (120, 40)) -> None:
    """Run the screen of a table without a terminal, and a script against it."""

    async def running() -> None:
        app = GameApp(table)
        async with app.run_test(size=size) as pilot:
            await pilot.pause()
            await script(app, pilot)

    asyncio.run(running())


def shown(app: GameApp, name: str) -> str:
    """The text of a part of the screen."""
    content = app.query_one(f"#{name}", Static).content
    return content.plain if isinstance(content, Text) else str(content)


def listed(app: GameApp, name: str) -> list[str]:
    found = app.query_one(f"#{name}", OptionList)
    return [str(found.get_option_at_index(n).prompt).strip() for n in range(found.option_count)]


async def settled(app: GameApp, pilot: Pilot[None]) -> None:
    """Wait for what is done in threads."""
    await app.workers.wait_for_complete()
    await pilot.pause()


# On the board ---------------------------------------------------------------------------------------


def test_a_lit_cell_is_played_and_the_tree_keeps_what_was_taken_back(folder: Path) -> None:
    table = table_of("classics.noughts_and_crosses", 2)

    async def script(app: GameApp, pilot: Pilot[None]) -> None:
        board = app.query_one(BoardWidget)
        assert shown(app, "board").count(DOT) == 9
        assert board.cursor == ("board", 0)
        await pilot.press("right", "down", "enter", "down", "enter")
        assert [ply.text for ply in table.game.plies] == ["place (1,1)", "place (1,2)"]
        assert shown(app, "board").count(DOT) == 7
        await pilot.press("u", "left", "enter")
        assert [row.split("   ")[0] for row in listed(app, "branches")] == [
            "0  the start",
            "1  place (1,1)",
            "2  place (1,2)",
            "3*",
        ]
        assert [ply.text for ply in table.game.plies] == ["place (1,1)", "place (0,2)"]
        app.query_one("#branches", OptionList).focus()
        await pilot.press("home", "enter")
        assert table.game.plies == []
        await pilot.press("r", "r", "r")
        assert [ply.text for ply in table.game.plies] == ["place (1,1)", "place (0,2)"]
        assert "there is nothing to redo here" in shown(app, "lines")

    driven(table, script)


def test_arrows_alone_steer_where_each_names_one_move(folder: Path) -> None:
    table = table_of("sokoban_first_room")
    legal = {format_move(table.game.engine, table.game.state, move).rpartition(" ")[2] for move in table.game.legal}
    way = min(legal)
    key, back = {"west": ("left", "right"), "east": ("right", "left"), "north": ("up", "down"), "south": ("down", "up")}[way]

    async def script(app: GameApp, pilot: Pilot[None]) -> None:
        await pilot.press(key)
        await settled(app, pilot)
        assert [ply.text.rpartition(" ")[2] for ply in table.game.plies] == [way]
        await pilot.press(back)
        await settled(app, pilot)
        assert len(table.game.plies) == 2
        blocked = ({"west", "east", "north", "south"} - legal).pop()
        cursor = app.query_one(BoardWidget).cursor
        await pilot.press({"west": "left", "east": "right", "north": "up", "south": "down"}[blocked])
        await settled(app, pilot)
        assert all(f"`{what} {blocked}` is not legal" in shown(app, "lines") for what in ("move", "push"))
        assert app.query_one(BoardWidget).cursor == cursor and len(table.game.plies) == 2

    driven(table, script)


def test_a_cell_where_nothing_can_be_done_says_why(folder: Path) -> None:
    table = table_of("overboard")

    async def script(app: GameApp, pilot: Pilot[None]) -> None:
        board = app.query_one(BoardWidget)
        board.cursor = next(cell for cell in board.boards.spots if board.boards.name(cell) == "(1,1)")
        await pilot.press("enter")
        assert not table.game.plies
        for said in ("is not legal", "there is a tile there already", "[bp.place.vacant]"):
            assert said in shown(app, "lines")

    driven(table, script)


def test_several_actions_at_a_cell_are_a_menu(folder: Path) -> None:
    table = table_of("overboard")

    async def script(app: GameApp, pilot: Pilot[None]) -> None:
        board = app.query_one(BoardWidget)
        assert board.boards.name(board.cursor) == "(2,1)"
        await pilot.press("enter")
        assert isinstance(app.screen, Choice)
        assert "sail west" in app.screen.texts and "keep es_house" not in app.screen.texts
        await pilot.press("escape")
        assert not table.game.plies
        await pilot.press("enter", "enter")
        assert [ply.text for ply in table.game.plies] == ["sail west"]

    driven(table, script)


def test_a_click_plays(folder: Path) -> None:
    table = table_of("classics.noughts_and_crosses", 2)

    async def script(app: GameApp, pilot: Pilot[None]) -> None:
        board = app.query_one(BoardWidget)
        spot = board.boards.spots["board", 5]
        await pilot.click(BoardWidget, offset=(spot.left + 1, spot.top))
        assert [ply.text for ply in table.game.plies] == ["place (2,1)"]

    driven(table, script)


@pytest.mark.parametrize(
    ("name", "players"),
    [
        ("overboard", None),
        ("classics.peg_solitaire", None),
        ("classics.triangle_solitaire", None),
        ("classics.santorini", 2),
        ("classics.tsuro", 2),
        ("classics.market", 2),
        ("penguin_pirates", 3),
        ("towers_built", None),
    ],
)
def test_a_cursor_can_be_led_to_every_cell(folder: Path, name: str, players: int | None) -> None:
    game = table_of(name, players).game
    boards = BoardMap(game.engine, game.state, game.start.viewer)
    first = boards.first()
    if first is None:
        assert not boards.spots
        return
    reached, waiting = {first}, [first]
    while waiting:
        cell = waiting.pop()
        new = {boards.beside(cell, step) for step in STEPS.values()} - reached
        reached |= new
        waiting += new
    assert reached == boards.spots.keys()
    rows = [plain(row) for row in boards.lines]
    assert all(spot.top + spot.height <= len(rows) for spot in boards.spots.values())
    assert boards.moves.keys() <= boards.spots.keys()


# Beside the board -----------------------------------------------------------------------------------


def test_a_game_without_a_board_is_played_by_its_list(folder: Path) -> None:
    table = table_of("classics.worker_placement", 2)

    async def script(app: GameApp, pilot: Pilot[None]) -> None:
        assert app.focused is app.query_one("#actions")
        assert listed(app, "actions")[1] == "2 send quarry"
        await pilot.press("down", "enter")
        assert [ply.text for ply in table.game.plies] == ["send quarry"]
        assert "stone" in shown(app, "state")

    driven(table, script)


def test_an_action_that_is_pointed_at_marks_its_cells(folder: Path) -> None:
    async def script(app: GameApp, pilot: Pilot[None]) -> None:
        board = app.query_one(BoardWidget)
        app.query_one("#actions").focus()
        await pilot.press("home")
        assert {board.boards.name(cell) for cell in board.marked} == {"(4,1)"}

    driven(table_of("overboard"), script)


def test_a_hint_is_the_next_action_of_a_best_plan(folder: Path) -> None:
    async def script(app: GameApp, pilot: Pilot[None]) -> None:
        await pilot.press("h")
        await settled(app, pilot)
        assert shown(app, "lines").startswith("hint  1 lay plain south")

    driven(table_of("narrows"), script)


def test_nothing_is_played_while_the_computer_thinks(folder: Path) -> None:
    table, asked = table_of("narrows"), threading.Event()

    def thinking() -> Callable[[], None]:
        asked.wait(20)
        return lambda: app_said.append("done")

    app_said: list[str] = []

    async def script(app: GameApp, pilot: Pilot[None]) -> None:
        app.think("thinking", thinking)
        await pilot.press("enter")
        assert shown(app, "lines") == "the computer is thinking" and not table.game.plies
        asked.set()
        await settled(app, pilot)
        assert app_said == ["done"]
        app.action_execute("1")
        assert len(table.game.plies) == 1

    driven(table, script)


def test_the_next_player_sees_no_hand_before_a_key_is_pressed(folder: Path) -> None:
    table = table_of("narrows")

    async def script(app: GameApp, pilot: Pilot[None]) -> None:
        app.query_one("#actions").focus()
        await pilot.press("home", "enter")
        assert isinstance(app.screen, Curtain)
        assert table.game.engine.player(table.game.state) == 2
        assert "twins" not in app.export_screenshot()
        await pilot.press("enter")
        assert not isinstance(app.screen, Curtain)
        assert "twins" in app.export_screenshot()

    driven(table, script)


def test_the_computer_answers_and_its_hand_is_not_shown(folder: Path) -> None:
    table = table_of("classics.noughts_and_crosses", 2, "greedy")

    async def script(app: GameApp, pilot: Pilot[None]) -> None:
        await pilot.press("enter")
        await settled(app, pilot)
        assert len(table.game.plies) == 2
        assert shown(app, "lines").startswith("player 2  place")
        await pilot.press("u")
        assert table.game.plies == []

    driven(table, script)


def test_commands_are_typed_as_without_a_screen(folder: Path) -> None:
    table = table_of("narrows")

    async def script(app: GameApp, pilot: Pilot[None]) -> None:
        def told(text: str) -> str:
            app.action_execute(text)
            return shown(app, "lines")

        await pilot.press("colon", *"fly", "enter")
        assert "there is no action `fly`" in shown(app, "lines")
        assert "is not legal" in told("why lay bay north")
        assert "there is no action 99" in told("99")
        assert "there is no folder" in told("save no/where")
        assert told("line").startswith("rw2:")
        assert told("save voyage") == "saved as voyage.play"
        assert "score 4" in told("score")
        assert "goto NUMBER" in told("?")
        app.action_execute("quit")

    driven(table, script)
    assert Path("voyage.play").exists()


def test_of_a_large_state_the_rest_is_a_key_away(folder: Path) -> None:
    async def script(app: GameApp, pilot: Pilot[None]) -> None:
        assert "hidden, empty or on the board: `v`" in shown(app, "state")
        await pilot.press("v")
        assert "`v`" not in shown(app, "state") and "owner only" in shown(app, "state")
        await pilot.press("v")
        assert "`v`" in shown(app, "state")

    driven(table_of("kraken_garden"), script)


def test_what_is_said_at_length_is_gone_over_by_keys(folder: Path) -> None:
    async def script(app: GameApp, pilot: Pilot[None]) -> None:
        await pilot.press("f1")
        said = app.query_one("#said")
        assert said.max_scroll_y > 0
        while app.focused is not said:
            await pilot.press("tab")
        await pilot.press("end")
        await pilot.pause()
        assert said.scroll_offset.y == said.max_scroll_y

    driven(table_of("classics.noughts_and_crosses", 2), script)


def test_it_fits_a_small_terminal(folder: Path) -> None:
    async def script(app: GameApp, pilot: Pilot[None]) -> None:
        screenshot = app.export_screenshot()
        assert "actions" in screenshot and "the&#160;start" in screenshot
        assert not app.query_one("#known").display and app.query_one("#state_below").display
        assert shown(app, "state_below").startswith("turn of player 1")

    driven(table_of("overboard"), script, (80, 24))


# Where there is no screen ---------------------------------------------------------------------------


def test_without_a_terminal_or_textual_it_says_what_is_missing(call, monkeypatch: pytest.MonkeyPatch) -> None:
    done = call("play", "narrows", "--tui")
    assert done.status == 2
    assert "`--tui` needs a terminal" in done.err
    monkeypatch.setattr("rulewright.cli.executors.find_spec", lambda _: None)
    with pytest.raises(RulesError, match="needs textual"):
        run.play_on_screen(table_of("narrows"), Output())


def test_the_question_and_the_whole_board_are_on_the_screen():
    async def script(app: GameApp, pilot: Pilot[None]) -> None:
        await pilot.pause()
        assert shown(app, "asked") == "overboard  Get the highest score you can."
        middle, board = app.query_one("#middle"), app.query_one(BoardWidget)
        drawn = board.content
        assert isinstance(drawn, Text)
        width, height = max(row.cell_len for row in drawn.split()), len(drawn.split())
        assert width <= middle.content_size.width and height <= middle.content_size.height
        assert (middle.scroll_offset.x, middle.scroll_offset.y) == (0, 0)
        assert app.query_one("#known").display and not app.query_one("#state_below").display
        await pilot.resize_terminal(90, 40)
        await pilot.pause()
        assert width <= middle.content_size.width
        assert not app.query_one("#known").display and app.query_one("#state_below").display

    driven(table_of("overboard"), script, (120, 40))


def test_what_wrote_a_value_is_told_on_the_screen():
    async def script(app: GameApp, pilot: Pilot[None]) -> None:
        app.action_execute("sail west")
        app.action_execute("history tokens")
        await pilot.pause()
        assert "sail.pay" in shown(app, "lines") and "4 → 3" in shown(app, "lines")
        app.action_execute("history tokns")
        assert "there is no variable, zone or cell" in shown(app, "lines")

    driven(table_of("overboard"), script)


def test_a_wide_board_gets_room_from_the_lists():
    """Nine columns of nine signs fit into 120; on fewer columns the lists keep what they need to be read."""

    async def script(app: GameApp, pilot: Pilot[None]) -> None:
        await pilot.pause()
        middle, lists, board = app.query_one("#middle"), app.query_one("#lists"), app.query_one(BoardWidget)
        assert 90 <= board.width_of_lines <= middle.content_size.width
        assert not middle.show_horizontal_scrollbar
        await pilot.resize_terminal(100, 40)
        await pilot.pause()
        assert middle.show_horizontal_scrollbar and lists.outer_size.width == LEAST_LISTS
        await pilot.resize_terminal(160, 40)
        await pilot.pause()
        assert not middle.show_horizontal_scrollbar and lists.outer_size.width == MOST_LISTS

    driven(table_of("a_bitten_archer"), script, (120, 40))
