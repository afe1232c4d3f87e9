"""Proof-number search, depth first (df-pn: Nagai 2002): whether a player can guarantee a goal.

The proof number of a state is how many states must at least be shown to reach the goal so that it does, its disproof number how
many must be shown not to; a new state begins with the number of its moves (Saffidine, Jouandeau and Cazenave 2011). The search
goes where least is left to show, and stays there until that is more than elsewhere by a share (Pawlewicz and Lew 2007). Where
moves lead to the same state, it is counted for each, so numbers may be too large, but a state with none left is decided.

A hash table with buckets of four stores the numbers of states; in a full bucket the entry of least effort is replaced. A state
that repeats on the path from the root ends the search without a value.
"""

from __future__ import annotations

from rulewright.rules.machine.runtime import mixed, undo_to
from rulewright.solver.kernel.game_interface import WIDTH, SearchEnd, apply, chooser, legal, value
from rulewright.solver.kernel.orbits import identify
from rulewright.subset.bundles import entry, start_of
from rulewright.subset.intrinsics import Longs, wrap
from rulewright.subset.records import Record, Run

from .kernel import BUCKET, GoalSearch

NUMBER_BITS, EFFORT_BITS = 28, 7
"""By definition: the bits of a number, and of an effort, in the word of an entry. Its sign is not used."""

NEVER = 1 << NUMBER_BITS
"""Stands for infinity: the least proof number of a state that does not reach the goal, and the least disproof number of one
that does. What is more than that is how far beyond the goal its value is known to be. Numbers of undecided states are less."""

SHARE = 4
"""A move is left when it has more to show than the next one by one part in so many. Measured on Hex with five by five
cells: a half visits twice the states, a whole 2.3 times."""


class Numbered(Record, memory="known_words"):
    """The proof and disproof number of a state, above the binary logarithm of the states they took; 0 for a free entry. Of a
    decided state, one number is 0, and the other how far it is beyond the goal, plus one. A bucket fills a cache line."""

    other_hash: int
    numbers: int


class Child(Record, memory="children"):
    """What is known of the state that a move leads to, and the hashes by which to ask again."""

    hash: int
    other_hash: int
    proof: int
    disproof: int


class Node(Record, memory="stack"):
    """A state on the way from the root, with its hashes and those of its orbit. The search leaves it when its proof or its
    disproof number reaches a limit. Moves are listed from `first` on; `chosen` is the number of the one made."""

    first: int
    count: int
    chosen: int
    is_own: int
    proof_limit: int
    disproof_limit: int
    trail: int
    hash: int
    other_hash: int
    seed: int
    orbit_hash: int
    other_orbit_hash: int
    begun: int


class Proof(GoalSearch):
    """Its result bounds the value of the root. `proof` and `disproof` are the numbers of the state left last, `looks` counts
    how often the table was asked."""

    children: Longs
    proof: int = entry("search_words")
    disproof: int = entry("search_words")
    looks: int = entry("search_words")
    known: Run[Numbered] = start_of("known_words")
    nodes_on_path: Run[Node] = start_of("stack")
    known_children: Run[Child] = start_of("children")


def name_state(search: Proof) -> None:
    """Compute the hashes of the orbit of the state of the game, together with the goal."""
    identify(search.orbits, search.game)
    search.orbits.hash = wrap(search.orbits.hash + mixed(search.goal))
    search.orbits.other_hash = wrap(search.orbits.other_hash + mixed(-search.goal))


def find(search: Proof, hash: int, other_hash: int) -> int:
    """The entry of a state; -1 if there is none."""
    search.looks += 1
    first = hash % search.known_count & -BUCKET
    for way in range(BUCKET):
        if search.known[first + way].numbers > 0 and search.known[first + way].other_hash == other_hash:
            return first + way
    return -1


def proof_of(numbers: int) -> int:
    """The proof number of an entry."""
    return unpacked(numbers >> NUMBER_BITS + EFFORT_BITS, numbers >> EFFORT_BITS & NEVER - 1)


def disproof_of(numbers: int) -> int:
    """The disproof number of an entry."""
    return unpacked(numbers >> EFFORT_BITS & NEVER - 1, numbers >> NUMBER_BITS + EFFORT_BITS)


