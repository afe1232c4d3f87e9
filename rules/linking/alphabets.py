"""Resolves formats: what their characters and words stand for in a game."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from string import ascii_lowercase

from rulewright.base.diagnostics import Label, Sink, suggest
from rulewright.base.records import frozen
from rulewright.base.spans import Span
from rulewright.grammar.tree import declarations as tree
from rulewright.grammar.tree.modules import Shape, Space
from rulewright.rules.model import types
from rulewright.rules.model.game import Game, Variable
from rulewright.rules.model.traversal import points_of
from rulewright.rules.spaces.drawing import cell_names
from rulewright.rules.spaces.from_tree import open_window


@frozen
class Shown:
    """What a character shows on a cell: the word of a drawing ("" for none), variables that hold the cell, each with its player
    (0: it has one value), and truths of the cell."""

    word: str = ""
    holders: frozenset[tuple[str, int]] = frozenset()
    truths: frozenset[str] = frozenset()


@frozen
class TurnField:
    """The player to move, at a point of the flow: a word for each player."""

    point: str
    words: tuple[str, ...]


@frozen
class TruthField:
    """The words of the cells for which a variable holds; a word is written if it holds for all of its cells."""

    variable: str
    words: Mapping[str, tuple[tuple[int, int], ...]]


@frozen
class CellField:
    """The cell that a variable holds, by its name."""

    variable: str


@frozen
class NumberField:
    """The number that a variable holds."""

    variable: str


@frozen
class IdleField:
    """A word that says nothing of the position."""

    text: str


Field = TurnField | TruthField | CellField | NumberField | IdleField


@frozen
class Alphabet:
    """A format with its meaning. `drawing` is the space or variable that its rows draw, `width` and `height` the size of the
    space; `glyphs` has what each character shows. `spare` characters stand for tiles of `kinds`. `names` has the cells by their
    names, which the space says if it `is_named`; else `a1` is in the south-west."""

    format: tree.Format
    space: str
    width: int
    height: int
    glyphs: Mapping[str, Shown]
    spare: str
    kinds: tuple[str, ...]
    fields: tuple[Field, ...]
    names: Mapping[str, tuple[int, int]]
    is_named: bool

    @property
    def drawing(self) -> str:
        return self.format.drawing


def check_formats(game: Game, sink: Sink) -> None:
    """Report RW290 and RW291 for every format of a game."""
    for format in game.formats.values():
        alphabet_of(game, format, sink)


def alphabet_of(game: Game, format: tree.Format, sink: Sink) -> Alphabet | None:
    """The meaning of a format; None if it has none.

    Reports RW290 (a name that a character or word cannot stand for) and RW291 (a character that is none, or is given twice).
    """
    space = _space(game, format, sink)
    if space is None:
        return None
    reader = _Reader(game, format, space, sink)
    before = len(sink.errors)
    glyphs = reader.glyphs()
    spare, kinds = reader.spare(glyphs)
    fields = tuple(found for field in format.fields if (found := reader.field(field)) is not None)
    if len(sink.errors) > before:
        return None
    width, height = space.size
    return Alphabet(format, space.name, width, height, glyphs, spare, kinds, fields, reader.names, bool(space.corners))


def _space(game: Game, format: tree.Format, sink: Sink) -> Space | None:
    """The space that the rows of a format show."""
    variable, space = game.variables.get(format.drawing), game.spaces.get(format.drawing)
    if space is None and variable is not None and isinstance(variable.index, types.Cell):
        space = game.spaces.get(variable.index.space)
    if space is not None and space.shape is Shape.SQUARE and len(space.size) == len("xy"):
        return space
    drawn = [space.name for space in game.spaces.values() if space.shape is Shape.SQUARE and space.size]
    help = suggest(format.drawing, drawn, "name a square grid of a size, or a variable over its cells")
    sink.error("RW290", f"a format cannot show `{format.drawing}`", format.span, help=help)
    return None


@frozen
class _Reader:
    game: Game
    format: tree.Format
    space: Space
    sink: Sink

    def glyphs(self) -> dict[str, Shown]:
        found: dict[str, Shown] = {}
        places: dict[str, Span] = {}
        for glyph in self.format.glyphs:
            shown = self._shown(glyph)
            for text in glyph.texts:
                self._add(text, glyph.span, places)
                found[text] = shown
        return found

    def spare(self, glyphs: Mapping[str, Shown]) -> tuple[str, tuple[str, ...]]:
        """The characters that stand for any tile of a set, and the tiles that no other character shows."""
        letters = self.format.letters
        if letters is None:
            return "", ()
        places = {text: glyph.span for glyph in self.format.glyphs for text in glyph.texts}
        for text in letters.text:
            self._add(text, letters.span, places)
        kinds = [kind.name for kind in self.game.tiles if kind.group == letters.tiles]
        if not kinds or self.format.drawing not in self.game.spaces:
            help = suggest(letters.tiles, {kind.group for kind in self.game.tiles}, "name a set of tiles")
            self.sink.error("RW290", f"letters cannot stand for `{letters.tiles}`", letters.span, help=help)
        shown = {one.word for one in glyphs.values()}
        return letters.text, tuple(kind for kind in kinds if kind not in shown)

    def _add(self, text: str, span: Span, places: dict[str, Span]) -> None:
        if len(text) != 1 or (self.format.runs and text.isdigit()) or text == self.format.between:
            help = "a digit counts empty cells here" if text.isdigit() else "write a single one between quotation marks"
            self.sink.error("RW291", f'`"{text}"` is not a character of a cell', span, help=help)
        elif text in places:
            label = Label(places[text], "first here")
            self.sink.error("RW291", f'`"{text}"` is given twice', span, label, help="let it show one thing")
        places[text] = span

    def _shown(self, glyph: tree.Glyph) -> Shown:
        words, holders, truths = list[str](), set[tuple[str, int]](), set[str]()
        for thing in glyph.things:
            variable = self.game.variables.get(thing.name)
            if not thing.player and thing.name in self._words:
                words.append(thing.name)
            elif variable is not None and self._holds(variable, thing.player):
                holders.add((thing.name, thing.player))
            elif variable is not None and not thing.player and self._is_truth(variable):
                truths.add(thing.name)
            else:
                self._refuse(thing.name, f" of {thing.player}" if thing.player else "", thing.span)
        if len(words) > 1:
            message = f"a cell cannot have both `{words[0]}` and `{words[1]}`"
            self.sink.error("RW290", message, glyph.span, help="let the character show one of them")
        return Shown(words[0] if words else "", frozenset(holders), frozenset(truths))

    @property
    def _words(self) -> frozenset[str]:
        """The words of a drawing: tiles, or the members of the variable's type."""
        variable = self.game.variables.get(self.format.drawing)
        if self.format.drawing in self.game.spaces or variable is None:
            return frozenset(kind.name for kind in self.game.tiles)
        return frozenset(self.game.members(variable.type)) if isinstance(variable.type, types.Enumeration) else frozenset()

    def _holds(self, variable: Variable, player: int) -> bool:
        """Whether a variable holds a cell of the space, for a player or alone."""
        index = types.Player() if player else None
        return variable.type == types.Cell(self.space.name) and variable.index == index and player <= self.game.players.high

    def _is_truth(self, variable: Variable) -> bool:
        return variable.index == types.Cell(self.space.name) and variable.type == types.Truth()

    def _refuse(self, name: str, more: str, span: Span) -> None:
        can = [*self._words, *(v.name for v in self.game.variables.values() if self._holds(v, 0) or self._is_truth(v))]
        help = suggest(name, can, f"a character shows tiles, truths of a cell, and what is on a cell of `{self.space.name}`")
        self.sink.error("RW290", f"a character cannot show `{name}{more}`", span, help=help)

    @cached_property
    def names(self) -> Mapping[str, tuple[int, int]]:
        """The cells by their names."""
        window, (width, height) = open_window(self.space), self.space.size
        names = window.names
        if not names and width <= len(ascii_lowercase):
            names = cell_names(window, f"a{height}", f"{ascii_lowercase[width - 1]}1")
        return {name: (cell % width, cell // width) for cell, name in enumerate(names)}

    def _cells(self, choice: tree.Choice) -> tuple[tuple[int, int], ...]:
        """The cells of a word; none if the board of a variant lacks one of them. Reports RW290 for a name of none."""
        unknown = [name for name in choice.cells if isinstance(name, str) and name not in self.names]
        for name in unknown if self.space.span.source == self.format.span.source else ():
            message = f"`{self.space.name}` has no cell `{name}`"
            self.sink.error("RW290", message, choice.span, help=suggest(name, self.names, "write `(column,row)`"))
        return () if unknown else tuple(self.names[at] if isinstance(at, str) else at for at in choice.cells)

    def field(self, field: tree.Field) -> Field | None:
        """The meaning of a word after the board; None if an error was reported."""
        words = tuple(choice.text for choice in field.choices)
        for choice in field.choices:
            if not choice.text or any(letter.isspace() for letter in choice.text):
                self.sink.error("RW291", "a word must not be empty or have blanks", choice.span, help="write one word")
        if not field.name:
            return IdleField(words[0])
        variable = self.game.variables.get(field.name)
        match variable:
            case None if field.name in points_of(self.game.flow) and len(words) == self.game.players.high:
                return TurnField(field.name, words)
            case Variable() if self._is_truth(variable) and words:
                cells = {choice.text: self._cells(choice) for choice in field.choices}
                return TruthField(field.name, {word: found for word, found in cells.items() if found})
            case Variable() if self._holds(variable, 0) and not words:
                return CellField(field.name)
            case Variable() if isinstance(variable.type, types.Number) and variable.index is None and not words:
                return NumberField(field.name)
            case _:
                help = "name a point of the flow with a word for each player, a truth of cells with words, a cell, or a number"
                self.sink.error("RW290", f"`{field.name}` cannot be written so", field.span, help=help)
                return None
