"""The entries of `c`, the tables of the kernels: where each table begins, or a number; and where room is in `q` and `u`."""

from __future__ import annotations

# Entries of `c`.
(
    MODE, CONSTANT, SIGN, PARTS, PART_COUNT,
    BOARD, COUNT, LISTED, LYING, SUPPLIES, SUPPLY_COUNT, KINDS, KIND_OF, KIND_WORTH, TILES,
    CANDIDATES, CANDIDATE_COUNT, PLACES, FITS, PAIRWISE, LEVELS, LEVEL_COUNT,
    SIZE, WAYS, STEPS, BACK, LOOSE, MARKERS, MARKER_COUNT, LEAVES, ENTERS, LAY_KINDS, LEAVE_KINDS,
    ROOM_COUNTS, ROOM_NUMBERS, ROOM_CELLS, ROOM_FAR, ROOM_ACTIVE, ROOM_LACKS, ROOM_SLIM, ROOM_PLACE, ROOM_AWAY, ROOM_FOUND,
    ROOM_LOADS, ROOM_SORTED, ROOM_SMALL, ROOM_MATCHED, ROOM_MARKS, ROOM_QUEUE, ROOM_ENDS,
    ROOM_STATUS, ROOM_KEPT, ROOM_DONE, ROOM_STACK, ROOM_LUCK, ROOM_LAID, ROOM,
    FITTING, CAME, NOTES, LONG_ROOM,
    RELAXED_ENTRIES,
) = range(62)  # fmt: skip
# ROOM_…: where room for something begins in `q`; ROOM: how much there is in all. In `u`, of which there is LONG_ROOM, the
# kinds come first that may come to lie on each vacant cell with a number.
# FITTING: those that fit each cell of the program; CAME: those that a marker may bring to each cell with a number; NOTES:
# how often each level was tried, helped, and was passed over.

# How a state is bounded: not at all, by one number, by shares (relaxed.py), or by a table, which begins at CONSTANT: at an
# index to which each of PARTS (slot, least value, stride) adds its share.
UNBOUNDED, FIXED, BY_SHARES, BY_TABLE = range(4)

# A candidate in `c`: where its record begins. The record:
CELL, NEEDS, FIRST_PLACE, WORTHS, BEST_KINDS, DISTANCES, DISTANCE, FIRST_NEED = range(8)
# WORTHS: worth by tile on the cell. BEST_KINDS: how many, then (worth, where the kinds are in `z`) from the best.
# DISTANCES: from each cell of the board to what the candidate needs, or -1; DISTANCE: from the tiles lying at first.

# In ROOM_FOUND: how much is sure, how many cells the program has, how many candidates may be worth more or less, how many
# vacant cells have a number, the level that helped last; and of a branch: how many candidates it has completed (ROOM_DONE), of
# how many cells something is said (ROOM_STACK), how many choices were made (ROOM_KEPT), how many tiles are left, how much news
# there is of its cells and candidates.
SURE, CELLS, OPEN, NUMBERED, FAVOURITE, DONE, SAID, CHOICES, LEFT, NEWS, FOUND_ENTRIES = range(11)

LACKS, LACKED, RECORD, AT_MOST, AT_LEAST, ACTIVE = range(6)
"""An active candidate in ROOM_ACTIVE, or one that a branch has completed in ROOM_DONE: where its lacks begin, how many there
are, its record, the most and the least it is worth; how many numbers these are."""

MOST = 1 << 30
"""No bound is larger; a larger one is none."""

UNUSED = -1
"""No number."""

OPEN_CELL, EMPTY, FILLED = range(3)
"""What a branch says of a cell (ROOM_STATUS): nothing, that no tile comes to lie there, that one does."""
