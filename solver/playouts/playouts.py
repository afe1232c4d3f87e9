"""Playouts: whole games in which policies choose every move; the same games as by solver/playouts/policies.py."""

from __future__ import annotations

from typing import Annotated

from rulewright.rules.machine.runtime import STEP, GameMemory, mixed, undo, undo_to
from rulewright.solver.kernel.game_interface import WIDTH, apply, begin, chooser, legal, measure, value
from rulewright.solver.kernel.state_pool import StatePool, load_state
from rulewright.subset.bundles import Bundle, entry, start_of
from rulewright.subset.intrinsics import Ints, Longs, remainder, wrap
from rulewright.subset.records import Record, Run, Stride, inline

from .policies import LAID_BITS, PLIES, Kind

LEAST = -(1 << 62)

MOST_MOVES = 1 << 16
"""Words reserved for the moves of one state."""

UNFINISHED, FAULTED = -1, -2
"""In place of a game's length: cut off or stuck, or stopped by the rules."""


class Seat(Record, memory="settings"):
    """The policy of a player: its kind, and the depth of its search or the width of its beam (`number`)."""

    kind: int
    number: int


class Playout(Bundle):
    """A game played by policies: one for each of `seats`, or one for all. `kind` and `number` are those of the policy of the
    player to move.

    `marks` has a word for each word of a state's moves; the one for a move's first word says whether the move may be chosen.
    `boards` are the slots with each board's number of tiles. A state's worth is a row of numbers: one for each player with an
    objective (`aim_count`, each a measure of the game), else one for all; `aim` is the index for the player to move. `rows` has
    a row for each move of look-ahead.
    """

    game: GameMemory
    moves: Ints
    marks: Longs
    settings: Ints
    rows: Longs
    kind: int = entry("settings")
    number: int = entry("settings")
    aim: int = entry("settings")
    aim_count: int = entry("settings")
    seat_count: int = entry("settings")
    seats: Run[Seat] = entry("settings")
    longest: int = entry("settings")
    has_setup: int = entry("settings")
    """Whether a game begins with set-up by chance."""
    board_count: int = entry("settings")
    boards: Run[int] = entry("settings")


class Node(Record, memory="nodes"):
    """A state of a beam: its hashes and seed, the node before it and the move from there, and the first move of its line."""

    hash: int
    other_hash: int
    seed: int
    parent: int
    first: int
    move: Run[int] = inline()


class RankedNode(Record, memory="ranking"):
    """The worth of a state of a layer, and its node."""

    worth: int
    node: int


class PlayoutBeam(Bundle):
    """The root is node 0; layers as wide as the beam follow, with ranks in order of worth. Lines are replayed from the root,
    which is faster than copying each state. `start` is where every game begins."""

    playout: Playout
    start: StatePool
    nodes: Longs
    ranking: Longs
    tree: Annotated[Run[Node], Stride("WIDTH", plus=5)] = start_of("nodes")
    ranks: Run[RankedNode] = start_of("ranking")


class PlayedGame(Record, memory="games"):
    """The seeds of a game and of its choices, its number of moves (or UNFINISHED, FAULTED), and its value at the end."""

    seed: int
    choices: int
    length: int
    value: int


class PlayedGames(Bundle):
    """Games to be played. For each, `measure_count` measures from `first_measure` on are written to `measured`."""

    games: Longs
    measured: Longs
    game_count: int
    first_measure: int
    measure_count: int
    played: Run[PlayedGame] = start_of("games")


def laid(playout: Playout) -> int:
    """The number of tiles on the boards."""
    count = 0
    for slot in playout.boards[: playout.board_count]:
        count += playout.game.state[slot]
    return count


def worth(playout: Playout) -> int:
    """The worth of the state to the player who was to move; ties go to more tiles on the boards."""
    if playout.aim_count > 0:
        return (measure(playout.game, playout.aim) << LAID_BITS) + laid(playout)
    return (value(playout.game) << LAID_BITS) + laid(playout)


def write_row(playout: Playout, row: int) -> None:
    """Write the worth of the state to each player."""
    if playout.aim_count == 0:
        playout.rows[row] = worth(playout)
        return
    count = laid(playout)
    for aim in range(playout.aim_count):
        playout.rows[row + aim] = (measure(playout.game, aim) << LAID_BITS) + count


