"""How the workers of a best-first search divide its states (HDA*: Kishimoto, Fukunaga and Botea 2009)."""

from __future__ import annotations

from rulewright.solver.kernel.game_interface import WIDTH
from rulewright.solver.kernel.state_pool import load_state, public_word

from .best_first import COST_SHIFT, NUMBER, OPEN, PASSED, BestFirst, admit, enqueue
from .state_mail import Mail, owner_of, send


def receive_mail(search: BestFirst, mail: Mail) -> int:
    """Record the states that another worker has sent to this one."""
    for at in range(mail.count):
        letter = mail.letter[at]
        if letter.receiver == search.worker:
            load_state(mail.pool, search.game, at)
            for word in range(WIDTH):
                search.moves[word] = letter.move[word]
            admit(search, letter.parent, letter.owner, 0, letter.cost, letter.least, letter.is_closed)
    return 0


def drop_others(search: BestFirst) -> int:
    """Remove the states of other workers from the queue; `send_others` then sends them."""
    count = search.queued
    own = 0
    for at in range(count):
        word = search.queue[at]
        number = (word & NUMBER) ^ search.order
        if search.costs[number] + search.estimates[number] == word >> COST_SHIFT:
            search.pool.heads[number].link = OPEN
            load_state(search.pool, search.game, number)
            if owner_of(public_word(search.orbits, search.game, search.pool), search.workers) == search.worker:
                search.queue[own] = word
                own += 1
    search.queued = 0
    for at in range(own):
        enqueue(search, search.queue[at])
    return 0


def send_others(search: BestFirst, begin: int) -> int:
    """Send the states of other workers, starting from number `begin`; returns where to continue."""
    number = begin
    while number < search.state_count and search.mail.count < search.mail.room:
        load_state(search.pool, search.game, number)
        owner = owner_of(public_word(search.orbits, search.game, search.pool), search.workers)
        if owner != search.worker and search.costs[number] != PASSED:
            way = search.way[number]
            is_closed = 1
            if search.pool.heads[number].link == OPEN:
                is_closed = 0
            cost = search.costs[number]
            least = search.estimates[number]
            letter = search.mail.letter[send(search.mail, search.game, owner, cost, least, is_closed, way.parent, way.owner)]
            for word in range(WIDTH):
                letter.move[word] = way.move[word]
        number += 1
    return number