def unpacked(number: int, other: int) -> int:
    """A number of an entry, given both."""
    if other == 0:
        return NEVER + number - 1
    return number


def packed(number: int) -> int:
    """What an entry holds of a number."""
    if number >= NEVER:
        return min(number - NEVER, NEVER - 2) + 1
    return number


def effort_of(numbers: int) -> int:
    """The binary logarithm of the states that an entry took, plus one."""
    return numbers & (1 << EFFORT_BITS) - 1


def remember(search: Proof, hash: int, other_hash: int, states: int) -> None:
    """Store the numbers of the state left last, after a visit of so many states."""
    effort = 1
    while states >> effort > 0:
        effort += 1
    at = find(search, hash, other_hash)
    if at < 0:
        at = hash % search.known_count & -BUCKET
        first = at
        for way in range(BUCKET):
            if effort_of(search.known[first + way].numbers) < effort_of(search.known[at].numbers):
                at = first + way
        if search.known[at].numbers > 0:
            search.has_replaced = 1
    else:
        effort = max(effort, effort_of(search.known[at].numbers))
    place = search.known[at]
    place.other_hash = other_hash
    place.numbers = (packed(search.proof) << NUMBER_BITS | packed(search.disproof)) << EFFORT_BITS | effort


def decide(search: Proof, reaches: bool, beyond: int) -> None:
    """The numbers of a state that is decided, with a value at least so far beyond the goal."""
    search.proof = NEVER + beyond
    search.disproof = 0
    if reaches:
        search.proof = 0
        search.disproof = NEVER + beyond


def look_at(search: Proof, at: int) -> None:
    """Compute the numbers of the state of the game, which the table does not hold: those of an end, or those of a new state,
    whose moves are listed at `at`."""
    game = search.game
    search.nodes += 1
    end = at
    if game.point >= 0:
        end = legal(game, search.moves, at)
    if end == at:
        end_value = search.sign * value(game)
        decide(search, end_value >= search.goal, max(end_value - search.goal, search.goal - 1 - end_value))
    elif chooser(game) == search.player:
        search.proof = 1
        search.disproof = (end - at) // WIDTH
    else:
        search.proof = (end - at) // WIDTH
        search.disproof = 1


def is_on_path(search: Proof) -> bool:
    """Whether the path from the root contains the state of the game."""
    game = search.game
    at = search.depth - 1
    while at >= 0:
        node = search.nodes_on_path[at]
        is_same = node.hash == game.hash and node.other_hash == game.other_hash
        if is_same and (search.orbits.uses_chance == 0 or node.seed == game.seed):
            return True
        at -= 1
    return False


