"""One-line descriptions of the language's functions, for the reference and for editors."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.base.records import frozen


@frozen
class FunctionForm:
    """A form of call of a function: its arguments, its result, and its meaning."""

    call: str
    result: str
    meaning: str


FUNCTION_FORMS: Mapping[str, tuple[FunctionForm, ...]] = {
    "at": (FunctionForm("at(c)", "tile", "What stands on cell `c`; `nothing` when it is empty."),),
    "occupied": (FunctionForm("occupied(c)", "truth", "Whether a tile stands on cell `c`."),),
    "side": (
        FunctionForm(
            "side(t, d)",
            "terrain",
            "The terrain that tile `t`, or the tile on cell `t`, shows on side `d`; of `nothing`, no terrain.",
        ),
    ),
    "turned": (FunctionForm("turned(c)", "number", "How often the tile on cell `c` is turned clockwise; 0 where none lies."),),
    "copies": (
        FunctionForm(
            "copies(t)", "number", "How many of tile `t` the box has; of pieces of players, how many each has; 0 of `nothing`."
        ),
    ),
    "number": (FunctionForm("number(t, m)", "number", "How many of the marker `m` stand on tile `t`, or on region `t`."),),
    "region": (
        FunctionForm(
            "region(c, d)", "region", "The region of the tile on cell `c` that has side `d`; none where nothing lies."
        ),
    ),
    "site": (
        FunctionForm(
            "site(c, m)", "region", "The region of the tile on cell `c` on which the marker `m` stands, the first of several."
        ),
    ),
    "cell": (
        FunctionForm("cell(r)", "cell", "The cell on which the tile of region `r` lies."),
        FunctionForm("cell(p)", "cell", "The cell of place `p` of a pattern, on which the first cell of the drawing lies."),
        FunctionForm(
            "cell(x, y)", "cell", "The cell at a coordinate, `cell(x, y, z)` on a cube grid; nowhere where there is none."
        ),
        FunctionForm(
            "cell(s, x, y)", "cell", "The same of space `s`, where several have as many coordinates; `cell(s, x)` on a ring."
        ),
    ),
    "edge": (
        FunctionForm("edge(a, b)", "edge", "The edge that joins the neighbours `a` and `b`; nowhere when they are none."),
    ),
    "edges": (FunctionForm("edges(c)", "edges", "The edges at cell `c`, in the order of its directions."),),
    "ends": (FunctionForm("ends(e)", "cells", "The two cells that edge `e` joins."),),
    "ports": (FunctionForm("ports(c)", "ports", "All ports of cell `c`, clockwise."),),
    "beyond": (FunctionForm("beyond(p)", "port", "Port `p` as the neighbour has it; nowhere at the border."),),
    "link": (
        FunctionForm("link(p)", "port", "The port to which the tile that lies there joins port `p`; nowhere when to none."),
    ),
    "places": (
        FunctionForm("places(s)", "places", "All places of pattern `s` by cell, or of the pieces of `s` by kind and cell."),
        FunctionForm("places(s, t)", "places", "The places of the pieces of `s` that are of kind `t`."),
    ),
    "places_over": (FunctionForm("places_over(s, c)", "places", "All places of the pieces of `s` that cover cell `c`."),),
    "pieces": (FunctionForm("pieces(s)", "pieces", "The pieces of set `s` that lie, by their first cells."),),
    "piece_at": (
        FunctionForm("piece_at(c)", "piece", "The piece that lies on cell `c`, or none."),
        FunctionForm("piece_at(s, c)", "piece", "The piece of set `s` that lies there, where there are several sets."),
    ),
    "covered": (FunctionForm("covered(c)", "truth", "Whether a piece lies on cell `c`."),),
    "cells": (FunctionForm("cells(p)", "cells", "The cells that piece or place `p` covers."),),
    "kind": (FunctionForm("kind(p)", "tile", "The kind of piece `p`, which is a tile; `nothing` of none."),),
    "owner": (FunctionForm("owner(p)", "player", "Whose piece `p` is that lies, where pieces are of players."),),
    "lies": (FunctionForm("lies(p)", "truth", "Whether a piece lies at place `p`."),),
    "holds": (FunctionForm("holds(p)", "truth", "Whether what the pattern requires holds at place `p`."),),
    "facing": (
        FunctionForm(
            "facing(p)",
            "direction",
            "Where the top of the drawing points at place `p`: `north` (on hexes `north_east`) unless it is turned.",
        ),
    ),
    "mirrored": (FunctionForm("mirrored(p)", "truth", "Whether the drawing is mirrored at place `p`."),),
    "around": (FunctionForm("around(c)", "cells", "The neighbours of `c`, in the order of the directions of its space."),),
    "diagonals": (
        FunctionForm("diagonals(c)", "cells", "The neighbours of `c` across the corners; only square grids have any."),
    ),
    "nearby": (FunctionForm("nearby(c)", "cells", "The neighbours of `c`, across sides and corners."),),
    "beside": (
        FunctionForm("beside(c)", "cells", "The neighbours of `c` on its own level; where there are no levels, all of them."),
    ),
    "step": (
        FunctionForm("step(c, d)", "cell", "The next cell from `c` in direction `d`; outside the space it is nowhere."),
        FunctionForm("step(c, d, n)", "cell", "The cell `n` steps from `c` in direction `d`, or back when `n` is negative."),
        FunctionForm("step(p, d, n)", "place", "The place of piece `p` as many steps on; none outside of the space."),
    ),
    "line": (FunctionForm("line(c, d)", "cells", "All cells straight on from `c` in direction `d`, the nearest first."),),
    "column_of": (
        FunctionForm("column_of(c)", "cells", "On a cube grid, `c` and the cells above and below it, the lowest first."),
    ),
    "topmost": (
        FunctionForm("topmost(c)", "cell", "The highest cell with a tile in the column of `c`; nowhere when there is none."),
    ),
    "part": (FunctionForm("part(p, c)", "cells", "The cells to which partition `p` gives the same number as to `c`."),),
    "opposite": (FunctionForm("opposite(d)", "direction", "The way back; a graph has none."),),
    "turn": (
        FunctionForm("turn(d, n)", "direction", "`d` turned clockwise `n` times, anticlockwise when `n` is negative."),
        FunctionForm("turn(p, n)", "place", "The place of piece `p` turned about its first cell; none outside of the space."),
    ),
    "distance": (
        FunctionForm(
            "distance(a, b)",
            "number",
            "The fewest steps between neighbours from `a` to `b`; -1 when there is no way (RW271 warns where that is near).",
        ),
    ),
    "column": (FunctionForm("column(c)", "number", "The first coordinate of `c`, growing to the east."),),
    "row": (
        FunctionForm("row(c)", "number", "The second coordinate of `c`, growing to the south; 0 where there are no rows."),
    ),
    "level": (FunctionForm("level(c)", "number", "The third coordinate of `c` on a cube grid, growing upwards; elsewhere 0."),),
    "directions": (FunctionForm("directions(s)", "directions", "The directions of space `s` that lead to neighbours."),),
    "size": (FunctionForm("size(xs)", "number", "How many elements a set or zone has."),),
    "empty": (FunctionForm("empty(xs)", "truth", "Whether a set or zone has no elements."),),
    "bottom": (
        FunctionForm("bottom(p)", "tile", "The tile of pile `p` that would be dealt last; `nothing` when it is empty."),
    ),
    "top": (FunctionForm("top(p)", "tile", "The tile of pile `p` that would be dealt next; `nothing` when it is empty."),),
    "min": (FunctionForm("min(a, b)", "number", "The lesser of two numbers."),),
    "max": (FunctionForm("max(a, b)", "number", "The greater of two numbers."),),
}
"""The forms of each function by its name."""
