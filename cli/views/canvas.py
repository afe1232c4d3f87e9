"""A grid of characters for text and boxes, whose walls join where they meet."""

from __future__ import annotations

from rulewright.base.records import define, field
from rulewright.base.styled_text import Line, Style, Styled

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
