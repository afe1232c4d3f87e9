"""The entries of `c`, the tables of the kernels: where each table begins, or a number; and where room is in `q` and `u`."""

from __future__ import annotations

# Entries of `c`.
MODE, CONSTANT, SIGN = 0, 1, 2
PARTS, PART_COUNT = 3, 4
BOARD, COUNT, LISTED, LYING = 5, 6, 7, 8
SUPPLIES, SUPPLY_COUNT = 9, 10
KINDS, KIND_OF, KIND_WORTH = 11, 12, 13
CANDIDATES, CANDIDATE_COUNT, PLACES = 14, 15, 16
FITS = 17
LEVELS, LEVEL_COUNT = 18, 19
ROOM_COUNTS, ROOM_NUMBERS, ROOM_ACTIVE, ROOM_LACKS, ROOM_LOADS, ROOM_SORTED, ROOM_SMALL = 20, 21, 22, 23, 24, 25, 26
ROOM_MATCHED, ROOM_CELLS, ROOM_FAR, ROOM_FOUND, ROOM_MARKS, ROOM_QUEUE, ROOM_ENDS = 27, 28, 29, 30, 31, 32, 33
ROOM_SLIM, ROOM_AWAY, ROOM_STATUS, ROOM_BASE, ROOM_LESS, ROOM_DONE, ROOM_STACK, ROOM_LUCK = 34, 35, 36, 37, 38, 39, 40, 41
ROOM, FITTING, CAME, CHOICES, ROOM_LAID, ROOM_PLACE, TILES, PAIRWISE = 42, 43, 44, 56, 57, 58, 59, 60
SIZE, WAYS, STEPS, BACK, LOOSE, MARKERS, MARKER_COUNT, LEAVES, ENTERS, LAY_KINDS, LEAVE_KINDS = (
    45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55,
)  # fmt: skip
COMING = 61
RELAXED_ENTRIES = 62
# COMING: how many tiles were to come at first.
# FITTING, CAME: where in `u` the kinds begin that fit each cell of the program, and those that a marker may bring to each
# vacant cell. ROOM_FOUND: how much is sure, how many cells the program has, how many candidates may be worth more or less,
# how many vacant cells have a number, how many candidates a branch has completed (ROOM_DONE), the level that helped last.
DONE_ENTRY = 3
SURE, CELLS, OPEN, NUMBERED, DONE, FAVOURITE = 0, 1, 2, 3, 4, 5

# How a state is bounded: not at all, by one number, by this file, or by a table, which begins at CONSTANT: at an index to which
# each of PARTS (slot, least value, stride) adds its share.
UNBOUNDED, FIXED, BY_SHARES, BY_TABLE = 0, 1, 2, 3

# A candidate in `c`: where its record begins. The record:
CELL, NEEDS, FIRST_PLACE, WORTHS, BEST_KINDS, DISTANCES, DISTANCE, FIRST_NEED = 0, 1, 2, 3, 4, 5, 6, 7
# WORTHS: worth by tile on the cell. BEST_KINDS: how many, then (worth, where the kinds are in `z`) from the best.
# DISTANCES: from each cell of the board to what the candidate needs, or -1; DISTANCE: from the tiles lying at first.

# An active candidate in ROOM_ACTIVE: where its lacks begin, how many, its record, the most and the least it is worth.
ACTIVE = 5

MOST = 1 << 30
"""No bound is larger."""

UNUSED = -1
"""No number."""

OPEN_CELL, EMPTY, FILLED = 0, 1, 2
"""What a branch says of a cell (ROOM_STATUS): nothing, that no tile comes to lie there, that one does."""