def enter(search: Proof, proof_limit: int, disproof_limit: int) -> int:
    """Go on from the state of the game, which is no end: look at the state of each move. Returns a `SearchEnd`."""
    game = search.game
    search.nodes += 1
    if is_on_path(search):
        return SearchEnd.REPEATED
    if search.depth + 1 >= search.deepest:
        return SearchEnd.TOO_DEEP
    first = 0
    if search.depth > 0:
        above = search.nodes_on_path[search.depth - 1]
        first = above.first + above.count * WIDTH
    name_state(search)
    end = legal(game, search.moves, first)
    if game.fault != 0:
        return SearchEnd.FAULTED
    node = search.nodes_on_path[search.depth]
    node.first = first
    node.count = (end - first) // WIDTH
    node.chosen = 0
    node.is_own = 0
    if chooser(game) == search.player:
        node.is_own = 1
    node.proof_limit = proof_limit
    node.disproof_limit = disproof_limit
    node.trail = game.trail_length
    node.hash = game.hash
    node.other_hash = game.other_hash
    node.seed = game.seed
    node.orbit_hash = search.orbits.hash
    node.other_orbit_hash = search.orbits.other_hash
    node.begun = search.nodes
    search.depth += 1
    for number in range(node.count):
        apply(game, search.moves, first + number * WIDTH)
        name_state(search)
        child = search.known_children[first // WIDTH + number]
        child.hash = search.orbits.hash
        child.other_hash = search.orbits.other_hash
        child.proof = 0
        child.disproof = 0
        undo_to(game, node.trail, node.hash, node.other_hash, node.seed)
    look_up(search, node)
    for number in range(node.count):
        child = search.known_children[first // WIDTH + number]
        if child.proof == child.disproof == 0:
            apply(game, search.moves, first + number * WIDTH)
            look_at(search, end)
            if game.fault != 0:
                return SearchEnd.FAULTED
            remember(search, child.hash, child.other_hash, 1)
            child.proof = search.proof
            child.disproof = search.disproof
            undo_to(game, node.trail, node.hash, node.other_hash, node.seed)
    return SearchEnd.PAUSED


def look_up(search: Proof, node: Node) -> None:
    """Take over what the table knows of the states of a node's moves. Nothing else is done meanwhile, so that the processor
    waits for all of them at once: asked one by one, they took three fifths of the time on Breakthrough."""
    for number in range(node.count):
        child = search.known_children[node.first // WIDTH + number]
        known = find(search, child.hash, child.other_hash)
        if known >= 0:
            child.proof = proof_of(search.known[known].numbers)
            child.disproof = disproof_of(search.known[known].numbers)


def easier(search: Proof, node: Node, child: Child) -> int:
    """What is left to show so that whoever chooses at a node succeeds by a move."""
    if node.is_own == 1:
        return child.proof
    return child.disproof


def harder(search: Proof, node: Node, child: Child) -> int:
    """What is left to show so that whoever chooses at a node does not succeed by a move."""
    if node.is_own == 1:
        return child.disproof
    return child.proof


def go_on(search: Proof, node: Node) -> int:
    """Make the move of the last node with least left to show, or leave the node. Returns a `SearchEnd`."""
    least = NEVER
    second = NEVER
    total = 0
    beyond = 0
    for number in range(node.count):
        child = search.known_children[node.first // WIDTH + number]
        left = easier(search, node, child)
        if left < least or number == 0:
            second = least
            least = left
            node.chosen = number
        elif left < second:
            second = left
        if left == 0:
            beyond = max(beyond, harder(search, node, child) - NEVER)
        total = min(total + harder(search, node, child), NEVER - 1)
    success_limit = node.disproof_limit
    failure_limit = node.proof_limit
    search.proof = total
    search.disproof = least
    if node.is_own == 1:
        success_limit = node.proof_limit
        failure_limit = node.disproof_limit
        search.proof = least
        search.disproof = total
    if least == 0:
        decide(search, node.is_own == 1, beyond)
    elif least >= NEVER:
        decide(search, node.is_own == 0, least - NEVER)
    elif least < success_limit and total < failure_limit:
        child = search.known_children[node.first // WIDTH + node.chosen]
        success = min(success_limit, second + second // SHARE + 1)
        failure = failure_limit - total + harder(search, node, child)
        apply(search.game, search.moves, node.first + node.chosen * WIDTH)
        if node.is_own == 1:
            return enter(search, success, failure)
        return enter(search, failure, success)
    remember(search, node.orbit_hash, node.other_orbit_hash, search.nodes - node.begun + 1)
    search.depth -= 1
    if search.depth > 0:
        above = search.nodes_on_path[search.depth - 1]
        undo_to(search.game, above.trail, above.hash, above.other_hash, above.seed)
        look_up(search, above)
        tried = search.known_children[above.first // WIDTH + above.chosen]
        tried.proof = search.proof
        tried.disproof = search.disproof
    return SearchEnd.PAUSED


def prove(search: Proof) -> int:
    """Continue until the goal is decided at the root, or the limit is reached; returns a `SearchEnd`."""
    if search.depth == 0:
        look_at(search, 0)
    while search.nodes < search.node_limit:
        end: int = SearchEnd.PAUSED
        if search.depth > 0:
            end = go_on(search, search.nodes_on_path[search.depth - 1])
        elif search.proof == 0 or search.disproof == 0:
            search.has_result = 1
            search.result = search.goal + search.disproof - NEVER
            if search.disproof == 0:
                search.result = search.goal - 1 - (search.proof - NEVER)
            return SearchEnd.DONE
        else:
            end = enter(search, NEVER, NEVER)
        if end != SearchEnd.PAUSED:
            return end
    return SearchEnd.PAUSED
