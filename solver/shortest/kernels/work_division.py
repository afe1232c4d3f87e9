"""How the workers of a best-first search divide its states (HDA*: Kishimoto, Fukunaga and Botea 2009)."""

from __future__ import annotations

from rulewright.solver.kernel.packed_states import NUMBER, NUMBER_BITS, load_state, public_word

from .best_first import (
    COST_SHIFT,
    OPEN,
    OWNER_BITS,
    PASSED,
    BestFirst,
    admit,
    enqueue,
    has_mark,
    priority,
    set_mark,
)
from .state_mail import Mail, owner_of, send


def receive_mail(search: BestFirst, mail: Mail) -> int:
    """Record the states that another worker has sent to this one."""
    for at in range(mail.count):
        letter = mail.letter[at]
        if letter.receiver == search.worker:
            load_state(mail.pool, search.game, at)
            admit(search, letter.parent, letter.owner, letter.cost, letter.least, letter.is_closed)
    return 0


def drop_others(search: BestFirst) -> int:
    """Remove the states of other workers from the queue; `send_others` then sends them."""
    count = search.queued
    own = 0
    for at in range(count):
        word = search.queue[at]
        number = (word & NUMBER) ^ search.order
        if priority(search, number) == word >> COST_SHIFT:
            set_mark(search, number, OPEN)
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
            is_closed = 1
            if has_mark(search, number, OPEN):
                is_closed = 0
            parent = search.origins[number] & NUMBER
            reached_by = (search.origins[number] >> NUMBER_BITS) & ((1 << OWNER_BITS) - 1)
            cost = search.costs[number]
            least = search.estimates[number]
            send(search.mail, search.game, owner, cost, least, is_closed, parent, reached_by)
        number += 1
    return number
