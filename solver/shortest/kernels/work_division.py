"""How the workers of a best-first search divide its states (HDA*: Kishimoto, Fukunaga and Botea 2009)."""

from __future__ import annotations

from rulewright.solver.kernel.packed_states import NUMBER, load_state, public_word

from .best_first import COST_SHIFT, BestFirst, admit, enqueue, priority
from .state_mail import Mail, owner_of


def receive_mail(search: BestFirst, mail: Mail) -> int:
    """Record the states that another worker has sent to this one."""
    for at in range(mail.count):
        letter = mail.letter[at]
        if letter.receiver == search.worker:
            load_state(mail.pool, search.game, at)
            admit(search, letter.parent, letter.owner, letter.cost, letter.least)
    return 0


def drop_others(search: BestFirst) -> int:
    """Remove the states of other workers, which know them too, from the queue."""
    count = search.queued
    own = 0
    for at in range(count):
        word = search.queue[at]
        number = (word & NUMBER) ^ search.order
        if priority(search, number) == word >> COST_SHIFT:
            load_state(search.pool, search.game, number)
            if owner_of(public_word(search.orbits, search.game, search.pool), search.workers) == search.worker:
                search.queue[own] = word
                own += 1
    search.queued = 0
    for at in range(own):
        enqueue(search, search.queue[at])
    return 0
