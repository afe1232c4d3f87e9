"""States sent from one worker of a distributed search to another, and which worker a state belongs to."""

from __future__ import annotations

from typing import Annotated

from rulewright.rules.machine.runtime import GameMemory
from rulewright.subset.bundles import Bundle, entry, start_of
from rulewright.subset.intrinsics import Ints, remainder, shift
from rulewright.subset.records import Record, Run, Stride, inline

from .state_pool import StatePool, store_state

OWNER_SHIFT = 24
"""The bits of the hash below it choose the place in the table of a worker."""


class Letter(Record, memory="letters"):
    """To whom a state goes, and how it was reached: at which cost, from which state of which worker, by which move. A state
    that is closed need not be expanded."""

    receiver: int
    cost: int
    is_closed: int
    parent: int
    owner: int
    move: Run[int] = inline()


class Mail(Bundle):
    """The states that a worker has sent since the last exchange, and a letter for each; there is room for so many."""

    pool: StatePool
    letters: Ints
    mail_words: Ints
    room: int
    count: int = entry("mail_words")
    letter: Annotated[Run[Letter], Stride("WIDTH", plus=5)] = start_of("letters")


def owner_of(hash: int, workers: int) -> int:
    """The worker to whom a state of that hash belongs."""
    return remainder(shift(hash, OWNER_SHIFT), workers)


def send(mail: Mail, game: GameMemory, receiver: int, cost: int, is_closed: int, parent: int, owner: int) -> int:
    """Send the state of the game, but for the move in its letter; gives the number of the letter."""
    number = mail.count
    mail.count = number + 1
    store_state(mail.pool, game, number, 0)
    letter = mail.letter[number]
    letter.receiver = receiver
    letter.cost = cost
    letter.is_closed = is_closed
    letter.parent = parent
    letter.owner = owner
    return number
