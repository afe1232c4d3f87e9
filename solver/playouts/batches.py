"""Many games side by side: each keeps its state, takes the action chosen for it, and lists its legal actions by number."""

from __future__ import annotations

from rulewright.rules.machine.runtime import STEP, GameMemory, mixed
from rulewright.solver.kernel.game_interface import WIDTH, apply, begin, chooser, legal, measure, value
from rulewright.solver.kernel.state_pool import StatePool, load_state, store_state
from rulewright.subset.bundles import Bundle, entry
from rulewright.subset.intrinsics import Ints, Longs, remainder, wrap

RUNNING, OVER, STUCK, FAULTED, ILLEGAL = range(5)
"""How a game stands: under way, over, without a legal action, stopped by the rules, or unchanged after an illegal action."""


class Games(Bundle):
    """Games of one thread; state n of `states` is that of game n, `start` where each begins.

    `numbering` has a row for each action: its first number, how many it has, then for each argument its least value, what the
    number grows by with it, and how many values it has; the number of `stop` is the last of `action_count`. Of each game,
    `mask` has a row with 1 for each legal action, and `told` a row: how it stands, the player to move, the number of legal
    actions, the score, and `measure_count` measures. Score and measures are those of the end, or of each state if `has_scores`.
    """

    game: GameMemory
    moves: Ints
    start: StatePool
    states: StatePool
    chosen: Ints
    mask: Ints
    numbering: Ints
    told: Longs
    settings: Ints
    game_count: int = entry("settings")
    action_count: int = entry("settings")
    measure_count: int = entry("settings")
    has_setup: int = entry("settings")
    has_scores: int = entry("settings")


TOLD = 4
"""Words of a row of `told` before the measures."""


def number_of(games: Games, move: int) -> int:
    """The number of a listed move."""
    if games.moves[move] < 0:
        return games.action_count - 1
    row = games.moves[move] * (3 * WIDTH - 1)
    found = games.numbering[row]
    at = row + 2
    for place in range(1, WIDTH):
        found += (games.moves[move + place] - games.numbering[at]) * games.numbering[at + 1]
        at += 3
    return found


def write_move(games: Games, number: int) -> None:
    """Write the move of a number to the front of the list."""
    moves = games.moves
    if number == games.action_count - 1:
        moves[0] = 0 - 1
    else:
        action = 0
        row = 0
        while number >= games.numbering[row] + games.numbering[row + 1]:
            action += 1
            row += 3 * WIDTH - 1
        moves[0] = action
        rest = number - games.numbering[row]
        at = row + 2
        for place in range(1, WIDTH):
            moves[place] = games.numbering[at] + remainder(rest // games.numbering[at + 1], games.numbering[at + 2])
            at += 3


def tell(games: Games, number: int, status: int) -> None:
    """Write the row and the mask of a game, whose state is loaded."""
    game = games.game
    width = TOLD + games.measure_count
    mask = number * games.action_count
    for action in range(games.action_count):
        games.mask[mask + action] = 0
    count = 0
    player = 0
    if game.fault != 0:
        status = FAULTED
    elif game.point < 0:
        status = OVER
    else:
        player = chooser(game)
        end = legal(game, games.moves, 0)
        if game.fault != 0:
            status = FAULTED
        elif end == 0:
            status = STUCK
        move = 0
        while move < end:
            games.mask[mask + number_of(games, move)] = 1
            count += 1
            move += WIDTH
    games.told[number * width] = status
    games.told[number * width + 1] = player
    games.told[number * width + 2] = count
    if status != RUNNING or games.has_scores == 1:
        games.told[number * width + 3] = value(game)
        for at in range(games.measure_count):
            games.told[number * width + TOLD + at] = measure(game, at)
    game.fault = 0


def reset_games(games: Games, seed: int) -> int:
    """Begin each game anew that `chosen` is not 0 for, with chance drawn from the seed."""
    game = games.game
    for number in range(games.game_count):
        seed = wrap(seed + STEP)
        if games.chosen[number] != 0:
            load_state(games.start, game, 0)
            game.seed = mixed(seed)
            game.fault = 0
            if games.has_setup == 1:
                begin(game)
                game.trail_length = 0
            tell(games, number, RUNNING)
            store_state(games.states, game, number, 0)
    return 0


def step_games(games: Games) -> int:
    """Take the chosen action of each game that is under way; returns how many were illegal."""
    game = games.game
    width = TOLD + games.measure_count
    wrong = 0
    for number in range(games.game_count):
        if games.told[number * width] == RUNNING or games.told[number * width] == ILLEGAL:
            chosen = games.chosen[number]
            if chosen < 0 or chosen >= games.action_count or games.mask[number * games.action_count + chosen] == 0:
                games.told[number * width] = ILLEGAL
                wrong += 1
            else:
                load_state(games.states, game, number)
                write_move(games, chosen)
                apply(game, games.moves, 0)
                game.trail_length = 0
                tell(games, number, RUNNING)
                store_state(games.states, game, number, 0)
    return wrong


def pick_actions(games: Games, seed: int) -> int:
    """Choose a random legal action for each game that has one."""
    chance = mixed(seed)
    width = TOLD + games.measure_count
    for number in range(games.game_count):
        chance = wrap(chance + STEP)
        games.chosen[number] = 0 - 1
        if games.told[number * width + 2] > 0:
            left = remainder(mixed(chance), games.told[number * width + 2])
            action = number * games.action_count
            while left > 0 or games.mask[action] == 0:
                left -= games.mask[action]
                action += 1
            games.chosen[number] = action - number * games.action_count
    return 0
