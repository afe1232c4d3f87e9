"""Modal screens: a choice of several actions, and a curtain between two players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen, Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option


class Choice(ModalScreen[int | None]):
    """A choice of one of several texts, by number from 0; None if cancelled."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "leave")]

    def __init__(self, about: str, texts: Sequence[str]) -> None:
        super().__init__()
        self.about = about
        self.texts = texts

    def compose(self) -> ComposeResult:
        options = OptionList(*(Option(Text(text, no_wrap=True)) for text in self.texts))
        options.border_title = self.about
        yield options

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.dismiss(event.option_index)

    def action_leave(self) -> None:
        self.dismiss(None)


class Curtain(Screen[None]):
    """Hides one player's view until the next player is there."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "raise", "go on")]

    def __init__(self, player: int) -> None:
        super().__init__()
        self.player = player

    def compose(self) -> ComposeResult:
        yield Static(f"It is the turn of player {self.player}.\n\nPress Enter when player {self.player} is at the screen.")

    def action_raise(self) -> None:
        self.dismiss(None)
