"""Laws that every window keeps, over generated spaces of every shape, flat and wrapped."""

from __future__ import annotations

from itertools import combinations, pairwise, product

from hypothesis import assume, given
from hypothesis import strategies as st

from rulewright.grammar.tree.modules import Shape, Space
from rulewright.rules.spaces import Extent, Window, open_window

SMALL = st.integers(1, 6)
LOW = st.integers(-5, 2)


@st.composite
def extents(draw: st.DrawFn, dimensions: int, longest: int) -> Extent:
    low = tuple(draw(LOW) for _ in range(dimensions))
    return Extent(low, tuple(start + draw(st.integers(0, longest - 1)) for start in low))


@st.composite
def squares(draw: st.DrawFn) -> Window:
    neighbours = draw(st.sampled_from((0, 4, 8)))
    if draw(st.booleans()):
        return open_window(Space("s", Shape.SQUARE, neighbours=neighbours), draw(extents(2, 6)))
    size = (draw(SMALL), draw(SMALL))
    return open_window(Space("s", Shape.SQUARE, size, neighbours=neighbours, wrapped=draw(st.booleans())))


@st.composite
def hexes(draw: st.DrawFn) -> Window:
    kind = draw(st.sampled_from(("unbounded", "rows", "radius", "wrapped", "slanted")))
    match kind:
        case "unbounded":
            return open_window(Space("h", Shape.HEX), draw(extents(2, 6)))
        case "radius":
            return open_window(Space("h", Shape.HEX, (draw(st.integers(0, 3)),)))
        case "wrapped":
            return open_window(Space("h", Shape.HEX, (draw(SMALL), 2 * draw(st.integers(1, 3))), wrapped=True))
        case "slanted":
            return open_window(Space("h", Shape.HEX, (draw(SMALL), draw(SMALL)), slanted=True))
        case _:
            return open_window(Space("h", Shape.HEX, (draw(SMALL), draw(SMALL))))


@st.composite
def cubes(draw: st.DrawFn) -> Window:
    neighbours = draw(st.sampled_from((0, 4, 8)))
    if draw(st.booleans()):
        return open_window(Space("c", Shape.CUBE, neighbours=neighbours), draw(extents(3, 4)))
    size = tuple(draw(st.integers(1, 4)) for _ in range(3))
    return open_window(Space("c", Shape.CUBE, size, neighbours=neighbours, wrapped=draw(st.booleans())))


@st.composite
def rings(draw: st.DrawFn) -> Window:
    return open_window(Space("r", Shape.RING, (draw(st.integers(1, 12)),)))


@st.composite
def graphs(draw: st.DrawFn) -> Window:
    possible = list(combinations("abcdefgh", 2))
    edges = draw(st.lists(st.sampled_from(possible), unique=True, min_size=1, max_size=10))
    turned = tuple((b, a) if draw(st.booleans()) else (a, b) for a, b in edges)
    return open_window(Space("g", Shape.GRAPH, edges=turned))


grids = st.one_of(squares(), hexes(), cubes(), rings())
windows = st.one_of(grids, graphs())


def cells_of(data: st.DataObject, window: Window, count: int) -> list[int]:
    return [data.draw(st.integers(0, window.size - 1)) for _ in range(count)]


def walked(window: Window, start: int) -> list[int]:
    """Distances by the simplest search there is: relax until nothing changes."""
    found = [-1] * window.size
    found[start] = 0
    changed = True
    while changed:
        changed = False
        for cell, direction in product(range(window.size), window.around):
            there = window.steps[direction][cell]
            if found[cell] >= 0 and there != window.nowhere and not 0 <= found[there] <= found[cell] + 1:
                found[there] = found[cell] + 1
                changed = True
    return found


@given(windows)
def test_shapes_of_the_tuples(window: Window) -> None:
    count = len(window.directions)
    assert len(window.words) == len(window.steps) == len(window.opposite) == len(window.clockwise) == count
    assert all(len(step) == window.size + 1 for step in window.steps)
    assert all(0 <= cell <= window.nowhere for step in window.steps for cell in step)
    assert len(window.coordinates) == window.size == len(set(window.coordinates))
    assert all(window.cell(coordinate) == cell for cell, coordinate in enumerate(window.coordinates))
    assert set(window.around) | set(window.diagonals) <= set(range(count))


@given(windows, st.data())
def test_nowhere_absorbs(window: Window, data: st.DataObject) -> None:
    (cell,) = cells_of(data, window, 1)
    for direction, step in enumerate(window.steps):
        assert step[window.nowhere] == window.nowhere
        assert window.line(window.nowhere, direction) == ()
    for a, b in ((cell, window.nowhere), (window.nowhere, cell), (window.nowhere, window.nowhere)):
        assert window.toward(a, b) == -1
        assert window.distance(a, b) == -1