def aim_of_chooser(playout: Playout) -> int:
    """The index, in a row, for the player to move."""
    if playout.aim_count == 0:
        return 0
    return chooser(playout.game) - 1


def is_preferred(playout: Playout, aim: int, row: int, other: int) -> bool:
    """Whether the player of `aim` prefers a row to another: by their own number or, if paranoid, against the policy's
    player."""
    if playout.kind == Kind.PARANOID and aim != playout.aim:
        return playout.rows[row + playout.aim] < playout.rows[other + playout.aim]
    return playout.rows[row + aim] > playout.rows[other + aim]


def look_ahead(playout: Playout, at: int, plies: int, row: int) -> None:
    """Write the worth that a state leads to in `plies` moves, with all players maximising or all against the policy's player.
    `at` and `row` say where moves and rows may be stored."""
    game = playout.game
    end = at
    if game.point >= 0 and plies > 0 and game.fault == 0:
        end = legal(game, playout.moves, at)
    if end == at:
        write_row(playout, row)
        return
    width = max(playout.aim_count, 1)
    aim = aim_of_chooser(playout)
    below = row + width
    trail_length = game.trail_length
    seed = game.seed
    move = at
    while move < end:
        apply(game, playout.moves, move)
        look_ahead(playout, end, plies - 1, below)
        if move == at or is_preferred(playout, aim, below, row):
            for number in range(width):
                playout.rows[row + number] = playout.rows[below + number]
        undo(game, trail_length)
        game.seed = seed
        move += WIDTH


def mark_by_search(playout: Playout, end: int) -> None:
    """Mark the moves with the best outcome; a tie goes to moves other than `stop`."""
    game = playout.game
    marks = playout.marks
    best = LEAST
    trail_length = game.trail_length
    seed = game.seed
    move = 0
    while move < end:
        apply(game, playout.moves, move)
        look_ahead(playout, end, playout.number - 1, 0)
        reached = 2 * playout.rows[playout.aim]
        if playout.moves[move] >= 0:
            reached += 1
        undo(game, trail_length)
        game.seed = seed
        marks[move] = reached
        best = max(best, reached)
        move += WIDTH
    move = 0
    while move < end:
        marks[move] = marks[move] == best
        move += WIDTH


def note_hash(beam: PlayoutBeam, node: Node) -> None:
    """Save the hashes and the seed of the state of the game in a node."""
    game = beam.playout.game
    node.hash = game.hash
    node.other_hash = game.other_hash
    node.seed = game.seed


def keep(beam: PlayoutBeam, layer: int, kept: int, found: int, parent: int, move: int, first: int) -> int:
    """Insert the state of the game into a layer of `kept` states, unless it is there, or the layer is full of states at least
    as good; returns how many there are. Of equals the earlier comes first."""
    game = beam.playout.game
    ranks = beam.ranks[layer:]
    last = beam.playout.number - 1
    if kept > last and found <= ranks[last].worth:
        return kept
    at = kept
    while at > 0 and ranks[at - 1].worth < found:
        at -= 1
    other = at - 1
    while other >= 0 and ranks[other].worth == found:
        same = beam.tree[ranks[other].node]
        if same.hash == game.hash and same.other_hash == game.other_hash and same.seed == game.seed:
            return kept
        other -= 1
    number = layer + kept
    if kept > last:
        number = ranks[last].node
    else:
        last = kept
    count = last + 1
    while last > at:
        ranks[last].copy(ranks[last - 1])
        last -= 1
    ranks[at].worth = found
    ranks[at].node = number
    node = beam.tree[number]
    note_hash(beam, node)
    node.parent = parent
    node.first = first
    for word in range(WIDTH):
        node.move[word] = beam.playout.moves[move + word]
    return count


def mark_first(playout: Playout, found: int, best: int, first: int, end: int) -> int:
    """Mark a first move that leads to the best; returns the best."""
    if found > best:
        for move in range(end):
            playout.marks[move] = 0
    if found >= best:
        playout.marks[first] = 1
        return found
    return best


