"""Drawing with characters: a grid of them for text and boxes, and on it a tile with the terrain of each side at that side."""

from __future__ import annotations

from rulewright.base.records import define, field, frozen
from rulewright.base.styled_text import Line, Style, Styled
from rulewright.grammar.tree.modules import Shape
from rulewright.rules.model.game import TileKind

from .symbols import Symbols

_WALLS = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
"""Wall characters, indexed by the bit set of their arms."""

_NORTH, _EAST, _SOUTH, _WEST = 1, 2, 4, 8


@define
class Canvas:
    """Characters by (column, row), both from 0; text lies over walls."""

    _letters: dict[tuple[int, int], Styled] = field(factory=dict)
    _arms: dict[tuple[int, int], int] = field(factory=dict)

    def text(self, column: int, row: int, text: str, style: Style = Style.PLAIN) -> None:
        """Write one line of text from this place on."""
        for along, letter in enumerate(text):
            self._letters[column + along, row] = Styled(letter, style)

    def box(self, column: int, row: int, width: int, height: int) -> None:
        """Draw walls around an inside of that size; `column` and `row` are those of the upper left corner."""
        right, bottom = column + width + 1, row + height + 1
        for x in range(column, right):
            for y in (row, bottom):
                self._join((x, y), _EAST)
                self._join((x + 1, y), _WEST)
        for y in range(row, bottom):
            for x in (column, right):
                self._join((x, y), _SOUTH)
                self._join((x, y + 1), _NORTH)

    def lines(self) -> list[Line]:
        """The rows of the grid without trailing blanks."""
        places = [*self._letters, *self._arms]
        rows = max((y for _, y in places), default=-1) + 1
        ends = [max((x for x, y in places if y == row), default=-1) + 1 for row in range(rows)]
        return [_joined([self._at(x, row) for x in range(end)]) for row, end in enumerate(ends)]

    def _join(self, place: tuple[int, int], arm: int) -> None:
        self._arms[place] = self._arms.get(place, 0) | arm

    def _at(self, column: int, row: int) -> Styled:
        found = self._letters.get((column, row))
        if found is not None:
            return found
        arms = self._arms.get((column, row), 0)
        return Styled(_WALLS[arms], Style.FAINT if arms else Style.PLAIN)


def _joined(letters: list[Styled]) -> Line:
    """Join neighbours of the same style."""
    stretches: list[Styled] = []
    for letter in letters:
        if stretches and stretches[-1].style is letter.style:
            stretches[-1] = Styled(stretches[-1].text + letter.text, letter.style)
        else:
            stretches.append(letter)
    return tuple(stretches)


CENTRE = "c"


@frozen
class Stencil:
    """The layout of a picture: each letter of `rows` is a spot, which shows the region with the sides listed in `spots`."""

    rows: tuple[str, ...]
    spots: dict[str, tuple[str, ...]]
    opposite: tuple[frozenset[str], ...]

    @property
    def width(self) -> int:
        return len(self.rows[0])

    @property
    def height(self) -> int:
        return len(self.rows)

    def middle(self, spot: str) -> tuple[int, int]:
        """The row and the column of the middle of a spot."""
        row = next(number for number, text in enumerate(self.rows) if spot in text)
        text = self.rows[row]
        return row, (text.index(spot) + text.rindex(spot)) // 2


def _stencil(rows: tuple[str, ...], spots: dict[str, str], opposite: str) -> Stencil:
    return Stencil(
        rows,
        {spot: tuple(sides.split()) for spot, sides in spots.items()},
        tuple(frozenset(pair.split("-")) for pair in opposite.split()),
    )


_SQUARE = _stencil(
    ("1nnnnn2", "wwcccee", "4sssss3"),
    {"n": "N", "e": "E", "s": "S", "w": "W", "1": "N W", "2": "N E", "3": "S E", "4": "S W", CENTRE: ""},
    "N-S E-W",
)
_HEX = _stencil(
    ("aaa1bbb", "wwcccee", "ddd2fff"),
    {"a": "NW", "b": "NE", "e": "E", "f": "SE", "d": "SW", "w": "W", "1": "NW NE", "2": "SW SE", CENTRE: ""},
    "NW-SE NE-SW E-W",
)
_STENCILS = {Shape.SQUARE: _SQUARE, Shape.CUBE: _SQUARE, Shape.HEX: _HEX}


def stencil_of(shape: Shape) -> Stencil | None:
    """The stencil for tiles of a shape; None if tiles have no sides."""
    return _STENCILS.get(shape)


def draw_tile(kind: TileKind, stencil: Stencil, symbols: Symbols) -> list[list[Styled]]:
    """The picture of a tile, one character per element."""
    owners = {spot: _owner(kind, spot, stencil) for spot in stencil.spots}
    picture = [[_ground(kind, owners[spot], symbols) for spot in row] for row in stencil.rows]
    standing: dict[str, list[Styled]] = {}
    for number, region in enumerate(kind.regions):
        if region.markers:
            spot = _best_spot(number, owners, stencil)
            for marker, count in region.markers:
                standing.setdefault(spot, []).extend(_markers(marker, count, symbols))
    for spot, letters in standing.items():
        row, middle = stencil.middle(spot)
        kept = letters[: stencil.width]
        first = min(max(0, middle - (len(kept) - 1) // 2), stencil.width - len(kept))
        picture[row][first : first + len(kept)] = kept
    return picture


def _owner(kind: TileKind, spot: str, stencil: Stencil) -> int:
    """The region shown in a spot: the one that touches all its sides, else the ground of the tile."""
    sides = stencil.spots[spot]
    for number, region in enumerate(kind.regions[1:], 1):
        if sides:
            found = set(sides) <= set(region.sides)
        else:
            found = not region.sides or any(pair <= set(region.sides) for pair in stencil.opposite)
        if found:
            return number
    return 0


def _ground(kind: TileKind, region: int, symbols: Symbols) -> Styled:
    return symbols.terrain(kind.regions[region].terrain if kind.regions else -1).styled


def _best_spot(region: int, owners: dict[str, int], stencil: Stencil) -> str:
    """The spot for the markers of a region: the centre if it belongs to the region, else one of its sides."""
    if owners[CENTRE] == region:
        return CENTRE
    own = [spot for spot, sides in stencil.spots.items() if len(sides) == 1 and owners[spot] == region]
    return own[0] if own else CENTRE


def _markers(marker: int, count: int, symbols: Symbols) -> list[Styled]:
    symbol = symbols.marker(marker)
    return [symbol.styled] * count if count <= 2 else [symbol.styled, Styled(str(count), symbol.style)]