@given(grids)
def test_a_step_and_its_opposite_return(window: Window) -> None:
    for direction, opposite in enumerate(window.opposite):
        assert window.opposite[opposite] == direction
        for cell in range(window.size):
            there = window.steps[direction][cell]
            assert there == window.nowhere or window.steps[opposite][there] == cell


@given(windows)
def test_around_is_symmetric(window: Window) -> None:
    steps = [window.steps[direction] for direction in window.around]
    neighbours = [{step[cell] for step in steps} - {window.nowhere} for cell in range(window.size)]
    assert all(cell in neighbours[other] for cell in range(window.size) for other in neighbours[cell])


@given(windows)
def test_wrapped_spaces_have_no_edge(window: Window) -> None:
    if window.periods:
        assert all(sorted(step) == list(range(window.size + 1)) for step in window.steps)


@given(windows, st.data())
def test_distance_is_that_of_a_walk(window: Window, data: st.DataObject) -> None:
    (start,) = cells_of(data, window, 1)
    distances = [window.distance(start, cell) for cell in range(window.size)]
    assert distances == walked(window, start)
    assert tuple(distances) == window.distances_by_search(start)
    assert window.distances(start) == [*distances, -1]
    assert window.distances(window.nowhere) == [-1] * (window.size + 1)


@given(windows, st.data())
def test_distance_is_a_metric(window: Window, data: st.DataObject) -> None:
    a, b, c = cells_of(data, window, 3)
    assert (window.distance(a, b) == 0) == (a == b)
    assert window.distance(a, b) == window.distance(b, a)
    if -1 not in (window.distance(a, b), window.distance(b, c)):
        assert 0 <= window.distance(a, c) <= window.distance(a, b) + window.distance(b, c)


@given(windows)
def test_toward_finds_a_step_again(window: Window) -> None:
    for cell in range(window.size):
        reached = [step[cell] for step in window.steps]
        for direction, there in enumerate(reached):
            if there in (cell, window.nowhere):
                continue
            assert window.toward(cell, there) == reached.index(there)
            assert window.periods or reached.index(there) == direction


@given(windows, st.data())
def test_toward_is_the_shortest_of_the_lines(window: Window, data: st.DataObject) -> None:
    a, b = cells_of(data, window, 2)
    assume(a != b)
    lines = [window.line(a, direction) for direction in range(len(window.directions))]
    lengths = [(line.index(b), direction) for direction, line in enumerate(lines) if b in line]
    assert window.toward(a, b) == window.directions_from(a)[b] == (min(lengths)[1] if lengths else -1)
    assert window.toward(a, a) == -1
    assert window.line(a, -1) == ()


@given(windows, st.data())
def test_a_line_is_made_of_steps(window: Window, data: st.DataObject) -> None:
    (cell,) = cells_of(data, window, 1)
    for direction, step in enumerate(window.steps):
        line = window.line(cell, direction)
        assert all(step[here] == there for here, there in pairwise((cell, *line)))
        assert len({cell, *line}) == 1 + len(line)
        if window.shape is not Shape.GRAPH:
            assert step[(cell, *line)[-1]] == (cell if window.periods else window.nowhere)


@given(windows, st.integers(-20, 20), st.integers(-20, 20))
def test_turns(window: Window, first: int, second: int) -> None:
    assert sorted(window.clockwise) == list(range(len(window.directions)))
    full = {Shape.SQUARE: len(window.around), Shape.HEX: 6, Shape.CUBE: 8, Shape.RING: 2, Shape.GRAPH: 1}[window.shape]
    for direction in range(len(window.directions)):
        assert window.turn(direction, 1) == window.clockwise[direction]
        assert window.turn(direction, full) == window.turn(direction, 0) == direction
        assert window.turn(window.turn(direction, first), second) == window.turn(direction, first + second)
        opposite = window.opposite[direction]
        assert opposite < 0 or window.turn(opposite, first) == window.opposite[window.turn(direction, first)]
    assert window.turn(-1, first) == -1


@given(SMALL, SMALL)
def test_windows_are_values(width: int, height: int) -> None:
    space = Space("s", Shape.SQUARE, (width, height))
    one, other = open_window(space), open_window(space)
    assert one == other and hash(one) == hash(other)
    assert one != open_window(Space("s", Shape.SQUARE, (width, height), wrapped=True))