def replay(beam: PlayoutBeam, node: Node, plies: int, at: int) -> None:
    """Go to the state of a node, `plies` moves from the root; `at` says where moves may be stored."""
    game = beam.playout.game
    moves = beam.playout.moves
    root = beam.tree[0]
    undo_to(game, 0, root.hash, root.other_hash, root.seed)
    last = at + plies * WIDTH
    while last > at:
        last -= WIDTH
        for word in range(WIDTH):
            moves[last + word] = node.move[word]
        node = beam.tree[node.parent]
    for ply in range(plies):
        apply(game, moves, at + ply * WIDTH)


def mark_by_beam(beam: PlayoutBeam, end: int) -> None:
    """Mark the moves that lead to the best end or state within PLIES moves, keeping `number` states at each ply."""
    playout = beam.playout
    game = playout.game
    best = LEAST
    note_hash(beam, beam.tree[0])
    beam.ranks[0].node = 0
    layer = 0
    states = 1
    for ply in range(PLIES):
        following = 1 + ply * playout.number
        kept = 0
        for rank in beam.ranks[layer : layer + states]:
            node = beam.tree[rank.node]
            first = node.first
            replay(beam, node, ply, end)
            trail_length = game.trail_length
            last = legal(game, playout.moves, end)
            if last == end:
                best = mark_first(playout, worth(playout), best, first, end)
            move = end
            while move < last:
                if ply == 0:
                    first = move - end
                apply(game, playout.moves, move)
                found = worth(playout)
                if game.point < 0:
                    best = mark_first(playout, found, best, first, end)
                else:
                    kept = keep(beam, following, kept, found, rank.node, move, first)
                undo_to(game, trail_length, node.hash, node.other_hash, node.seed)
                move += WIDTH
        layer = following
        states = kept
        if game.fault != 0:
            states = 0
    for rank in beam.ranks[layer : layer + states]:
        best = mark_first(playout, rank.worth, best, beam.tree[rank.node].first, end)
    replay(beam, beam.tree[0], 0, end)


def marked_move(playout: Playout, end: int, chance: int) -> int:
    """A random marked move."""
    marked = 0
    move = 0
    while move < end:
        marked += playout.marks[move]
        move += WIDTH
    left = remainder(chance, marked)
    move = 0
    while move < end:
        if playout.marks[move] == 1:
            if left == 0:
                return move
            left -= 1
        move += WIDTH
    return 0


def chosen_move(beam: PlayoutBeam, end: int, chance: int) -> int:
    """The move that the policy of the player to move chooses from those before `end`."""
    playout = beam.playout
    if playout.seat_count > 1:
        seat = playout.seats[chooser(playout.game) - 1]
        playout.kind = seat.kind
        playout.number = seat.number
    playout.aim = aim_of_chooser(playout)
    if playout.kind == Kind.RANDOM:
        return remainder(chance, end // WIDTH) * WIDTH
    if playout.kind in (Kind.SEARCH, Kind.PARANOID):
        mark_by_search(playout, end)
    else:
        for word in range(end):
            playout.marks[word] = 0
        mark_by_beam(beam, end)
    if playout.game.fault != 0:
        return 0
    return marked_move(playout, end, chance)


def play(beam: PlayoutBeam, seed: int, choices: int) -> int:
    """Play one game with these seeds for the game and for choices; returns its number of moves, UNFINISHED or FAULTED."""
    playout = beam.playout
    game = playout.game
    load_state(beam.start, game, 0)
    game.seed = seed
    game.fault = 0
    if playout.has_setup == 1:
        begin(game)
        game.trail_length = 0
    chance = mixed(choices)
    for length in range(playout.longest + 1):
        if game.fault != 0:
            return FAULTED
        if game.point < 0:
            return length
        end = legal(game, playout.moves, 0)
        if game.fault != 0 or end > MOST_MOVES:
            return FAULTED
        if end == 0:
            return UNFINISHED
        chance = wrap(chance + STEP)
        apply(game, playout.moves, chosen_move(beam, end, mixed(chance)))
        game.trail_length = 0
    return UNFINISHED


def play_games(beam: PlayoutBeam, batch: PlayedGames) -> int:
    """Play a game for each seed, and write its length, value and measures; returns how many."""
    at = 0
    for one in batch.played[: batch.game_count]:
        one.length = play(beam, one.seed, one.choices)
        if one.length >= 0:
            one.value = value(beam.playout.game)
            for number in range(batch.measure_count):
                batch.measured[at + number] = measure(beam.playout.game, batch.first_measure + number)
        at += batch.measure_count
    return batch.game_count
