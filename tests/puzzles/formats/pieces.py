"""A game whose positions are written as in Forsyth-Edwards notation, for tests."""

PIECES = """module pieces:
    "Men on a board of eight by eight."

players 2

space board: square grid 8 x 8 of tiles

tiles men:
    K  x2
    P  x16
    k  x2
    p  x16

state:
    home of board: truth
    passed:        cell of board
    quiet:         0..100

format fen of board:
    "Rows from the north, runs of empty cells as digits, then who moves and what else matters."
    rows "/"
    runs
    glyph "K": K
    glyph "P": P
    glyph "k": k
    glyph "p": p
    field turn: "w", "b"
    field home: "K" (4,7) (7,7), "Q" (4,7) (0,7), "k" (4,0) (7,0)
    field passed
    field quiet
    field "1"

action step(from in board where occupied(from), to in around(from)):
    require vacant: not occupied(to)
    effect slide: slide from to to

flow:
    repeat:
        for player in players:
            turn:
                choose step
"""
